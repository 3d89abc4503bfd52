/* Verifies replay files and prints a line for each: the name, the frames, the last fingerprint, the lanes. */

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    _Alignas(16) uint32_t words[4];
} Block;

typedef struct {
    uint64_t expected;
    uint64_t found;
    uint32_t frames;
    uint32_t lanes;
    uint32_t blocks;
    uint32_t reserved;
} Outcome;

int32_t golden_verify(const uint8_t *file, size_t file_length, Block *memory, size_t memory_length,
                      uint32_t lanes, Outcome *outcome);

static uint8_t file[1 << 20];
static Block memory[1 << 18];

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: %s LANES FILE...\nLANES: 1, 4, or 0 for the widest\n", argv[0]);
        return 2;
    }
    uint32_t lanes = (uint32_t)strtoul(argv[1], NULL, 10);
    int worst = 0;
    for (int i = 2; i < argc; ++i) {
        FILE *stream = fopen(argv[i], "rb");
        if (stream == NULL) {
            perror(argv[i]);
            return 2;
        }
        size_t length = fread(file, 1, sizeof file, stream);
        fclose(stream);
        Outcome outcome;
        int32_t answer =
            golden_verify(file, length, memory, sizeof memory / sizeof memory[0], lanes, &outcome);
        switch (answer) {
        case 0:
            printf("%s: same, %" PRIu32 " frames, %016" PRIx64 ", %" PRIu32 " lanes\n", argv[i], outcome.frames,
                   outcome.found, outcome.lanes);
            break;
        case 1:
            printf("%s: differs from frame %" PRIu32 " on: %016" PRIx64 ", recorded was %016" PRIx64 ", %" PRIu32
                   " lanes\n",
                   argv[i], outcome.frames, outcome.found, outcome.expected, outcome.lanes);
            break;
        default:
            printf("%s: refused (%" PRId32 ")\n", argv[i], answer);
        }
        if (answer != 0) {
            worst = 1;
        }
    }
    return worst;
}

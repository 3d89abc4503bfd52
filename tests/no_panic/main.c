/* Runs a model's file through cloth_everything and prints the fingerprint it ends with. */

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    uint32_t words[4];
} Block;

typedef struct {
    const uint8_t *file;
    size_t file_length;
    Block *memory;
    size_t memory_length;
    uint8_t *copy;
    size_t copy_length;
    uint32_t vertex;
    uint32_t fabric;
    float dt;
    uint32_t steps;
} Job;

uint64_t cloth_everything(const Job *job);

static uint8_t file[1 << 20];
static uint8_t copy[1 << 20];
static Block memory[1 << 18] __attribute__((aligned(16)));

int main(int argc, char **argv) {
    if (argc != 5) {
        fprintf(stderr, "usage: %s MODEL VERTEX FABRIC STEPS\n", argv[0]);
        return 2;
    }
    FILE *stream = fopen(argv[1], "rb");
    if (stream == NULL) {
        perror(argv[1]);
        return 2;
    }
    Job job = {
        .file = file,
        .file_length = fread(file, 1, sizeof file, stream),
        .memory = memory,
        .memory_length = sizeof memory / sizeof memory[0],
        .copy = copy,
        .copy_length = sizeof copy,
        .vertex = (uint32_t)strtoul(argv[2], NULL, 10),
        .fabric = (uint32_t)strtoul(argv[3], NULL, 10),
        .dt = 1.0f / 60.0f,
        .steps = (uint32_t)strtoul(argv[4], NULL, 10),
    };
    fclose(stream);
    printf("%016llx\n", (unsigned long long)cloth_everything(&job));
    return 0;
}

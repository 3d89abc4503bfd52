/* A machine with C's library.
 *
 *     golden LANES FILE…
 */

#include "golden.h"

#include <stdio.h>
#include <stdlib.h>

size_t read_file(const char *path, uint8_t *into, size_t room) {
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) {
        return SIZE_MAX;
    }
    size_t length = fread(into, 1, room, stream);
    fclose(stream);
    return length;
}

void say(const char *line) { fputs(line, stdout); }

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: %s LANES FILE...\nLANES: 1, 4, or 0 for the widest\n", argv[0]);
        return 2;
    }
    return verify_files((uint32_t)strtoul(argv[1], NULL, 10), argc - 2, argv + 2);
}

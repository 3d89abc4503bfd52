/* Says whether a file of blocks, as this machine has them in memory, is a cloth model.
 *
 *     cc -Icloth-ffi/include cloth-ffi/examples/check.c target/standalone/libcloth_ffi.a -o check
 */

#include "cloth.h"

#include <stdio.h>

static struct ClothBlock blocks[1 << 16];

int main(int argc, char **argv) {
    FILE *file;
    size_t count, state_blocks;
    struct ClothModelFacts facts;
    ClothStatus status;

    if (argc != 2) {
        fprintf(stderr, "usage: %s FILE\n", argv[0]);
        return 2;
    }
    if (cloth_abi_version() != CLOTH_ABI_VERSION) {
        fprintf(stderr, "cloth.h belongs to another library\n");
        return 2;
    }
    file = fopen(argv[1], "rb");
    if (file == NULL) {
        perror(argv[1]);
        return 2;
    }
    count = fread(blocks, sizeof blocks[0], sizeof blocks / sizeof blocks[0], file);
    fclose(file);

    status = cloth_model_check(blocks, count, &facts);
    if (status == CLOTH_STATUS_OK) {
        status = cloth_state_blocks(blocks, count, &state_blocks);
    }
    if (status != CLOTH_STATUS_OK) {
        printf("%s\n", cloth_status_message(status));
        return 1;
    }
    printf("%lu particles, %lu of them pinned; a state needs %lu bytes\n", (unsigned long)facts.particle_count,
           (unsigned long)facts.pin_count, (unsigned long)(state_blocks * sizeof blocks[0]));
    return 0;
}

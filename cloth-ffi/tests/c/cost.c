/* Loads, seeds, attaches and steps, for whoever counts instructions.
 *
 *     cost MODEL STEPS
 */

#include "cloth.h"

#include <stdio.h>
#include <stdlib.h>

static uint8_t bytes[1 << 21];
static ClothBlock blocks[1 << 17], memory[1 << 17];
static ClothModel model;
static Cloth cloth;

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void must(const char *what, ClothStatus status) {
    if (status != CLOTH_STATUS_OK) {
        fprintf(stderr, "%s: %s\n", what, cloth_status_message(status));
        exit(1);
    }
}

int main(int argc, char **argv) {
    ClothStep step = cloth_default_step();
    ClothStepReport report;
    size_t size;
    FILE *file;
    int i;
    if (argc != 3 || (file = fopen(argv[1], "rb")) == NULL) {
        fprintf(stderr, "usage: %s MODEL STEPS\n", argv[0]);
        return 2;
    }
    size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    must("load", cloth_model_load(bytes, size, blocks, COUNT(blocks), &model));
    must("seed", cloth_seed(&model, memory, COUNT(memory), &cloth));
    must("close", cloth_close(&cloth));
    must("attach", cloth_attach(&model, memory, COUNT(memory), &cloth));
    for (i = 0; i < atoi(argv[2]); i++) {
        must("step", cloth_step(&cloth, &step, &report, NULL));
    }
    return 0;
}

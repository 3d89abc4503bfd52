/* Bakes a cape and writes its file form. Links a library with the feature bake.
 *
 *     bake_cape cape.cloth
 */

/* The package of the library with the builders says so itself. */
#ifndef CLOTH_BAKE
#define CLOTH_BAKE
#endif
#include "cloth.h"

#include "keyframes.h"

#include <stdio.h>
#include <stdlib.h>

static ClothVec3 positions[ROWS * COLUMNS];
static uint32_t indices[6 * (ROWS - 1) * (COLUMNS - 1)];
static uint32_t pins[COLUMNS];

static int refused(const char *what, ClothStatus status, const ClothFault *fault) {
    fprintf(stderr, "%s: %s", what, cloth_status_message(status));
    if (fault != NULL && fault->element != UINT32_MAX) {
        fprintf(stderr, " (element %lu)", (unsigned long)fault->element);
    }
    fputc('\n', stderr);
    return 1;
}

/* The cape's vertices, two triangles to a square, and the row that is pinned. Answers how many indices there are. */
static size_t weave(void) {
    const ClothPose body = body_at(0.0f);
    size_t corner = 0;
    int row, column, k;
    for (row = 0; row < ROWS; row++) {
        for (column = 0; column < COLUMNS; column++) {
            const uint32_t at = (uint32_t)(row * COLUMNS + column);
            const uint32_t square[6] = {at, at + COLUMNS, at + 1, at + 1, at + COLUMNS, at + COLUMNS + 1};
            positions[at] = on_cape(&body, row, column);
            if (row == 0) {
                pins[column] = at;
            }
            for (k = 0; k < 6 && row + 1 < ROWS && column + 1 < COLUMNS; k++) {
                indices[corner++] = square[k];
            }
        }
    }
    return corner;
}

int main(int argc, char **argv) {
    ClothBake bake = cloth_default_bake();
    ClothFault fault = {0, UINT32_MAX, UINT32_MAX};
    ClothBakeReport report;
    ClothFabric denim;
    ClothModel model;
    ClothBlock *blocks;
    ClothStatus status;
    uint8_t *bytes;
    size_t count = 0;
    FILE *file;

    if (argc != 2) {
        fprintf(stderr, "usage: %s FILE\n", argv[0]);
        return 2;
    }
    if ((status = cloth_fabric_by_name("denim", &denim)) != CLOTH_STATUS_OK) {
        return refused("denim", status, NULL);
    }
    bake.positions = positions;
    bake.position_count = ROWS * COLUMNS;
    bake.indices = indices;
    bake.index_count = weave();
    bake.pins = pins;
    bake.pin_count = COLUMNS;
    bake.density = denim.density;
    bake.flags |= CLOTH_BAKE_STIFF_BEND;
    bake.memory_limit = 16u << 20;

    if ((status = cloth_bake_size(&bake, &count, &fault)) != CLOTH_STATUS_OK) {
        return refused("bake", status, &fault);
    }
    blocks = (ClothBlock *)aligned_alloc(16, count * sizeof *blocks);
    bytes = (uint8_t *)malloc(count * sizeof *blocks);
    if (blocks == NULL || bytes == NULL) {
        fprintf(stderr, "no memory\n");
        return 1;
    }
    if ((status = cloth_bake(&bake, blocks, count, &report, &fault)) != CLOTH_STATUS_OK) {
        return refused("bake", status, &fault);
    }
    if ((status = cloth_model_open(blocks, count, &model)) != CLOTH_STATUS_OK) {
        return refused("model", status, NULL);
    }
    if ((status = cloth_model_save(&model, bytes, count * sizeof *blocks)) != CLOTH_STATUS_OK) {
        return refused("save", status, NULL);
    }
    file = fopen(argv[1], "wb");
    if (file == NULL || fwrite(bytes, sizeof *blocks, count, file) != count || fclose(file) != 0) {
        perror(argv[1]);
        return 1;
    }
    printf("%lu particles, %lu rows, %lu bytes\n", (unsigned long)report.particles,
           (unsigned long)report.stretch_rows, (unsigned long)(count * sizeof *blocks));
    free(bytes);
    free(blocks);
    return 0;
}

/* A cape from baked bytes, in memory that was there before: nothing is allocated. Its wearer walks, stops and turns.
 *
 *     cape cape.cloth      the cape that bake_cape.c bakes
 */

#include "cloth.h"

#include "keyframes.h"

#include <stdio.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Room for the file, the model and the state. */
static uint8_t bytes[1 << 19];
static ClothBlock model_memory[1 << 15];
static ClothBlock state_memory[1 << 15];
static ClothModel model;
static Cloth cape;

/* What a renderer would want: positions among other things. */
struct Vertex {
    ClothVec3 position;
    float u, v;
};
static struct Vertex vertices[ROWS * COLUMNS];

static int refused(const char *what, ClothStatus status) {
    fprintf(stderr, "%s: %s\n", what, cloth_status_message(status));
    return 1;
}

/* Fills `bytes` from a file: its size, 0 if it cannot be read. */
static size_t read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    size_t size;
    if (file == NULL) {
        perror(path);
        return 0;
    }
    size = fread(bytes, 1, sizeof bytes, file);
    if (fgetc(file) != EOF) {
        fprintf(stderr, "%s: more than %zu bytes, so not the cape of bake_cape.c\n", path, sizeof bytes);
        size = 0;
    }
    fclose(file);
    return size;
}

/* How far the lowest vertex that was drawn is above the ground (m). */
static float hem(void) {
    float lowest = vertices[0].position.y;
    size_t i;
    for (i = 1; i < COUNT(vertices); i++) {
        lowest = vertices[i].position.y < lowest ? vertices[i].position.y : lowest;
    }
    return lowest;
}

int main(int argc, char **argv) {
    ClothStep step = cloth_default_step();
    ClothFault fault = {0, UINT32_MAX, UINT32_MAX};
    ClothTarget shoulders[COLUMNS];
    ClothCollider parts[PART_COUNT];
    ClothStepReport report;
    ClothStateFacts facts;
    ClothFabric denim;
    ClothStatus status;
    ClothPose body = body_at(0.0f);
    size_t size;
    unsigned long contacts = 0;
    int frame, i;

    if (argc != 2) {
        fprintf(stderr, "usage: %s FILE\n", argv[0]);
        return 2;
    }
    if (cloth_abi_version() != CLOTH_ABI_VERSION) {
        fprintf(stderr, "cloth.h belongs to another library\n");
        return 2;
    }
    if ((size = read_file(argv[1])) == 0) {
        return 2;
    }
    status = cloth_model_load(bytes, size, model_memory, COUNT(model_memory), &model);
    if (status != CLOTH_STATUS_OK) {
        return refused(argv[1], status);
    }
    if ((status = cloth_seed(&model, state_memory, COUNT(state_memory), &cape)) != CLOTH_STATUS_OK) {
        return refused("seed", status);
    }
    if ((status = cloth_fabric_by_name("denim", &denim)) != CLOTH_STATUS_OK) {
        return refused("denim", status);
    }
    for (i = 0; i < PART_COUNT; i++) {
        const ClothPose pose = part_at(&body, &PARTS[i]);
        if ((status = cloth_collider(PARTS[i].kind, PARTS[i].sizes, &pose, &parts[i])) != CLOTH_STATUS_OK) {
            return refused("collider", status);
        }
        parts[i].handle = (uint32_t)i;
        parts[i].friction = 0.4f;
    }

    step.dynamics = denim.dynamics;
    step.colliders = parts;
    step.collider_count = PART_COUNT;
    step.target_mode = CLOTH_TARGETS_LISTED;
    step.listed_targets = shoulders;
    step.target_count = COLUMNS;
    for (frame = 1; frame <= FRAMES; frame++) {
        body = body_at((float)frame * step.dt);
        for (i = 0; i < COLUMNS; i++) {
            shoulders[i].vertex = (uint32_t)i;
            shoulders[i].position = on_cape(&body, 0, i);
        }
        for (i = 0; i < PART_COUNT; i++) {
            const ClothPose pose = part_at(&body, &PARTS[i]);
            if ((status = cloth_collider_move(&pose, &parts[i])) != CLOTH_STATUS_OK) {
                return refused("collider", status);
            }
        }
        if ((status = cloth_step(&cape, &step, &report, &fault)) != CLOTH_STATUS_OK) {
            fprintf(stderr, "element %lu\n", (unsigned long)fault.element);
            return refused("step", status);
        }
        contacts += report.contacts;
        status = cloth_positions(&cape, &vertices[0].position, sizeof vertices[0], COUNT(vertices));
        if (status != CLOTH_STATUS_OK) {
            return refused("positions", status);
        }
        if (frame % 60 == 0) {
            printf("%3d  hem %.3f m  strain %.4f  speed %.2f m/s\n", frame, (double)hem(), (double)report.max_strain,
                   (double)report.max_speed);
        }
    }
    if ((status = cloth_state_facts(&cape, &facts)) != CLOTH_STATUS_OK) {
        return refused("facts", status);
    }
    printf("%lu contacts, fingerprint %08lx%08lx\n", contacts, (unsigned long)(facts.fingerprint >> 32),
           (unsigned long)(facts.fingerprint & 0xffffffffu));
    return contacts == 0;
}

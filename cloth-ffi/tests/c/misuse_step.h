/* Colliders that may be some, and steps that are told of them. */

#ifndef MISUSE_STEP_H
#define MISUSE_STEP_H

#include "misuse_slot.h"

/* A collider that may be one. */
static ClothCollider collider(void) {
    ClothCollider made;
    const ClothPose at = pose(), to = pose();
    ClothVec3 sizes;
    const uint32_t kind = one_in(8) ? any() : 1 + below(10);
    uint32_t *words = (uint32_t *)memory(64);
    ClothStatus status;
    sizes.x = one_in(8) ? number() : 0.05f + (float)below(100) / 500.0f;
    sizes.y = one_in(8) ? number() : 0.05f + (float)below(100) / 500.0f;
    sizes.z = one_in(8) ? number() : 0.05f;
    memset(&made, MARK, sizeof made);
    current = "cloth_collider";
    wrong = 0;
    {
        const ClothPose *from = (const ClothPose *)pointer((void *)(uintptr_t)&at);
        ClothCollider *out = (ClothCollider *)pointer(&made);
        if (!answer(cloth_collider(kind, sizes, from, out), &made, sizeof made)) {
            memset(&made, 0, sizeof made);
        }
    }
    current = "cloth_collider_shaped";
    wrong = 1;
    {
        /* Noise is no shape. */
        ClothCollider other;
        memset(&other, MARK, sizeof other);
        status = cloth_collider_shaped(kind, below(20), below(20), words, 16, &at, &other);
        answer(status, &other, sizeof other);
    }
    free(words);
    current = "cloth_collider_move";
    wrong = 0;
    answer(one_in(2) ? cloth_collider_move(&to, &made) : cloth_collider_place(&to, &made), NULL, 0);
    current = "cloth_collider_surface";
    {
        ClothSurface surface;
        memset(&surface, MARK, sizeof surface);
        if (answer(cloth_collider_surface(&made, NULL, 0, vector(), &surface), &surface, sizeof surface) &&
            !(surface.distance == surface.distance)) {
            fail("a distance that is no number");
        }
    }
    if (one_in(4)) {
        made.friction = number();
        made.inflation = number();
        made.scale = one_in(2) ? number() : made.scale;
        made.mask = any();
    }
    if (one_in(32)) {
        ((uint32_t *)&made)[below(28)] = any();
    }
    return made;
}

static void step_slot(struct Slot *slot, Cloth *spare) {
    const ClothModelFacts facts = facts_of(slot);
    const size_t sources = facts.source_count;
    const uint64_t before = print_of(slot->cloth);
    const uint32_t table = below(4);
    ClothCollider *colliders = (ClothCollider *)memory(table * sizeof *colliders);
    ClothTarget *listed = (ClothTarget *)memory(3 * sizeof *listed);
    ClothVec3 *all = (ClothVec3 *)memory(sources * sizeof *all);
    ClothStepReport *report = (ClothStepReport *)memory(sizeof *report);
    ClothFault *fault = (ClothFault *)memory(sizeof *fault);
    ClothStep *step = (ClothStep *)memory(sizeof *step);
    ClothFabric fabric;
    Cloth *cloth;
    size_t i;

    for (i = 0; i < table; i++) {
        colliders[i] = collider();
    }
    for (i = 0; i < 3; i++) {
        listed[i].vertex = one_in(16) ? any() : below((uint32_t)sources);
        listed[i].position = place();
    }
    for (i = 0; i < sources; i++) {
        all[i] = place();
    }
    *step = cloth_default_step();
    current = "cloth_fabric";
    wrong = 0;
    if (answer(cloth_fabric(below(9), &fabric), NULL, 0)) {
        step->dynamics = one_in(4) ? cloth_default_dynamics() : fabric.dynamics;
    }
    step->dynamics.substeps = 1 + below(4);
    step->flags = one_in(16) ? any() : below(4);
    step->lanes = one_in(32) ? any() : (uint32_t[]){0, 1, 4}[below(3)];
    step->most_substeps = one_in(32) ? any() : 16;
    step->gravity = one_in(8) ? vector() : step->gravity;
    if (one_in(16)) {
        float *fields = (float *)&step->dynamics;
        fields[below(9)] = number();
    }
    if (one_in(32)) {
        step->dynamics.iterations = any();
    }
    if (one_in(32)) {
        step->dt = number();
    }
    if (one_in(4)) {
        step->anchor.moved = pose();
        if (one_in(4)) {
            step->anchor.carried = one_in(2) ? step->anchor.moved : pose();
        }
        step->anchor.teleport = one_in(8) ? any() : below(3);
        step->anchor.beyond = one_in(8) ? any() : below(3);
        if (one_in(8)) {
            step->anchor.max_distance = number();
            step->anchor.max_angle = number();
        }
    }
    if (one_in(8)) {
        step->escape.strain = number();
        step->escape.distance = number();
        step->escape.steps = one_in(2) ? below(4) : any();
        step->escape.window = one_in(2) ? below(8) : any();
    }
    wrong = 0;
    if (one_in(32)) {
        step->cookie = any();
        wrong |= step->cookie != cloth_default_step().cookie;
    }
    if (one_in(32)) {
        step->struct_size = below(512);
        wrong |= step->struct_size != sizeof *step;
    }
    step->target_mode = one_in(32) ? any() : below(3);
    if (table > 0) {
        const int until = wrong;
        step->colliders = (const ClothCollider *)pointer(colliders);
        step->collider_count = count_of(table, 0);
        if (step->collider_count == 0) {
            /* None at a null pointer are none. */
            step->colliders = NULL;
            wrong = until;
        }
    }
    if (step->target_mode == CLOTH_TARGETS_ALL) {
        step->targets = (const ClothVec3 *)pointer(all);
        step->target_count = count_of(sources, sources);
    } else if (step->target_mode == CLOTH_TARGETS_LISTED) {
        step->listed_targets = (const ClothTarget *)pointer(listed);
        step->target_count = 3;
    }
    step->air_mode = one_in(32) ? any() : below(3);
    if (one_in(2)) {
        step->air.x = number();
        step->air.z = number();
    }
    if (step->air_mode == CLOTH_AIR_EACH) {
        step->air_velocities = (const ClothVec3 *)pointer(all);
        step->air_velocity_count = count_of(sources, sources);
    }
    if (one_in(8)) {
        const int until = wrong;
        step->backstop_normals = (const ClothVec3 *)pointer(all);
        step->backstop_normal_count = count_of(sources, sources);
        if (step->backstop_normal_count == 0) {
            step->backstop_normals = NULL;
            wrong = until;
        }
    }
    current = "cloth_step";
    cloth = handle(slot, spare);
    {
        ClothStepReport *out = (ClothStepReport *)pointer(report);
        ClothFault *blame = one_in(2) ? NULL : fault;
        ClothStatus status;
        if (one_in(64)) {
            wrong = 1;
            out = (ClothStepReport *)slot->memory;
        }
        status = cloth_step(cloth, step, out, blame);
        if (!answer(status, report, sizeof *report) && print_of(slot->cloth) != before) {
            fail("a refused step changed the cloth");
        }
        if (blame == NULL || status == CLOTH_STATUS_OK) {
            for (i = 0; i < sizeof *fault; i++) {
                if (((unsigned char *)fault)[i] != MARK) {
                    fail("a fault without an error");
                }
            }
        }
    }
    free(colliders);
    free(listed);
    free(all);
    free(report);
    free(fault);
    free(step);
}

#endif

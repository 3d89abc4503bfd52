/* Calls everything, rightly and wrongly, at random from a seed: whatever a library can see to be wrong has to be a status, and
 * a call that answers with an error must not have changed anything.
 *
 *     misuse SEED CALLS REPLAY MODEL…
 *
 * With CLOTH_BAKE defined, and a library that has them, the builders too.
 *
 * What no library can see is left out: pointers to freed memory, counts somewhat larger than the memory there is, memory that is
 * written behind the library's back. Every piece of memory is an allocation of its own of exactly its size, so that a
 * sanitizer sees whoever goes past it.
 */

#include "misuse_bake.h"
#include "misuse_replay.h"
#include "misuse_slot.h"
#include "misuse_step.h"

/* Everything that asks. */
static void ask(struct Slot *slot, Cloth *spare) {
    const ClothModelFacts facts = facts_of(slot);
    const size_t sources = facts.source_count;
    Cloth *cloth;
    wrong = 0;
    switch (below(11)) {
    case 0: {
        const size_t stride = one_in(8) ? below(40) : 12 + 4 * below(4);
        const size_t room = sources == 0 ? 12 : (sources - 1) * (stride < 12 ? 12 : stride) + 12;
        ClothVec3 *out = (ClothVec3 *)memory(room);
        ClothVec3 *where = (ClothVec3 *)pointer(out);
        const size_t count = count_of(sources, sources);
        current = "cloth_positions";
        cloth = handle(slot, spare);
        wrong |= stride < 12 || stride % 4 != 0;
        answer(one_in(3)   ? cloth_positions(cloth, where, stride, count)
               : one_in(2) ? cloth_velocities(cloth, where, stride, count)
                           : cloth_blended_positions(cloth, number(), where, stride, count),
               out, room);
        free(out);
        break;
    }
    case 1: {
        ClothVertex *out = (ClothVertex *)memory(sizeof *out);
        const uint32_t vertex = one_in(8) ? any() : below((uint32_t)sources);
        current = "cloth_vertex";
        wrong |= vertex >= sources;
        cloth = handle(slot, spare);
        answer(cloth_vertex(cloth, vertex, (ClothVertex *)pointer(out)), out, sizeof *out);
        free(out);
        break;
    }
    case 2: {
        ClothParticles *out = (ClothParticles *)memory(sizeof *out);
        current = "cloth_particles";
        cloth = handle(slot, spare);
        if (answer(cloth_particles(cloth, (ClothParticles *)pointer(out)), out, sizeof *out)) {
            uint32_t i;
            for (i = 0; i < out->count; i++) {
                if (!(fabsf(out->bodies[i].x) <= 1e9f) || out->velocities[i].w != 0.0f) {
                    fail("a particle is nowhere");
                }
            }
        }
        free(out);
        break;
    }
    case 3: {
        ClothPermutation *out = (ClothPermutation *)memory(sizeof *out);
        current = "cloth_model_permutation";
        if (answer(cloth_model_permutation((ClothModel *)pointer(slot->model), (ClothPermutation *)pointer(out)), out,
                   sizeof *out)) {
            uint32_t i;
            for (i = 0; i < out->source_count; i++) {
                if (out->particle_of[i] >= out->particle_count) {
                    fail("a vertex has no particle");
                }
            }
        }
        free(out);
        break;
    }
    case 4: {
        float *out = (float *)memory(sizeof *out);
        const float dt = number();
        current = "cloth_model_bend_limit";
        answer(cloth_model_bend_limit((ClothModel *)pointer(slot->model), dt, any(), (float *)pointer(out)), out,
               sizeof *out);
        free(out);
        break;
    }
    case 5: {
        const size_t size = (size_t)facts.model_blocks * 16;
        uint8_t *out = (uint8_t *)memory(size);
        current = "cloth_model_save";
        if (answer(cloth_model_save((ClothModel *)pointer(slot->model), (uint8_t *)bytes_at(out), count_of(size, size)),
                   out, size) &&
            slot->sound && memcmp(out, slot->file->bytes, size) != 0) {
            fail("a model is not saved as it was loaded");
        }
        free(out);
        break;
    }
    case 6: {
        ClothStateFacts *out = (ClothStateFacts *)memory(sizeof *out);
        current = "cloth_state_facts";
        cloth = handle(slot, spare);
        answer(cloth_state_facts(cloth, (ClothStateFacts *)pointer(out)), out, sizeof *out);
        free(out);
        break;
    }
    case 7: {
        uint32_t *out = (uint32_t *)memory(sizeof *out);
        current = "cloth_is_asleep";
        cloth = handle(slot, spare);
        answer(cloth_is_asleep(cloth, (uint32_t *)pointer(out)), out, sizeof *out);
        free(out);
        break;
    }
    case 8: {
        uint64_t *out = (uint64_t *)memory(CLOTH_REGION_COUNT * sizeof *out);
        const size_t count = count_of(CLOTH_REGION_COUNT, CLOTH_REGION_COUNT);
        current = "cloth_region_fingerprints";
        cloth = handle(slot, spare);
        answer(cloth_region_fingerprints(cloth, (uint64_t *)pointer(out), count), out, CLOTH_REGION_COUNT * sizeof *out);
        free(out);
        break;
    }
    case 9: {
        ClothDifference *out = (ClothDifference *)memory(sizeof *out);
        const struct Slot *with = &slots[below(SLOTS)];
        const Cloth *other = with->open ? with->cloth : slot->cloth;
        current = "cloth_difference";
        cloth = handle(slot, spare);
        /* Two slots of one file are of one model, unless something of it was spoilt. */
        wrong |= with->open && facts_of(with).fingerprint != facts.fingerprint;
        if (answer(cloth_difference(cloth, other, (ClothDifference *)pointer(out)), out, sizeof *out)) {
            if (out->region != UINT32_MAX &&
                (print_of(slot->cloth) == print_of(other) || out->region >= CLOTH_REGION_COUNT ||
                 out->bits[0] == out->bits[1] || memchr(out->field, 0, sizeof out->field) == NULL)) {
                fail("a difference is none");
            }
            if (strlen(cloth_region_name(any())) == 0) {
                fail("a region has no name");
            }
        }
        free(out);
        break;
    }
    default: {
        static const char *const names[] = {"silk", "hair", "wool", "", "a name longer than any that a fabric has"};
        ClothFabric *out = (ClothFabric *)memory(sizeof *out);
        current = "cloth_fabric_by_name";
        answer(cloth_fabric_by_name(one_in(8) ? (wrong = 1, (const char *)NULL) : names[below(5)],
                                    (ClothFabric *)pointer(out)),
               out, sizeof *out);
        free(out);
        break;
    }
    }
}

/* Everything that changes a cloth but a step; what is refused must not have. */
static void change(struct Slot *slot, Cloth *spare) {
    const ClothModelFacts facts = facts_of(slot);
    const uint64_t before = print_of(slot->cloth);
    const uint32_t vertex = one_in(8) ? any() : below(facts.source_count);
    const size_t saved = (size_t)facts.snapshot_blocks;
    Cloth *cloth;
    int done;
    wrong = vertex >= facts.source_count;
    cloth = handle(slot, spare);
    switch (below(6)) {
    case 0:
        current = "cloth_hold";
        done = answer(cloth_hold(cloth, vertex, place()), NULL, 0);
        break;
    case 1:
        current = "cloth_place";
        done = answer(cloth_place(cloth, vertex, place(), vector()), NULL, 0);
        break;
    case 2:
        current = "cloth_release";
        done = answer(cloth_release(cloth, vertex), NULL, 0);
        break;
    case 3:
        current = "cloth_restore";
        wrong = cloth != slot->cloth;
        {
            ClothBlock *from = (ClothBlock *)memory(saved * sizeof *from);
            memcpy(from, slot->snapshot, saved * sizeof *from);
            if (one_in(2)) {
                from[below((uint32_t)saved)].words[below(4)] = any();
            }
            done = answer(cloth_restore((ClothBlock *)pointer(from), count_of(saved, saved), cloth), NULL, 0);
            free(from);
        }
        break;
    case 4:
        current = "cloth_wake";
        wrong = cloth != slot->cloth;
        done = answer(cloth_wake(cloth), NULL, 0);
        break;
    default:
        current = "cloth_snapshot";
        wrong = cloth != slot->cloth;
        {
            ClothBlock *to = (ClothBlock *)memory(saved * sizeof *to);
            ClothBlock *where = (ClothBlock *)pointer(one_in(32) ? (wrong = 1, slot->memory) : to);
            if (answer(cloth_snapshot(cloth, where, count_of(saved, saved)), to, saved * sizeof *to)) {
                memcpy(slot->snapshot, to, saved * sizeof *to);
            }
            free(to);
        }
        done = 0;
        break;
    }
    if (!done && print_of(slot->cloth) != before) {
        fail("a refused call changed the cloth");
    }
}

int main(int argc, char **argv) {
    unsigned long wanted;
    unsigned kinds = 0;
    size_t i;
    Cloth *spare;
    if (argc < 5 || argc > 4 + MODELS) {
        fprintf(stderr, "usage: %s SEED CALLS REPLAY MODEL…\n", argv[0]);
        return 2;
    }
    if (cloth_abi_version() != CLOTH_ABI_VERSION) {
        fprintf(stderr, "cloth.h belongs to another library\n");
        return 2;
    }
    state = strtoull(argv[1], NULL, 10) * 2 + 1;
    wanted = strtoul(argv[2], NULL, 10);
    if (!load_replay(argv[3])) {
        return 2;
    }
    for (i = 4; i < (size_t)argc; i++) {
        if (!load(argv[i], &files[file_count++])) {
            return 2;
        }
    }
    spare = (Cloth *)memory(sizeof *spare);
    while (calls < wanted) {
        struct Slot *slot = &slots[below(SLOTS)];
        if (one_in(16)) {
            replay();
        }
        if (one_in(16)) {
            build();
        }
        if (!slot->open || one_in(256)) {
            open_slot(slot);
        } else if (one_in(64)) {
            move_slot(slot);
            close_copy(slot);
        } else if (one_in(6)) {
            step_slot(slot, spare);
        } else if (one_in(2)) {
            change(slot, spare);
        } else {
            ask(slot, spare);
        }
    }
    for (i = 0; i < SLOTS; i++) {
        release(&slots[i]);
    }
    for (i = 0; i < file_count; i++) {
        free(files[i].bytes);
    }
    free(spare);
    free(recorded.bytes);
    for (i = 0; i < STATUSES; i++) {
        if (seen[i] > 0) {
            printf("%10lu  %s\n", seen[i], cloth_status_message((uint32_t)i));
            kinds++;
        }
    }
    printf("%lu calls, %u statuses\n", calls, kinds);
    return 0;
}

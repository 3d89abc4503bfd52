/* Calls everything, rightly and wrongly, at random from a seed: whatever a library can see to be wrong has to be a status, and
 * a call that answers with an error must not have changed anything.
 *
 *     misuse SEED CALLS REPLAY MODEL…
 *
 * What no library can see is left out: pointers to freed memory, counts somewhat larger than the memory there is, memory that is
 * written behind the library's back. Every piece of memory is an allocation of its own of exactly its size, so that a
 * sanitizer sees whoever goes past it.
 */

#include "misuse.h"
#include "misuse_replay.h"

enum { SLOTS = 4, MODELS = 4 };

/* A model as it was given, and its facts. */
struct File {
    uint8_t *bytes;
    size_t size;
    ClothModelFacts facts;
};
static struct File files[MODELS];
static size_t file_count;

/* A cloth in memory of its own. */
struct Slot {
    const struct File *file;
    ClothBlock *blocks;
    size_t block_count;
    ClothBlock *memory;
    ClothBlock *snapshot;
    ClothModel *model;
    Cloth *cloth;
    int open;
    /* Whether the model's values are the file's: those of a spoilt one may be anything that passes the check. */
    int sound;
};
static struct Slot slots[SLOTS];

static uint64_t print_of(const Cloth *cloth) {
    ClothStateFacts facts;
    if (cloth_state_facts(cloth, &facts) != CLOTH_STATUS_OK) {
        fail("an open cloth has no facts");
    }
    return facts.fingerprint;
}

static void release(struct Slot *slot) {
    free(slot->blocks);
    free(slot->memory);
    free(slot->snapshot);
    free(slot->model);
    free(slot->cloth);
    memset(slot, 0, sizeof *slot);
}

/* Opens a cloth in a slot, of a model that may be spoilt; everything about it may be wrong. */
static void open_slot(struct Slot *slot) {
    const struct File *file = &files[below((uint32_t)file_count)];
    uint8_t *bytes = (uint8_t *)memory(file->size);
    size_t needed = 0;
    uint32_t spoilt = one_in(4) ? 1 + below(3) : 0;
    size_t given;

    release(slot);
    slot->file = file;
    slot->sound = spoilt == 0;
    memcpy(bytes, file->bytes, file->size);
    for (; spoilt > 0; spoilt--) {
        const size_t at = one_in(3) ? below(112) : below((uint32_t)file->size);
        bytes[at] = (uint8_t)(one_in(2) ? any() : bytes[at] ^ (1u << below(8)));
    }
    slot->model = (ClothModel *)memory(sizeof *slot->model);
    slot->cloth = (Cloth *)memory(sizeof *slot->cloth);

    current = "cloth_model_blocks";
    wrong = 0;
    {
        size_t *out = (size_t *)memory(sizeof *out);
        size_t *where = (size_t *)pointer(out);
        const uint8_t *from = (const uint8_t *)bytes_at(bytes);
        if (answer(cloth_model_blocks(from, count_of(file->size, 112), where), out, sizeof *out)) {
            needed = *out;
        }
        free(out);
    }
    slot->block_count = needed > 0 && needed <= file->size / 16 ? needed : file->size / 16;
    slot->blocks = (ClothBlock *)memory(slot->block_count * sizeof(ClothBlock));
    current = "cloth_model_load";
    wrong = 0;
    {
        ClothBlock *to = (ClothBlock *)pointer(slot->blocks);
        ClothModel *where = (ClothModel *)pointer(slot->model);
        const uint8_t *from = (const uint8_t *)bytes_at(bytes);
        given = count_of(slot->block_count, slot->block_count);
        if (!answer(cloth_model_load(from, count_of(file->size, 112), to, given, where), slot->model,
                    sizeof *slot->model)) {
            free(bytes);
            release(slot);
            return;
        }
    }
    free(bytes);
    if (one_in(2)) {
        current = "cloth_model_open";
        wrong = 0;
        memset(slot->model, MARK, sizeof *slot->model);
        {
            const ClothBlock *from = (const ClothBlock *)pointer(slot->blocks);
            ClothModel *where = (ClothModel *)pointer(slot->model);
            given = count_of(slot->block_count, slot->block_count);
            if (!answer(cloth_model_open(from, given, where), slot->model, sizeof *slot->model)) {
                release(slot);
                return;
            }
        }
    }
    current = "cloth_seed";
    wrong = 0;
    {
        ClothModelFacts facts;
        Cloth *where = (Cloth *)pointer(slot->cloth);
        ClothBlock *room;
        if (cloth_model_facts(slot->model, &facts) != CLOTH_STATUS_OK) {
            fail("an open model has no facts");
        }
        if (facts.state_blocks > 1u << 20) {
            release(slot);
            return;
        }
        slot->memory = (ClothBlock *)memory((size_t)facts.state_blocks * sizeof(ClothBlock));
        slot->snapshot = (ClothBlock *)memory((size_t)facts.snapshot_blocks * sizeof(ClothBlock));
        room = (ClothBlock *)pointer(one_in(24) ? (wrong = 1, slot->blocks) : slot->memory);
        given = count_of((size_t)facts.state_blocks, (size_t)facts.state_blocks);
        if (room == slot->blocks) {
            given = slot->block_count;
        }
        if (!answer(cloth_seed(slot->model, room, given, where), slot->cloth, sizeof *slot->cloth)) {
            release(slot);
            return;
        }
        if (cloth_snapshot(slot->cloth, slot->snapshot, (size_t)facts.snapshot_blocks) != CLOTH_STATUS_OK) {
            fail("a fresh cloth has no snapshot");
        }
    }
    slot->open = 1;
}

static ClothModelFacts facts_of(const struct Slot *slot) {
    ClothModelFacts facts;
    if (cloth_model_facts(slot->model, &facts) != CLOTH_STATUS_OK) {
        fail("an open model has no facts");
    }
    return facts;
}

/* A handle that is the slot's, or none. */
static Cloth *handle(struct Slot *slot, Cloth *spare) {
    switch (below(32)) {
    case 0: wrong = 1; memset(spare, 0, sizeof *spare); return spare;
    case 1: wrong = 1; memcpy(spare, slot->cloth, sizeof *spare); return spare;
    case 2: wrong = 1; memset(spare, (int)any(), sizeof *spare); return spare;
    default: return (Cloth *)pointer(slot->cloth);
    }
}

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
        fields[below(8)] = number();
    }
    if (one_in(32)) {
        step->dynamics.iterations = any();
    }
    if (one_in(32)) {
        step->dt = number();
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

/* Everything that asks. */
static void ask(struct Slot *slot, Cloth *spare) {
    const ClothModelFacts facts = facts_of(slot);
    const size_t sources = facts.source_count;
    Cloth *cloth;
    wrong = 0;
    switch (below(9)) {
    case 0: {
        const size_t stride = one_in(8) ? below(40) : 12 + 4 * below(4);
        const size_t room = sources == 0 ? 12 : (sources - 1) * (stride < 12 ? 12 : stride) + 12;
        ClothVec3 *out = (ClothVec3 *)memory(room);
        ClothVec3 *where = (ClothVec3 *)pointer(out);
        const size_t count = count_of(sources, sources);
        current = "cloth_positions";
        cloth = handle(slot, spare);
        wrong |= stride < 12 || stride % 4 != 0;
        answer(one_in(2) ? cloth_positions(cloth, where, stride, count) : cloth_velocities(cloth, where, stride, count),
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

/* Closes a copy of a model's handle, which is nobody else's loss. */
static void close_copy(const struct Slot *slot) {
    ClothModel *copy = (ClothModel *)memory(sizeof *copy);
    memcpy(copy, slot->model, sizeof *copy);
    current = "cloth_model_close";
    wrong = 0;
    if (answer(cloth_model_close((ClothModel *)pointer(copy)), NULL, 0)) {
        wrong = 1;
        answer(cloth_model_close(copy), NULL, 0);
    }
    free(copy);
}

/* Closes a cloth, moves its memory and opens it there: the same cloth. */
static void move_slot(struct Slot *slot) {
    const size_t count = (size_t)facts_of(slot).state_blocks;
    const uint64_t before = print_of(slot->cloth);
    ClothBlock *moved = (ClothBlock *)memory(count * sizeof *moved);
    current = "cloth_close";
    wrong = 0;
    answer(cloth_close(slot->cloth), NULL, 0);
    wrong = 1;
    answer(cloth_close(slot->cloth), NULL, 0);
    memcpy(moved, slot->memory, count * sizeof *moved);
    free(slot->memory);
    slot->memory = moved;
    memset(slot->cloth, MARK, sizeof *slot->cloth);
    current = "cloth_attach";
    for (;;) {
        wrong = 0;
        if (answer(cloth_attach((ClothModel *)pointer(slot->model), (ClothBlock *)pointer(slot->memory), count_of(count, count),
                                (Cloth *)pointer(slot->cloth)),
                   slot->cloth, sizeof *slot->cloth)) {
            break;
        }
        if (!wrong) {
            fail("a moved cloth was refused");
        }
    }
    if (print_of(slot->cloth) != before) {
        fail("a moved cloth is another");
    }
}

static int load(const char *path, struct File *into) {
    FILE *file = fopen(path, "rb");
    ClothBlock *blocks;
    ClothModel model;
    size_t needed;
    if (file == NULL) {
        perror(path);
        return 0;
    }
    into->bytes = (uint8_t *)malloc(1 << 20);
    if (into->bytes == NULL) {
        return 0;
    }
    into->size = fread(into->bytes, 1, 1 << 20, file);
    fclose(file);
    if (cloth_model_blocks(into->bytes, into->size, &needed) != CLOTH_STATUS_OK) {
        fprintf(stderr, "%s is no model\n", path);
        return 0;
    }
    blocks = (ClothBlock *)memory(needed * sizeof *blocks);
    if (cloth_model_load(into->bytes, into->size, blocks, needed, &model) != CLOTH_STATUS_OK ||
        cloth_model_facts(&model, &into->facts) != CLOTH_STATUS_OK) {
        fprintf(stderr, "%s is no good model\n", path);
        return 0;
    }
    into->size = needed * 16;
    free(blocks);
    return 1;
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

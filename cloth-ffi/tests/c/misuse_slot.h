/* Cloths in memory of their own, opened of models that may be spoilt, moved and closed. */

#ifndef MISUSE_SLOT_H
#define MISUSE_SLOT_H

#include "misuse.h"

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

#endif

/* Replays, verified at random: what was recorded here is the same, and what was spoilt is a status. */

#ifndef MISUSE_REPLAY_H
#define MISUSE_REPLAY_H

#include "misuse.h"

static struct {
    uint8_t *bytes;
    size_t size;
    ClothReplayFacts facts;
} recorded;

static int load_replay(const char *path) {
    FILE *file = fopen(path, "rb");
    ClothBlock *blocks;
    size_t needed;
    if (file == NULL) {
        perror(path);
        return 0;
    }
    recorded.bytes = (uint8_t *)malloc(1 << 20);
    if (recorded.bytes == NULL) {
        return 0;
    }
    recorded.size = fread(recorded.bytes, 1, 1 << 20, file);
    fclose(file);
    if (cloth_replay_blocks(recorded.bytes, recorded.size, &needed) != CLOTH_STATUS_OK) {
        fprintf(stderr, "%s is no replay\n", path);
        return 0;
    }
    blocks = (ClothBlock *)memory(needed * sizeof *blocks);
    if (cloth_replay_load(recorded.bytes, recorded.size, blocks, needed, &recorded.facts, NULL) != CLOTH_STATUS_OK) {
        fprintf(stderr, "%s is no good replay\n", path);
        return 0;
    }
    free(blocks);
    return 1;
}

/* A verdict: the same, or another frame, which is the one answer besides "done" that comes with a result. */
static void verdict(ClothStatus status, const ClothReplayResult *out, int sound) {
    if (status == CLOTH_STATUS_REPLAY_DIFFERS) {
        if (sound || out->expected == out->found || out->same_frames > out->first_different) {
            fail("a replay differs that does not");
        }
        answer(status, NULL, 0);
    } else if (answer(status, out, sizeof *out) && (out->expected != out->found || out->first_different != UINT32_MAX)) {
        fail("a replay is the same that is not");
    }
}

/* One call about a replay that is spoilt at times. */
static void replay(void) {
    const size_t size = recorded.size, own = size / 16, room = (size_t)recorded.facts.state_blocks;
    const uint32_t spoilt = one_in(3) ? 1 + below(2) : 0, lanes = one_in(16) ? any() : (uint32_t[]){0, 1, 4}[below(3)];
    const uint32_t what = below(5);
    uint8_t *bytes = (uint8_t *)memory(size);
    ClothBlock *blocks = (ClothBlock *)memory(own * sizeof *blocks);
    ClothBlock *space = (ClothBlock *)memory((own + room) * sizeof *space);
    ClothReplayFacts *facts = (ClothReplayFacts *)memory(sizeof *facts);
    ClothReplayResult *result = (ClothReplayResult *)memory(sizeof *result);
    ClothFault *fault = one_in(2) ? NULL : (ClothFault *)memory(sizeof *fault);
    uint32_t i;
    memcpy(bytes, recorded.bytes, size);
    for (i = 0; i < spoilt; i++) {
        bytes[one_in(3) ? below(48) : below((uint32_t)size)] ^= (uint8_t)(1u << below(8));
    }
    wrong = 0;
    if (what == 0) {
        size_t *out = (size_t *)memory(sizeof *out);
        const uint8_t *from = (const uint8_t *)bytes_at(bytes);
        size_t *where = (size_t *)pointer(out);
        current = "cloth_replay_blocks";
        answer(cloth_replay_blocks(from, count_of(size, spoilt ? 0 : size), where), out, sizeof *out);
        free(out);
    } else if (what == 1) {
        const uint8_t *from = (const uint8_t *)bytes_at(bytes);
        ClothBlock *to = (ClothBlock *)pointer(blocks);
        ClothReplayFacts *where = (ClothReplayFacts *)pointer(facts);
        const size_t given = count_of(own, spoilt ? 0 : own);
        current = "cloth_replay_load";
        if (one_in(24)) {
            wrong = 1;
            where = (ClothReplayFacts *)blocks;
        }
        answer(cloth_replay_load(from, size, to, given, where, fault), facts, sizeof *facts);
    } else if (what == 2) {
        const uint8_t *from = (const uint8_t *)bytes_at(bytes);
        ClothBlock *to = (ClothBlock *)pointer(space);
        ClothReplayResult *where = (ClothReplayResult *)pointer(result);
        const size_t given = count_of(own + room, spoilt ? 0 : own + room);
        current = "cloth_replay_verify_file";
        wrong |= lanes != 0 && lanes != 1 && lanes != 4;
        verdict(cloth_replay_verify_file(from, size, lanes, to, given, where, fault), result, spoilt == 0);
    } else {
        const ClothBlock *from;
        ClothBlock *to;
        size_t given;
        if (cloth_replay_load(bytes, size, blocks, own, facts, NULL) != CLOTH_STATUS_OK && !spoilt) {
            fail("a good replay was refused");
        }
        memset(facts, MARK, sizeof *facts);
        from = (const ClothBlock *)pointer(blocks);
        given = count_of(own, spoilt ? 0 : own);
        if (what == 3) {
            ClothReplayFacts *where = (ClothReplayFacts *)pointer(facts);
            current = "cloth_replay_check";
            answer(cloth_replay_check(from, given, where, fault), facts, sizeof *facts);
        } else {
            ClothReplayResult *where = (ClothReplayResult *)pointer(result);
            const size_t there = count_of(room, spoilt ? 0 : room);
            current = "cloth_replay_verify";
            to = (ClothBlock *)pointer(one_in(24) ? (wrong = 1, blocks) : space);
            wrong |= lanes != 0 && lanes != 1 && lanes != 4;
            verdict(cloth_replay_verify(from, given, lanes, to, to == blocks ? own : there, where, fault), result,
                    spoilt == 0);
        }
    }
    free(bytes);
    free(blocks);
    free(space);
    free(facts);
    free(result);
    free(fault);
}

#endif

/* What random calls are made of: numbers, pointers and counts that may be wrong, and what an answer has to be. */

#ifndef MISUSE_H
#define MISUSE_H

#include "cloth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATUSES = 128, MARK = 0xa5 };

static uint64_t state;
static unsigned long calls, seen[STATUSES];
static const char *current = "nothing";

/* xorshift64*: Vigna, An experimental exploration of Marsaglia's xorshift generators, 2016. */
static uint32_t any(void) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (uint32_t)((state * 0x2545f4914f6cdd1dull) >> 32);
}

static uint32_t below(uint32_t end) { return any() % end; }

static int one_in(uint32_t n) { return below(n) == 0; }

static void fail(const char *what) {
    fprintf(stderr, "call %lu, %s: %s\n", calls, current, what);
    abort();
}

static void *memory(size_t size) {
    void *found = aligned_alloc(16, (size + 15) / 16 * 16 + (size == 0 ? 16 : 0));
    if (found == NULL) {
        fail("no memory");
    }
    memset(found, MARK, size);
    return found;
}

/* A float that may be anything. */
static float number(void) {
    static const float odd[] = {0.0f, -0.0f, 1e-40f, -1e-40f, 1e-20f, 1e20f, 3e38f, -3e38f, 1e6f, -1.0f};
    union {
        uint32_t bits;
        float value;
    } raw;
    switch (below(8)) {
    case 0: return odd[below(sizeof odd / sizeof odd[0])];
    case 1: return one_in(2) ? NAN : (one_in(2) ? INFINITY : -INFINITY);
    case 2: raw.bits = any(); return raw.value;
    default: return (float)below(2001) / 1000.0f - 1.0f;
    }
}

static ClothVec3 vector(void) {
    ClothVec3 v;
    v.x = number();
    v.y = number();
    v.z = number();
    return v;
}

/* A vector that is one nearly always. */
static ClothVec3 place(void) {
    ClothVec3 v;
    if (one_in(8)) {
        return vector();
    }
    v.x = (float)below(1001) / 1000.0f;
    v.y = (float)below(1001) / 1000.0f - 0.5f;
    v.z = (float)below(1001) / 1000.0f;
    return v;
}

static ClothPose pose(void) {
    ClothPose p;
    p.translation = place();
    p.rotation.x = number();
    p.rotation.y = number();
    p.rotation.z = number();
    p.rotation.w = one_in(4) ? number() : 1.0f;
    return p;
}

/* Whether the last pointer or count that was made up was wrong for certain. */
static int wrong;

/* A pointer that is good, or null, or between two items. */
static void *pointer(void *good) {
    switch (below(24)) {
    case 0: wrong = 1; return NULL;
    case 1: wrong = 1; return (char *)good + 1 + below(3);
    default: return good;
    }
}

/* A pointer to bytes, which cannot be misaligned. */
static void *bytes_at(void *good) {
    if (one_in(24)) {
        wrong = 1;
        return NULL;
    }
    return good;
}

/* A count that is good, or too small for `least`, or beyond memory. */
static size_t count_of(size_t good, size_t least) {
    switch (below(24)) {
    case 0: wrong = 1; return SIZE_MAX - below(2);
    case 1: wrong = 1; return SIZE_MAX / 2 + 1;
    case 2: {
        const size_t found = below((uint32_t)good + 1);
        wrong |= found < least;
        return found;
    }
    default: return good;
    }
}

/* An answer: a status that is one, an error where something was wrong, and then nothing written. */
static int answer(ClothStatus status, const void *out, size_t size) {
    size_t i;
    calls++;
    if (status >= STATUSES || strcmp(cloth_status_message(status), "unknown status") == 0) {
        fail("a status that is none");
    }
    seen[status]++;
    if (status == CLOTH_STATUS_OK) {
        if (wrong) {
            fail("misuse was taken");
        }
        return 1;
    }
    for (i = 0; i < size; i++) {
        if (((const unsigned char *)out)[i] != MARK) {
            fail("an error wrote a result");
        }
    }
    return 0;
}

#endif

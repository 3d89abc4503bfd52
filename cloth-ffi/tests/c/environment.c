/* Does one job in the environment that C programs begin in and in strange ones, and verifies replays there: the bits have to be
 * the same, and every call has to leave the caller's settings as they were.
 *
 *     environment MODEL STEPS REPLAY…
 *
 * Prints the fingerprint of the job and the frames of the replays.
 */

#include "cloth.h"

#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

static uint8_t bytes[1 << 20];
static ClothBlock blocks[1 << 16], memory[1 << 17], saved[1 << 16];
static ClothModel model;
static Cloth cloth;

/* The control register, the sticky flags of exceptions included. */
static unsigned long long settings(void) {
#if defined(__SSE2__)
    return _mm_getcsr();
#elif defined(__aarch64__)
    unsigned long long control, status;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    __asm__ volatile("mrs %0, fpsr" : "=r"(status));
    return control << 32 | status;
#elif defined(__arm__) && defined(__VFP_FP__) && !defined(__SOFTFP__)
    unsigned control;
    /* Without the flags of the last comparison. */
    __asm__ volatile("vmrs %0, fpscr" : "=r"(control));
    return control & 0x0fffffffu;
#else
    return (unsigned)fegetround() | (unsigned long long)(unsigned)fetestexcept(FE_ALL_EXCEPT) << 32;
#endif
}

/* Rounds as said; flushes denormals, of operands and of results, if asked to and if the machine can. */
static void set(int rounding, int flush) {
    fesetround(rounding);
#if defined(__SSE2__)
    _mm_setcsr((_mm_getcsr() & ~0x8040u) | (flush ? 0x8040u : 0u));
#elif defined(__aarch64__)
    unsigned long long control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    control = flush ? control | 1ull << 24 : control & ~(1ull << 24);
    __asm__ volatile("msr fpcr, %0" : : "r"(control));
#elif defined(__arm__) && defined(__VFP_FP__) && !defined(__SOFTFP__)
    unsigned control;
    __asm__ volatile("vmrs %0, fpscr" : "=r"(control));
    control = flush ? control | 1u << 24 : control & ~(1u << 24);
    __asm__ volatile("vmsr fpscr, %0" : : "r"(control));
#else
    (void)flush;
#endif
}

/* Whether the machine does what it was told: otherwise nothing is proven. */
static int is_in_effect(int rounding, int flush) {
    volatile float one = 1.0f, three = 3.0f, small = 1e-38f, tenth = 0.1f;
    const float up = 0x1.555556p-2f, down = 0x1.555554p-2f;
    const float third = one / three, tiny = small * tenth;
    if (third != (rounding == FE_DOWNWARD || rounding == FE_TOWARDZERO ? down : up)) {
        return 0;
    }
#if defined(__SSE2__) || defined(__aarch64__) || (defined(__arm__) && defined(__VFP_FP__) && !defined(__SOFTFP__))
    return (tiny == 0.0f) == flush;
#else
    (void)tiny;
    (void)flush;
    return 1;
#endif
}

static int failed;

/* A call: done, and the settings are the caller's. */
#define CALL(call)                                                                                 \
    do {                                                                                           \
        const unsigned long long before = settings();                                              \
        const ClothStatus status = (call);                                                         \
        const unsigned long long after = settings();                                               \
        if (before != after) {                                                                     \
            fprintf(stderr, "%s: settings %llx became %llx\n", #call, before, after);              \
            failed = 1;                                                                            \
        }                                                                                          \
        if (status != CLOTH_STATUS_OK) {                                                           \
            fprintf(stderr, "%s: %s\n", #call, cloth_status_message(status));                      \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Everything that computes: the fingerprint at the end, with what the other calls answered in it. */
static uint64_t job(size_t size, int steps) {
    static const ClothPose at = {{0.1f, -0.15f, 0.0f}, {0.0f, 0.1f, 0.0f, 1.0f}};
    static const ClothVec3 ball = {0.05f, 0.0f, 0.0f}, grip = {0.05f, 0.06f, 0.07f}, still = {1e-40f, 0.0f, 0.0f};
    ClothStep step = cloth_default_step();
    ClothStepReport report;
    ClothStateFacts facts;
    ClothModelFacts about;
    ClothSurface surface;
    ClothCollider collider;
    ClothFabric cotton;
    union {
        float value;
        uint32_t bits;
    } limit, distance;
    int i;

    CALL(cloth_model_load(bytes, size, blocks, COUNT(blocks), &model));
    CALL(cloth_model_facts(&model, &about));
    CALL(cloth_model_bend_limit(&model, step.dt, 8, &limit.value));
    CALL(cloth_fabric_by_name("cotton", &cotton));
    CALL(cloth_collider(CLOTH_COLLIDER_KIND_SPHERE, ball, &at, &collider));
    CALL(cloth_collider_surface(&collider, NULL, 0, grip, &surface));
    CALL(cloth_seed(&model, memory, COUNT(memory), &cloth));
    step.dynamics = cotton.dynamics;
    step.colliders = &collider;
    step.collider_count = 1;
    CALL(cloth_hold(&cloth, about.source_count / 2, grip));
    for (i = 0; i < steps; i++) {
        CALL(cloth_step(&cloth, &step, &report, NULL));
    }
    /* A denormal, which is to stay one. */
    CALL(cloth_place(&cloth, about.source_count - 1, still, still));
    CALL(cloth_snapshot(&cloth, saved, COUNT(saved)));
    CALL(cloth_step(&cloth, &step, &report, NULL));
    CALL(cloth_restore(saved, COUNT(saved), &cloth));
    CALL(cloth_close(&cloth));
    CALL(cloth_attach(&model, memory, COUNT(memory), &cloth));
    CALL(cloth_step(&cloth, &step, &report, NULL));
    CALL(cloth_state_facts(&cloth, &facts));
    distance.value = surface.distance;
    printf("  fingerprint %016llx, limit %08lx, distance %08lx\n", (unsigned long long)facts.fingerprint,
           (unsigned long)limit.bits, (unsigned long)distance.bits);
    return facts.fingerprint ^ ((uint64_t)limit.bits << 32) ^ distance.bits;
}

static size_t read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    size_t size;
    if (file == NULL) {
        perror(path);
        exit(2);
    }
    size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    return size;
}

/* A golden: the recorded bits of every frame. */
static void golden(const char *path) {
    const size_t size = read_file(path);
    ClothReplayResult result;
    CALL(cloth_replay_verify_file(bytes, size, 0, memory, COUNT(memory), &result, NULL));
    printf("  golden, %lu frames, %016llx\n", (unsigned long)result.same_frames, (unsigned long long)result.found);
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        int rounding, flush;
    } ways[] = {
        {"as C begins", FE_TONEAREST, 0},   {"flush to zero", FE_TONEAREST, 1}, {"upwards", FE_UPWARD, 0},
        {"upwards, flush", FE_UPWARD, 1}, {"downwards", FE_DOWNWARD, 0},      {"towards zero", FE_TOWARDZERO, 1},
    };
    uint64_t first = 0;
    size_t i;
    if (argc < 3) {
        fprintf(stderr, "usage: %s MODEL STEPS REPLAY...\n", argv[0]);
        return 2;
    }
    for (i = 0; i < COUNT(ways); i++) {
        uint64_t print;
        int replay;
        printf("%s\n", ways[i].name);
        set(ways[i].rounding, ways[i].flush);
        if (!is_in_effect(ways[i].rounding, ways[i].flush)) {
            fprintf(stderr, "the machine does not compute as it was told to\n");
            return 2;
        }
        print = job(read_file(argv[1]), atoi(argv[2]));
        for (replay = 3; replay < argc; replay++) {
            golden(argv[replay]);
        }
        first = i == 0 ? print : first;
        if (print != first) {
            fprintf(stderr, "%s: other bits\n", ways[i].name);
            failed = 1;
        }
        if (!is_in_effect(ways[i].rounding, ways[i].flush)) {
            fprintf(stderr, "%s: the machine computes otherwise afterwards\n", ways[i].name);
            failed = 1;
        }
    }
    set(FE_TONEAREST, 0);
    printf("%s\n", failed ? "FAILED" : "the same everywhere");
    return failed;
}

/* Models and shapes, built at random: of what is good in the main and may be spoilt anywhere. Nothing without CLOTH_BAKE. */

#ifndef MISUSE_BAKE_H
#define MISUSE_BAKE_H

#include "misuse.h"

#if !defined(CLOTH_BAKE)

static void build(void) {}

#else

/* Vertices of what is built, as a grid of SIDE by SIDE or in a line. */
enum { SIDE = 4, VERTICES = SIDE * SIDE, CORNERS = 6 * (SIDE - 1) * (SIDE - 1), CELLS = (SIDE - 1) * (SIDE - 1) };

/* A float that is good nearly always. */
static float nearly(float good) { return one_in(24) ? number() : good; }

/* An index that is good nearly always. */
static uint32_t index_of(uint32_t good) { return one_in(200) ? any() : good; }

/* An array of a struct: its pointer and its count. None at a null pointer are none. */
static void *array(void *good, size_t *count, size_t items) {
    const int until = wrong;
    void *found = pointer(good);
    *count = count_of(items, 0);
    if (found == NULL && *count == 0) {
        wrong = until;
    }
    return found;
}

/* A struct's first words, which a library looks at before the rest. */
static void spoil_head(uint32_t *cookie, uint32_t *size) {
    if (one_in(48)) {
        *cookie ^= 1u << below(32);
        wrong = 1;
    }
    if (one_in(48)) {
        *size ^= 1u << below(32);
        wrong = 1;
    }
}

/* What a fault says belongs to an error, and to a caller who asked. */
static void blamed(const ClothFault *fault, ClothStatus status, int asked) {
    size_t i;
    if (status == CLOTH_STATUS_BAKE_FAILED) {
        fail("a builder panicked");
    }
    for (i = 0; i < sizeof *fault; i++) {
        if (((const unsigned char *)fault)[i] != MARK && (status == CLOTH_STATUS_OK || !asked)) {
            fail("a fault without an error");
        }
    }
}

/* What was built is a model, of as many blocks as were said. */
static void is_model(const ClothBlock *blocks, size_t count) {
    ClothModel model;
    ClothModelFacts facts;
    if (cloth_model_open(blocks, count, &model) != CLOTH_STATUS_OK ||
        cloth_model_facts(&model, &facts) != CLOTH_STATUS_OK || facts.model_blocks != count) {
        fail("what was baked is no model");
    }
}

/* What was built is a shape, of which a collider is made, and that is somewhere. */
static void is_shape(uint32_t kind, const uint32_t *words, uint32_t count) {
    const ClothPose where = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 1.0f}};
    const ClothVec3 point = {0.1f, 1.0f, 0.1f};
    ClothCollider collider;
    ClothSurface surface;
    if (cloth_collider_shaped(kind, 0, count, words, count, &where, &collider) != CLOTH_STATUS_OK ||
        cloth_collider_surface(&collider, words, count, point, &surface) != CLOTH_STATUS_OK ||
        !(fabsf(surface.distance) < 1e7f)) {
        fail("what was built is no shape");
    }
}

/* The calls about a model that is told so; its head, or anything of it, may be wrong for certain. */
static void bake(ClothBake *told, int head, int flawed, void *positions) {
    ClothBakeReport *report = (ClothBakeReport *)memory(sizeof *report);
    ClothFault *fault = (ClothFault *)memory(sizeof *fault);
    uint64_t *bytes = (uint64_t *)memory(sizeof *bytes);
    size_t *needed = (size_t *)memory(sizeof *needed), count = 0, given;
    const int asked = one_in(2);
    const ClothBake *from = (const ClothBake *)pointer(told);
    const int unseen = from != told;
    ClothStatus status;

    current = "cloth_bake_memory";
    wrong = head || unseen;
    answer(cloth_bake_memory(from, (uint64_t *)pointer(bytes)), bytes, sizeof *bytes);
    current = "cloth_bake_size";
    wrong = flawed || unseen;
    status = cloth_bake_size(from, (size_t *)pointer(needed), asked ? fault : NULL);
    answer(status, needed, sizeof *needed);
    blamed(fault, status, asked);
    wrong = flawed;
    status = cloth_bake_size(told, &count, NULL);
    answer(status, NULL, 0);
    if (status == CLOTH_STATUS_OK || one_in(4)) {
        ClothBlock *blocks = (ClothBlock *)memory(count * sizeof *blocks), *to;
        ClothBakeReport *where;
        const int is_good = status == CLOTH_STATUS_OK;
        current = "cloth_bake";
        wrong = !is_good;
        to = (ClothBlock *)pointer(blocks);
        where = (ClothBakeReport *)pointer(report);
        given = count_of(count, count);
        if (is_good && one_in(24)) {
            wrong = 1;
            to = (ClothBlock *)(one_in(2) ? positions : told);
            given = 1;
        }
        memset(fault, MARK, sizeof *fault);
        status = cloth_bake(told, to, given, where, asked ? fault : NULL);
        answer(status, report, sizeof *report);
        blamed(fault, status, asked);
        if (status == CLOTH_STATUS_OK) {
            is_model(blocks, count);
            if (report->vertices != told->position_count) {
                fail("a report is of another model");
            }
        } else if (!wrong) {
            fail("a model has a size and is none");
        } else {
            answer(status, blocks, count * sizeof *blocks);
        }
        free(blocks);
    }
    free(report);
    free(fault);
    free(bytes);
    free(needed);
}

static void build_model(void) {
    ClothVec3 *positions = (ClothVec3 *)memory(CORNERS * sizeof *positions);
    uint32_t *indices = (uint32_t *)memory(CORNERS * sizeof *indices);
    uint32_t *parents = (uint32_t *)memory(VERTICES * sizeof *parents);
    uint32_t *pins = (uint32_t *)memory(2 * sizeof *pins);
    float *masses = (float *)memory(VERTICES * sizeof *masses);
    ClothRowStiffness *rows = (ClothRowStiffness *)memory(sizeof *rows);
    ClothBackstop *backstops = (ClothBackstop *)memory(VERTICES * sizeof *backstops);
    ClothBake *told = (ClothBake *)memory(sizeof *told);
    const uint32_t shape = one_in(32) ? any() : 1 + below(3);
    const int is_soup = shape == CLOTH_BAKE_SHAPE_SOUP;
    uint32_t i, corner = 0;
    int head;

    for (i = 0; i < VERTICES; i++) {
        positions[i].x = nearly(0.1f * (float)(i % SIDE));
        positions[i].y = nearly(0.01f * (float)below(3));
        positions[i].z = nearly(0.1f * (float)(i / SIDE));
        parents[i] = index_of(i % SIDE == 0 ? UINT32_MAX : i - 1);
        masses[i] = nearly(0.01f);
        backstops[i].distance = nearly(0.02f);
        backstops[i].radius = nearly(one_in(2) ? INFINITY : 0.5f);
        if (i % SIDE + 1 < SIDE && i / SIDE + 1 < SIDE) {
            const uint32_t corners[] = {i, i + SIDE, i + 1, i + 1, i + SIDE, i + SIDE + 1};
            memcpy(&indices[corner], corners, sizeof corners);
            corner += 6;
        }
    }
    for (i = 0; i < CORNERS; i++) {
        if (is_soup) {
            positions[i].x = nearly(0.1f * (float)(indices[i] % SIDE));
            positions[i].y = 0.0f;
            positions[i].z = 0.1f * (float)(indices[i] / SIDE);
        }
        indices[i] = index_of(indices[i]);
    }
    pins[0] = index_of(0);
    pins[1] = index_of(SIDE - 1);
    rows[0].a = index_of(0);
    rows[0].b = index_of(1);
    rows[0].stiffness = nearly(500.0f);

    wrong = 0;
    *told = cloth_default_bake();
    spoil_head(&told->cookie, &told->struct_size);
    head = wrong;
    told->shape = shape;
    told->flags = one_in(24) ? any() : below(8);
    told->mass_mode = one_in(24) ? any() : below(3);
    told->density = nearly(0.15f);
    told->total_mass = nearly(0.2f);
    told->weld = is_soup ? nearly(0.001f) : (one_in(8) ? number() : -1.0f);
    told->stretch_stiffness = nearly(one_in(2) ? INFINITY : 1000.0f);
    told->collider_capacity = one_in(24) ? any() : 32;
    told->memory_limit = one_in(8) ? (((uint64_t)any() << 32) | any()) >> below(64) : 1u << 22;
    told->positions = (const ClothVec3 *)array(positions, &told->position_count, is_soup ? CORNERS : VERTICES);
    if (shape == CLOTH_BAKE_SHAPE_MESH || one_in(8)) {
        told->indices = (const uint32_t *)array(indices, &told->index_count, CORNERS);
    }
    if (shape == CLOTH_BAKE_SHAPE_CHAINS || one_in(8)) {
        told->parents = (const uint32_t *)array(parents, &told->parent_count, VERTICES);
    }
    if (one_in(2)) {
        told->pins = (const uint32_t *)array(pins, &told->pin_count, 2);
    }
    if (told->mass_mode == CLOTH_MASSES_EACH) {
        told->masses = (const float *)array(masses, &told->mass_count, VERTICES);
    }
    if (one_in(4)) {
        told->row_stiffness = (const ClothRowStiffness *)array(rows, &told->row_stiffness_count, 1);
    }
    if (one_in(4)) {
        told->backstops = (const ClothBackstop *)array(backstops, &told->backstop_count, VERTICES);
    }
    bake(told, head, wrong, positions);
    free(positions);
    free(indices);
    free(parents);
    free(pins);
    free(masses);
    free(rows);
    free(backstops);
    free(told);
}

/* The calls about a shape that is told so; its head, or anything of it, may be wrong for certain. */
static void shape(ClothShape *told, int head, int flawed, void *points) {
    ClothShapeReport *report = (ClothShapeReport *)memory(sizeof *report);
    ClothFault *fault = (ClothFault *)memory(sizeof *fault);
    uint64_t *bytes = (uint64_t *)memory(sizeof *bytes);
    size_t *needed = (size_t *)memory(sizeof *needed), count = 0, given;
    const int asked = one_in(2);
    const ClothShape *from = (const ClothShape *)pointer(told);
    const int unseen = from != told;
    ClothStatus status;

    current = "cloth_shape_memory";
    wrong = head || unseen;
    answer(cloth_shape_memory(from, (uint64_t *)pointer(bytes)), bytes, sizeof *bytes);
    current = "cloth_shape_size";
    wrong = flawed || unseen;
    status = cloth_shape_size(from, (size_t *)pointer(needed), asked ? fault : NULL);
    answer(status, needed, sizeof *needed);
    blamed(fault, status, asked);
    wrong = flawed;
    status = cloth_shape_size(told, &count, NULL);
    answer(status, NULL, 0);
    if (status == CLOTH_STATUS_OK || one_in(4)) {
        uint32_t *words = (uint32_t *)memory(count * sizeof *words), *to;
        ClothShapeReport *where;
        const int is_good = status == CLOTH_STATUS_OK;
        current = "cloth_shape";
        wrong = !is_good;
        to = (uint32_t *)pointer(words);
        where = (ClothShapeReport *)pointer(report);
        given = count_of(count, count);
        if (is_good && one_in(24)) {
            wrong = 1;
            to = (uint32_t *)(one_in(2) ? points : told);
            given = 1;
        }
        memset(fault, MARK, sizeof *fault);
        status = cloth_shape(told, to, given, where, asked ? fault : NULL);
        answer(status, report, sizeof *report);
        blamed(fault, status, asked);
        if (status == CLOTH_STATUS_OK) {
            is_shape(told->kind, words, (uint32_t)count);
        } else if (!wrong) {
            fail("a shape has a size and is none");
        } else {
            answer(status, words, count * sizeof *words);
        }
        free(words);
    }
    free(report);
    free(fault);
    free(bytes);
    free(needed);
}

static void build_shape(void) {
    ClothVec3 *points = (ClothVec3 *)memory(VERTICES * sizeof *points);
    uint32_t *indices = (uint32_t *)memory(CORNERS * sizeof *indices);
    float *heights = (float *)memory(VERTICES * sizeof *heights);
    uint8_t *holes = (uint8_t *)memory(CELLS);
    ClothShape *told = (ClothShape *)memory(sizeof *told);
    const uint32_t kind = one_in(32) ? any() : CLOTH_COLLIDER_KIND_HULL + below(3);
    uint32_t i, corner = 0;
    int head;

    for (i = 0; i < VERTICES; i++) {
        points[i].x = nearly(0.1f * (float)(i % SIDE));
        points[i].y = nearly(0.01f * (float)below(100));
        points[i].z = nearly(0.1f * (float)(i / SIDE));
        heights[i] = nearly(0.01f * (float)below(20));
        if (i % SIDE + 1 < SIDE && i / SIDE + 1 < SIDE) {
            const uint32_t corners[] = {i, i + SIDE, i + 1, i + 1, i + SIDE, i + SIDE + 1};
            memcpy(&indices[corner], corners, sizeof corners);
            corner += 6;
        }
    }
    for (i = 0; i < CORNERS; i++) {
        indices[i] = index_of(indices[i]);
    }
    for (i = 0; i < CELLS; i++) {
        holes[i] = one_in(8) ? (uint8_t)any() : 0;
    }
    wrong = 0;
    *told = cloth_default_shape();
    spoil_head(&told->cookie, &told->struct_size);
    head = wrong;
    told->kind = kind;
    told->vertices_x = one_in(24) ? any() : SIDE;
    told->vertices_z = one_in(24) ? any() : SIDE;
    told->cell = nearly(0.1f);
    told->memory_limit = one_in(8) ? (((uint64_t)any() << 32) | any()) >> below(64) : 1u << 22;
    if (kind != CLOTH_COLLIDER_KIND_FIELD || one_in(8)) {
        told->points = (const ClothVec3 *)array(points, &told->point_count, VERTICES);
    }
    if (kind == CLOTH_COLLIDER_KIND_MESH || one_in(8)) {
        told->indices = (const uint32_t *)array(indices, &told->index_count, CORNERS);
    }
    if (kind == CLOTH_COLLIDER_KIND_FIELD || one_in(8)) {
        told->heights = (const float *)array(heights, &told->height_count, VERTICES);
    }
    if (one_in(2)) {
        const int until = wrong;
        told->holes = (const uint8_t *)bytes_at(holes);
        told->hole_count = count_of(CELLS, 0);
        if (told->holes == NULL && told->hole_count == 0) {
            wrong = until;
        }
    }
    shape(told, head, wrong, points);
    free(points);
    free(indices);
    free(heights);
    free(holes);
    free(told);
}

static void build(void) {
    if (one_in(2)) {
        build_model();
    } else {
        build_shape();
    }
}

#endif

#endif

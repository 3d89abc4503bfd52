/* What the cape's wearer does, for all examples: keys of where the body is and how it is turned. */

#ifndef KEYFRAMES_H
#define KEYFRAMES_H

#include "cloth.h"

#include <math.h>
#include <stddef.h>

enum { COLUMNS = 21, ROWS = 29, FRAMES = 240 };

/* A key: time (s), place of the body's foot (m), turn about Y (rad). */
struct Key {
    float time, x, z, turn;
};

static const struct Key KEYS[] = {
    {0.0f, 0.0f, 0.0f, 0.0f}, {0.5f, 0.0f, 0.0f, 0.0f}, {2.0f, 0.0f, 2.2f, 0.0f},
    {2.6f, 0.3f, 2.8f, 1.6f}, {3.2f, 0.9f, 2.8f, 1.6f}, {4.0f, 0.9f, 2.8f, 1.6f},
};

/* Where the body is at a time (s): its foot on the ground. */
static inline ClothPose body_at(float time) {
    const size_t last = sizeof KEYS / sizeof KEYS[0] - 1;
    size_t next = 1;
    float part, turn;
    const struct Key *from, *to;
    ClothPose pose;

    while (next < last && KEYS[next].time < time) {
        next++;
    }
    from = &KEYS[next - 1];
    to = &KEYS[next];
    part = (time - from->time) / (to->time - from->time);
    part = part > 1.0f ? 1.0f : part;
    turn = from->turn + part * (to->turn - from->turn);
    pose.translation.x = from->x + part * (to->x - from->x);
    pose.translation.y = 0.0f;
    pose.translation.z = from->z + part * (to->z - from->z);
    pose.rotation.x = 0.0f;
    pose.rotation.y = sinf(0.5f * turn);
    pose.rotation.z = 0.0f;
    pose.rotation.w = cosf(0.5f * turn);
    return pose;
}

/* A point of the body in the space of the cloth (m): turned about Y, then moved. */
static inline ClothVec3 on_body(const ClothPose *body, float x, float y, float z) {
    const float s = 2.0f * body->rotation.y * body->rotation.w;
    const float c = 1.0f - 2.0f * body->rotation.y * body->rotation.y;
    ClothVec3 point;
    point.x = body->translation.x + c * x + s * z;
    point.y = body->translation.y + y;
    point.z = body->translation.z + c * z - s * x;
    return point;
}

/* A vertex of the cape as it hangs down the wearer's back (m): a row of 0.5 m at the shoulders, 1.1 m at the hem. */
static inline ClothVec3 on_cape(const ClothPose *body, int row, int column) {
    const float down = (float)row / (float)(ROWS - 1);
    const float across = (float)column / (float)(COLUMNS - 1) - 0.5f;
    return on_body(body, (0.5f + 0.6f * down) * across, 1.48f - 1.2f * down, -0.2f - 0.1f * down);
}

/* Trunk, head and the ground: sizes as ClothColliderKind has them, and the height on the body (m). */
struct Part {
    uint32_t kind;
    ClothVec3 sizes;
    float y;
};

static const struct Part PARTS[] = {
    {CLOTH_COLLIDER_KIND_CAPSULE, {0.45f, 0.14f, 0.0f}, 0.95f},
    {CLOTH_COLLIDER_KIND_SPHERE, {0.12f, 0.0f, 0.0f}, 1.66f},
    {CLOTH_COLLIDER_KIND_PLANE, {0.0f, 0.0f, 0.0f}, 0.0f},
};

enum { PART_COUNT = sizeof PARTS / sizeof PARTS[0] };

/* Where a part of the body is. */
static inline ClothPose part_at(const ClothPose *body, const struct Part *part) {
    ClothPose pose = *body;
    pose.translation = on_body(body, 0.0f, part->y, 0.0f);
    return pose;
}

#endif

#ifndef CLOTH_H
#define CLOTH_H

/* Made by cbindgen from the crate cloth-ffi; change it there. */

#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
#define CLOTH_ALIGNED(n) alignas(n)
#elif defined(_MSC_VER)
#define CLOTH_ALIGNED(n) __declspec(align(n))
#else
#define CLOTH_ALIGNED(n) __attribute__((aligned(n)))
#endif

#if defined(CLOTH_BAKE)
/*
 Every particle is tethered to its nearest pin along the cloth, where the shortest way there is of hard rows only.
 */
#define CLOTH_BAKE_TETHERS 1
#endif

#if defined(CLOTH_BAKE)
/*
 There are bend rows (meshes) and skip rows (chains).
 */
#define CLOTH_BAKE_BEND_ROWS 2
#endif

#if defined(CLOTH_BAKE)
/*
 Bend rows are solved one by one even where the rest shape is flat: no limit to their stiffness, nearly twice the cost.
 */
#define CLOTH_BAKE_STIFF_BEND 4
#endif

#if defined(CLOTH_BAKE)
/*
 Nothing is pinned: the cloth will fall.
 */
#define CLOTH_NOTE_NO_PINS 1
#endif

#if defined(CLOTH_BAKE)
/*
 Everything is pinned: nothing moves by itself.
 */
#define CLOTH_NOTE_EVERYTHING_PINNED 2
#endif

#if defined(CLOTH_BAKE)
/*
 Vertices share a place with an earlier one and were not welded.
 */
#define CLOTH_NOTE_DUPLICATES 4
#endif

#if defined(CLOTH_BAKE)
/*
 The cloth is in several pieces.
 */
#define CLOTH_NOTE_COMPONENTS 8
#endif

/*
 Raised whenever a function, a struct or a status changes its meaning.
 */
#define CLOTH_ABI_VERSION 4

/*
 Strain-limit rows act.
 */
#define CLOTH_FLAG_STRAIN_LIMIT 1

/*
 The fabric is meant to collide with itself. No step does that yet.
 */
#define CLOTH_FLAG_SELF_CONTACT 2

/*
 How many fabrics the library has.
 */
#define CLOTH_FABRIC_COUNT 7

/*
 Words of a ClothModel.
 */
#define CLOTH_MODEL_WORDS 128

/*
 Words of a Cloth.
 */
#define CLOTH_WORDS 192

/*
 How many values ClothRegion has.
 */
#define CLOTH_REGION_COUNT 7

/*
 Room for the name of a value, the zero at its end included.
 */
#define CLOTH_FIELD_LENGTH 24

/*
 Triangles and links meet colliders that fit between particles; particles meet all others anyway.
 */
#define CLOTH_STEP_FACES 1

/*
 The cloth may fall asleep.
 */
#define CLOTH_STEP_SLEEP 2

/*
 How a call ended. Numbers are never used again for something else.
 */
enum ClothStatus
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /*
   Done.
   */
  CLOTH_STATUS_OK = 0,
  /*
   A pointer is null.
   */
  CLOTH_STATUS_NULL_POINTER = 1,
  /*
   A pointer is not aligned for what it points at (16 bytes for blocks).
   */
  CLOTH_STATUS_MISALIGNED = 2,
  /*
   A count is larger than any memory.
   */
  CLOTH_STATUS_COUNT_TOO_LARGE = 3,
  /*
   Two pieces of memory overlap of which one is written.
   */
  CLOTH_STATUS_OVERLAP = 4,
  /*
   A struct does not have the cookie that its cloth_default_ function puts there.
   */
  CLOTH_STATUS_NOT_DEFAULT = 5,
  /*
   A struct has another size than in this library.
   */
  CLOTH_STATUS_STRUCT_SIZE = 6,
  /*
   A number of an enum, or a flag, that this library does not know.
   */
  CLOTH_STATUS_UNKNOWN_VALUE = 7,
  /*
   A buffer for results is too small.
   */
  CLOTH_STATUS_BUFFER_TOO_SMALL = 8,
  /*
   A stride is smaller than what it strides over, or no multiple of four bytes.
   */
  CLOTH_STATUS_STRIDE = 9,
  /*
   A handle is not open: zero, never opened or closed.
   */
  CLOTH_STATUS_NOT_OPEN = 10,
  /*
   A handle of a cloth is not where it was opened: it was copied or moved.
   */
  CLOTH_STATUS_HANDLE_MOVED = 11,
  /*
   Another thread is in a call with this cloth.
   */
  CLOTH_STATUS_BUSY = 12,
  /*
   Nothing has that name or number.
   */
  CLOTH_STATUS_NOT_FOUND = 13,
  /*
   Fewer blocks or bytes than the model's header says.
   */
  CLOTH_STATUS_MODEL_TOO_SHORT = 16,
  /*
   The blocks or bytes do not begin with a model.
   */
  CLOTH_STATUS_NOT_A_MODEL = 17,
  /*
   The model is in the other byte order.
   */
  CLOTH_STATUS_MODEL_BYTE_ORDER = 18,
  /*
   The model has a layout version this library does not read.
   */
  CLOTH_STATUS_MODEL_VERSION = 19,
  /*
   The model was written by a build with other records.
   */
  CLOTH_STATUS_MODEL_LAYOUT = 20,
  /*
   The model's header contradicts itself.
   */
  CLOTH_STATUS_MODEL_HEADER = 21,
  /*
   An item of the model is out of range.
   */
  CLOTH_STATUS_MODEL_ITEM = 22,
  /*
   The model was refused for a reason that has no number yet.
   */
  CLOTH_STATUS_MODEL_REFUSED = 23,
  /*
   Fewer blocks than a state or a snapshot needs.
   */
  CLOTH_STATUS_STATE_TOO_SHORT = 32,
  /*
   The blocks do not begin with a state of this version and byte order.
   */
  CLOTH_STATUS_NOT_A_STATE = 33,
  /*
   The state or snapshot is of another model.
   */
  CLOTH_STATUS_OTHER_MODEL = 34,
  /*
   A value of the state or snapshot is none that a step could have left.
   */
  CLOTH_STATUS_STATE_DAMAGED = 35,
  /*
   No source vertex has that number.
   */
  CLOTH_STATUS_NO_SUCH_VERTEX = 36,
  /*
   A component of a vector is not finite, or outside -1e6 to 1e6 of its unit (m, m/s).
   */
  CLOTH_STATUS_VECTOR_OUT_OF_RANGE = 37,
  /*
   The state was refused for a reason that has no number yet.
   */
  CLOTH_STATUS_STATE_REFUSED = 38,
  /*
   The length of the step is not within 1e-5 to 1 s.
   */
  CLOTH_STATUS_DT = 48,
  /*
   A component of gravity is not finite, or outside -1e6 to 1e6 m/s^2.
   */
  CLOTH_STATUS_GRAVITY = 49,
  /*
   A field of the dynamics is out of its range; the fault's element counts the fields from 0.
   */
  CLOTH_STATUS_DYNAMICS = 50,
  /*
   most_substeps is above 1024.
   */
  CLOTH_STATUS_MOST_SUBSTEPS = 51,
  /*
   All targets were announced, and their number is not that of the source vertices.
   */
  CLOTH_STATUS_TARGET_COUNT = 52,
  /*
   A listed target names a vertex that is not there.
   */
  CLOTH_STATUS_TARGET_VERTEX = 53,
  /*
   A component of a target is not finite, or outside -1e6 to 1e6 m.
   */
  CLOTH_STATUS_TARGET_OUT_OF_RANGE = 54,
  /*
   Backstop normals are not one for each source vertex.
   */
  CLOTH_STATUS_BACKSTOP_NORMAL_COUNT = 55,
  /*
   A component of a backstop normal is not finite, or outside -1e6 to 1e6.
   */
  CLOTH_STATUS_BACKSTOP_NORMAL = 56,
  /*
   The step was refused for a reason that has no number yet.
   */
  CLOTH_STATUS_STEP_REFUSED = 57,
  /*
   The number of substeps is not within 1 to 1024.
   */
  CLOTH_STATUS_SUBSTEPS = 58,
  /*
   A field of the anchor is out of its range; the fault's element counts the fields from 0.
   */
  CLOTH_STATUS_ANCHOR = 59,
  /*
   A field of the escape hatch is out of its range; the fault's element counts the fields from 0.
   */
  CLOTH_STATUS_ESCAPE = 60,
  /*
   A component of the air's velocity is not finite, or outside -1e6 to 1e6 m/s.
   */
  CLOTH_STATUS_AIR = 61,
  /*
   Velocities of the air at each vertex were announced, and their number is not that of the source vertices.
   */
  CLOTH_STATUS_AIR_COUNT = 62,
  /*
   A component of the air's velocity at a vertex is not finite, or outside -1e6 to 1e6 m/s.
   */
  CLOTH_STATUS_AIR_VELOCITY = 63,
  /*
   No kind of collider has that number, or it is not one of words.
   */
  CLOTH_STATUS_COLLIDER_KIND = 64,
  /*
   A component of a pose is not finite, its translation has one outside -1e6 to 1e6 m, or its quaternion has no direction:
   a length outside 1e-15 to 1e15. In a collider: a quaternion whose squared length is not within 0.998 to 1.002.
   */
  CLOTH_STATUS_COLLIDER_POSE = 65,
  /*
   A size is not within 1e-6 to 1e6 m.
   */
  CLOTH_STATUS_COLLIDER_SIZE = 66,
  /*
   The scale is not within 1e-6 to 1e6.
   */
  CLOTH_STATUS_COLLIDER_SCALE = 67,
  /*
   Friction or inflation is not within 0 to 1e6.
   */
  CLOTH_STATUS_COLLIDER_CONTACT = 68,
  /*
   The collider's words do not lie within the shapes' words.
   */
  CLOTH_STATUS_COLLIDER_DATA = 69,
  /*
   The words are not of a shape of this kind and version.
   */
  CLOTH_STATUS_NOT_THIS_SHAPE = 70,
  /*
   A shape's words contradict each other.
   */
  CLOTH_STATUS_SHAPE_DAMAGED = 71,
  /*
   A field of the collider that has no meaning is not zero.
   */
  CLOTH_STATUS_COLLIDER_PADDING = 72,
  /*
   The collider was refused for a reason that has no number yet.
   */
  CLOTH_STATUS_COLLIDER_REFUSED = 73,
  /*
   Building could need more memory than the limit allows; nothing was allocated.
   */
  CLOTH_STATUS_MEMORY_LIMIT = 80,
  /*
   Building failed within the library: a fault of the library.
   */
  CLOTH_STATUS_BAKE_FAILED = 81,
  /*
   More elements than the layout can count.
   */
  CLOTH_STATUS_TOO_MANY = 82,
  /*
   No triangle is left, or the chains have no vertices.
   */
  CLOTH_STATUS_NO_TRIANGLES = 83,
  /*
   A vertex is not finite.
   */
  CLOTH_STATUS_VERTEX_NOT_FINITE = 84,
  /*
   A component of a vertex is outside -1e6 to 1e6 m.
   */
  CLOTH_STATUS_VERTEX_TOO_FAR = 85,
  /*
   A triangle names a vertex that is not there.
   */
  CLOTH_STATUS_INDEX_OUT_OF_RANGE = 86,
  /*
   A triangle names a vertex twice.
   */
  CLOTH_STATUS_REPEATED_INDEX = 87,
  /*
   Two triangles have the same vertices.
   */
  CLOTH_STATUS_DUPLICATE_TRIANGLE = 88,
  /*
   An edge or a link has no length.
   */
  CLOTH_STATUS_NO_LENGTH = 89,
  /*
   A triangle has no area.
   */
  CLOTH_STATUS_NO_AREA = 90,
  /*
   More than two triangles share an edge.
   */
  CLOTH_STATUS_NON_MANIFOLD_EDGE = 91,
  /*
   Triangles at a vertex touch in that point only.
   */
  CLOTH_STATUS_NON_MANIFOLD_VERTEX = 92,
  /*
   A vertex is in no triangle and on no chain.
   */
  CLOTH_STATUS_ISOLATED_VERTEX = 93,
  /*
   A surface has one side only.
   */
  CLOTH_STATUS_NON_ORIENTABLE = 94,
  /*
   Positions of a triangle soup, or indices of a mesh, do not come in threes.
   */
  CLOTH_STATUS_NOT_IN_THREES = 95,
  /*
   Chains have not one parent for each position.
   */
  CLOTH_STATUS_PARENT_COUNT = 96,
  /*
   A chain's parent is not there.
   */
  CLOTH_STATUS_PARENT_OUT_OF_RANGE = 97,
  /*
   Following parents leads back to where it began.
   */
  CLOTH_STATUS_PARENT_CYCLE = 98,
  /*
   A chain vertex lies where its grandparent lies.
   */
  CLOTH_STATUS_FOLDED_CHAIN = 99,
  /*
   The weld distance is not finite, or chains were to be welded.
   */
  CLOTH_STATUS_WELD = 100,
  /*
   A pin is not there.
   */
  CLOTH_STATUS_PIN_OUT_OF_RANGE = 101,
  /*
   A density or a mass is not positive and finite, or masses are not one for each vertex.
   */
  CLOTH_STATUS_MASS = 102,
  /*
   A stretch stiffness is neither infinite nor within 1e-9 to 1e15 N/m.
   */
  CLOTH_STATUS_STIFFNESS = 103,
  /*
   A stiffness was given for two vertices that no row joins.
   */
  CLOTH_STATUS_NO_SUCH_ROW = 104,
  /*
   A backstop is no length, or backstops are not one for each vertex.
   */
  CLOTH_STATUS_BACKSTOP = 105,
  /*
   The capacity for colliders is not within 1 to 256.
   */
  CLOTH_STATUS_COLLIDER_CAPACITY = 106,
  /*
   Mass and size around a vertex are out of the range that a model admits.
   */
  CLOTH_STATUS_OUT_OF_SCALE = 107,
  /*
   The model does not fit its 32-bit layout.
   */
  CLOTH_STATUS_MODEL_TOO_LARGE = 108,
  /*
   Building was refused for a reason that has no number yet.
   */
  CLOTH_STATUS_BAKE_REFUSED = 109,
  /*
   The points of a hull span no volume.
   */
  CLOTH_STATUS_NO_VOLUME = 112,
  /*
   Points of a hull are nearly in line or in plane.
   */
  CLOTH_STATUS_UNCLEAR_HULL = 113,
  /*
   Two triangles that share an edge look to different sides.
   */
  CLOTH_STATUS_FLIPPED_TRIANGLE = 114,
  /*
   A field's heights or holes are not as many as its cells need.
   */
  CLOTH_STATUS_FIELD_COUNT = 115,
  /*
   The width of a field's cells is not within 1e-6 to 1e6 m.
   */
  CLOTH_STATUS_FIELD_CELL = 116,
  /*
   The shape was refused for a reason that has no number yet.
   */
  CLOTH_STATUS_SHAPE_REFUSED = 117,
  /*
   Fewer blocks or bytes than the replay's header says.
   */
  CLOTH_STATUS_REPLAY_TOO_SHORT = 120,
  /*
   The blocks or bytes do not begin with a replay.
   */
  CLOTH_STATUS_NOT_A_REPLAY = 121,
  /*
   The replay is in the other byte order.
   */
  CLOTH_STATUS_REPLAY_BYTE_ORDER = 122,
  /*
   The replay has a version this library does not read.
   */
  CLOTH_STATUS_REPLAY_VERSION = 123,
  /*
   The replay's header contradicts itself.
   */
  CLOTH_STATUS_REPLAY_HEADER = 124,
  /*
   The replay's stream holds something that is no command; the fault's element is the frame.
   */
  CLOTH_STATUS_REPLAY_DAMAGED = 125,
  /*
   A frame of the replay is not what was recorded; the fault's element is the frame.
   */
  CLOTH_STATUS_REPLAY_DIFFERS = 126,
  /*
   The replay was refused for a reason that has no number yet.
   */
  CLOTH_STATUS_REPLAY_REFUSED = 127,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum ClothStatus ClothStatus;
#else
typedef uint32_t ClothStatus;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/*
 What a collider is. Sizes are those of ClothCollider::sizes, in metres; axes are the pose's.
 */
enum ClothColliderKind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /*
   A ball: radius.
   */
  CLOTH_COLLIDER_KIND_SPHERE = 1,
  /*
   All within a radius of a segment along Y: half the segment's length, radius.
   */
  CLOTH_COLLIDER_KIND_CAPSULE = 2,
  /*
   The hull of two balls on Y: half the distance of their centres, radius of the lower, radius of the upper.
   */
  CLOTH_COLLIDER_KIND_TAPERED_CAPSULE = 3,
  /*
   A box: half its extents.
   */
  CLOTH_COLLIDER_KIND_BOX = 4,
  /*
   A cylinder about Y: half its height, radius.
   */
  CLOTH_COLLIDER_KIND_CYLINDER = 5,
  /*
   A cone about Y, its apex above: half its height, radius of its base.
   */
  CLOTH_COLLIDER_KIND_CONE = 6,
  /*
   The half space below Y = 0; no sizes.
   */
  CLOTH_COLLIDER_KIND_PLANE = 7,
  /*
   A convex polyhedron; words.
   */
  CLOTH_COLLIDER_KIND_HULL = 8,
  /*
   The back of a triangle mesh; words.
   */
  CLOTH_COLLIDER_KIND_MESH = 9,
  /*
   What is below a grid of heights; words.
   */
  CLOTH_COLLIDER_KIND_FIELD = 10,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum ClothColliderKind ClothColliderKind;
#else
typedef uint32_t ClothColliderKind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/*
 Where the targets are at the end of a step. A held particle is exactly on its target then; free ones are tied to theirs
 by slack leashes only.
 */
enum ClothTargets
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /*
   Where they were.
   */
  CLOTH_TARGETS_KEEP = 0,
  /*
   All of them, in source order: ClothStep::targets.
   */
  CLOTH_TARGETS_ALL = 1,
  /*
   Some of them: ClothStep::listed_targets. Of two for one particle the last counts.
   */
  CLOTH_TARGETS_LISTED = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum ClothTargets ClothTargets;
#else
typedef uint32_t ClothTargets;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/*
 What air is around a cloth.
 */
enum ClothAir
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /*
   None: nothing resists the cloth.
   */
  CLOTH_AIR_NONE = 0,
  /*
   Air of one velocity: ClothStep::air. At zero it stands still, and resists a cloth that moves.
   */
  CLOTH_AIR_UNIFORM = 1,
  /*
   Air of another velocity at each source vertex: ClothStep::air_velocities.
   */
  CLOTH_AIR_EACH = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum ClothAir ClothAir;
#else
typedef uint32_t ClothAir;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/*
 What a fabric's density is a mass of.
 */
enum ClothDensityKind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /*
   A surface: kg/m^2.
   */
  CLOTH_DENSITY_KIND_AREAL = 1,
  /*
   A chain: kg/m.
   */
  CLOTH_DENSITY_KIND_LINEAR = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum ClothDensityKind ClothDensityKind;
#else
typedef uint32_t ClothDensityKind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

#if defined(CLOTH_BAKE)
/*
 What the positions of a ClothBake are.
 */
enum ClothBakeShape
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
#if defined(CLOTH_BAKE)
  /*
   An indexed mesh: three indices a triangle. A stretch row for each edge, a bend row for each edge between two triangles.
   */
  CLOTH_BAKE_SHAPE_MESH = 1,
#endif
#if defined(CLOTH_BAKE)
  /*
   A mesh without shared vertices: every three consecutive positions are a triangle. Weld it.
   */
  CLOTH_BAKE_SHAPE_SOUP = 2,
#endif
#if defined(CLOTH_BAKE)
  /*
   Chains: a parent for each position, or UINT32_MAX for a root. A stretch row to each parent, a skip row to each grandparent.
   */
  CLOTH_BAKE_SHAPE_CHAINS = 3,
#endif
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum ClothBakeShape ClothBakeShape;
#else
typedef uint32_t ClothBakeShape;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus
#endif

#if defined(CLOTH_BAKE)
/*
 Where masses come from.
 */
enum ClothMasses
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
#if defined(CLOTH_BAKE)
  /*
   From ClothBake::density.
   */
  CLOTH_MASSES_DENSITY = 0,
#endif
#if defined(CLOTH_BAKE)
  /*
   The same for each particle, ClothBake::total_mass together.
   */
  CLOTH_MASSES_UNIFORM = 1,
#endif
#if defined(CLOTH_BAKE)
  /*
   One for each vertex: ClothBake::masses.
   */
  CLOTH_MASSES_EACH = 2,
#endif
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum ClothMasses ClothMasses;
#else
typedef uint32_t ClothMasses;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus
#endif

/*
 A jump of the anchor that is no motion.
 */
enum ClothTeleport
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /*
   None.
   */
  CLOTH_TELEPORT_NONE = 0,
  /*
   The cloth is carried along as it is: positions and velocities in the anchor's frame stay to the bit, and the step is
   that of an anchor that stands. The fingerprint is another until the next step all the same: the state notes that how fast
   the anchor was is not known.
   */
  CLOTH_TELEPORT_KEEP = 1,
  /*
   Every particle goes to its target of this step, at rest, and nothing else happens in it; in the next twenty steps the cloth
   settles, limited in speed and damped.
   */
  CLOTH_TELEPORT_RESET = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum ClothTeleport ClothTeleport;
#else
typedef uint32_t ClothTeleport;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/*
 A part of a cloth's state, in the order in which two are compared. All values are cloth-local.
 */
enum ClothRegion
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /*
   Where particles are (m).
   */
  CLOTH_REGION_POSITIONS = 0,
  /*
   How fast they are (m/s).
   */
  CLOTH_REGION_VELOCITIES = 1,
  /*
   Where they are held or what their slack leashes are tied to (m), and inverse masses (1/kg), 0 of who is held.
   */
  CLOTH_REGION_TARGETS = 2,
  /*
   Tensions of the stretch rows, its multipliers (N/m), and for how many substeps the cloth has been calm.
   */
  CLOTH_REGION_TENSIONS = 3,
  /*
   What contacts left: whether something was touched, or struck the cloth, and who is in trouble (ClothEscape).
   */
  CLOTH_REGION_CONTACTS = 4,
  /*
   The sleep window, where particles were when it opened (m), what the world was, and the number of steps.
   */
  CLOTH_REGION_SLEEP = 5,
  /*
   How fast the anchor was (m/s, rad/s), and how many steps the cloth yet settles.
   */
  CLOTH_REGION_ANCHOR = 6,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum ClothRegion ClothRegion;
#else
typedef uint32_t ClothRegion;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/*
 A vector, or a point.
 */
typedef struct ClothVec3 {
  /*
   Along X.
   */
  float x;
  /*
   Along Y, upwards.
   */
  float y;
  /*
   Along Z.
   */
  float z;
} ClothVec3;

#if defined(CLOTH_BAKE)
/*
 The stiffness of one stretch row.
 */
typedef struct ClothRowStiffness {
  /*
   Vertex at one end.
   */
  uint32_t a;
  /*
   Vertex at the other.
   */
  uint32_t b;
  /*
   Stiffness (N/m), 1e-9 to 1e15, or infinite for a hard row.
   */
  float stiffness;
} ClothRowStiffness;
#endif

#if defined(CLOTH_BAKE)
/*
 How far behind its target a vertex may go.
 */
typedef struct ClothBackstop {
  /*
   From the target against its normal to the surface it may not enter (m).
   */
  float distance;
  /*
   Radius of the sphere behind that surface's nearest point (m); infinite for a plane, 0 for no backstop.
   */
  float radius;
} ClothBackstop;
#endif

#if defined(CLOTH_BAKE)
/*
 What a model is built from. Begin with what cloth_default_bake answers. The pointers are read during the call only.
 */
typedef struct ClothBake {
  /*
   What cloth_default_bake puts here.
   */
  uint32_t cookie;
  /*
   What cloth_default_bake puts here.
   */
  uint32_t struct_size;
  /*
   A ClothBakeShape.
   */
  uint32_t shape;
  /*
   CLOTH_BAKE_ values.
   */
  uint32_t flags;
  /*
   A ClothMasses value.
   */
  uint32_t mass_mode;
  /*
   With CLOTH_MASSES_DENSITY: mass from area (kg/m^2), or of chains from length (kg/m).
   */
  float density;
  /*
   With CLOTH_MASSES_UNIFORM: the sum of all masses (kg).
   */
  float total_mass;
  /*
   Vertices of a mesh within this distance are joined (m), 0 for equal positions only; negative for none.
   */
  float weld;
  /*
   Stiffness of all stretch rows (N/m), 1e-9 to 1e15; infinite makes them hard.
   */
  float stretch_stiffness;
  /*
   How many colliders a step considers at a time, 1 to 256; rounded up to a multiple of 32.
   */
  uint32_t collider_capacity;
  /*
   Rest positions, cloth-local (m).
   */
  const struct ClothVec3 *positions;
  /*
   How many.
   */
  size_t position_count;
  /*
   Of a mesh: corners of triangles, three each.
   */
  const uint32_t *indices;
  /*
   How many: three times the triangles.
   */
  size_t index_count;
  /*
   Of chains: what each vertex hangs on.
   */
  const uint32_t *parents;
  /*
   How many.
   */
  size_t parent_count;
  /*
   Vertices to pin.
   */
  const uint32_t *pins;
  /*
   How many.
   */
  size_t pin_count;
  /*
   With CLOTH_MASSES_EACH: a mass for each vertex (kg), pins included.
   */
  const float *masses;
  /*
   How many.
   */
  size_t mass_count;
  /*
   Stiffnesses of single stretch rows, in place of stretch_stiffness; of two for one row the later counts.
   */
  const struct ClothRowStiffness *row_stiffness;
  /*
   How many.
   */
  size_t row_stiffness_count;
  /*
   A backstop for each vertex, or none.
   */
  const struct ClothBackstop *backstops;
  /*
   How many.
   */
  size_t backstop_count;
  /*
   The most memory that building may need (bytes): what could need more is refused before anything is allocated.
   cloth_bake_memory says how much that is.
   */
  uint64_t memory_limit;
} ClothBake;
#endif

/*
 Which element of the input a refusal is about.
 */
typedef struct ClothFault {
  /*
   The ClothStatus that the call answers.
   */
  uint32_t status;
  /*
   The element, by its index in the array it is of; of CLOTH_STATUS_DYNAMICS, CLOTH_STATUS_ANCHOR and CLOTH_STATUS_ESCAPE the
   field, counted from 0; UINT32_MAX where none is to blame.
   */
  uint32_t element;
  /*
   A second element, as the vertex that a triangle or a target names; UINT32_MAX without one.
   */
  uint32_t other;
} ClothFault;

/*
 The unit of memory of models, states and snapshots: 16 bytes on a 16-byte boundary.
 */
typedef struct CLOTH_ALIGNED(16) ClothBlock {
  /*
   Four words in the machine's byte order.
   */
  uint32_t words[4];
} ClothBlock;

#if defined(CLOTH_BAKE)
/*
 What a built model consists of and what was done to the mesh.
 */
typedef struct ClothBakeReport {
  /*
   Vertices that were given.
   */
  uint32_t vertices;
  /*
   Particles: the vertices after welding.
   */
  uint32_t particles;
  /*
   Triangles in use; 0 for chains.
   */
  uint32_t triangles;
  /*
   Stretch rows.
   */
  uint32_t stretch_rows;
  /*
   Skip rows.
   */
  uint32_t skip_rows;
  /*
   Bend rows over hinges.
   */
  uint32_t hinge_rows;
  /*
   Those of them that are merged, whose stiffness is limited.
   */
  uint32_t merged_hinges;
  /*
   Tethers.
   */
  uint32_t tethers;
  /*
   Pinned particles.
   */
  uint32_t pins;
  /*
   Levels of aggregates.
   */
  uint32_t levels;
  /*
   Pieces without a row between them.
   */
  uint32_t components;
  /*
   Vertices that were joined to an earlier one.
   */
  uint32_t welded;
  /*
   Triangles that were left out because welding joined two of their corners.
   */
  uint32_t dropped;
  /*
   Triangles that were turned over to agree with their neighbours.
   */
  uint32_t flipped;
  /*
   CLOTH_NOTE_ values: what is valid and may not be meant.
   */
  uint32_t notes;
} ClothBakeReport;
#endif

#if defined(CLOTH_BAKE)
/*
 What a hull, a mesh or a height field is built from. Begin with what cloth_default_shape answers. The pointers are read
 during the call only.
 */
typedef struct ClothShape {
  /*
   What cloth_default_shape puts here.
   */
  uint32_t cookie;
  /*
   What cloth_default_shape puts here.
   */
  uint32_t struct_size;
  /*
   CLOTH_COLLIDER_KIND_HULL, CLOTH_COLLIDER_KIND_MESH or CLOTH_COLLIDER_KIND_FIELD.
   */
  uint32_t kind;
  /*
   Of a field: vertices along X.
   */
  uint32_t vertices_x;
  /*
   Of a field: vertices along Z.
   */
  uint32_t vertices_z;
  /*
   Of a field: width of a cell along both (m), 1e-6 to 1e6.
   */
  float cell;
  /*
   Points of a hull, at most 256, or vertices of a mesh (m).
   */
  const struct ClothVec3 *points;
  /*
   How many.
   */
  size_t point_count;
  /*
   Of a mesh: corners of triangles, three each, counterclockwise from outside.
   */
  const uint32_t *indices;
  /*
   How many: three times the triangles.
   */
  size_t index_count;
  /*
   Of a field: heights (m), rows along X, one after the other along Z.
   */
  const float *heights;
  /*
   How many.
   */
  size_t height_count;
  /*
   Of a field: not 0 for each cell that is a hole, in the order of the heights; null for none.
   */
  const uint8_t *holes;
  /*
   How many: the cells, or 0.
   */
  size_t hole_count;
  /*
   The most memory that building may need (bytes): what could need more is refused before anything is allocated.
   cloth_shape_memory says how much that is.
   */
  uint64_t memory_limit;
} ClothShape;
#endif

#if defined(CLOTH_BAKE)
/*
 What was found in a collision mesh; zero for hulls and fields.
 */
typedef struct ClothShapeReport {
  /*
   Vertices after those at one position became one.
   */
  uint32_t vertices;
  /*
   Triangles left.
   */
  uint32_t triangles;
  /*
   Triangles left out because they have no area.
   */
  uint32_t degenerate;
  /*
   Edges with one triangle: 0 in a mesh that encloses a volume.
   */
  uint32_t borders;
} ClothShapeReport;
#endif

/*
 A model that was checked: a view of blocks that the caller keeps, unchanged, as long as this or a cloth of it is open.
 Opened by cloth_model_open and cloth_model_load. It may be copied, and read by any number of threads.
 */
typedef struct ClothModel {
  /*
   The library's own.
   */
  size_t opaque[CLOTH_MODEL_WORDS];
} ClothModel;

/*
 A cloth: a view of a model and of the memory of one state. Opened by cloth_seed and cloth_attach. It stays where it was
 opened, and one thread at a time calls with it.
 */
typedef struct Cloth {
  /*
   The library's own.
   */
  size_t opaque[CLOTH_WORDS];
} Cloth;

/*
 A quaternion, or a vector and a number.
 */
typedef struct ClothVec4 {
  /*
   Along X.
   */
  float x;
  /*
   Along Y.
   */
  float y;
  /*
   Along Z.
   */
  float z;
  /*
   The real part, or a number beside a vector.
   */
  float w;
} ClothVec4;

/*
 Where a rigid body is: a rotation about its origin, then a translation. It takes a point of the body's own frame (m) into
 the cloth's space.
 */
typedef struct ClothPose {
  /*
   Where the body's origin is, cloth-local (m): each component within -1e6 to 1e6.
   */
  struct ClothVec3 translation;
  /*
   How the body is turned, x, y, z and w = cos(angle/2): a quaternion of a length within 1e-15 to 1e15 (1), which is
   made 1.
   */
  struct ClothVec4 rotation;
} ClothPose;

/*
 How the frame moves that a cloth lives in. A ClothStep begins with an anchor that stands.

 Gravity, targets and where colliders are now are in the frame the anchor has when the step ends; where colliders were is in
 the frame it had when the step began. Of what is not carried along, the cloth feels the share dynamics.inertia.
 */
typedef struct ClothAnchor {
  /*
   Where it is when the step ends, in the frame it had when the step began: the inverse of its pose then times its pose
   now, in whatever precision the world has, rounded once. Of an anchor that stands this is no motion to the bit: what is
   left of a rounding is felt, and who feels its anchor move does not sleep. What is carried whole, and what an inertia of 0
   leaves of a motion, wakes nobody.
   */
  struct ClothPose moved;
  /*
   The part of it that carries the cloth along and is not felt, whatever the inertia: a vehicle, a lift, an animation's root.
   The same as moved for all of it.
   */
  struct ClothPose carried;
  /*
   What is known to be a jump: a ClothTeleport value. CLOTH_TELEPORT_NONE leaves it to the limits.
   */
  uint32_t teleport;
  /*
   Way in a step beyond which it is a jump (m); infinite for any. 1 by default. Both limits are held against all of the motion
   that is not carried, whatever the inertia: two metres in a step are a jump at an inertia of 0 too. Whoever wants no
   jumps makes both infinite, or beyond CLOTH_TELEPORT_NONE. No limit of the cloth's is lifted by that: what is felt is a speed
   like any other, and no particle goes further in a substep than the cloth's longest side.
   */
  float max_distance;
  /*
   Angle in a step beyond which it is a jump (rad); infinite for any. 0.5 by default. An upper bound of the angle is compared,
   which is above it by less than 1 % below half a radian and by less than 16 % anywhere: 0.5 is passed from 0.497 rad
   on, 1 from 0.977, 2 from 1.86, 3 from 2.66.
   */
  float max_angle;
  /*
   What happens beyond either: a ClothTeleport value. CLOTH_TELEPORT_RESET by default; none makes every motion one.
   */
  uint32_t beyond;
} ClothAnchor;

/*
 When a particle that nothing frees goes back to its target. In trouble at the end of a step is a free particle of a hard row that is
 off its rest length by more than strain times it, or that is inside a collider with another near, or that is further than
 distance from its target. In trouble for so many steps in a row it is taken to its target in a straight line, through
 whatever is in its way, and let go there at rest. A ClothStep begins with a hatch that never acts on cloth that is merely
 pulled, struck or crumpled: after sixty steps with a row at twice its length or between colliders.
 */
typedef struct ClothEscape {
  /*
   How far a hard stretch row may be off its rest length, over that (1), 0.01 and above; infinite asks none.
   */
  float strain;
  /*
   How far a particle may be from its target (m), above 0; infinite, the default, asks none.
   */
  float distance;
  /*
   Steps in trouble after which a particle goes, at most 60000; 0 turns the hatch off.
   */
  uint32_t steps;
  /*
   Steps it takes to its target, 1 to 60000.
   */
  uint32_t window;
} ClothEscape;

/*
 The live settings of a cloth: every field may change between two steps and works on the next. Dials run from 0 to
 1; everything else is in SI units.
 */
typedef struct ClothDynamics {
  /*
   Dial: how far a particle may leave its target, as a share of what its tether allows: within 2*slack*d, d being
   the geodesic distance to its pin (m). 1 is no leash, 0 welds the cloth to its targets.
   */
  float slack;
  /*
   Dial of the strain limit: rows are pulled back to 1 + 0.25*0.004^stretch times their rest length. Read with
   CLOTH_FLAG_STRAIN_LIMIT.
   */
  float stretch;
  /*
   Bending stiffness B of a surface (N*m): the energy of a curvature k (1/m) is B*k^2/2 a square metre. Limited in
   models with merged bend rows (cloth_model_bend_limit).
   */
  float bend;
  /*
   Stiffness of the skip rows of a chain (N/m).
   */
  float skip;
  /*
   Dial: the share of its anchor's motion that the cloth feels (ClothAnchor). 0 is welded to the anchor's frame, to the
   bit; 1 is physics.
   */
  float inertia;
  /*
   Damping rate d (1/s): the half-life of a speed is ln 2/d seconds.
   */
  float damping;
  /*
   Dial: how much the air takes the cloth along (ClothStep::air). What faces it closes its gap to the air's velocity at a
   rate of 60*drag (1/s).
   */
  float drag;
  /*
   Dial: the share of what the air pushes a surface aside by, across its own way past it. 0 is drag alone; at 1 air that
   meets a surface aslant pushes along its normal, and a flag flutters. A chain has none.
   */
  float lift;
  /*
   Thickness (m), 0 to 1e6: how far from colliders particles are kept, besides a collider's own inflation, which
   says what much of either costs on a height field.
   */
  float thickness;
  /*
   Substeps a step is cut into, 1 to 64; one that follows a collider takes more, up to ClothStep::most_substeps.
   */
  uint32_t substeps;
  /*
   Sweeps over aggregates and rows a substep, 1 to 64. A step costs in proportion to
   iterations*max(substeps, most_substeps) at worst, and nothing bounds the product.
   */
  uint32_t iterations;
  /*
   CLOTH_FLAG_ values.
   */
  uint32_t flags;
} ClothDynamics;

/*
 A target of one vertex.
 */
typedef struct ClothTarget {
  /*
   The source vertex.
   */
  uint32_t vertex;
  /*
   Where it is to be at the end of the step, cloth-local (m).
   */
  struct ClothVec3 position;
} ClothTarget;

/*
 A shape, where it is and was, and what a contact with it is like: 28 words. Made by cloth_collider and
 cloth_collider_shaped; friction, inflation, scale, handle, layer and mask are set by hand. A step looks through every
 record.
 */
typedef struct ClothCollider {
  /*
   A ClothColliderKind.
   */
  uint32_t kind;
  /*
   Which collider it is, the same from step to step.
   */
  uint32_t handle;
  /*
   Layers it is in, a bit each.
   */
  uint32_t layer;
  /*
   Layers of cloth it meets, a bit each.
   */
  uint32_t mask;
  /*
   Where its origin is at the end of the step, cloth-local (m).
   */
  struct ClothVec3 position;
  /*
   Coefficient of friction (1), 0 to 1e6.
   */
  float friction;
  /*
   How it is turned at the end of the step: a quaternion of a squared length within 0.998 to 1.002, as cloth_collider,
   cloth_collider_move and cloth_collider_place leave it.
   */
  struct ClothVec4 rotation;
  /*
   Where its origin was when the step began, cloth-local (m).
   */
  struct ClothVec3 previous_position;
  /*
   By how much a contact keeps further off than the cloth's own thickness (m), 0 to 1e6; no part of the shape.
   Centimetres are meant: each query of a rugged height field looks at up to 2*pi*(d/cell)^2 triangles, d being
   inflation, thickness, the way of a substep and the cloth's longest row together; level ground is found at once.
   */
  float inflation;
  /*
   How it was turned when the step began: a quaternion as rotation.
   */
  struct ClothVec4 previous_rotation;
  /*
   Sizes as ClothColliderKind names them, then zeros (m), 1e-6 to 1e6.
   */
  float sizes[3];
  /*
   By how much all sizes and words are multiplied (1), 1e-6 to 1e6.
   */
  float scale;
  /*
   First word of its shape; zero where the kind has none.
   */
  uint32_t data;
  /*
   Words of its shape; zero where the kind has none.
   */
  uint32_t data_count;
  /*
   Zero.
   */
  uint32_t reserved[2];
} ClothCollider;

/*
 The inputs of one step. Begin with what cloth_default_step answers. The pointers are read during the call only.
 */
typedef struct ClothStep {
  /*
   What cloth_default_step puts here.
   */
  uint32_t cookie;
  /*
   What cloth_default_step puts here.
   */
  uint32_t struct_size;
  /*
   Length of the step (s), 1e-5 to 1. Use one value throughout: the same inputs give the same bits.
   */
  float dt;
  /*
   Gravity, cloth-local (m/s^2).
   */
  struct ClothVec3 gravity;
  /*
   How the frame moves that the cloth lives in.
   */
  struct ClothAnchor anchor;
  /*
   When a particle that nothing frees goes back to its target.
   */
  struct ClothEscape escape;
  /*
   The fabric's settings.
   */
  struct ClothDynamics dynamics;
  /*
   Layers the cloth is in, a bit each: a collider meets it if its mask has one of them.
   */
  uint32_t layer;
  /*
   Layers of colliders that the cloth meets, a bit each.
   */
  uint32_t mask;
  /*
   Most substeps that a step may take where a collider passes the cloth faster than the fabric's own can follow; no
   more than 1024, and no fewer than the fabric's are taken. It bounds what a step costs: at worst
   iterations*max(substeps, most_substeps) sweeps, and contact after each. The default, 256, is 32 times a step of 8
   substeps of one sweep. Nothing bounds the product: 64 iterations and 1024 substeps are 65,536 sweeps, 8192 such
   steps in one. Whoever sweeps more often, or has no time for 32 steps, sets less.
   */
  uint32_t most_substeps;
  /*
   CLOTH_STEP_ values.
   */
  uint32_t flags;
  /*
   How many lanes to compute in: 0 for as many as this processor has, 1 or 4. Changes the time a step takes, and no bit. Where
   the target promises four, a library takes those for 1 as well, unless it was built with the feature prove.
   */
  uint32_t lanes;
  /*
   A ClothTargets value.
   */
  uint32_t target_mode;
  /*
   A ClothAir value.
   */
  uint32_t air_mode;
  /*
   With CLOTH_AIR_UNIFORM: the velocity of the air past the world (m/s), along the axes that the anchor has when the step ends, as
   gravity: what goes past the air because the anchor moves is taken off by the step. Each component within -1e6 to 1e6.
   */
  struct ClothVec3 air;
  /*
   Zero.
   */
  uint32_t reserved;
  /*
   With CLOTH_AIR_EACH: the same at each source vertex, in source order. Where vertices were welded, the first one of each
   particle counts.
   */
  const struct ClothVec3 *air_velocities;
  /*
   How many velocities there are.
   */
  size_t air_velocity_count;
  /*
   With CLOTH_TARGETS_ALL: a target for each source vertex, in source order, cloth-local (m). Where vertices were welded,
   the first one of each particle counts.
   */
  const struct ClothVec3 *targets;
  /*
   With CLOTH_TARGETS_LISTED: the targets that move.
   */
  const struct ClothTarget *listed_targets;
  /*
   How many targets there are.
   */
  size_t target_count;
  /*
   What the cloth meets; those in reach come to no more than the model's collider_capacity, or the rest is counted in the
   report and not met.
   */
  const struct ClothCollider *colliders;
  /*
   How many colliders there are.
   */
  size_t collider_count;
  /*
   The words of hulls, meshes and height fields that colliders point into.
   */
  const uint32_t *shape_words;
  /*
   How many words there are.
   */
  size_t shape_word_count;
  /*
   Normals of the backstops in source order, cloth-local, of any length; null for those of the targets' own surface.
   */
  const struct ClothVec3 *backstop_normals;
  /*
   How many normals there are: one for each source vertex, or 0.
   */
  size_t backstop_normal_count;
} ClothStep;

/*
 What one step found and did.
 */
typedef struct ClothStepReport {
  /*
   Largest |L - rest|/rest over the stretch rows at the end of the step (1).
   */
  float max_strain;
  /*
   Mean of the same (1).
   */
  float mean_strain;
  /*
   Largest speed of a particle at the end of the step (m/s).
   */
  float max_speed;
  /*
   Kinetic energy of the free particles at the end of the step (J).
   */
  float kinetic_energy;
  /*
   Bending stiffness that merged bend rows had (N*m); 0 in a cloth without merged rows.
   */
  float bend;
  /*
   Particles the non-finite guard put back to where the step began, counted once a substep; zero in every scene we know.
   */
  uint32_t rescued;
  /*
   Particles that set out for their targets because nothing freed them (ClothEscape).
   */
  uint32_t escaped;
  /*
   Substeps that were taken: more than the fabric's where a collider was fast.
   */
  uint32_t substeps;
  /*
   Contacts of particles, triangles and links with colliders, counted once a substep.
   */
  uint32_t contacts;
  /*
   Particles that ended a substep inside a collider they began it outside of.
   */
  uint32_t missed_crossings;
  /*
   Colliders in reach beyond the model's collider_capacity, which were not met.
   */
  uint32_t dropped_colliders;
  /*
   1 where the cloth sleeps: nothing was computed, and everything above is zero. Else 0.
   */
  uint32_t asleep;
  /*
   How the cloth was taken along with a jump of its anchor: a ClothTeleport value. After CLOTH_TELEPORT_RESET nothing else was
   computed.
   */
  uint32_t teleported;
} ClothStepReport;

/*
 A cloth as a whole.
 */
typedef struct ClothStateFacts {
  /*
   Hash of everything that decides the future, equal on every machine.
   */
  uint64_t fingerprint;
  /*
   Steps since seeding that were computed: those that the cloth slept through are not counted.
   */
  uint64_t steps;
  /*
   1 while the cloth sleeps, else 0.
   */
  uint32_t asleep;
  /*
   Zero.
   */
  uint32_t reserved;
} ClothStateFacts;

/*
 One vertex.
 */
typedef struct ClothVertex {
  /*
   Where it is, cloth-local (m).
   */
  struct ClothVec3 position;
  /*
   How fast it moves, cloth-local (m/s).
   */
  struct ClothVec3 velocity;
  /*
   Where it is held, or what its slack leash is tied to, cloth-local (m).
   */
  struct ClothVec3 target;
  /*
   1 while it is held, 2 while the escape hatch takes it to its target (ClothEscape), else 0. Its inverse mass is 0 in both.
   */
  uint32_t held;
} ClothVertex;

/*
 The particles where they lie, in internal order: ClothPermutation::particle_of leads from source vertices to them. The
 pointers lead into the state's memory, and what is there is good until the next call that changes the cloth.
 */
typedef struct ClothParticles {
  /*
   Positions, cloth-local (m), and inverse masses (1/kg) as w, 0 of held particles; shape (count).
   */
  const struct ClothVec4 *bodies;
  /*
   Velocities, cloth-local (m/s), w being 0; shape (count).
   */
  const struct ClothVec4 *velocities;
  /*
   Particles.
   */
  uint32_t count;
} ClothParticles;

/*
 Where the surface of a collider is as seen from a point.
 */
typedef struct ClothSurface {
  /*
   Unit vector that leads out by the shortest way, cloth-local. The nearest point of the surface is
   point - distance*normal.
   */
  struct ClothVec3 normal;
  /*
   How far the point is outside (m); below zero inside, or behind a one-sided surface.
   */
  float distance;
} ClothSurface;

/*
 A fabric of the library.
 */
typedef struct ClothFabric {
  /*
   Its name, lower case; a static string.
   */
  const char *name;
  /*
   Its settings.
   */
  struct ClothDynamics dynamics;
  /*
   Its density, in the unit of density_kind.
   */
  float density;
  /*
   A ClothDensityKind.
   */
  uint32_t density_kind;
} ClothFabric;

/*
 What a model holds.
 */
typedef struct ClothModelFacts {
  /*
   Hash of the model's values, equal on every machine.
   */
  uint64_t fingerprint;
  /*
   Blocks of the model itself; its file form has 16 bytes for each.
   */
  uint64_t model_blocks;
  /*
   Blocks of memory that a state needs.
   */
  uint64_t state_blocks;
  /*
   Blocks of memory that a snapshot needs.
   */
  uint64_t snapshot_blocks;
  /*
   Vertices of the mesh or chain the model was built from.
   */
  uint32_t source_count;
  /*
   Simulated particles.
   */
  uint32_t particle_count;
  /*
   Particles pinned when the model was built.
   */
  uint32_t pin_count;
  /*
   Levels of aggregates.
   */
  uint32_t level_count;
  /*
   Stretch rows.
   */
  uint32_t stretch_row_count;
  /*
   Skip rows of chains.
   */
  uint32_t skip_row_count;
  /*
   Bend rows over hinges.
   */
  uint32_t hinge_row_count;
  /*
   Those of them that are merged, whose stiffness is limited.
   */
  uint32_t merged_hinge_count;
  /*
   Particles with a backstop: all or none.
   */
  uint32_t backstop_count;
  /*
   Most colliders that a step considers at a time.
   */
  uint32_t collider_capacity;
  /*
   Shortest row (m), infinite without rows.
   */
  float shortest_row;
  /*
   Longest row (m), 0 without rows.
   */
  float longest_row;
  /*
   Longest side of the box around the rest pose (m).
   */
  float extent;
  /*
   Sum of all masses (kg).
   */
  float mass;
} ClothModelFacts;

/*
 Where source vertices are simulated. The pointers lead into the model's blocks.
 */
typedef struct ClothPermutation {
  /*
   The particle that simulates each source vertex, shape (source_count).
   */
  const uint32_t *particle_of;
  /*
   The first source vertex of each particle, shape (particle_count).
   */
  const uint32_t *source_of;
  /*
   Source vertices.
   */
  uint32_t source_count;
  /*
   Particles.
   */
  uint32_t particle_count;
} ClothPermutation;

/*
 The first value in which two states differ.
 */
typedef struct ClothDifference {
  /*
   A ClothRegion: the first that differs. UINT32_MAX where the states agree in all; then nothing else here says anything.
   */
  uint32_t region;
  /*
   The first particle in it that differs (ClothPermutation::source_of), or the stretch row of a tension; UINT32_MAX where
   it is a value of the cloth as a whole.
   */
  uint32_t item;
  /*
   The first source vertex of that particle; UINT32_MAX of rows and of the cloth as a whole.
   */
  uint32_t vertex;
  /*
   1 where the bits are those of a float, in the unit of its region, 0 where they are a whole number.
   */
  uint32_t is_float;
  /*
   Both values, the first cloth's first: the bits of a float, -0 as 0 and every NaN as one, or a whole number.
   */
  uint32_t bits[2];
  /*
   Which value of the item, in English: "x", "inverse mass", "tension". Ends with a zero.
   */
  char field[CLOTH_FIELD_LENGTH];
} ClothDifference;

/*
 What a replay holds.
 */
typedef struct ClothReplayFacts {
  /*
   Blocks of the replay itself; its file form has 16 bytes for each.
   */
  uint64_t replay_blocks;
  /*
   Blocks of memory that a state of its cloth needs.
   */
  uint64_t state_blocks;
  /*
   Hash of its model's values.
   */
  uint64_t model_fingerprint;
  /*
   Fingerprint of the state before the first frame.
   */
  uint64_t start_fingerprint;
  /*
   Frames that were recorded.
   */
  uint32_t frame_count;
  /*
   Zero.
   */
  uint32_t reserved;
} ClothReplayFacts;

/*
 What came of running a replay.
 */
typedef struct ClothReplayResult {
  /*
   The fingerprint that was recorded: of the last frame, or of the first that differs.
   */
  uint64_t expected;
  /*
   The fingerprint that this machine has found there.
   */
  uint64_t found;
  /*
   How many frames are the same before any that differs.
   */
  uint32_t same_frames;
  /*
   The first frame that differs, counted from 1, 0 being the state before the first; UINT32_MAX where none does.
   */
  uint32_t first_different;
  /*
   Lanes it was computed in.
   */
  uint32_t lanes;
  /*
   Zero.
   */
  uint32_t reserved;
} ClothReplayResult;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

#if defined(CLOTH_BAKE)
/*
 A mesh of nothing yet: 0.15 kg/m^2, tethers and bend rows, hard stretch rows, no welding, 64 colliders, at most 256 MiB.
 */
struct ClothBake cloth_default_bake(void);
#endif

#if defined(CLOTH_BAKE)
/*
 The most memory that building can need for so many vertices, triangles and other entries (bytes): what memory_limit is
 held against; UINT64_MAX for more than any memory holds, which is refused whatever the limit. Only counts, shape and cookie are
 read; CLOTH_STATUS_UNKNOWN_VALUE for a shape that is none.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_bake_memory(const struct ClothBake *bake,
                              uint64_t *bytes);
#endif

#if defined(CLOTH_BAKE)
/*
 How many blocks cloth_bake needs: builds the model and throws it away. On an error the fault, unless it is null, says which
 element is to blame.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_bake_size(const struct ClothBake *bake,
                            size_t *block_count,
                            struct ClothFault *fault);
#endif

#if defined(CLOTH_BAKE)
/*
 Builds a model into blocks, to be opened by cloth_model_open; cloth_bake_size says how many it takes. More are left alone.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_bake(const struct ClothBake *bake,
                       struct ClothBlock *blocks,
                       size_t block_count,
                       struct ClothBakeReport *report,
                       struct ClothFault *fault);
#endif

#if defined(CLOTH_BAKE)
/*
 A hull of nothing yet, at most 256 MiB.
 */
struct ClothShape cloth_default_shape(void);
#endif

#if defined(CLOTH_BAKE)
/*
 The most memory that building can need for so many points, triangles, heights and holes (bytes): what memory_limit is held
 against; UINT64_MAX for more than any memory holds, which is refused whatever the limit. Only counts, kind and cookie are read;
 CLOTH_STATUS_COLLIDER_KIND for a kind that is not of words.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_shape_memory(const struct ClothShape *shape,
                               uint64_t *bytes);
#endif

#if defined(CLOTH_BAKE)
/*
 How many words cloth_shape needs: builds the shape and throws it away. On an error the fault, unless it is null, says which
 element is to blame.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_shape_size(const struct ClothShape *shape,
                             size_t *word_count,
                             struct ClothFault *fault);
#endif

#if defined(CLOTH_BAKE)
/*
 Builds the words of a hull, a mesh or a height field, which cloth_collider_shaped makes colliders of; cloth_shape_size says how
 many it takes. Words of several shapes may lie one after the other in one array.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_shape(const struct ClothShape *shape,
                        uint32_t *shape_words,
                        size_t word_count,
                        struct ClothShapeReport *report,
                        struct ClothFault *fault);
#endif

/*
 Fills memory with a model's rest pose at rest, build-time pins held where they are, and opens it as a cloth.
 cloth_model_facts says how many blocks are needed; more are left alone.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_seed(const struct ClothModel *model,
                       struct ClothBlock *memory,
                       size_t block_count,
                       struct Cloth *cloth);

/*
 Opens memory that already holds a state of the model, after checking every value in it: one that was seeded before,
 moved, or copied from elsewhere.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_attach(const struct ClothModel *model,
                         struct ClothBlock *memory,
                         size_t block_count,
                         struct Cloth *cloth);

/*
 Closes a cloth. Nothing is freed, for nothing was allocated: later calls with the handle are refused. The state stays
 in its memory, which may be moved, kept and opened again by cloth_attach.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_close(struct Cloth *cloth);

/*
 A step that needs nothing more than a fabric: 1/60 s, gravity of 9.81 m/s^2 downwards, plain settings, no colliders, targets
 where they were.
 */
struct ClothStep cloth_default_step(void);

/*
 Advances a cloth by one step: a pure function of model, state and input. On an error nothing has changed, and the fault,
 unless it is null, says which element of the input is to blame.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_step(struct Cloth *cloth,
                       const struct ClothStep *input,
                       struct ClothStepReport *report,
                       struct ClothFault *fault);

/*
 Holds a vertex: the next step takes it in a straight line from where it is to the target (m, cloth-local), and it stays
 there, or follows the step's targets, until it is let go. Holding a held vertex moves its target.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_hold(struct Cloth *cloth,
                       uint32_t vertex,
                       struct ClothVec3 target);

/*
 Lets a vertex go with the velocity it has; a build-time pin takes its tethers with it. Letting go of a free vertex does
 nothing.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_release(struct Cloth *cloth,
                          uint32_t vertex);

/*
 Puts a vertex at a position (m) with a velocity (m/s) at once, without a step; both cloth-local.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_place(struct Cloth *cloth,
                        uint32_t vertex,
                        struct ClothVec3 position,
                        struct ClothVec3 velocity);

/*
 Wakes the cloth: the next steps are computed until it has been still for a while again. Placing, holding and letting go
 wake it, and so does a step whose input is not that of the last one: its length, gravity, dynamics, targets, layers, faces,
 backstop normals, escape hatch, and the colliders in reach; and one whose anchor moves and is felt, or is put elsewhere by
 CLOTH_TELEPORT_RESET. An anchor that carries the cloth whole, an inertia of 0 and CLOTH_TELEPORT_KEEP do not wake it.
 most_substeps and lanes are not looked at, nor are the words of hulls, meshes and height fields: whoever changes those in place has
 to wake the cloth.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_wake(struct Cloth *cloth);

/*
 The fingerprint of a cloth's state, its age and whether it sleeps. Hashes the state.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_state_facts(const struct Cloth *cloth, struct ClothStateFacts *facts);

/*
 Whether a cloth sleeps: 1 if it does, else 0.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_is_asleep(const struct Cloth *cloth, uint32_t *asleep);

/*
 Where one vertex is, how fast it moves, what holds it.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_vertex(const struct Cloth *cloth, uint32_t vertex, struct ClothVertex *found);

/*
 Where the particles of a cloth lie. What the pointers lead to is good until the next call that changes the cloth; the
 particles do not move in memory while it is open, but ask again after a step rather than keeping pointers.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_particles(const struct Cloth *cloth,
                            struct ClothParticles *particles);

/*
 Copies out the positions of all source vertices in their order, cloth-local (m): one every stride bytes from positions on,
 into room for count of them. The bytes between them are left alone.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md. The room is (count - 1)*stride + 12 bytes.
 */
ClothStatus cloth_positions(const struct Cloth *cloth,
                            struct ClothVec3 *positions,
                            size_t stride,
                            size_t count);

/*
 Copies out positions blended with targets, target + blend*(position - target), of all source vertices in their order,
 cloth-local (m), as cloth_positions does: the targets themselves at 0 and below, the positions themselves at 1 and above.
 For drawing; the cloth knows nothing of it.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md. The room is (count - 1)*stride + 12 bytes.
 */
ClothStatus cloth_blended_positions(const struct Cloth *cloth,
                                    float blend,
                                    struct ClothVec3 *positions,
                                    size_t stride,
                                    size_t count);

/*
 Copies out the velocities of all source vertices in their order, cloth-local (m/s), as cloth_positions does.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md. The room is (count - 1)*stride + 12 bytes.
 */
ClothStatus cloth_velocities(const struct Cloth *cloth,
                             struct ClothVec3 *velocities,
                             size_t stride,
                             size_t count);

/*
 Copies out everything that decides the future of a cloth; cloth_model_facts says how many blocks it is.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_snapshot(const struct Cloth *cloth, struct ClothBlock *blocks, size_t block_count);

/*
 Puts a snapshot of the same model back, after checking every value in it. On an error the cloth is as it was.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_restore(const struct ClothBlock *blocks, size_t block_count, struct Cloth *cloth);

/*
 A collider of a kind that is sizes: sphere, capsule, tapered capsule, box, cylinder, cone or plane. Unused sizes are
 ignored. It stands at the pose and was there before, is on every layer and meets every layer, without friction.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_collider(uint32_t kind,
                           struct ClothVec3 sizes,
                           const struct ClothPose *pose,
                           struct ClothCollider *collider);

/*
 A collider of a kind that is words: hull, mesh or field. Its words are data_count of shape_words from data on; they are
 looked through. Otherwise as cloth_collider.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_collider_shaped(uint32_t kind,
                                  uint32_t data,
                                  uint32_t data_count,
                                  const uint32_t *shape_words,
                                  size_t shape_word_count,
                                  const struct ClothPose *pose,
                                  struct ClothCollider *collider);

/*
 Moves a collider on: where it is becomes where it was, and it goes to the pose in the next step. What is no collider is
 refused; its words are not looked at.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_collider_move(const struct ClothPose *pose,
                                struct ClothCollider *collider);

/*
 Puts a collider somewhere at once: it sweeps nothing on the way. What is no collider is refused; its words are not looked at.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_collider_place(const struct ClothPose *pose,
                                 struct ClothCollider *collider);

/*
 Looks through a collider and all its words, which a step trusts after their header, and says how far a point (cloth-local, m,
 each component within -1e6 to 1e6) is from it (m) where it stands at the end of the step. Inflation is not subtracted.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_collider_surface(const struct ClothCollider *collider,
                                   const uint32_t *shape_words,
                                   size_t shape_word_count,
                                   struct ClothVec3 point,
                                   struct ClothSurface *surface);

/*
 The settings of a plain cloth: no bending stiffness, damping 0.1 1/s, 8 substeps of one sweep, strain limit on.
 */
struct ClothDynamics cloth_default_dynamics(void);

/*
 A fabric of the library by its number, from 0 to CLOTH_FABRIC_COUNT - 1.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_fabric(uint32_t number, struct ClothFabric *fabric);

/*
 A fabric of the library by its name in lower case: "silk", "cotton", "denim", "leather", "rope", "chain", "hair".

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md. The name ends with a zero.
 */
ClothStatus cloth_fabric_by_name(const char *name,
                                 struct ClothFabric *fabric);

/*
 The CLOTH_ABI_VERSION the library was built with. A program that finds another one than in its header was compiled
 against another library.
 */
uint32_t cloth_abi_version(void);

/*
 A sentence in English about a status, for a log: a static string, never null, "unknown status" for a number that is
 none. It takes a plain number because a C program may pass any.
 */
const char *cloth_status_message(uint32_t status);

/*
 How many blocks cloth_model_load needs for a model's file form.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_model_blocks(const uint8_t *bytes, size_t byte_count, size_t *block_count);

/*
 Copies a model's file form into blocks of the machine's byte order, checks every index and value of it, and opens it.
 Where checking finds fault the blocks are cleared; a refusal before that leaves them as they are.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_model_load(const uint8_t *bytes,
                             size_t byte_count,
                             struct ClothBlock *blocks,
                             size_t block_count,
                             struct ClothModel *model);

/*
 Checks every index and value of a model in the machine's byte order, and opens it where it lies. On a little-endian
 machine the file form is such a model once it lies on a 16-byte boundary: in flash, in a mapped file.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_model_open(const struct ClothBlock *blocks,
                             size_t block_count,
                             struct ClothModel *model);

/*
 Closes a model. Nothing is freed, for nothing was allocated: later calls with the handle are refused. Cloths of it stay
 open, and so its blocks must stay.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_model_close(struct ClothModel *model);

/*
 What a model holds, and how much memory its states and snapshots need. Hashes the whole model.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_model_facts(const struct ClothModel *model, struct ClothModelFacts *facts);

/*
 Where the model says which particle simulates which source vertex. The answer leads into the model's blocks and is good as
 long as these are.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_model_permutation(const struct ClothModel *model,
                                    struct ClothPermutation *permutation);

/*
 The largest bending stiffness that merged bend rows have in a step of dt (s), 1e-5 to 1, cut into substeps, 1 to 1024 (N*m);
 infinite for a model without merged rows.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_model_bend_limit(const struct ClothModel *model,
                                   float dt,
                                   uint32_t substeps,
                                   float *limit);

/*
 Writes a model's file form, the same bytes on every machine: 16 for each of its blocks.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_model_save(const struct ClothModel *model, uint8_t *bytes, size_t byte_count);

/*
 The name of a ClothRegion in English, for a log: a static string, never null, "unknown region" for a number that is none.
 */
const char *cloth_region_name(uint32_t region);

/*
 A hash of the values of each ClothRegion, in their order: CLOTH_REGION_COUNT of them, equal on every machine for equal
 values, -0 counting as 0 and every NaN as one. Two machines that part see by them in what. More than
 CLOTH_REGION_COUNT are left alone; room for fewer is CLOTH_STATUS_BUFFER_TOO_SMALL. Hashes the state.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_region_fingerprints(const struct Cloth *cloth,
                                      uint64_t *fingerprints,
                                      size_t count);

/*
 The first value in which two cloths of one model differ: region, particle and both values. What another machine had is
 compared by restoring its snapshot into a second cloth. Two cloths whose models differ are CLOTH_STATUS_OTHER_MODEL.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_difference(const struct Cloth *cloth,
                             const struct Cloth *other,
                             struct ClothDifference *difference);

/*
 How many blocks cloth_replay_load needs for a replay's file form.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_replay_blocks(const uint8_t *bytes, size_t byte_count, size_t *block_count);

/*
 Copies a replay's file form into blocks of the machine's byte order, checks its model and every input of it, and says what
 it holds. Where checking finds fault the blocks are cleared; a refusal before that leaves them as they are. Of an input
 that is refused the fault's element is the frame, counted from 1, and other the element of that input.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_replay_load(const uint8_t *bytes,
                              size_t byte_count,
                              struct ClothBlock *blocks,
                              size_t block_count,
                              struct ClothReplayFacts *facts,
                              struct ClothFault *fault);

/*
 Checks a replay in the machine's byte order where it lies, and says what it holds. On a little-endian machine the file
 form is such a replay once it lies on a 16-byte boundary.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_replay_check(const struct ClothBlock *blocks,
                               size_t block_count,
                               struct ClothReplayFacts *facts,
                               struct ClothFault *fault);

/*
 Checks a replay where it lies, runs it from its start in memory for one state (cloth_replay_check says how many blocks) and
 compares the fingerprint of every frame with the recorded one. Lanes are those of a ClothStep: 0 for as many as this
 processor has, 1 or 4. CLOTH_STATUS_REPLAY_DIFFERS says that a frame differs; the result, which is written then too, says
 which. What the memory holds afterwards is of no use.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_replay_verify(const struct ClothBlock *blocks,
                                size_t block_count,
                                uint32_t lanes,
                                struct ClothBlock *memory,
                                size_t memory_count,
                                struct ClothReplayResult *result,
                                struct ClothFault *fault);

/*
 Verifies a replay's file form in one call: as cloth_replay_load and cloth_replay_verify. The memory is for both, the
 replay's own blocks and behind them those of one state.

 # Safety
 As the library promises and asks for everywhere: see docs/integration-c.md.
 */
ClothStatus cloth_replay_verify_file(const uint8_t *bytes,
                                     size_t byte_count,
                                     uint32_t lanes,
                                     struct ClothBlock *memory,
                                     size_t memory_count,
                                     struct ClothReplayResult *result,
                                     struct ClothFault *fault);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* CLOTH_H */

// What cloth.hpp promises beyond cloth.h: what was moved from or is empty throws and crashes nowhere, what would outlive what
// it points at does not compile, and what throws has changed nothing. Built with warnings about every conversion.

#include "cloth.hpp"

#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

void expect(bool good, const char *what) {
    if (!good) {
        std::fprintf(stderr, "%s\n", what);
        std::abort();
    }
}

int refusals = 0;

template <class Work> void refuses(ClothStatus status, const char *what, Work work) {
    try {
        work();
    } catch (const cloth::Error &error) {
        if (error.status() != status) {
            std::fprintf(stderr, "%s: %s\n", what, error.what());
            std::abort();
        }
        ++refusals;
        return;
    }
    expect(false, what);
}

// Whether an expression compiles with a T: one that stays, or one that is gone at the end of the line.
#define COMPILES(name, ...)                                                                                           \
    template <class T, class = void> struct name : std::false_type {};                                                \
    template <class T> struct name<T, std::void_t<decltype(__VA_ARGS__)>> : std::true_type {}
COMPILES(Meets, std::declval<cloth::Step &>().meets(std::declval<T>()));
COMPILES(Shapes, std::declval<cloth::Step &>().shapes(std::declval<T>()));
COMPILES(AllTargets, std::declval<cloth::Step &>().all_targets(std::declval<T>()));
COMPILES(Moves, std::declval<cloth::Step &>().moves(std::declval<T>()));
COMPILES(Normals, std::declval<cloth::Step &>().normals(std::declval<T>()));
COMPILES(Particles, std::declval<T>().particles());
COMPILES(ModelOf, std::declval<T>().model());
COMPILES(Blocks, std::declval<T>().blocks());
COMPILES(Permutation, std::declval<T>().permutation());
COMPILES(Handle, std::declval<T>().get());

// What stays may be pointed at, and what is gone at the end of the line may not.
template <template <class, class> class Points, class T> void lasts() {
    static_assert(Points<const T &, void>::value && Points<T &, void>::value, "what stays may be pointed at");
    static_assert(!Points<T, void>::value && !Points<const T, void>::value, "a temporary may not");
}

cloth::Model square(float side) {
    const std::vector<ClothVec3> corners = {{0, 0, 0}, {side, 0, 0}, {0, 0, side}, {side, 0, side}};
    const std::vector<std::uint32_t> indices = {0, 2, 1, 1, 2, 3}, pins = {0, 1};
    ClothBake input = cloth_default_bake();
    input.positions = corners.data();
    input.position_count = corners.size();
    input.indices = indices.data();
    input.index_count = indices.size();
    input.pins = pins.data();
    input.pin_count = pins.size();
    ClothBakeReport report;
    cloth::Model model = cloth::bake(input, &report);
    expect(report.particles == 4, "a square has four particles");
    return model;
}

void a_model_that_was_moved() {
    cloth::Model model = square(1.0f);
    const cloth::Model kept = std::move(model);
    expect(kept.facts().source_count == 4 && model.get() == nullptr, "a model moves");
    refuses(CLOTH_STATUS_NOT_OPEN, "facts", [&] { (void)model.facts(); });
    refuses(CLOTH_STATUS_NOT_OPEN, "permutation", [&] { (void)model.permutation(); });
    refuses(CLOTH_STATUS_NOT_OPEN, "bend_limit", [&] { (void)model.bend_limit(0.02f, 8); });
    refuses(CLOTH_STATUS_NOT_OPEN, "save", [&] { (void)model.save(); });
    refuses(CLOTH_STATUS_NOT_OPEN, "a cloth of it", [&] { cloth::Cloth cloth(model); });
    model = kept;
    expect(model.facts().source_count == 4, "what is given a model again is one");
}

void a_cloth_that_was_moved() {
    cloth::Cloth cloth(square(1.0f));
    cloth::Cloth kept = std::move(cloth);
    const cloth::Snapshot snapshot = kept.snapshot();
    const cloth::Cloth &gone = cloth;
    std::vector<ClothVec3> out(4);
    const auto closed = CLOTH_STATUS_NOT_OPEN;
    expect(cloth.get() == nullptr && gone.get() == nullptr, "there is no handle");
    refuses(closed, "clone", [&] { (void)gone.clone(); });
    refuses(closed, "step", [&] { (void)cloth.step(cloth::Step()); });
    refuses(closed, "hold", [&] { cloth.hold(0, ClothVec3{0, 0, 0}); });
    refuses(closed, "release", [&] { cloth.release(0); });
    refuses(closed, "place", [&] { cloth.place(0, ClothVec3{0, 0, 0}, ClothVec3{0, 0, 0}); });
    refuses(closed, "wake", [&] { cloth.wake(); });
    refuses(closed, "is_asleep", [&] { (void)gone.is_asleep(); });
    refuses(closed, "facts", [&] { (void)gone.facts(); });
    refuses(closed, "region_fingerprints", [&] { (void)gone.region_fingerprints(); });
    refuses(closed, "difference", [&] { (void)gone.difference(kept); });
    refuses(closed, "difference from what is gone", [&] { (void)kept.difference(gone); });
    refuses(closed, "vertex", [&] { (void)gone.vertex(0); });
    refuses(closed, "positions", [&] { gone.positions(out.data(), sizeof(ClothVec3), out.size()); });
    refuses(closed, "velocities", [&] { gone.velocities(out.data(), sizeof(ClothVec3), out.size()); });
    refuses(closed, "all positions", [&] { (void)gone.positions(); });
    refuses(closed, "blended positions", [&] { gone.blended_positions(0.5f, nullptr, sizeof(ClothVec3), 0); });
    refuses(closed, "particles", [&] { (void)gone.particles(); });
    refuses(closed, "snapshot", [&] { (void)gone.snapshot(); });
    refuses(closed, "restore", [&] { cloth.restore(snapshot); });
    refuses(closed, "facts of its model", [&] { (void)gone.model().facts(); });
    refuses(closed, "an empty snapshot", [&] { kept.restore(cloth::Snapshot()); });
    cloth::Snapshot taken = kept.snapshot();
    const cloth::Snapshot moved = std::move(taken);
    expect(taken.blocks().empty() && !moved.blocks().empty(), "a snapshot moves");
    refuses(closed, "a snapshot that was moved", [&] { kept.restore(taken); });
    kept.restore(moved);

    // Onto one that is open: what was there is closed before its model goes.
    cloth::Cloth other(square(2.0f));
    other = std::move(kept);
    expect(other.positions().size() == 4 && other.vertex(1).position.x < 1.5f, "a cloth moves onto another");
    cloth::Cloth &same = other;
    other = std::move(same);
    expect(other.positions().size() == 4, "a cloth moves onto itself");
    cloth = std::move(other);
    const cloth::Snapshot again = cloth.snapshot();
    expect(again.blocks().size() == snapshot.blocks().size(), "what is given a cloth again is one");
}

void two_cloths_that_part() {
    const cloth::Model model = square(1.0f);
    cloth::Cloth one(model), other(model);
    expect(one.region_fingerprints() == other.region_fingerprints(), "equal cloths have equal fingerprints");
    expect(one.difference(other).region == UINT32_MAX, "equal cloths do not differ");
    expect(cloth::describe(one.difference(other)) == "no difference", "and that is said");
    other.place(3, ClothVec3{1.0f, 0.5f, 1.0f}, ClothVec3{0, 0, 0});
    const ClothDifference found = one.difference(other);
    expect(found.region == CLOTH_REGION_POSITIONS && found.vertex == 3 && found.is_float == 1, "what was placed differs");
    const std::string item = std::to_string(found.item);
    expect(cloth::describe(found) == "positions of particle " + item + " (vertex 3), y: 0 0.5", "and that is said");
    const auto before = one.region_fingerprints(), after = other.region_fingerprints();
    expect(before[CLOTH_REGION_POSITIONS] != after[CLOTH_REGION_POSITIONS] &&
               before[CLOTH_REGION_TARGETS] == after[CLOTH_REGION_TARGETS],
           "positions differ, and targets do not");
    refuses(CLOTH_STATUS_OTHER_MODEL, "a cloth of another model",
            [&] { (void)one.difference(cloth::Cloth(square(2.0f))); });
}

void nothing_is_no_file() {
    refuses(CLOTH_STATUS_NOT_A_REPLAY, "a replay of nothing", [] { (void)cloth::Replay::load({}); });
    refuses(CLOTH_STATUS_NOT_A_MODEL, "a model of nothing", [] { (void)cloth::Model::load({}); });
    refuses(CLOTH_STATUS_MODEL_TOO_SHORT, "blocks of nothing", [] { (void)cloth::Model::own({}); });
}

// "CLRP", the order of bytes and the version, as cloth_core::replay has them.
const std::uint32_t REPLAY_MAGIC = 0x50524c43, REPLAY_ORDER = 0x01020304, REPLAY_VERSION = 2;

// The file form of a run without a step: a header of twelve words, and the model.
std::vector<std::uint8_t> no_run() {
    const cloth::Model model = square(1.0f);
    const std::vector<std::uint8_t> file = model.save();
    const auto blocks = static_cast<std::uint32_t>(file.size() / sizeof(ClothBlock));
    const std::uint64_t start = cloth::Cloth(model).facts().fingerprint;
    const std::uint32_t header[12] = {REPLAY_MAGIC, REPLAY_ORDER, REPLAY_VERSION, 3 + blocks, blocks, 0, 0, 0,
                                      static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(start >> 32)};
    std::vector<std::uint8_t> bytes;
    for (const std::uint32_t word : header) {
        for (unsigned shift = 0; shift < 32; shift += 8) {
            bytes.push_back(static_cast<std::uint8_t>(word >> shift & 255));
        }
    }
    bytes.insert(bytes.end(), file.begin(), file.end());
    return bytes;
}

void a_replay_that_was_moved() {
    cloth::Replay replay = cloth::Replay::load(no_run());
    cloth::Replay kept = std::move(replay);
    expect(kept.facts().state_blocks > 0 && kept.verify().first_different == UINT32_MAX, "a replay moves");
    refuses(CLOTH_STATUS_NOT_OPEN, "facts of a replay", [&] { (void)replay.facts(); });
    refuses(CLOTH_STATUS_NOT_OPEN, "verify", [&] { (void)replay.verify(); });
    replay = std::move(kept);
    expect(replay.facts().state_blocks > 0, "what is given a replay again is one");
    refuses(CLOTH_STATUS_NOT_OPEN, "facts after an assignment", [&] { (void)kept.facts(); });
}

void steps() {
    lasts<Meets, std::vector<ClothCollider>>();
    lasts<Shapes, std::vector<std::uint32_t>>();
    lasts<AllTargets, std::vector<ClothVec3>>();
    lasts<Moves, std::vector<ClothTarget>>();
    lasts<Normals, std::vector<ClothVec3>>();
    lasts<Particles, cloth::Cloth>();
    lasts<ModelOf, cloth::Cloth>();
    lasts<Handle, cloth::Cloth>();
    lasts<Handle, cloth::Model>();
    lasts<Permutation, cloth::Model>();
    lasts<Blocks, cloth::Snapshot>();

    cloth::Cloth cloth(square(1.0f));
    const std::vector<ClothTarget> moved = {{0, {0.0f, 0.1f, 0.0f}}};
    const std::vector<ClothCollider> table = {
        cloth::collider(CLOTH_COLLIDER_KIND_SPHERE, ClothVec3{0.1f, 0, 0}, cloth::pose(ClothVec3{0.5f, -0.5f, 0.5f}))};
    cloth::Step step(cloth::fabric("silk").dynamics);
    step.moves(moved).meets(table).may_sleep(true);
    expect((step.flags & CLOTH_STEP_SLEEP) != 0, "it may sleep");
    step.may_sleep(false);
    expect(step.flags == cloth_default_step().flags, "and need not");
    expect(cloth.step(step).substeps > 0 && cloth.vertex(0).position.y > 0.09f, "the step is made");
    step.anchor_moves(cloth::pose(ClothVec3{2.0f, 0, 0}));
    expect(cloth.step(step).teleported == CLOTH_TELEPORT_RESET, "two metres in a step are a jump");
    expect(cloth.vertex(0).velocity.x == 0.0f && cloth.vertex(0).position.y == 0.1f, "it is put on its targets");
    step.teleports(CLOTH_TELEPORT_KEEP);
    expect(cloth.step(step).teleported == CLOTH_TELEPORT_KEEP, "it is carried along");
    step.teleports(CLOTH_TELEPORT_NONE).anchor_moves(step.anchor.moved, step.anchor.moved);
    expect(cloth.step(step).teleported == CLOTH_TELEPORT_NONE, "what carries it along is not felt");
    step.anchor.max_angle = -1.0f;
    refuses(CLOTH_STATUS_ANCHOR, "a limit below 0", [&] { (void)cloth.step(step); });
    step.anchor = cloth_default_step().anchor;

    const std::uint64_t before = cloth.facts().fingerprint;
    step.dt = -1.0f;
    refuses(CLOTH_STATUS_DT, "a step backwards", [&] { (void)cloth.step(step); });
    expect(cloth.facts().fingerprint == before, "a refused step has changed the cloth");
}

}  // namespace

int main() {
    cloth::check_version();
    a_model_that_was_moved();
    a_cloth_that_was_moved();
    two_cloths_that_part();
    a_replay_that_was_moved();
    nothing_is_no_file();
    steps();
    std::printf("cloth.hpp: %d refusals, as promised\n", refusals);
    return 0;
}

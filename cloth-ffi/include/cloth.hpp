// C++17 over cloth.h: memory that frees itself, exceptions instead of statuses. Header only.
//
// Nothing here computes: every call is one of cloth.h, which says what it does. Define CLOTH_BAKE before including this,
// and link a library that has it, to build models.
//
// What was moved from has no handle: its methods throw an Error of CLOTH_STATUS_NOT_OPEN, get() is null, and it may be given
// another. A Snapshot that was moved from is empty, and no cloth is restored from it. What only points at an object is not to be had from one that is gone at the end of the line: that does not compile.

#ifndef CLOTH_HPP
#define CLOTH_HPP

#include "cloth.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace cloth {

// What a call answered, if it was not CLOTH_STATUS_OK.
class Error : public std::runtime_error {
public:
    explicit Error(ClothStatus status, ClothFault fault = none())
        : std::runtime_error(text(status, fault)), status_(status), fault_(fault) {}

    ClothStatus status() const noexcept { return status_; }
    // The element of the input to blame: UINT32_MAX for none.
    std::uint32_t element() const noexcept { return fault_.element; }
    std::uint32_t other() const noexcept { return fault_.other; }

    static ClothFault none() noexcept { return ClothFault{0, UINT32_MAX, UINT32_MAX}; }

private:
    static std::string text(ClothStatus status, const ClothFault &fault) {
        std::string text = cloth_status_message(status);
        if (fault.element != UINT32_MAX) {
            text += " (element " + std::to_string(fault.element) + ")";
        }
        return text;
    }

    ClothStatus status_;
    ClothFault fault_;
};

// Throws unless all went well.
inline void check(ClothStatus status) {
    if (status != CLOTH_STATUS_OK) {
        throw Error(status);
    }
}

// Throws unless all went well, naming the element to blame.
inline void check(ClothStatus status, const ClothFault &fault) {
    if (status != CLOTH_STATUS_OK) {
        throw Error(status, fault);
    }
}

// Where two cloths part, as text: region, particle or row, which value, and both.
inline std::string describe(const ClothDifference &found) {
    if (found.region == UINT32_MAX) {
        return "no difference";
    }
    std::string text = cloth_region_name(found.region);
    if (found.item != UINT32_MAX) {
        text += (found.vertex != UINT32_MAX ? " of particle " : " of row ") + std::to_string(found.item);
    }
    if (found.vertex != UINT32_MAX) {
        text += " (vertex " + std::to_string(found.vertex) + ")";
    }
    text += std::string(", ") + found.field + ":";
    for (const std::uint32_t bits : found.bits) {
        char value[32];
        float number;
        std::memcpy(&number, &bits, sizeof number);
        if (found.is_float != 0) {
            std::snprintf(value, sizeof value, " %.9g", static_cast<double>(number));
        } else {
            std::snprintf(value, sizeof value, " %lu", static_cast<unsigned long>(bits));
        }
        text += value;
    }
    return text;
}

// Throws unless header and library are of one version.
inline void check_version() {
    if (cloth_abi_version() != CLOTH_ABI_VERSION) {
        throw std::runtime_error("cloth.h belongs to another library");
    }
}

inline ClothFabric fabric(const char *name) {
    ClothFabric found;
    check(cloth_fabric_by_name(name, &found));
    return found;
}

inline ClothPose pose(ClothVec3 translation, ClothVec4 rotation = ClothVec4{0.0f, 0.0f, 0.0f, 1.0f}) {
    return ClothPose{translation, rotation};
}

// A collider of a kind that is sizes (m).
inline ClothCollider collider(ClothColliderKind kind, ClothVec3 sizes, const ClothPose &where) {
    ClothCollider made;
    check(cloth_collider(kind, sizes, &where, &made));
    return made;
}

// A collider whose words are data_count of all from data on.
inline ClothCollider collider(ClothColliderKind kind, std::uint32_t data, std::uint32_t data_count,
                              const std::vector<std::uint32_t> &words, const ClothPose &where) {
    ClothCollider made;
    check(cloth_collider_shaped(kind, data, data_count, words.data(), words.size(), &where, &made));
    return made;
}

inline void move(ClothCollider &collider, const ClothPose &to) { check(cloth_collider_move(&to, &collider)); }

inline void place(ClothCollider &collider, const ClothPose &at) { check(cloth_collider_place(&at, &collider)); }

// A model: copies share it, and it lives as long as the last copy and the last cloth of it.
class Model {
public:
    // From the file form, wherever its bytes lie.
    static Model load(const std::uint8_t *bytes, std::size_t count) {
        auto storage = std::make_shared<Storage>();
        std::size_t needed = 0;
        check(cloth_model_blocks(bytes, count, &needed));
        storage->blocks.resize(needed);
        check(cloth_model_load(bytes, count, storage->blocks.data(), needed, &storage->handle));
        return Model(std::move(storage));
    }

    static Model load(const std::vector<std::uint8_t> &bytes) { return load(bytes.data(), bytes.size()); }

    // Where it lies: the blocks have to stay, unchanged, as long as the model and its cloths.
    static Model borrow(const ClothBlock *blocks, std::size_t count) {
        auto storage = std::make_shared<Storage>();
        check(cloth_model_open(blocks, count, &storage->handle));
        return Model(std::move(storage));
    }

    // From blocks that it keeps.
    static Model own(std::vector<ClothBlock> blocks) {
        auto storage = std::make_shared<Storage>();
        storage->blocks = std::move(blocks);
        check(cloth_model_open(storage->blocks.data(), storage->blocks.size(), &storage->handle));
        return Model(std::move(storage));
    }

    ClothModelFacts facts() const {
        ClothModelFacts facts;
        check(cloth_model_facts(opened(), &facts));
        return facts;
    }

    // Leads into the model's blocks.
    ClothPermutation permutation() const & {
        ClothPermutation permutation;
        check(cloth_model_permutation(opened(), &permutation));
        return permutation;
    }
    ClothPermutation permutation() const && = delete;

    float bend_limit(float dt, std::uint32_t substeps) const {
        float limit = 0.0f;
        check(cloth_model_bend_limit(opened(), dt, substeps, &limit));
        return limit;
    }

    std::vector<std::uint8_t> save() const {
        std::vector<std::uint8_t> bytes(static_cast<std::size_t>(facts().model_blocks) * sizeof(ClothBlock));
        check(cloth_model_save(opened(), bytes.data(), bytes.size()));
        return bytes;
    }

    const ClothModel *get() const & noexcept { return storage_ ? &storage_->handle : nullptr; }
    const ClothModel *get() const && = delete;

private:
    friend class Cloth;

    struct Storage {
        ClothModel handle{};
        std::vector<ClothBlock> blocks;
    };

    const ClothModel *opened() const {
        if (!storage_) {
            throw Error(CLOTH_STATUS_NOT_OPEN);
        }
        return &storage_->handle;
    }

    explicit Model(std::shared_ptr<Storage> storage) : storage_(std::move(storage)) {}

    std::shared_ptr<const Storage> storage_;
};

// Everything that decides the future of a cloth. Until one is taken, and once it was moved from, it is empty: there are no blocks,
// and restoring it throws CLOTH_STATUS_NOT_OPEN.
class Snapshot {
public:
    const std::vector<ClothBlock> &blocks() const & noexcept { return blocks_; }
    const std::vector<ClothBlock> &blocks() const && = delete;

private:
    friend class Cloth;
    std::vector<ClothBlock> blocks_;
};

// A cloth in memory of its own. It can be moved and not copied; clone() makes another with the same future. One thread at
// a time calls with it, different ones on different threads.
class Cloth {
public:
    // At rest in the model's rest pose, build-time pins held.
    explicit Cloth(Model model) : model_(std::move(model)), storage_(std::make_unique<Storage>()) {
        const ClothModelFacts facts = model_.facts();
        sources_ = facts.source_count;
        snapshot_blocks_ = static_cast<std::size_t>(facts.snapshot_blocks);
        storage_->memory.resize(static_cast<std::size_t>(facts.state_blocks));
        check(cloth_seed(model_.opened(), storage_->memory.data(), storage_->memory.size(), &storage_->handle));
    }

    Cloth(Cloth &&) noexcept = default;
    // What was open here is closed before its model goes.
    Cloth &operator=(Cloth &&other) noexcept {
        storage_ = std::move(other.storage_);
        model_ = std::move(other.model_);
        sources_ = other.sources_;
        snapshot_blocks_ = other.snapshot_blocks_;
        return *this;
    }
    Cloth(const Cloth &) = delete;
    Cloth &operator=(const Cloth &) = delete;
    ~Cloth() = default;

    Cloth clone() const {
        Cloth other(model_);
        other.restore(snapshot());
        return other;
    }

    // Nothing has changed when it throws.
    ClothStepReport step(const ClothStep &input) {
        ClothStepReport report;
        ClothFault fault = Error::none();
        check(cloth_step(opened(), &input, &report, &fault), fault);
        return report;
    }

    void hold(std::uint32_t vertex, ClothVec3 target) { check(cloth_hold(opened(), vertex, target)); }
    void release(std::uint32_t vertex) { check(cloth_release(opened(), vertex)); }
    void place(std::uint32_t vertex, ClothVec3 position, ClothVec3 velocity) {
        check(cloth_place(opened(), vertex, position, velocity));
    }
    void wake() { check(cloth_wake(opened())); }

    bool is_asleep() const {
        std::uint32_t asleep = 0;
        check(cloth_is_asleep(opened(), &asleep));
        return asleep != 0;
    }

    ClothStateFacts facts() const {
        ClothStateFacts facts;
        check(cloth_state_facts(opened(), &facts));
        return facts;
    }

    // A hash of each ClothRegion, in their order.
    std::array<std::uint64_t, CLOTH_REGION_COUNT> region_fingerprints() const {
        std::array<std::uint64_t, CLOTH_REGION_COUNT> prints{};
        check(cloth_region_fingerprints(opened(), prints.data(), prints.size()));
        return prints;
    }

    // The first value in which this cloth and another of its model differ; region is UINT32_MAX where none does.
    ClothDifference difference(const Cloth &other) const {
        ClothDifference found;
        check(cloth_difference(opened(), other.opened(), &found));
        return found;
    }

    ClothVertex vertex(std::uint32_t vertex) const {
        ClothVertex found;
        check(cloth_vertex(opened(), vertex, &found));
        return found;
    }

    // Into every stride bytes from out on, with room for count vectors.
    void positions(ClothVec3 *out, std::size_t stride, std::size_t count) const {
        check(cloth_positions(opened(), out, stride, count));
    }
    // Blended with the targets, which they are at 0.
    void blended_positions(float blend, ClothVec3 *out, std::size_t stride, std::size_t count) const {
        check(cloth_blended_positions(opened(), blend, out, stride, count));
    }
    void velocities(ClothVec3 *out, std::size_t stride, std::size_t count) const {
        check(cloth_velocities(opened(), out, stride, count));
    }
    std::vector<ClothVec3> positions() const {
        std::vector<ClothVec3> out(sources_);
        positions(out.data(), sizeof(ClothVec3), out.size());
        return out;
    }

    // Where the particles lie, in internal order; good until the next call that changes the cloth.
    ClothParticles particles() const & {
        ClothParticles particles;
        check(cloth_particles(opened(), &particles));
        return particles;
    }
    ClothParticles particles() const && = delete;

    Snapshot snapshot() const {
        Snapshot snapshot;
        snapshot.blocks_.resize(snapshot_blocks_);
        check(cloth_snapshot(opened(), snapshot.blocks_.data(), snapshot.blocks_.size()));
        return snapshot;
    }
    void restore(const Snapshot &snapshot) {
        if (snapshot.blocks_.empty()) {
            throw Error(CLOTH_STATUS_NOT_OPEN);
        }
        check(cloth_restore(snapshot.blocks_.data(), snapshot.blocks_.size(), opened()));
    }

    const Model &model() const & noexcept { return model_; }
    const Model &model() const && = delete;
    ::Cloth *get() & noexcept { return storage_ ? &storage_->handle : nullptr; }
    const ::Cloth *get() const & noexcept { return storage_ ? &storage_->handle : nullptr; }
    const ::Cloth *get() const && = delete;

private:
    // Where it is opened it stays, so that a cloth can be moved.
    struct Storage {
        ::Cloth handle{};
        std::vector<ClothBlock> memory;

        Storage() = default;
        Storage(const Storage &) = delete;
        Storage &operator=(const Storage &) = delete;
        ~Storage() { cloth_close(&handle); }
    };

    ::Cloth *opened() { return has_handle(), &storage_->handle; }
    const ::Cloth *opened() const { return has_handle(), &storage_->handle; }
    void has_handle() const {
        if (!storage_) {
            throw Error(CLOTH_STATUS_NOT_OPEN);
        }
    }

    Model model_;
    std::unique_ptr<Storage> storage_;
    std::size_t sources_ = 0;
    std::size_t snapshot_blocks_ = 0;
};

// The inputs of a step that refer to vectors; these have to stay as they are until the step is made, so none is a temporary.
class Step : public ClothStep {
public:
    Step() : ClothStep(cloth_default_step()) {}

    explicit Step(const ClothDynamics &settings) : Step() { dynamics = settings; }

    // Where the anchor is when the step ends, in the frame it had when the step began, and the part of that which is not felt.
    Step &anchor_moves(const ClothPose &moved) {
        anchor.moved = moved;
        return *this;
    }
    Step &anchor_moves(const ClothPose &moved, const ClothPose &carried) {
        anchor.carried = carried;
        return anchor_moves(moved);
    }
    Step &teleports(ClothTeleport jump) {
        anchor.teleport = jump;
        return *this;
    }

    Step &meets(const std::vector<ClothCollider> &table) {
        colliders = table.data();
        collider_count = table.size();
        return *this;
    }
    Step &meets(const std::vector<ClothCollider> &&) = delete;
    Step &shapes(const std::vector<std::uint32_t> &words) {
        shape_words = words.data();
        shape_word_count = words.size();
        return *this;
    }
    Step &shapes(const std::vector<std::uint32_t> &&) = delete;
    Step &all_targets(const std::vector<ClothVec3> &all) {
        target_mode = CLOTH_TARGETS_ALL;
        targets = all.data();
        target_count = all.size();
        return *this;
    }
    Step &all_targets(const std::vector<ClothVec3> &&) = delete;
    Step &moves(const std::vector<ClothTarget> &listed) {
        target_mode = CLOTH_TARGETS_LISTED;
        listed_targets = listed.data();
        target_count = listed.size();
        return *this;
    }
    Step &moves(const std::vector<ClothTarget> &&) = delete;
    Step &normals(const std::vector<ClothVec3> &all) {
        backstop_normals = all.data();
        backstop_normal_count = all.size();
        return *this;
    }
    Step &normals(const std::vector<ClothVec3> &&) = delete;
    Step &may_sleep(bool on) {
        const std::uint32_t sleep = CLOTH_STEP_SLEEP;
        flags = on ? (flags | sleep) : (flags & ~sleep);
        return *this;
    }
};

// A recorded run, to be verified in memory of its own.
class Replay {
public:
    static Replay load(const std::uint8_t *bytes, std::size_t count) {
        Replay replay;
        std::size_t needed = 0;
        ClothFault fault = Error::none();
        check(cloth_replay_blocks(bytes, count, &needed));
        replay.blocks_.resize(needed);
        check(cloth_replay_load(bytes, count, replay.blocks_.data(), needed, &replay.facts_, &fault), fault);
        return replay;
    }

    static Replay load(const std::vector<std::uint8_t> &bytes) { return load(bytes.data(), bytes.size()); }

    ClothReplayFacts facts() const {
        is_loaded();
        return facts_;
    }

    // Runs it. A frame that differs throws nothing: first_different names it, UINT32_MAX where all are the same.
    ClothReplayResult verify(std::uint32_t lanes = 0) const {
        is_loaded();
        std::vector<ClothBlock> memory(static_cast<std::size_t>(facts_.state_blocks));
        ClothReplayResult result;
        ClothFault fault = Error::none();
        const ClothStatus status = cloth_replay_verify(blocks_.data(), blocks_.size(), lanes, memory.data(),
                                                       memory.size(), &result, &fault);
        if (status != CLOTH_STATUS_REPLAY_DIFFERS) {
            check(status, fault);
        }
        return result;
    }

private:
    Replay() = default;

    // What was loaded has blocks; what was moved from has none.
    void is_loaded() const {
        if (blocks_.empty()) {
            throw Error(CLOTH_STATUS_NOT_OPEN);
        }
    }

    ClothReplayFacts facts_{};
    std::vector<ClothBlock> blocks_;
};

#if defined(CLOTH_BAKE)

// Builds a model.
inline Model bake(const ClothBake &input, ClothBakeReport *report = nullptr) {
    std::size_t count = 0;
    ClothFault fault = Error::none();
    ClothBakeReport told;
    check(cloth_bake_size(&input, &count, &fault), fault);
    std::vector<ClothBlock> blocks(count);
    check(cloth_bake(&input, blocks.data(), count, &told, &fault), fault);
    if (report != nullptr) {
        *report = told;
    }
    return Model::own(std::move(blocks));
}

// Builds the words of a shape.
inline std::vector<std::uint32_t> shape(const ClothShape &input, ClothShapeReport *report = nullptr) {
    std::size_t count = 0;
    ClothFault fault = Error::none();
    ClothShapeReport told;
    check(cloth_shape_size(&input, &count, &fault), fault);
    std::vector<std::uint32_t> words(count);
    check(cloth_shape(&input, words.data(), count, &told, &fault), fault);
    if (report != nullptr) {
        *report = told;
    }
    return words;
}

#endif

}  // namespace cloth

#endif

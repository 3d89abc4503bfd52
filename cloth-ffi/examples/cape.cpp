// The cape of cape.c, through the C++ wrapper: it prints the same.
//
//     cape_cpp cape.cloth

#include "cloth.hpp"

#include "keyframes.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <vector>

namespace {

struct Vertex {
    ClothVec3 position;
    float u, v;
};

std::vector<std::uint8_t> read(const char *path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        throw std::runtime_error(std::string(path) + " cannot be opened");
    }
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The wearer's body at the start.
std::vector<ClothCollider> body_parts() {
    const ClothPose body = body_at(0.0f);
    std::vector<ClothCollider> parts;
    for (const Part &part : PARTS) {
        const auto kind = static_cast<ClothColliderKind>(part.kind);
        parts.push_back(cloth::collider(kind, part.sizes, part_at(&body, &part)));
        parts.back().handle = static_cast<std::uint32_t>(parts.size() - 1);
        parts.back().friction = 0.4f;
    }
    return parts;
}

// A copy has the same future, and errors are exceptions that change nothing.
bool copies_agree(cloth::Cloth &cape, const cloth::Step &step) {
    cloth::Cloth twin = cape.clone();
    cloth::Step wrong = step;
    wrong.dt = 0.0f;
    try {
        twin.step(wrong);
        return false;
    } catch (const cloth::Error &error) {
        if (error.status() != CLOTH_STATUS_DT) {
            return false;
        }
    }
    cape.step(step);
    cloth::Cloth moved = std::move(twin);
    moved.step(step);
    return moved.facts().fingerprint == cape.facts().fingerprint;
}

int run(const char *path) {
    cloth::check_version();
    cloth::Cloth cape(cloth::Model::load(read(path)));
    std::vector<Vertex> vertices(cape.model().facts().source_count);
    std::vector<ClothCollider> parts = body_parts();
    std::vector<ClothTarget> shoulders(COLUMNS);
    cloth::Step step(cloth::fabric("denim").dynamics);
    step.meets(parts).moves(shoulders);

    unsigned long contacts = 0;
    for (int frame = 1; frame <= FRAMES; frame++) {
        const ClothPose body = body_at(static_cast<float>(frame) * step.dt);
        for (int i = 0; i < COLUMNS; i++) {
            shoulders[static_cast<std::size_t>(i)] = {static_cast<std::uint32_t>(i), on_cape(&body, 0, i)};
        }
        for (std::size_t i = 0; i < parts.size(); i++) {
            cloth::move(parts[i], part_at(&body, &PARTS[i]));
        }
        const ClothStepReport report = cape.step(step);
        contacts += report.contacts;
        cape.positions(&vertices[0].position, sizeof(Vertex), vertices.size());
        if (frame % 60 == 0) {
            const auto below = [](const Vertex &a, const Vertex &b) { return a.position.y < b.position.y; };
            const float hem = std::min_element(vertices.begin(), vertices.end(), below)->position.y;
            std::printf("%3d  hem %.3f m  strain %.4f  speed %.2f m/s\n", frame, static_cast<double>(hem),
                        static_cast<double>(report.max_strain), static_cast<double>(report.max_speed));
        }
    }
    const std::uint64_t print = cape.facts().fingerprint;
    std::printf("%lu contacts, fingerprint %08lx%08lx\n", contacts, static_cast<unsigned long>(print >> 32),
                static_cast<unsigned long>(print & 0xffffffffu));
    return copies_agree(cape, step) && contacts > 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char **argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: %s FILE\n", argv[0]);
        return 2;
    }
    try {
        return run(argv[1]);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}

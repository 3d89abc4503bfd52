// Sixty-four capes of one model on the workers of a job system, as an engine would step them; then once more on one thread.
// Which worker steps which cape, and when, is the operating system's whim: the fingerprints have to be the same.
//
//     jobs cape.cloth [WORKERS]

#include "cloth.hpp"

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <exception>
#include <fstream>
#include <functional>
#include <iterator>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace {

constexpr std::size_t CAPES = 64;
constexpr int FRAMES = 30;

// Workers that take jobs from one queue, and somebody who waits until all are done.
class Jobs {
public:
    explicit Jobs(unsigned workers) {
        for (unsigned i = 0; i < workers; i++) {
            threads_.emplace_back([this] { work(); });
        }
    }

    ~Jobs() {
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            closing_ = true;
        }
        wake_.notify_all();
        for (std::thread &thread : threads_) {
            thread.join();
        }
    }

    Jobs(const Jobs &) = delete;
    Jobs &operator=(const Jobs &) = delete;

    void add(std::function<void()> job) {
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            queue_.push_back(std::move(job));
            open_++;
        }
        wake_.notify_one();
    }

    // Throws what the first job threw that did.
    void wait() {
        std::unique_lock<std::mutex> lock(mutex_);
        done_.wait(lock, [this] { return open_ == 0; });
        if (error_) {
            std::rethrow_exception(std::exchange(error_, nullptr));
        }
    }

private:
    void work() {
        std::unique_lock<std::mutex> lock(mutex_);
        for (;;) {
            wake_.wait(lock, [this] { return closing_ || !queue_.empty(); });
            if (queue_.empty()) {
                return;
            }
            std::function<void()> job = std::move(queue_.front());
            queue_.pop_front();
            lock.unlock();
            std::exception_ptr error;
            try {
                job();
            } catch (...) {
                error = std::current_exception();
            }
            lock.lock();
            if (error && !error_) {
                error_ = error;
            }
            if (--open_ == 0) {
                done_.notify_all();
            }
        }
    }

    std::mutex mutex_;
    std::condition_variable wake_, done_;
    std::deque<std::function<void()>> queue_;
    std::vector<std::thread> threads_;
    std::exception_ptr error_;
    std::size_t open_ = 0;
    bool closing_ = false;
};

// One cape and what is drawn of it.
struct Actor {
    Actor(const cloth::Model &model, float strength) : cape(model), positions(cape.positions()), wind(strength) {}

    // A frame: the wind is gravity that leans, different for each cape.
    void frame(const ClothDynamics &dynamics) {
        cloth::Step step(dynamics);
        step.gravity = ClothVec3{wind, -9.81f, 0.5f * wind};
        cape.step(step);
        cape.positions(positions.data(), sizeof(ClothVec3), positions.size());
    }

    cloth::Cloth cape;
    std::vector<ClothVec3> positions;
    float wind;
};

// The fingerprints after all frames, stepped by workers, or by this thread if there are none.
std::vector<std::uint64_t> simulate(const cloth::Model &model, unsigned workers) {
    const ClothDynamics dynamics = cloth::fabric("silk").dynamics;
    std::vector<Actor> actors;
    for (std::size_t i = 0; i < CAPES; i++) {
        actors.emplace_back(model, 0.1f * static_cast<float>(i));
    }
    if (workers == 0) {
        for (Actor &actor : actors) {
            for (int frame = 0; frame < FRAMES; frame++) {
                actor.frame(dynamics);
            }
        }
    } else {
        Jobs jobs(workers);
        for (int frame = 0; frame < FRAMES; frame++) {
            for (Actor &actor : actors) {
                jobs.add([&actor, &dynamics] { actor.frame(dynamics); });
            }
            jobs.wait();
        }
    }
    std::vector<std::uint64_t> prints;
    for (const Actor &actor : actors) {
        prints.push_back(actor.cape.facts().fingerprint);
    }
    return prints;
}

int run(const char *path, unsigned workers) {
    cloth::check_version();
    std::ifstream file(path, std::ios::binary);
    const std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const cloth::Model model = cloth::Model::load(bytes);
    const std::vector<std::uint64_t> threaded = simulate(model, workers);
    const std::vector<std::uint64_t> serial = simulate(model, 0);
    std::size_t different = 0;
    for (std::size_t i = 0; i < CAPES; i++) {
        different += threaded[i] != serial[i];
    }
    std::printf("%zu capes, %d frames, %u workers: %zu differ from those of one thread\n", CAPES, FRAMES, workers,
                different);
    // All alike would mean that nothing was simulated.
    return different == 0 && threaded[0] != threaded[1] ? 0 : 1;
}

}  // namespace

int main(int argc, char **argv) {
    if (argc != 2 && argc != 3) {
        std::fprintf(stderr, "usage: %s FILE [WORKERS]\n", argv[0]);
        return 2;
    }
    const int workers = argc == 3 ? std::atoi(argv[2]) : 4;
    if (workers < 1) {
        std::fprintf(stderr, "WORKERS is a number above zero\n");
        return 2;
    }
    try {
        return run(argv[1], static_cast<unsigned>(workers));
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}

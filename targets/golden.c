/* Verifies replay files and says a line of each: the name, the frames, the last fingerprint, the lanes. Needs nothing of C's
 * library, for not every machine has one. */

#include "golden.h"

#include "cloth.h"

static uint8_t file[1 << 20];
static ClothBlock memory[1 << 17];

/* A line that grows; what does not fit is cut. */
static char line[512];
static size_t length;

static void text(const char *from) {
    for (; *from != 0 && length + 1 < sizeof line; from++) {
        line[length++] = *from;
    }
    line[length] = 0;
}

static void digits(uint64_t number, unsigned base, unsigned least) {
    char found[21] = "";
    size_t at = sizeof found - 1;
    do {
        found[--at] = "0123456789abcdef"[number % base];
        number /= base;
    } while (number > 0 || sizeof found - 1 - at < least);
    text(found + at);
}

static void hex(uint64_t number) { digits(number, 16, 16); }

int verify_files(uint32_t lanes, int count, char **paths) {
    int worst = 0;
    for (int i = 0; i < count; i++) {
        const size_t size = read_file(paths[i], file, sizeof file);
        ClothReplayResult result;
        ClothStatus status = CLOTH_STATUS_NOT_A_REPLAY;
        if (size != SIZE_MAX) {
            status = cloth_replay_verify_file(file, size, lanes, memory, sizeof memory / sizeof memory[0], &result, NULL);
        }
        length = 0;
        text(paths[i]);
        if (status == CLOTH_STATUS_OK) {
            text(": same, ");
            digits(result.same_frames, 10, 1);
            text(" frames, ");
            hex(result.found);
        } else if (status == CLOTH_STATUS_REPLAY_DIFFERS) {
            text(": differs from frame ");
            digits(result.first_different, 10, 1);
            text(" on: ");
            hex(result.found);
            text(", recorded was ");
            hex(result.expected);
        } else {
            text(size == SIZE_MAX ? ": cannot be read" : ": ");
            text(size == SIZE_MAX ? "" : cloth_status_message(status));
        }
        if (status == CLOTH_STATUS_OK || status == CLOTH_STATUS_REPLAY_DIFFERS) {
            text(", ");
            digits(result.lanes, 10, 1);
            text(" lanes");
        }
        text("\n");
        say(line);
        worst |= status != CLOTH_STATUS_OK;
    }
    return worst;
}

/* A bare Cortex-M4F: its start, and semihosting, by which QEMU or a probe reads files of the host and prints.
 *
 * The files are the words of the command line behind the program's name.
 */

#include "golden.h"

enum { OPEN = 0x01, CLOSE = 0x02, WRITE = 0x05, READ = 0x06, GET_CMDLINE = 0x15, EXIT = 0x18, BINARY = 1, WRITING = 4, FILES = 32 };

/* Of the linker's script. */
extern uint32_t data_from[], data_begin[], data_end[], bss_begin[], bss_end[], stack_top[];

int main(void);
void start(void);

/* Arm, Semihosting for AArch32 and AArch64: the operation in r0, its argument in r1, the answer in r0. */
static uint32_t semihosting(uint32_t operation, uint32_t argument) {
    register uint32_t r0 __asm__("r0") = operation;
    register uint32_t r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

static uint32_t address(const void *of) { return (uint32_t)(uintptr_t)of; }

static void leave(int failed) {
    /* ADP_Stopped_ApplicationExit, or another stop, which QEMU takes for a failure. */
    semihosting(EXIT, failed ? 0x20023 : 0x20026);
    for (;;) {
    }
}

static uint32_t length_of(const char *text) {
    uint32_t length = 0;
    while (text[length] != 0) {
        length++;
    }
    return length;
}

size_t read_file(const char *path, uint8_t *into, size_t room) {
    const uint32_t opened[] = {address(path), BINARY, length_of(path)};
    const uint32_t handle = semihosting(OPEN, address(opened));
    if (handle == UINT32_MAX) {
        return SIZE_MAX;
    }
    const uint32_t wanted[] = {handle, address(into), (uint32_t)room};
    const uint32_t left = semihosting(READ, address(wanted));
    semihosting(CLOSE, address(&handle));
    return left <= room ? room - left : SIZE_MAX;
}

/* To the output of whoever runs the machine: the name ":tt", opened for writing. SYS_WRITE0 would go to QEMU's errors. */
void say(const char *line) {
    static uint32_t output = UINT32_MAX;
    const uint32_t length = length_of(line);
    if (output == UINT32_MAX) {
        const uint32_t opened[] = {address(":tt"), WRITING, 3};
        output = semihosting(OPEN, address(opened));
    }
    const uint32_t written[] = {output, address(line), length};
    semihosting(WRITE, address(written));
}

int main(void) {
    static char command[4096];
    static char *files[FILES];
    uint32_t where[] = {address(command), sizeof command};
    int words = 0;
    if (semihosting(GET_CMDLINE, address(where)) != 0) {
        say("no command line\n");
        return 1;
    }
    for (char *at = command; *at != 0 && words < FILES; words++) {
        files[words] = at;
        while (*at != 0 && *at != ' ') {
            at++;
        }
        while (*at == ' ') {
            *at++ = 0;
        }
    }
    return words < 2 || verify_files(0, words - 1, files + 1);
}

void start(void) {
    /* The unit for floats is off until CPACR says otherwise. */
    *(volatile uint32_t *)0xe000ed88 |= 0xfu << 20;
    __asm__ volatile("dsb\n isb" : : : "memory");
    for (uint32_t *to = data_begin, *from = data_from; to < data_end; to++, from++) {
        *to = *from;
    }
    for (uint32_t *to = bss_begin; to < bss_end; to++) {
        *to = 0;
    }
    leave(main());
}

static void fault(void) {
    say("a fault of the processor\n");
    leave(1);
}

/* The stack, the start, and what ends here: NMI and the faults. */
__attribute__((section(".vectors"), used)) static const uintptr_t vectors[] = {
    (uintptr_t)stack_top, (uintptr_t)start, (uintptr_t)fault, (uintptr_t)fault,
    (uintptr_t)fault,     (uintptr_t)fault, (uintptr_t)fault,
};

/* Verifies replay files, on machines with and without an operating system. */

#ifndef GOLDEN_H
#define GOLDEN_H

#include <stddef.h>
#include <stdint.h>

/* Verifies files in so many lanes (0 for the widest) and says a line of each; 0 where all are the same. */
int verify_files(uint32_t lanes, int count, char **paths);

/* What the machine has to offer: the length of a file that was read, SIZE_MAX where it cannot be, and a way to say a line. */
size_t read_file(const char *path, uint8_t *into, size_t room);
void say(const char *line);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much memory there is, and how much of it is taken. */
#ifndef FLAMETTY_BASE_MEMORY_H
#define FLAMETTY_BASE_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes that this process could still take before the machine, or the control group that it runs
 * in, has none left; -1: not known. */
int64_t memory_available(void);

/* Bytes of memory that this process holds; -1: not known. */
int64_t memory_used(void);

/* Beyond this many bytes of address space an allocation fails, and the program ends with a message,
 * rather than that the system ends it without one. */
void memory_limit(int64_t bytes);

/* Give large arrays that are freed back to the system, for good. Else the C library keeps what one
 * thread frees, and then makes arrays of another out of it, which are copied whenever they grow. To
 * be called before threads begin. */
void memory_return_large(void);

/* Give all that was freed back to the system: what comes next may take as much as what was before.
 */
void memory_give_back(void);

/* Parse `500M`, `6G`, `6.5GB`, `800000000`, or `40%` of `available` bytes. */
bool memory_parse(const char *text, int64_t available, int64_t *bytes);

#endif

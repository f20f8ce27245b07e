/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory of the machine and of this process. */
#ifndef FLAMETTY_BASE_MEMORY_H
#define FLAMETTY_BASE_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes that this process can still allocate before the machine, or the control group that the
 * process runs in, has none left; -1: unknown. */
int64_t memory_available(void);

/* Bytes of physical memory that this process uses; -1: unknown. */
int64_t memory_used(void);

/* Bytes that count against memory_limit(): memory that was allocated, also if it was not used yet
 * or is free again but still with the C library; -1: unknown. Allocates nothing. */
int64_t memory_mapped(void);

/* Limit the process to this many bytes of memory, whatever allocates it. An allocation beyond the
 * limit fails, and the program exits with a message; without a limit the kernel may kill it without
 * one. */
void memory_limit(int64_t bytes);

/* That limit; -1: there is none. */
int64_t memory_limit_get(void);

/* Make free() return large arrays to the system. Otherwise the C library keeps what one thread
 * frees and builds arrays of another thread from it, which are then copied whenever they grow. Call
 * this before threads are started. */
void memory_return_large(void);

/* Return all freed memory to the system, so that the next profile can use as much as the last one
 * did. */
void memory_give_back(void);

/* Parse `500M`, `6G`, `6.5GB`, `800000000`, or `40%` of `available` bytes. Returns false when the
 * text is none of these. */
bool memory_parse(const char *text, int64_t available, int64_t *bytes);

#endif

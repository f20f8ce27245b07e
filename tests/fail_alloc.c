/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A library for LD_PRELOAD that lets allocations fail, also those of the C library and of all
 * others.
 *
 *     FAIL_ALLOC_AT=N          the Nth allocation fails, counted from 0
 *     FAIL_ALLOC_FROM=N        the Nth allocation and all after it fail
 *     FAIL_ALLOC_COUNT=FILE    none fails; FILE gets their number
 *     FAIL_ALLOC_SECONDS=N     SIGALRM ends the program after that time
 *
 * The others count only while FILE exists, and only for the first thread of the program except the
 * last one. They can be combined.
 *
 *     FAIL_ALLOC_WHILE=FILE
 *     FAIL_ALLOC_EVERY=N       every Nth allocation fails
 *     FAIL_ALLOC_FIRST=N       N allocations succeed, the next five fail
 *     FAIL_ALLOC_LARGE=BYTES   those of at least that size fail
 *     FAIL_ALLOC_ROOM=BYTES    there is room for that much more than when FILE appeared. What the
 *                              program frees can be allocated again
 *     FAIL_ALLOC_OTHERS=1      all allocations of the other threads fail
 *
 * Used by out-of-memory.sh, term/no-memory-at-start.sh and term/no-memory-on-screen.sh. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *(*real_malloc)(size_t size);
static void *(*real_calloc)(size_t count, size_t size);
static void *(*real_realloc)(void *p, size_t size);
static void (*real_free)(void *p);
static atomic_long n_calls, n_bytes;
static long fail_at = -1, fail_from = -1, every = -1, first = -1, large = -1, room = -1,
	    others = -1;
static long n_looks, most_bytes = -1; /* of the first thread, while FILE exists */
static const char *while_file;
static int count_fd = -1; /* opened before the sandbox forbids it */

/* dlsym() may allocate before the real functions are known; such memory is never freed. */
static char early[1 << 14];
static size_t n_early;

static void *alloc_early(size_t size)
{
	void *p = early + n_early;

	n_early += (size + 15) & ~(size_t)15;
	if (n_early > sizeof early)
		abort();
	return p;
}

static int is_early(const void *p)
{
	return (const char *)p >= early && (const char *)p < early + sizeof early;
}

static long number(const char *name)
{
	const char *text = getenv(name);

	return text ? atol(text) : -1;
}

__attribute__((constructor)) static void find_functions(void)
{
	*(void **)&real_malloc = dlsym(RTLD_NEXT, "malloc");
	*(void **)&real_calloc = dlsym(RTLD_NEXT, "calloc");
	*(void **)&real_realloc = dlsym(RTLD_NEXT, "realloc");
	*(void **)&real_free = dlsym(RTLD_NEXT, "free");
	if (getenv("FAIL_ALLOC_COUNT"))
		count_fd = open(getenv("FAIL_ALLOC_COUNT"),
				O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	while_file = getenv("FAIL_ALLOC_WHILE");
	atomic_store(&n_calls, 0);
	every = number("FAIL_ALLOC_EVERY");
	first = number("FAIL_ALLOC_FIRST");
	large = number("FAIL_ALLOC_LARGE");
	room = number("FAIL_ALLOC_ROOM");
	others = number("FAIL_ALLOC_OTHERS");
	fail_at = number("FAIL_ALLOC_AT");
	fail_from = number("FAIL_ALLOC_FROM");
	if (number("FAIL_ALLOC_SECONDS") > 0)
		alarm((unsigned)number("FAIL_ALLOC_SECONDS"));
}

__attribute__((destructor)) static void tell_count(void)
{
	long n = atomic_load(&n_calls);

	if (count_fd >= 0)
		dprintf(count_fd, "%ld\n", n);
}

/* Whether an allocation fails while FILE exists. more: bytes beyond those that it replaces. */
static int fails_for_now(size_t size, long more)
{
	if (!while_file)
		return 0;
	if (gettid() != getpid())
		return others > 0 && access(while_file, F_OK) == 0;
	if (access(while_file, F_OK) != 0) {
		n_looks = 0;
		most_bytes = -1;
		return 0;
	}
	if (most_bytes < 0)
		most_bytes = atomic_load(&n_bytes) + room;
	n_looks++;
	return (every > 0 && n_looks % every == 0) ||
		(first >= 0 && n_looks > first && n_looks <= first + 5) ||
		(large >= 0 && size >= (size_t)large) ||
		(room >= 0 && more > 0 && atomic_load(&n_bytes) + more > most_bytes);
}

static int fails(size_t size, long more)
{
	long n = atomic_fetch_add(&n_calls, 1);

	if (n != fail_at && (fail_from < 0 || n < fail_from) && !fails_for_now(size, more))
		return 0;
	errno = ENOMEM;
	return 1;
}

static void *counted(void *p)
{
	if (room >= 0 && p)
		atomic_fetch_add(&n_bytes, (long)malloc_usable_size(p));
	return p;
}

void *malloc(size_t size)
{
	if (!real_malloc)
		return alloc_early(size);
	return fails(size, (long)size) ? NULL : counted(real_malloc(size));
}

void *calloc(size_t count, size_t size)
{
	if (!real_calloc)
		return alloc_early(count * size);
	return fails(count * size, (long)(count * size)) ? NULL : counted(real_calloc(count, size));
}

void *realloc(void *p, size_t size)
{
	long before;
	void *q;

	if (!real_realloc)
		return alloc_early(size);
	before = room >= 0 && p ? (long)malloc_usable_size(p) : 0;
	if (fails(size, (long)size - before))
		return NULL;
	q = counted(real_realloc(p, size));
	if (q)
		atomic_fetch_sub(&n_bytes, before);
	return q;
}

void free(void *p)
{
	if (!p || is_early(p) || !real_free)
		return;
	if (room >= 0)
		atomic_fetch_sub(&n_bytes, (long)malloc_usable_size(p));
	real_free(p);
}

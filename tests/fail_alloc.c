/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A library for LD_PRELOAD that lets allocations fail, also those of the C library and of all
 * others.
 *
 *     FAIL_ALLOC_AT=N          the Nth allocation fails, counted from 0
 *     FAIL_ALLOC_FROM=N        the Nth allocation and all after it fail
 *     FAIL_ALLOC_COUNT=FILE    none fails; FILE gets their number
 *
 * Used by out-of-memory.sh. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *(*real_malloc)(size_t size);
static void *(*real_calloc)(size_t count, size_t size);
static void *(*real_realloc)(void *p, size_t size);
static atomic_long n_calls;
static long fail_at = -1, fail_from = -1;
static const char *count_file;

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

__attribute__((constructor)) static void find_functions(void)
{
	const char *at = getenv("FAIL_ALLOC_AT"), *from = getenv("FAIL_ALLOC_FROM");

	*(void **)&real_malloc = dlsym(RTLD_NEXT, "malloc");
	*(void **)&real_calloc = dlsym(RTLD_NEXT, "calloc");
	*(void **)&real_realloc = dlsym(RTLD_NEXT, "realloc");
	count_file = getenv("FAIL_ALLOC_COUNT");
	atomic_store(&n_calls, 0);
	fail_at = at ? atol(at) : -1;
	fail_from = from ? atol(from) : -1;
}

__attribute__((destructor)) static void tell_count(void)
{
	long n = atomic_load(&n_calls);
	FILE *f = count_file ? fopen(count_file, "w") : NULL;

	if (!f)
		return;
	fprintf(f, "%ld\n", n);
	fclose(f);
}

static int fails(void)
{
	long n = atomic_fetch_add(&n_calls, 1);

	if (n != fail_at && (fail_from < 0 || n < fail_from))
		return 0;
	errno = ENOMEM;
	return 1;
}

void *malloc(size_t size)
{
	if (!real_malloc)
		return alloc_early(size);
	return fails() ? NULL : real_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	if (!real_calloc)
		return alloc_early(count * size);
	return fails() ? NULL : real_calloc(count, size);
}

void *realloc(void *p, size_t size)
{
	if (!real_realloc)
		return alloc_early(size);
	return fails() ? NULL : real_realloc(p, size);
}

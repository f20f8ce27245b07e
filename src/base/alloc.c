/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checked allocation. Sizes are multiplied with an overflow test. An allocation that fails is tried
 * again when the thread has a reserve. */
#include "config.h"

#include "base/alloc.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/reserve.h"
#include "base/units.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define LARGE ((size_t)8 << 20)
#define LARGE_PAGE ((size_t)2 << 20)
#define LARGE_ARRAY ((size_t)16 << 20)
#define SMALLEST 64u /* bytes of an array that begins to grow */

static void (*last_words)(bool is_own);
static pthread_t own_thread;

void die_set_hook(void (*hook)(bool is_own))
{
	last_words = hook;
	own_thread = pthread_self();
}

static _Thread_local struct die_rescue own_rescue;

void die_set_rescue(const struct die_rescue *rescue)
{
	own_rescue = *rescue;
}

struct die_rescue die_get_rescue(void)
{
	return own_rescue;
}

/* Returns if the program cannot go on without this thread. */
static ALLOC_VPRINTF void try_rescue(const char *format, va_list ap)
{
	char text[512];

	if (!own_rescue.lost)
		return;
	vsnprintf(text, sizeof text, format, ap);
	if (own_rescue.lost(own_rescue.ctx, text))
		for (;;)
			pause();
}

void die(const char *format, ...)
{
	bool is_own = !last_words || pthread_equal(own_thread, pthread_self());
	struct message m;
	va_list ap;

	va_start(ap, format);
	try_rescue(format, ap);
	va_end(ap);

	if (last_words)
		last_words(is_own);
	message_begin(&m);
	va_start(ap, format);
	message_vaddf(&m, format, ap);
	va_end(ap);
	message_end(&m);
	if (!is_own)
		_exit(1);
	exit(1);
}

static ALLOC_NORETURN_PLAIN void out_of_memory(size_t bytes)
{
	int64_t used = memory_mapped(), limit = memory_limit_get();
	char needed[UNITS_MAX], allowed[UNITS_MAX];

	units_bytes(bytes > INT64_MAX / 2 ? INT64_MAX : used + (int64_t)bytes, needed);
	units_bytes(limit, allowed);
	if (limit >= 0 && used >= 0 && bytes > (size_t)(limit > used ? limit - used : 0))
		die("out of memory: %s or more would be needed, %s are allowed; --from, --to or "
		    "--lane load a part, --max-memory=SIZE sets another limit",
		    needed, allowed);
	die("out of memory: the system has no %zu bytes more; --from, --to or --lane load a part",
	    bytes);
}

/* A library does not tell how much it wanted. */
void alloc_failed(void)
{
	die("out of memory; --from, --to or --lane load a part, --max-memory=SIZE sets another "
	    "limit");
}

void *alloc_checked(void *p)
{
	if (!p)
		alloc_failed();
	return p;
}

static size_t product(size_t count, size_t size)
{
	if (size && count > SIZE_MAX / size)
		die("out of memory: %zu items of %zu bytes", count, size);
	return count * size;
}

/* Large arrays are used from one end to the other: with large pages the kernel handles 512 times
 * fewer page faults. Arrays that grow are left alone: they move, which would split the large pages
 * again. */
static void *in_large_pages(void *p, size_t size)
{
#ifdef MADV_HUGEPAGE
	if (size >= LARGE) {
		uintptr_t from = ((uintptr_t)p + LARGE_PAGE - 1) & ~(uintptr_t)(LARGE_PAGE - 1),
			  end = ((uintptr_t)p + size) & ~(uintptr_t)(LARGE_PAGE - 1);

		/* Without support by the kernel nothing changes. */
		if (from < end)
			(void)madvise((void *)from, end - from, MADV_HUGEPAGE);
	}
#else
	(void)size;
#endif
	return p;
}

void *alloc_if_room(size_t size)
{
	void *p = malloc(size ? size : 1);

	return p ? in_large_pages(p, size) : NULL;
}

void *xmalloc(size_t size)
{
	void *p;

	while (!(p = malloc(size ? size : 1)))
		if (!reserve_spend(size))
			out_of_memory(size);
	return in_large_pages(p, size);
}

void *xcalloc(size_t count, size_t size)
{
	size_t bytes = product(count, size);
	void *p;

	while (!(p = calloc(count ? count : 1, size ? size : 1)))
		if (!reserve_spend(bytes))
			out_of_memory(bytes);
	return in_large_pages(p, bytes);
}

void *xrealloc(void *p, size_t count, size_t size)
{
	size_t bytes = product(count, size);
	void *moved;

	while (!(moved = realloc(p, bytes ? bytes : 1)))
		if (!reserve_spend(bytes))
			out_of_memory(bytes);
	return moved;
}

char *xstrndup(const char *text, size_t len)
{
	char *copy = xmalloc(len + 1);

	memcpy(copy, text, len);
	copy[len] = '\0';
	return copy;
}

char *xstrdup(const char *text)
{
	return xstrndup(text, strlen(text));
}

/* A large array grows by less: what it does not use yet counts against the memory limit, and the
 * system moves it without a copy.
 *
 * Not inline: xgrow() returns early most of the time, and then saves no registers. */
static __attribute__((noinline)) void *grow(void *p, size_t *cap, size_t need, size_t size)
{
	size_t more = *cap * size < LARGE_ARRAY ? *cap / 2 : *cap / 8,
	       n = *cap + more + SMALLEST / size + 1;

	if (n < need)
		n = need;
	p = xrealloc(p, n, size);
	*cap = n;
	return p;
}

void *xgrow(void *p, size_t *cap, size_t need, size_t size)
{
	return need <= *cap ? p : grow(p, cap, need, size);
}

/* The heap of a sanitizer is not that of the C library. */
#ifdef ALLOC_SANITIZED
size_t __sanitizer_get_current_allocated_bytes(void);
#endif

int64_t alloc_bytes(void)
{
#if defined ALLOC_SANITIZED
	return (int64_t)__sanitizer_get_current_allocated_bytes();
#elif defined HAVE_MALLINFO2
	struct mallinfo2 info = mallinfo2();

	return (int64_t)(info.uordblks + info.hblkhd);
#else
	return -1;
#endif
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checked allocation. Sizes are multiplied with an overflow test. An allocation that fails is tried
 * again when the thread has a reserve. */
#include "config.h"

#include "base/alloc.h"

#include "base/message.h"
#include "base/units.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* ==== memory ====
 *
 * Linux: /proc/meminfo gives the free memory of the machine; the files of control groups (version 2
 * or 1) give what the own group and all groups above it leave. Cached file pages count as free,
 * because the kernel reclaims them. Elsewhere the size of the machine is used. */

#define PATH_SIZE 4096
/* Smaller ones would be returned, and asked for again, hundreds of times by a trace with many
 * lanes: each time the processors have to agree about it. */
#define LARGE (1 << 20)
#define STATM_RESIDENT 1
#define STATM_DATA 5

/* The number in the first line of a file that begins with `name`, or in its first line (NULL). -1:
 * there is no such line. */
static int64_t number_in(const char *path, const char *name)
{
	FILE *f = fopen(path, "re");
	char line[256];
	int64_t number = -1;
	size_t len = name ? strlen(name) : 0;

	while (f && number < 0 && fgets(line, sizeof line, f)) {
		char *end;
		long long n;

		if (name && strncmp(line, name, len) != 0)
			continue;
		n = strtoll(line + len, &end, 10);
		if (end != line + len)
			number = n;
		if (!len)
			break;
	}
	if (f)
		fclose(f);
	return number;
}

/* Bytes of cached files that the kernel can take back, by the memory.stat of a group. */
static int64_t cached_files(const char *path)
{
	static const char *const names[] = { "inactive_file ", "active_file " };
	FILE *f = fopen(path, "re");
	char line[256];
	int64_t sum = 0;

	while (f && fgets(line, sizeof line, f)) {
		for (size_t i = 0; i < ARRAY_LEN(names); i++) {
			size_t len = strlen(names[i]);
			long long n = strncmp(line, names[i], len) == 0
				? strtoll(line + len, NULL, 10)
				: 0;

			sum += n > 0 ? n : 0;
		}
	}
	if (f)
		fclose(f);
	return sum;
}

static int64_t lesser(int64_t a, int64_t b)
{
	return a < 0 || (b >= 0 && b < a) ? b : a;
}

/* What the groups at `folder`/`group` and above leave. */
static int64_t left_in_groups(const char *folder, const char *group, const char *most,
			      const char *now)
{
	char at[PATH_SIZE / 2], path[PATH_SIZE];
	int64_t left = -1;

	snprintf(at, sizeof at, "%s%s", folder, strcmp(group, "/") == 0 ? "" : group);
	for (;;) {
		int64_t limit, used = -1, files;
		char *slash;

		snprintf(path, sizeof path, "%s/%s", at, most);
		limit = number_in(path, NULL);
		/* Version 1 writes a huge number when there is no limit. The other files of such a
		 * group need not be read, which takes the kernel some time. */
		if (limit >= 0 && limit < INT64_MAX / 2) {
			snprintf(path, sizeof path, "%s/%s", at, now);
			used = number_in(path, NULL);
		}
		if (used >= 0) {
			snprintf(path, sizeof path, "%s/memory.stat", at);
			files = cached_files(path);
			left = lesser(left, limit > used - files ? limit - used + files : 0);
		}
		slash = strrchr(at, '/');
		if (strlen(at) <= strlen(folder) || !slash)
			return left;
		*slash = '\0';
	}
}

static int64_t left_in_own_groups(void)
{
	FILE *f = fopen("/proc/self/cgroup", "re");
	char line[PATH_SIZE / 2];
	int64_t left = -1;

	while (f && fgets(line, sizeof line, f)) {
		char *first = strchr(line, ':'), *group = first ? strchr(first + 1, ':') : NULL;

		if (!group)
			continue;
		*group++ = '\0';
		group[strcspn(group, "\n")] = '\0';
		/* `0::/group` is version 2. In a container the folder may be the group itself. */
		if (first[1] == '\0')
			left = lesser(left,
				      left_in_groups("/sys/fs/cgroup", group, "memory.max",
						     "memory.current"));
		else if (strcmp(first + 1, "memory") == 0)
			left = lesser(left,
				      left_in_groups("/sys/fs/cgroup/memory", group,
						     "memory.limit_in_bytes",
						     "memory.usage_in_bytes"));
	}
	if (f)
		fclose(f);
	return left;
}

int64_t memory_available(void)
{
	int64_t kib = number_in("/proc/meminfo", "MemAvailable:");
	long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
	int64_t machine = kib >= 0      ? kib * 1024
		: pages > 0 && size > 0 ? (int64_t)pages * size
					: -1;

	return lesser(machine, left_in_own_groups());
}

/* The number in column `column` of /proc/self/statm, in bytes; -1: unknown. Allocates nothing. */
static int64_t pages_in(int column)
{
	char line[256], *at = line;
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, line, sizeof line - 1) : -1;
	int64_t pages = -1;

	if (fd >= 0)
		close(fd);
	line[n > 0 ? n : 0] = '\0';
	for (; column >= 0; column--) {
		char *end;

		pages = strtoll(at, &end, 10);
		if (end == at)
			return -1;
		at = end;
	}
	return pages * sysconf(_SC_PAGESIZE);
}

int64_t memory_used(void)
{
	return pages_in(STATM_RESIDENT);
}

int64_t memory_mapped(void)
{
	return pages_in(STATM_DATA);
}

/* What the kernel limits is the size of all private mappings, whether they were written to or not.
 * The resident memory is that, less what was not written to, plus the pages of the program itself.
 * It counts all heaps, buffers of libraries and stacks of threads. */
void memory_limit(int64_t bytes)
{
#if defined RLIMIT_DATA && !defined ALLOC_SANITIZED
	struct rlimit limit;

	if (getrlimit(RLIMIT_DATA, &limit) != 0 ||
	    (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur <= (rlim_t)bytes))
		return;
	limit.rlim_cur = (rlim_t)bytes;
	(void)setrlimit(RLIMIT_DATA, &limit);
#else
	(void)bytes;
#endif
}

/* That limit; -1: there is none. */
static int64_t memory_limit_get(void)
{
#ifdef RLIMIT_DATA
	struct rlimit limit;

	if (getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
		return (int64_t)limit.rlim_cur;
#endif
	return -1;
}

void memory_return_large(void)
{
#ifdef M_MMAP_THRESHOLD
	(void)mallopt(M_MMAP_THRESHOLD, LARGE);
#endif
}

void memory_keep_small(void)
{
#ifdef M_TRIM_THRESHOLD
	(void)mallopt(M_TRIM_THRESHOLD, LARGE);
#endif
}

void memory_give_back(void)
{
#ifdef __GLIBC__
	(void)malloc_trim(0);
#endif
}

bool memory_parse(const char *text, int64_t available, int64_t *bytes)
{
	static const char units[] = "kMGT";
	char *end;
	double n = strtod(text, &end);
	const char *unit;

	if (end == text || !(n > 0) || n > 1e15)
		return false;
	if (strcmp(end, "%") == 0) {
		*bytes = (int64_t)(n / 100 * (double)available);
		return available > 0;
	}
	unit = *end ? strchr(units,
			     *end == 'K'           ? 'k'
				     : *end == 'm' ? 'M'
				     : *end == 'g' ? 'G'
				     : *end == 't' ? 'T'
						   : *end)
		    : NULL;
	if (*end && !unit && strcmp(end, "B") != 0)
		return false;
	for (const char *u = units; unit && u <= unit; u++)
		n *= 1000;
	if (unit && end[1] && strcmp(end + 1, "B") != 0)
		return false;
	if (n > 9e18)
		return false;
	*bytes = (int64_t)n;
	return true;
}

/* ==== reserve ====
 *
 * The reserve is a few blocks of the heap that are never written to. They take addresses, which
 * limits of memory count, but almost no physical memory. Each allocation that fails costs a block,
 * or several if it is large: between two places where the thread can free something, more than one
 * may fail. */

#define BLOCKS 8

/* An array of this size may use up a part of the reserve. */
#define SMALL (RESERVE_MIN / 4)

static _Thread_local struct {
	void *blocks[BLOCKS]; /* the last ones are freed first */
	int n;
	size_t size;  /* as asked for; 0: the thread has no reserve */
	size_t block; /* bytes of each; 0: there are none */
	size_t wanted, refused;
} own;

static void spend_all(void)
{
	while (own.n > 0)
		free(own.blocks[--own.n]);
}

bool reserve_keep(size_t bytes)
{
	spend_all();
	own.size = bytes;
	own.wanted = own.refused = own.block = 0;
	/* All blocks of a reserve of this size, or a smaller one; of the smallest, those that there
	 * are: one failure may be the only one. */
	for (; bytes >= RESERVE_MIN && own.n < BLOCKS; bytes /= 2) {
		spend_all();
		own.block = bytes / BLOCKS;
		while (own.n < BLOCKS && (own.blocks[own.n] = malloc(own.block)) != NULL)
			own.n++;
	}
	return own.n == BLOCKS;
}

void reserve_refill(void)
{
	size_t bytes = own.block;

	while (bytes && own.n < BLOCKS && (own.blocks[own.n] = malloc(bytes)) != NULL)
		own.n++;
}

bool reserve_renew(void)
{
	return reserve_keep(own.size);
}

/* An allocation of `wanted` bytes has failed: free a part of the reserve. Returns false when
 * nothing is left of it, and trying again is useless. */
static bool reserve_spend(size_t wanted)
{
	if (own.size && !own.wanted)
		own.wanted = wanted ? wanted : 1;
	if (own.n == 0)
		return false;
	free(own.blocks[--own.n]);
	return true;
}

size_t reserve_wanted(void)
{
	return own.wanted;
}

size_t reserve_refused(void)
{
	return own.refused;
}

bool reserve_is_kept(void)
{
	return own.size > 0;
}

bool reserve_has_room(size_t bytes)
{
	/* Volatile: a compiler may leave out an allocation that is not used. */
	void *volatile probe;
	bool has_room;

	if (own.size == 0 || bytes <= SMALL)
		return true;
	probe = malloc(bytes);
	has_room = probe != NULL;
	free(probe);
	if (!has_room && !own.refused)
		own.refused = bytes;
	return has_room;
}

/* ==== alloc ==== */

#define ALLOC_LARGE ((size_t)8 << 20)
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

void die(const char *format, ...)
{
	bool is_own = !last_words || pthread_equal(own_thread, pthread_self());
	char text[512];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	/* A rescue returns if the program cannot go on without this thread. */
	if (own_rescue.lost && own_rescue.lost(own_rescue.ctx, text))
		for (;;)
			pause();
	if (last_words)
		last_words(is_own);
	va_start(ap, format);
	message_vprint("", format, ap);
	va_end(ap);
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
	if (size >= ALLOC_LARGE) {
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Linux: /proc/meminfo gives the free memory of the machine; the files of control groups (version 2
 * or 1) give what the own group and all groups above it leave. Cached file pages count as free,
 * because the kernel reclaims them. Elsewhere the size of the machine is used. */
#include "config.h"

#include "base/memory.h"

#include "base/alloc.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define PATH_SIZE 4096
#define LARGE (256 << 10)
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

int64_t memory_limit_get(void)
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

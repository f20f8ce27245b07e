/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each run has its own process: its peak memory is known when it ends, and the state of the
 * allocator does not carry over to the next run. */
#include "config.h"

#include "subjects.h"

#include "base/alloc.h"
#include "read/load/load_file.h"
#include "read/reader.h"

#include <json-c/json.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_RUNS 9
#define MIN_RUNS 3
#define ENOUGH_NS INT64_C(800000000)

struct profile *subject_load(const char *path)
{
	struct builder *b = builder_new(&(struct builder_options){ 0 });
	struct error err = ERROR_INIT;
	struct profile *profile;

	if (!load_file(&(struct load_file_order){ .path = path }, b, NULL, NULL, &err))
		die("%s: %s", path, err.text);
	profile = builder_finish(b, &err);
	if (!profile)
		die("%s: %s", path, err.text);
	return profile;
}

const struct lane *subject_lane(const struct profile *profile)
{
	const struct lane *best = NULL;

	for (uint32_t i = 0; i < profile->n_lanes; i++)
		if (!best || profile->lanes[i].samples.n > best->samples.n)
			best = &profile->lanes[i];
	return best;
}

/* The task of a process: false if it failed. */
typedef bool work(const char *path);

static bool load(const char *path)
{
	return subject_load(path) != NULL;
}

static bool read_plainly(const char *path)
{
	size_t size = (size_t)1 << 20;
	char *block = xmalloc(size);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	while ((n = read(fd, block, size)) > 0)
		;
	return n == 0;
}

static bool parse_by_json_c(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	return json_object_from_fd_ex(fd, 1000) != NULL;
}

static int64_t peak_bytes(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
	return usage.ru_maxrss;
#else
	return usage.ru_maxrss * INT64_C(1024);
#endif
}

static void run_here(work *what, const char *path, struct figure *figure)
{
	int64_t cpu = sheet_cpu_ns(), wall = sheet_wall_ns(), peak = peak_bytes();

	memory_return_large();
	if (!what(path))
		_exit(1);
	figure->best_ns = sheet_cpu_ns() - cpu;
	figure->wall_ns = sheet_wall_ns() - wall;
	figure->peak_bytes = peak_bytes() - peak;
	_exit(0);
}

/* figure: lies in shared memory. */
static bool run_once(work *what, const char *path, struct figure *figure)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0)
		run_here(what, path, figure);
	return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

static void measure(struct sheet *sheet, enum figure_id id, work *what, const char *path, int least)
{
	size_t size = MAX_RUNS * sizeof(struct figure);
	struct figure *runs = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
				   -1, 0);
	int64_t spent_ns = 0;
	int n = 0;

	if (runs == MAP_FAILED)
		die("no memory to share");
	while (n < MAX_RUNS && (n < least || spent_ns < ENOUGH_NS) &&
	       run_once(what, path, &runs[n]))
		spent_ns += runs[n++].best_ns;
	if (n < least)
		fprintf(stderr, "bench: %s: a run failed\n", sheet->name);
	sheet_set(sheet, id, runs, n);
	munmap(runs, size);
}

void measure_load(struct sheet *sheet, const char *path, int64_t json_c_most)
{
	measure(sheet, FIGURE_READ, read_plainly, path, MIN_RUNS);
	if (sheet->bytes <= json_c_most)
		measure(sheet, FIGURE_JSON_C, parse_by_json_c, path, 1);
	measure(sheet, FIGURE_LOAD, load, path, MIN_RUNS);
}

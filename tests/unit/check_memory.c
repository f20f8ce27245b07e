/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory limit: what counts against it, and how the program ends there. */
#include "config.h"

#include "base/alloc.c"

#include "suite.h"
#include "temp_folder.h"

#include "base/alloc.h"
#include "base/progress.h"
#include "base/thread.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MB ((int64_t)1000000)

#ifndef ALLOC_SANITIZED

/* How a child process ended. */
struct ended {
	int status;
	int64_t most; /* bytes of physical memory that it used */
	int64_t limit;
	char text[1000]; /* of standard error */
};

/* Run `work` in a child that may use `room` bytes more than it does. */
static void run_limited(int64_t room, void (*work)(void), struct ended *ended)
{
	int64_t limit = memory_mapped() + room;
	struct rusage usage;
	int ends[2], status;
	size_t len = 0;
	ssize_t n;
	pid_t child;

	ck_assert_int_eq(pipe(ends), 0);
	child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0) {
		dup2(ends[1], STDERR_FILENO);
		memory_limit(limit);
		work();
		_exit(0);
	}
	close(ends[1]);
	while ((n = read(ends[0], ended->text + len, sizeof ended->text - 1 - len)) > 0)
		len += (size_t)n;
	ended->text[len] = '\0';
	close(ends[0]);
	ck_assert_int_eq(wait4(child, &status, 0, &usage), child);
	ended->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	ended->most = (int64_t)usage.ru_maxrss * 1024;
	ended->limit = limit;
}

static void take_many(void)
{
	for (int i = 0; i < 4000; i++)
		memset(xmalloc(100000), 1, 100000);
}

static void take_one(void)
{
	memset(xmalloc((size_t)(400 * MB)), 1, (size_t)(400 * MB));
}

static void take_growing(void)
{
	uint64_t *array = NULL;
	size_t cap = 0;

	for (size_t n = 0; n < (size_t)(50 * MB); n++) {
		array = xgrow(array, &cap, n + 1, sizeof *array);
		array[n] = n;
	}
	free(array);
}

static void *take_there(void *ctx)
{
	(void)ctx;
	take_many();
	return NULL;
}

static void take_on_threads(void)
{
	pthread_t threads[3];

	for (size_t i = 0; i < ARRAY_LEN(threads); i++)
		if (!thread_start_small(&threads[i], take_there, NULL))
			die("no thread");
	for (size_t i = 0; i < ARRAY_LEN(threads); i++)
		pthread_join(threads[i], NULL);
}

/* The program on a file that needs more than 60 MB. */
static char path[256];

static void report_file(void)
{
	const char *program = getenv("FLAMETTY");

	program = program ? program : "./flametty";
	(void)execl(program, program, "report", "--max-memory=60M", path, (char *)NULL);
}

static void render_file(void)
{
	const char *program = getenv("FLAMETTY");

	program = program ? program : "./flametty";
	(void)execl(program, program, "--render=80x24", "--max-memory=60M", path, (char *)NULL);
}

/* One stack of two million calls. */
static void put_stack(FILE *f)
{
	for (int i = 0; i < 2000000; i++)
		fputs("a;", f);
	fputs("a 5\n", f);
}

/* Lanes with one slice each. */
static void put_lanes(FILE *f)
{
	fputs("[", f);
	for (int i = 0; i < 60000; i++)
		fprintf(f, "{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":%d,\"ts\":1,\"dur\":1},",
			i);
	fputs("{}]", f);
}

static const struct {
	void (*put)(FILE *f);
	void (*run)(void);
} large[] = {
	{ put_stack, report_file },
	{ put_stack, render_file },
	{ put_lanes, report_file },
	{ put_lanes, render_file },
};

START_TEST(program_keeps_max_memory_within_a_tenth)
{
	struct ended ended;
	FILE *f;

	temp_folder_make();
	temp_folder_path(path, sizeof path, "large");
	f = fopen(path, "w");
	large[_i].put(f);
	ck_assert_int_eq(fclose(f), 0);
	run_limited(1000 * MB, large[_i].run, &ended);
	temp_folder_remove();
	ck_assert_int_eq(ended.status, 1);
	ck_assert_int_lt(ended.most, 66 * MB);
	ck_assert_msg(strstr(ended.text, "allowed") && strstr(ended.text, "MB"), "%s", ended.text);
}
END_TEST

static void (*const takers[])(void) = { take_many, take_one, take_growing, take_on_threads };

START_TEST(limit_is_kept_within_a_tenth)
{
	struct ended ended;

	run_limited(100 * MB, takers[_i], &ended);
	ck_assert_int_eq(ended.status, 1);
	ck_assert_int_lt(ended.most, ended.limit / 10 * 11);
}
END_TEST

START_TEST(message_at_the_limit_names_sizes_and_what_to_do)
{
	struct ended ended;

	run_limited(100 * MB, take_one, &ended);
	ck_assert_msg(strstr(ended.text, "MB or more would be needed") &&
			      strstr(ended.text, "MB are allowed") &&
			      strstr(ended.text, "--from") && strstr(ended.text, "--lane") &&
			      strstr(ended.text, "--max-memory"),
		      "%s", ended.text);
}
END_TEST

START_TEST(message_about_a_library_names_no_size)
{
	struct ended ended;

	run_limited(100 * MB, alloc_failed, &ended);
	ck_assert_int_eq(ended.status, 1);
	ck_assert_msg(!strstr(ended.text, "bytes") && strstr(ended.text, "--max-memory"), "%s",
		      ended.text);
}
END_TEST

static void take_little(void)
{
	memset(xmalloc((size_t)(50 * MB)), 1, (size_t)(50 * MB));
}

START_TEST(what_fits_is_allowed)
{
	struct ended ended;

	run_limited(100 * MB, take_little, &ended);
	ck_assert_msg(ended.status == 0, "%s", ended.text);
}
END_TEST

#endif

/* An array of 100 MB that is full would otherwise need 50 MB more for one item. */
START_TEST(large_array_grows_by_an_eighth)
{
	size_t cap = (size_t)(100 * MB);
	char *array = xgrow(xmalloc(cap), &cap, cap + 1, 1);

	ck_assert_uint_ge(cap, (size_t)(112 * MB));
	ck_assert_uint_lt(cap, (size_t)(113 * MB));
	free(array);
}
END_TEST

static bool count_tick(void *ctx, const struct progress *p)
{
	(void)p;
	++*(int *)ctx;
	return true;
}

/* The memory limit is looked at in between, however fast the file is read. */
START_TEST(progress_is_reported_every_mib)
{
	int n = 0;
	struct progress p = { .tick = count_tick, .ctx = &n };

	progress_start(&p, "Loading", 64 << 20);
	for (int i = 0; i < 256; i++)
		ck_assert(progress_add(&p, 256 << 10));
	ck_assert_int_ge(n, 60);
}
END_TEST

/* ---- what the machine and its groups leave ---- */

static int old_root = -1;

/* Files of the kernel in a folder that becomes the root. Returns false where that is not allowed.
 */
static bool enter_root(void)
{
	int fd = open("/", O_RDONLY | O_DIRECTORY);

	temp_folder_make();
	if (chroot(temp_folder) != 0 && (unshare(CLONE_NEWUSER) != 0 || chroot(temp_folder) != 0)) {
		close(fd);
		return false;
	}
	old_root = fd;
	return true;
}

static void leave_root(void)
{
	if (old_root >= 0) {
		ck_assert_int_eq(fchdir(old_root), 0);
		ck_assert_int_eq(chroot("."), 0);
	}
	temp_folder_remove();
}

/* Writes a file, and the folders that it needs. */
static void put_file(const char *name, const char *text)
{
	char folder[200];
	FILE *f;

	for (const char *slash = strchr(name + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		snprintf(folder, sizeof folder, "%.*s", (int)(slash - name), name);
		(void)mkdir(folder, 0755);
	}
	f = fopen(name, "w");
	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	ck_assert_int_eq(fclose(f), 0);
}

#define GROUP "/sys/fs/cgroup"
#define OLD_GROUP "/sys/fs/cgroup/memory"

static const struct {
	const char *rule;
	const char *files[8][2];
	int64_t available;
} machines[] = {
	{ "free memory of the machine",
	  { { "/proc/meminfo", "MemTotal: 900 kB\nMemAvailable:   500 kB\n" } },
	  500 * 1024 },
	{ "the own group leaves less",
	  { { "/proc/meminfo", "MemAvailable: 500 kB\n" },
	    { "/proc/self/cgroup", "0::/a/b\n" },
	    { GROUP "/a/b/memory.max", "300000\n" },
	    { GROUP "/a/b/memory.current", "100000\n" } },
	  200000 },
	{ "the machine leaves less",
	  { { "/proc/meminfo", "MemAvailable: 100 kB\n" },
	    { "/proc/self/cgroup", "0::/a/b\n" },
	    { GROUP "/a/b/memory.max", "300000\n" },
	    { GROUP "/a/b/memory.current", "100000\n" } },
	  100 * 1024 },
	{ "cached files count as free",
	  { { "/proc/meminfo", "MemAvailable: 500 kB\n" },
	    { "/proc/self/cgroup", "0::/a\n" },
	    { GROUP "/a/memory.max", "300000\n" },
	    { GROUP "/a/memory.current", "290000\n" },
	    { GROUP "/a/memory.stat", "anon 7\ninactive_file 20000\nactive_file 3000\n" } },
	  33000 },
	{ "a group above leaves less",
	  { { "/proc/meminfo", "MemAvailable: 500 kB\n" },
	    { "/proc/self/cgroup", "0::/a/b\n" },
	    { GROUP "/a/b/memory.max", "300000\n" },
	    { GROUP "/a/b/memory.current", "100000\n" },
	    { GROUP "/a/memory.max", "150000\n" },
	    { GROUP "/a/memory.current", "120000\n" } },
	  30000 },
	{ "the group of all",
	  { { "/proc/meminfo", "MemAvailable: 500 kB\n" },
	    { "/proc/self/cgroup", "0::/\n" },
	    { GROUP "/memory.max", "150000\n" },
	    { GROUP "/memory.current", "120000\n" } },
	  30000 },
	{ "nothing is left",
	  { { "/proc/meminfo", "MemAvailable: 500 kB\n" },
	    { "/proc/self/cgroup", "0::/a\n" },
	    { GROUP "/a/memory.max", "100000\n" },
	    { GROUP "/a/memory.current", "100001\n" } },
	  0 },
	{ "a group without a limit",
	  { { "/proc/meminfo", "MemAvailable: 500 kB\n" },
	    { "/proc/self/cgroup", "0::/a\n" },
	    { GROUP "/a/memory.max", "max\n" },
	    { GROUP "/a/memory.current", "100000\n" } },
	  500 * 1024 },
	{ "version 1 of groups",
	  { { "/proc/meminfo", "MemAvailable: 500 kB\n" },
	    { "/proc/self/cgroup", "5:cpu:/c\n4:memory:/a\nno colon\n3:pids:/a\n" },
	    { OLD_GROUP "/a/memory.limit_in_bytes", "200000\n" },
	    { OLD_GROUP "/a/memory.usage_in_bytes", "150000\n" } },
	  50000 },
	{ "version 1 without a limit",
	  { { "/proc/meminfo", "MemAvailable: 500 kB\n" },
	    { "/proc/self/cgroup", "4:memory:/a\n" },
	    { OLD_GROUP "/a/memory.limit_in_bytes", "9223372036854771712\n" },
	    { OLD_GROUP "/a/memory.usage_in_bytes", "150000\n" } },
	  500 * 1024 },
	{ "both versions",
	  { { "/proc/meminfo", "MemAvailable: 500 kB\n" },
	    { "/proc/self/cgroup", "4:memory:/a\n0::/b\n" },
	    { GROUP "/b/memory.max", "100000\n" },
	    { GROUP "/b/memory.current", "30000\n" },
	    { OLD_GROUP "/a/memory.limit_in_bytes", "200000\n" },
	    { OLD_GROUP "/a/memory.usage_in_bytes", "150000\n" } },
	  50000 },
};

START_TEST(available_is_the_least_of_machine_and_groups)
{
	bool is_allowed = enter_root();
	int64_t available = -1;

	if (is_allowed) {
		for (int i = 0; i < 8 && machines[_i].files[i][0]; i++)
			put_file(machines[_i].files[i][0], machines[_i].files[i][1]);
		available = memory_available();
	}
	leave_root();
	ck_assert_msg(!is_allowed || available == machines[_i].available, "%s: %lld",
		      machines[_i].rule, (long long)available);
}
END_TEST

/* Without /proc, it is what the machine has. */
START_TEST(available_without_proc_is_the_size_of_the_machine)
{
	int64_t all = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE), available = all,
		used = -1, mapped = -1;

	if (enter_root()) {
		available = memory_available();
		used = memory_used();
		mapped = memory_mapped();
	}
	leave_root();
	ck_assert_int_eq(available, all);
	ck_assert_int_eq(used, -1);
	ck_assert_int_eq(mapped, -1);
}
END_TEST

/* The second and the sixth number, in pages. */
START_TEST(used_and_mapped_are_those_of_statm)
{
	int64_t page = sysconf(_SC_PAGESIZE), used = 20 * page, mapped = 60 * page;

	if (enter_root()) {
		put_file("/proc/self/statm", "10 20 30 40 50 60 70\n");
		used = memory_used();
		mapped = memory_mapped();
	}
	leave_root();
	ck_assert_int_eq(used, 20 * page);
	ck_assert_int_eq(mapped, 60 * page);
}
END_TEST

/* A limit is never raised. */
START_TEST(the_smallest_limit_counts)
{
#ifndef ALLOC_SANITIZED
	int64_t limit = memory_mapped() + 1000 * MB;
	pid_t child = fork();
	int status;

	if (child == 0) {
		memory_limit(limit);
		if (memory_limit_get() != limit)
			_exit(1);
		memory_limit(limit + 1);
		if (memory_limit_get() != limit)
			_exit(2);
		memory_limit(limit - 1);
		_exit(memory_limit_get() == limit - 1 ? 0 : 3);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(WEXITSTATUS(status), 0);
#endif
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "memory", SUITE_SECONDS);

#ifndef ALLOC_SANITIZED
	tcase_add_loop_test(t, limit_is_kept_within_a_tenth, 0, N(takers));
	tcase_add_loop_test(t, program_keeps_max_memory_within_a_tenth, 0, N(large));
	tcase_add_test(t, message_at_the_limit_names_sizes_and_what_to_do);
	tcase_add_test(t, message_about_a_library_names_no_size);
	tcase_add_test(t, what_fits_is_allowed);
#endif
	tcase_add_test(t, large_array_grows_by_an_eighth);
	tcase_add_test(t, progress_is_reported_every_mib);
	tcase_add_loop_test(t, available_is_the_least_of_machine_and_groups, 0, N(machines));
	tcase_add_test(t, available_without_proc_is_the_size_of_the_machine);
	tcase_add_test(t, used_and_mapped_are_those_of_statm);
	tcase_add_test(t, the_smallest_limit_counts);
}

int main(void)
{
	return suite_run("memory", add_tests);
}

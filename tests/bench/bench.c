/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `make bench`: generates the inputs one after the other, measures, removes them, prints a table
 * and writes it as JSON. The README in this folder explains what is measured and how sizes are
 * chosen.
 *
 * The first process stays small: its children generate and read the files, and write their figures
 * into memory that they share with it. */
#include "config.h"

#include "base/alloc.h"
#include "counted.h"
#include "generate.h"
#include "subjects.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_SHEETS 8
#define NODE_BYTES 205u /* approximate size of the text of a generated profile */

/* An input: a trace if it has no samples. */
struct input_shape {
	char name[32];
	struct profile_shape profile;
	uint64_t trace_bytes;
};

/* For the signal handler. */
static char folder[1024], path[1100];
static volatile sig_atomic_t is_own_folder;

static void clean(void)
{
	if (*path)
		unlink(path);
	if (is_own_folder)
		rmdir(folder);
}

static void stop(int sig)
{
	clean();
	_exit(128 + sig);
}

static const char *program(void)
{
	const char *given = getenv("FLAMETTY");

	return given && *given ? given : "./flametty";
}

static uint64_t number(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

/* ---- the inputs ---- */

static void name_samples(struct input_shape *input, uint64_t samples)
{
	if (samples % 1000000 == 0)
		snprintf(input->name, sizeof input->name, "%" PRIu64 " M samples",
			 samples / 1000000);
	else
		snprintf(input->name, sizeof input->name, "%" PRIu64 " samples", samples);
}

static int list_inputs(struct input_shape inputs[MAX_SHEETS])
{
	const char *p = getenv("BENCH_SAMPLES");
	uint32_t nodes = (uint32_t)number("BENCH_NODES", 200000),
		 depth = (uint32_t)number("BENCH_DEPTH", 120);
	uint64_t node_mb = number("BENCH_NODE_MB", 200), trace_mb = number("BENCH_TRACE_MB", 100);
	int n = 0;
	char *end;

	for (p = p && *p ? p : "1000000 10000000"; n < MAX_SHEETS - 2; p = end) {
		uint64_t samples = strtoull(p, &end, 10);

		if (end == p)
			break;
		inputs[n].profile = (struct profile_shape){ samples, nodes < 16 ? 16 : nodes, depth,
							    5000 };
		name_samples(&inputs[n++], samples);
	}
	if (node_mb) {
		uint64_t many = node_mb * 1000000 / NODE_BYTES;

		snprintf(inputs[n].name, sizeof inputs[n].name, "many nodes");
		inputs[n++].profile = (struct profile_shape){ 150000, (uint32_t)many, 500, 5000 };
	}
	if (trace_mb) {
		snprintf(inputs[n].name, sizeof inputs[n].name, "trace");
		inputs[n++].trace_bytes = trace_mb * 1000000;
	}
	return n;
}

static void make(const struct input_shape *input)
{
	bool ok = input->trace_bytes ? generate_trace(path, input->trace_bytes)
				     : generate_profile(path, &input->profile);

	if (!ok)
		die("%s cannot be written", path);
}

/* ---- measuring ---- */

static void describe(struct sheet *sheet, const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->n_lanes; i++) {
		const struct lane *lane = &profile->lanes[i];

		sheet->samples += lane->samples.n;
		sheet->slices += lane->slices.n;
		sheet->nodes += lane->tree.n;
		if (lane->tree.max_rows > sheet->deepest)
			sheet->deepest = lane->tree.max_rows;
	}
}

static void ask(struct sheet *sheet)
{
	struct profile *profile = subject_load(path);
	struct subject subject = { sheet, profile, subject_lane(profile) };

	describe(sheet, profile);
	measure_draw(&subject);
	measure_range(&subject);
	measure_search(&subject);
	measure_findings(&subject);
	measure_output(&subject);
	sheet->is_done = true;
}

static bool in_child(const struct input_shape *input, struct sheet *sheet)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		if (sheet)
			ask(sheet);
		else
			make(input);
		_exit(0);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

static bool measure(const struct input_shape *input, struct sheet *sheet)
{
	struct stat st;
	bool ok;

	memcpy(sheet->name, input->name, sizeof sheet->name);
	snprintf(path, sizeof path, "%s/bench.%s", folder,
		 input->trace_bytes ? "json" : "cpuprofile");
	fprintf(stderr, "bench: %s\n", sheet->name);
	ok = in_child(input, NULL) && stat(path, &st) == 0;
	if (ok) {
		sheet->bytes = st.st_size;
		measure_load(sheet, path, (int64_t)number("BENCH_JSON_C_MB", 250) * 1000000);
		measure_wire(sheet, program(), path);
		ok = in_child(input, sheet);
	}
	unlink(path);
	*path = '\0';
	return ok && sheet->is_done && sheet->n_wrong == 0;
}

/* ---- the whole ---- */

static void open_folder(void)
{
	const char *given = getenv("BENCH_DIR"), *tmp = getenv("TMPDIR");

	if (given && *given) {
		snprintf(folder, sizeof folder, "%s", given);
		if (mkdir(folder, 0777) != 0 && errno != EEXIST)
			die("%s: %s", folder, strerror(errno));
	} else {
		snprintf(folder, sizeof folder, "%s/flametty-bench.XXXXXX",
			 tmp && *tmp ? tmp : "/tmp");
		if (!mkdtemp(folder))
			die("%s: %s", folder, strerror(errno));
		is_own_folder = 1;
	}
	signal(SIGINT, stop);
	signal(SIGTERM, stop);
	signal(SIGHUP, stop);
}

/* The `model name : ...` of the first processor; Linux only. */
static void processor(char out[128])
{
	FILE *file = fopen("/proc/cpuinfo", "r");
	char line[256];

	snprintf(out, 128, "unknown processor");
	while (file && fgets(line, sizeof line, file)) {
		const char *colon = strchr(line, ':');

		if (strncmp(line, "model name", 10) != 0 || !colon || !colon[1])
			continue;
		line[strcspn(line, "\n")] = '\0';
		snprintf(out, 128, "%.120s", colon + 2);
		break;
	}
	if (file)
		fclose(file);
}

#if defined(__clang__)
#define COMPILER "clang"
#define MAJOR __clang_major__
#elif defined(__GNUC__)
#define COMPILER "gcc"
#define MAJOR __GNUC__
#else
#define COMPILER "cc"
#define MAJOR 0
#endif
#ifndef __VERSION__
#define __VERSION__ "?"
#endif

static void machine(char out[512])
{
	const char *flags = getenv("BENCH_CFLAGS");
	char model[128];
	struct utsname u;

	processor(model);
	uname(&u);
	snprintf(out, 512, "%s, %ld processors, %.30s %.60s %.30s, %s %.60s %.60s", model,
		 sysconf(_SC_NPROCESSORS_ONLN), u.sysname, u.release, u.machine, COMPILER,
		 __VERSION__, flags ? flags : "");
}

static bool write_json(const struct sheet *sheets, int n, const char *about)
{
	const char *name = getenv("BENCH_JSON");
	FILE *out = fopen(name && *name ? name : "bench.json", "w");

	if (!out)
		return false;
	sheets_write_json(sheets, n, about, out);
	return fclose(out) == 0;
}

static int run(void)
{
	struct input_shape inputs[MAX_SHEETS] = { 0 };
	int n = list_inputs(inputs), n_failed = 0;
	struct sheet *sheets = mmap(NULL, MAX_SHEETS * sizeof *sheets, PROT_READ | PROT_WRITE,
				    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int64_t began = sheet_wall_ns();
	char about[512];

	if (sheets == MAP_FAILED)
		die("no memory to share");
	open_folder();
	for (int i = 0; i < n; i++)
		n_failed += !measure(&inputs[i], &sheets[i]);
	clean();
	machine(about);
	printf("%s\n\n", about);
	sheets_print(sheets, n, stdout);
	printf("\n%d s in all\n", (int)((sheet_wall_ns() - began) / 1000000000));
	if (!write_json(sheets, n, about))
		die("the JSON file cannot be written");
	if (n_failed)
		fprintf(stderr, "bench: %d of %d files failed\n", n_failed, n);
	return n_failed != 0;
}

static int print_wire(const char *file)
{
	struct sheet sheet = { .name = "one file" };

	measure_wire(&sheet, program(), file);
	sheets_print_wire(&sheet, 1, stdout);
	return sheet.wire[WIRE_START].keys == 0;
}

static int print_load(const char *file)
{
	struct sheet sheet = { .name = "one file" };
	struct stat st;

	if (stat(file, &st) != 0)
		die("%s: %s", file, strerror(errno));
	sheet.bytes = st.st_size;
	measure_load(&sheet, file, 0);
	describe(&sheet, subject_load(file));
	sheets_print_load(&sheet, 1, stdout);
	return sheet.figures[FIGURE_LOAD].runs == 0;
}

/* Instruction counts depend on compiler, machine and build options. */
static int about(void)
{
	struct utsname u;

	uname(&u);
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)
	printf("%s %d %s\n", COMPILER, MAJOR, u.machine);
#else
	printf("%s %d %s not optimised\n", COMPILER, MAJOR, u.machine);
#endif
	return 0;
}

int main(int argc, char **argv)
{
	static const struct profile_shape small = { 100000, 20000, 120, 2000 },
					  long_one = { 10000000, 200000, 120, 5000 };

	if (argc == 1)
		return run();
	if (argc == 2 && strcmp(argv[1], "about") == 0)
		return about();
	if (argc == 3 && strcmp(argv[1], "make") == 0)
		return !generate_profile(argv[2], &small);
	if (argc == 3 && strcmp(argv[1], "make-long") == 0)
		return !generate_profile(argv[2], &long_one);
	if (argc == 3 && strcmp(argv[1], "make-trace") == 0)
		return !generate_trace(argv[2], 10000000);
	if (argc == 3 && strcmp(argv[1], "wire") == 0)
		return print_wire(argv[2]);
	if (argc == 3 && strcmp(argv[1], "load") == 0)
		return print_load(argv[2]);
	if (argc == 4 && strcmp(argv[1], "count") == 0)
		return counted_main(argv[2], argv[3]);
	fputs("usage: bench | bench about | bench make|make-long|make-trace FILE\n"
	      "       bench load|wire FILE | bench count load|first|pan|report|figures FILE\n",
	      stderr);
	return 2;
}

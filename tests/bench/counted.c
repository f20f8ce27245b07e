/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "counted.h"

#include "base/alloc.h"
#include "base/sink.h"
#include "base/thread.h"
#include "read/load/load_file.h"
#include "read/reader.h"
#include "subjects.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

BENCH_NOT_INLINE struct profile *counted_load(const struct buf *text)
{
	struct stream *stream = stream_open_memory(text->data, text->len, SIZE_MAX);
	struct file_hints hints = { .pid = LANE_NO_ID, .tid = LANE_NO_ID };
	struct builder *b = builder_new(&(struct builder_options){ 0 });
	struct error err = ERROR_INIT;
	struct profile *profile = NULL;

	builder_input(b, "bench");
	if (load_file_stream(stream, &hints, NULL, b, &err))
		profile = builder_finish(b, &err);
	if (!profile)
		die("%s", err.text);
	stream_close(stream);
	return profile;
}

BENCH_NOT_INLINE void counted_frame(struct app *app, struct grid *grid)
{
	app_update(app, BUDGET_UNLIMITED);
	app_draw(app, grid);
}

BENCH_NOT_INLINE void counted_report(const struct scoped *scoped,
				     const struct report_options *options, struct sink *sink)
{
	report_write(&report_json, scoped, options, sink);
}

/* The JSON report of the whole profile. */
static void write_report(const struct profile *profile)
{
	struct report_options options = { .top = 10 };
	struct sink *sink = sink_open_memory();
	struct error err = ERROR_INIT;
	struct scoped scoped;

	scope_all(&options.scope, profile);
	if (!scoped_init(&scoped, profile, &options.scope, &err))
		die("%s", err.text);
	counted_report(&scoped, &options, sink);
	sink_drop(sink);
	scoped_done(&scoped);
	scope_done(&options.scope);
}

static void read_file(const char *path, struct buf *text)
{
	static char block[65536];
	FILE *file = fopen(path, "rb");
	size_t n;

	if (!file)
		die("%s cannot be opened", path);
	while ((n = fread(block, 1, sizeof block, file)) > 0)
		buf_add(text, block, n);
	fclose(file);
}

/* Only the last picture is counted: callgrind is started right before it. */
static void draw(const struct profile *profile, bool is_pan)
{
	struct app_options options = { .t0 = profile->t1 / 5, .t1 = profile->t1 / 10 * 3 };
	struct grid grid = { 0 };
	struct app *app = app_new(profile, is_pan ? &options : &(struct app_options){ 0 });

	app_resize(app, BENCH_ROWS, BENCH_COLS);
	if (is_pan) {
		app_update(app, BUDGET_UNLIMITED);
		app_command(app, CMD_PAN_RIGHT, 1);
	}
	counted_frame(app, &grid);
	app_free(app);
	grid_done(&grid);
}

/* All figures that need a loaded profile, and the loop that they are compared with. */
static int run_figures(const char *path)
{
	struct sheet sheet = { .name = "counted", .is_counting = true };
	struct profile *profile = subject_load(path);
	struct subject subject = { &sheet, profile, subject_lane(profile) };

	measure_draw(&subject);
	measure_range(&subject);
	measure_search(&subject);
	measure_findings(&subject);
	measure_output(&subject);
	profile_free(profile);
	return sheet.n_wrong != 0;
}

/* On one processor a picture is made by one thread. Callgrind would not count the other one. */
static void stay_alone(void)
{
#ifdef HAVE_PTHREAD_SETAFFINITY_NP
	int cpu = thread_cpu();
	cpu_set_t cpus;

	if (cpu < 0 || cpu >= CPU_SETSIZE)
		return;
	CPU_ZERO(&cpus);
	CPU_SET((size_t)cpu, &cpus);
	pthread_setaffinity_np(pthread_self(), sizeof cpus, &cpus);
#endif
}

int counted_main(const char *what, const char *path)
{
	struct buf text = { 0 };
	struct profile *profile;

	stay_alone();
	if (strcmp(what, "figures") == 0)
		return run_figures(path);
	read_file(path, &text);
	profile = counted_load(&text);
	if (strcmp(what, "load") == 0)
		printf("%zu\n", subject_lane(profile)->samples.n);
	else if (strcmp(what, "report") == 0)
		write_report(profile);
	else
		draw(profile, strcmp(what, "pan") == 0);
	profile_free(profile);
	buf_done(&text);
	return 0;
}

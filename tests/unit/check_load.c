/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loading in the background: previews, cancelling, too little memory; and an app that takes over
 * the state of another one of the same file. */
#include "config.h"

#include "suite.h"
#include "temp_folder.h"

#include "base/alloc.h"
#include "base/thread.h"
#include "read/load/load.h"
#include "ui/app.h"
#include "ui/app_state.h"
#include "ui/state.h"

#include <check.h>
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MANY 700000 /* events: some 50 MB */

static char path[256];

static void setup(void)
{
	temp_folder_make();
	temp_folder_path(path, sizeof path, "trace.json");
}

/* Slices of 8 us every 10 us on two threads, the first of them at `first`; is_whole: the list is
 * closed. */
static void put_events(FILE *f, int first, int n, bool is_whole)
{
	for (int i = first; i < first + n; i++)
		fprintf(f,
			"%s{\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"ts\":%d,\"dur\":8,\"name\":\"f%d\"}",
			i == first ? "" : ",\n", i % 2, 1000 + i * 5, i % 7);
	if (is_whole)
		fputs(",\n{\"ph\":\"C\",\"pid\":1,\"tid\":1,\"ts\":3000,\"name\":\"heap\",\"args\":{\"used\":5}}\n]\n",
		      f);
}

static void put_trace(int first, int n)
{
	FILE *f = fopen(path, "w");

	ck_assert_ptr_nonnull(f);
	fputs("[\n", f);
	put_events(f, first, n, true);
	ck_assert_int_eq(fclose(f), 0);
}

static struct load_options options_of(char **file)
{
	return (struct load_options){ .files = file, .n_files = 1, .has_previews = true };
}

#ifndef ALLOC_SANITIZED

/* Loads with too little memory. Returns 0, or which rule does not hold. */
static int load_without_memory(void)
{
	char *file = path;
	struct load_options o = options_of(&file);
	struct load_result result;
	struct load *l;

	/* The reserve takes 8 MiB, and the stack of the thread as much. */
	o.has_previews = false;
	o.max_memory = (int64_t)64 << 20;
	memory_limit(memory_mapped() + ((int64_t)32 << 20));
	l = load_begin(&o);
	while (!load_wait(l, 1000))
		;
	load_take(l, &result);
	if (result.profile)
		return 1;
	if (!strstr(buf_text(&result.messages), "trace.json: out of memory"))
		return 2;
	if (!load_is_reading(l))
		return 3;
	free(xmalloc((size_t)1 << 20));
	return 0;
}

/* The loader's thread is lost, with what it holds. The caller gets a message, and some memory. In a
 * process of its own, as its memory stays limited. */
START_TEST(a_loader_without_memory_leaves_the_program_running)
{
	int status;
	pid_t child;

	put_trace(0, MANY);
	child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0)
		_exit(load_without_memory());
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 0);
}
END_TEST

#endif

struct lost {
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	char text[100];
};

static bool note_lost(void *ctx, const char *text)
{
	struct lost *lost = ctx;

	pthread_mutex_lock(&lost->mutex);
	snprintf(lost->text, sizeof lost->text, "%s", text);
	pthread_cond_signal(&lost->changed);
	pthread_mutex_unlock(&lost->mutex);
	return true;
}

static void *die_here(void *ctx)
{
	(void)ctx;
	die("the end of %s", "this thread");
}

static void *start_one_that_dies(void *ctx)
{
	static pthread_t second;

	die_set_rescue(&(struct die_rescue){ note_lost, ctx });
	ck_assert(thread_start(&second, die_here, NULL));
	return NULL;
}

START_TEST(threads_share_the_rescue_of_the_one_that_started_them)
{
	static struct lost lost = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, "" };
	pthread_t first;

	ck_assert(thread_start(&first, start_one_that_dies, &lost));
	pthread_mutex_lock(&lost.mutex);
	while (!*lost.text)
		pthread_cond_wait(&lost.changed, &lost.mutex);
	pthread_mutex_unlock(&lost.mutex);
	ck_assert_str_eq(lost.text, "the end of this thread");
	pthread_join(first, NULL);
	ck_assert_ptr_null((void *)(uintptr_t)die_get_rescue().lost);
}
END_TEST

/* A preview is the beginning of the final profile. None is made if an eighth of the file is read
 * before the first report of progress, which depends on the machine: so there are several tries,
 * with larger and larger files. */
START_TEST(beginnings_come_first)
{
	char *file = path;
	struct load_options o = options_of(&file);
	int n_previews = 0;

	for (int i = 0; i < 40 && n_previews == 0; i++) {
		uint64_t n = (uint64_t)MANY << i / 10;
		struct load *l;
		struct load_result whole;
		struct profile *p = NULL;

		if (i % 10 == 0)
			put_trace(0, (int)n);
		l = load_begin(&o);
		while (!p && !load_wait(l, 1))
			p = load_preview(l);
		load_take(l, &whole);
		ck_assert_msg(whole.profile != NULL, "%s", buf_text(&whole.messages));
		ck_assert_uint_eq(whole.profile->lanes[0].n_spans, n / 2);
		if (p) {
			n_previews++;
			ck_assert(profile_warns(p, WARN_STOPPED));
			ck_assert(!profile_warns(p, WARN_CUT_OFF));
			ck_assert_uint_gt(p->lanes[0].n_spans, 0);
			ck_assert_uint_lt(p->lanes[0].n_spans, n / 2);
			ck_assert(p->t1 < whole.profile->t1);
			for (size_t k = 0; k < p->lanes[0].samples.n; k++)
				ck_assert(samples_time(&p->lanes[0].samples, k) ==
					  samples_time(&whole.profile->lanes[0].samples, k));
			load_give_back(l, p);
		}
		load_free(l);
		profile_free(whole.profile);
		buf_done(&whole.messages);
	}
	ck_assert_int_gt(n_previews, 0);
}
END_TEST

/* The first names of the directory are no files. */
START_TEST(a_directory_may_begin_with_directories)
{
	char *file = temp_folder, name[300];
	struct load_options o = options_of(&file);
	struct load_result result;
	struct load *l;

	for (int i = 0; i < 9; i++) {
		snprintf(name, sizeof name, "%s/a%d", temp_folder, i);
		ck_assert_int_eq(mkdir(name, 0700), 0);
	}
	put_trace(0, 10);
	l = load_begin(&o);
	load_take(l, &result);
	ck_assert_msg(result.profile != NULL, "%s", buf_text(&result.messages));
	ck_assert_uint_eq(result.profile->n_inputs, 1);
	profile_free(result.profile);
	buf_done(&result.messages);
	load_free(l);
}
END_TEST

/* Load from a pipe that gives what `put` writes and then nothing more; cancel after this many
 * bytes. */
static void stop_after(void (*put)(FILE *f), int64_t bytes, struct load_result *result)
{
	char *file = path;
	struct load_options o = options_of(&file);
	struct progress p = { 0 };
	const char *name;
	struct load *l;
	FILE *f;

	ck_assert_int_eq(mkfifo(path, 0600), 0);
	l = load_begin(&o);
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	put(f);
	fflush(f);
	while (p.done < bytes) {
		ck_assert(!load_wait(l, 5));
		load_progress(l, &p, &name);
	}
	load_stop(l);
	load_take(l, result);
	load_free(l);
	fclose(f);
	ck_assert_msg(result->profile != NULL, "%s", buf_text(&result->messages));
	ck_assert(profile_warns(result->profile, WARN_STOPPED));
}

static void put_open_list(FILE *f)
{
	fputs("[\n", f);
	put_events(f, 0, 1000, false);
}

/* A user who stops loading gets what was read. */
START_TEST(stopping_keeps_what_came)
{
	struct load_result result;

	stop_after(put_open_list, 1000 * 50, &result);
	ck_assert_uint_gt(result.profile->lanes[0].n_spans, 100);
	profile_free(result.profile);
	buf_done(&result.messages);
}
END_TEST

START_TEST(too_much_memory_is_said)
{
	char *file = path;
	struct load_options o = options_of(&file);
	struct load_result result;

	put_trace(0, MANY);
	o.max_memory = 1;
	load_all(&o, &result);
	ck_assert_ptr_null(result.profile);
	ck_assert_ptr_nonnull(strstr(buf_text(&result.messages), "all of it would take"));
	ck_assert_ptr_nonnull(strstr(buf_text(&result.messages), "--max-memory"));
	buf_done(&result.messages);
}
END_TEST

static struct profile *load_trace(int first, int n)
{
	char *file = path;
	struct load_options o = options_of(&file);
	struct load_result result;

	put_trace(first, n);
	load_all(&o, &result);
	ck_assert_msg(result.profile != NULL, "%s", buf_text(&result.messages));
	buf_done(&result.messages);
	return result.profile;
}

static struct app *app_of(const struct profile *p)
{
	struct app *app = app_new(p, &(struct app_options){ 0 });

	app_resize(app, 40, 100);
	return app;
}

/* An app for `p` that goes on with the state of another one. */
static struct app *app_after(const struct app *before, const struct profile *p)
{
	struct app_state state;
	struct app *app;

	app_state_get(before, &state);
	app = app_new(p, &(struct app_options){ .state = &state });
	app_state_done(&state);
	return app;
}

static void play(struct app *app, const char *keys)
{
	struct error err = ERROR_INIT;

	ck_assert_msg(script_play(&app, keys, NULL, &err), "%s", err.text);
}

/* Windows that were chosen while a preview was on the screen stay in the history. */
START_TEST(history_of_windows_goes_on)
{
	struct profile *part = load_trace(500, 500), *whole = load_trace(0, 2000);
	struct app *before = app_of(part), *after;
	int64_t t0[3], t1[3];

	for (int i = 0; i < 3; i++) {
		play(before, "w");
		t0[i] = before->s.view.t0 + part->origin_ns;
		t1[i] = before->s.view.t1 + part->origin_ns;
	}
	play(before, "(");
	after = app_after(before, whole);
	app_free(before);
	for (int i = 1; i >= 0; i--) {
		ck_assert_int_eq(after->s.view.t0 + whole->origin_ns, t0[i]);
		ck_assert_int_eq(after->s.view.t1 + whole->origin_ns, t1[i]);
		play(after, "(");
	}
	/* The first window was all that there was, and is all that there is. */
	ck_assert_int_eq(after->s.view.t0, 0);
	ck_assert_int_eq(after->s.view.t1, whole->t1);
	play(after, ")))");
	ck_assert_int_eq(after->s.view.t0 + whole->origin_ns, t0[2]);
	ck_assert_int_eq(after->s.view.t1 + whole->origin_ns, t1[2]);
	app_free(after);
	profile_free(part);
	profile_free(whole);
}
END_TEST

/* The whole file begins earlier than its first part: the window stays where it is on the clock of
 * the file. */
START_TEST(next_app_goes_on)
{
	struct profile *part = load_trace(500, 500), *whole = load_trace(0, 2000);
	struct app *before = app_of(part), *after;
	struct grid grid = { 0 };
	struct buf text = { 0 };
	int64_t t0, t1, origin = part->origin_ns;
	struct span span;

	ck_assert_int_lt(whole->origin_ns, part->origin_ns);
	play(before, "jjlllwww6/f3<Enter>n");
	t0 = before->s.view.t0 + origin;
	t1 = before->s.view.t1 + origin;
	span = before->s.chart.selected;
	ck_assert(app_is_settled(before));
	after = app_after(before, whole);
	app_free(before);
	profile_free(part);
	ck_assert_int_eq(after->s.view.t0 + whole->origin_ns, t0);
	ck_assert_int_eq(after->s.view.t1 + whole->origin_ns, t1);
	ck_assert(after->s.chart.has_selection);
	ck_assert_int_eq(after->s.chart.selected.t0 + whole->origin_ns, span.t0 + origin);
	ck_assert_ptr_nonnull(after->s.chart.matches.frames);
	app_set_loading(after, "loading 12 %");
	play(after, "2");
	app_update(after, BUDGET_UNLIMITED);
	app_draw(after, &grid);
	grid_format(&grid, false, &text);
	ck_assert_ptr_nonnull(strstr(buf_text(&text), "loading 12 %"));
	ck_assert_ptr_nonnull(strstr(buf_text(&text), "not available while loading"));
	ck_assert_ptr_nonnull(strstr(buf_text(&text), "6 Top-down"));
	app_set_loading(after, NULL);
	play(after, "2");
	app_update(after, BUDGET_UNLIMITED);
	app_draw(after, &grid);
	buf_clear(&text);
	grid_format(&grid, false, &text);
	ck_assert_ptr_null(strstr(buf_text(&text), "loading"));
	ck_assert_ptr_null(strstr(buf_text(&text), "not available"));
	app_free(after);
	profile_free(whole);
	grid_done(&grid);
	buf_done(&text);
}
END_TEST

/* A profile of n samples, each of another call than the one before, followed by their times if
 * they are there. */
static struct profile *load_samples(int n, bool has_times)
{
	FILE *f = fopen(path, "w");
	char *file = path;
	struct load_options o = options_of(&file);
	struct load_result result;

	ck_assert_ptr_nonnull(f);
	fputs("{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\"},\"children\":[2,3]}",
	      f);
	for (int i = 2; i < 4; i++)
		fprintf(f,
			",{\"id\":%d,\"callFrame\":{\"functionName\":\"f%d\",\"url\":\"a.js\",\"lineNumber\":%d}}",
			i, i, i);
	fputs("],\"startTime\":0,\"samples\":[", f);
	for (int i = 0; i < n; i++)
		fprintf(f, "%s%d", i ? "," : "", 2 + i % 2);
	fputs("],\"timeDeltas\":[", f);
	for (int i = 0; i < n && has_times; i++)
		fprintf(f, "%s%d", i ? "," : "", 100 + i * i);
	fputs("]}", f);
	ck_assert_int_eq(fclose(f), 0);
	load_all(&o, &result);
	ck_assert_msg(result.profile != NULL, "%s", buf_text(&result.messages));
	buf_done(&result.messages);
	return result.profile;
}

/* While times are made up, the selection is carried over by sample. */
START_TEST(place_is_a_sample)
{
	struct profile *part = load_samples(100, false), *whole = load_samples(300, true);
	struct app *before = app_of(part), *after;
	struct span was, is;

	ck_assert(profile_warns(part, WARN_DELTAS_MISSING) &&
		  !profile_warns(whole, WARN_DELTAS_MISSING));
	play(before, "lllllll<Enter>");
	was = before->s.chart.selected;
	after = app_after(before, whole);
	ck_assert(after->s.chart.has_selection);
	is = after->s.chart.selected;
	ck_assert_uint_eq(is.first, was.first);
	ck_assert_uint_eq(is.node, was.node);
	ck_assert_int_eq(after->s.view.t0, samples_time(&whole->lanes[0].samples, was.first));
	app_free(before);
	app_free(after);
	profile_free(part);
	profile_free(whole);
}
END_TEST

static void put_open_nodes(FILE *f)
{
	fputs("{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\"},\"children\":[2,3,4,5]}",
	      f);
	for (int i = 2; i < 1000; i++)
		fprintf(f,
			",{\"id\":%d,\"callFrame\":{\"functionName\":\"f%d\",\"url\":\"a.js\",\"lineNumber\":%d},\"hitCount\":%d}",
			i, i % 7, i % 7, i % 3);
}

/* Before the first sample there are only hit counts, which have no times: with samples the app
 * begins anew, but for the panes. */
START_TEST(nodes_alone_show_hits)
{
	struct load_result part;
	struct profile *whole;
	struct app *before, *after;

	stop_after(put_open_nodes, 50000, &part);
	unlink(path);
	ck_assert(!part.profile->lanes[0].has_timeline);
	ck_assert_ptr_nonnull(part.profile->lanes[0].hits);
	whole = load_samples(300, true);
	before = app_of(part.profile);
	play(before, "jjjjjj");
	after = app_after(before, whole);
	ck_assert(after->s.view.t0 == 0 && after->s.view.t1 == whole->t1);
	ck_assert_int_eq(after->s.chart.lane, 0);
	play(after, "l<Enter>");
	ck_assert(after->s.chart.has_selection);
	app_free(before);
	app_free(after);
	profile_free(part.profile);
	profile_free(whole);
	buf_done(&part.messages);
}
END_TEST

/* A lane without spans keeps the cursor without a selection, and a mouse event counts as touching.
 */
START_TEST(lane_without_spans)
{
	struct profile *part = load_trace(500, 500), *whole = load_trace(0, 2000);
	struct app *before = app_of(part), *after;
	struct app_mouse wheel = { .row = 8, .col = 50, .what = APP_MOUSE_WHEEL_UP };
	struct grid grid = { 0 };
	int64_t t0;

	app_update(before, BUDGET_UNLIMITED);
	app_draw(before, &grid);
	app_mouse(before, &wheel);
	t0 = before->s.view.t0 + part->origin_ns;
	for (int i = 0;
	     i < 8 && before->s.chart.lanes[before->s.chart.lane].lane->kind != LANE_COUNTER; i++)
		play(before, "]");
	ck_assert_int_eq(before->s.chart.lanes[before->s.chart.lane].lane->kind, LANE_COUNTER);
	after = app_after(before, whole);
	ck_assert_int_eq(after->s.chart.lanes[after->s.chart.lane].lane->kind, LANE_COUNTER);
	ck_assert(!after->s.chart.has_selection);
	ck_assert_int_eq(after->s.view.t0 + whole->origin_ns, t0);
	app_update(after, BUDGET_UNLIMITED);
	app_draw(after, &grid);
	app_free(before);
	app_free(after);
	profile_free(part);
	profile_free(whole);
	grid_done(&grid);
}
END_TEST

/* An app that was not touched is replaced by one that shows the whole; one with an open prompt is
 * not settled. */
START_TEST(untouched_app_begins_anew)
{
	struct profile *part = load_trace(0, 500), *whole = load_trace(0, 2000);
	struct app *before = app_of(part), *after;

	after = app_after(before, whole);
	ck_assert_int_eq(after->s.view.t1, whole->t1);
	app_key(before, '/');
	ck_assert(!app_is_settled(before));
	app_key(before, KEYC_ESC);
	ck_assert(app_is_settled(before));
	app_free(before);
	app_free(after);
	profile_free(part);
	profile_free(whole);
}
END_TEST

static const struct {
	const char *text;
	int64_t available, bytes;
} sizes[] = {
	{ "6G", -1, INT64_C(6000000000) },
	{ "800M", -1, 800000000 },
	{ "1.5GB", -1, 1500000000 },
	{ "12345", -1, 12345 },
	{ "1", -1, 1 },
	{ "0.5G", -1, 500000000 },
	{ "1e15", -1, INT64_C(1000000000000000) },
	{ "2k", -1, 2000 },
	{ "50%", 1000, 500 },
	{ "50%", -1, -1 },
	{ "", 1, -1 },
	{ "x", 1, -1 },
	{ "-1G", 1, -1 },
	{ "5x", 1, -1 },
	{ "5Gx", 1, -1 },
	{ "1e300T", 1, -1 },
	{ "0", 1, -1 },
};

START_TEST(sizes_are_read)
{
	int64_t bytes = -1;
	bool ok = memory_parse(sizes[_i].text, sizes[_i].available, &bytes);

	ck_assert_msg(ok == (sizes[_i].bytes >= 0), "%s", sizes[_i].text);
	if (ok)
		ck_assert_msg(bytes == sizes[_i].bytes, "%s: %" PRId64, sizes[_i].text, bytes);
}
END_TEST

static size_t count_open(void)
{
	DIR *folder = opendir("/proc/self/fd");
	size_t n = 0;

	while (folder && readdir(folder))
		n++;
	if (folder)
		closedir(folder);
	return n;
}

/* Of good and of faulty inputs, each by itself and all as one directory. */
START_TEST(no_file_stays_open)
{
	const char *top = getenv("srcdir");
	size_t before = count_open();
	char name[400], *file = name;
	struct dirent *entry = NULL;
	DIR *folder;

	if (before == 0)
		return; /* no /proc */
	snprintf(name, sizeof name, "%s/tests/input", top ? top : ".");
	folder = opendir(name);
	ck_assert_ptr_nonnull(folder);
	for (bool is_first = true; is_first || (entry = readdir(folder)); is_first = false) {
		struct load_options o = options_of(&file);
		struct load_result result;
		struct load *l;

		if (!is_first)
			snprintf(name, sizeof name, "%s/tests/input/%s", top ? top : ".",
				 entry->d_name);
		if (!is_first && entry->d_name[0] == '.')
			continue;
		l = load_begin(&o);
		load_take(l, &result);
		profile_free(result.profile);
		buf_done(&result.messages);
		load_free(l);
		ck_assert_msg(count_open() == before + 1, "%s", name);
	}
	closedir(folder);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tcase = suite_case(suite, "load", SUITE_SECONDS);

	tcase_add_checked_fixture(tcase, setup, temp_folder_remove);
	tcase_add_test(tcase, beginnings_come_first);
	tcase_add_test(tcase, a_directory_may_begin_with_directories);
	tcase_add_test(tcase, no_file_stays_open);
	tcase_add_test(tcase, stopping_keeps_what_came);
	tcase_add_test(tcase, too_much_memory_is_said);
	tcase_add_test(tcase, history_of_windows_goes_on);
	tcase_add_test(tcase, next_app_goes_on);
#ifndef ALLOC_SANITIZED
	tcase_add_test(tcase, a_loader_without_memory_leaves_the_program_running);
#endif
	tcase_add_test(tcase, threads_share_the_rescue_of_the_one_that_started_them);
	tcase_add_test(tcase, place_is_a_sample);
	tcase_add_test(tcase, nodes_alone_show_hits);
	tcase_add_test(tcase, lane_without_spans);
	tcase_add_test(tcase, untouched_app_begins_anew);
	tcase_add_loop_test(tcase, sizes_are_read, 0, N(sizes));
}

int main(void)
{
	return suite_run("load", add_tests);
}

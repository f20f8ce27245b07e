/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recordings of hosts, added up as they are read. */
#include "config.h"

#include "suite.h"
#include "temp_folder.h"

#include "model/build/builder.h"
#include "model/profile.h"
#include "read/load/fleet_read.h"
#include "read/load/fleet_sums.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define MS 1000000

static void write_text(const char *name, const char *text)
{
	char path[256];
	FILE *f;

	temp_folder_path(path, sizeof path, name);
	for (char *p = strchr(path + strlen(temp_folder) + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		mkdir(path, 0777);
		*p = '/';
	}
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
}

/* A recording in which `leaf` of a file runs for `ms`, called by main and by itself; then an
 * anonymous function of main runs for 10 ms, and idle time is 5 ms. */
static void write_run(const char *name, const char *leaf, const char *url, int ms)
{
	char text[2048];

	snprintf(
		text, sizeof text,
		"{\"nodes\":["
		"{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\",\"scriptId\":\"0\",\"url\":\"\","
		"\"lineNumber\":-1,\"columnNumber\":-1},\"children\":[2,6]},"
		"{\"id\":2,\"callFrame\":{\"functionName\":\"main\",\"scriptId\":\"9\","
		"\"url\":\"%s\",\"lineNumber\":0,\"columnNumber\":0},\"children\":[3,5]},"
		"{\"id\":3,\"callFrame\":{\"functionName\":\"%s\",\"scriptId\":\"9\",\"url\":\"%s\","
		"\"lineNumber\":%d,\"columnNumber\":0},\"children\":[4]},"
		"{\"id\":4,\"callFrame\":{\"functionName\":\"%s\",\"scriptId\":\"9\",\"url\":\"%s\","
		"\"lineNumber\":%d,\"columnNumber\":0}},"
		"{\"id\":5,\"callFrame\":{\"functionName\":\"\",\"scriptId\":\"9\",\"url\":\"%s\","
		"\"lineNumber\":%d,\"columnNumber\":0}},"
		"{\"id\":6,\"callFrame\":{\"functionName\":\"(idle)\",\"scriptId\":\"0\",\"url\":\"\","
		"\"lineNumber\":-1,\"columnNumber\":-1}}],"
		"\"startTime\":0,\"endTime\":%d,\"samples\":[3,4,5,6],\"timeDeltas\":[0,%d,%d,10000]}",
		url, leaf, url, ms, leaf, url, ms, url, ms + 1, (ms + 15) * 1000, ms * 500,
		ms * 500);
	write_text(name, text);
}

struct read {
	struct fleet *fleet;
	struct buf messages;
	struct error err;
};

static struct read read_all(struct fleet_options *o)
{
	struct read r = { .err = ERROR_INIT };
	struct progress progress = { 0 };
	char *files[] = { temp_folder };

	o->files = files;
	o->n_files = 1;
	r.fleet = fleet_read(o, &progress, &r.messages, &r.err);
	return r;
}

static void read_done(struct read *r)
{
	fleet_free(r->fleet);
	buf_done(&r->messages);
}

static const char *text_of(const struct fleet *f, str_id id)
{
	return intern_text(&f->strings, id);
}

/* The cell of a function; NULL: there is none. */
static const struct fleet_cell *cell_of(const struct fleet *f, const struct fleet_cells *cells,
					const char *name)
{
	for (size_t i = 0; i < cells->n; i++)
		if (strcmp(text_of(f, f->functions[cells->list[i].function].name), name) == 0)
			return &cells->list[i];
	return NULL;
}

START_TEST(adds_up_by_host)
{
	struct fleet_options o = { .labels.from = "{version}/{host}/" };
	struct read r;
	const struct fleet_group *g;

	write_run("1.4.0/h1/a.cpuprofile", "work", "file:///srv/app-1.4.0/x.js", 10);
	write_run("1.4.0/h1/b.cpuprofile", "work", "file:///srv/app-1.4.0/x.js", 30);
	write_run("1.4.1/h1/c.cpuprofile", "work", "file:///srv/app-1.4.1/x.js", 50);
	write_run("1.4.0/h2/d.cpuprofile", "work", "https://h2:80/srv/app-1.4.0/x.js?v=1", 20);
	r = read_all(&o);
	ck_assert_ptr_nonnull(r.fleet);
	ck_assert_uint_eq(r.fleet->n_read, 4);
	ck_assert_uint_eq(r.fleet->n_groups, 3);
	g = r.fleet->groups;
	ck_assert_str_eq(text_of(r.fleet, g[0].host), "h1");
	ck_assert_str_eq(text_of(r.fleet, g[0].version), "1.4.0");
	ck_assert_str_eq(text_of(r.fleet, g[1].version), "1.4.1");
	ck_assert_str_eq(text_of(r.fleet, g[2].host), "h2");
	ck_assert_uint_eq(g[0].facts.n_profiles, 2);
	ck_assert_int_eq(g[0].facts.busy_ns, 60 * MS);
	ck_assert_int_eq(g[0].facts.idle_ns, 10 * MS);
	ck_assert_uint_eq(g[0].facts.n_samples, 8);
	/* recursion counts once, and the function is one on both hosts, at whatever line */
	ck_assert_int_eq(cell_of(r.fleet, &g[0].cells, "work")->self_ns, 40 * MS);
	ck_assert_int_eq(cell_of(r.fleet, &g[0].cells, "work")->total_ns, 40 * MS);
	ck_assert_int_eq(cell_of(r.fleet, &g[0].cells, "main")->total_ns, 60 * MS);
	ck_assert_uint_eq(cell_of(r.fleet, &g[0].cells, "work")->n_profiles, 2);
	ck_assert_int_eq(cell_of(r.fleet, &g[0].cells, "(anonymous) in main")->self_ns, 20 * MS);
	ck_assert_uint_eq(cell_of(r.fleet, &g[0].cells, "work")->function,
			  cell_of(r.fleet, &g[2].cells, "work")->function);
	/* main, work, work below it, the anonymous function, idle */
	ck_assert_uint_eq(r.fleet->n_stacks, 6);
	ck_assert_uint_eq(r.messages.len, 0);
	read_done(&r);
}
END_TEST

START_TEST(leaves_out_what_counts_twice_or_not)
{
	struct fleet_options o = { .labels.from = "{host}/" };
	struct read r;

	write_run("h1/a.cpuprofile", "work", "/x.js", 10);
	write_run("h2/a.cpuprofile", "work", "/x.js", 10);
	write_text("h2/notes.txt", "no recording");
	write_text("h2/damaged.cpuprofile", "{\"nodes\":[{\"id\":1,\"callFr");
	write_text("h2/empty.cpuprofile", "");
	r = read_all(&o);
	ck_assert_ptr_nonnull(r.fleet);
	ck_assert_uint_eq(r.fleet->n_files, 5);
	ck_assert_uint_eq(r.fleet->n_read, 1);
	ck_assert_uint_eq(r.fleet->n_twice, 1);
	ck_assert_uint_eq(r.fleet->n_failed + r.fleet->n_other, 3);
	ck_assert_uint_eq(r.fleet->n_groups, 1);
	ck_assert_str_eq(text_of(r.fleet, r.fleet->groups[0].host), "h1");
	ck_assert_ptr_nonnull(strstr(buf_text(&r.messages), "damaged.cpuprofile"));
	read_done(&r);
}
END_TEST

START_TEST(has_sides_and_bins)
{
	struct fleet_options o = { .labels.from = "{version}/{time}.",
				   .before = "version=1",
				   .after = "version=2",
				   .by = "hour" };
	struct read r;

	write_run("1/2026-11-28T03:59:59Z.cpuprofile", "work", "/x.js", 10);
	write_run("1/2026-11-28T04:00:00Z.cpuprofile", "work", "/x.js", 20);
	write_run("2/1795838400.cpuprofile", "work", "/x.js", 30); /* 04:00 */
	write_run("3/CPU.20261128.051000.1.0.001.cpuprofile", "work", "/x.js", 40);
	write_run("2/sometime.cpuprofile", "work", "/x.js", 50);
	r = read_all(&o);
	ck_assert_ptr_nonnull(r.fleet);
	ck_assert_uint_eq(r.fleet->n_groups, 3);
	ck_assert_int_eq(r.fleet->groups[0].side, FLEET_BEFORE);
	ck_assert_int_eq(r.fleet->groups[1].side, FLEET_AFTER);
	ck_assert_int_eq(r.fleet->groups[2].side, FLEET_NO_SIDE);
	ck_assert_uint_eq(r.fleet->n_bins, 4);
	ck_assert(r.fleet->has_times);
	ck_assert_str_eq(text_of(r.fleet, r.fleet->bins[0].value), "2026-11-28 03:00");
	ck_assert_str_eq(text_of(r.fleet, r.fleet->bins[1].value), "2026-11-28 04:00");
	ck_assert_int_eq(r.fleet->bins[1].at, 1795838400);
	ck_assert_uint_eq(r.fleet->bins[1].facts.n_profiles, 2);
	ck_assert_int_eq(cell_of(r.fleet, &r.fleet->bins[1].cells, "work")->self_ns, 50 * MS);
	/* the date in the name, where `time` is none; then what is not known */
	ck_assert_str_eq(text_of(r.fleet, r.fleet->bins[2].value), "2026-11-28 05:00");
	ck_assert_uint_eq(r.fleet->bins[3].value, 0);
	ck_assert_int_eq(r.fleet->at_first, 1795838399);
	read_done(&r);
}
END_TEST

/* All that a fleet has, as text. */
static void print(const struct fleet *f, struct buf *out)
{
	for (uint32_t i = 0; i < f->n_functions; i++)
		buf_addf(out, "%s %s %s %016" PRIx64 "\n", text_of(f, f->functions[i].name),
			 text_of(f, f->functions[i].url), text_of(f, f->functions[i].file),
			 f->functions[i].key);
	for (uint32_t i = 1; i < f->n_stacks; i++)
		buf_addf(out, "%u %u\n", f->stack_parent[i], f->stack_function[i]);
	for (size_t i = 0; i < f->n_groups; i++) {
		const struct fleet_group *g = &f->groups[i];

		buf_addf(out, "%s %" PRId64 "\n", text_of(f, g->host), g->facts.busy_ns);
		for (size_t k = 0; k < g->cells.n; k++)
			buf_addf(out, "%u %" PRId64 "\n", g->cells.list[k].function,
				 g->cells.list[k].self_ns);
		for (size_t k = 0; k < g->n_selves; k++)
			buf_addf(out, "%u %" PRId64 "\n", g->selves[k].stack, g->selves[k].ns);
	}
}

/* Files of different lengths, read by many threads, give what one thread gives; the key of a
 * function is that of a fleet without the other files. */
START_TEST(does_not_depend_on_threads)
{
	struct buf texts[3] = { { 0 } };
	struct fleet_options o = { .labels.from = "{host}/" };
	uint64_t key = 0;

	for (int i = 0; i < 150; i++) {
		char name[64], leaf[64];

		snprintf(name, sizeof name, "h%d/%d.cpuprofile", i % 7, i);
		snprintf(leaf, sizeof leaf, "work%d", i % 11);
		write_run(name, leaf, i % 2 ? "/x.js" : "/y.js", 10 + i);
	}
	for (int k = 0; k < 3; k++) {
		struct read r;

		o.n_threads = k == 0 ? 1 : 8;
		r = read_all(&o);
		ck_assert_uint_eq(r.fleet->n_read, 150);
		print(r.fleet, &texts[k]);
		key = r.fleet->functions[0].key;
		read_done(&r);
	}
	ck_assert_str_eq(buf_text(&texts[0]), buf_text(&texts[1]));
	ck_assert_str_eq(buf_text(&texts[0]), buf_text(&texts[2]));
	o.labels.where = (const char *const[]){ "host=h0" };
	o.labels.n_where = 1;
	{
		struct read r = read_all(&o);

		ck_assert_uint_eq(r.fleet->n_groups, 1);
		ck_assert_uint_eq(r.fleet->functions[0].key, key);
		read_done(&r);
	}
	for (int k = 0; k < 3; k++)
		buf_done(&texts[k]);
}
END_TEST

static bool take_two(void *ctx, const struct fleet_profile *p)
{
	int *n = ctx;
	int64_t ns = 0;

	for (size_t i = 0; i < p->n_selves; i++)
		ns += p->selves[i].ns;
	ck_assert_int_eq(ns, p->facts.busy_ns + p->facts.idle_ns);
	ck_assert_uint_eq(p->n_labels, 1);
	ck_assert_int_eq(strncmp(p->labels[0].key.p, "host", 4), 0);
	return ++*n < 2;
}

START_TEST(tells_of_each_until_it_is_enough)
{
	int n = 0;
	struct fleet_options o = { .labels.from = "{host}/", .each = take_two, .each_ctx = &n };
	struct read r;

	for (int i = 0; i < 100; i++) {
		char name[64];

		snprintf(name, sizeof name, "h1/%03d.cpuprofile", i);
		write_run(name, "work", "/x.js", 10 + i);
	}
	r = read_all(&o);
	ck_assert_int_eq(n, 2);
	ck_assert_uint_eq(r.fleet->n_read, 2);
	read_done(&r);
}
END_TEST

static bool stop(void *ctx, const struct progress *p)
{
	(void)ctx;
	(void)p;
	return false;
}

START_TEST(stops)
{
	struct fleet_options o = { .labels.from = "{host}/" };
	struct progress progress = { .tick = stop };
	char *files[] = { temp_folder };
	struct buf messages = { 0 };
	struct error err = ERROR_INIT;
	struct fleet *fleet;

	for (int i = 0; i < 300; i++) {
		char name[64];

		snprintf(name, sizeof name, "h1/%03d.cpuprofile", i);
		write_run(name, "work", "/x.js", 10 + i);
	}
	o.files = files;
	o.n_files = 1;
	fleet = fleet_read(&o, &progress, &messages, &err);
	ck_assert(!fleet || fleet->is_stopped || fleet->n_read == 300);
	ck_assert_uint_eq(messages.len, 0);
	ck_assert_int_eq(err.kind, ERR_NONE);
	fleet_free(fleet);
}
END_TEST

START_TEST(becomes_a_profile_of_sums)
{
	struct fleet_options o = { .labels.from = "{host}/" };
	struct error err = ERROR_INIT;
	struct profile *p;
	struct read r;

	write_run("h1/a.cpuprofile", "work", "/srv/app-1.4.0/x.js", 10);
	write_run("h1/b.cpuprofile", "work", "/srv/app-1.4.0/x.js", 30);
	write_run("h2/d.cpuprofile", "work", "/srv/app-1.4.1/x.js", 20);
	r = read_all(&o);
	p = fleet_sums(r.fleet, &err);
	ck_assert_msg(p != NULL, "%s", err.text);
	ck_assert_uint_eq(p->n_lanes, 2);
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		const struct lane *lane = &p->lanes[i];
		uint32_t argument = p->inputs[lane->input].argument;

		ck_assert_int_eq(lane_worked_ns(lane), r.fleet->groups[argument].facts.busy_ns);
		ck_assert_int_eq(lane->idle_ns, r.fleet->groups[argument].facts.idle_ns);
		ck_assert(!lane_has_times(lane));
	}
	profile_free(p);
	read_done(&r);
}
END_TEST

START_TEST(says_that_there_is_nothing)
{
	struct fleet_options o = { 0 };
	struct read r;

	write_text("a/notes.txt", "no recording");
	r = read_all(&o);
	ck_assert_ptr_null(r.fleet);
	ck_assert_int_eq(r.err.kind, ERR_FORMAT);
	read_done(&r);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "read", SUITE_SECONDS);

	tcase_add_checked_fixture(t, temp_folder_make, temp_folder_remove);
	tcase_add_test(t, adds_up_by_host);
	tcase_add_test(t, leaves_out_what_counts_twice_or_not);
	tcase_add_test(t, has_sides_and_bins);
	tcase_add_test(t, does_not_depend_on_threads);
	tcase_add_test(t, tells_of_each_until_it_is_enough);
	tcase_add_test(t, stops);
	tcase_add_test(t, becomes_a_profile_of_sums);
	tcase_add_test(t, says_that_there_is_nothing);
}

int main(void)
{
	return suite_run("fleet_read", add_tests);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is loaded in part says the same, within the part, as what is loaded whole. */
#include "config.h"

#include "cli/options.h"
#include "cli/run.h"
#include "suite.h"
#include "temp_folder.h"

#include "analyse/view/scoped.h"
#include "base/alloc.h"
#include "read/load/load.h"
#include "write/export/export.h"
#include "write/report/report.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[256], out_path[256];

static void setup(void)
{
	temp_folder_make();
	temp_folder_path(path, sizeof path, "profile");
	temp_folder_path(out_path, sizeof out_path, "out");
}

/* ---- loading ---- */

static struct profile *load(const struct options *o, bool is_part)
{
	struct load_options lo = { .files = o->files,
				   .n_files = o->n_files,
				   .choose = scope_options_choose,
				   .choose_ctx = (void *)o,
				   .is_subset = is_part };
	struct load_result result;

	load_all(&lo, &result);
	buf_done(&result.messages);
	return result.profile;
}

/* ---- what is compared ---- */

/* Cut out of `text` all from `from` up to `to`, which stays. */
static void cut(struct buf *text, const char *from, const char *to)
{
	char *at = text->data;

	while (text->len && (at = strstr(at, from)) != NULL) {
		char *end = strstr(at + strlen(from), to);

		if (!end)
			break;
		memmove(at, end, text->len - (size_t)(end - text->data) + 1);
		text->len -= (size_t)(end - at);
	}
}

/* Cut all lines with `word` in them. */
static void cut_lines(struct buf *text, const char *word)
{
	char *at;

	while (text->len && (at = strstr(text->data, word)) != NULL) {
		char *end = strchr(at, '\n');

		while (at > text->data && at[-1] != '\n')
			at--;
		end = end ? end + 1 : text->data + text->len;
		memmove(at, end, text->len - (size_t)(end - text->data) + 1);
		text->len -= (size_t)(end - at);
	}
}

/* What a part cannot say, or says besides: how deep all of it is, and how often what was odd. */
static void forget(struct buf *text)
{
	static const char *const facts[][2] = {
		{ "\"warnings\": [", "], \"facts\"" },
		{ "\"facts\": [", "]}" },
		{ "\"nodes\": ", "\"timeline\"" },
		{ " \"not_loaded\": ", "\n" },
	};
	static const char *const lines[] = {
		"only a part was loaded",
		" deep\n",
		"not all of them loaded",
		"joined with the call",
		"of a node that does not exist",
		"on a row of its own",
		"flow events",
		"far from all others",
		"deepest row",
	};

	for (size_t i = 0; i < ARRAY_LEN(facts); i++)
		cut(text, facts[i][0], facts[i][1]);
	for (size_t i = 0; i < ARRAY_LEN(lines); i++)
		cut_lines(text, lines[i]);
	while (text->len && text->data[text->len - 1] == '\n')
		text->data[--text->len] = '\0';
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Lines of folded stacks have no order. */
static void sort_lines(struct buf *text)
{
	char **lines = NULL;
	size_t n = 0, cap = 0;
	struct buf sorted = { 0 };
	char *rest;

	for (char *line = text->len ? strtok_r(text->data, "\n", &rest) : NULL; line;
	     line = strtok_r(NULL, "\n", &rest)) {
		lines = xgrow(lines, &cap, n + 1, sizeof *lines);
		lines[n++] = line;
	}
	if (n)
		qsort(lines, n, sizeof *lines, by_text);
	for (size_t i = 0; i < n; i++)
		buf_addf(&sorted, "%s\n", lines[i]);
	free(lines);
	buf_done(text);
	*text = sorted;
}

/* How many stretches slices make is not known of a part: the ninth field from the end of a row is
 * empty. */
static void cut_stretches(struct buf *text)
{
	struct buf out = { 0 };
	char *rest;

	for (char *line = text->len ? strtok_r(text->data, "\n", &rest) : NULL; line;
	     line = strtok_r(NULL, "\n", &rest)) {
		char *end = line + strlen(line);
		int n = 0;

		while (end > line && n < 9)
			n += *--end == ',';
		buf_addf(&out, "%.*s%s\n", (int)(end - line), line, strchr(end + 1, ','));
	}
	buf_done(text);
	*text = out;
}

static void write_report(const struct options *o, const struct profile *p, const char *format,
			 unsigned table, struct buf *out)
{
	struct report_options ro = { .top = 10, .table = table };
	struct error err = ERROR_INIT;
	struct scoped scoped;
	struct sink *sink;

	ro.with = 1 << 0 | 1 << 1 /* tree, bottomup */;
	if (scope_options_find(o, p, &ro.scope, &err)) {
		ck_assert(scoped_init(&scoped, p, &ro.scope, &err));
		sink = sink_open_memory();
		report_find(format)->write(&scoped, &ro, sink);
		buf_add(out, sink_buf(sink)->data, sink_buf(sink)->len);
		sink_drop(sink);
		scoped_done(&scoped);
	} else {
		buf_adds(out, err.text);
	}
	scope_done(&ro.scope);
}

static void write_export(const struct options *o, const struct profile *p, const char *format,
			 bool is_slices, struct buf *out)
{
	struct export_options eo = { .is_slices = is_slices };
	struct error err = ERROR_INIT;
	struct scoped scoped;
	struct sink *sink;
	char block[4096];
	size_t n;
	FILE *f;

	if (scope_options_find(o, p, &eo.scope, &err)) {
		sink = sink_open(out_path, true, &err);
		ck_assert(scoped_init(&scoped, p, &eo.scope, &err));
		export_find(format)->write(scoped.profile, &eo, sink);
		scoped_done(&scoped);
		ck_assert(sink_close(sink, &err));
		f = fopen(out_path, "r");
		while ((n = fread(block, 1, sizeof block, f)) > 0)
			buf_add(out, block, n);
		fclose(f);
	}
	scope_done(&eo.scope);
}

#define N_TABLES 11 /* of CSV */

static void write_one(const struct options *o, const struct profile *p, int which, struct buf *out)
{
	if (which == 0)
		write_report(o, p, "text", 0, out);
	else if (which == 1)
		write_report(o, p, "json", 0, out);
	else if (which < 2 + N_TABLES)
		write_report(o, p, "csv", (unsigned)which - 2, out);
	else if (which == 2 + N_TABLES)
		write_export(o, p, "folded", false, out);
	else if (which == 3 + N_TABLES)
		write_export(o, p, "speedscope", false, out);
	else
		write_export(o, p, "trace", which == 5 + N_TABLES, out);
}

#define OUTPUTS (6 + N_TABLES)

static int n_refused;

/* Show where two texts part. */
static void differ(const struct options *o, int which, const struct buf *a, const struct buf *b)
{
	size_t at = 0, from;

	while (at < a->len && at < b->len && a->data[at] == b->data[at])
		at++;
	from = at < 150 ? 0 : at - 150;
	ck_abort_msg(
		"%s --from=%s --to=%s --lane=%s output %d:\nwhole: ...%.300s\npart: ...%.300s\n",
		o->files[0], o->from ? o->from : "", o->to ? o->to : "", o->lane ? o->lane : "",
		which, a->data + from, b->data + from);
}

static bool has_slices(const struct profile *p)
{
	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (p->lanes[i].kind == LANE_SLICES && p->lanes[i].n_left)
			return true;
	return false;
}

/* Both loads of a file, all outputs. Returns what was left out. */
static uint64_t compare(const struct options *o, const struct profile *whole)
{
	struct profile *part = load(o, true);
	uint64_t n_left = 0;

	/* Cases in which a survey does not know the times. */
	if (!part) {
		n_refused++;
		return 0;
	}
	for (uint32_t i = 0; i < part->n_lanes; i++)
		n_left += part->lanes[i].n_left;
	for (int i = 0; i < OUTPUTS; i++) {
		struct buf a = { 0 }, b = { 0 };

		write_one(o, whole, i, &a);
		write_one(o, part, i, &b);
		if (i == 8 && has_slices(part)) {
			cut_stretches(&a);
			cut_stretches(&b);
		} else if (i == 13) {
			sort_lines(&a);
			sort_lines(&b);
		} else if (i < 2) {
			forget(&a);
			forget(&b);
		}
		if (a.len != b.len || (a.len && memcmp(a.data, b.data, a.len) != 0))
			differ(o, i, &a, &b);
		buf_done(&a);
		buf_done(&b);
	}
	profile_free(part);
	return n_left;
}

static const struct {
	const char *from, *to, *lane;
} scopes[] = {
	{ NULL, "10%", NULL },         { "40%", "41%", NULL },    { "30%", "70%", NULL },
	{ "95%", NULL, NULL },         { NULL, "1us", NULL },     { "50%", "50.01%", NULL },
	{ NULL, NULL, "main" },        { NULL, NULL, "1" },       { "20%", "25%", "main" },
	{ NULL, NULL, "worker|pool" }, { "99.9%", "100%", NULL },
};

/* All scopes of a file. Returns what was left out. */
static uint64_t compare_scopes(const char *file)
{
	char *name = (char *)file;
	struct options o = { .files = &name, .n_files = 1 };
	struct profile *whole = load(&o, false);
	uint64_t n_left = 0;

	for (size_t i = 0; whole && i < ARRAY_LEN(scopes); i++) {
		o.from = scopes[i].from;
		o.to = scopes[i].to;
		o.lane = scopes[i].lane;
		n_left += compare(&o, whole);
	}
	profile_free(whole);
	return n_left;
}

START_TEST(examples_are_the_same)
{
	static const char *const files[] = {
		"build-tool/CPU.20261121.114553.5011.0.001.cpuprofile",
		"http-server/CPU.20261121.114550.4990.0.001.cpuprofile",
		"worker-threads",
		"self-profile/page-with-markers.json",
		"speedscope/image-queue.speedscope.json",
		"folded/site-build.folded",
	};

	const char *top = getenv("srcdir");

	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		char file[1000];

		snprintf(file, sizeof file, "%s/data/%s", top ? top : ".", files[i]);
		ck_assert_msg(compare_scopes(file) > 0 || i == ARRAY_LEN(files) - 1, "%s", file);
	}
}
END_TEST

/* ---- made up ---- */

/* The first four have profiles of each kind. */
#define SEEDS (suite_tries_all() ? 30 : 4)

static uint32_t seed;

static unsigned upto(unsigned n)
{
	seed = seed * 1664525u + 1013904223u;
	return (seed >> 8) % n;
}

#define NODES 40u
#define SAMPLES 5000u

/* What the rules for samples and times are about: collections in rows, lone (program), times that
 * run back, ids that no node has. */
static void put_profile(FILE *f, bool is_first_node, bool is_stamps)
{
	static const char *const names[] = { "(root)", "(program)", "(idle)",
					     "(garbage collector)" };
	unsigned at = 5, left = 0;
	int64_t t = 1000;

	fputs("{\"startTime\":1000,\"endTime\":50000000,", f);
	for (int part = 0; part < 2; part++) {
		if ((part == 0) == is_first_node) {
			fputs(part ? ",\"nodes\":[" : "\"nodes\":[", f);
			for (unsigned i = 0; i < NODES; i++) {
				fprintf(f, "%s{\"id\":%u,\"callFrame\":{\"functionName\":\"",
					i ? "," : "", i + 1);
				fprintf(f, i < 4 ? "%s" : "f%s%u", i < 4 ? names[i] : "", i % 11);
				fprintf(f,
					"\",\"scriptId\":\"%u\",\"url\":\"%s\",\"lineNumber\":%d,\"columnNumber\":1},\"hitCount\":0%s",
					i < 4 ? 0U : 7U, i < 4 ? "" : "file:///a.js",
					i < 4 ? -1 : (int)i % 11,
					i ? "" : ",\"children\":[2,3,4,5,6]");
				if (i > 5)
					fprintf(f, ",\"parent\":%u", 5 + upto(i - 4));
				fputs("}", f);
			}
			fputs("]", f);
			continue;
		}
		fputs(part ? ",\"samples\":[" : "\"samples\":[", f);
		for (unsigned i = 0; i<SAMPLES; i++, left -= left> 0) {
			if (left == 0) {
				at = upto(6) ? 5 + upto(NODES - 4) : 2 + upto(3);
				left = upto(30) ? 1 + upto(4) : 100;
			}
			fprintf(f, "%s%u", i ? "," : "", upto(300) ? upto(15) ? at : 2 : 77);
		}
		fputs(is_stamps ? "],\"timestamps\":[" : "],\"timeDeltas\":[", f);
		for (unsigned i = 0; i < SAMPLES + upto(2); i++) {
			int64_t delta = upto(50) ? 1000 + upto(300) : (int64_t)upto(2000) - 1500;

			t += delta;
			fprintf(f, "%s%lld", i ? "," : "", (long long)(is_stamps ? t : delta));
		}
		fputs("]", f);
	}
	fputs("}", f);
}

START_TEST(samples_are_the_same)
{
	FILE *f = fopen(path, "w");

	seed = (uint32_t)_i;
	put_profile(f, _i % 3 != 0, _i % 4 == 3);
	ck_assert_int_eq(fclose(f), 0);
	ck_assert_uint_gt(compare_scopes(path), 0);
	ck_assert_int_eq(n_refused, 0);
}
END_TEST

/* Slices that nest, overlap, touch and have no length, out of order; pairs, marks, counters, flows,
 * async operations. */
static void put_event(FILE *f, int64_t t, unsigned depth)
{
	int tid = 1 + (int)upto(3);
	unsigned kind = upto(12);
	/* Of a thread whose pairs are out of order no part can be loaded. */
	int64_t ts = t - (kind < 4 || upto(20) ? 0 : upto(300));

	fprintf(f, ",\n{\"pid\":%d,\"tid\":%d,\"cat\":\"c\",\"ts\":%lld,\"name\":\"n%u\",", tid / 3,
		tid, (long long)ts, upto(9));
	switch (kind) {
	case 0:
	case 1:
		fputs("\"ph\":\"B\"}", f);
		break;
	case 2:
	case 3:
		fputs("\"ph\":\"E\"}", f);
		break;
	case 4:
		fputs("\"ph\":\"i\",\"s\":\"t\"}", f);
		break;
	case 5:
		fprintf(f, "\"ph\":\"C\",\"args\":{\"v\":%u}}", upto(100));
		break;
	case 6:
		fprintf(f, "\"ph\":\"%c\",\"id\":%u,\"bp\":\"%s\"}", "stf"[upto(3)], upto(200),
			upto(2) ? "e" : "x");
		break;
	case 7:
		fprintf(f, "\"ph\":\"%c\",\"id\":%u}", "be"[upto(2)], upto(30));
		break;
	default:
		fprintf(f, "\"ph\":\"X\",\"dur\":%u}",
			upto(5)         ? upto(4) ? upto(8) : 0
				: depth ? upto(4000)
					: upto(40));
		break;
	}
}

START_TEST(events_are_the_same)
{
	FILE *f = fopen(path, "w");

	seed = (uint32_t)_i + 100;
	fputs("[{\"ph\":\"M\",\"pid\":0,\"tid\":1,\"name\":\"thread_name\",\"args\":{\"name\":\"pool\"}}",
	      f);
	for (int i = 0; i < 6000; i++)
		put_event(f, 100000 + i * 10, (unsigned)_i % 2);
	fputs("]\n", f);
	ck_assert_int_eq(fclose(f), 0);
	ck_assert_uint_gt(compare_scopes(path), 0);
	ck_assert_int_eq(n_refused, 0);
}
END_TEST

/* Events that are far from all others, before, after or on both sides, are no part of anything. */
START_TEST(stray_events_are_the_same)
{
	FILE *f = fopen(path, "w");

	seed = (uint32_t)_i + 200;
	fputs("[{\"ph\":\"M\",\"pid\":0,\"tid\":1,\"name\":\"thread_name\",\"args\":{\"name\":\"pool\"}}",
	      f);
	for (int i = 0; i < 2 && _i % 3 != 1; i++)
		put_event(f, 1000 + i * 10, 0);
	for (int i = 0; i < 6000; i++)
		put_event(f, 100000000 + i * 10, (unsigned)_i % 2);
	for (int i = 0; i < 2 && _i % 3 != 2; i++)
		put_event(f, 9000000000 + i * 10, 0);
	fputs("]\n", f);
	ck_assert_int_eq(fclose(f), 0);
	ck_assert_uint_gt(compare_scopes(path), 0);
}
END_TEST

/* A start or end time far from all samples is no part of anything. */
START_TEST(stray_start_and_end_are_the_same)
{
	FILE *f = fopen(path, "w");

	fputs("{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\"},\"children\":[2,3]},"
	      "{\"id\":2,\"callFrame\":{\"functionName\":\"a\"}},"
	      "{\"id\":3,\"callFrame\":{\"functionName\":\"b\"}}],",
	      f);
	fprintf(f, "\"startTime\":1000,\"endTime\":%s,\"samples\":[2",
		_i % 3 == 1 ? "200000000000" : "100006000000");
	for (int i = 1; i < 6000; i++)
		fprintf(f, ",%d", 2 + i / 7 % 2);
	fprintf(f, "],\"timeDeltas\":[%s", _i % 3 == 2 ? "100" : "99999999000");
	for (int i = 1; i < 6000; i++)
		fputs(",1000", f);
	fputs("]}", f);
	ck_assert_int_eq(fclose(f), 0);
	ck_assert_uint_gt(compare_scopes(path), 0);
}
END_TEST

/* Where samples are stray, nothing is loaded in part. */
START_TEST(stray_samples_are_refused)
{
	char *name = path;
	struct options o = { .files = &name, .n_files = 1, .from = "50%" };
	struct profile *whole;
	FILE *f = fopen(path, "w");

	fputs("{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\"},\"children\":[2]},"
	      "{\"id\":2,\"callFrame\":{\"functionName\":\"a\"}}],\"startTime\":1000,\"samples\":[2,2,2,2],"
	      "\"timeDeltas\":[0,72000000,1000,1000]}",
	      f);
	ck_assert_int_eq(fclose(f), 0);
	whole = load(&o, false);
	ck_assert_ptr_nonnull(whole);
	ck_assert_int_eq(whole->t1, 3000000);
	n_refused = 0;
	compare(&o, whole);
	ck_assert_int_eq(n_refused, 1);
	profile_free(whole);
}
END_TEST

#define PAIR(ph, name, ts)                                                                         \
	"{\"ph\":\"" ph "\",\"name\":\"" name "\",\"pid\":1,\"tid\":1,\"ts\":" #ts "}"
#define SLICE(name, ts, dur)                                                                       \
	"{\"ph\":\"X\",\"name\":\"" name "\",\"pid\":1,\"tid\":1,\"ts\":" #ts ",\"dur\":" #dur "}"

static const struct {
	const char *text, *from;
	bool is_refused;
} odd[] = {
	/* Pairs that are passed before it is known that they are out of order. */
	{ "[" PAIR("B", "a", 10) "," PAIR("E", "a", 20) "," PAIR("B", "a", 12) "," PAIR(
		  "E", "a", 15) "," PAIR("B", "a", 18) "," PAIR("E", "a", 30) "]",
	  "1us", true },
	{ "[" PAIR("B", "a", 10) "," PAIR("E", "", 20) "," PAIR("B", "c", 12) "," PAIR(
		  "E", "", 30) "," SLICE("q", 40, 5) "]",
	  "1us", true },
	/* An end that waits for a begin of its instant. */
	{ "[" PAIR("E", "z", 5) "," PAIR("B", "z", 5) "," PAIR("E", "z", 7) "," SLICE("q", 20,
										      5) "]",
	  "1us", false },
	{ "[" PAIR("E", "z", 5) "," PAIR("B", "y", 5) "," PAIR("B", "z", 5) "," PAIR(
		  "E", "z", 7) "," PAIR("E", "y", 9) "," SLICE("q", 20, 5) "]",
	  "0us", false },
	/* One that is cut by a slice that is not kept. */
	{ "[" SLICE("A", 0, 10) "," SLICE("B", 2, 8.9) "," SLICE("C", 15, 5) "]", "10.5us", false },
};

START_TEST(odd_ones_are_the_same_or_refused)
{
	char *name = path;
	struct options o = { .files = &name, .n_files = 1, .from = odd[_i].from };
	struct profile *whole;
	FILE *f = fopen(path, "w");

	fputs(odd[_i].text, f);
	ck_assert_int_eq(fclose(f), 0);
	whole = load(&o, false);
	ck_assert_ptr_nonnull(whole);
	n_refused = 0;
	compare(&o, whole);
	ck_assert_int_eq(n_refused, odd[_i].is_refused);
	profile_free(whole);
}
END_TEST

#define TWO_NODES                                                                                  \
	"{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\"},\"children\":[2]},{\"id\":2,\"callFrame\":{\"functionName\":\"a\"}}],"

/* Two lists of samples, the first the longer: what the survey counted of that is not there. */
START_TEST(samples_that_others_replace)
{
	char *name = path;
	struct options o = { .files = &name, .n_files = 1, .from = "50%" };
	struct profile *whole;
	FILE *f = fopen(path, "w");

	fputs(TWO_NODES "\"startTime\":1000000,\"endTime\":1002000,\"samples\":[2", f);
	for (int i = 0; i < 5000; i++)
		fputs(",2", f);
	fputs("],\"samples\":[1,2,1,2],\"timeDeltas\":[0,100,100,100]}", f);
	ck_assert_int_eq(fclose(f), 0);
	whole = load(&o, false);
	ck_assert_ptr_nonnull(whole);
	compare(&o, whole);
	profile_free(whole);
}
END_TEST

/* A profile with a long way through blanks in the middle of its times. */
static void put_long_way(void)
{
	static char blanks[1 << 20];
	FILE *f = fopen(path, "w");

	memset(blanks, ' ', sizeof blanks);
	fputs(TWO_NODES "\"startTime\":1000000,\"samples\":[2", f);
	for (int i = 0; i < 1000; i++)
		fputs(i % 2 ? ",2" : ",1", f);
	fputs("],\"timeDeltas\":[0", f);
	for (int i = 0; i < 1000; i++) {
		fputs(",1000", f);
		for (int k = 0; i == 500 && k < 100; k++)
			fwrite(blanks, 1, sizeof blanks, f);
	}
	fputs("]}", f);
	ck_assert_int_eq(fclose(f), 0);
}

/* Who stops has what was read of the part. */
START_TEST(stopping_keeps_what_came_of_the_part)
{
	char *name = path;
	struct options o = { .files = &name, .n_files = 1, .to = "90%" };
	struct load_options lo = { .files = o.files,
				   .n_files = 1,
				   .choose = scope_options_choose,
				   .choose_ctx = &o,
				   .is_subset = true };
	bool was_stopped = false;

	put_long_way();
	for (int i = 0; i < 20 && !was_stopped; i++) {
		struct load *l = load_begin(&lo);
		struct load_result result;

		while (!load_wait(l, 1)) {
			struct progress p = { 0 };
			const char *file;

			load_progress(l, &p, &file);
			if (p.doing && strstr(p.doing, "Loading a part") && p.done > p.total / 10)
				load_stop(l);
		}
		load_take(l, &result);
		load_free(l);
		ck_assert_msg(result.profile != NULL, "%s", buf_text(&result.messages));
		was_stopped = profile_warns(result.profile, WARN_STOPPED);
		profile_free(result.profile);
		buf_done(&result.messages);
	}
	ck_assert(was_stopped);
}
END_TEST

/* One slice too late for any order: then numbers do not tell lanes, but threads do. */
START_TEST(numbers_may_not_be_known)
{
	char *name = path;
	struct options o = { .files = &name, .n_files = 1, .lane = "2" };
	struct profile *p;
	FILE *f = fopen(path, "w");

	fputs("[", f);
	for (int i = 0; i < 40000; i++)
		fprintf(f,
			"{\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"ts\":%d,\"dur\":15,\"name\":\"a\"},\n",
			1 + i % 2, 1000 + i * 5);
	fputs("{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":1000,\"dur\":500,\"name\":\"b\"}]", f);
	ck_assert_int_eq(fclose(f), 0);
	ck_assert_ptr_null(load(&o, true));
	o.lane = "1:2";
	o.from = "50%";
	p = load(&o, true);
	ck_assert_ptr_nonnull(p);
	ck_assert(profile_warns(p, WARN_SUBSET));
	ck_assert_uint_gt(p->lanes[0].n_left, 0);
	profile_free(p);
	o.lane = "1";
	p = load(&o, true);
	ck_assert_ptr_nonnull(p);
	profile_free(p);
}
END_TEST

/* ---- what fits ---- */

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define KEEPS_WHAT_IS_FREED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
	__has_feature(memory_sanitizer)
#define KEEPS_WHAT_IS_FREED 1
#endif
#endif
#ifndef KEEPS_WHAT_IS_FREED
#define KEEPS_WHAT_IS_FREED 0
#endif

#define MANY 1500000

static void put_large(FILE *f, bool is_trace)
{
	if (is_trace) {
		fputs("[{\"ph\":\"M\",\"pid\":1,\"tid\":2,\"name\":\"thread_name\",\"args\":{\"name\":\"small\"}}",
		      f);
		for (int i = 0; i < MANY; i++)
			fprintf(f,
				",\n{\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"ts\":%d,\"dur\":8,\"name\":\"a\"}",
				i % 50 ? 1 : 2, 1000 + i * 10);
		fputs("]", f);
		return;
	}
	fputs(TWO_NODES "\"startTime\":5,\"samples\":[2", f);
	for (int i = 1; i < 4 * MANY; i++)
		fputs(i % 3 ? ",2" : ",1", f);
	fputs("],\"timeDeltas\":[7", f);
	for (int i = 1; i < 4 * MANY; i++)
		fputs(",100", f);
	fputs("]}", f);
}

/* The value of an option that the message names; NULL: it does not. */
static char *option_of(const struct buf *messages, const char *name)
{
	const char *at = strstr(buf_text(messages), name);

	return at ? xstrndup(at + strlen(name), strcspn(at + strlen(name), " ,.(\n")) : NULL;
}

static struct profile *load_within(const struct options *o, int64_t most, struct buf *messages)
{
	struct load_options lo = { .files = o->files, .n_files = 1, .max_memory = most };
	struct load_result result;

	if (o->to || o->lane) {
		lo.choose = scope_options_choose;
		lo.choose_ctx = (void *)o;
	}
	load_all(&lo, &result);
	*messages = result.messages;
	return result.profile;
}

static void must_load(const struct options *o, int64_t most)
{
	struct buf messages;
	struct profile *p = load_within(o, most, &messages);

	ck_assert_msg(p != NULL, "--to=%s --lane=%s: %s", o->to ? o->to : "",
		      o->lane ? o->lane : "", buf_text(&messages));
	ck_assert(profile_warns(p, WARN_SUBSET));
	profile_free(p);
	buf_done(&messages);
}

START_TEST(what_is_proposed_fits)
{
	char *name = path, *to, *lane;
	struct options o = { .files = &name, .n_files = 1 };
	struct buf messages;
	int64_t most;
	FILE *f = fopen(path, "w");

	put_large(f, _i == 0);
	ck_assert_int_eq(fclose(f), 0);
	memory_give_back();
	most = memory_used() + (24 << 20);
	ck_assert_ptr_null(load_within(&o, most, &messages));
	to = option_of(&messages, "--to=");
	lane = option_of(&messages, "--lane=");
	ck_assert_msg(to != NULL && (lane != NULL) == (_i == 0), "%s", buf_text(&messages));
	o.to = to;
	must_load(&o, most);
	o.to = NULL;
	o.lane = lane;
	if (lane) {
		ck_assert_str_eq(lane, "1:2");
		must_load(&o, most);
	}
	buf_done(&messages);
	/* The requested subset is too large as well: the message says so, and what would fit. */
	o.lane = NULL;
	o.to = "99%";
	ck_assert_ptr_null(load_within(&o, most, &messages));
	ck_assert_ptr_nonnull(strstr(buf_text(&messages), "what you asked for"));
	ck_assert_ptr_nonnull(strstr(buf_text(&messages), "--to="));
	buf_done(&messages);
	free(to);
	free(lane);
}
END_TEST

/* PART_FILES='FILE ...': these instead, for what is too large to be here. */
START_TEST(others_are_the_same)
{
	char *names = xstrdup(getenv("PART_FILES")), *rest;

	for (char *name = strtok_r(names, " \n", &rest); name; name = strtok_r(NULL, " \n", &rest))
		printf("%s: %llu left out", name, (unsigned long long)compare_scopes(name)),
			printf(", %d refused\n", n_refused);
	free(names);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *parts = suite_case(suite, "parts", 600);

	tcase_add_checked_fixture(parts, setup, temp_folder_remove);
	if (getenv("PART_FILES")) {
		tcase_add_test(parts, others_are_the_same);
	} else {
		tcase_add_test(parts, examples_are_the_same);
		tcase_add_loop_test(parts, samples_are_the_same, 0, SEEDS);
		tcase_add_loop_test(parts, events_are_the_same, 0, SEEDS);
		tcase_add_loop_test(parts, stray_events_are_the_same, 0, SEEDS);
		tcase_add_loop_test(parts, stray_start_and_end_are_the_same, 0, 3);
		tcase_add_test(parts, stray_samples_are_refused);
		tcase_add_test(parts, numbers_may_not_be_known);
		tcase_add_loop_test(parts, odd_ones_are_the_same_or_refused, 0, N(odd));
		tcase_add_test(parts, samples_that_others_replace);
		tcase_add_test(parts, stopping_keeps_what_came_of_the_part);
		/* Sanitizers keep what is freed. */
		if (!KEEPS_WHAT_IS_FREED)
			tcase_add_loop_test(parts, what_is_proposed_fits, 0, 2);
	}
}

int main(void)
{
	return suite_run("part", add_tests);
}

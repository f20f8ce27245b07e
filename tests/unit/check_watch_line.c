/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `flametty watch` prints, how much of it, and where it writes; the values of its options. */
#include "config.h"

#include "suite.h"

#include "record/watch_command.h"
#include "record/watch_line.c"
#include "record/watch_thread.c"
#include "temp_folder.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MS INT64_C(1000000)
#define SECOND (1000 * MS)
#define WALL (INT64_C(1795403564123) * MS) /* 2026-11-23 03:12:44.123 */

/* ---- lines ---- */

static void use_zone(const char *zone)
{
	setenv("TZ", zone, 1);
	tzset();
}

static void says(const struct watch_line *line, const char *text, const char *json)
{
	struct buf out = { 0 };

	watch_line_text(line, &out);
	ck_assert_str_eq(buf_text(&out), text);
	buf_clear(&out);
	watch_line_json(line, &out);
	ck_assert_str_eq(buf_text(&out), json);
	buf_done(&out);
}

START_TEST(time_has_milliseconds_and_zone)
{
	static const struct {
		const char *zone, *expect;
	} cases[] = {
		{ "UTC0", "2026-11-23T03:12:44.123+00:00" },
		{ "CET-1", "2026-11-23T04:12:44.123+01:00" },
		{ "NST3:30", "2026-11-22T23:42:44.123-03:30" },
	};
	struct buf out = { 0 };

	use_zone(cases[_i].zone);
	watch_line_time(WALL, &out);
	ck_assert_str_eq(buf_text(&out), cases[_i].expect);
	buf_done(&out);
}
END_TEST

START_TEST(stall)
{
	struct blame blame = { .line = 8, .column = 20, .share = 0.75 };
	struct watch_line line = { .kind = WATCH_STALL,
				   .wall_ns = WALL,
				   .length_ns = 412 * MS,
				   .pid = 4711,
				   .blame = &blame,
				   .file = "d/CPU.1.cpuprofile" };

	use_zone("UTC0");
	buf_adds(&blame.text, "render a.js:8 75 %");
	buf_adds(&blame.name, "render");
	buf_adds(&blame.url, "file:///a.js");
	says(&line,
	     "2026-11-23T03:12:44.123+00:00 4711 stall at most 412 ms: render a.js:8 75 % > "
	     "d/CPU.1.cpuprofile\n",
	     "{\"time\":\"2026-11-23T03:12:44.123+00:00\",\"event\":\"stall\",\"pid\":4711,"
	     "\"worker\":0,\"duration_us\":412000,\"at_most\":true,\"text\":\"render a.js:8 75 %\","
	     "\"function\":{\"name\":\"render\",\"url\":\"file:///a.js\",\"line\":8,\"column\":20,"
	     "\"share\":0.7500},\"file\":\"d/CPU.1.cpuprofile\"}\n");
	blame_done(&blame);
}
END_TEST

START_TEST(share_of_a_worker_by_address)
{
	struct watch_line line = { .kind = WATCH_GC,
				   .wall_ns = WALL,
				   .length_ns = 10 * SECOND,
				   .address = "127.0.0.1:9222",
				   .tid = 3,
				   .ns = 4300 * MS };

	use_zone("UTC0");
	says(&line, "2026-11-23T03:12:44.123+00:00 127.0.0.1:9222/3 gc 43 % of 10.0 s\n",
	     "{\"time\":\"2026-11-23T03:12:44.123+00:00\",\"event\":\"gc\","
	     "\"address\":\"127.0.0.1:9222\",\"worker\":3,\"duration_us\":10000000,"
	     "\"share\":0.4300}\n");
}
END_TEST

START_TEST(the_process_hardly_ran)
{
	struct watch_line line = { .kind = WATCH_STARVED,
				   .wall_ns = WALL,
				   .length_ns = 323 * MS,
				   .pid = 1,
				   .ns = 14 * MS };

	use_zone("UTC0");
	says(&line,
	     "2026-11-23T03:12:44.123+00:00 1 starved at most 323 ms, in which the process hardly "
	     "ran\n",
	     "{\"time\":\"2026-11-23T03:12:44.123+00:00\",\"event\":\"starved\",\"pid\":1,"
	     "\"worker\":0,\"duration_us\":323000,\"at_most\":true,\"ran_us\":14000}\n");
}
END_TEST

START_TEST(memory_that_grows)
{
	const struct watch_site sites[] = { { "a\n", "file:///a.js", 8, 20, 7 << 20, 0.75 },
					    { "b", "", 0, 0, 1 << 20, 0.25 } };
	struct watch_line line = { .kind = WATCH_GROW,
				   .wall_ns = WALL,
				   .length_ns = 60 * SECOND,
				   .pid = 1,
				   .ns = 20000000,
				   .text = "a\n a.js:8 7 MB",
				   .sites = sites,
				   .n_sites = 2 };

	use_zone("UTC0");
	says(&line, "2026-11-23T03:12:44.123+00:00 1 grow 20.0 MB within 60.0 s: a^J a.js:8 7 MB\n",
	     "{\"time\":\"2026-11-23T03:12:44.123+00:00\",\"event\":\"grow\",\"pid\":1,"
	     "\"worker\":0,\"duration_us\":60000000,\"grown_bytes\":20000000,\"sites\":["
	     "{\"name\":\"a\\n\",\"url\":\"file:///a.js\",\"line\":8,\"column\":20,"
	     "\"bytes\":7340032,\"share\":0.7500},{\"name\":\"b\",\"url\":\"\",\"line\":0,"
	     "\"column\":0,\"bytes\":1048576,\"share\":0.2500}],\"text\":\"a\\n a.js:8 7 MB\"}\n");
}
END_TEST

START_TEST(many_short_calls)
{
	struct watch_line line = { .kind = WATCH_SERIES,
				   .wall_ns = WALL,
				   .length_ns = 323 * MS,
				   .pid = 1,
				   .ns = 14 * MS };

	use_zone("UTC0");
	says(&line,
	     "2026-11-23T03:12:44.123+00:00 1 series at most 323 ms, of calls that took at most "
	     "14.0 ms each\n",
	     "{\"time\":\"2026-11-23T03:12:44.123+00:00\",\"event\":\"series\",\"pid\":1,"
	     "\"worker\":0,\"duration_us\":323000,\"at_most\":true,\"call_us\":14000}\n");
}
END_TEST

START_TEST(stalls_without_lines)
{
	struct watch_line line = { .kind = WATCH_LEFT_OUT,
				   .wall_ns = WALL,
				   .length_ns = 323 * MS,
				   .pid = 1,
				   .n = 7 };

	use_zone("UTC0");
	says(&line,
	     "2026-11-23T03:12:44.123+00:00 1 left-out 7 more stalls, the longest at most 323 ms\n",
	     "{\"time\":\"2026-11-23T03:12:44.123+00:00\",\"event\":\"left-out\",\"pid\":1,"
	     "\"worker\":0,\"duration_us\":323000,\"at_most\":true,\"count\":7}\n");
}
END_TEST

/* What comes from the process cannot control a terminal, or end a line. */
START_TEST(texts_are_visible)
{
	struct watch_line line = { .kind = WATCH_BEGIN,
				   .wall_ns = WALL,
				   .pid = 1,
				   .text = "node \033[2J\n\"a\"" };

	use_zone("UTC0");
	says(&line, "2026-11-23T03:12:44.123+00:00 1 begin node ^[[2J^J\"a\"\n",
	     "{\"time\":\"2026-11-23T03:12:44.123+00:00\",\"event\":\"begin\",\"pid\":1,"
	     "\"worker\":0,\"text\":\"node \\u001b[2J\\n\\\"a\\\"\"}\n");
}
END_TEST

/* ---- how many ---- */

START_TEST(ten_lines_in_ten_seconds)
{
	struct watch_limit limit = { 0 };
	int n = 0;

	for (int i = 0; i < 100; i++)
		n += watch_limit_allows(&limit, i * 100 * MS, i * 100 * MS, (1 + i % 60) * MS);
	ck_assert_int_eq(n, WATCH_LIMIT_LINES);
	ck_assert_uint_eq(limit.n_left, 90);
	ck_assert_int_eq(limit.first_ns, SECOND);
	ck_assert_int_eq(limit.longest_ns, 60 * MS);
	ck_assert(!watch_limit_has_left(&limit, 9999 * MS));
	ck_assert(watch_limit_has_left(&limit, 10 * SECOND));
	limit.n_left = 0;
	limit.longest_ns = limit.first_ns = 0;
	ck_assert(!watch_limit_has_left(&limit, 10 * SECOND));
	ck_assert(watch_limit_allows(&limit, 10 * SECOND, 0, MS));
	ck_assert(!watch_limit_allows(&limit, 10 * SECOND, 0, MS));
}
END_TEST

/* ---- files ---- */

static void write_one(struct watch_files *files, const char *path)
{
	struct error err = ERROR_INIT;
	struct buf text = { 0 };

	buf_adds(&text, "{}");
	ck_assert_msg(watch_files_write(files, path, &text, &err), "%s", err.text);
	buf_done(&text);
}

START_TEST(files_that_are_there_count)
{
	struct error err = ERROR_INIT;
	struct watch_files files;
	struct buf path = { 0 }, folder = { 0 };

	use_zone("UTC0");
	buf_addf(&folder, "%s/new", temp_folder);
	for (int run = 0; run < 3; run++) {
		ck_assert(watch_files_open(&files, buf_text(&folder), 3, &err));
		ck_assert_uint_eq(files.n, (unsigned)run);
		buf_clear(&path);
		ck_assert(watch_files_name(&files, WALL, 4711, 2, &path));
		write_one(&files, buf_text(&path));
		if (run < 2)
			watch_files_done(&files);
	}
	/* Names are not used twice. */
	ck_assert_ptr_nonnull(strstr(path.data, "/new/CPU.20261123.031244.4711.2.003.cpuprofile"));
	/* Of what is there, only that of this run is known to be of watch: it goes. */
	ck_assert(watch_files_name(&files, WALL, 4711, 2, &path));
	ck_assert(!watch_files_name(&files, WALL, 4711, 2, &path));
	watch_files_drop(&files);
	ck_assert(watch_files_name(&files, WALL, 4711, 2, &path));
	watch_files_done(&files);
	buf_done(&path);
	buf_done(&folder);
}
END_TEST

START_TEST(without_a_folder_there_are_no_files)
{
	struct watch_files files = { 0 };
	struct error err = ERROR_INIT;
	struct buf path = { 0 };

	ck_assert(!watch_files_name(&files, WALL, 1, 0, &path));
	ck_assert(!watch_files_open(&files, "/dev/null/x", 3, &err));
	ck_assert_int_eq(err.kind, ERR_IO);
	buf_done(&path);
}
END_TEST

/* ---- settings ---- */

START_TEST(defaults)
{
	struct error err = ERROR_INIT;
	struct watch_settings s;

	ck_assert(watch_settings_find(&s, &(struct options){ 0 }, &err));
	ck_assert_int_eq(s.stall_ns, 200 * MS);
	ck_assert_int_eq(s.keep_ns, 30 * SECOND);
	ck_assert_int_eq(s.interval_us, 1000);
	ck_assert_uint_eq(s.most, 20);
	ck_assert(s.gc.limit > 1 && s.busy.limit > 1 && !s.is_json && s.grow_kb == 0);
}
END_TEST

START_TEST(values)
{
	struct options o = { .stall = "0",
			     .gc = "40%",
			     .busy = "92.5%/1min",
			     .keep = "9s",
			     .max_files = "0",
			     .grow = "200M/60min",
			     .interval = "500us",
			     .format = "json" };
	struct error err = ERROR_INIT;
	struct watch_settings s;

	ck_assert_msg(watch_settings_find(&s, &o, &err), "%s", err.text);
	ck_assert_int_eq(s.stall_ns, INT64_MAX);
	ck_assert_double_eq(s.gc.limit, 0.4);
	ck_assert_int_eq(s.gc.window_ns, 10 * SECOND);
	ck_assert_double_eq(s.busy.limit, 0.925);
	ck_assert_int_eq(s.busy.window_ns, 60 * SECOND);
	ck_assert_int_eq(s.keep_ns, 9 * SECOND);
	ck_assert_int_eq(s.interval_us, 500);
	ck_assert_uint_eq(s.most, 0);
	ck_assert_int_eq(s.grow_kb, 200000000 / 1024);
	ck_assert_int_eq(s.grow_ns, 3600 * SECOND);
	ck_assert(s.is_json);
	o.grow = "1.5G";
	ck_assert(watch_settings_find(&s, &o, &err));
	ck_assert_int_eq(s.grow_kb, 1500000000 / 1024);
	ck_assert_int_eq(s.grow_ns, 600 * SECOND);
}
END_TEST

static const struct options wrong[] = {
	{ .stall = "" },       { .stall = "4ms" },         { .stall = "50%" },
	{ .stall = "-1s" },    { .stall = "2h" },          { .gc = "40" },
	{ .gc = "0%" },        { .gc = "101%" },           { .gc = "nan%" },
	{ .busy = "90%/" },    { .busy = "90%/999ms" },    { .busy = "90%10s" },
	{ .busy = "90%/50%" }, { .keep = "500ms" },        { .keep = "6min" },
	{ .max_files = "-1" }, { .max_files = "1000001" }, { .max_files = "" },
	{ .max_files = "3x" }, { .interval = "9us" },      { .interval = "2s" },
	{ .grow = "" },        { .grow = "200" },          { .grow = "1023k" },
	{ .grow = "0" },       { .grow = "200M/" },        { .grow = "200M/59s" },
	{ .grow = "/10min" },  { .grow = "50%/10min" },    { .grow = "200M/1441min" },
};

START_TEST(wrong_values)
{
	struct error err = ERROR_INIT;
	struct watch_settings s;

	ck_assert(!watch_settings_find(&s, &wrong[_i], &err));
	ck_assert_int_eq(err.kind, ERR_FORMAT);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *lines = suite_case(suite, "lines", SUITE_SECONDS);
	TCase *files = suite_case(suite, "files", SUITE_SECONDS);
	TCase *settings = suite_case(suite, "settings", SUITE_SECONDS);

	tcase_add_loop_test(lines, time_has_milliseconds_and_zone, 0, 3);
	tcase_add_test(lines, stall);
	tcase_add_test(lines, share_of_a_worker_by_address);
	tcase_add_test(lines, the_process_hardly_ran);
	tcase_add_test(lines, many_short_calls);
	tcase_add_test(lines, memory_that_grows);
	tcase_add_test(lines, stalls_without_lines);
	tcase_add_test(lines, texts_are_visible);
	tcase_add_test(lines, ten_lines_in_ten_seconds);
	tcase_add_checked_fixture(files, temp_folder_make, temp_folder_remove);
	tcase_add_test(files, files_that_are_there_count);
	tcase_add_test(files, without_a_folder_there_are_no_files);
	tcase_add_test(settings, defaults);
	tcase_add_test(settings, values);
	tcase_add_loop_test(settings, wrong_values, 0, N(wrong));
}

int main(void)
{
	return suite_run("watch_line", add_tests);
}

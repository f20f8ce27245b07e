/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A watched thread: chunks go in, lines and files come out. */
#include "config.h"

#include "suite.h"

#include "base/clock.h"
#include "base/json/cursor.h"
#include "base/units.h"
#include "random_profile.h"
#include "record/watch_thread.h"
#include "story.h"
#include "temp_folder.h"

#include <dirent.h>

#define START_US INT64_C(7000000) /* of the clock, at sample 0 */
#define MS INT64_C(1000000)

/* A letter for each millisecond: idle, a short call, a slow call, a native call, collection. */
static const char letters[] = "i.snlg";
static const char *const nodes =
	"{'id':1,'callFrame':{'functionName':'(root)'},'children':[2,3,8]},"
	"{'id':2,'callFrame':{'functionName':'(idle)'}},"
	"{'id':3,'callFrame':{'functionName':'onread','url':'node:net','lineNumber':6},"
	"'children':[4,5,6]},"
	"{'id':4,'callFrame':{'functionName':'quick','url':'file:///a/quick.js','lineNumber':2}},"
	"{'id':5,'callFrame':{'functionName':'slow','url':'file:///a/slow.js','lineNumber':4}},"
	"{'id':6,'callFrame':{'functionName':'tool','url':'file:///a/tool.js','lineNumber':6},"
	"'children':[7,9]},"
	"{'id':7,'callFrame':{'functionName':'spawn'}},"
	"{'id':9,'callFrame':{'functionName':'loop','url':'file:///a/loop.js','lineNumber':8}},"
	"{'id':8,'callFrame':{'functionName':'(garbage collector)'}}";
static const int ids[] = { 2, 4, 5, 7, 9, 8 };

struct watched {
	struct watch_thread thread;
	struct watch_thread_options options;
	struct watch_files files;
	struct watch_limit limit;
	struct buf text, lines, errors, folder;
};

static void on_line(void *ctx, struct watch_line *line)
{
	struct watched *w = ctx;
	static const char *const names[] = {
		[WATCH_STALL] = "stall",   [WATCH_STARVED] = "starved",
		[WATCH_SERIES] = "series", [WATCH_OPEN] = "open",
		[WATCH_GC] = "gc",         [WATCH_BUSY] = "busy",
		[WATCH_GC_END] = "gc-end", [WATCH_BUSY_END] = "busy-end",
		[WATCH_FILE] = "file",     [WATCH_LEFT_OUT] = "left-out",
	};
	int64_t now_us = (line->wall_ns - ring_wall_ns(START_US)) / NS_PER_US;

	/* Two looks at two clocks are not one. */
	buf_addf(&w->lines, "%s@%lld+%lld", names[line->kind], (long long)(now_us + 500) / 1000,
		 (long long)(line->length_ns / MS));
	if (line->blame)
		buf_addf(&w->lines, " %s", buf_text(&line->blame->name));
	if (line->kind == WATCH_LEFT_OUT || line->kind == WATCH_FILE)
		buf_addf(&w->lines, " x%llu", (unsigned long long)line->n);
	else if (line->file)
		buf_adds(&w->lines, " >");
	buf_adds(&w->lines, "; ");
}

static void on_error(void *ctx, const char *text)
{
	struct watched *w = ctx;

	buf_addf(&w->errors, "%s; ", text);
}

static void begin(struct watched *w, const char *runs)
{
	struct error err = ERROR_INIT;

	*w = (struct watched){ .options = { .stall_ns = 200 * MS,
					    .interval_us = 1000,
					    .keep_ns = 3000 * MS,
					    .gc = { 2, 0 },
					    .busy = { 2, 0 },
					    .maps = { .is_off = true },
					    .on_line = on_line,
					    .on_error = on_error } };
	w->options.files = &w->files;
	w->options.limit = &w->limit;
	buf_addf(&w->folder, "%s/d", temp_folder);
	ck_assert(watch_files_open(&w->files, buf_text(&w->folder), 20, &err));
	for (char *end; *runs; runs = end + 1 + (end[1] == ' '))
		for (long n = strtol(runs, &end, 10); n > 0; n--)
			buf_addc(&w->text, *end);
}

static void start(struct watched *w)
{
	watch_thread_init(&w->thread, &w->options, w, 4711, 0, true);
}

/* Add samples [from, to) as a chunk. */
static void add(struct watched *w, int from, int to)
{
	struct buf out = { 0 };
	char *text;
	size_t len;

	buf_addf(&out, "{'nodes':[%s],'startTime':%lld,'endTime':%lld,'samples':[", nodes,
		 (long long)(START_US + from * 1000), (long long)(START_US + to * 1000));
	for (int i = from; i < to; i++)
		buf_addf(&out, "%s%d", i > from ? "," : "",
			 ids[strchr(letters, w->text.data[i]) - letters]);
	buf_adds(&out, "],'timeDeltas':[0");
	for (int i = from + 1; i < to; i++)
		buf_adds(&out, ",1000");
	buf_adds(&out, "]}");
	len = out.len;
	for (int i = 0; i < CURSOR_PAD; i++)
		buf_addc(&out, ' ');
	text = quoted_bytes(out.data, out.len);
	watch_thread_add(&w->thread, (struct str){ text, len });
	free(text);
	buf_done(&out);
}

/* Chunks of a second that overlap by three samples. */
static void add_all(struct watched *w)
{
	for (int from = 0; from < (int)w->text.len; from += 1000) {
		int to = from + 1003 < (int)w->text.len ? from + 1003 : (int)w->text.len;

		add(w, from, to);
	}
}

static void put_file(const struct watched *w, const char *name, const char *text)
{
	BUF_LOCAL path = { 0 };
	FILE *f;

	buf_addf(&path, "%s/%s", buf_text(&w->folder), name);
	f = fopen(path.data, "w");
	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
}

/* Profiles in the folder. */
static int count_files(const struct watched *w)
{
	DIR *dir = opendir(buf_text(&w->folder));
	const struct dirent *entry;
	int n = 0;

	while ((entry = readdir(dir)))
		n += strstr(entry->d_name, ".cpuprofile") != NULL;
	closedir(dir);
	return n;
}

static void end(struct watched *w, const char *expect)
{
	watch_thread_end(&w->thread);
	watch_files_done(&w->files);
	ck_assert_str_eq(buf_text(&w->lines), expect);
	ck_assert_str_eq(buf_text(&w->errors), "");
	buf_done(&w->text);
	buf_done(&w->lines);
	buf_done(&w->folder);
}

/* The lines of a recording with the default options of these tests. */
static void says(const char *runs, const char *expect)
{
	struct watched w;

	begin(&w, runs);
	start(&w);
	add_all(&w);
	end(&w, expect);
}

/* ---- stalls ---- */

START_TEST(a_stall_and_its_file)
{
	says("4000i 10. 400s 3000i 5.", "stall@4000+410 slow >; file@2000+3410 x1; ");
}
END_TEST

START_TEST(native_calls_are_stalls_and_sleeping_is_none)
{
	says("1500i 1300n 300i 5.", "stall@1500+1300 tool >; file@0+3104 x1; ");
	says("4000i 5.", "");
}
END_TEST

/* 900 to 1150 is in two chunks, 2850 to 3150 too. */
/* Samples count for two intervals at most. It ran in 75 % of the time, or for as long as a stall
 * is. */
START_TEST(a_process_that_hardly_ran)
{
	static const struct {
		int interval_us, length;
		const char *expect;
	} cases[] = {
		{ 375, 260, "stall@1000+260 slow >; file@0+1364 x1; " },
		{ 374, 260, "starved@1000+260 slow; " },
		{ 374, 267, "starved@1000+267 slow; " },
		{ 374, 268, "stall@1000+268 slow >; file@0+1372 x1; " },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char runs[60];
		struct watched w;

		snprintf(runs, sizeof runs, "1000i %ds 100i 5.", cases[i].length);
		begin(&w, runs);
		w.options.interval_us = cases[i].interval_us;
		start(&w);
		add_all(&w);
		end(&w, cases[i].expect);
	}
}
END_TEST

START_TEST(one_line_for_a_stall_in_several_chunks)
{
	says("900i 250s 1700i 300n 900i 5.",
	     "stall@900+250 slow >; file@0+2150 x1; stall@2850+300 tool >; file@850+3204 x1; ");
}
END_TEST

START_TEST(a_long_stall_is_told_while_it_goes_on)
{
	says("500i 4700l 2000i 5.", "open@500+2502 loop >; file@0+4002 x1; stall@500+4700 loop; ");
}
END_TEST

/* What a stall is in is looked for in its last minute: `slow` has most of all in each of them. */
START_TEST(blame_is_of_the_last_minute)
{
	says("500i 31000s 29000l 1000i 5.",
	     "open@500+2502 slow >; file@0+4002 x1; stall@500+60000 slow; ");
	says("500i 33000s 31000l 1000i 5.",
	     "open@500+2502 slow >; file@0+4002 x1; stall@500+64000 loop; ");
}
END_TEST

START_TEST(the_end_of_the_thread_ends_a_stall)
{
	says("500i 1000s", "stall@500+999 slow >; file@0+1499 x1; ");
}
END_TEST

START_TEST(near_events_share_a_file)
{
	says("3000i 300s 100i 300n 2000i 5.",
	     "stall@3000+300 slow >; stall@3400+300 tool >; file@1000+3300 x2; ");
}
END_TEST

/* ---- limits ---- */

START_TEST(the_oldest_files_go)
{
	struct watched w;

	begin(&w, "3000i 300s 3000i 300s 3000i 300s 2000i 5.");
	w.files.most = 2;
	start(&w);
	add_all(&w);
	ck_assert_uint_eq(w.files.n, 2);
	ck_assert_uint_eq(w.files.n_own, 2);
	ck_assert(strstr(w.files.own[0], ".4711.0.002.") && strstr(w.files.own[1], ".003."));
	ck_assert_int_eq(count_files(&w), 2);
	end(&w,
	    "stall@3000+300 slow >; file@1000+3300 x1; stall@6300+300 slow >; "
	    "file@4300+3300 x1; stall@9600+300 slow >; file@7600+3300 x1; ");
}
END_TEST

/* A profile that the list does not name is not of watch. */
START_TEST(files_of_others_stay)
{
	static const char of_watch[] = "CPU.20261123.031244.7.0.001.cpuprofile";
	struct watch_line line = { .kind = WATCH_STALL, .file = of_watch };
	struct error err = ERROR_INIT;
	struct watched w;

	begin(&w, "3000i 300s 2000i 5.");
	put_file(&w, of_watch, "");
	put_file(&w, "CPU.20200101.000000.7.0.001.cpuprofile", "");
	ck_assert(watch_files_note(&w.files, &line, &err));
	watch_files_done(&w.files);
	ck_assert(watch_files_open(&w.files, buf_text(&w.folder), 2, &err));
	ck_assert_uint_eq(w.files.n, 2);
	ck_assert_uint_eq(w.files.n_own, 1);
	start(&w);
	add_all(&w);
	ck_assert_int_eq(count_files(&w), 2);
	ck_assert(strstr(w.files.own[0], ".4711.0.001."));
	watch_files_done(&w.files);
	ck_assert(watch_files_open(&w.files, buf_text(&w.folder), 1, &err));
	end(&w, "stall@3000+300 slow >; file@1000+3300 x1; ");
}
END_TEST

/* ---- the list of stalls ---- */

static void read_list(const struct watched *w, struct buf *out)
{
	BUF_LOCAL path = { 0 };
	FILE *f;
	int c;

	buf_addf(&path, "%s/stalls.jsonl", buf_text(&w->folder));
	f = fopen(path.data, "r");
	ck_assert_ptr_nonnull(f);
	while ((c = getc(f)) != EOF)
		buf_addc(out, (char)c);
	fclose(f);
}

START_TEST(the_list_of_stalls)
{
	struct watch_line line = { .kind = WATCH_GC, .pid = 7, .ns = 1, .length_ns = 1000 };
	struct buf list = { 0 }, again = { 0 }, expect = { 0 };
	struct error err = ERROR_INIT;
	struct watched w;

	begin(&w, "");
	line.file = "a/b/CPU.1.cpuprofile";
	ck_assert(watch_files_note(&w.files, &line, &err));
	read_list(&w, &list);
	ck_assert(strstr(buf_text(&list), "\"event\":\"gc\",\"pid\":7,"));
	ck_assert(strstr(buf_text(&list), "\"file\":\"CPU.1.cpuprofile\"}\n"));
	/* The program was killed in a line: the next one is whole. */
	watch_files_done(&w.files);
	put_file(&w, "stalls.jsonl", "{\"time\":\"2026");
	ck_assert(watch_files_open(&w.files, buf_text(&w.folder), 2, &err));
	ck_assert(watch_files_note(&w.files, &line, &err));
	read_list(&w, &again);
	buf_adds(&expect, "{\"time\":\"2026\n");
	buf_add(&expect, list.data, list.len);
	ck_assert_str_eq(buf_text(&again), expect.data);
	buf_done(&again);
	buf_done(&expect);
	buf_done(&list);
	watch_files_done(&w.files);
	start(&w);
	end(&w, "");
}
END_TEST

START_TEST(the_list_loses_its_older_half)
{
	struct watch_line line = { .kind = WATCH_STALL };
	struct buf list = { 0 };
	struct error err = ERROR_INIT;
	struct watched w;
	size_t n = 0;

	begin(&w, "");
	for (line.pid = 1; line.pid <= 9; line.pid++)
		ck_assert(watch_files_note(&w.files, &line, &err));
	ck_assert_uint_eq(w.files.n_cuts, 0);
	w.files.list_len = WATCH_LIST_MAX + 1;
	ck_assert(watch_files_note(&w.files, &line, &err));
	ck_assert_uint_eq(w.files.n_cuts, 1);
	line.pid++;
	ck_assert(watch_files_note(&w.files, &line, &err));
	ck_assert_uint_eq(w.files.n_cuts, 1);
	read_list(&w, &list);
	for (const char *at = buf_text(&list); (at = strstr(at, "\"pid\":")); at++, n++)
		ck_assert_int_eq(atoi(at + 6), (int)n + 6);
	ck_assert_uint_eq(n, 6);
	buf_done(&list);
	start(&w);
	end(&w, "");
}
END_TEST

START_TEST(stalls_beyond_the_limit_are_counted)
{
	struct buf runs = { 0 };
	struct watched w;

	for (int i = 0; i < 13; i++)
		buf_addf(&runs, "100i %ds ", 300 + i);
	buf_adds(&runs, "10i");
	begin(&w, buf_text(&runs));
	w.files.most = 0;
	start(&w);
	add_all(&w);
	ck_assert_uint_eq(w.limit.n_left, 3);
	ck_assert_int_eq(w.limit.longest_ns, 312 * MS);
	ck_assert_ptr_nonnull(strstr(buf_text(&w.lines), "stall@3736+309 slow; "));
	ck_assert_ptr_null(strstr(buf_text(&w.lines), "+310"));
	buf_clear(&w.lines);
	end(&w, "");
	buf_done(&runs);
}
END_TEST

/* ---- shares ---- */

START_TEST(garbage_collection_and_busy_time)
{
	struct watched w;

	begin(&w, "1000i 100s 900g 100s 900g 5000i 5.");
	w.options.stall_ns = INT64_MAX;
	w.options.gc = (struct watch_share){ 0.4, 1000 * MS };
	w.options.busy = (struct watch_share){ 0.9, 2000 * MS };
	start(&w);
	add_all(&w);
	end(&w,
	    "gc@500+1000 slow >; file@0+2500 x1; busy@800+2000 slow >; file@800+3000 x1; "
	    "gc-end@500+3100; busy-end@800+2400; ");
}
END_TEST

/* ---- by hand ---- */

/* The file has exactly the samples of its stretch, whatever the chunks are. */
START_TEST(files_have_what_is_around)
{
	struct error err = ERROR_INIT;
	struct buf path = { 0 };
	struct profile *p;
	struct watched w;
	struct load_file_order order;
	struct builder *b = builder_new(&(struct builder_options){ 0 });

	random_seed(_i);
	begin(&w, "5000i 300s 3000i 5.");
	start(&w);
	for (int from = 0, to; from < (int)w.text.len; from = to) {
		to = from + 2 + (int)random_below(1500);
		to = to < (int)w.text.len ? to : (int)w.text.len;
		add(&w, from, to);
	}
	buf_adds(&path, buf_text(&w.thread.file));
	end(&w, "stall@5000+300 slow >; file@3000+3300 x1; ");
	builder_input(b, path.data);
	order = (struct load_file_order){ .path = path.data };
	ck_assert_msg(load_file(&order, b, NULL, NULL, &err), "%s", err.text);
	p = builder_finish(b, &err);
	ck_assert_int_eq(p->lanes[0].zero_ns, (START_US + 3000000) * 1000);
	ck_assert_uint_eq(p->lanes[0].samples.n, 3301);
	profile_free(p);
	buf_done(&path);
}
END_TEST

/* Beside the file is what the texts of requests have of its stretch, which begins at 10 s. */
START_TEST(requests_of_a_file_are_beside_it)
{
	static const char text[] =
		"v1,15000000,9000000,1,0,0,0,0,0,0,0,4,0,0;sGET;s/early;"
		"S0,1,1,2,3,4,5;F10,1,200,0;s/slow;S3000000,2,1,2,4,4,5;F300000,2,200,0";
	struct error err = ERROR_INIT;
	struct buf path = { 0 };
	struct profile *p;
	struct watched w;
	struct load_file_order order;
	struct builder *b = builder_new(&(struct builder_options){ 0 });

	begin(&w, "5000i 300s 3000i 5.");
	start(&w);
	add(&w, 0, 2000);
	ring_add_requests(w.thread.ring, (struct str){ text, strlen(text) });
	add(&w, 2000, 6000);
	buf_add(&path, w.thread.file.data, w.thread.file.len - strlen("cpuprofile"));
	buf_adds(&path, "requests.trace.json");
	add(&w, 6000, (int)w.text.len);
	end(&w, "stall@5000+300 slow >; file@3000+3300 x1; ");
	order = (struct load_file_order){ .path = path.data };
	builder_input(b, path.data);
	ck_assert_msg(load_file(&order, b, NULL, NULL, &err), "%s", err.text);
	p = builder_finish(b, &err);
	ck_assert_uint_eq(p->served.n, 1);
	ck_assert_str_eq(profile_text(p, p->served.requests[0].name), "GET /slow");
	profile_free(p);
	buf_done(&path);
}
END_TEST

START_TEST(a_chunk_that_is_none_is_an_error)
{
	static const char text[] = "{\"nodes\":3}                ";
	struct watched w;

	begin(&w, "10i");
	start(&w);
	watch_thread_add(&w.thread, (struct str){ text, 11 });
	ck_assert_str_eq(buf_text(&w.errors), "what the process sent is no CPU profile; ");
	buf_done(&w.errors);
	end(&w, "");
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "watch_thread", SUITE_SECONDS);

	tcase_add_checked_fixture(t, temp_folder_make, temp_folder_remove);
	tcase_add_test(t, a_stall_and_its_file);
	tcase_add_test(t, native_calls_are_stalls_and_sleeping_is_none);
	tcase_add_test(t, a_process_that_hardly_ran);
	tcase_add_test(t, one_line_for_a_stall_in_several_chunks);
	tcase_add_test(t, a_long_stall_is_told_while_it_goes_on);
	tcase_add_test(t, blame_is_of_the_last_minute);
	tcase_add_test(t, the_end_of_the_thread_ends_a_stall);
	tcase_add_test(t, near_events_share_a_file);
	tcase_add_test(t, the_oldest_files_go);
	tcase_add_test(t, files_of_others_stay);
	tcase_add_test(t, the_list_of_stalls);
	tcase_add_test(t, the_list_loses_its_older_half);
	tcase_add_test(t, stalls_beyond_the_limit_are_counted);
	tcase_add_test(t, garbage_collection_and_busy_time);
	tcase_add_loop_test(t, files_have_what_is_around, 0, 4);
	tcase_add_test(t, requests_of_a_file_are_beside_it);
	tcase_add_test(t, a_chunk_that_is_none_is_an_error);
}

int main(void)
{
	return suite_run("watch_thread", add_tests);
}

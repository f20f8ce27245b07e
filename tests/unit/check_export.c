/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Exports: what is written is read back, with the same story; and how files come to be. */
#include "config.h"

#include "exported.h"
#include "random_profile.h"
#include "story.h"
#include "suite.h"
#include "temp_folder.h"

#include "findings/served_time.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* The story of the lane of samples. */
static void check_back(const struct profile *p, const char *format, bool is_slices, int64_t t0,
		       int64_t t1, const char *expect)
{
	char *text = exported(p, format, is_slices, t0, t1);
	struct profile *back = load_plain(text);

	story_of(back, (uint32_t)(lane_of(back, LANE_SAMPLES) - back->lanes), expect);
	profile_free(back);
	free(text);
}

#define NODE(id, name, more) "{'id':" #id ",'callFrame':{'functionName':'" name "'" more "}"
#define PROFILE                                                                                                                                                    \
	"{'nodes':[" NODE(1, "(root)", "") ",'children':[2,4,5]}," NODE(2, "a", ",'url':'file:///x.js','lineNumber':4,'columnNumber':2") ",'children':[3]}," NODE( \
		3, "b\\u001b;",                                                                                                                                    \
		"") "}," NODE(4, "(garbage collector)",                                                                                                            \
			      "") "}," NODE(5, "(idle)",                                                                                                           \
					    "") "}],"                                                                                                              \
						"'startTime':1000000,'endTime':1000100,'samples':[2,3,4,3,5,1,2],'timeDeltas':[5,10,10,10,10,10,10]}"
#define STORY "5 a|15 a>b\x1b;|25 a>b\x1b;>(garbage collector)|35 a>b\x1b;|45 (idle)|55 -|65 a|75"

START_TEST(samples_come_back)
{
	struct profile *p = story_load(PROFILE);

	story_of(p, 0, STORY);
	check_back(p, "trace", false, 0, 0, STORY);
	profile_free(p);
}
END_TEST

START_TEST(samples_come_back_as_slices)
{
	struct profile *p = story_load(PROFILE);
	char *text = exported(p, "trace", true, 0, 0);
	struct profile *back = load_plain(text);

	ck_assert_uint_eq(back->n_lanes, 1);
	ck_assert_int_eq(back->lanes[0].kind, LANE_SLICES);
	ck_assert_uint_eq(back->lanes[0].n_spans, 5);
	ck_assert(strstr(text, "\"url\":\"file:///x.js\",\"line\":5,\"column\":3") != NULL);
	/* Some programs look at the first event for a category. */
	ck_assert(strstr(text, "\"cat\"") < strchr(strstr(text, "\"ph\""), '}'));
	profile_free(back);
	profile_free(p);
	free(text);
}
END_TEST

START_TEST(evented_profiles_come_back)
{
	struct profile *p = story_load(PROFILE);

	check_back(p, "speedscope", false, 0, 0, STORY);
	profile_free(p);
}
END_TEST

START_TEST(folded_comes_back_as_totals)
{
	struct profile *p = story_load(PROFILE);

	/* One line for each stack, the sign between frames replaced. */
	check_back(p, "folded", false, 0, 0,
		   "0 a|20 a>b^[:|40 a>b^[:>(garbage collector)|50 (idle)|60");
	profile_free(p);
}
END_TEST

START_TEST(folded_shows_control_characters)
{
	struct profile *p = story_load(
		"{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'},'children':[2]},"
		"{'id':2,'callFrame':{'functionName':'a\\u009b\\u007f\\n\\u202e\\u061c\\u2069;\\ud800'}}],"
		"'startTime':0,'endTime':2,'samples':[2],'timeDeltas':[1]}");
	char *text = exported(p, "folded", false, 0, 0);

	ck_assert_str_eq(text, "a<9B>^?^J<202E><61C><2069>:\357\277\275 1\n");
	profile_free(p);
	free(text);
}
END_TEST

/* `b` and `c` have no length: one in the middle of `a`, the other at the end of the profile. */
START_TEST(speedscope_has_slices_of_no_length)
{
	struct profile *p = story_load("[{'ph':'X','pid':1,'tid':1,'ts':0,'dur':5,'name':'a'},"
				       "{'ph':'X','pid':1,'tid':1,'ts':2,'dur':0,'name':'b'},"
				       "{'ph':'X','pid':1,'tid':1,'ts':5,'dur':0,'name':'c'}]");
	char *text = exported(p, "speedscope", false, 0, 0);

	ck_assert_str_eq(strstr(text, "\"events\""),
			 "\"events\":[{\"type\":\"O\",\"frame\":0,\"at\":0},"
			 "{\"type\":\"O\",\"frame\":1,\"at\":2000},"
			 "{\"type\":\"C\",\"frame\":1,\"at\":2000},"
			 "{\"type\":\"C\",\"frame\":0,\"at\":5000},"
			 "{\"type\":\"O\",\"frame\":2,\"at\":5000},"
			 "{\"type\":\"C\",\"frame\":2,\"at\":5000}]}\n]}\n");
	profile_free(p);
	free(text);
}
END_TEST

START_TEST(a_part_is_cut_out)
{
	struct profile *p = story_load(PROFILE);

	check_back(p, "trace", false, 20000, 50000,
		   "0 a>b\x1b;|5 a>b\x1b;>(garbage collector)|15 a>b\x1b;|25 (idle)|30");
	check_back(p, "speedscope", false, 20000, 50000,
		   "0 a>b\x1b;|5 a>b\x1b;>(garbage collector)|15 a>b\x1b;|25 (idle)|30");
	profile_free(p);
}
END_TEST

/* The last sample is longer than the average one: the program that reads it must see that. */
START_TEST(a_long_last_sample_keeps_its_length)
{
	struct profile *p = story_load("{'nodes':[" NODE(1, "(root)", "") ",'children':[2]}," NODE(
		2, "a", "") "}],'startTime':1,'samples':[2,2],'timeDeltas':[0,10,500]}");
	char *text = exported(p, "trace", false, 0, 0);
	struct profile *back = load_plain(text);

	ck_assert_int_eq(lane_of(back, LANE_SAMPLES)->busy_ns, 510000);
	profile_free(back);
	profile_free(p);
	free(text);
}
END_TEST

#define TRACE                                                                                                                                               \
	"[{'ph':'X','name':'outer','pid':7,'tid':8,'ts':100,'dur':50},{'ph':'X','name':'inner','pid':7,'tid':8,'ts':110,'dur':10},"                         \
	"{'ph':'X','name':'late','pid':7,'tid':8,'ts':140,'dur':30},{'ph':'X','name':'none','pid':7,'tid':8,'ts':170,'dur':0},"                             \
	"{'ph':'I','name':'mark','pid':7,'tid':8,'ts':120,'s':'t'},{'ph':'C','name':'heap','pid':7,'ts':100,'args':{'used':3.5,'all':9}},"                  \
	"{'ph':'C','name':'heap','pid':7,'ts':130,'args':{'used':4}},{'ph':'b','cat':'net','id':1,'name':'get','pid':7,'tid':8,'ts':101},"                  \
	"{'ph':'e','cat':'net','id':1,'name':'get','pid':7,'tid':8,'ts':160},{'ph':'s','name':'go','id':5,'pid':7,'tid':8,'ts':112},"                       \
	"{'ph':'f','bp':'e','name':'go','id':5,'pid':7,'tid':8,'ts':145},{'ph':'M','name':'thread_name','pid':7,'tid':8,'args':{'name':'CrRendererMain'}}," \
	"{'ph':'M','name':'process_name','pid':7,'args':{'name':'Renderer'}}]"

START_TEST(traces_come_back)
{
	static const enum lane_kind kinds[] = { LANE_SLICES, LANE_MARKS, LANE_ASYNC };
	struct profile *p = story_load(TRACE);
	char *text = exported(p, "trace", true, 0, 0);
	struct profile *back = load_plain(text);
	const struct lane *heap = lane_of(back, LANE_COUNTER);

	ck_assert_uint_eq(back->n_lanes, p->n_lanes);
	ck_assert_int_eq(back->origin_ns, p->origin_ns);
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		const struct lane *a = lane_of(p, kinds[i]), *b = lane_of(back, kinds[i]);

		ck_assert_msg(a->slices.n == b->slices.n && a->n_spans == b->n_spans &&
				      a->t0 == b->t0 && a->t1 == b->t1 && a->pid == b->pid &&
				      a->tid == b->tid,
			      "kind %d: %zu slices, %zu", kinds[i], a->slices.n, b->slices.n);
	}
	ck_assert_str_eq(profile_text(back, back->lanes[0].process_name), "Renderer");
	ck_assert_str_eq(profile_text(back, lane_of(back, LANE_SLICES)->thread_name),
			 "CrRendererMain");
	ck_assert_uint_eq(heap->n_series, 2);
	for (int i = 0; i < 2; i++)
		ck_assert_uint_eq(heap->series[i].n, lane_of(p, LANE_COUNTER)->series[i].n);
	ck_assert_uint_eq(back->n_flows, p->n_flows);
	profile_free(back);
	profile_free(p);
	free(text);
}
END_TEST

/* Samples of a thread that has slices get a thread of their own, or they would lie across them. */
START_TEST(samples_do_not_lie_across_slices)
{
	struct profile *p = story_load(
		"[{'ph':'X','name':'task','pid':7,'tid':8,'ts':100,'dur':50},{'ph':'P','name':'Profile','id':'0x1','pid':7,'tid':8,'ts':95,'args':{'data':{'startTime':95}}},"
		"{'ph':'P','name':'ProfileChunk','id':'0x1','pid':7,'tid':8,'ts':120,'args':{'data':{'cpuProfile':{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'}},{'id':2,'parent':1,'callFrame':{'functionName':'f'}}],'samples':[2,2]},'timeDeltas':[2,30]}}}]");
	char *text;
	struct profile *back;

	ck_assert_uint_eq(p->n_lanes, 2);
	text = exported(p, "trace", true, 0, 0);
	back = load_plain(text);
	ck_assert_uint_eq(back->n_lanes, 2);
	ck_assert_int_ne(back->lanes[0].tid, back->lanes[1].tid);
	ck_assert_int_eq(back->lanes[0].kind, LANE_SLICES);
	ck_assert_int_eq(back->lanes[1].kind, LANE_SLICES);
	profile_free(back);
	free(text);
	/* As samples they may stay. */
	text = exported(p, "trace", false, 0, 0);
	back = load_plain(text);
	ck_assert_int_eq(lane_of(back, LANE_SLICES)->tid, lane_of(back, LANE_SAMPLES)->tid);
	profile_free(back);
	free(text);
	profile_free(p);
}
END_TEST

START_TEST(broken_trace_files_export)
{
	static const char *const formats[] = { "trace", "folded", "speedscope" };
	size_t len = strlen(TRACE);

	for (size_t at = 1; at < len; at++) {
		struct error err = ERROR_INIT;
		struct profile *p = story_try(TRACE, at, NULL, SIZE_MAX, &err);

		for (size_t k = 0; p && k < ARRAY_LEN(formats); k++)
			free(exported(p, formats[k], k == 0 && at % 2, 0, 0));
		profile_free(p);
	}
}
END_TEST

/* ---- files ---- */

static char path[256];

static void make_folder(void)
{
	temp_folder_make();
	temp_folder_path(path, sizeof path, "out.json");
}

static void remove_folder(void)
{
	unlink(path);
	/* Fails when anything else was left behind. */
	ck_assert_int_eq(rmdir(temp_folder), 0);
}

static void put_file(const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
}

static void check_file(const char *text)
{
	char is[64] = "";
	int fd = open(path, O_RDONLY);

	ck_assert(fd >= 0 && read(fd, is, sizeof is - 1) >= 0);
	close(fd);
	ck_assert_str_eq(is, text);
}

START_TEST(file_appears_when_complete)
{
	struct error err = ERROR_INIT;
	struct sink *s = sink_open(path, false, &err);
	struct stat st;

	ck_assert(s != NULL);
	for (int i = 0; i < 300000; i++) {
		buf_adds(sink_buf(s), "12345678");
		ck_assert(sink_step(s));
	}
	ck_assert_int_ne(access(path, F_OK), 0);
	ck_assert(sink_close(s, &err));
	ck_assert(stat(path, &st) == 0 && st.st_size == 2400000);
}
END_TEST

START_TEST(file_is_not_replaced)
{
	struct error err = ERROR_INIT;

	put_file("old");
	ck_assert(sink_open(path, false, &err) == NULL);
	ck_assert(strstr(err.text, "exists") != NULL);
	check_file("old");
}
END_TEST

START_TEST(file_that_comes_meanwhile_is_not_replaced)
{
	struct error err = ERROR_INIT;
	struct sink *s = sink_open(path, false, &err);

	buf_adds(sink_buf(s), "new");
	put_file("other");
	ck_assert(!sink_close(s, &err));
	check_file("other");
}
END_TEST

START_TEST(file_is_replaced_by_force)
{
	struct error err = ERROR_INIT;
	struct sink *s;

	put_file("old");
	s = sink_open(path, true, &err);
	buf_adds(sink_buf(s), "new");
	check_file("old");
	ck_assert(sink_close(s, &err));
	check_file("new");
}
END_TEST

START_TEST(dropped_file_leaves_nothing)
{
	struct error err = ERROR_INIT;
	struct sink *s = sink_open(path, false, &err);

	buf_adds(sink_buf(s), "half");
	sink_drop(s);
	ck_assert_int_ne(access(path, F_OK), 0);
}
END_TEST

START_TEST(no_folder_and_full_device)
{
	struct error err = ERROR_INIT;
	struct sink *s;

	ck_assert(sink_open("/nowhere/at/all", false, &err) == NULL && err.kind == ERR_IO);
	if (access("/dev/full", W_OK) != 0)
		return;
	err = (struct error)ERROR_INIT;
	s = sink_open("/dev/full", false, &err);
	ck_assert(s != NULL);
	buf_adds(sink_buf(s), "x");
	ck_assert(!sink_close(s, &err) && err.kind == ERR_IO);
}
END_TEST

/* More samples than one chunk of a trace takes. */
START_TEST(many_samples_come_back)
{
	struct profile *p = random_profile(3, 40, 25000, 1), *back;
	char *text = exported(p, "trace", false, 0, 0);
	const struct lane *lane, *here = &p->lanes[0];

	back = load_plain(text);
	lane = lane_of(back, LANE_SAMPLES);
	ck_assert_uint_eq(lane->samples.n, here->samples.n);
	ck_assert_int_eq(lane->busy_ns, here->busy_ns);
	ck_assert_int_eq(lane->gc_ns, here->gc_ns);
	for (size_t i = 0; i < here->samples.n; i++)
		ck_assert_int_eq(samples_time(&lane->samples, i) - samples_time(&lane->samples, 0),
				 samples_time(&here->samples, i) - samples_time(&here->samples, 0));
	profile_free(back);
	profile_free(p);
	free(text);
}
END_TEST

/* A function without a name has none in the trace either. */
START_TEST(a_function_without_a_name_has_none)
{
	struct profile *p = story_load("{'nodes':[" NODE(1, "(root)", "") ",'children':[2]}," NODE(
		2, "", "") "}],'startTime':0,'endTime':30,'samples':[2,2],'timeDeltas':[10,10]}");
	char *text = exported(p, "trace", false, 0, 0);

	ck_assert_ptr_nonnull(strstr(text, "\"functionName\":\"\""));
	ck_assert_ptr_null(strstr(text, "(anonymous)"));
	free(text);
	profile_free(p);
}
END_TEST

/* Of several values of a counter at one time, the last one. */
START_TEST(a_counter_comes_back)
{
	static const char document[] =
		"[{'ph':'C','name':'heap','pid':1,'tid':1,'ts':1,'args':{'used':1,'free':9}},"
		"{'ph':'C','name':'heap','pid':1,'tid':1,'ts':5,'args':{'used':2}},"
		"{'ph':'C','name':'heap','pid':1,'tid':1,'ts':5,'args':{'used':3,'free':8}},"
		"{'ph':'C','name':'heap','pid':1,'tid':1,'ts':7,'args':{'free':7}}]";
	struct profile *p = story_load(document), *back;
	char *text = exported(p, "trace", true, 0, 0);
	const struct lane *here = lane_of(p, LANE_COUNTER), *lane;

	back = load_plain(text);
	lane = lane_of(back, LANE_COUNTER);
	ck_assert_uint_eq(lane->n_series, here->n_series);
	for (uint32_t i = 0; i < lane->n_series; i++)
		for (int64_t t = 0; t <= here->t1; t += 500) {
			size_t a = series_find(&here->series[i], t),
			       b = series_find(&lane->series[i], t);

			ck_assert_int_eq(a == SIZE_MAX, b == SIZE_MAX);
			if (a != SIZE_MAX)
				ck_assert(here->series[i].value[a] == lane->series[i].value[b]);
		}
	ck_assert_ptr_nonnull(strstr(text, "\"used\":3"));
	ck_assert_ptr_null(strstr(text, "\"used\":2"));
	profile_free(back);
	profile_free(p);
	free(text);
}
END_TEST

/* The main thread of a process has the number of the process; slices that overlap stay on their
 * thread. */
START_TEST(threads_keep_their_numbers)
{
	static const struct {
		const char *document, *has, *has_not;
	} threads[] = {
		{ "[{'ph':'X','name':'a','pid':1,'tid':0,'ts':0,'dur':5}]", "\"pid\":1,\"tid\":1,",
		  "\"tid\":0" },
		{ "[{'ph':'X','name':'a','pid':0,'tid':0,'ts':0,'dur':5}]", "\"pid\":0,\"tid\":0,",
		  "\"tid\":1" },
		{ "[{'ph':'X','name':'a','pid':3,'tid':1,'ts':0,'dur':5}]", "\"pid\":3,\"tid\":1,",
		  "\"tid\":3" },
		{ "[{'ph':'X','name':'a','pid':3,'ts':0,'dur':5},"
		  "{'ph':'X','name':'b','pid':3,'ts':2,'dur':9}]",
		  "\"pid\":3,\"tid\":3,", "\"tid\":-1" },
		{ "[{'ph':'X','name':'a','pid':3,'tid':4,'ts':0,'dur':5},"
		  "{'ph':'X','name':'b','pid':3,'tid':4,'ts':2,'dur':9}]",
		  "\"pid\":3,\"tid\":4,", "\"tid\":3" },
	};

	for (size_t i = 0; i < ARRAY_LEN(threads); i++) {
		struct profile *p = story_load(threads[i].document);
		char *text = exported(p, "trace", true, 0, 0);

		ck_assert_msg(strstr(text, threads[i].has) != NULL, "%s", text);
		ck_assert_msg(strstr(text, threads[i].has_not) == NULL, "%s", text);
		free(text);
		profile_free(p);
	}
}
END_TEST

/* Folded stacks of several lanes begin with the name of their lane. */
START_TEST(folded_stacks_name_their_lane)
{
	struct profile *p = story_load("[{'ph':'X','name':'a','pid':3,'tid':4,'ts':0,'dur':5},"
				       "{'ph':'X','name':'b','pid':3,'tid':5,'ts':2,'dur':9}]");
	char *text = exported(p, "folded", false, 0, 0);

	ck_assert_str_eq(text, "thread 4 (pid 3);a 5\nthread 5 (pid 3);b 9\n");
	free(text);
	profile_free(p);
}
END_TEST

#define SERVED(ph, cat, name, id, ts, args)                                                        \
	"{'ph':'" ph "','cat':'" cat "','name':'" name "','id':'" id "','pid':1,'tid':1,'ts':" #ts \
	",'args':{" args "}}"
#define SERVED_PAIR(cat, name, id, t0, t1, args)                                                   \
	SERVED("b", cat, name, id, t0, args) "," SERVED("e", cat, name, id, t1, "")
#define SERVED_RUN(id, ts, dur)                                                                    \
	"{'ph':'X','cat':'request.cpu','name':'r','pid':1,'tid':1,'ts':" #ts ",'dur':" #dur        \
	",'args':{'request':'" id "'}}"

/* Each request of the profile that is in [t0, t1): `1 GET /a /a/1 200 10-30: own 5, waits 10`, and
 * each wait; times in us by the clock of the file. */
static void tell_served(const struct profile *p, int64_t t0, int64_t t1, struct buf *out)
{
	struct served_time *st = served_time_new(p);
	const struct served_all *all = &p->served;
	size_t n;
	struct served_parts *x = served_time_requests(st, t0, t1, &n);

	for (size_t i = 0; i < n; i++) {
		const struct served *s = &all->requests[x[i].served];

		buf_addf(out, "%d %s %s %d %d-%d%s%s:", (int)s->tid, profile_text(p, s->name),
			 profile_text(p, s->path), (int)s->status,
			 (int)((s->t0 + p->origin_ns) / 1000), (int)((s->t1 + p->origin_ns) / 1000),
			 s->is_guessed ? " guessed" : "", s->is_aborted ? " aborted" : "");
		for (int part = 0; part < SERVED_PARTS; part++)
			buf_addf(out, " %d", (int)(x[i].part[part] / 1000));
		buf_adds(out, "\n");
	}
	for (size_t i = 0; i < all->n_waits; i++) {
		const struct served_wait *w = &all->waits[i];

		if (w->t0 >= t0 && w->t0 < t1)
			buf_addf(out, "%s %d-%d %s %d %d\n", profile_text(p, w->name),
				 (int)((w->t0 + p->origin_ns) / 1000),
				 (int)((w->t1 + p->origin_ns) / 1000), profile_text(p, w->error),
				 (int)w->status, (int)w->socket);
	}
	free(x);
	served_time_free(st);
}

/* clang-format off */
static const char served_events[] = "["
	SERVED_PAIR("http.server", "GET /a/:id", "r1", 1000, 1040,
		    "'path':'/a/1','route':'/a/:id','status':200") ","
	SERVED_RUN("r1", 1000, 10) ","
	SERVED_PAIR("socket", "pg x:5432", "w1", 1012, 1030, "'request':'r1','socket':3") ","
	SERVED_PAIR("http.server", "GET /b/:n", "r2", 1016, 1044,
		    "'path':'/b/2','status':500,'unread':2") ","
	SERVED_RUN("r2", 1018, 9) ","
	SERVED_PAIR("http.server", "GET /c", "r3", 1050, 1081,
		    "'path':'/c','route':'/c','aborted':true") ","
	SERVED_RUN("r3", 1050, 10) ","
	SERVED_PAIR("http.client", "GET h:8080/stock/:n", "c1", 1060, 1080,
		    "'request':'r3','error':'ECONNREFUSED','status':503") ","
	SERVED_PAIR("thread pool", "file", "w2", 1082, 1100, "'threads':4") "]";
/* clang-format on */

/* Also of a part, which cuts some off: they keep their lengths, and those that began before it are
 * not counted. */
START_TEST(requests_come_back)
{
	static const int64_t parts[][2] = { { 0, 0 }, { 15000, 95000 }, { 45000, 75000 } };
	struct profile *p = story_load(served_events);

	for (int i = 0; i < N(parts); i++) {
		char *text = exported(p, "trace", false, parts[i][0], parts[i][1]);
		struct profile *back = load_plain(text);
		struct buf want = { 0 }, got = { 0 };

		tell_served(p, parts[i][0], parts[i][1] ? parts[i][1] : INT64_MAX, &want);
		tell_served(back, 0, INT64_MAX, &got);
		ck_assert_str_eq(buf_text(&got), buf_text(&want));
		ck_assert(strstr(text, "\"cat\":\"slice\"") == NULL);
		buf_done(&want);
		buf_done(&got);
		profile_free(back);
		free(text);
	}
	profile_free(p);
}
END_TEST

START_TEST(a_part_has_the_whole_of_a_request)
{
	struct profile *p = story_load(served_events), *back;
	char *text = exported(p, "trace", false, 45000, 75000);
	struct buf got = { 0 };

	back = load_plain(text);
	tell_served(back, 0, INT64_MAX, &got);
	ck_assert_str_eq(buf_text(&got),
			 "1 GET /c /c 0 1050-1081 aborted: 10 20 0 0 0 1\n"
			 "GET h:8080/stock/:n 1060-1080 ECONNREFUSED 503 0\n");
	buf_done(&got);
	profile_free(back);
	profile_free(p);
	free(text);
}
END_TEST

START_TEST(lost_requests_are_counted)
{
	struct profile *p = story_load(served_events);
	struct scope scope;

	scope_all(&scope, p);
	ck_assert_uint_eq(export_lost_requests(export_find("folded"), p, &scope), 3);
	ck_assert_uint_eq(export_lost_requests(export_find("trace"), p, &scope), 0);
	ck_assert_uint_eq(export_lost_requests(export_find("md"), p, &scope), 0);
	scope.t1 = 15000;
	ck_assert_uint_eq(export_lost_requests(export_find("svg"), p, &scope), 1);
	profile_free(p);
}
END_TEST

/* How many spans are visited, and how many may be. */
struct visits {
	size_t n, most;
};

static bool visit_some(void *ctx, const struct span *span)
{
	struct visits *v = ctx;

	(void)span;
	return ++v->n <= v->most;
}

START_TEST(spans_are_visited_until_one_is_refused)
{
	struct profile *p = random_profile(5, 20, 60, 1);
	const struct lane *lane = &p->lanes[0];
	struct visits all = { .most = SIZE_MAX };

	ck_assert(cut_each_span(lane, 0, p->t1, true, visit_some, &all));
	ck_assert_uint_gt(all.n, 20);
	for (size_t most = 0; most < all.n; most++) {
		struct visits some = { .most = most };

		ck_assert(!cut_each_span(lane, 0, p->t1, true, visit_some, &some));
		ck_assert_uint_eq(some.n, most + 1);
	}
	profile_free(p);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *back = suite_case(suite, "back", 300);
	TCase *files = suite_case(suite, "files", SUITE_SECONDS);

	tcase_add_test(back, samples_come_back);
	tcase_add_test(back, folded_stacks_name_their_lane);
	tcase_add_test(back, requests_come_back);
	tcase_add_test(back, a_part_has_the_whole_of_a_request);
	tcase_add_test(back, lost_requests_are_counted);
	tcase_add_test(back, many_samples_come_back);
	tcase_add_test(back, a_function_without_a_name_has_none);
	tcase_add_test(back, spans_are_visited_until_one_is_refused);
	tcase_add_test(back, a_counter_comes_back);
	tcase_add_test(back, threads_keep_their_numbers);
	tcase_add_test(back, samples_come_back_as_slices);
	tcase_add_test(back, evented_profiles_come_back);
	tcase_add_test(back, folded_comes_back_as_totals);
	tcase_add_test(back, folded_shows_control_characters);
	tcase_add_test(back, speedscope_has_slices_of_no_length);
	tcase_add_test(back, a_part_is_cut_out);
	tcase_add_test(back, a_long_last_sample_keeps_its_length);
	tcase_add_test(back, traces_come_back);
	tcase_add_test(back, samples_do_not_lie_across_slices);
	tcase_add_test(back, broken_trace_files_export);
	tcase_add_checked_fixture(files, make_folder, remove_folder);
	tcase_add_test(files, file_appears_when_complete);
	tcase_add_test(files, file_is_not_replaced);
	tcase_add_test(files, file_that_comes_meanwhile_is_not_replaced);
	tcase_add_test(files, file_is_replaced_by_force);
	tcase_add_test(files, dropped_file_leaves_nothing);
	tcase_add_test(files, no_folder_and_full_device);
}

int main(void)
{
	return suite_run("export", add_tests);
}

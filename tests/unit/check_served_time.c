/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests that a process serves, from their events to the parts of their time. */
#include "config.h"

#include "trace_story.h"

#include "findings/served_time.h"

#define AT(ph, cat, name, id, ts, args)                                                            \
	"{'ph':'" ph "','cat':'" cat "','name':'" name "','id':'" id "','pid':1,'tid':1,'ts':" #ts \
	",'args':{" args "}}"
#define PAIR(cat, name, id, t0, t1, args)                                                          \
	AT("b", cat, name, id, t0, args) "," AT("e", cat, name, id, t1, "")
#define REQUEST(name, id, t0, t1) PAIR("http.server", name, id, t0, t1, "'path':'/p','status':200")
#define OWNER(id) "'request':'" id "'"
#define RUN(id, ts, dur)                                                                           \
	"{'ph':'X','cat':'request.cpu','name':'r','pid':1,'tid':1,'ts':" #ts ",'dur':" #dur        \
	",'args':{" OWNER(id) "}}"
#define JOB(id, of, t0, t1) PAIR("thread pool", "file", id, t0, t1, OWNER(of) ",'threads':2")
#define SOCKET(id, of, number, t0, t1)                                                             \
	PAIR("socket", "pg x:5432", id, t0, t1, OWNER(of) ",'socket':" #number)

static const char *const parts[] = { "own", "waits", "behind", "free", "unread", "unknown" };

/* The segments of request `served`, in us: `own 0-10; behind GET /b 10-30`. */
static void ck_cut(const char *events, uint32_t served, const char *wanted)
{
	struct profile *p = load(events);
	struct served_time *st = served_time_new(p);
	struct served_segments segments = { 0 };
	struct buf story = { 0 };

	ck_assert_ptr_nonnull(st);
	served_time_cut(st, served, &segments);
	for (size_t i = 0; i < segments.n; i++) {
		const struct served_segment *x = &segments.all[i];

		buf_addf(&story, "%s%s", i ? "; " : "", parts[x->part]);
		if (x->name)
			buf_addf(&story, " %s", profile_text(p, x->name));
		if (x->n_all)
			buf_addf(&story, " (%u busy)", x->n_all);
		if (x->part == SERVED_WAITS && x->other != SERVED_NONE)
			buf_addf(&story, " (%s)",
				 profile_text(p, p->served.requests[x->other].name));
		buf_addf(&story, " %lld-%lld", (long long)(x->t0 / 1000),
			 (long long)(x->t1 / 1000));
		ck_assert_int_eq(x->t0, i ? segments.all[i - 1].t1 : p->served.requests[served].t0);
	}
	ck_assert_str_eq(buf_text(&story), wanted);
	if (segments.n)
		ck_assert_int_eq(segments.all[segments.n - 1].t1, p->served.requests[served].t1);
	buf_done(&story);
	free(segments.all);
	served_time_free(st);
	profile_free(p);
}

START_TEST(no_requests_no_times)
{
	struct profile *p = load("[" X("a", 0, 5) "]");

	ck_assert_ptr_null(served_time_new(p));
	profile_free(p);
}
END_TEST

START_TEST(thread_runs_for_it_or_for_others)
{
	ck_cut("[" REQUEST("GET /a", "r1", 0, 100) "," REQUEST("GET /b", "r2", 10, 60) "," RUN(
		       "r1", 0, 20) "," RUN("r2", 20, 40) "," RUN("r1", 60, 10) "]",
	       0, "own 0-20; behind GET /b 20-60; own 60-70; unknown 70-100");
	ck_cut("[" REQUEST("GET /a", "r1", 0, 100) "," REQUEST("GET /b", "r2", 10, 60) "," RUN(
		       "r1", 0, 20) "," RUN("r2", 20, 40) "," RUN("r1", 60, 10) "]",
	       1, "behind GET /a 10-20; own 20-60");
}
END_TEST

START_TEST(waits_that_it_states)
{
	ck_cut("[" REQUEST("GET /a", "r1", 0, 20000) "," RUN("r1", 0, 1000) "," PAIR(
		       "http.client", "GET h/x", "c2", 2000, 9000, OWNER("r1")) "," RUN("r1", 9000,
											500) "]",
	       0,
	       "own 0-1000; unknown 1000-2000; waits GET h/x 2000-9000; own 9000-9500; "
	       "unknown 9500-20000");
}
END_TEST

/* Before it is read, it is behind what runs; otherwise it is not known why it is not read. */
START_TEST(requests_lie_unread)
{
	ck_cut("[" PAIR("http.server", "GET /a", "r1", 0, 1000, "'unread':600") "," REQUEST(
		       "GET /b", "r2", 0, 500) "," RUN("r2", 0, 500) "," RUN("r1", 700, 300) "]",
	       0, "behind GET /b 0-500; unread 500-600; unknown 600-700; own 700-1000");
}
END_TEST

/* When the answer came while another request ran is not known: that time is behind the other. */
START_TEST(work_that_covers_the_end_of_a_wait)
{
	ck_cut("[" REQUEST("GET /a", "r1", 0, 40000) "," REQUEST("GET /b", "r2", 0, 40000) "," PAIR(
		       "http.client", "GET h/x", "c2", 0, 30000,
		       OWNER("r1")) "," RUN("r2", 10000, 19500) "," RUN("r1", 30000, 10000) "]",
	       0,
	       "waits GET h/x 0-10000; behind GET /b 10000-29500; unknown 29500-30000; "
	       "own 30000-40000");
	/* It ends long before: the wait went on. */
	ck_cut("[" REQUEST("GET /a", "r1", 0, 40000) "," REQUEST("GET /b", "r2", 0, 40000) "," PAIR(
		       "http.client", "GET h/x", "c2", 0, 30000,
		       OWNER("r1")) "," RUN("r2", 10000, 5000) "," RUN("r1", 30000, 10000) "]",
	       0, "waits GET h/x 0-30000; own 30000-40000");
	/* It goes on after the end. */
	ck_cut("[" REQUEST("GET /a", "r1", 0, 40000) "," REQUEST("GET /b", "r2", 0, 40000) "," PAIR(
		       "http.client", "GET h/x", "c2", 0, 30000, OWNER("r1")) "," RUN("r2", 10000,
										      25000) "]",
	       0, "waits GET h/x 0-10000; behind GET /b 10000-35000; unknown 35000-40000");
}
END_TEST

/* When it came is known: 21 ms before it was read. */
START_TEST(answer_lies_unread)
{
	static const char events[] = "[" REQUEST("GET /a", "r1", 0, 40000) "," REQUEST(
		"GET /b", "r2", 0,
		40000) "," PAIR("http.client", "GET h/x", "c2", 0, 31000,
				OWNER("r1") ",'unread':21000") "," RUN("r2", 5000,
								       25500) "," RUN("r1", 31000,
										      9000) "]";
	struct profile *p = load(events);
	struct served_waits *waits;
	size_t n;

	ck_cut(events, 0,
	       "waits GET h/x 0-10000; behind GET /b 10000-30500; unknown 30500-31000; "
	       "own 31000-40000");
	waits = served_time_waits(p, 0, INT64_MAX, &n);
	ck_assert_uint_eq(n, 1);
	ck_assert_int_eq(waits[0].total, 10000000);
	free(waits);
	profile_free(p);
}
END_TEST

/* The parts add up also where the file is damaged. */
START_TEST(runs_that_overlap)
{
	static const char events[] = "[" REQUEST("GET /a", "r1", 0, 200) "," REQUEST(
		"GET /b", "r2", 0, 200) "," RUN("r1", 0, 100) "," RUN("r2", 10,
								      10) "," RUN("r2", 90, 50) "]";

	ck_cut(events, 0, "own 0-100; behind GET /b 100-140; unknown 140-200");
	ck_cut(events, 1, "behind GET /a 0-100; own 100-140; unknown 140-200");
}
END_TEST

/* Of waits that overlap, the one that ends last of those that go on counts. */
START_TEST(waits_that_overlap)
{
	ck_cut("[" REQUEST("GET /a", "r1", 0, 90000) "," PAIR(
		       "http.client", "GET h/x", "c1", 10000, 20000,
		       OWNER("r1")) "," PAIR("http.client", "GET h/y", "c2", 12000, 40000,
					     OWNER("r1")) "," PAIR("http.client", "GET h/z", "c3",
								   13000, 30000,
								   OWNER("r1")) "," PAIR("http.client",
											 "GET h/x",
											 "c4",
											 50000,
											 60000,
											 OWNER("r1")) "," RUN("r1",
													      70000,
													      5000) "]",
	       0,
	       "unknown 0-10000; waits GET h/x 10000-20000; waits GET h/y 20000-40000; "
	       "unknown 40000-50000; waits GET h/x 50000-60000; unknown 60000-70000; "
	       "own 70000-75000; unknown 75000-90000");
}
END_TEST

/* An end belongs to the last begin of its id. */
START_TEST(id_comes_again)
{
	struct profile *p = load("[" REQUEST("GET /a", "r1", 0, 10) "," REQUEST(
		"GET /a", "r1", 20, 30) "," REQUEST("GET /a", "r2", 40, 50) "]");

	ck_assert_uint_eq(p->served.n, 3);
	for (size_t i = 0; i < p->served.n; i++) {
		ck_assert(!p->served.requests[i].is_open);
		ck_assert_int_eq(p->served.requests[i].t1 - p->served.requests[i].t0, 10000);
	}
	profile_free(p);
}
END_TEST

/* Also UBSan looks at it. */
START_TEST(routes_of_requests_that_go_on)
{
	struct profile *p = load("[" AT("e", "http.server", "GET /b", "r9", 0, "") "," AT(
		"b", "http.server", "GET /a", "r1", 0, "") "," RUN("r1", 0, 60) "]");
	struct served_time *st = served_time_new(p);
	size_t n;
	struct served_route *r = served_time_routes(st, 0, INT64_MAX, &n);

	ck_assert_uint_eq(n, 1);
	ck_assert_uint_eq(r[0].n_partial, 1);
	ck_assert_int_eq(r[0].p50, SERVED_NO_TIME);
	ck_assert_int_eq(served_route_mean(&r[0], 5), SERVED_NO_TIME);
	free(r);
	served_time_free(st);
	profile_free(p);
}
END_TEST

/* The list names what most of a request is for, also in several segments. */
START_TEST(requests_name_what_they_wait_for)
{
	struct profile *p = load(
		"[" REQUEST("GET /a", "r1", 0, 90000) "," REQUEST("GET /b", "r2", 0, 10) "," PAIR(
			"http.client", "GET h/x", "c1", 0, 10000,
			OWNER("r1")) "," PAIR("http.client", "GET h/y", "c2", 20000, 38000,
					      OWNER("r1")) "," PAIR("http.client", "GET h/x", "c3",
								    50000, 60000,
								    OWNER("r1")) "," RUN("r2",
											 80000,
											 2000) "]");
	struct served_time *st = served_time_new(p);
	size_t n;
	struct served_parts *x = served_time_requests(st, 0, INT64_MAX, &n);

	ck_assert_uint_eq(n, 2);
	ck_assert_str_eq(profile_text(p, x[0].waits_for), "GET h/x");
	ck_assert_str_eq(profile_text(p, x[0].is_behind), "GET /b");
	ck_assert_uint_eq(x[1].waits_for, 0);
	ck_assert_uint_eq(x[1].is_behind, 0);
	free(x);
	served_time_free(st);
	profile_free(p);
}
END_TEST

/* Of equal sums, none is lost: the one that begins first goes first. */
START_TEST(sums_by_part_and_name)
{
	struct profile *p = load("[" REQUEST("GET /a", "r1", 0, 60) "," RUN("r1", 0, 10) "," PAIR(
		"http.client", "GET h/x", "c1", 10, 20,
		OWNER("r1")) "," PAIR("http.client", "GET h/y", "c2", 20, 40,
				      OWNER("r1")) "," PAIR("http.client", "GET h/x", "c3", 40, 50,
							    OWNER("r1")) "," RUN("r1", 50, 10) "]");
	struct served_time *st = served_time_new(p);
	struct served_segments segments = { 0 };
	struct served_sums sums = { 0 };
	struct buf story = { 0 };

	served_time_cut(st, 0, &segments);
	served_time_sum(&segments, &sums);
	for (size_t i = 0; i < sums.n; i++)
		buf_addf(&story, "%s %s %lld; ", parts[sums.all[i].first.part],
			 profile_text(p, sums.all[i].first.name), (long long)sums.all[i].ns);
	ck_assert_str_eq(buf_text(&story),
			 "own  20000; waits GET h/x 20000; waits GET h/y 20000; ");
	buf_done(&story);
	free(segments.all);
	free(sums.all);
	served_time_free(st);
	profile_free(p);
}
END_TEST

START_TEST(pool_of_connections_is_full)
{
	static const char events[] = "[" REQUEST("GET /a", "r1", 0, 9000) "," REQUEST(
		"GET /b", "r2", 0,
		9000) "," SOCKET("w1", "r2", 1, 0,
				 5000) "," SOCKET("w2", "r2", 2, 100,
						  4000) "," SOCKET("w3", "r1", 2, 4000, 8000) "]";

	ck_cut(events, 0,
	       "free pg x:5432 (2 busy) 0-4000; waits pg x:5432 4000-8000; unknown 8000-9000");
}
END_TEST

START_TEST(pool_of_threads_is_full)
{
	ck_cut("[" REQUEST("GET /a", "r1", 0, 9000) "," REQUEST("GET /b", "r2", 0, 9000) "," JOB(
		       "w1", "r2", 0, 5000) "," JOB("w2", "r2", 0, 9000) "," JOB("w3", "r1", 10,
										 8000) "]",
	       0, "unknown 0-10; waits file (2 busy) (GET /b) 10-8000; unknown 8000-9000");
	ck_cut("[" REQUEST("GET /a", "r1", 0, 9000) "," REQUEST("GET /b", "r2", 0, 9000) "," JOB(
		       "w1", "r2", 0, 5000) "," JOB("w3", "r1", 0, 8000) "]",
	       0, "waits file 0-8000; unknown 8000-9000");
	/* Of the jobs that are there, those that came first run. */
	ck_cut("[" REQUEST("GET /a", "r1", 0, 9000) "," REQUEST("GET /b", "r2", 0, 9000) "," REQUEST(
		       "GET /c", "r3", 0,
		       9000) "," JOB("w1", "r2", 0,
				     9000) "," JOB("w2", "r2", 1,
						   9000) "," JOB("w3", "r3", 2,
								 9000) "," JOB("w4", "r3", 3,
									       9000) "," JOB("w5",
											     "r1",
											     10,
											     9000) "]",
	       0, "unknown 0-10; waits file (2 busy) (GET /b) 10-9000");
}
END_TEST

/* What has no room is left out, full ones come first. Jobs that wait for a thread keep none busy.
 */
START_TEST(pools_tell_how_busy_they_were)
{
	struct profile *p = load("[" REQUEST("GET /a", "r1", 0, 9000) "," SOCKET("w1", "r1", 1, 0, 5000) "," SOCKET(
		"w2", "r1", 2, 4000,
		6000) "," JOB("j1", "r1", 0,
			      9) "," JOB("j2", "r1", 1,
					 9) "," JOB("j3", "r1", 2,
						    9) "," PAIR("socket", "redis x:1", "w4", 0, 9,
								"'socket':3") "," PAIR("socket",
										       "redis x:1",
										       "w5", 9, 99,
										       "'socket':4") "]");
	struct served_time *st = served_time_new(p);
	struct buf out = { 0 };

	served_time_tell_pools(st, &p->lanes[0], 100, NULL, &out);
	ck_assert_str_eq(
		buf_text(&out),
		" \302\267 busy at most: 2 of 2 pg x:5432, 2 of 2 threads, 1 of 2 redis x:1");
	buf_clear(&out);
	served_time_tell_pools(st, &p->lanes[0], 40, NULL, &out);
	ck_assert_str_eq(buf_text(&out), " \302\267 busy at most: 2 of 2 pg x:5432");
	buf_clear(&out);
	served_time_tell_pools(st, &p->lanes[0], 25, "<= ", &out);
	ck_assert_str_eq(buf_text(&out), " \302\267 <= 2 of 2 pg x:5432");
	buf_clear(&out);
	served_time_tell_pools(st, &p->lanes[0], 15, "<= ", &out);
	ck_assert_str_eq(buf_text(&out), "");
	buf_done(&out);
	served_time_free(st);
	profile_free(p);
}
END_TEST

START_TEST(call_waits_for_its_name)
{
	ck_cut("[" REQUEST("GET /a", "r1", 0, 9000) "," PAIR(
		       "http.client", "GET h/x", "c2", 0, 9000,
		       OWNER("r1")) "," PAIR("dns", "h", "w1", 1000, 8000, OWNER("r1")) "]",
	       0, "waits GET h/x 0-1000; waits h 1000-8000; waits GET h/x 8000-9000");
}
END_TEST

/* The thread is not idle where its profile has samples; outside runs that is the work of no
 * request. */
START_TEST(samples_tell_when_the_thread_is_busy)
{
	ck_cut("[" REQUEST("GET /a", "r1", 0, 9000) "," RUN("r1", 0, 2000) "," PROFILE(
		       "0x1", 1, 0,
		       "'startTime':0") "," CHUNK("0x1", 1,
						  SAMPLES("2,1,3,1", "1000,2000,2000,1000")) "]",
	       0,
	       "unknown 0-1000; own 1000-2000; behind 2000-3000; unknown 3000-5000; "
	       "behind 5000-6000; unknown 6000-9000");
}
END_TEST

/* A worker's profile begins later than the first one. */
START_TEST(samples_of_a_thread_that_begins_later)
{
	ck_cut("[" REQUEST("GET /a", "r1", 0, 9000) "," RUN("r1", 3000, 4000) "," PROFILE(
		       "0x1", 1, 3000,
		       "'startTime':3000") "," CHUNK("0x1", 1,
						     SAMPLES("2,1,2,1", "0,2000,1000,1000")) "]",
	       0,
	       "unknown 0-3000; own 3000-5000; unknown 5000-6000; own 6000-7000; unknown 7000-9000");
}
END_TEST

/* Two containers have processes of the same id. */
START_TEST(profile_of_the_own_file_counts)
{
	static const char *const files[] = {
		"[" PROFILE("0x1", 1, 0, "'startTime':0") "," CHUNK(
			"0x1", 1, SAMPLES("2,3,2,3", "1000,2000,2000,1000")) "]",
		"[" REQUEST("GET /a", "r1", 0, 9000) "," RUN("r1", 8000, 1000) "," PROFILE(
			"0x1", 1, 0,
			"'startTime':0") "," CHUNK("0x1", 1,
						   SAMPLES("1,1,3,1", "1000,2000,2000,1000")) "]"
	};
	struct builder_options options = { .is_raw = false };
	struct builder *b = builder_new(&options);
	struct error err = ERROR_INIT;
	struct served_route *r;
	struct served_time *st;
	struct profile *p;
	size_t n;

	for (size_t i = 0; i < N(files); i++) {
		char *text = quoted(files[i]);

		ck_assert(pass_text(b, text, strlen(text), SIZE_MAX, NULL, &err));
		free(text);
	}
	p = builder_finish(b, &err);
	ck_assert_ptr_nonnull(p);
	st = served_time_new(p);
	r = served_time_routes(st, 0, INT64_MAX, &n);
	ck_assert_uint_eq(n, 1);
	ck_assert_uint_eq(served_time_lane(st, 0)->input, p->served.requests[0].input);
	ck_assert_int_eq(r[0].part[SERVED_BEHIND], 1000000);
	free(r);
	served_time_free(st);
	profile_free(p);
}
END_TEST

/* Files of several processes, in the order in which they are given. */
static struct profile *load_files(const char *const *files, const char *const *pids, size_t n)
{
	struct builder_options options = { .is_raw = false };
	struct builder *b = builder_new(&options);
	struct error err = ERROR_INIT;
	struct profile *p;

	for (size_t i = 0; i < n; i++) {
		char *text = quoted(files[i]);

		for (char *at = text; (at = strstr(at, "\"pid\":1")); at++)
			memcpy(at, pids[i], strlen(pids[i]));
		ck_assert(pass_text(b, text, strlen(text), SIZE_MAX, NULL, &err));
		free(text);
	}
	p = builder_finish(b, &err);
	ck_assert_ptr_nonnull(p);
	return p;
}

START_TEST(threads_are_found_in_any_order_of_processes)
{
#define SAMPLED                                                                                    \
	PROFILE("0x1", 1, 0, "'startTime':0")                                                      \
	"," CHUNK("0x1", 1, SAMPLES("2,3,2,3", "1000,2000,2000,1000"))
	static const char file[] = "[" REQUEST("GET /a", "r1", 0,
					       9000) "," RUN("r1", 8000, 1000) "," SAMPLED "]";
	static const char *const files[] = { file, file, file, file };
	static const char *const pids[] = { "\"pid\":3", "\"pid\":1", "\"pid\":4", "\"pid\":2" };
	struct profile *p = load_files(files, pids, N(files));
	struct served_time *st = served_time_new(p);

	ck_assert_uint_eq(p->served.n, N(files));
	for (uint32_t i = 0; i < p->served.n; i++) {
		const struct lane *lane = served_time_lane(st, i);

		ck_assert_ptr_nonnull(lane);
		ck_assert_int_eq(lane->pid, p->served.requests[i].pid);
	}
	served_time_free(st);
	profile_free(p);
}
END_TEST

/* By the place of their first event in their file. */
START_TEST(requests_are_found_by_their_slices)
{
	static const char *const files[] = {
		"[{'ph':'M','name':'process_name','pid':1,'args':{'name':'a long name of a process'}}"
		"," REQUEST("GET /a", "r1", 0, 9000) "," REQUEST("GET /b", "r2", 100, 9000) "]",
		"[" REQUEST("GET /c", "r1", 0, 9000) "," REQUEST("GET /d", "r2", 100, 9000) "]",
	};
	static const char *const pids[] = { "\"pid\":1", "\"pid\":2" };
	struct profile *p = load_files(files, pids, N(files));
	struct served_time *st = served_time_new(p);
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->n_lanes; i++) {
		const struct lane *lane = &p->lanes[i];
		struct span span;

		for (size_t at = 0; lane->kind == LANE_ASYNC &&
		     span_next(&lane->samples, &lane->tree, 0, at, &span);
		     at = span.end) {
			uint32_t found = served_time_find(st, lane, &span);

			ck_assert_uint_ne(found, SERVED_NONE);
			ck_assert_uint_eq(p->served.requests[found].input, lane->input);
			ck_assert_str_eq(
				profile_text(p, p->served.requests[found].name),
				profile_text(p, profile_node_frame(p, lane, span.node)->name));
			n++;
		}
	}
	ck_assert_uint_eq(n, 4);
	served_time_free(st);
	profile_free(p);
}
END_TEST

#define LOGGED(ph, what, id, pid, ts, data)                                                        \
	"{'ph':'" ph "','cat':'node,node.http','name':'http." what ".request','id':'" id           \
	"','pid':" #pid ",'tid':" #pid ",'ts':" #ts ",'args':{" data "}}"

/* clang-format off */
static const char logged[] = "["
	LOGGED("b", "server", "0x1", 1, 0, "") ","
	LOGGED("b", "server", "0x1", 2, 5, "'data':{'method':'POST','url':'/b/17?x=1'}") ","
	LOGGED("e", "server", "0x1", 1, 100,
	       "'data':{'url':'/a/0123456789abcdef','statusCode':500}") ","
	LOGGED("e", "server", "0x1", 2, 25, "'data':{'statusCode':201}") ","
	LOGGED("b", "client", "0x2", 1, 10, "") ","
	LOGGED("e", "client", "0x2", 1, 60, "'data':{'path':'/c?y','statusCode':404}") ","
	LOGGED("b", "server", "0x3", 1, 70, "") "]";
/* clang-format on */

/* Of Node.js: the last event says most; ids are those of a process. */
START_TEST(logs_have_requests)
{
	struct profile *p = load(logged);
	const struct served *x = p->served.requests;

	ck_assert_uint_eq(p->served.n, 3);
	ck_assert_str_eq(profile_text(p, x[0].name), "/a/:n");
	ck_assert_str_eq(profile_text(p, x[0].path), "/a/0123456789abcdef");
	ck_assert_int_eq(x[0].status, 500);
	ck_assert_int_eq(x[0].t1 - x[0].t0, 100000);
	ck_assert_str_eq(profile_text(p, x[1].name), "POST /b/:n");
	ck_assert_int_eq(x[1].status, 201);
	ck_assert_int_eq(x[1].pid, 2);
	ck_assert(x[0].is_guessed && !x[0].is_open && x[2].is_open);
	ck_assert_uint_eq(p->served.n_waits, 1);
	ck_assert_str_eq(profile_text(p, p->served.waits[0].name), "/c");
	ck_assert_int_eq(p->served.waits[0].status, 404);
	ck_assert_uint_eq(p->served.waits[0].served, SERVED_NONE);
	profile_free(p);
}
END_TEST

/* Not even where there are samples: nothing says for whom the thread ran. */
START_TEST(without_runs_nothing_is_known)
{
	struct profile *p = load("[" REQUEST("GET /a", "r1", 0, 9000) "," PROFILE(
		"0x1", 1, 0,
		"'startTime':0") "," CHUNK("0x1", 1,
					   SAMPLES("2,3,2,3", "1000,2000,2000,1000")) "]");
	struct served_time *st = served_time_new(p);
	size_t n;
	struct served_route *r = served_time_routes(st, 0, INT64_MAX, &n);

	ck_assert_int_eq(served_route_mean(r, r->part[SERVED_OWN]), SERVED_NO_TIME);
	ck_assert_int_eq(served_route_mean(r, r->part[SERVED_BEHIND]), SERVED_NO_TIME);
	ck_assert_int_eq(served_route_mean(r, served_part_other(r->part)), 9000000);
	free(r);
	served_time_free(st);
	profile_free(p);
}
END_TEST

START_TEST(routes_sum_up)
{
	struct profile *p = load(
		"[" REQUEST("GET /a", "r1", 0, 100) "," REQUEST("GET /a", "r2", 100, 400) "," PAIR(
			"http.server", "GET /b", "r3", 0, 50,
			"'status':503") "," PAIR("http.server", "GET /a", "r4", 0, 900,
						 "'open':true") "," RUN("r1", 0, 60) "]");
	struct served_time *st = served_time_new(p);
	size_t n;
	struct served_route *r = served_time_routes(st, 0, INT64_MAX, &n);

	ck_assert_uint_eq(n, 2);
	ck_assert_str_eq(profile_text(p, r[0].name), "GET /a");
	ck_assert_uint_eq(r[0].n, 3);
	ck_assert_uint_eq(r[0].n_partial, 1);
	ck_assert_uint_eq(r[0].n_errors, 0);
	ck_assert_int_eq(r[0].p50, 100000);
	ck_assert_int_eq(r[0].p99, 300000);
	ck_assert_int_eq(r[0].longest, 300000);
	ck_assert_int_eq(r[0].part[SERVED_OWN], 60000);
	ck_assert_int_eq(r[0].part[SERVED_UNKNOWN], 340000);
	ck_assert_uint_eq(r[1].n_errors, 1);
	ck_assert_int_eq(r[1].part[SERVED_BEHIND], 50000);
	ck_assert_str_eq(profile_text(p, r[1].is_behind), "GET /a");
	free(r);
	r = served_time_routes(st, 50000, 150000, &n);
	ck_assert_uint_eq(n, 1);
	ck_assert_uint_eq(r[0].n, 1);
	free(r);
	served_time_free(st);
	profile_free(p);
}
END_TEST

/* A request that ends when another one begins is not in flight with it. */
START_TEST(requests_in_flight)
{
	static const int64_t t[] = { 0, 10000, 20000, 30000, 40000, 90000 };
	static const uint32_t wanted[] = { 2, 3, 1, 1, 0 };
	struct profile *p = load(
		"[" REQUEST("GET /a", "r1", 0, 12) "," REQUEST("GET /a", "r2", 5, 20) "," REQUEST(
			"GET /a", "r3", 11, 11) "," REQUEST("GET /b", "r4", 10,
							    15) "," REQUEST("GET /b", "r5", 20,
									    40) "]");
	struct served_time *st = served_time_new(p);
	uint32_t most[N(wanted)];

	ck_assert_uint_eq(served_time_in_flight(st, t, N(wanted), most), 3);
	for (size_t i = 0; i < N(wanted); i++)
		ck_assert_uint_eq(most[i], wanted[i]);
	served_time_free(st);
	profile_free(p);
}
END_TEST

/* ---- sums of many at once ---- */

static unsigned seed;

static unsigned below(unsigned n)
{
	seed = seed * 1103515245u + 12345u;
	return (seed >> 8) % n;
}

static void add_random(struct buf *events, const char *text, const char *id, unsigned number,
		       unsigned of, unsigned ts, unsigned end)
{
	if (events->len > 1)
		buf_addc(events, ',');
	if (end)
		buf_addf(
			events,
			"{'ph':'b',%s,'id':'%s%u','pid':1,'tid':1,'ts':%u,'args':{'path':'/p','request':'r%u','socket':%u}},"
			"{'ph':'e',%s,'id':'%s%u','pid':1,'tid':1,'ts':%u,'args':{}}",
			text, id, number, ts, of, number % 2, text, id, number, end);
	else
		buf_addf(events,
			 "{'ph':'X',%s,'pid':1,'tid':1,'ts':%u,'dur':%u,'args':{'request':'r%u'}}",
			 text, ts, number, of);
}

/* Requests of three routes, some open all the time, their waits, and `n` runs. */
static void put_random(struct buf *events, unsigned n)
{
	static const char *const routes[] = { "GET /a", "GET /b", "GET /c" };
	static const char *const waits[] = { "'cat':'socket','name':'pg x:5432'",
					     "'cat':'http.client','name':'GET h/x'",
					     "'cat':'dns','name':'h'",
					     "'cat':'socket','name':'redis y:6379'" };
	unsigned n_kinds = 1 + below(N(waits));
	unsigned n_requests = 2 + below(6), end = n * 20, t = 0;

	buf_addc(events, '[');
	for (unsigned i = 0; i < n_requests; i++) {
		unsigned t0 = below(3) ? below(end / 2) : 0,
			 t1 = below(3) ? t0 + 1 + below(end) : end;
		char text[60];

		snprintf(text, sizeof text, "'cat':'http.server','name':'%s'",
			 routes[below(N(routes))]);
		add_random(events, text, "r", i, 99, t0, t1);
		for (unsigned k = below(4); k > 0; k--) {
			unsigned from = t0 + below(end / 2);

			add_random(events, waits[below(n_kinds)], "w", i * 9 + k, i, from,
				   from + 1 + below(end / 4));
		}
	}
	for (unsigned i = 0; i < n; i++) {
		unsigned length = 1 + below(15);

		add_random(events, "'cat':'request.cpu','name':'r'", "", length,
			   below(40) ? 0 : below(n_requests), t, 0);
		t += length + below(2) * below(15);
	}
	buf_addc(events, ']');
}

struct summed {
	struct served_sums sums;
	size_t calls;
};

static void add_summed(void *ctx, const struct served_segment *first, int64_t ns)
{
	struct summed *summed = ctx;
	struct served_sum *sum = NULL;

	summed->calls++;
	for (size_t i = 0; i < summed->sums.n && !sum; i++)
		if (summed->sums.all[i].first.part == first->part &&
		    summed->sums.all[i].first.name == first->name)
			sum = &summed->sums.all[i];
	if (!sum) {
		sum = ARRAY_ADD(summed->sums.all, summed->sums.n, summed->sums.cap);
		*sum = (struct served_sum){ .first = *first };
	}
	if (first->t0 < sum->first.t0)
		sum->first = *first;
	sum->ns += ns;
}

/* They are what the segments sum up to, with the same first ones. */
START_TEST(many_are_summed_at_once)
{
	struct buf events = { 0 };
	struct summed summed = { 0 };
	struct served_segments segments = { 0 };
	struct served_time *st;
	struct profile *p;

	seed = (unsigned)_i + 1;
	put_random(&events, _i % 2 ? 3000 : 300);
	p = load(buf_text(&events));
	st = served_time_new(p);
	ck_assert_ptr_nonnull(st);
	for (uint32_t i = 0; i < p->served.n; i++) {
		struct served_sums wanted = { 0 };

		served_time_cut(st, i, &segments);
		served_time_sum(&segments, &wanted);
		summed.sums.n = 0;
		served_time_each(st, i, add_summed, &summed);
		ck_assert_uint_eq(summed.sums.n, wanted.n);
		for (size_t k = 0; k < wanted.n; k++) {
			const struct served_sum *x = &wanted.all[k], *y = NULL;

			for (size_t j = 0; j < summed.sums.n; j++)
				if (summed.sums.all[j].first.part == x->first.part &&
				    summed.sums.all[j].first.name == x->first.name)
					y = &summed.sums.all[j];
			ck_assert_msg(y && y->ns == x->ns, "seed %d, request %u: another sum", _i,
				      i);
			ck_assert(y && y->first.t0 == x->first.t0 &&
				  y->first.other == x->first.other);
		}
		free(wanted.all);
	}
	free(segments.all);
	free(summed.sums.all);
	buf_done(&events);
	served_time_free(st);
	profile_free(p);
}
END_TEST

/* A request that is open while another one runs 2,000 times is not cut 4,000 times. */
START_TEST(open_request_takes_few_steps)
{
	struct buf events = { 0 };
	struct summed summed = { 0 };
	struct served_time *st;
	struct profile *p;

	buf_adds(&events,
		 "[" REQUEST("GET /a", "r1", 0, 40000) "," REQUEST("GET /b", "r2", 0, 40000));
	for (int i = 0; i < 2000; i++)
		buf_addf(
			&events,
			",{'ph':'X','cat':'request.cpu','name':'r','pid':1,'tid':1,'ts':%d,'dur':5,"
			"'args':{'request':'r2'}}",
			i * 20);
	buf_addc(&events, ']');
	p = load(buf_text(&events));
	st = served_time_new(p);
	ck_assert_ptr_nonnull(st);
	served_time_each(st, 0, add_summed, &summed);
	ck_assert_uint_eq(summed.sums.n, 2);
	ck_assert_int_eq(summed.sums.all[0].ns + summed.sums.all[1].ns, 40000000);
	ck_assert_int_eq(summed.sums.all[0].ns, 10000000);
	ck_assert_uint_lt(summed.calls, 20);
	free(summed.sums.all);
	buf_done(&events);
	served_time_free(st);
	profile_free(p);
}
END_TEST

/* What no event names, or what is damaged, is left out. */
START_TEST(odd_events_do_no_harm)
{
	static const char *const events[] = {
		"[" RUN("r1", 0, 5) "," REQUEST("GET /a", "r2", 0, 10) "]",
		"[" REQUEST("GET /a", "r1", 0, 10) "," AT("e", "http.server", "GET /a", "r1", 3,
							  "") "]",
		"[" REQUEST("GET /a", "r1", 0, 10) "," REQUEST("GET /a", "r1", 5, 7) "]",
		"[" REQUEST("GET /a", "r1", 0, 10) "," SOCKET("w1", "r9", 1, 5, 7) "]",
		"[" AT("b", "http.server", "GET /a", "r1", 3, "'status':'x'") "]",
	};

	for (size_t i = 0; i < N(events); i++) {
		struct profile *p = load(events[i]);
		struct served_time *st = served_time_new(p);
		struct served_segments segments = { 0 };

		ck_assert_ptr_nonnull(st);
		for (uint32_t k = 0; k < p->served.n; k++)
			served_time_cut(st, k, &segments);
		free(segments.all);
		served_time_free(st);
		profile_free(p);
	}
}
END_TEST

/* As of a damaged file: 60 requests of six years each are longer than what fits. */
START_TEST(sums_do_not_overflow)
{
	struct buf events = { 0 };
	struct served_time *st;
	struct served_route *routes;
	struct profile *p;
	size_t n;

	for (int i = 0; i < 60; i++) {
		buf_addf(&events, "%s{'ph':'b','ts':-100000000000000,'args':{'path':'/p'}",
			 i ? "," : "");
		buf_addf(&events, ",'cat':'http.server','name':'GET /a','id':'%d','pid':1,'tid':1}",
			 i);
		buf_addf(&events, ",{'ph':'e','ts':100000000000000,'args':{}");
		buf_addf(&events, ",'cat':'http.server','name':'GET /a','id':'%d','pid':1,'tid':1}",
			 i);
	}
	p = load(buf_text(&events));
	st = served_time_new(p);
	routes = served_time_routes(st, INT64_MIN, INT64_MAX, &n);
	ck_assert_uint_eq(n, 1);
	ck_assert_uint_eq(routes[0].n, 60);
	ck_assert_int_eq(routes[0].total, INT64_MAX);
	ck_assert_int_eq(routes[0].part[SERVED_UNKNOWN], INT64_MAX);
	free(routes);
	served_time_free(st);
	profile_free(p);
	buf_done(&events);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "served time", SUITE_SECONDS);

	tcase_add_test(t, no_requests_no_times);
	tcase_add_test(t, thread_runs_for_it_or_for_others);
	tcase_add_test(t, waits_that_it_states);
	tcase_add_test(t, requests_lie_unread);
	tcase_add_test(t, work_that_covers_the_end_of_a_wait);
	tcase_add_test(t, answer_lies_unread);
	tcase_add_test(t, runs_that_overlap);
	tcase_add_test(t, waits_that_overlap);
	tcase_add_test(t, id_comes_again);
	tcase_add_test(t, routes_of_requests_that_go_on);
	tcase_add_test(t, requests_name_what_they_wait_for);
	tcase_add_test(t, sums_by_part_and_name);
	tcase_add_test(t, pool_of_connections_is_full);
	tcase_add_test(t, pool_of_threads_is_full);
	tcase_add_test(t, pools_tell_how_busy_they_were);
	tcase_add_test(t, call_waits_for_its_name);
	tcase_add_test(t, samples_tell_when_the_thread_is_busy);
	tcase_add_test(t, samples_of_a_thread_that_begins_later);
	tcase_add_test(t, profile_of_the_own_file_counts);
	tcase_add_test(t, threads_are_found_in_any_order_of_processes);
	tcase_add_test(t, requests_are_found_by_their_slices);
	tcase_add_test(t, logs_have_requests);
	tcase_add_test(t, without_runs_nothing_is_known);
	tcase_add_test(t, routes_sum_up);
	tcase_add_test(t, requests_in_flight);
	tcase_add_loop_test(t, many_are_summed_at_once, 0, 120);
	tcase_add_test(t, open_request_takes_few_steps);
	tcase_add_test(t, sums_do_not_overflow);
	tcase_add_test(t, odd_events_do_no_harm);
}

int main(void)
{
	return suite_run("served_time", add_tests);
}

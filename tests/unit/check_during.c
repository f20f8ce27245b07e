/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Only the time of slices or requests: what is left of lanes, and its sums, on profiles whose
 * numbers are found by hand. */
#include "config.h"

#include "random_mix.h"
#include "story.h"
#include "trace_story.h"

#include "analyse/scope.h"
#include "analyse/totals.h"
#include "analyse/view/scoped.h"

#define AT(ph, name, id, ts, path)                                                                 \
	"{'ph':'" ph "','cat':'http.server','name':'" name "','id':'" id                           \
	"','pid':1,'tid':1,'ts':" #ts ",'args':{'path':'" path "','status':200}}"
#define REQUEST(name, id, path, t0, t1) AT("b", name, id, t0, path) "," AT("e", name, id, t1, path)
#define RUN(id, ts, dur)                                                                           \
	"{'ph':'X','cat':'request.cpu','name':'r','pid':1,'tid':1,'ts':" #ts ",'dur':" #dur        \
	",'args':{'request':'" id "'}}"
#define CALL(id, more, name)                                                                       \
	"{'id':" #id "," more "'callFrame':{'functionName':'" name                                 \
	"','scriptId':0,'url':'','lineNumber':-1,'columnNumber':-1}}"

/* main>a 1-3 ms, main>b 3-5, idle 5-7, main 7-8, main>a 8-10, idle 10-11.8 of thread 1: the last
 * sample is as long as the others on average. */
#define CPU                                                                                                  \
	PROFILE("0x1", 1, 0, "'startTime':0")                                                                \
	"," CHUNK(                                                                                           \
		"0x1", 1,                                                                                    \
		"'cpuProfile':{'nodes':[" CALL(1, "", "(root)") "," CALL(2, "'parent':1,", "main") "," CALL( \
			3, "'parent':2,",                                                                    \
			"a") "," CALL(4, "'parent':2,",                                                      \
				      "b") "," CALL(5,                                                       \
						    "'parent'"                                               \
						    ":1,",                                                   \
						    "(idle)"                                                 \
						    "") "],"                                                 \
							"'samples':[3,4,5,2,3,5]},'timeDeltas':[1000,2000,2000,2000,1000,2000]")

#define REQUESTS                                                                                   \
	REQUEST("GET /a", "r1", "/a/1", 1000, 8500)                                                \
	"," REQUEST("GET /b/:id", "r2", "/b/2", 2000, 9000) "," REQUEST("GET /b/:id", "r3",        \
									"/b/3", 8500, 9500)

/* r1 has 1-2, and 4-5 with idle time until 6; r2 2-4, r3 8.5-9.5; no request has 7-8.5. */
#define RUNS                                                                                       \
	RUN("r1", 1000, 1000)                                                                      \
	"," RUN("r2", 2000, 2000) "," RUN("r1", 4000, 2000) "," RUN("r3", 8500, 1000)

#define HOOKED "[" REQUESTS "," RUNS "," CPU "]"

static void add_lanes(const struct profile *p, enum lane_kind kind, struct buf *out)
{
	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (p->lanes[i].kind == kind)
			add_lane(out, p, &p->lanes[i]);
}

/* The self times of a scope, without idle time, add up to the time that lanes are busy. */
static void ck_sums(const struct profile *p, int64_t busy_ns)
{
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		const struct lane *lane = &p->lanes[i];
		struct totals totals;
		struct view view;

		if (lane->kind != LANE_SAMPLES)
			continue;
		view_init_lane(&view, p, lane);
		totals_init(&totals, &view);
		totals_begin(&totals, lane->t0, lane->t1);
		ck_assert(totals_step(&totals, BUDGET_UNLIMITED));
		ck_assert_int_eq(totals.self_ns - totals.idle_ns, busy_ns);
		ck_assert_int_eq(lane_worked_ns(lane), busy_ns);
		ck_assert_int_eq(lane->busy_ns + lane->idle_ns + lane->program_ns + lane->gc_ns +
					 lane->unsampled_ns,
				 lane->t1 - lane->t0);
		totals_done(&totals);
		view_done(&view);
	}
}

/* What a scope with these patterns is called and has of the lanes of a kind. busy_us: of its
 * samples. */
static void ck_during(const char *text, const char *pattern, const char *more, enum lane_kind kind,
		      const char *said, const char *story, int64_t busy_us)
{
	struct profile *p = load(text);
	struct error err = ERROR_INIT;
	struct scoped scoped;
	struct scope scope;
	struct buf out = { 0 };

	scope_all(&scope, p);
	ck_assert_msg(scope_add(&scope, p, TRANSFORM_DURING, pattern, &err), "%s", err.text);
	if (more)
		ck_assert_msg(scope_add(&scope, p, TRANSFORM_DURING, more, &err), "%s", err.text);
	ck_assert(scoped_init(&scoped, p, &scope, &err));
	scope_describe(&scope, p, &out);
	ck_assert_str_eq(buf_text(&out), said);
	buf_clear(&out);
	add_lanes(scoped.profile, kind, &out);
	ck_assert_str_eq(buf_text(&out), story);
	ck_sums(scoped.profile, busy_us * 1000);
	for (uint32_t i = 0; i < scoped.profile->n_lanes; i++) {
		const struct lane *lane = &scoped.profile->lanes[i];

		/* Nothing is lost: what was left out is the rest. */
		if (lane->kind == LANE_SAMPLES)
			ck_assert_int_eq(lane_worked_ns(lane) + lane->idle_ns +
						 scoped_dropped(&scoped, lane, 0, INT64_MAX),
					 10800000);
	}
	buf_done(&out);
	scoped_done(&scoped);
	scope_done(&scope);
	profile_free(p);
}

START_TEST(own_cpu_of_a_route)
{
	ck_during(HOOKED, "route:/a", NULL, LANE_SAMPLES,
		  "during route: GET /a: 1 request, 2.00 ms",
		  "samples 1/1 main:1000-2000 main:4000-5000 | a:1000-2000 b:4000-5000\n", 2000);
	ck_during(HOOKED, "route:^GET /b", NULL, LANE_SAMPLES,
		  "during route: GET /b/:id: 2 requests, 3.00 ms",
		  "samples 1/1 main:2000-4000 main:8500-9500 | a:2000-3000 b:3000-4000 "
		  "a:8500-9500\n",
		  3000);
	/* Both routes: the pattern stands for their names. */
	ck_during(HOOKED, "get", NULL, LANE_SAMPLES, "during route: get: 3 requests, 5.00 ms",
		  "samples 1/1 main:1000-5000 main:8500-9500 | a:1000-3000 b:3000-5000 "
		  "a:8500-9500\n",
		  5000);
}
END_TEST

START_TEST(one_request)
{
	ck_during(HOOKED, "/b/3", NULL, LANE_SAMPLES, "during request: /b/3: 1 request, 1.00 ms",
		  "samples 1/1 main:8500-9500 | a:8500-9500\n", 1000);
	ck_during(HOOKED, "request:GET /b", NULL, LANE_SAMPLES,
		  "during request: GET /b: 2 requests, 3.00 ms",
		  "samples 1/1 main:2000-4000 main:8500-9500 | a:2000-3000 b:3000-4000 "
		  "a:8500-9500\n",
		  3000);
}
END_TEST

/* It is not known whose CPU it is: all that ran, idle time too; what overlaps counts once. */
START_TEST(requests_without_owners)
{
	ck_during(
		"[" REQUESTS "," CPU "]", "route:.", NULL, LANE_SAMPLES,
		"during route: .: 3 requests, 8.50 ms (all of their time: whose CPU it is was not "
		"recorded)",
		"samples 1/1 main:1000-5000 (idle):5000-7000 main:7000-9500 | a:1000-3000 "
		"b:3000-5000 a:8000-9500\n",
		6500);
}
END_TEST

/* Slices overlap, nest, and touch. */
#define SLICES                                                                                     \
	"[" X("work", 1500, 1000) "," X("outer", 2600, 3000) "," X("work", 2600, 400) "," X(       \
		"work", 7500, 500) "," X("work", 8000, 1000) "," CPU "]"

START_TEST(time_of_slices)
{
	ck_during(SLICES, "slice:work", NULL, LANE_SAMPLES, "during slice: work: 4 slices, 2.90 ms",
		  "samples 1/1 main:1500-2500 main:2600-3000 main:7500-9000 | a:1500-2500 "
		  "a:2600-3000 a:8000-9000\n",
		  2900);
	ck_during(SLICES, "outer|work", NULL, LANE_SAMPLES,
		  "during slice: outer|work: 5 slices, 5.50 ms",
		  "samples 1/1 main:1500-2500 main:2600-5000 (idle):5000-5600 main:7500-9000 | "
		  "a:1500-2500 a:2600-3000 b:3000-5000 a:8000-9000\n",
		  4900);
	/* Of the thread's own slices those in this time are left. */
	ck_during(SLICES, "slice:outer", NULL, LANE_SLICES, "during slice: outer: 1 slice, 3.00 ms",
		  "slices 1/1 outer:2600-5600 | work:2600-3000\n", 2400);
}
END_TEST

START_TEST(both_of_two)
{
	ck_during(SLICES, "slice:outer", "slice:work", LANE_SAMPLES,
		  "during slice: outer: 1 slice, 3.00 ms, during slice: work: 4 slices, 2.90 ms",
		  "samples 1/1 main:2600-3000 | a:2600-3000\n", 400);
}
END_TEST

/* Requests are about their own thread. */
START_TEST(other_threads_have_no_time)
{
	ck_during("[" REQUESTS "," RUNS "," CPU
		  ",{'ph':'X','name':'x','pid':1,'tid':2,'ts':1000,'dur':9000}]",
		  "route:/a", NULL, LANE_SLICES, "during route: GET /a: 1 request, 2.00 ms",
		  "slices 1/1 r:1000-2000 r:4000-5000\nslices 1/2\n", 2000);
}
END_TEST

START_TEST(counts_of_a_range)
{
	struct profile *p = load(HOOKED);
	struct error err = ERROR_INIT;
	struct buf out = { 0 };
	struct scope scope;

	scope_all(&scope, p);
	scope.t0 = 2500000 - p->origin_ns;
	scope.t1 = 4500000 - p->origin_ns;
	ck_assert(scope_add(&scope, p, TRANSFORM_DURING, "route:b", &err));
	scope_describe(&scope, p, &out);
	ck_assert_str_eq(buf_text(&out), "during route: GET /b/:id: 1 request, 1.50 ms");
	buf_done(&out);
	scope_done(&scope);
	profile_free(p);
}
END_TEST

static void ck_refused_of(const char *text, const char *pattern, enum error_kind kind,
			  const char *why)
{
	struct profile *p = load(text);
	struct error err = ERROR_INIT;
	struct match_set set;

	ck_assert(!scope_match(p, TRANSFORM_DURING, pattern, &set, &err));
	ck_assert_int_eq(err.kind, kind);
	ck_assert_str_eq(err.text, why);
	profile_free(p);
}

static void ck_refused(const char *pattern, enum error_kind kind, const char *why)
{
	ck_refused_of(HOOKED, pattern, kind, why);
}

START_TEST(nothing_matches)
{
	ck_refused("nope", ERR_NOTHING, "no route, request or slice matches 'nope'");
	ck_refused("route:/b/2", ERR_NOTHING, "no route matches '/b/2'");
	ck_refused("slice:main", ERR_NOTHING, "no slice matches 'main'");
	ck_refused("request:/a/2", ERR_NOTHING, "no request matches '/a/2'");
	ck_refused("route:(", ERR_FORMAT, "'(' is no pattern: missing closing parenthesis");
	ck_refused_of(SLICES, "GET /", ERR_NOTHING,
		      "no route, request or slice matches 'GET /'; "
		      "requests are recorded with --requests, here are none");
	ck_refused_of(SLICES, "slice:main", ERR_NOTHING, "no slice matches 'main'");
}
END_TEST

/* ---- random profiles ---- */

static void add_totals(const struct profile *p, const struct lane *lane, int64_t t0, int64_t t1,
		       int64_t *self, int64_t *total)
{
	struct totals totals;
	struct view view;

	ck_assert(view_init(&view, p, &lane, 1));
	totals_init(&totals, &view);
	totals_begin(&totals, t0, t1);
	ck_assert(totals_step(&totals, BUDGET_UNLIMITED));
	for (frame_id f = 0; f < totals.n_frames; f++) {
		self[f] += totals.frame_self[f];
		total[f] += totals.frame_total[f];
	}
	totals_done(&totals);
	view_done(&view);
}

/* The times of a lane are the sums of those that it had in each stretch before it was cut. */
static void ck_lane(const struct scoped *before, const struct scoped *after, uint32_t i,
		    const struct during *during)
{
	const struct lane *lane = &before->profile->lanes[i];
	const struct slice_stretches *times = during_times(during, lane);
	size_t n = before->profile->frames.n;
	int64_t *self[2], *total[2], lacking = 0;

	for (int k = 0; k < 2; k++) {
		self[k] = xcalloc(n, sizeof *self[k]);
		total[k] = xcalloc(n, sizeof *total[k]);
	}
	for (size_t k = 0; k < times->n; k++) {
		add_totals(before->profile, lane, times->list[k].t0, times->list[k].t1, self[0],
			   total[0]);
		lacking += slice_time_lacking(lane->slice_time, times->list[k].t0,
					      times->list[k].t1);
	}
	ck_assert_int_eq(
		slice_time_lacking(after->profile->lanes[i].slice_time, INT64_MIN, INT64_MAX),
		lacking);
	add_totals(after->profile, &after->profile->lanes[i], -1, before->profile->t1 + 1, self[1],
		   total[1]);
	for (frame_id f = 0; f < n; f++)
		ck_assert_msg(self[0][f] == self[1][f] && total[0][f] == total[1][f],
			      "seed %d, lane %u, frame %u: %lld, %lld; %lld, %lld", seed,
			      (unsigned)i, (unsigned)f, (long long)self[0][f],
			      (long long)self[1][f], (long long)total[0][f],
			      (long long)total[1][f]);
	for (int k = 0; k < 2; k++) {
		free(self[k]);
		free(total[k]);
	}
}

static int n_checked, n_overlap;

/* kind: of a transform before, TRANSFORM_COUNT or more: none. */
static void ck_cut(struct profile *p, const char *slices, enum transform_kind kind)
{
	struct error err = ERROR_INIT;
	struct scope scope, cut;
	struct scoped before, after;

	scope_all(&scope, p);
	scope_all(&cut, p);
	if (kind < TRANSFORM_COUNT && kind != TRANSFORM_FOCUS) {
		ck_assert(scope_add(&scope, p, kind, "^[bf]$", &err));
		ck_assert(scope_add(&cut, p, kind, "^[bf]$", &err));
	}
	if (scope_add(&cut, p, TRANSFORM_DURING, slices, &err)) {
		const struct during *during = cut.transforms[cut.n_transforms - 1].set.during;

		ck_assert(scoped_init(&before, p, &scope, &err));
		ck_assert(scoped_init(&after, p, &cut, &err));
		story_sound(after.profile);
		for (uint32_t i = 0; i < p->n_lanes; i++)
			if (p->lanes[i].tree.n && p->lanes[i].has_timeline &&
			    (p->lanes[i].kind == LANE_SAMPLES || p->lanes[i].kind == LANE_SLICES)) {
				n_overlap += p->lanes[i].slice_time != NULL;
				ck_lane(&before, &after, i, during);
			}
		n_checked++;
		scoped_done(&before);
		scoped_done(&after);
	}
	scope_done(&scope);
	scope_done(&cut);
	profile_free(p);
}

static void ck_random(struct profile *p)
{
	static const char *const slices[] = { "^a$", "b|c", "" };

	ck_cut(p, slices[below(N(slices))], (enum transform_kind)below(TRANSFORM_COUNT + 3));
}

START_TEST(times_are_those_of_the_stretches)
{
	random_mix_loop(_i, ck_random);
	ck_assert_int_gt(n_checked, RANDOM_SEEDS_A_LOOP / 4);
}
END_TEST

/* Slices that overlap and outlast others: lanes have less or more time than their samples say. */
START_TEST(times_of_slices_that_overlap)
{
	for (int i = 0; i < RANDOM_SEEDS_A_LOOP; i++) {
		struct buf text = { 0 };

		set_seed(_i * RANDOM_SEEDS_A_LOOP + i);
		for (int k = 0; k < 14; k++)
			buf_addf(&text,
				 "%c{'ph':'X','name':'%c','pid':1,'tid':1,'ts':%d.%d,'dur':%d.%d}",
				 k ? ',' : '[', 'a' + (int)below(3), k ? (int)below(20) : 0,
				 k ? 5 * (int)below(2) : 0, (int)below(12), 5 * (int)below(2));
		buf_addc(&text, ']');
		ck_random(load(buf_text(&text)));
		buf_done(&text);
	}
	ck_assert_int_gt(n_checked, RANDOM_SEEDS_A_LOOP / 2);
	ck_assert_int_gt(n_overlap, RANDOM_SEEDS_A_LOOP / 2);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "during", SUITE_SECONDS);

	tcase_add_test(t, own_cpu_of_a_route);
	tcase_add_test(t, one_request);
	tcase_add_test(t, requests_without_owners);
	tcase_add_test(t, time_of_slices);
	tcase_add_test(t, both_of_two);
	tcase_add_test(t, other_threads_have_no_time);
	tcase_add_test(t, counts_of_a_range);
	tcase_add_test(t, nothing_matches);
	tcase_add_loop_test(t, times_are_those_of_the_stretches, 0, 10);
	tcase_add_loop_test(t, times_of_slices_that_overlap, 0, 5);
}

int main(void)
{
	return suite_run("during", add_tests);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is far from all others: the rule by itself, and what becomes of lanes. */
#include "config.h"

#include "story.h"
#include "suite.h"

#include "model/build/stray.h"
#include "model/lane.h"

#define S NS_PER_S

/* ---- the rule ---- */

/* Times in ns; the result: what is kept, and how many are left out on both sides. */
static struct stray_found found_of(const int64_t *t, size_t n)
{
	struct stray_times times;
	struct stray_found found;

	stray_init(&times);
	for (size_t i = 0; i < n; i++)
		stray_add(&times, t[i], t[i], 1, (int64_t)i);
	stray_find(&times, &found);
	return found;
}

#define FOUND(...)                                                                                 \
	found_of((const int64_t[]){ __VA_ARGS__ }, sizeof((int64_t[]){ __VA_ARGS__ }) / 8)

static const struct {
	int64_t t[16];
	size_t n;
	unsigned before, after;
} cases[] = {
	/* Ten seconds are not over ten seconds; ten times are not over ten times. */
	{ { 0, 10 * S, 10 * S + 5, 10 * S + 9 }, 4, 0, 0 },
	{ { -1, 10 * S, 10 * S + 5, 10 * S + 9 }, 4, 1, 0 },
	{ { 0, 20 * S, 21 * S, 22 * S }, 4, 0, 0 },
	{ { -1, 20 * S, 21 * S, 22 * S }, 4, 1, 0 },
	{ { 0, S, 2 * S, 22 * S }, 4, 0, 0 },
	{ { 0, S, 2 * S, 22 * S + 1 }, 4, 0, 1 },
	/* Three are a group, four are not; the others must be more. */
	{ { 1, 2, 3, 99 * S, 99 * S + 1, 99 * S + 2, 99 * S + 3 }, 7, 3, 0 },
	{ { 1, 2, 3, 4, 99 * S, 99 * S + 1, 99 * S + 2, 99 * S + 3, 99 * S + 4 }, 9, 0, 0 },
	{ { 1, 2, 99 * S, 99 * S + 1 }, 4, 0, 0 },
	{ { 1, 2, 3, 99 * S, 99 * S + 1 }, 5, 0, 2 },
	/* On both sides. */
	{ { 1, 2, 3, 99 * S, 99 * S + 1, 99 * S + 2, 99 * S + 3, 299 * S, 299 * S + 1,
	    299 * S + 2 },
	  10,
	  3,
	  3 },
	/* One or two are neither the others nor stray; nor is what has no length. */
	{ { 5 }, 1, 0, 0 },
	{ { 5, 99 * S }, 2, 0, 0 },
	{ { 5, 99 * S, 99 * S }, 3, 0, 0 },
	/* In any order, the group with gaps of its own. */
	{ { 900 * S, 1, 900 * S + 4, 50 * S, 900 * S + 2, 100 * S, 900 * S + 3 }, 7, 3, 0 },
	{ { 900 * S, 1, 900 * S + 4, 50 * S, 900 * S + 2, 100 * S, 900 * S + 3, 150 * S },
	  8,
	  0,
	  0 },
	/* The ends of the time that can be stored. */
	{ { -PROFILE_TIME_MAX, 0, 1, 2, PROFILE_TIME_MAX }, 5, 1, 1 },
	{ { -PROFILE_TIME_MAX, -PROFILE_TIME_MAX + 1, PROFILE_TIME_MAX - 1, PROFILE_TIME_MAX,
	    PROFILE_TIME_MAX - 2 },
	  5,
	  2,
	  0 },
	{ { INT64_MIN, 0, 1, 2, INT64_MAX }, 5, 1, 1 },
};

START_TEST(groups_at_the_ends_are_stray)
{
	struct stray_found f = found_of(cases[_i].t, cases[_i].n);

	ck_assert_uint_eq(f.before.n, cases[_i].before);
	ck_assert_uint_eq(f.after.n, cases[_i].after);
}
END_TEST

START_TEST(tells_place_and_distance)
{
	struct stray_found f = FOUND(100 * S, 3 * S, 5 * S, 100 * S + 7, 100 * S + 8, 300 * S);

	ck_assert_int_eq(f.before.first, 3 * S);
	ck_assert_int_eq(f.before.last, 5 * S);
	ck_assert_int_eq(f.before.distance, 95 * S);
	ck_assert_int_eq(f.before.offset, 1);
	ck_assert_int_eq(f.after.first, 300 * S);
	ck_assert_int_eq(f.after.distance, 200 * S - 8);
	ck_assert_int_eq(f.after.offset, 5);
	ck_assert_int_eq(f.t0, 100 * S);
	ck_assert_int_eq(f.t1, 100 * S + 8);
}
END_TEST

/* What reaches the others is not far from them. */
START_TEST(long_events_are_one_piece)
{
	struct stray_times times;
	struct stray_found f;

	stray_init(&times);
	for (int i = 0; i < 9; i++)
		stray_add(&times, 100 * S + i, 100 * S + i + 1, 1, -1);
	stray_add(&times, 0, 1, 1, -1);
	ck_assert(stray_find(&times, &f));
	stray_add(&times, 1, 100 * S, 1, -1);
	ck_assert(!stray_find(&times, &f));
	ck_assert_int_eq(f.t0, 0);
	ck_assert_int_eq(f.t1, 100 * S + 9);
}
END_TEST

/* More parts than are kept, in any order: those at the ends stay. */
START_TEST(many_parts_are_joined_in_the_middle)
{
	struct stray_times times;
	struct stray_found f;
	unsigned seed = (unsigned)_i * 7919 + 1;

	stray_init(&times);
	for (int i = 0; i < 200; i++) {
		seed = seed * 1103515245 + 12345;
		stray_add(&times, (int64_t)(seed >> 16 & 0x3FF) * 20 * S,
			  (seed >> 16 & 0x3FF) * 20 * S, 1, -1);
	}
	ck_assert_uint_eq(times.n, STRAY_PARTS);
	ck_assert(!stray_find(&times, &f));
	for (int i = 0; i < 3; i++)
		stray_add(&times, -3000000 * S - i * 11 * S, -3000000 * S - i * 11 * S, 1, -1);
	for (int i = 0; i < 2; i++)
		stray_add(&times, 3000000 * S + i * 11 * S, 3000000 * S + i * 11 * S, 1, -1);
	ck_assert(stray_find(&times, &f));
	ck_assert_uint_eq(f.before.n, 3);
	ck_assert_uint_eq(f.after.n, 2);
	ck_assert_int_ge(f.t0, 0);
	ck_assert_int_le(f.t1, 1024 * 20 * S);
}
END_TEST

START_TEST(any_number_is_stray_before_a_start)
{
	struct stray_times times;
	struct stray_found f;

	stray_init(&times);
	for (int i = 0; i < 9; i++) {
		stray_add(&times, i, i, 1, -1);
		stray_add(&times, 100 * S + i, 100 * S + i, 1, -1);
	}
	ck_assert(!stray_find(&times, &f));
	stray_add_start(&times, 100 * S);
	ck_assert(stray_find(&times, &f));
	ck_assert_uint_eq(f.before.n, 9);
	/* A start that is among them says nothing. */
	stray_add_start(&times, 5);
	ck_assert(!stray_find(&times, &f));
}
END_TEST

START_TEST(what_is_at_0_may_have_no_time)
{
	struct stray_times times;
	struct stray_found f;

	stray_init(&times);
	times.is_zero_void = true;
	for (int i = 0; i < 9; i++)
		stray_add(&times, 0, 0, 1, i);
	ck_assert(!stray_find(&times, &f));
	stray_add(&times, 100 * S, 190 * S, 1, -1);
	ck_assert(stray_find(&times, &f));
	ck_assert_uint_eq(f.before.n, 9);
	ck_assert_int_eq(f.before.distance, 100 * S);
	ck_assert_int_eq(f.t0, 100 * S);
	stray_add(&times, 190 * S, 199 * S, 1, -1);
	ck_assert(!stray_find(&times, &f));
	ck_assert_int_eq(f.t0, 0);
}
END_TEST

START_TEST(of_a_lane_those_at_its_ends_are_stray)
{
	const int64_t t[] = { 1, 2, 90 * S, 90 * S + 1, 90 * S + 2, 90 * S + 3, 900 * S };
	size_t first, end;

	stray_of_lane(t, N(t), &first, &end);
	ck_assert_uint_eq(first, 2);
	ck_assert_uint_eq(end, 6);
	stray_of_lane(t + 2, 4, &first, &end);
	ck_assert_uint_eq(first, 0);
	ck_assert_uint_eq(end, 4);
	stray_of_lane(t, 1, &first, &end);
	ck_assert_uint_eq(first, 0);
	ck_assert_uint_eq(end, 1);
}
END_TEST

/* ---- lanes of samples ---- */

#define NODES                                                                                      \
	"'nodes':[{'id':1,'callFrame':{'functionName':'(root)'},'children':[2,3,4]},"              \
	"{'id':2,'callFrame':{'functionName':'a','url':'x'}},"                                     \
	"{'id':3,'callFrame':{'functionName':'b','url':'x'}},"                                     \
	"{'id':4,'callFrame':{'functionName':'(garbage collector)'}}],"
#define CPU(more, samples, deltas)                                                                 \
	"{" NODES more "'samples':[" samples "],'timeDeltas':[" deltas "]}"

/* `story`, and that many left out. */
static void ck_kept(const char *text, const char *story, uint64_t count)
{
	struct profile *p = story_load(text);

	story_of(p, 0, story);
	ck_assert_uint_eq(story_warned(p, "time-zero"), count);
	ck_assert_int_eq(p->lanes[0].t1, p->t1);
	profile_free(p);
}

START_TEST(first_sample_at_0_is_left_out)
{
	ck_kept(CPU("'startTime':0,", "2,3,2,3", "0,97200000000,10,10"), "0 b|10 a|20 b|30", 1);
}
END_TEST

START_TEST(sample_before_a_stray_one_lasts_for_the_average)
{
	ck_kept(CPU("'startTime':100,", "2,3,2,3", "0,10,10,97200000000"), "0 a|10 b|20 a|30", 1);
	/* The recording ended before that. */
	ck_kept(CPU("'startTime':100,'endTime':124,", "2,3,2,3", "0,10,10,97200000000"),
		"0 a|10 b|20 a|24", 1);
	/* Its end is as far away as the stray sample. */
	ck_kept(CPU("'startTime':100,'endTime':97200000125,", "2,3,2,3", "0,10,10,97200000000"),
		"0 a|10 b|20 a|30", 1);
}
END_TEST

START_TEST(both_ends_are_left_out)
{
	ck_kept(CPU("'startTime':5,", "2,2,3,2,3,3,4,4", "0,1,97200000000,10,10,10,97200000000,1"),
		"0 b|10 a|20 b|30 b|40", 4);
}
END_TEST

START_TEST(start_time_far_from_the_samples_is_left_out)
{
	ck_kept(CPU("'startTime':0,", "2,3,2,3", "97200000000,10,10,10"), "0 a|10 b|20 a|30 b|40",
		1);
	ck_kept(CPU("'startTime':0,", "2,3,2,3", "9000000,10,10,10"),
		"9000000 a|9000010 b|9000020 a|9000030 b|9000040", 0);
}
END_TEST

START_TEST(end_time_far_from_the_samples_is_left_out)
{
	ck_kept(CPU("'startTime':0,'endTime':97200000000,", "2,3,2,3", "0,10,10,10"),
		"0 a|10 b|20 a|30 b|40", 1);
	/* Not over ten seconds; not over ten times the length of the samples. */
	ck_kept(CPU("'startTime':0,'endTime':10000030,", "2,3,2,3", "0,10,10,10"),
		"0 a|10 b|20 a|30 b|40", 0);
	ck_kept(CPU("'startTime':0,'endTime':20000000,", "2,3,2,3", "0,10,10,1900000"),
		"0 a|10 b|20 a|1900020 b|2533360", 0);
	/* The samples are in the middle of nowhere. */
	ck_kept(CPU("'startTime':0,'endTime':97200000000,", "2,3,2,3", "50000000000,10,10,10"),
		"0 a|10 b|20 a|30 b|40", 2);
}
END_TEST

/* The sample that they follow is gone. */
START_TEST(gc_behind_a_stray_sample_has_no_stack)
{
	ck_kept(CPU("'startTime':0,", "2,4,4,3,4", "0,97200000000,10,10,10"),
		"0 (garbage collector)|10 (garbage collector)|20 b|30 b>(garbage collector)|40", 1);
	ck_kept("{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'},'children':[2,3]},"
		"{'id':2,'callFrame':{'functionName':'a','url':'x'}},"
		"{'id':3,'callFrame':{'functionName':'(program)'}}],'startTime':0,"
		"'samples':[2,3,2,3,2],'timeDeltas':[0,97200000000,10,10,10]}",
		"0 (program)|10 a|20 a|30 a|40", 1);
}
END_TEST

#define LINES(ticks, more)                                                                         \
	"{'nodes':[{'id':1,'callFrame':{'functionName':'(root)'},'children':[2,3]},"               \
	"{'id':2,'callFrame':{'functionName':'a','url':'x'},'positionTicks':[" ticks "]},"         \
	"{'id':3,'callFrame':{'functionName':'b','url':'x'},'positionTicks':[{'line':9,'ticks':"   \
	"3}]}],'startTime':0,'samples':[2,3,3,3" more                                              \
	"],'timeDeltas':[0,97200000000,10,10,10,10]}"
#define TICK(line, n) "{'line':" #line ",'ticks':" #n "}"

/* Lines of stray samples are not counted. */
START_TEST(ticks_of_stray_samples_are_left_out)
{
	static const struct {
		const char *text;
		uint32_t ticks[3]; /* of lines 1, 2 and 9 */
	} c[] = {
		{ LINES(TICK(1, 1), ""), { 0, 0, 3 } },
		{ LINES(TICK(1, 1) "," TICK(2, 1), ""), { 0, 0, 3 } },
		{ LINES(TICK(1, 1) "," TICK(2, 2), ",2,2"), { 1, 1, 3 } },
		{ LINES(TICK(1, 3), ",2,2"), { 2, 0, 3 } },
	};
	struct profile *p = story_load(c[_i].text);
	uint32_t ticks[10] = { 0 };

	for (size_t i = 0; i < p->lanes[0].n_ticks; i++)
		ticks[p->lanes[0].ticks[i].line] += p->lanes[0].ticks[i].ticks;
	ck_assert_uint_eq(ticks[1], c[_i].ticks[0]);
	ck_assert_uint_eq(ticks[2], c[_i].ticks[1]);
	ck_assert_uint_eq(ticks[9], c[_i].ticks[2]);
	profile_free(p);
}
END_TEST

/* Of samples as recorded, too: GC on top of a stack, a lone (program) sample. */
START_TEST(as_recorded_without_the_stray_ones)
{
	struct profile *p = story_load(
		CPU("'startTime':0,", "2,3,4,3,4", "0,97200000000,10,10,10"));
	const struct lane *l = &p->lanes[0];

	story_of(p, 0, "0 b|10 b>(garbage collector)|20 b|30 b>(garbage collector)|40");
	ck_assert_uint_eq(l->n_samples, 4);
	ck_assert_int_eq(l->gc_ns, 20000);
	ck_assert_int_eq(l->busy_ns, 20000);
	ck_assert_int_eq(l->interval_ns, 10000);
	ck_assert_uint_eq(l->n_spans, 3);
	ck_assert_ptr_nonnull(l->recorded);
	profile_free(p);
}
END_TEST

START_TEST(two_samples_are_both_kept)
{
	ck_kept(CPU("'startTime':0,'endTime':97200000020,", "2,3", "0,97200000000"),
		"0 a|97200000000 b|97200000020", 0);
}
END_TEST

/* The average of the samples of a lane, although another lane shows that they are not stray. */
START_TEST(outlier_sets_no_average)
{
	struct profile *p = story_load(
		"[" CPU("'startTime':0,", "2,3,2,3", "0,97200000000,10,10") "," CPU(
			"'startTime':0,", "2,3,2,3,2",
			"0,30000000000,30000000000,30000000000,7200000000") "]");

	ck_assert_uint_eq(story_warned(p, "time-zero"), 0);
	story_of(p, 0, "0 a|97200000000 b|97200000010 a|97200000020 b|97200000030");
	ck_assert_int_eq(p->lanes[0].interval_ns, 10000);
	profile_free(p);
}
END_TEST

/* A pause between many samples is no distance of samples. The last one has no end. */
START_TEST(pause_sets_no_average)
{
	struct profile *p = story_load(
		CPU("'startTime':0,", "2,3,2,3,2,3,2,3", "0,10,10,10,97200000000,10,10,10"));

	ck_assert_uint_eq(story_warned(p, "time-zero"), 0);
	ck_assert_int_eq(p->lanes[0].interval_ns, 10000);
	ck_assert_int_eq(p->t1, (INT64_C(97200000060) + 10) * 1000);
	profile_free(p);
}
END_TEST

/* A lane that has nothing else goes; one that has, loses it. */
START_TEST(lane_of_stray_samples_only_is_left_out)
{
	struct profile *p = story_load("[" CPU("'startTime':0,", "2", "0") "," CPU(
		"'startTime':97200000000,", "2,3,2,3,2", "0,10,10,10,10") "]");

	ck_assert_uint_eq(p->n_lanes, 1);
	ck_assert_uint_eq(p->lanes[0].id, 1);
	ck_assert_uint_eq(story_warned(p, "time-zero"), 1);
	story_of(p, 0, "0 a|10 b|20 a|30 b|40 a|50");
	profile_free(p);
}
END_TEST

START_TEST(self_profiles)
{
	ck_kept("{'resources':[],'frames':[{'name':'f'},{'name':'g'}],'stacks':[{'frameId':0},{'frameId':1}],"
		"'samples':[{'timestamp':0,'stackId':0},{'timestamp':90000000,'stackId':0},"
		"{'timestamp':90000010,'stackId':1},{'timestamp':90000020,'stackId':0}]}",
		"0 f|10000 g|20000 f|30000", 1);
}
END_TEST

START_TEST(perf_script_counts_samples_without_its_gaps)
{
	char text[4000] = "";
	struct profile *p;

	for (int i = 0; i < 10; i++) {
		char sample[200];

		snprintf(sample, sizeof sample,
			 "node 7/7 [000] %d.%06d: 10000000 cpu-clock:\n\t10 f (/x)\n\n",
			 i < 3 ? 1 + i * 5 : 90000, (i < 3 ? 0 : i) * 10000);
		strcat(text, sample);
	}
	p = story_load(text);
	ck_assert_uint_eq(story_warned(p, "time-zero"), 3);
	ck_assert_uint_eq(p->lanes[0].n_samples, 7);
	ck_assert_int_eq(p->t1, 70 * NS_PER_MS);
	profile_free(p);
}
END_TEST

#define SCHEMA "'$schema':'https://www.speedscope.app/file-format-schema.json'"

/* Lengths that the file tells are no distances; gaps between them are. */
START_TEST(stretches_of_speedscope)
{
	struct profile *p = story_load(
		"{" SCHEMA
		",'shared':{'frames':[{'name':'a'},{'name':'b'}]},'profiles':[{'type':'sampled',"
		"'unit':'milliseconds','name':'x','startValue':0,'endValue':90000003,"
		"'samples':[[0],[1],[0],[1]],'weights':[90000000,1,1,1]}]}");

	ck_assert_uint_eq(story_warned(p, "time-zero"), 0);
	ck_assert_int_eq(p->t1, INT64_C(90000003) * NS_PER_MS);
	profile_free(p);
	p = story_load(
		"{" SCHEMA
		",'shared':{'frames':[{'name':'a'},{'name':'b'}]},'profiles':[{'type':'evented',"
		"'unit':'milliseconds','name':'x','startValue':0,'endValue':90000006,'events':["
		"{'type':'O','frame':0,'at':0},{'type':'C','frame':0,'at':2},"
		"{'type':'O','frame':1,'at':90000000},{'type':'C','frame':1,'at':90000003},"
		"{'type':'O','frame':0,'at':90000005},{'type':'C','frame':0,'at':90000006}]}]}");
	ck_assert_uint_eq(story_warned(p, "time-zero"), 1);
	story_of(p, 0, "0 b|3000 -|5000 a|6000");
	ck_assert_int_eq(p->t1, 6 * NS_PER_MS);
	profile_free(p);
}
END_TEST

START_TEST(folded_stacks_have_no_distances)
{
	struct profile *p = story_load("a;b 90000000000\nc 3\nd 2\ne 1\nf 1\n");

	ck_assert_uint_eq(story_warned(p, "time-zero"), 0);
	ck_assert_int_gt(p->t1, INT64_C(90000000000));
	profile_free(p);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *rule = suite_case(suite, "rule", SUITE_SECONDS);
	TCase *lanes = suite_case(suite, "lanes", SUITE_SECONDS);

	tcase_add_loop_test(rule, groups_at_the_ends_are_stray, 0, N(cases));
	tcase_add_test(rule, tells_place_and_distance);
	tcase_add_test(rule, long_events_are_one_piece);
	tcase_add_loop_test(rule, many_parts_are_joined_in_the_middle, 0, 20);
	tcase_add_test(rule, any_number_is_stray_before_a_start);
	tcase_add_test(rule, what_is_at_0_may_have_no_time);
	tcase_add_test(rule, of_a_lane_those_at_its_ends_are_stray);
	tcase_add_test(lanes, first_sample_at_0_is_left_out);
	tcase_add_test(lanes, sample_before_a_stray_one_lasts_for_the_average);
	tcase_add_test(lanes, both_ends_are_left_out);
	tcase_add_test(lanes, start_time_far_from_the_samples_is_left_out);
	tcase_add_test(lanes, end_time_far_from_the_samples_is_left_out);
	tcase_add_test(lanes, gc_behind_a_stray_sample_has_no_stack);
	tcase_add_loop_test(lanes, ticks_of_stray_samples_are_left_out, 0, 4);
	tcase_add_test(lanes, as_recorded_without_the_stray_ones);
	tcase_add_test(lanes, two_samples_are_both_kept);
	tcase_add_test(lanes, outlier_sets_no_average);
	tcase_add_test(lanes, pause_sets_no_average);
	tcase_add_test(lanes, lane_of_stray_samples_only_is_left_out);
	tcase_add_test(lanes, self_profiles);
	tcase_add_test(lanes, perf_script_counts_samples_without_its_gaps);
	tcase_add_test(lanes, stretches_of_speedscope);
	tcase_add_test(lanes, folded_stacks_have_no_distances);
}

int main(void)
{
	return suite_run("stray", add_tests);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The grammar of gates, with the column of each mistake, and figures of random profiles against a
 * walk over all samples. */
#include "config.h"

#define SUITE_OF_MANY
#include "suite.h"

#include "random_profile.h"
#include "runs.h"

#include <string.h>

#include "analyse/gate/gate.c"

#define SEEDS 40

/* ---- the grammar ---- */

static const struct {
	const char *text;
	bool is_change;
	struct gate gate;
} rights[] = {
	{ "total(render) > 5%",
	  false,
	  { .metric = GATE_TOTAL, .pattern = "render", .unit = GATE_PERCENT, .limit = 5 } },
	{ "self(file:/src/) > 20ms",
	  false,
	  { .metric = GATE_SELF, .pattern = "file:/src/", .unit = GATE_TIME, .limit = 2e7 } },
	{ " total( a b ) <  1.5 % ",
	  false,
	  { .metric = GATE_TOTAL,
	    .pattern = " a b ",
	    .is_below = true,
	    .unit = GATE_PERCENT,
	    .limit = 1.5 } },
	{ "total((a|b)(c))>.5s",
	  false,
	  { .metric = GATE_TOTAL, .pattern = "(a|b)(c)", .unit = GATE_TIME, .limit = 5e8 } },
	{ "total(a > 5%) > 2us",
	  false,
	  { .metric = GATE_TOTAL, .pattern = "a > 5%", .unit = GATE_TIME, .limit = 2e3 } },
	{ "gc > 15%", false, { .metric = GATE_GC, .unit = GATE_PERCENT, .limit = 15 } },
	{ "blocked > 200ms", false, { .metric = GATE_BLOCKED, .unit = GATE_TIME, .limit = 2e8 } },
	{ "busy < 3ns",
	  false,
	  { .metric = GATE_BUSY, .is_below = true, .unit = GATE_TIME, .limit = 3 } },
	{ "idle>0%", false, { .metric = GATE_IDLE, .unit = GATE_PERCENT, .limit = 0 } },
	{ "program > 1.%", false, { .metric = GATE_PROGRAM, .unit = GATE_PERCENT, .limit = 1 } },
	{ "total(render) > +5%",
	  true,
	  { .metric = GATE_TOTAL, .pattern = "render", .unit = GATE_PERCENT, .limit = 5 } },
	{ "gc > +5pt", true, { .metric = GATE_GC, .unit = GATE_POINTS, .limit = 5 } },
	{ "self(a) < -20 ms",
	  true,
	  { .metric = GATE_SELF,
	    .pattern = "a",
	    .is_below = true,
	    .unit = GATE_TIME,
	    .limit = -2e7 } },
	{ "blocked > +10%", true, { .metric = GATE_BLOCKED, .unit = GATE_PERCENT, .limit = 10 } },
};

START_TEST(a_gate_is_taken_apart)
{
	const struct gate *want = &rights[_i].gate;
	struct error err = ERROR_INIT;
	struct gate gate;

	ck_assert_msg(gate_parse(&gate, rights[_i].text, rights[_i].is_change, &err), "%s: %s",
		      rights[_i].text, err.text);
	ck_assert_ptr_eq(gate.text, rights[_i].text);
	ck_assert_uint_eq(gate.metric, want->metric);
	ck_assert_pstr_eq(gate.pattern, want->pattern);
	ck_assert(gate.is_below == want->is_below);
	ck_assert(gate.is_change == rights[_i].is_change);
	ck_assert_uint_eq(gate.unit, want->unit);
	ck_assert_double_eq(gate.limit, want->limit);
	gate_done(&gate);
}
END_TEST

/* The caret below the text points at the mistake. */
static const struct {
	const char *text, *caret, *message;
	bool is_change;
} wrongs[] = {
	{ "", "^", "write what to measure", false },
	{ "  ", "  ^", "write what to measure", false },
	{ "foo > 5%", "^", "write what to measure", false },
	{ "totally(a) > 5%", "^", "write what to measure", false },
	{ "total > 5%", "     ^", "a pattern in parentheses", false },
	{ "total (a) > 5%", "     ^", "a pattern in parentheses", false },
	{ "total(a > 5%", "            ^", "write ')'", false },
	{ "total() > 5%", "      ^", "the pattern is empty", false },
	{ "total(ab[) > 5%", "         ^", "missing", false },
	{ "self(file:x(y) > 5%", "             ^", "missing", false },
	{ "gc(a) > 5%", "  ^", "only total and self", false },
	{ "gc", "  ^", "write '>' or '<'", false },
	{ "gc = 5%", "   ^", "write '>' or '<'", false },
	{ "gc >= 5%", "    ^", "no '=' here", false },
	{ "gc >", "    ^", "write a number", false },
	{ "gc > x", "     ^", "write a number", false },
	{ "gc > .", "     ^", "write a number", false },
	{ "gc > 00000000000000000000000000000000000001%", "     ^", "write a number", false },
	{ "gc > 5", "      ^", "write a unit", false },
	{ "gc > 5 min", "       ^", "write a unit", false },
	{ "gc > 1e3ms", "      ^", "write a unit", false },
	{ "gc > 5% x", "        ^", "nothing can follow", false },
	{ "gc > 5%%", "       ^", "nothing can follow", false },
	{ "gc > +5%", "     ^", "a report has no change", false },
	{ "gc > -5%", "     ^", "a report has no change", false },
	{ "gc > 5pt", "      ^", "points (pt) are for changes", false },
	{ "blocked > 5%", "           ^", "blocked is a time", false },
	{ "gc > 5%", "     ^", "a limit of a change has a sign", true },
	{ "gc > -5%", "     ^", "write '+'", true },
	{ "gc < +5%", "     ^", "write '-'", true },
	{ "blocked > +5pt", "            ^", "blocked is a time", true },
	{ "gc > +5", "       ^", "write a unit: %, pt,", true },
};

START_TEST(a_mistake_has_its_column)
{
	struct error err = ERROR_INIT;
	struct gate gate;

	ck_assert_msg(!gate_parse(&gate, wrongs[_i].text, wrongs[_i].is_change, &err), "%s",
		      wrongs[_i].text);
	ck_assert_msg(err.offset == (int64_t)strlen(wrongs[_i].caret) - 1, "%s: at %d: %s",
		      wrongs[_i].text, (int)err.offset, err.text);
	ck_assert_msg(strstr(err.text, wrongs[_i].message), "%s: %s", wrongs[_i].text, err.text);
}
END_TEST

/* ---- figures ---- */

static bool is_category(const struct frame *f, enum category category)
{
	return f->category == category;
}

/* Whether a frame counts for the metric. The patterns are about names that are equal to a text. */
static bool is_counted(const struct profile *p, const struct frame *f, const struct gate *gate)
{
	switch (gate->metric) {
	case GATE_GC:
		return is_category(f, CATEGORY_GC);
	case GATE_PROGRAM:
		return is_category(f, CATEGORY_PROGRAM);
	case GATE_IDLE:
		return is_category(f, CATEGORY_IDLE);
	case GATE_BUSY:
		return !is_category(f, CATEGORY_IDLE);
	case GATE_TOTAL:
	case GATE_SELF:
		return strcmp(profile_text(p, f->name), "f1") == 0 ||
			strcmp(profile_text(p, f->name), "f4") == 0;
	case GATE_BLOCKED:
		break;
	}
	return false;
}

static int64_t by_samples(const struct profile *p, const struct gate *gate, int64_t t0, int64_t t1)
{
	const struct lane *lane = &p->lanes[0];
	int64_t ns = 0;

	for (size_t i = 0; i < lane->samples.n; i++) {
		int64_t from = samples_time(&lane->samples, i),
			to = samples_time(&lane->samples, i + 1);
		node_id node = lane->samples.leaf[i];
		bool is = false;

		from = from < t0 ? t0 : from;
		to = to > t1 ? t1 : to;
		for (; node != NODE_ROOT && !is; node = lane->tree.parent[node]) {
			is = is_counted(p, &p->frames.frames[lane->tree.frame[node]], gate);
			if (gate->metric != GATE_TOTAL)
				break;
		}
		ns += is && to > from ? to - from : 0;
	}
	return ns;
}

START_TEST(figures_of_random_profiles)
{
	static const char *const texts[] = {
		"total(^f[14]$) > 1ns", "self(^f[14]$) > 1ns", "gc > 1ns",
		"program > 1ns",        "idle > 1ns",          "busy > 1ns"
	};
	struct profile *p = random_profile(_i, 60, 400, 1);
	const struct lane *lane = &p->lanes[0];
	int64_t t0 = p->t1 / 5, t1 = p->t1 - p->t1 / 7;
	struct totals totals;
	struct view view;

	view_init(&view, p, &lane, 1);
	totals_init(&totals, &view);
	totals_compute(&totals, t0, t1);
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		const struct gate_source source = { p, &lane, 1, t0, t1, &totals };
		struct error err = ERROR_INIT;
		struct gate_value value;
		struct gate gate;

		ck_assert(gate_parse(&gate, texts[i], false, &err));
		ck_assert(gate_value_find(&gate, &source, &value, &err));
		ck_assert_msg(value.ns == by_samples(p, &gate, t0, t1), "seed %d, %s: %lld", _i,
			      texts[i], (long long)value.ns);
		gate_done(&gate);
	}
	totals_done(&totals);
	view_done(&view);
	profile_free(p);
}
END_TEST

/* ---- decisions: one sample each millisecond ---- */

#define RUNS "50 main@/a.js:1>render@/a.js:2|350 main@/a.js:1|100 (garbage collector)|500 (idle)"

static const struct {
	const char *runs, *gate;
	bool has_failed, is_undecided;
	enum gate_lack lack;
} decisions[] = {
	{ RUNS, "total(^render) > 5%", true, false, GATE_LACKS_NOTHING },
	/* 10 %; the error is 2 sqrt(50 * 0.9 + 1) = 13.6 samples of 500: 2.7 %. */
	{ RUNS, "total(^render) > 8%", true, true, GATE_LACKS_NOTHING },
	{ RUNS, "total(^render) > 7%", true, false, GATE_LACKS_NOTHING },
	{ RUNS, "total(^render) > 12%", false, true, GATE_LACKS_NOTHING },
	{ RUNS, "total(^render) > 13%", false, false, GATE_LACKS_NOTHING },
	{ RUNS, "total(^render) < 20%", true, false, GATE_LACKS_NOTHING },
	{ RUNS, "self(main) > 300ms", true, false, GATE_LACKS_NOTHING },
	{ RUNS, "total(main) > 550ms", false, false, GATE_LACKS_NOTHING },
	{ RUNS, "gc > 10%", true, false, GATE_LACKS_NOTHING },
	{ RUNS, "idle > 40%", true, false, GATE_LACKS_NOTHING },
	{ RUNS, "busy < 800ms", true, false, GATE_LACKS_NOTHING },
	{ RUNS, "total(none) > 5%", false, true, GATE_LACKS_MATCH },
	{ RUNS, "total(none) < 5%", true, true, GATE_LACKS_MATCH },
	{ RUNS, "blocked > 400ms", true, false, GATE_LACKS_NOTHING },
	{ "9 (idle)", "gc > 5%", false, true, GATE_LACKS_BUSY },
	{ "9 (idle)", "busy < 1s", true, false, GATE_LACKS_NOTHING },
	{ "3 main@/a.js:1", "gc > 5%", false, true, GATE_LACKS_NOTHING },
};

START_TEST(too_little_to_decide)
{
	struct profile *p = runs_load(decisions[_i].runs);
	const struct lane *lane = &p->lanes[0];
	struct error err = ERROR_INIT;
	struct gate_source source = { p, &lane, 1, 0, p->t1, NULL };
	struct gate_result result;
	struct totals totals;
	struct gate gate;
	struct view view;

	view_init(&view, p, &lane, 1);
	totals_init(&totals, &view);
	totals_compute(&totals, 0, p->t1);
	source.totals = &totals;
	ck_assert(gate_parse(&gate, decisions[_i].gate, false, &err));
	ck_assert(gate_result_find(&gate, &source, &result, &err));
	ck_assert_msg(result.has_failed == decisions[_i].has_failed &&
			      result.is_undecided == decisions[_i].is_undecided &&
			      result.value.lack == decisions[_i].lack,
		      "%s: %g, error %g, failed %d, undecided %d, lack %d", decisions[_i].gate,
		      result.figure, result.error, result.has_failed, result.is_undecided,
		      (int)result.value.lack);
	gate_done(&gate);
	totals_done(&totals);
	view_done(&view);
	profile_free(p);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *grammar = suite_case(suite, "grammar", SUITE_SECONDS);
	TCase *figures = suite_case(suite, "figures", SUITE_SECONDS);

	tcase_add_loop_test(grammar, a_gate_is_taken_apart, 0, N(rights));
	tcase_add_loop_test(grammar, a_mistake_has_its_column, 0, N(wrongs));
	tcase_add_loop_test(figures, figures_of_random_profiles, 0, SUITE_CASES(SEEDS));
	tcase_add_loop_test(figures, too_little_to_decide, 0, N(decisions));
}

int main(void)
{
	return suite_run("gate", add_tests);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Spans with parents: each keeps its time and stands below its parent. Times in microseconds. */
#include "config.h"

#include "exported.h"
#include "trace_story.h"

#include "base/hash.h"
#include "model/build/track_builder.h"
#include "model/slices.h"
#include "read/linked_spans.c"

/* A span: name, start, length, id, more members. */
#define S(name, ts, dur, id, more)                                                                 \
	"{'name':'" name "','timestamp':" #ts ",'duration':" #dur ",'id':" #id more "}"
#define IN(id) ",'parentId':" #id
#define FROM(trace, wall) ",'traceId':'" trace "','startTime':" #wall

static const struct story {
	const char *text, *expect;
	const char *warning; /* NULL: none */
	uint64_t count;
} stories[] = {
	/* Children are written first; a later line has the parent. */
	{ "[" S("b", 2, 3, 2, IN(1)) "," S("c", 5, 3, 3, IN(1)) "]\n[" S("a", 1, 8, 1, "") "]\n",
	  "slices -/- [spans] a:1-9 | b:2-5 c:5-8\n", NULL, 0 },
	/* Siblings overlap; a child outlasts its parent, and begins after its end. */
	{ "[" S("a", 1, 8, 1, "") "," S("b", 2, 3, 2, IN(1)) "," S("c", 4, 3, 3, IN(1)) "]",
	  "slices -/- [spans] a:1-9 | b:2-5\nslices -/- [spans] c:4-7\n", NULL, 0 },
	{ "[" S("a", 1, 8, 1, "") "," S("b", 5, 9, 2, IN(1)) "," S("c", 20, 1, 3, IN(1)) "]",
	  "slices -/- [spans] a:1-9\nslices -/- [spans] b:5-14 c:20-21\n", NULL, 0 },
	/* Equal times: the parent is around the child, which is written first. */
	{ "[" S("b", 1, 8, 2, IN(1)) "," S("a", 1, 8, 1, "") "]",
	  "slices -/- [spans] a:1-9 | b:1-9\n", NULL, 0 },
	/* A child that begins before its parent, in a row below it. */
	{ "[" S("b", 1, 2, 2, IN(1)) "," S("a", 2, 8, 1, "") "]",
	  "slices -/- [spans] a:2-10\nslices -/- [spans] b:1-3\n", NULL, 0 },
	/* Ids may be texts; one span a line. */
	{ S("a", 1, 8, 1,
	    "") "\n{'name':'b','timestamp':'2','duration':1.5,'id':'x','parentId':'1'}\n",
	  "slices -/- [spans] a:1-9 | b:2-3.500\n", NULL, 0 },
	/* The parent is in an earlier file. */
	{ "[" S("a", 1, 8, 1, IN(7)) "," S("b", 2, 1, 2, IN(1)) "]",
	  "slices -/- [spans] a:1-9 | b:2-3\n", "span-parent", 1 },
	{ "[" S("a", 1, 8, 1, IN(2)) "," S("b", 2, 1, 2, IN(1)) "]",
	  "slices -/- [spans] b:2-3\nslices -/- [spans] a:1-9\n", "cycle", 1 },
	{ "[" S("a", 1, 8, 1, IN(1)) "]", "slices -/- [spans] a:1-9\n", "cycle", 1 },
	{ "[" S("a", 1, 8, 1, "") "," S("b", 2, 1, 1, IN(1)) "]",
	  "slices -/- [spans] a:1-9 | b:2-3\n", "span-id", 1 },
	/* Ids count from 1 in each process; clocks are joined if they differ by more than a second.
	 */
	{ "[" S("a", 1, 8, 1, FROM("x", 5000)) "," S("b", 2, 1, 2, IN(1) FROM("y", 5001)) "]",
	  "slices -/- [spans] a:1-9\nslices -/- [spans] b:2-3\n", "span-parent", 1 },
	{ "[" S("a", 1000, 8, 1, FROM("x", 5000)) "]\n[" S("b", 2000, 1, 1, FROM("y", 9005)) "]",
	  "slices -/- [spans] a:1000-1008 b:4006000-4006001\n", NULL, 0 },
	{ "[" S("a", 1000, 8, 1, FROM("x", 5000)) "]\n[" S("b", 2000, 1, 1, FROM("y", 5005)) "]",
	  "slices -/- [spans] a:1000-1008 b:2000-2001\n", NULL, 0 },
	/* A parent that is far from all others is left out, and so is the layer that only it was
	 * on: the layers behind it stay, each with its slices. */
	{ "[" S("c", 110, 40, 3, IN(2)) "," S("d", 130, 40, 4, IN(2)) "," S(
		  "b", 2147483648, 100, 2, IN(1)) "," S("a", 100, 200, 1, "") "]",
	  "slices -/- [spans] a:100-300\nslices -/- [spans] d:130-170\nslices -/- [spans] c:110-150\n",
	  "time-zero", 1 },
	{ "[" S("c", 110, 40, 3, IN(2)) "," S("d", 130, 40, 4, IN(2)) "," S("b", 2147483648, 100, 2,
									    "") "]",
	  "slices -/- [spans] d:130-170\nslices -/- [spans] c:110-150\n", "time-zero", 1 },
	/* Damage. */
	{ "[" S("a", 1, 8, 1, "") ",{'name':'b','dura", "slices -/- [spans] a:1-9\n", "cut-off",
	  1 },
	{ "[" S("a", 1, 8, 1, "") "]\n[" S("b", 2, 1, 2, IN(1)) "][{'na[",
	  "slices -/- [spans] a:1-9 | b:2-3\n", "cut-off", 1 },
	{ "[" S("a", 1, 8, 1, "") ",7,{'name':'b'},{'timestamp':3,'id':4}]",
	  "slices -/- [spans] a:1-9\n", "odd-event", 3 },
	{ "[" S("a", 1, -8, 1, "") "]", "slices -/- [spans] a:1\n", "dur-negative", 1 },
	{ "[" S("a", 1, null, 1, "") "]", "slices -/- [spans] a:1\n", "dur-missing", 1 },
};

/* The first lane represents the thread: it begins with the first slice, whatever is left out. */
START_TEST(the_first_lane_begins_with_the_first_slice)
{
	struct profile *p = load(
		"[" S("c", 110, 40, 3, IN(2)) "," S("d", 130, 40, 4, IN(2)) "]\n[" S(
			"e", 230, 30, 5, IN(2)) "," S("b", 2147483648, 100, 2, "") "]");
	const struct lane *first = &p->lanes[0];

	ck_assert_uint_eq(p->n_lanes, 3);
	ck_assert_int_eq(first->t0, 0);
	ck_assert_int_eq(first->t1, 150000);
	ck_assert_int_eq(first->busy_ns, 90000);
	ck_assert_int_eq(first->unsampled_ns, 60000);
	ck_assert_uint_eq(first->n_spans, 1);
	profile_free(p);
}
END_TEST

START_TEST(spans_stand_below_their_parents)
{
	const struct story *story = &stories[_i];
	struct profile *p;

	ck_tells(story->text, story->expect);
	p = load(story->text);
	ck_assert_uint_eq(p->inputs[0].n_warnings, story->warning ? 1 : 0);
	profile_free(p);
	if (story->warning)
		ck_warns(story->text, story->warning, story->count);
}
END_TEST

START_TEST(no_spans_are_an_error)
{
	static const char text[] = "[{\"name\":\"a\",\"timestamp\":null,\"duration\":1,\"id\":1}]";
	struct error err = ERROR_INIT;

	ck_assert_ptr_null(load_bytes(text, strlen(text), &err));
	ck_assert_str_eq(err.text, "the file has no spans");
}
END_TEST

START_TEST(rows_hold_spans_that_nest)
{
	enum { N = 60 };
	static uint64_t calls;

	for (int round = 0; round < 500; round++) {
		struct linked_span spans[N];
		struct linked_rows rows;

		for (uint32_t i = 0; i < N; i++) {
			int64_t t0 = (int64_t)(hash_u64(++calls) % 40);
			int64_t t1 = t0 + (int64_t)(hash_u64(++calls) % 20);
			uint64_t parent = hash_u64(++calls);

			spans[i] = (struct linked_span){
				.t0 = t0,
				.t1 = t1,
				.parent = parent % 5 ? (uint32_t)(parent % N) : LINKED_NONE,
			};
		}
		linked_rows_place(spans, N, &rows);
		for (uint32_t i = 0; i < N; i++) {
			const struct linked_span *a = &spans[i];
			const struct linked_span *p = a->parent == LINKED_NONE ? NULL
									       : &spans[a->parent];

			ck_assert(!p || a->layer > p->layer ||
				  (a->layer == p->layer && a->depth == p->depth + 1));
			for (uint32_t k = 0; k < N; k++) {
				const struct linked_span *b = &spans[k];

				if (i != k && a->layer == b->layer && a->depth == b->depth)
					ck_assert(a->t1 <= b->t0 || b->t1 <= a->t0);
			}
		}
		ck_assert_uint_eq(rows.n_late, 0);
		free(rows.order);
	}
}
END_TEST

/* More spans overlap than there are layers; the links are as long as the list. */
START_TEST(costly_lists_end)
{
	const uint32_t n = 200000;
	struct linked_span *spans = xcalloc(n, sizeof *spans);
	struct linked_rows rows;

	for (uint32_t i = 0; i < n; i++)
		spans[i] = (struct linked_span){ .t1 = 5, .parent = (i + 1) % n };
	linked_rows_place(spans, n, &rows);
	ck_assert_uint_eq(rows.n_cycles, 1);
	free(rows.order);
	for (uint32_t i = 0; i < n; i++)
		spans[i] = (struct linked_span){ .t0 = i, .t1 = n + i, .parent = LINKED_NONE };
	linked_rows_place(spans, n, &rows);
	ck_assert_uint_eq(rows.n_late, n - TRACK_BUILDER_LAYERS);
	free(rows.order);
	free(spans);
}
END_TEST

/* ---- self times ---- */

struct selfs {
	const struct profile *profile;
	const struct lane *lane;
	int64_t by_letter[128];
};

static void add_slice_time(void *ctx, node_id node, int64_t self_ns, int64_t total_ns)
{
	struct selfs *s = ctx;
	const char *name = profile_text(s->profile,
					profile_node_frame(s->profile, s->lane, node)->name);

	(void)total_ns;
	s->by_letter[name[0] % 128] += self_ns;
}

/* The self times of all functions, whose names have one letter. */
static void find_selfs(const struct profile *p, int64_t by_letter[128])
{
	struct selfs s = { .profile = p };

	for (uint32_t i = 0; i < p->n_lanes; i++) {
		const struct samples *samples = &p->lanes[i].samples;

		s.lane = &p->lanes[i];
		for (size_t k = 0; k < samples->n; k++)
			if (samples->leaf[k] != NODE_ROOT)
				add_slice_time(
					&s, samples->leaf[k],
					samples_time(samples, k + 1) - samples_time(samples, k), 0);
		slice_time_each(p->lanes[i].slice_time, INT64_MIN, INT64_MAX, add_slice_time, &s);
	}
	memcpy(by_letter, s.by_letter, sizeof s.by_letter);
}

/* A trace that is exported gives the same self times when it is read, each lane on its own thread.
 */
static void check_selfs(const struct profile *p, const int64_t expect[128])
{
	int64_t selfs[128];
	char *text = exported(p, "trace", false, 0, 0);
	struct profile *again = load_plain(text);

	find_selfs(p, selfs);
	ck_assert(memcmp(selfs, expect, sizeof selfs) == 0);
	find_selfs(again, selfs);
	ck_assert_msg(memcmp(selfs, expect, sizeof selfs) == 0, "other times in %s", text);
	ck_assert_uint_eq(again->n_lanes, p->n_lanes);
	for (uint32_t i = 0; i < again->n_lanes; i++)
		ck_assert(!again->lanes[i].is_joined);
	profile_free(again);
	free(text);
}

struct random_span {
	int64_t t0, t1;
	int parent; /* -1: none */
};

/* The length without what its children have of it. */
static int64_t self_of(const struct random_span *spans, int n, int i)
{
	int64_t self = 0;

	for (int64_t t = spans[i].t0; t < spans[i].t1; t++) {
		bool is_free = true;

		for (int k = 0; k < n; k++)
			is_free &= spans[k].parent != i || t < spans[k].t0 || t >= spans[k].t1;
		self += is_free;
	}
	return self;
}

START_TEST(children_take_their_time)
{
	enum { MOST = 20 };
	static uint64_t calls;

	for (int round = 0; round < 300; round++) {
		struct random_span spans[MOST];
		int n = 2 + round % (MOST - 1);
		struct buf text = { 0 };
		int64_t expect[128] = { 0 };
		struct profile *p;

		buf_addc(&text, '[');
		for (int i = 0; i < n; i++) {
			spans[i].t0 = (int64_t)(hash_u64(++calls) % 20);
			spans[i].t1 = spans[i].t0 + 1 + (int64_t)(hash_u64(++calls) % 15);
			spans[i].parent = i && hash_u64(++calls) % 5
				? (int)(hash_u64(calls) / 5 % (uint64_t)i)
				: -1;
		}
		for (int i = 0; i < n; i++) {
			buf_addf(&text,
				 "%s{\"name\":\"%c\",\"timestamp\":%d,\"duration\":%d,"
				 "\"id\":%d",
				 i ? "," : "", 'A' + i, (int)spans[i].t0,
				 (int)(spans[i].t1 - spans[i].t0), i + 1);
			if (spans[i].parent >= 0)
				buf_addf(&text, ",\"parentId\":%d", spans[i].parent + 1);
			buf_addc(&text, '}');
			expect['A' + i] = 1000 * self_of(spans, n, i);
		}
		buf_addc(&text, ']');
		p = load_plain(buf_text(&text));
		check_selfs(p, expect);
		profile_free(p);
		buf_done(&text);
	}
}
END_TEST

/* The first lane begins with the first slice of all, so that no time is outside of the range. */
START_TEST(the_range_has_all)
{
	struct profile *p = load("[" S("b", 1, 2, 2, IN(1)) "," S("a", 2, 8, 1, "") "]");

	ck_assert_int_eq(p->lanes[0].t0, 0);
	ck_assert_int_eq(p->lanes[0].busy_ns, 9000);
	ck_assert_int_eq(p->lanes[0].unsampled_ns, 0);
	profile_free(p);
}
END_TEST

/* Deeper than a layer can be: the cost follows the spans, not their depth. */
START_TEST(many_nested_spans)
{
	enum { MANY = 100000 };
	struct buf text = { 0 };
	struct profile *p;

	for (int i = 0; i < MANY; i++)
		buf_addf(
			&text,
			"{\"name\":\"s%d\",\"timestamp\":%d,\"duration\":%d,\"id\":%d,\"parentId\":%d}\n",
			i % 50, i, 2 * (MANY - i), i + 1, i);
	p = load_plain(buf_text(&text));
	ck_assert_uint_eq(p->n_lanes, (MANY + TRACK_BUILDER_DEPTHS - 1) / TRACK_BUILDER_DEPTHS);
	profile_free(p);
	buf_done(&text);
}
END_TEST

static void add_rules(TCase *tc)
{
	tcase_add_test(tc, children_take_their_time);
	tcase_add_test(tc, the_range_has_all);
	tcase_add_test(tc, many_nested_spans);
	tcase_add_test(tc, the_first_lane_begins_with_the_first_slice);
	tcase_add_loop_test(tc, spans_stand_below_their_parents, 0, (int)ARRAY_LEN(stories));
	tcase_add_test(tc, no_spans_are_an_error);
	tcase_add_test(tc, rows_hold_spans_that_nest);
	tcase_add_test(tc, costly_lists_end);
}

static void add_tests(Suite *suite)
{
	trace_suite(suite, add_rules);
}

int main(void)
{
	return suite_run("linked_spans", add_tests);
}

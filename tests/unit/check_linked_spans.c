/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Spans with parents: each keeps its time and stands below its parent. Times in microseconds. */
#include "config.h"

#include "trace_story.h"

#include "base/hash.h"
#include "build/track_builder.h"
#include "reader/linked_rows.h"

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

static void add_rules(TCase *tc)
{
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

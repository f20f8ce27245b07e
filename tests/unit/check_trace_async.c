/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Async slices of a trace (b, n, e, S, T, p, F). */
#include "config.h"

#include "trace_story.h"

START_TEST(async_slices_nest_by_id)
{
	ck_tells(
		"[" AS("b", "req", 0, 1) "," AS("b", "dns", 5, 1) "," AS(
			"e", "dns", 9,
			1) ",{'ph':'e','name':'req','cat':'net','id':'1','pid':1,'tid':2,'ts':20}]",
		"async 1/- [req] req:0-20 | dns:5-9\n");
}
END_TEST

START_TEST(async_id_is_used_again_after_its_end)
{
	ck_tells("[" AS("b", "a", 0, 1) "," AS("e", "a", 4, 1) "," AS("b", "a", 6,
								      1) "," AS("e", "a", 9, 1) "]",
		 "async 1/- [a] a:0-4 a:6-9\n");
}
END_TEST

START_TEST(async_overlap_takes_another_row)
{
	ck_tells("[" AS("b", "a", 0, 1) "," AS("b", "a", 2, 2) "," AS("e", "a", 6,
								      1) "," AS("e", "a", 9, 2) "]",
		 "async 1/- [a] a:0-6\nasync 1/- [a] a:2-9\n");
}
END_TEST

/* An end closes the begin of its own name; what overlaps stands on a row of its own, whole. */
START_TEST(overlapping_names_of_an_id_keep_their_ends)
{
	const char *text = "[" AS("b", "p", 0, 1) "," AS("b", "a", 1, 1) "," AS(
		"b", "b", 2, 1) "," AS("e", "a", 3, 1) "," AS("e", "b", 4, 1) "," AS("e", "p", 5,
										     1) "]";

	ck_tells(text, "async 1/- [p] p:0-5 | a:1-3\nasync 1/- [p] b:2-4O\n");
	ck_warns(text, "overlap", 1);
	ck_warns(text, "async-unmatched", 0);
	/* the outer one may end first, and the operation goes on */
	ck_tells("[" AS("b", "p", 0, 1) "," AS("b", "a", 1, 1) "," AS("e", "p", 3, 1) "," AS(
			 "e", "a", 6, 1) "," AS("b", "p", 7, 1) "," AS("e", "p", 9, 1) "]",
		 "async 1/- [p] p:0-3 p:7-9\nasync 1/- [p] a:1-6O\n");
	/* without an end, the inner one ends with the outer one */
	ck_tells("[" AS("b", "p", 0, 1) "," AS("b", "a", 1, 1) "," AS("b", "b", 2, 1) "," AS(
			 "e", "p", 3, 1) "," AS("e", "b", 4, 1) "]",
		 "async 1/- [p] p:0-3 | a:1-3U\nasync 1/- [p] b:2-4O\n");
}
END_TEST

START_TEST(plain_id2_is_an_id)
{
	ck_tells(
		"[" EV("b", "a", 0, ",'cat':'c','id2':'1'") "," EV("b", "a", 2, ",'cat':'c','id2':2") "," EV(
			"e", "a", 6, ",'cat':'c','id2':'1'") "," EV("e", "a", 9,
								    ",'cat':'c','id':'2'") "]",
		"async 1/- [a] a:0-6\nasync 1/- [a] a:2-9\n");
	/* null is no id, and takes away none */
	ck_tells("[" EV("b", "a", 0, ",'cat':'c','id':1,'id2':null") "," EV(
			 "e", "a", 6, ",'cat':'c','id2':1,'id':null") "]",
		 "async 1/- [a] a:0-6\n");
}
END_TEST

START_TEST(local_ids_belong_to_a_process)
{
	ck_tells(
		"[{'ph':'b','cat':'c','name':'a','id2':{'local':'1'},'pid':1,'tid':1,'ts':1},{'ph':'b','cat':'c','name':'a','id2':{'local':'1'},'pid':2,'tid':1,'ts':2},"
		"{'ph':'e','cat':'c','name':'a','id2':{'local':'1'},'pid':1,'tid':1,'ts':5},{'ph':'e','cat':'c','name':'a','id2':{'local':'1'},'pid':2,'tid':1,'ts':7}]",
		"async 1/- [a] a:1-5\nasync 2/- [a] a:2-7\n");
}
END_TEST

START_TEST(async_without_partner)
{
	const char *text = "[" AS("b", "a", 0, 1) "," AS("b", "b", 2, 1) "," AS(
		"e", "a", 6, 1) "," AS("e", "x", 7, 1) "," AS("b", "c", 8, 1) "," AS("n", "n", 9,
										     1) "]";

	ck_tells(text, "async 1/- [a] a:0-6 | b:2-6U\nasync 1/- [c] c:8-9U n:9\n");
	ck_warns(text, "async-unmatched", 3);
}
END_TEST

START_TEST(old_async_has_steps)
{
	ck_tells("[" EV("S", "load", 1, ",'id':1") "," EV(
			 "T", "load", 3, ",'id':1,'args':{'step':'sent'}") "," EV("F", "load", 9,
										  ",'id':1") "]",
		 "async 1/- [load] load:1-9 | load: sent:3\n");
}
END_TEST

START_TEST(many_names_share_a_track)
{
	struct buf text = { 0 };
	struct profile *p;

	for (int i = 0; i < 100; i++)
		buf_addf(
			&text,
			"%c{'ph':'b','cat':'c','name':'GET /%d','id':%d,'pid':1,'tid':1,'ts':%d},{'ph':'e','cat':'c','name':'GET /%d','id':%d,'pid':1,'tid':1,'ts':%d}",
			i ? ',' : '[', i, i, i * 10, i, i, i * 10 + 5);
	buf_addc(&text, ']');
	p = load(buf_text(&text));
	ck_assert_uint_eq(p->n_lanes, 9);
	profile_free(p);
	buf_done(&text);
}
END_TEST

START_TEST(nameless_end_closes_the_innermost)
{
	ck_tells("[" AS("b", "a", 0, 1) "," AS(
			 "b", "b", 2,
			 1) ",{'ph':'e','cat':'net','id':'1','pid':1,'tid':1,'ts':5}," AS("e", "a",
											  9, 1) "]",
		 "async 1/- [a] a:0-9 | b:2-5\n");
}
END_TEST

START_TEST(inner_async_slice_closed_by_the_outer_is_unfinished)
{
	const char *text = "[" AS("b", "a", 0, 1) "," AS("b", "b", 2, 1) "," AS(
		"b", "c", 3, 1) "," AS("e", "a", 9, 1) "]";

	ck_tells(text, "async 1/- [a] a:0-9 | b:2-9U | c:3-9U\n");
	ck_warns(text, "async-unmatched", 2);
}
END_TEST

START_TEST(nearest_async_begin_of_a_name_is_closed)
{
	ck_tells("[" AS("b", "a", 0, 1) "," AS("b", "a", 2, 1) "," AS("e", "a", 5,
								      1) "," AS("e", "a", 9, 1) "]",
		 "async 1/- [a] a:0-9 | a:2-5\n");
}
END_TEST

START_TEST(category_and_scope_tell_ids_apart)
{
	ck_tells("[" EV("b", "a", 0, ",'cat':'c','id':1") "," EV(
			 "e", "a", 5, ",'cat':'d','id':1") "," EV("e", "a", 9,
								  ",'cat':'c','id':1") "]",
		 "async 1/- [a] a:0-9\n");
	ck_tells(
		"[" EV("b", "a", 0, ",'cat':'c','id':1,'scope':'x'") "," EV(
			"e", "a", 5,
			",'cat':'c','id':1,'scope':'y'") "," EV("e", "a", 9,
								",'cat':'c','id':1,'scope':'x'") "]",
		"async 1/- [a] a:0-9\n");
}
END_TEST

START_TEST(global_ids_are_common_to_all_processes)
{
	ck_tells(
		"[{'ph':'b','cat':'c','name':'a','id2':{'global':'1'},'pid':1,'tid':1,'ts':1},{'ph':'e','cat':'c','name':'a','id2':{'global':'1'},'pid':2,'tid':1,'ts':5}]",
		"async 1/- [a] a:1-5\n");
	/* An id with a kind is another one than the same number as local id. */
	ck_warns(
		"[{'ph':'b','cat':'c','name':'a','id2':{'local':'1'},'pid':1,'tid':1,'ts':1},{'ph':'e','cat':'c','name':'a','id':'1','pid':1,'tid':1,'ts':5}]",
		"async-unmatched", 2);
}
END_TEST

START_TEST(async_without_id_belongs_to_a_process)
{
	ck_tells(
		"[{'ph':'b','cat':'c','name':'a','pid':1,'tid':1,'ts':1},{'ph':'e','cat':'c','name':'a','pid':2,'tid':1,'ts':3},{'ph':'e','cat':'c','name':'a','pid':1,'tid':1,'ts':5}]",
		"async 1/- [a] a:1-5\n");
}
END_TEST

START_TEST(async_events_need_not_be_sorted)
{
	ck_tells("[" AS("e", "a", 9, 1) "," AS("b", "b", 2, 1) "," AS("b", "a", 0,
								      1) "," AS("e", "b", 5, 1) "]",
		 "async 1/- [a] a:0-9 | b:2-5\n");
	ck_tells("[" AS("b", "z", 9, 2) "," AS("e", "z", 9, 2) "," AS("b", "a", 0, 1) "," AS(
			 "b", "b", 0, 1) "," AS("e", "b", 5, 1) "," AS("e", "a", 5, 1) "]",
		 "async 1/- [z] z:9\nasync 1/- [a] a:0-5 | b:0-5\n");
}
END_TEST

/* The old phases go by name and id, and their steps are marks with the step's name. */
START_TEST(old_async_goes_by_name_and_id)
{
	ck_tells(
		"[" EV("S", "a", 1, ",'id':1,'cat':'x'") "," EV(
			"S", "b", 2,
			",'id':1,'cat':'x'") "," EV("F", "a", 5,
						    ",'id':1,'cat':'y'") "," EV("F", "b", 9,
										",'id':1,'cat':'x'") "]",
		"async 1/- [a] a:1-5\nasync 1/- [b] b:2-9\n");
	ck_tells("[" EV("S", "a", 1, ",'id':1") "," EV(
			 "p", "a", 3,
			 ",'id':1,'args':{'step':'x'}") "," EV("T", "a", 4,
							       ",'id':1") "," EV("F", "a", 9,
										 ",'id':1") "]",
		 "async 1/- [a] a:1-9 | a: x:3 a:4\n");
	/* Steps belong to the old phases. */
	ck_tells("[" AS("b", "a", 0, 1) "," EV(
			 "n", "n", 2, ",'cat':'net','id':'1','args':{'step':'x'}") "," AS("e", "a",
											  9, 1) "]",
		 "async 1/- [a] a:0-9 | n:2\n");
}
END_TEST

START_TEST(lone_async_instant_is_an_operation)
{
	ck_tells("[" AS("n", "a", 3, 1) "," AS("n", "b", 4, 2) "]",
		 "async 1/- [a] a:3\nasync 1/- [b] b:4\n");
}
END_TEST

START_TEST(reserved_colour_of_an_async_begin_is_kept)
{
	struct profile *p = load("[" EV("b", "a", 1, ",'cat':'c','id':1,'cname':'terrible'") "," EV(
		"e", "a", 3, ",'cat':'c','id':1") "]");

	ck_assert_uint_ne(profile_node_frame(p, &p->lanes[0], 1)->color, 0);
	profile_free(p);
}
END_TEST

static void add_rules(TCase *tc)
{
	tcase_add_test(tc, async_slices_nest_by_id);
	tcase_add_test(tc, async_id_is_used_again_after_its_end);
	tcase_add_test(tc, async_overlap_takes_another_row);
	tcase_add_test(tc, overlapping_names_of_an_id_keep_their_ends);
	tcase_add_test(tc, plain_id2_is_an_id);
	tcase_add_test(tc, local_ids_belong_to_a_process);
	tcase_add_test(tc, async_without_partner);
	tcase_add_test(tc, old_async_has_steps);
	tcase_add_test(tc, many_names_share_a_track);
	tcase_add_test(tc, nameless_end_closes_the_innermost);
	tcase_add_test(tc, inner_async_slice_closed_by_the_outer_is_unfinished);
	tcase_add_test(tc, nearest_async_begin_of_a_name_is_closed);
	tcase_add_test(tc, category_and_scope_tell_ids_apart);
	tcase_add_test(tc, global_ids_are_common_to_all_processes);
	tcase_add_test(tc, async_without_id_belongs_to_a_process);
	tcase_add_test(tc, async_events_need_not_be_sorted);
	tcase_add_test(tc, old_async_goes_by_name_and_id);
	tcase_add_test(tc, lone_async_instant_is_an_operation);
	tcase_add_test(tc, reserved_colour_of_an_async_begin_is_kept);
}

static void add_tests(Suite *suite)
{
	trace_suite(suite, add_rules);
}

int main(void)
{
	return suite_run("trace_async", add_tests);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Objects of a trace (N, O, D), and their names. A letter behind a lifetime: U it has no D, O it
 * has no N. */
#include "config.h"

#include "exported.h"
#include "trace_story.h"

#include "model/profile.h"

#define OB(ph, name, ts, id) EV(ph, name, ts, ",'id':'" id "'")

START_TEST(object_is_a_span_from_its_creation_to_its_deletion)
{
	const char *text = "[" OB("N", "Cart", 1, "0x1") "," OB("O", "Cart", 2, "0x1") "," OB(
		"D", "Cart", 3, "0x1") "]";

	ck_tells(text,
		 "objects 1/- [Objects: Cart] Cart 0x1:1-3 | Cart created:1 Cart snapshot:2 "
		 "Cart deleted:3\n");
	ck_warns(text, "object-order", 0);
	ck_warns(text, "object-not-created", 0);
	ck_warns(text, "object-not-deleted", 0);
}
END_TEST

START_TEST(objects_that_live_at_a_time_are_on_rows_of_their_own)
{
	ck_tells("[" OB("N", "o", 1, "1") "," OB("N", "o", 2, "2") "," OB("D", "o", 5, "1") "," OB(
			 "D", "o", 6, "2") "]",
		 "objects 1/- [Objects: o] o 1:1-5 | o created:1 o deleted:5\n"
		 "objects 1/- [Objects: o] o 2:2-6 | o created:2 o deleted:6\n");
}
END_TEST

START_TEST(types_have_lanes_of_their_own)
{
	ck_tells("[" OB("N", "b", 1, "1") "," OB("D", "b", 2, "1") "," OB("N", "a", 1, "1") "," OB(
			 "D", "a", 4, "1") "]",
		 "objects 1/- [Objects: b] b 1:1-2 | b created:1 b deleted:2\n"
		 "objects 1/- [Objects: a] a 1:1-4 | a created:1 a deleted:4\n");
}
END_TEST

START_TEST(object_without_creation_lives_from_the_start_of_the_trace)
{
	const char *text = "[" X("x", 2, 9) "," OB("O", "o", 5, "1") "," OB("D", "o", 6, "1") "]";

	ck_tells(text,
		 "slices 1/1 x:2-11\n"
		 "objects 1/- [Objects: o] o 1:2-6O | o snapshot:5 o deleted:6\n");
	ck_warns(text, "object-not-created", 1);
	ck_warns(text, "object-not-deleted", 0);
	/* Time 0 is the start if the rest is near. */
	ck_tells("[" X("x", 0, 9) "," OB("D", "o", 6, "1") "]",
		 "slices 1/1 x:0-9\nobjects 1/- [Objects: o] o 1:0-6O | o deleted:6\n");
}
END_TEST

START_TEST(object_without_deletion_lives_to_the_end_of_the_trace)
{
	const char *text = "[" X("x", 2, 9) "," OB("N", "o", 5, "1") "]";

	ck_tells(text, "slices 1/1 x:2-11\nobjects 1/- [Objects: o] o 1:5-11U | o created:5\n");
	ck_warns(text, "object-not-deleted", 1);
	ck_warns(text, "object-not-created", 0);
}
END_TEST

START_TEST(id_is_used_again_after_deletion)
{
	const char *text = "[" OB("N", "o", 1, "1") "," OB("D", "o", 3, "1") "," OB(
		"N", "o", 5, "1") "," OB("D", "o", 7, "1") "]";

	ck_tells(text,
		 "objects 1/- [Objects: o] o 1:1-3 o 1:5-7 | o created:1 o deleted:3 "
		 "o created:5 o deleted:7\n");
	ck_warns(text, "object-order", 0);
}
END_TEST

START_TEST(creation_of_an_object_that_lives_ends_it)
{
	const char *text = "[" OB("N", "o", 1, "1") "," OB("N", "o", 4, "1") "," OB("D", "o", 6,
										    "1") "]";

	ck_tells(text,
		 "objects 1/- [Objects: o] o 1:1-4U o 1:4-6 | o created:1 o created:4 "
		 "o deleted:6\n");
	ck_warns(text, "object-order", 1);
}
END_TEST

START_TEST(what_follows_deletion_is_another_object)
{
	const char *text = "[" OB("N", "o", 1, "1") "," OB("D", "o", 3, "1") "," OB(
		"D", "o", 5, "1") "," OB("O", "o", 6, "1") "," OB("D", "o", 8, "1") "]";

	ck_tells(text,
		 "objects 1/- [Objects: o] o 1:1-3 o 1:5O o 1:6-8O | o created:1 "
		 "o deleted:3 o deleted:5 o snapshot:6 o deleted:8\n");
	ck_warns(text, "object-order", 2);
}
END_TEST

START_TEST(events_of_an_object_need_not_be_sorted)
{
	ck_tells("[" OB("D", "o", 9, "1") "," OB("O", "o", 4, "1") "," OB("N", "o", 2, "1") "]",
		 "objects 1/- [Objects: o] o 1:2-9 | o created:2 o snapshot:4 o deleted:9\n");
}
END_TEST

START_TEST(object_may_have_no_length)
{
	ck_tells("[" OB("N", "o", 2, "1") "," OB("O", "o", 2, "1") "," OB("D", "o", 2, "1") "]",
		 "objects 1/- [Objects: o] o 1:2 | o created:2 o snapshot:2 o deleted:2\n");
}
END_TEST

START_TEST(scope_is_part_of_the_id_and_in_the_title)
{
	ck_tells(
		"[" EV("N", "o", 1, ",'id':1,'scope':'a'") "," EV("N", "p", 2, ",'id':1,'scope':'b'") "," EV(
			"N", "q", 3, ",'id':2,'scope':'a'") "," EV("D", "o", 4,
								   ",'id':1,'scope':'a'") "]",
		"objects 1/- [Objects in a: o] o 1:1-4 | o created:1 o deleted:4\n"
		"objects 1/- [Objects in a: q] q 2:3-4U | q created:3\n"
		"objects 1/- [Objects in b: p] p 1:2-4U | p created:2\n");
}
END_TEST

START_TEST(snapshot_belongs_to_its_base_type)
{
	ck_tells(
		"[" OB("N", "Layer", 1, "1") "," EV(
			"O", "PictureLayer", 2,
			",'id':'1','args':{'snapshot':{'base_type':'La\\u0079er'}}") "," OB("D",
											    "Layer",
											    3,
											    "1") "]",
		"objects 1/- [Objects: Layer] Layer 1:1-3 | Layer created:1 "
		"PictureLayer snapshot:2 Layer deleted:3\n");
}
END_TEST

START_TEST(ids_of_objects_belong_to_a_process)
{
	ck_tells(
		"[{'ph':'N','name':'o','id':'1','pid':1,'tid':1,'ts':1},{'ph':'D','name':'o','id':'1','pid':2,'tid':1,'ts':5}]",
		"objects 1/- [Objects: o] o 1:1-5U | o created:1\n"
		"objects 2/- [Objects: o] o 1:1-5O | o deleted:5\n");
	/* id2.global does not. */
	ck_tells(
		"[{'ph':'N','name':'o','id2':{'global':'1'},'pid':1,'tid':1,'ts':1},{'ph':'D','name':'o','id2':{'global':'1'},'pid':2,'tid':1,'ts':5}]",
		"objects 1/- [Objects: o] o 1:1-5 | o created:1 o deleted:5\n");
}
END_TEST

START_TEST(objects_without_id_are_one_of_each_type)
{
	const char *text = "[" EV("O", "o", 1, "") "," EV("O", "o", 3, "") "]";

	ck_tells(text, "objects 1/- [Objects: o] o:1-3UO | o snapshot:1 o snapshot:3\n");
	ck_warns(text, "object-id", 2);
}
END_TEST

START_TEST(escapes_in_ids_and_scopes_are_decoded)
{
	ck_tells("[" EV("N", "o", 1, ",'id':'\\u0031','scope':'\\u0061'") "," EV(
			 "D", "o", 3, ",'id':1,'scope':'a'") "]",
		 "objects 1/- [Objects in a: o] o 1:1-3 | o created:1 o deleted:3\n");
}
END_TEST

START_TEST(many_types_of_a_scope_share_a_lane)
{
	struct buf text = { 0 };
	struct profile *p;

	for (int i = 0; i < 40; i++)
		buf_addf(&text, "%s{'ph':'N','name':'t%d','id':1,'pid':1,'tid':1,'ts':%d}",
			 i ? "," : "[", i, i + 1);
	buf_addc(&text, ']');
	p = load(buf_text(&text));
	/* 16 of their own, and 23 objects at a time below each other. */
	ck_assert_uint_eq(p->n_lanes, 16 + 23);
	ck_assert_str_eq(profile_text(p, p->lanes[0].title), "Objects: t0");
	ck_assert_str_eq(profile_text(p, p->lanes[16].title), "Objects");
	ck_assert(!p->lanes[16].is_joined && p->lanes[17].is_joined);
	profile_free(p);
	buf_done(&text);
}
END_TEST

START_TEST(marks_of_objects_are_counted)
{
	struct profile *p = load(
		"[" OB("N", "o", 1, "1") "," OB("O", "o", 2, "1") "," OB("O", "o", 2, "1") "]");

	ck_assert_uint_eq(p->lanes[0].n_marks, 3);
	ck_assert_uint_eq(p->lanes[0].n_spans, 4);
	profile_free(p);
}
END_TEST

static void ck_name(const char *title, const char *name, const char *parts)
{
	struct object_name n = object_name_of((struct str){ title, strlen(title) },
					      (struct str){ name, strlen(name) });
	struct buf out = { 0 };

	buf_add(&out, n.scope.p, n.scope.len);
	buf_addc(&out, '|');
	buf_add(&out, n.type.p, n.type.len);
	buf_addc(&out, '|');
	buf_add(&out, n.id.p, n.id.len);
	ck_assert_str_eq(buf_text(&out), parts);
	buf_done(&out);
}

START_TEST(names_are_taken_apart_again)
{
	ck_name("Objects: Cart", "Cart 0x1", "|Cart|0x1");
	ck_name("Objects: Cart", "Cart", "|Cart|");
	ck_name("Objects: a b", "a b c d", "|a b|c d");
	ck_name("Objects in shop: Cart", "Cart 0x1", "shop|Cart|0x1");
	ck_name("Objects", "my type 7", "|my type|7");
	ck_name("Objects in shop", "t 7", "shop|t|7");
	ck_name("Objects", "alone", "|alone|");
	ck_name("", "", "||");
}
END_TEST

/* The range is in ns; t1 0: all. An export begins at 1 ms. */
static void ck_comes_back(const char *text, int64_t t0, int64_t t1, const char *story)
{
	struct profile *p = load(text), *back;
	char *out = exported(p, "trace", true, t0, t1);

	back = load_plain(out);
	ck_profile_tells(back, story);
	profile_free(back);
	profile_free(p);
	free(out);
}

START_TEST(objects_come_back_from_an_export)
{
	const char *text =
		"[" EV("N", "o", 1, ",'id':1,'scope':'a'") "," EV("O", "p", 3, ",'id':1,'scope':'a','args':{'snapshot':{'base_type':'o'}}") "," EV(
			"D", "o", 7, ",'id':1,'scope':'a'") "," OB("D", "q", 4, "2") "]";

	ck_comes_back(text, 0, 0,
		      "objects 1/- [Objects in a: o] o 1:1-7 | o created:1 p snapshot:3 o "
		      "deleted:7\n"
		      "objects 1/- [Objects: q] q 2:1-4O | q deleted:4\n");
	/* Cut to a range, an object is created and deleted at its ends. */
	ck_comes_back(text, 1000, 3000,
		      "objects 1/- [Objects in a: o] o 1:2-4 | o created:2 p snapshot:3 o "
		      "deleted:4\n"
		      "objects 1/- [Objects: q] q 2:2-4O | q deleted:4\n");
}
END_TEST

START_TEST(object_of_which_a_range_has_no_event_is_exported)
{
	ck_comes_back("[" OB("O", "o", 1, "1") "," OB("O", "o", 9, "1") "]", 2000, 4000,
		      "objects 1/- [Objects: o] o 1:3U | o created:3\n");
}
END_TEST

static void add_rules(TCase *tc)
{
	tcase_add_test(tc, object_is_a_span_from_its_creation_to_its_deletion);
	tcase_add_test(tc, objects_that_live_at_a_time_are_on_rows_of_their_own);
	tcase_add_test(tc, types_have_lanes_of_their_own);
	tcase_add_test(tc, object_without_creation_lives_from_the_start_of_the_trace);
	tcase_add_test(tc, object_without_deletion_lives_to_the_end_of_the_trace);
	tcase_add_test(tc, id_is_used_again_after_deletion);
	tcase_add_test(tc, creation_of_an_object_that_lives_ends_it);
	tcase_add_test(tc, what_follows_deletion_is_another_object);
	tcase_add_test(tc, events_of_an_object_need_not_be_sorted);
	tcase_add_test(tc, object_may_have_no_length);
	tcase_add_test(tc, scope_is_part_of_the_id_and_in_the_title);
	tcase_add_test(tc, snapshot_belongs_to_its_base_type);
	tcase_add_test(tc, ids_of_objects_belong_to_a_process);
	tcase_add_test(tc, objects_without_id_are_one_of_each_type);
	tcase_add_test(tc, escapes_in_ids_and_scopes_are_decoded);
	tcase_add_test(tc, many_types_of_a_scope_share_a_lane);
	tcase_add_test(tc, marks_of_objects_are_counted);
	tcase_add_test(tc, names_are_taken_apart_again);
	tcase_add_test(tc, objects_come_back_from_an_export);
	tcase_add_test(tc, object_of_which_a_range_has_no_event_is_exported);
}

static void add_tests(Suite *suite)
{
	trace_suite(suite, add_rules);
}

int main(void)
{
	return suite_run("trace_object", add_tests);
}

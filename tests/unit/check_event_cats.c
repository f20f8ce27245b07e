/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Event categories (cat): where they are kept, sums, groups, searches and colours. */
#include "config.h"

#include "trace_story.h"
#include "view_of.h"

#include "analyse/label_share.h"
#include "analyse/scope.h"
#include "analyse/search.h"
#include "analyse/totals.h"
#include "draw/frame_roles.h"

#define XC(name, cat, ts, dur) EV("X", name, ts, ",'dur':" #dur ",'cat':'" cat "'")
#define BC(name, cat, ts) EV("B", name, ts, ",'cat':'" cat "'")

/* a of v8 has b of v8,blink below it, and a second a of blink stands beside b; c has no category.
 */
#define DOCUMENT                                                                                   \
	"[" XC("a", "v8", 0, 100) "," XC("b", "v8,blink", 10, 20) "," XC(                          \
		"a", "blink", 40, 30) "," X("c", 80, 10) "," XC("b", "v8,blink", 200, 5) "]"

static const struct lane *slices_of(const struct profile *p)
{
	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (p->lanes[i].kind == LANE_SLICES)
			return &p->lanes[i];
	ck_abort_msg("no slices");
	return NULL;
}

/* `name cat name cat`: the nodes of the lane, in preorder. */
static void ck_nodes(const char *text, const char *nodes)
{
	struct profile *p = load(text);
	const struct lane *lane = slices_of(p);
	struct buf out = { 0 };

	for (node_id i = 1; i < lane->tree.n; i++) {
		event_cat cat = profile_node_cat(p, lane, i);

		buf_addf(&out, "%s%s %s", i > 1 ? " " : "",
			 profile_text(p, profile_node_frame(p, lane, i)->name),
			 cat ? profile_text(p, p->event_cats[cat].text) : "-");
	}
	ck_assert_str_eq(buf_text(&out), nodes);
	buf_done(&out);
	profile_free(p);
}

START_TEST(node_has_the_category_of_its_event)
{
	ck_nodes(DOCUMENT, "a v8 b v8,blink a blink c - b v8,blink");
	/* Of begins, too, and whatever their ends say. */
	ck_nodes("[" BC("a", "one", 1) "," BC("a", "two", 2) "," E("a", 3) "," E("a", 4) "," XC(
			 "a", "three", 9, 1) "]",
		 "a one a two a three");
	/* With a category and without. */
	ck_nodes("[" X("a", 1, 2) "," XC("a", "x", 5, 2) "]", "a - a x");
	ck_nodes("[" XC("a", "x", 1, 2) "," X("a", 5, 2) "]", "a x a -");
	/* An escape is decoded. */
	ck_nodes("[" XC("a", "x", 1, 2) "," XC("a", "\\u0078", 5, 2) "]", "a x");
}
END_TEST

START_TEST(usual_traces_have_no_categories_by_node)
{
	struct profile *p = load(
		"[" XC("a", "v8", 1, 2) "," XC("b", "blink", 5, 2) "," XC("a", "v8", 9, 1) "]");

	ck_assert_ptr_null(slices_of(p)->cats);
	ck_assert(!slices_of(p)->tree.has_twins);
	profile_free(p);
	p = load(DOCUMENT);
	ck_assert_ptr_nonnull(slices_of(p)->cats);
	profile_free(p);
}
END_TEST

START_TEST(tables_go_by_name)
{
	struct profile *p = load(DOCUMENT);
	const struct lane *lane = slices_of(p);
	struct totals t;
	struct view v;

	ck_assert(view_init(&v, p, &lane, 1));
	totals_init(&t, &v);
	totals_compute(&t, 0, p->t1);
	/* One node for each path of names: a, a > b, a > a, a > c, b. */
	ck_assert_uint_eq(v.tree->n, 6);
	for (frame_id f = 1; f < v.n_frames; f++) {
		const char *name = profile_text(p, v.frames[f].name);

		if (strcmp(name, "a") == 0)
			ck_assert_int_eq(t.frame_total[f], 100000);
		if (strcmp(name, "b") == 0)
			ck_assert_int_eq(t.frame_total[f], 25000);
	}
	totals_done(&t);
	view_done(&v);
	profile_free(p);
}
END_TEST

START_TEST(self_times_go_by_the_first_category)
{
	struct profile *p = load(DOCUMENT);
	const struct lane *lane = slices_of(p);
	struct event_cat_share *list;
	size_t n = event_cats_shares(p, &lane, 1, 0, p->t1, &list);

	ck_assert_uint_eq(n, 3);
	ck_assert_str_eq(profile_text(p, list[0].name), "v8");
	ck_assert_int_eq(list[0].self, 40000 + 20000 + 5000);
	ck_assert_str_eq(profile_text(p, list[1].name), "blink");
	ck_assert_int_eq(list[1].self, 30000);
	ck_assert_uint_eq(list[2].name, 0);
	ck_assert_int_eq(list[2].self, 10000);
	free(list);
	profile_free(p);
	/* What overlaps, and is inside of a, takes time from it. */
	p = load("[" XC("a", "x", 1, 8) "," XC("b", "y", 2, 3) "," XC("c", "y", 4, 3) "]");
	ck_assert_uint_eq(p->n_lanes, 2);
	ck_assert_uint_eq(event_cats_shares(p,
					    (const struct lane *[]){ &p->lanes[0], &p->lanes[1] },
					    2, 0, p->t1, &list),
			  2);
	ck_assert_int_eq(list[0].self, 6000);
	ck_assert_int_eq(list[1].self, 3000);
	free(list);
	profile_free(p);
	p = load("[" X("a", 1, 2) "]");
	lane = slices_of(p);
	ck_assert_uint_eq(event_cats_shares(p, &lane, 1, 0, p->t1, &list), 0);
	free(list);
	profile_free(p);
}
END_TEST

/* `name total name total` of the rows that stand for event categories. */
START_TEST(group_of_categories_joins_calls_in_a_row)
{
	struct profile *p = load(DOCUMENT);
	const struct lane *lane = slices_of(p);
	struct buf out = { 0 };
	struct totals t;
	struct view v;

	ck_assert(view_of(&v, p, &lane, 1, NULL, 0, GROUP_EVENT_CAT));
	totals_init(&t, &v);
	totals_compute(&t, 0, p->t1);
	for (frame_id f = p->frames.n; f < v.n_frames; f++)
		buf_addf(&out, "%s %d %d ", profile_text(p, v.frames[f].name),
			 (int)(t.frame_self[f] / 1000), (int)(t.frame_total[f] / 1000));
	ck_assert_str_eq(buf_text(&out), "(no event category) 10 10 v8 65 105 blink 30 30 ");
	buf_done(&out);
	totals_done(&t);
	view_done(&v);
	profile_free(p);
}
END_TEST

/* The number of spans that a search finds. */
static int count(struct profile *p, const char *text)
{
	struct error err = ERROR_INIT;
	struct search search;
	struct search_at at;
	uint8_t *is_shown = malloc(p->n_lanes);
	int n = 0;

	memset(is_shown, 1, p->n_lanes);
	ck_assert(search_init(&search, p, text, strlen(text), false, &err));
	search_match(&search, BUDGET_UNLIMITED);
	for (bool is = search_next(&search, is_shown, NULL, false, &at); is;
	     is = search_next(&search, is_shown, &at, false, &at))
		n++;
	search_done(&search);
	free(is_shown);
	return n;
}

START_TEST(search_finds_slices_by_category)
{
	struct profile *p = load(DOCUMENT);
	struct error err = ERROR_INIT;
	uint8_t *is;

	ck_assert_int_eq(count(p, "cat:^v8"), 3);
	ck_assert_int_eq(count(p, "cat:blink"), 3); /* any of several, each slice by its own */
	ck_assert_int_eq(count(p, "cat:^blink$"), 3);
	ck_assert_int_eq(count(p, "cat:^v8$"), 3);
	ck_assert_int_eq(count(p, "cat:,"), 0);
	ck_assert_int_eq(count(p, "cat:c"), 0);
	ck_assert_int_eq(count(p, "cat:"), 0); /* a name */
	is = frame_set_find(p, p->frames.frames, p->frames.n, "cat:blink", &err);
	/* A row of a table stands for all slices of a name. */
	for (frame_id f = 1; f < p->frames.n; f++)
		ck_assert_int_eq(is[f],
				 strcmp(profile_text(p, p->frames.frames[f].name), "c") != 0);
	free(is);
	profile_free(p);
}
END_TEST

START_TEST(colour_is_that_of_the_category)
{
	struct profile *p = load(DOCUMENT);
	const struct lane *lane = slices_of(p);
	struct frame_roles roles = { 0 };
	struct frame_scheme scheme = { 0 };
	enum role role[6];

	frame_roles_make(&roles, p, p, &scheme, CHART_COLOR_EVENT_CAT);
	for (node_id i = 1; i < lane->tree.n; i++)
		role[i] = frame_roles_node(&roles, p, lane, i);
	ck_assert_int_eq(role[1], role[2]); /* v8 and v8,blink */
	ck_assert_int_ne(role[1], role[3]); /* a of v8, a of blink */
	ck_assert_int_eq(role[4], ROLE_TASK);
	frame_roles_done(&roles);
	profile_free(p);
}
END_TEST

static void add_rules(TCase *tc)
{
	tcase_add_test(tc, node_has_the_category_of_its_event);
	tcase_add_test(tc, usual_traces_have_no_categories_by_node);
	tcase_add_test(tc, tables_go_by_name);
	tcase_add_test(tc, self_times_go_by_the_first_category);
	tcase_add_test(tc, group_of_categories_joins_calls_in_a_row);
	tcase_add_test(tc, search_finds_slices_by_category);
	tcase_add_test(tc, colour_is_that_of_the_category);
}

static void add_tests(Suite *suite)
{
	trace_suite(suite, add_rules);
}

int main(void)
{
	return suite_run("event_cats", add_tests);
}

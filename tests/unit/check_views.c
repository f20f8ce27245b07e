/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A merged view that takes long: what is shown until it is complete, and how it is stopped. */
#include "config.h"

#include "slow_app.h"

#include "ui/chart/views.h"

static void work_a_little(void)
{
	struct budget budget = budget_steps(20, 1);

	ck_assert(!views_work(app, &budget));
	ck_assert(views_is_busy(app));
}

static const struct {
	const char *before, *key;
} cases[] = { { "", "2" }, { "", "3" }, { "2", "3" }, { "3", "2" } };

START_TEST(esc_keeps_the_view_before)
{
	char *before, *after;

	press(cases[_i / 2].before);
	complete();
	before = screen();
	press(cases[_i / 2].key);
	work_a_little();
	ck_assert(!(app_key(app, _i % 2 ? 'c' | KEYC_CTRL : KEYC_ESC) & APP_QUIT));
	ck_assert_str_eq(buf_text(&app->message), "stopped; the view stays as it is");
	ck_assert(!views_is_busy(app));
	after = screen();
	ck_assert_str_eq(after, before);
	free(before);
	free(after);
}
END_TEST

START_TEST(what_is_shown_stays_until_the_view_is_complete)
{
	char *before = screen(), *meanwhile, *after;

	press(_i ? "3" : "2");
	ck_assert(app_wait_ms(app) == 0);
	ck_assert(!app_is_settled(app));
	meanwhile = screen();
	/* The status line alone says it. */
	ck_assert_ptr_nonnull(strstr(meanwhile, "merging calls; Esc stops it"));
	ck_assert_int_eq(app->mode, VIEW_TIME);
	ck_assert(memcmp(meanwhile, before, 200) == 0);
	complete();
	ck_assert_int_eq(app->mode, _i ? VIEW_SANDWICH : VIEW_MERGED);
	after = screen();
	ck_assert_ptr_nonnull(strstr(after, _i ? "callers and callees of" : "merged: "));
	free(before);
	free(meanwhile);
	free(after);
}
END_TEST

/* The scope is that of the time line, whichever view is shown. */
START_TEST(view_from_a_view_is_that_from_the_time_line)
{
	char *direct, *over;

	press("++");
	press("2");
	complete();
	direct = screen();
	press("3");
	complete();
	ck_assert_int_eq(app->mode, VIEW_SANDWICH);
	press("2");
	work_a_little();
	ck_assert_int_eq(app->mode, VIEW_SANDWICH);
	complete();
	over = screen();
	ck_assert_str_eq(over, direct);
	free(direct);
	free(over);
}
END_TEST

START_TEST(next_key_takes_the_place_of_a_view)
{
	press("2");
	work_a_little();
	press("3");
	complete();
	ck_assert_int_eq(app->mode, VIEW_SANDWICH);
	press("2");
	work_a_little();
	press("1");
	ck_assert(!views_is_busy(app));
	ck_assert_int_eq(app->mode, VIEW_TIME);
}
END_TEST

/* The transform changes the lanes of which the view is made. */
START_TEST(transform_begins_the_view_anew)
{
	char *one_by_one, *at_once;

	press("xi");
	complete();
	press("2");
	complete();
	one_by_one = screen();
	teardown();
	setup();
	press(_i ? "2xi" : "xi2");
	work_a_little();
	complete();
	ck_assert_int_eq(app->mode, VIEW_MERGED);
	at_once = screen();
	ck_assert_str_eq(at_once, one_by_one);
	free(one_by_one);
	free(at_once);
}
END_TEST

/* The prompt keeps the span to which Esc returns, which is of the view that is shown. */
START_TEST(time_order_refuses_to_be_inverted)
{
	char *before = screen(), *after;

	press("xv");
	ck_assert_ptr_nonnull(strstr(buf_text(&app->message), "only the merged view"));
	ck_assert(!transforms_is_inverted(app) && !transforms_is_busy(app));
	press("3");
	complete();
	press("xv");
	ck_assert(!transforms_is_inverted(app));
	press("1");
	buf_clear(&app->message);
	after = screen();
	ck_assert_str_eq(after, before);
	free(before);
	free(after);
}
END_TEST

/* The title, and the functions in the first row of the chart, which is the lowest of the lane. */
static void check_inverted(bool is_inverted)
{
	ck_assert_int_eq(app->mode, VIEW_MERGED);
	ck_assert(app->s.lanes[0].is_flipped == is_inverted);
	ck_assert(!strstr(app->s.chart.titles[0], "inverted") == !is_inverted);
}

START_TEST(left_heavy_is_inverted_and_back)
{
	char *straight, *inverted, *again;

	press("2");
	complete();
	straight = screen();
	check_inverted(false);
	press("xv");
	complete();
	check_inverted(true);
	buf_clear(&app->message);
	inverted = screen();
	ck_assert_str_ne(inverted, straight);
	press("u");
	complete();
	check_inverted(false);
	press("xv");
	complete();
	press("xv");
	complete();
	check_inverted(false);
	/* Time order is what it was; left heavy after it is inverted again. */
	press("xv");
	complete();
	press("1");
	ck_assert_ptr_nonnull(strstr(buf_text(&app->message), "not inverted"));
	press("2");
	complete();
	check_inverted(true);
	buf_clear(&app->message);
	again = screen();
	ck_assert_str_eq(again, inverted);
	free(straight);
	free(inverted);
	free(again);
}
END_TEST

START_TEST(no_view_is_replaced_under_a_prompt)
{
	press("2/f");
	complete();
	ck_assert(!views_is_busy(app));
	ck_assert_int_eq(app->mode, VIEW_TIME);
	press("<Esc>");
	ck_assert(views_is_busy(app));
	complete();
	ck_assert_int_eq(app->mode, VIEW_MERGED);
}
END_TEST

/* Nothing is left of a view that is dropped with the app. */
START_TEST(app_ends_with_a_view_half_made)
{
	press(cases[_i].before);
	complete();
	press(cases[_i].key);
	for (int steps = 1; steps < 200; steps += 20) {
		struct budget budget = budget_steps((uint64_t)steps, 1);

		views_work(app, &budget);
		teardown();
		setup();
		press(cases[_i].before);
		complete();
		press(cases[_i].key);
	}
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "views", SUITE_SECONDS);

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, esc_keeps_the_view_before, 0, 2 * N(cases));
	tcase_add_loop_test(t, what_is_shown_stays_until_the_view_is_complete, 0, 2);
	tcase_add_test(t, view_from_a_view_is_that_from_the_time_line);
	tcase_add_test(t, next_key_takes_the_place_of_a_view);
	tcase_add_loop_test(t, transform_begins_the_view_anew, 0, 2);
	tcase_add_test(t, time_order_refuses_to_be_inverted);
	tcase_add_test(t, left_heavy_is_inverted_and_back);
	tcase_add_test(t, no_view_is_replaced_under_a_prompt);
	tcase_add_loop_test(t, app_ends_with_a_view_half_made, 0, N(cases));
}

int main(void)
{
	return suite_run("views", add_tests);
}

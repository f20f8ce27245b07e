/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of an app as a value: a new app that is made with it shows what the old one showed. The
 * way from one profile to another of the same files is in check_load.c. */
#include "config.h"

#include "base/alloc.h"
#include "random_profile.h"
#include "suite.h"
#include "ui/app.h"
#include "ui/app_state.h"
#include "ui/state.h"

static struct profile *profile;

static void setup(void)
{
	profile = random_profile(4, 60, 400, 4);
	ck_assert_ptr_nonnull(profile);
}

static void teardown(void)
{
	profile_free(profile);
}

static void play(struct app *app, const char *keys)
{
	struct error err = ERROR_INIT;

	ck_assert_msg(script_play(&app, keys, NULL, &err), "%s", err.text);
}

/* A new app with the state of `app`. */
static struct app *copy_of(const struct app *app)
{
	struct app_state state;
	struct app *copy;

	app_state_get(app, &state);
	copy = app_new(profile, &(struct app_options){ .state = &state });
	app_state_done(&state);
	return copy;
}

/* What is on the screen, without the last line, which holds messages. To be freed. */
static char *screen_of(struct app *app)
{
	struct grid grid = { 0 };
	struct buf out = { 0 };

	app_update(app, BUDGET_UNLIMITED);
	app_draw(app, &grid);
	while (app_wait_ms(app) >= 0) {
		app_timeout(app);
		app_update(app, BUDGET_UNLIMITED);
		app_draw(app, &grid);
	}
	for (int col = 0; col < grid.cols; col++)
		*grid_at(&grid, grid.rows - 1, col) = (struct cell){ .ch = ' ' };
	grid_format(&grid, true, &out);
	grid_done(&grid);
	return out.data;
}

/* Without the pane, whose cursor and open rows are not carried over. */
static void cut_pane(char *screen)
{
	char *rule = strstr(screen, "\n 4 ");

	if (rule)
		*rule = '\0';
}

static void check_same(struct app *app, const char *keys, bool has_pane)
{
	struct app *copy = copy_of(app);
	char *is = screen_of(copy), *expected = screen_of(app);

	if (!has_pane) {
		cut_pane(is);
		cut_pane(expected);
	}

	if (strcmp(is, expected) != 0)
		fprintf(stderr, "%s\n%s\n%s", keys, is, expected);
	ck_assert_msg(strcmp(is, expected) == 0, "%s", keys);
	free(is);
	free(expected);
	app_free(copy);
}

/* Keys whose effect is carried over. */
static const char *const carried[] = {
	"jjl",
	"www",
	"wwdd",
	"]j",
	"] ",
	"H",
	"oc",
	"T",
	"oi",
	"ol",
	"5",
	"6",
	"7",
	"8",
	"9",
	"9oe",
	"4",
	"5I",
	"6>>",
	"7>>I",
	"5z",
	"wwv",
	"jjjV",
	"/f3<Enter>",
	"j*",
	"q",
	"5q",
	"w?",
	"w?jj",
	"wwwG",
	"5<Tab>ww",
	"jmaww",
	"jma0wwdd'a",
	"jmZ'Z0''",
	"jxf",
	"jjxs",
	"xr",
	"jxhjxmu",
	"jjxhu",
	"xiob",
	"/f3<Enter>&",
	"5&f3<Enter>",
	":heat-map<Enter>llj",
	":heat-map<Enter>--wlvlj",
	":heat-map<Enter>]lvl<Enter>",
};

/* Of a merged view, window and selection are not. */
static const char *const carried_views[] = { "2", "jj3", "ob2", "jjxs2", "xv2", "jjjxfj3" };

START_TEST(a_copy_shows_the_same)
{
	struct app *app = app_new(profile, &(struct app_options){ 0 });

	app_resize(app, 40, 110);
	play(app, carried[_i]);
	check_same(app, carried[_i], true);
	app_free(app);
}
END_TEST

START_TEST(a_copy_shows_the_same_view)
{
	struct app *app = app_new(profile, &(struct app_options){ 0 });

	app_resize(app, 40, 110);
	play(app, carried_views[_i]);
	check_same(app, carried_views[_i], true);
	app_free(app);
}
END_TEST

START_TEST(copies_of_long_sessions_show_the_same)
{
	struct app *app = app_new(profile, &(struct app_options){ 0 });
	struct buf keys = { 0 };

	app_resize(app, 40, 110);
	random_seed(_i);
	for (int n = 0; n < 12; n++) {
		const char *some = carried[random_below(ARRAY_LEN(carried))];

		/* The help screen takes the keys that follow. */
		if (strpbrk(some, "?q"))
			continue;
		buf_adds(&keys, some);
		play(app, some);
		check_same(app, buf_text(&keys), false);
	}
	buf_done(&keys);
	app_free(app);
}
END_TEST

/* Passive commands leave the next app as it would begin; all others do not. */
START_TEST(passive_commands_do_not_touch)
{
	for (enum command_id id = CMD_NONE + 1; id < COMMAND_COUNT; id++) {
		struct app *app = app_new(profile, &(struct app_options){ 0 });
		unsigned flags = command_get(id)->flags;
		struct app_state state;

		app_resize(app, 40, 110);
		app_command(app, id, 1);
		app_state_get(app, &state);
		ck_assert_msg(state.is_touched == !(flags & (COMMAND_PASSIVE | COMMAND_EDITS)),
			      "%s", command_get(id)->name);
		app_state_done(&state);
		app_free(app);
	}
}
END_TEST

/* What a state does not hold is barred while a file is loading. */
START_TEST(what_cannot_be_carried_is_barred)
{
	struct app *app = app_new(profile, &(struct app_options){ 0 });
	const struct chart *chart = &app->s.chart;

	app_resize(app, 40, 110);
	app_set_loading(app, "loading 12 %");
	for (enum command_id id = CMD_NONE + 1; id < COMMAND_COUNT; id++) {
		app_command(app, id, 1);
		app_key(app, KEYC_ESC);
		ck_assert_msg(!chart->is_merged &&
				      (chart->as_is ? chart->as_is : chart->profile) == profile,
			      "%s", command_get(id)->name);
	}
	app_free(app);
}
END_TEST

/* The texts that were typed are at hand in the next app. */
START_TEST(typed_texts_are_kept)
{
	struct app *app = app_new(profile, &(struct app_options){ 0 }), *copy;
	struct app_state state;

	play(app, "/f3<Enter>/f2<Enter><Esc>");
	copy = copy_of(app);
	play(copy, "/<Up><Up><Enter>");
	app_state_get(copy, &state);
	ck_assert_str_eq(state.query.text, "f3");
	app_state_done(&state);
	app_free(app);
	app_free(copy);
}
END_TEST

/* Another profile may number functions differently: the function searched for is found by name and
 * location. Without it, there is no search and nothing is said about one. */
START_TEST(searched_function_is_found_by_its_location)
{
	struct profile *other = random_profile(4 + _i, 200, 400, 4),
		       *small = random_profile(4, 1, 4, 1);
	struct app *app = app_new(profile, &(struct app_options){ 0 }), *copy;
	struct app_state state, is;

	play(app, "*");
	app_state_get(app, &state);
	ck_assert(state.query.is_function && state.query.text);
	copy = app_new(other, &(struct app_options){ .state = &state });
	app_state_get(copy, &is);
	ck_assert_ptr_nonnull(is.query.text);
	ck_assert_str_eq(is.query.text, state.query.text);
	ck_assert_uint_eq(is.query.same.n, 1);
	ck_assert_uint_eq(is.query.same.ids[0], state.query.same.ids[0]);
	ck_assert(is.query.is_told);
	app_state_done(&is);
	app_free(copy);
	copy = app_new(small, &(struct app_options){ .state = &state });
	app_state_get(copy, &is);
	ck_assert(!is.query.text && !is.query.is_told);
	app_state_done(&is);
	app_free(copy);
	app_state_done(&state);
	app_free(app);
	profile_free(small);
	profile_free(other);
}
END_TEST

/* Of a list that is read again, as it grows. */
START_TEST(the_order_of_stalls_is_kept)
{
	struct stall_list *list = &profile->stalls;
	struct app *app;

	for (int i = 0; i < 5; i++)
		*ARRAY_ADD(list->all, list->n, list->cap) =
			(struct stall_entry){ .t0 = i, .t1 = i + 1000 * (i * 7 % 5), .frame = 1 };
	app = app_new(profile, &(struct app_options){ 0 });
	app_resize(app, 24, 80);
	check_same(app, "the first picture", true);
	play(app, ">jj");
	check_same(app, ">jj", true);
	play(app, "<lt>");
	check_same(app, "<", true);
	app_free(app);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "state", SUITE_SECONDS);

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, a_copy_shows_the_same, 0, N(carried));
	tcase_add_loop_test(t, a_copy_shows_the_same_view, 0, N(carried_views));
	tcase_add_loop_test(t, copies_of_long_sessions_show_the_same, 0, 20);
	tcase_add_test(t, passive_commands_do_not_touch);
	tcase_add_test(t, what_cannot_be_carried_is_barred);
	tcase_add_test(t, typed_texts_are_kept);
	tcase_add_test(t, the_order_of_stalls_is_kept);
	tcase_add_loop_test(t, searched_function_is_found_by_its_location, 0, 8);
}

int main(void)
{
	return suite_run("app_state", add_tests);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory that the interface keeps aside, and what it drops when that was used. A shortage is
 * what base/alloc reports: reserve_spend(). */
#include "config.h"

#include "base/alloc.c"

#include "analyse/rows/rows.h"
#include "base/alloc.h"
#include "random_profile.h"
#include "stage.h"
#include "story.h"
#include "ui/state.h"

#include <sys/resource.h>

#define SIZE (8 * RESERVE_MIN)

/* More than any heap has; hidden from compilers, which would warn. */
static volatile size_t huge = SIZE_MAX / 4;

/* ---- the reserve ---- */

START_TEST(a_thread_has_none_at_first)
{
	ck_assert(!reserve_spend(100));
	ck_assert_uint_eq(reserve_wanted(), 0);
	ck_assert(reserve_has_room(huge));
}
END_TEST

/* A step may meet several shortages, but not without end. */
START_TEST(parts_are_spent_one_after_another)
{
	int n = 0;

	ck_assert(reserve_keep(SIZE));
	ck_assert_uint_eq(reserve_wanted(), 0);
	while (n < 1000 && reserve_spend((size_t)(100 + n)))
		n++;
	ck_assert_int_gt(n, 1);
	ck_assert_int_lt(n, 1000);
	/* The first one counts. */
	ck_assert_uint_eq(reserve_wanted(), 100);
	ck_assert(reserve_renew());
	ck_assert_uint_eq(reserve_wanted(), 0);
	ck_assert(reserve_spend(0));
	ck_assert_uint_eq(reserve_wanted(), 1);
	reserve_keep(0);
	ck_assert(!reserve_spend(1));
}
END_TEST

START_TEST(a_deadline_has_come_when_memory_is_short)
{
	struct budget budget = budget_ns(INT64_MAX / 4), *unlimited = BUDGET_UNLIMITED;

	ck_assert(reserve_keep(SIZE));
	ck_assert(!budget_spent(&budget));
	reserve_spend(1);
	ck_assert(budget_spent(&budget));
	ck_assert(!budget_spent(unlimited));
	reserve_keep(0);
}
END_TEST

#ifndef ALLOC_SANITIZED
/* More is asked for than there can be: as much as there is must do. */
START_TEST(there_is_room_only_for_what_fits)
{
	ck_assert(reserve_keep(SIZE));
	ck_assert(reserve_has_room(SIZE));
	ck_assert(!reserve_has_room(huge));
	ck_assert_uint_eq(reserve_wanted(), 0);
	ck_assert(!reserve_keep(RESERVE_MIN - 1));
	reserve_keep(0);
}
END_TEST

/* All of the reserve is tried before the program ends. */
START_TEST(what_never_fits_ends_the_program)
{
	reserve_keep(SIZE);
	free(xmalloc(huge));
}
END_TEST
#endif

/* ---- what the interface drops ---- */

static void setup(void)
{
	static const struct app_options options = { .is_ascii = true };

	stage_open(random_profile(3, 40, 400, 1), &options, 40, 100);
	ck_assert(reserve_keep(SIZE));
}

static void teardown(void)
{
	reserve_keep(0);
	stage_close();
}

/* Memory is short while the keys are processed, or while the picture is computed. */
static const struct {
	const char *keys, *dropped;
} drops[] = {
	{ "<Tab>q", "pictures" },
	{ "6T", "the pane" },
	{ "/f<Enter>", "the search and the pane" },
	{ "/f", "the search and the pane" },
	{ "5T&f<Enter>", "the filter and the pane" },
	{ "2T", "the pane" },
	{ "6Tzxf", "the pane" },
};

START_TEST(dropped_things_are_named)
{
	char text[200];

	play(drops[_i].keys);
	draw();
	reserve_spend(2000000);
	snprintf(text, sizeof text, "not enough memory (2.00 MB more were needed): dropped %s",
		 drops[_i].dropped);
	draw();
	ck_assert_msg(shows(text), "%s: not shown: %s", drops[_i].keys, text);
	ck_assert_uint_eq(reserve_wanted(), 0);
	/* Once. */
	play("T");
	ck_assert(!shows("not enough memory"));
}
END_TEST

/* What was dropped can be asked for again, and nothing of it is left from before. */
START_TEST(the_same_keys_give_the_same_picture_again)
{
	static const char *const keys[] = { "6TE", "7T>", "4T", "/f<Enter>n5T", "5T&f<Enter>" };
	char *before, *after;

	play(keys[_i]);
	before = picture(true);
	app_free(app);
	app = app_new(profile, &(struct app_options){ .is_ascii = true });
	app_resize(app, 40, 100);
	draw();
	play("T6zT7<Tab>/f");
	reserve_spend(1);
	draw();
	ck_assert(shows("no memory for findings"));
	app->walk.is_barred = false;
	play(keys[_i]);
	after = picture(true);
	if (strcmp(before, after) != 0)
		fprintf(stderr, "%s: before:\n%s\nafter:\n%s", keys[_i], before, after);
	ck_assert(strcmp(before, after) == 0);
	free(before);
	free(after);
}
END_TEST

#ifndef ALLOC_SANITIZED
/* ---- what is refused ---- */

static void setup_large(void)
{
	static const struct app_options options = { .is_ascii = true };

	memory_return_large();
	stage_open(random_profile(3, 100000, 60000, 2), &options, 40, 100);
	ck_assert(reserve_keep(SIZE));
}

/* From now on the process gets no more memory than it has; -1: as much as it wants. Only what was
 * freed before, in small pieces, and the reserve can be allocated. */
static void limit_memory(int64_t bytes)
{
	struct rlimit limit;

	getrlimit(RLIMIT_DATA, &limit);
	limit.rlim_cur = bytes < 0 ? limit.rlim_max : (rlim_t)bytes;
	ck_assert_int_eq(setrlimit(RLIMIT_DATA, &limit), 0);
}

/* No more memory at all: what is mapped and free is taken, too. free_all() gives it back. */
static void *taken;

static void take_all(void)
{
	limit_memory(memory_mapped());
	for (size_t size = 1 << 20; size >= 64; size /= 2)
		for (void **block; (block = malloc(size)); taken = block)
			*block = taken;
}

static void free_all(void)
{
	for (void *block = taken, *next; block; block = next) {
		next = *(void **)block;
		free(block);
	}
	taken = NULL;
	limit_memory(-1);
}

/* Keys that need an array for which there is no memory, and what comes of it. */
static const struct {
	const char *keys, *message;
} refusals[] = {
	{ "6", "more were needed): dropped the pane" },
	{ "7", "more were needed): dropped the pane" },
	{ "4", "more were needed): dropped the pane" },
	{ "/f", "more were needed): dropped the search" },
	{ "*", "more were needed): dropped the search" },
	{ "2", "more would be needed" },
	{ "3", "more would be needed" },
	{ "xr", "more were needed): dropped the last transform" },
};

START_TEST(what_does_not_fit_is_refused)
{
	char *before, *after;

	play("<Tab>q");
	draw();
	limit_memory(memory_mapped());
	play(refusals[_i].keys);
	draw();
	ck_assert_uint_eq(reserve_wanted(), 0);
	if (!shows(refusals[_i].message))
		fprintf(stderr, "%s:\n%s", refusals[_i].keys, picture(false));
	ck_assert(shows("not enough memory"));
	ck_assert(shows(refusals[_i].message));
	/* With memory it is as if nothing had been. */
	limit_memory(-1);
	play("<Esc>1T6<C-l>");
	play(refusals[_i].keys);
	after = picture(true);
	app_free(app);
	app = app_new(profile, &(struct app_options){ .is_ascii = true });
	app_resize(app, 40, 100);
	draw();
	play("<Tab>q1T6<C-l>");
	play(refusals[_i].keys);
	before = picture(true);
	if (strcmp(before, after) != 0)
		fprintf(stderr, "%s: before:\n%s\nafter:\n%s", refusals[_i].keys, before, after);
	ck_assert(strcmp(before, after) == 0);
	free(before);
	free(after);
}
END_TEST

/* The chart of a lane is made when it comes into view. */
START_TEST(a_lane_without_memory_is_folded)
{
	/* The pane would be refused first. */
	play("<Tab>q");
	limit_memory(memory_mapped());
	draw();
	ck_assert(shows("more would be needed"));
	ck_assert(!app->s.chart.lanes[0].is_open);
	limit_memory(-1);
	play("<Space>");
	draw();
	ck_assert(!shows("not enough memory"));
}
END_TEST

/* A row that does not fit stays closed; the others stay as they are. */
START_TEST(rows_that_do_not_fit_stay_closed)
{
	char *before, *after;

	stage_close();
	stage_open(random_profile(3, 500000, 120000, 2), &(struct app_options){ .is_ascii = true },
		   40, 100);
	play("5<C-l>z");
	before = picture(true);
	limit_memory(memory_mapped());
	play("l");
	draw();
	ck_assert(shows("more would be needed"));
	play("z");
	play("z");
	limit_memory(-1);
	after = picture(true);
	if (strcmp(before, after) != 0)
		fprintf(stderr, "before:\n%s\nafter:\n%s", before, after);
	ck_assert(strcmp(before, after) == 0);
	free(before);
	free(after);
}
END_TEST

/* ---- what is refused between two steps ---- */

/* Memory is there when a transform begins, and is gone later. */
START_TEST(a_transform_is_given_up_when_memory_becomes_short)
{
	int n = 0;

	play("<Tab>q");
	draw();
	app->key_ns = 0;
	app_key(app, 'x');
	app_key(app, 'r');
	ck_assert(transforms_is_busy(app));
	app_timeout(app);
	ck_assert(transforms_is_busy(app));
	limit_memory(memory_mapped());
	for (; transforms_is_busy(app) && n < 1000; n++)
		app_timeout(app);
	ck_assert_int_lt(n, 2);
	/* Not for the reserve that was used up. */
	ck_assert_int_eq(app->n_reliefs, 0);
	ck_assert(shows("more were needed): dropped the last transform"));
	ck_assert_uint_eq(app->transforms.n, 0);
	ck_assert_uint_eq(reserve_wanted(), 0);
	limit_memory(-1);
	app->key_ns = INT64_MAX / 4;
	play("xr");
	ck_assert_uint_eq(app->transforms.n, 1);
	ck_assert(!shows("not enough memory"));
}
END_TEST

/* Memory is there when the rows begin to be sorted, and is gone when they are made. */
START_TEST(rows_are_given_up_when_memory_becomes_short)
{
	struct budget step = budget_steps(1, 1000);
	struct buf folded = { 0 };
	struct rows rows;

	for (int i = 0; i < 40000; i++)
		buf_addf(&folded, "main;f%d 1\n", i);
	stage_close();
	stage_open(story_load(buf_text(&folded)), &(struct app_options){ 0 }, 40, 100);
	buf_done(&folded);
	play("5T");
	draw();
	rows_begin(&rows, &app->pane.totals, ROWS_BOTTOMUP, ROWS_BY_SELF, FRAME_NONE);
	ck_assert(!rows_step(&rows, &step));
	limit_memory(memory_mapped());
	do
		step = budget_steps(1, 1000);
	while (!rows_step(&rows, &step));
	ck_assert(rows.is_lacking);
	ck_assert_uint_eq(rows.n, 0);
	ck_assert_uint_eq(reserve_wanted(), 0);
	ck_assert_uint_gt(reserve_refused(), 10000);
	limit_memory(-1);
	rows_done(&rows);
}
END_TEST

/* A table about one function needs the nodes of all. */
START_TEST(a_table_about_a_function_is_refused)
{
	struct rows rows;

	play("5T");
	draw();
	take_all();
	rows_init(&rows, &app->pane.totals, ROWS_BOTTOMUP, ROWS_BY_SELF, app->pane.totals.used[0]);
	free_all();
	ck_assert(rows.is_lacking);
	ck_assert_uint_eq(rows.n, 0);
	rows_done(&rows);
}
END_TEST
#endif

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "reserve", SUITE_SECONDS);

	tcase_add_test(t, a_thread_has_none_at_first);
	tcase_add_test(t, parts_are_spent_one_after_another);
	tcase_add_test(t, a_deadline_has_come_when_memory_is_short);
#ifndef ALLOC_SANITIZED
	tcase_add_test(t, there_is_room_only_for_what_fits);
	tcase_add_exit_test(t, what_never_fits_ends_the_program, 1);
#endif
	t = suite_case(suite, "interface", SUITE_SECONDS);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, dropped_things_are_named, 0, N(drops));
	tcase_add_loop_test(t, the_same_keys_give_the_same_picture_again, 0, 5);
#ifndef ALLOC_SANITIZED
	t = suite_case(suite, "refusals", SUITE_SECONDS);
	tcase_add_checked_fixture(t, setup_large, teardown);
	tcase_add_loop_test(t, what_does_not_fit_is_refused, 0, N(refusals));
	tcase_add_test(t, a_lane_without_memory_is_folded);
	tcase_add_test(t, rows_that_do_not_fit_stay_closed);
	tcase_add_test(t, a_transform_is_given_up_when_memory_becomes_short);
	tcase_add_test(t, rows_are_given_up_when_memory_becomes_short);
	tcase_add_test(t, a_table_about_a_function_is_refused);
#endif
}

int main(void)
{
	return suite_run("reserve", add_tests);
}

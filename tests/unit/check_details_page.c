/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The details pane while the text of an event is being read: it says so, shows the text when that
 * is there, and waits for nothing that the user has left. */
#include "config.h"

#include "base/units.h"
#include "stage.h"
#include "trace_story.h"

#define READING "reading the file"
#define EVENT "the text of the event at "

/* A file that answers when it is told to. */
static struct {
	bool is_there;
	int n_asked, n_forgotten;
} file;

static bool read_event(void *ctx, const struct profile *p, uint32_t input, int64_t offset,
		       struct buf *out, struct buf *stacks)
{
	(void)ctx;
	(void)p;
	(void)stacks;
	ck_assert_uint_eq(input, 0);
	file.n_asked++;
	if (file.is_there)
		buf_addf(out, EVENT "%lld\n", (long long)offset);
	return file.is_there;
}

static void forget(void *ctx)
{
	(void)ctx;
	file.n_forgotten++;
}

static void setup(void)
{
	struct app_options options = { .events = { read_event, forget, NULL, NULL, NULL, NULL } };

	file.is_there = false;
	file.n_asked = file.n_forgotten = 0;
	stage_open(load("[" X("a", 1, 8) "," X("b", 2, 5) "," X("c", 8, 1) "]"), &options, 60, 100);
}

START_TEST(pane_says_that_it_reads_until_the_text_is_there)
{
	play("8");
	ck_assert(shows(READING) && !shows(EVENT));
	/* Between keys it asks again. The picture changes only when the text is there. */
	ck_assert_int_gt(app_wait_ms(app), 0);
	ck_assert_int_eq(app_timeout(app), 0);
	ck_assert(shows(READING));
	file.is_there = true;
	ck_assert_int_eq(app_timeout(app), APP_REDRAW);
	ck_assert(shows(EVENT "1") && !shows(READING));
	ck_assert_int_lt(app_wait_ms(app), 0);
	ck_assert_int_eq(file.n_forgotten, 0);
}
END_TEST

START_TEST(pictures_do_not_ask_again)
{
	int n;

	play("8");
	shows(READING);
	n = file.n_asked;
	for (int i = 0; i < 5; i++)
		shows(READING);
	ck_assert_int_eq(file.n_asked, n);
}
END_TEST

START_TEST(page_stays_where_it_was_scrolled_to)
{
	struct buf before = { 0 }, after = { 0 };

	app_resize(app, 30, 60);
	play("8");
	shows(READING);
	play("jj");
	file.is_there = true;
	app_timeout(app);
	shows(EVENT);
	grid_format(&grid, false, &before);
	play("jk");
	shows(EVENT);
	grid_format(&grid, false, &after);
	ck_assert(strcmp(buf_text(&before), buf_text(&after)) == 0);
	buf_done(&before);
	buf_done(&after);
}
END_TEST

static const struct {
	const char *keys;
	bool is_forgotten;
} leaves[] = {
	{ "5", true },      /* another pane */
	{ "q", true },      /* closed */
	{ "<Tab>j", true }, /* another selection */
	{ "?", false },     /* help hides the page, and it comes back */
	{ "<Tab><Tab>", false },
};

START_TEST(event_is_forgotten_when_the_user_leaves_it)
{
	play("8");
	shows(READING);
	file.n_forgotten = 0;
	play(leaves[_i].keys);
	shows("");
	ck_assert_int_eq(file.n_forgotten > 0, leaves[_i].is_forgotten);
}
END_TEST

START_TEST(page_that_comes_back_asks_again)
{
	play("8");
	shows(READING);
	play("5");
	shows("");
	ck_assert_int_lt(app_wait_ms(app), 0);
	file.is_there = true;
	play("8");
	ck_assert(shows(EVENT "1"));
	/* A page that has all its texts keeps them. */
	file.n_asked = 0;
	play("58");
	ck_assert(shows(EVENT "1"));
	ck_assert_int_eq(file.n_asked, 0);
}
END_TEST

/* A page of a value has no end otherwise. */
START_TEST(the_rest_of_a_long_value_is_counted)
{
	struct buf text = { 0 };
	char more[UNITS_MAX];

	stage_close();
	buf_adds(&text, "[{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":5,\"name\":\"");
	/* Two bytes each: 65,536 bytes end inside the second character after the first one. */
	buf_addc(&text, 'x');
	for (int i = 0; i < 100000; i++)
		buf_adds(&text, "\303\251");
	buf_adds(&text, "\"}]");
	stage_open(load(buf_text(&text)), &(struct app_options){ 0 }, 60, 200);
	play("8G");
	units_count(200001 - 65535, more);
	buf_clear(&text);
	buf_addf(&text, "\303\251\342\200\246 %s more bytes", more);
	for (int i = 0; i < 30 && !shows(buf_text(&text)); i++)
		play("kkkkk");
	ck_assert(shows(buf_text(&text)));
	buf_done(&text);
}
END_TEST

/* The first steps have their events; all have their times. */
START_TEST(steps_of_an_async_slice_have_their_events)
{
	struct buf text = { 0 };
	struct app_options options = { .events = { read_event, forget, NULL, NULL, NULL, NULL } };

	stage_close();
	file.is_there = true;
	buf_adds(&text, "[" AS("b", "load", 10, 1));
	for (int i = 0; i < 12; i++)
		buf_addf(&text,
			 "," AS("n", "step", 20, 1) "," AS("b", "part", 30, 1) "," AS(
				 "n", "inner", 32, 1) "," AS("e", "part", 35, 1));
	buf_adds(&text, "," AS("e", "load", 90, 1) "]");
	stage_open(load(buf_text(&text)), &options, 200, 100);
	file.n_asked = 0;
	play("8");
	ck_assert(shows("step, at 10 \302\265s"));
	ck_assert(shows("Further steps"));
	ck_assert(!shows("inner, at"));
	/* Both ends, and 8 steps. */
	ck_assert_int_eq(file.n_asked, 10);
	buf_done(&text);
}
END_TEST

START_TEST(snapshots_of_an_object_have_their_events)
{
	struct app_options options = { .events = { read_event, forget, NULL, NULL, NULL, NULL } };
	const char *text = "[" EV("N", "o", 10, ",'id':1") "," EV("O", "o", 12, ",'id':1") "," EV(
		"O", "o", 14, ",'id':1") "," EV("D", "o", 20, ",'id':1") "]";

	stage_close();
	file.is_there = true;
	stage_open(load(text), &options, 200, 100);
	file.n_asked = 0;
	play("8");
	ck_assert(shows("Event of its creation") && shows("Event of its deletion"));
	ck_assert(shows("o snapshot, at 2 \302\265s") && shows("o snapshot, at 4 \302\265s"));
	ck_assert(!shows("o created, at"));
	ck_assert_int_eq(file.n_asked, 4);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_checked_fixture(t, setup, stage_close);
	tcase_add_test(t, pane_says_that_it_reads_until_the_text_is_there);
	tcase_add_test(t, pictures_do_not_ask_again);
	tcase_add_test(t, page_stays_where_it_was_scrolled_to);
	tcase_add_loop_test(t, event_is_forgotten_when_the_user_leaves_it, 0, N(leaves));
	tcase_add_test(t, page_that_comes_back_asks_again);
	tcase_add_test(t, the_rest_of_a_long_value_is_counted);
	tcase_add_test(t, steps_of_an_async_slice_have_their_events);
	tcase_add_test(t, snapshots_of_an_object_have_their_events);
}

int main(void)
{
	return suite_run("details_page", add_tests);
}

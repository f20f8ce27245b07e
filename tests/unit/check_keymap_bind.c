/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys of the user: they do what they are bound to, the lists say so, and the program can be left
 * whatever is bound. */
#include "config.h"

#include "random_profile.h"
#include "recursion.h"
#include "stage.h"
#include "ui/keymap.h"
#include "ui/state.h"

#include <stdio.h>

static struct preferences preferences;
static uint32_t seed = 2463534242;

static uint32_t next_random(uint32_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed % below;
}

static void setup(void)
{
	stage_open(random_profile(4, 60, 400, 2),
		   &(struct app_options){ .preferences = &preferences }, 40, 160);
}

static void teardown(void)
{
	stage_close();
	preferences_done(&preferences);
}

static void bind(const char *keys, const char *command)
{
	struct error err = ERROR_INIT;

	ck_assert_msg(preferences_bind(&preferences, keys, command, true, &err), "%s %s: %s", keys,
		      command, err.text);
}

static enum command_id find(enum keymap_context context, const char *first, const char *second)
{
	bool is_prefix;
	enum command_id id = keymap_find(&preferences.keymap, context,
					 second ? key_from_name(first) : KEYC_NONE,
					 key_from_name(second ? second : first), &is_prefix);

	return is_prefix ? COMMAND_COUNT : id;
}

static bool quits(key_code key)
{
	return app_key(app, key) & APP_QUIT;
}

START_TEST(key_runs_its_command)
{
	bind("F2", "summary");
	bind("<C-x>w", "whole");
	bind("J", "row-page-down");
	ck_assert_int_eq(find(KEYMAP_CHART, "F2", NULL), CMD_SUMMARY);
	ck_assert_int_eq(find(KEYMAP_PANE, "F2", NULL), CMD_SUMMARY);
	ck_assert_int_eq(find(KEYMAP_CHART, "C-x", "w"), CMD_WHOLE);
	/* Only where its command is. */
	ck_assert_int_eq(find(KEYMAP_PANE, "J", NULL), CMD_ROW_PAGE_DOWN);
	ck_assert_int_eq(find(KEYMAP_CHART, "J", NULL), CMD_NONE);
	play("<F2>");
	ck_assert_ptr_eq(app->shown->title, summary_page_pane.title);
}
END_TEST

START_TEST(rows_in_the_way_go)
{
	/* A key that began sequences. */
	ck_assert_int_eq(find(KEYMAP_CHART, "x", NULL), COMMAND_COUNT);
	bind("x", "whole");
	ck_assert_int_eq(find(KEYMAP_CHART, "x", NULL), CMD_WHOLE);
	ck_assert_int_eq(find(KEYMAP_CHART, "x", "f"), CMD_NONE);
	/* A key that was a command, and begins a sequence. */
	bind("gg", "whole");
	ck_assert_int_eq(find(KEYMAP_CHART, "g", NULL), COMMAND_COUNT);
	ck_assert_int_eq(find(KEYMAP_PANE, "g", "g"), CMD_WHOLE);
	/* A key of the chart does not hide one that works everywhere. */
	bind("h", "whole");
	ck_assert_int_eq(find(KEYMAP_CHART, "h", NULL), CMD_WHOLE);
	ck_assert_int_eq(find(KEYMAP_CHART, "Left", NULL), CMD_PREVIOUS);
	bind("h", "none");
	ck_assert_int_eq(find(KEYMAP_CHART, "h", NULL), CMD_NONE);
}
END_TEST

START_TEST(lists_show_the_users_keys)
{
	struct buf text = { 0 };

	bind("F2", "whole");
	bind("0", "next-finding");
	keymap_format(&preferences.keymap, &text);
	ck_assert_ptr_nonnull(strstr(buf_text(&text), "\n  F2                  whole  "));
	ck_assert_ptr_nonnull(strstr(buf_text(&text), "\n  0 !                 next-finding  "));
	bind("F3", "zoom-out");
	play("w");
	ck_assert(shows("F3 out"));
	play(":help next-finding<Enter>");
	ck_assert(shows("  0 !  "));
	buf_done(&text);
}
END_TEST

/* The program can be left after q and others have got other commands. */
START_TEST(program_can_be_left)
{
	bind("q", "whole");
	ck_assert(!quits('q'));
	ck_assert(quits('c' | KEYC_CTRL));
	ck_assert(!quits('Z'));
	ck_assert(quits('Z'));
	play(":q");
	ck_assert(quits(KEYC_ENTER));
	bind("ZZ", "whole");
	bind("Q", "whole");
	bind(":", "whole");
	play("?");
	ck_assert(quits('c' | KEYC_CTRL));
}
END_TEST

/* Whatever is bound, C-c closes what is open, and then ends the program. */
START_TEST(program_can_be_left_whatever_is_bound)
{
	char keys[40], first[16], second[16];

	for (int i = 0; i < 2000; i++) {
		enum command_id id = 1 + next_random(COMMAND_COUNT - 1);
		struct error err = ERROR_INIT;

		key_format(next_random(3) ? ' ' + next_random(95)
					  : KEYC_SPECIAL + 1 + next_random(40),
			   first);
		key_format(' ' + next_random(95), second);
		snprintf(keys, sizeof keys, next_random(2) ? "<%s>" : "<%s><%s>", first, second);
		ck_assert(preferences_bind(&preferences, next_random(4) ? keys : first,
					   next_random(20) ? command_get(id)->name : "none", true,
					   &err) == (err.kind == ERR_NONE));
		if (i % 20)
			continue;
		for (int k = 0; k < 5; k++)
			if (quits(' ' + next_random(95)))
				break;
		for (int k = 0; k < 4 && !quits('c' | KEYC_CTRL); k++)
			ck_assert_int_lt(k, 3);
	}
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, key_runs_its_command);
	tcase_add_test(t, rows_in_the_way_go);
	tcase_add_test(t, lists_show_the_users_keys);
	tcase_add_test(t, program_can_be_left);
	tcase_add_test(t, program_can_be_left_whatever_is_bound);
}

int main(void)
{
	return suite_run("keymap_bind", add_tests);
}

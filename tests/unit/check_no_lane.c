/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Profiles without lanes, and with lanes that have nothing: every command and every key on them, in
 * every view and pane. Nothing may use a lane, a sample or a selection that is not there; the
 * sanitizers watch, and the picture after each command is drawn. */
#include "config.h"

#define SUITE_OF_MANY
#include "stage.h"
#include "trace_story.h"

#include "ui/keymap.h"

#include <stdio.h>

#define PROFILE_OF(nodes, more) "{'nodes':[" nodes "],'startTime':0,'endTime':1000" more "}"
#define ROOT_NODE                                                                                  \
	"{'id':1,'callFrame':{'functionName':'(root)','scriptId':'0','url':'','lineNumber':-1,"    \
	"'columnNumber':-1}}"

static const struct {
	const char *name, *text;
	bool has_lanes;
} files[] = {
	{ "no event", "[]", false },
	{ "no thread", "{'frames':[],'resources':[],'samples':[],'stacks':[]}", false },
	{ "names only",
	  "[" META("process_name", "'name':'worker host'", 1,
		   1) "," META("thread_name", "'name':'main loop'", 1,
			       1) "," META("thread_name", "'name':'pool'", 1, 2) "]",
	  false },
	{ "only root", PROFILE_OF(ROOT_NODE, ",'samples':[1,1,1],'timeDeltas':[0,10,10]"), true },
	{ "a counter", "[" EV("C", "heap", 1, ",'args':{'used':5}") "]", true },
	{ "a mark", "[" EV("I", "instant", 1, ",'s':'t'") "]", true },
};

/* What is done before each command: all views, panes with and without the focus, prompts, help. */
static const char *const states[] = {
	"",       "2",      "3",       "4<Tab>", "5<Tab>",
	"6<Tab>", "c<Tab>", "cc<Tab>", "7<Tab>", "8<Tab>",
	"9<Tab>", "S<Tab>", "9",       "?",      "/x",
	":x",     "t",      "v",       "xr",     ":diff 0%,50% 50%,100%<Enter>",
};

/* A new app for each command, and one profile for all. */
static void begin(int i, const char *state)
{
	if (!profile)
		profile = load(files[i].text);
	app = app_new(profile, &(struct app_options){ 0 });
	app_resize(app, 24, 80);
	play(state);
}

static void end(void)
{
	app_free(app);
	app = NULL;
}

static void teardown(void)
{
	profile_free(profile);
	profile = NULL;
	grid_done(&grid);
	grid = (struct grid){ 0 };
}

/* What a picture without lanes must not claim. */
static void check_words(int i, const char *what)
{
	static const char *const wrong[] = { "this lane", "only one lane", "the only lane" };

	char *p = files[i].has_lanes ? NULL : picture(false);

	for (size_t k = 0; p && k < ARRAY_LEN(wrong); k++)
		ck_assert_msg(!strstr(p, wrong[k]), "%s, %s: %s", files[i].name, what, wrong[k]);
	free(p);
}

/* What comes between keys, and the picture. */
static void finish(void)
{
	while (app_wait_ms(app) == 0)
		app_timeout(app);
	draw();
}

START_TEST(every_command_on_nothing)
{
	for (size_t s = 0; s < ARRAY_LEN(states); s++)
		for (enum command_id id = CMD_NONE + 1; id < COMMAND_COUNT; id++) {
			begin(_i, states[s]);
			app_command(app, id, 1);
			draw();
			if (s == 0)
				check_words(_i, command_get(id)->name);
			if (command_get(id)->flags & COMMAND_REPEATS)
				app_command(app, id, 100);
			finish();
			end();
		}
}
END_TEST

/* As a user types them, so that the sequences and the prompts take part. */
START_TEST(every_key_on_nothing)
{
	static const char *const before[] = { "", "5<Tab>", "?", "/x", ":x", "t", "v" };

	for (size_t s = 0; s < ARRAY_LEN(before); s++) {
		const struct binding *row;

		for (size_t k = 0; (row = keymap_row(NULL, k)) != NULL; k++) {
			key_code keys[2];

			begin(_i, before[s]);
			keymap_split(row->keys, &keys[0], &keys[1]);
			app_key(app, keys[0]);
			if (keys[1] != KEYC_NONE)
				app_key(app, keys[1]);
			finish();
			end();
		}
	}
}
END_TEST

/* Words that commands take. */
START_TEST(command_lines_on_nothing)
{
	static const char *const words[] = { "", " 1s", " 40%", " 0s 1s", " x", " 0,1 1,2", "-1" };

	for (enum command_id id = CMD_NONE + 1; id < COMMAND_COUNT; id++)
		for (size_t w = 0; w < ARRAY_LEN(words); w++) {
			struct buf line = { 0 };

			buf_addf(&line, ":%s%s<Enter>", command_get(id)->name, words[w]);
			begin(_i, "");
			play(line.data);
			draw();
			check_words(_i, line.data);
			end();
			buf_done(&line);
		}
}
END_TEST

/* Each cell is clicked, twice, dragged from and scrolled at. */
START_TEST(the_mouse_on_nothing)
{
	for (size_t s = 0; s < ARRAY_LEN(states); s++) {
		begin(_i, states[s]);
		for (int row = 0; row < 24; row++)
			for (int col = 0; col < 80; col += 7)
				for (unsigned what = APP_MOUSE_CLICK; what <= APP_MOUSE_WHEEL_DOWN;
				     what++)
					app_mouse(app,
						  &(struct app_mouse){ row, col, what, col & 1 });
		draw();
		end();
	}
}
END_TEST

/* Sizes from one cell on. */
START_TEST(sizes_of_nothing)
{
	for (size_t s = 0; s < ARRAY_LEN(states); s++) {
		begin(_i, states[s]);
		for (int rows = 1; rows < 30; rows += 4)
			for (int cols = 1; cols < 140; cols += 23) {
				app_resize(app, rows, cols);
				draw();
			}
		end();
	}
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "nothing", 3 * SUITE_SECONDS);

	tcase_add_checked_fixture(t, NULL, teardown);
	tcase_add_loop_test(t, every_command_on_nothing, 0, N(files));
	tcase_add_loop_test(t, every_key_on_nothing, 0, N(files));
	tcase_add_loop_test(t, command_lines_on_nothing, 0, N(files));
	tcase_add_loop_test(t, the_mouse_on_nothing, 0, N(files));
	tcase_add_loop_test(t, sizes_of_nothing, 0, N(files));
}

int main(void)
{
	return suite_run("no_lane", add_tests);
}

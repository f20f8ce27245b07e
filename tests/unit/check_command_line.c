/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line: reading a line, completing it, running it, settings. */
#include "config.h"

#include "base/text.h"
#include "random_profile.h"
#include "recursion.h"
#include "stage.h"
#include "ui/actions.h"
#include "ui/line/command_line.h"
#include "ui/line/setting.h"
#include "ui/state.h"

#include <stdio.h>

static void setup(void)
{
	stage_open(random_profile(4, 60, 400, 2), &(struct app_options){ 0 }, 40, 160);
}

/* ---- reading a line ---- */

static const struct {
	const char *line;
	enum command_id id;
	int count;
	const char *args;
} lines[] = {
	{ "callee", CMD_CALLEE, 1, "" },
	{ "  :callee ", CMD_CALLEE, 1, "" },
	{ "5 callee", CMD_CALLEE, 5, "" },
	{ "99999999999999999999 callee", CMD_CALLEE, 9999, "" },
	{ "colour", CMD_COLOR, 1, "" },
	{ "q", CMD_QUIT, 1, "" },
	{ "quit!", CMD_QUIT, 1, "" },
	{ "1.5s", CMD_GOTO, 1, "1.5s" },
	{ ".5s", CMD_GOTO, 1, ".5s" },
	{ "40%", CMD_GOTO, 1, "40%" },
	{ "5", CMD_GOTO, 1, "5" },
	{ "2s,3s", CMD_RANGE, 1, "2s,3s" },
	{ "2s 3s", CMD_RANGE, 1, "2s 3s" },
	{ "2 s, 3 s", CMD_RANGE, 1, "2 s, 3 s" },
	{ "20 s", CMD_GOTO, 1, "20 s" },
	{ "40 %", CMD_GOTO, 1, "40 %" },
	{ "2s, 3s", CMD_RANGE, 1, "2s, 3s" },
	{ "2 ,3", CMD_RANGE, 1, "2 ,3" },
	{ "-10s", CMD_RANGE, 1, "-10s" },
	{ "-.5 s", CMD_RANGE, 1, "-.5 s" },
	{ "1.6s,", CMD_RANGE, 1, "1.6s," },
	{ ",2s", CMD_RANGE, 1, ",2s" },
	{ "-10s,-5s", CMD_RANGE, 1, "-10s,-5s" },
	{ "goto -10s", CMD_GOTO, 1, "-10s" },
	{ "goto  1.5s", CMD_GOTO, 1, "1.5s" },
	{ "range 1s 2s", CMD_RANGE, 1, "1s 2s" },
	{ "set color  package", CMD_SET, 1, "color  package" },
	{ "help lane", CMD_HELP, 1, "lane" },
	{ "", CMD_NONE, 0, "" },
	{ " : ", CMD_NONE, 0, "" },
};

/* Accept a line, without running its command. Returns what is wrong with it; "": nothing is. */
static const char *accept(const char *line)
{
	bool is_warning;
	const char *text;

	buf_clear(&app->message);
	prompt_open(&app->prompt, PROMPT_COMMAND, line);
	actions_run(app, CMD_PROMPT_ACCEPT, 1);
	text = app_message(app, &is_warning);
	ck_assert_int_eq(*text != '\0', is_warning);
	return text;
}

START_TEST(line_is_read)
{
	ck_assert_str_eq(accept(lines[_i].line), "");
	ck_assert_int_eq(app->line.next, lines[_i].id);
	ck_assert_int_eq(app->line.count, lines[_i].count);
	ck_assert_str_eq(buf_text(&app->line.args), lines[_i].args);
}
END_TEST

static const struct {
	const char *line, *error;
} wrong[] = {
	{ "wat", "no command 'wat'" },
	{ "calee", "no command 'calee'; did you mean callee?" },
	{ "nextfinding", "no command 'nextfinding'; did you mean next-finding?" },
	{ "callee now", "callee takes no words" },
	{ "3 whole", "whole takes no count" },
	{ "callee!", "callee takes no !" },
	{ "prompt-left", "no command 'prompt-left'" },
	{ "!", "no command '!'" },
};

START_TEST(wrong_line_is_refused)
{
	ck_assert_str_eq(accept(wrong[_i].line), wrong[_i].error);
}
END_TEST

/* Every command that is not for the prompt runs by its name. */
START_TEST(every_command_has_a_name_to_type)
{
	for (enum command_id id = CMD_NONE + 1; id < COMMAND_COUNT; id++)
		if (!(command_get(id)->flags & COMMAND_EDITS))
			ck_assert_msg(!*accept(command_get(id)->name) && app->line.next == id, "%s",
				      command_get(id)->name);
}
END_TEST

START_TEST(near_word_is_found)
{
	static const struct {
		const char *word, *best;
	} cases[] = {
		{ "repotr", "report" }, { "report", "report" }, { "exprot", "export" },
		{ "re", "report" },     { "xyz", NULL },        { "", NULL },
	};
	struct near_word near;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		near_word_begin(&near, cases[i].word, strlen(cases[i].word));
		near_word_try(&near, "view");
		near_word_try(&near, "report");
		near_word_try(&near, "export");
		if (cases[i].best)
			ck_assert_str_eq(near.best, cases[i].best);
		else
			ck_assert_ptr_null(near.best);
	}
}
END_TEST

/* ---- running it ---- */

START_TEST(window_is_shown)
{
	int64_t whole = profile->t1;

	play(":25%,50%<Enter>");
	ck_assert_int_eq(app->s.view.t0, whole / 4);
	ck_assert_int_eq(app->s.view.t1, whole / 2);
	play(":range 50% 75%<Enter>");
	ck_assert_int_eq(app->s.view.t0, whole / 2);
	play("<Backspace>");
	ck_assert_int_eq(app->s.view.t0, whole / 4);
	play(":60%,50%<Enter>");
	ck_assert(shows("the range is empty"));
	ck_assert_int_eq(app->s.view.t0, whole / 4);
}
END_TEST

/* Parts of a window that are missing are its ends; a minus counts from the end. */
START_TEST(window_from_an_end)
{
	static const struct {
		const char *keys;
		int from, to; /* percent */
	} rows[] = {
		{ ":-25%<Enter>", 75, 100 },
		{ ":60%,<Enter>", 60, 100 },
		{ ":,40%<Enter>", 0, 40 },
		{ ":-50%,-25%<Enter>", 50, 75 },
		{ ":range 20%,<Enter>", 20, 100 },
		{ ":range -10%<Enter>", 90, 100 },
		{ ":range 20% -10%<Enter>", 20, 90 },
	};
	int64_t end = profile->t1;

	for (size_t i = 0; i < N(rows); i++) {
		play(rows[i].keys);
		ck_assert_msg(llabs(app->s.view.t0 - end * rows[i].from / 100) <= 1 &&
				      llabs(app->s.view.t1 - end * rows[i].to / 100) <= 1,
			      "%s: [%lld, %lld) of %lld", rows[i].keys, (long long)app->s.view.t0,
			      (long long)app->s.view.t1, (long long)end);
	}
	play(":range 20%<Enter>");
	ck_assert(shows("range wants two times"));
	play(":-5%,-10%<Enter>");
	ck_assert(shows("the range is empty"));
	play(":-wat<Enter>");
	ck_assert(shows("no command '-wat'"));
}
END_TEST

START_TEST(time_is_in_the_middle_of_the_window)
{
	int64_t whole = profile->t1, length;

	play(":25%,50%<Enter>");
	length = app->s.view.t1 - app->s.view.t0;
	play(":60%<Enter>");
	ck_assert_int_eq(app->s.view.t1 - app->s.view.t0, length);
	ck_assert_int_le(llabs(app->s.view.t0 + length / 2 - whole / 10 * 6), 10);
	play(":100%<Enter>");
	ck_assert_int_eq(app->s.view.t1, whole);
	play(":101%<Enter>");
	ck_assert(shows("the profile ends at"));
}
END_TEST

START_TEST(times_leave_merged_views)
{
	play("2:25%,50%<Enter>");
	ck_assert_int_eq(app->mode, VIEW_TIME);
	ck_assert_int_eq(app->s.view.t1, profile->t1 / 2);
}
END_TEST

START_TEST(line_does_what_the_key_does)
{
	char *by_key, *by_name;

	play("jjjo_<Esc>cw");
	play("<Esc>");
	by_key = picture(true);
	app_free(app);
	app = app_new(profile, &(struct app_options){ 0 });
	app_resize(app, 40, 160);
	play(":3 callee<Enter>:callers<Enter>:zoom-in<Enter><Esc>");
	by_name = picture(true);
	ck_assert_str_eq(by_name, by_key);
	free(by_key);
	free(by_name);
}
END_TEST

START_TEST(history_is_at_hand)
{
	play(":callee<Enter>:caller<Enter>:<Up><Up>");
	ck_assert_str_eq(buf_text(&app->prompt.text), "callee");
	play("<Down><Down>");
	ck_assert_str_eq(buf_text(&app->prompt.text), "");
	/* Patterns have a history of their own. */
	play("<Esc>/<Up>");
	ck_assert_str_eq(buf_text(&app->prompt.text), "");
	play("<Esc>:set history off<Enter>:whole<Enter>:<Up>");
	ck_assert_str_eq(buf_text(&app->prompt.text), "set history off");
}
END_TEST

START_TEST(history_has_a_limit)
{
	char line[32];

	for (int i = 0; i < PREFERENCES_LINES + 5; i++) {
		snprintf(line, sizeof line, ":%dns<Enter>", i);
		play(line);
	}
	ck_assert_int_eq(app->preferences->lines.n, PREFERENCES_LINES);
	ck_assert_str_eq(app->preferences->lines.texts[0], "5ns");
}
END_TEST

/* ---- completion ---- */

static const struct {
	const char *keys, *text;
} completions[] = {
	{ ":cal<Tab>", "calle" },
	{ ":cal<Tab><Tab>", "callee" },
	{ ":calle<Tab>", "callee" },
	{ ":calle<Tab><Tab>", "caller" },
	{ ":calle<S-Tab>", "callers" },
	{ ":calle<Tab><S-Tab>", "calle" },
	{ ":calle<Tab><S-Tab><S-Tab>", "callers" },
	{ ":calle<Tab><Tab><Tab><Tab>", "calle" },
	{ ":calle<Tab>e<Tab>", "calleee" },
	{ ":callee<Tab>", "callee " },
	{ ":5 zoom-s<Tab>", "5 zoom-span " },
	{ ":wat<Tab>", "wat" },
	{ ":set col<Tab>", "set color " },
	{ ":set color he<Tab>", "set color heat " },
	{ ":set colour he<Tab>", "set colour heat " },
	{ ":set wat he<Tab>", "set wat he" },
	{ ":help next-f<Tab>", "help next-finding " },
	{ ":export fo<Tab>", "export fo" },
	{ ":calx<Left><Tab>", "callex" },
};

START_TEST(word_is_completed)
{
	play(completions[_i].keys);
	ck_assert_str_eq(buf_text(&app->prompt.text), completions[_i].text);
}
END_TEST

/* ---- settings ---- */

START_TEST(settings_take_their_words)
{
	const struct setting *s;
	struct error err = ERROR_INIT;

	for (size_t i = 0; (s = setting_row(i)); i++) {
		if (i)
			ck_assert_int_lt(strcmp(setting_row(i - 1)->name, s->name), 0);
		for (unsigned k = 0; s->set && setting_word(app, s, k); k++) {
			const char *word = setting_word(app, s, k);
			char value[32];

			/* A pattern follows a colon. */
			snprintf(value, sizeof value, "%s%s", word,
				 word[strlen(word) - 1] == ':' ? "a.*" : "");
			err = (struct error)ERROR_INIT;
			/* No sample has a label here. */
			if (strcmp(word, "label:") == 0) {
				ck_assert(!setting_set(app, s, value, &err));
				continue;
			}
			ck_assert_msg(setting_set(app, s, value, &err), "%s: %s", s->name,
				      err.text);
			while (transforms_is_busy(app))
				app_timeout(app);
			ck_assert_str_eq(setting_value(app, s), value);
			ck_assert_str_eq(preferences_get(app->preferences, s->name), value);
		}
		ck_assert((!s->words && !s->word) || !setting_set(app, s, "wat", &err));
	}
}
END_TEST

/* What was set holds for the apps that follow. */
START_TEST(settings_are_those_of_the_next_app)
{
	struct preferences preferences = { 0 };
	const struct app_options options = { .preferences = &preferences };
	struct app *first = app_new(profile, &options), *second;
	struct error err = ERROR_INIT;

	app_resize(first, 40, 160);
	ck_assert(script_play(&first,
			      ":set colour file<Enter>:set idle on<Enter>:set group file<Enter>"
			      ":set fold runtime<Enter>",
			      NULL, &err));
	app_free(first);
	second = app_new(profile, &options);
	ck_assert_int_eq(second->s.chart.color, CHART_COLOR_FILE);
	ck_assert(second->pane.has_idle && second->folds.mode == FOLD_RUNTIME);
	ck_assert_int_eq(second->transforms.group, GROUP_FILE);
	app_free(second);
	preferences_done(&preferences);
}
END_TEST

START_TEST(group_waits_until_all_is_loaded)
{
	app_set_loading(app, "loading 12 %");
	play(":set group file<Enter>");
	ck_assert(shows("group: not available while loading"));
	ck_assert_int_eq(app->transforms.group, GROUP_FUNCTION);
}
END_TEST

/* ---- what the program does ---- */

struct told {
	char text[256];
	struct app_export request;
	int n_lanes;
};

static bool set(void *ctx, const char *name, const char *value, struct error *err)
{
	struct told *told = ctx;

	snprintf(told->text, sizeof told->text, "%s=%s", name, value);
	return strcmp(value, "bad") != 0 || error_set(err, ERR_IO, -1, "no theme");
}

static bool export_to(void *ctx, const struct app_export *request, struct buf *said)
{
	struct told *told = ctx;

	snprintf(told->text, sizeof told->text, "%s to %s%s", request->format, request->path,
		 request->is_forced ? "!" : "");
	told->request = *request;
	for (uint32_t i = 0; i < request->profile->n_lanes; i++)
		told->n_lanes += request->is_lane[i];
	buf_adds(said, "written");
	return true;
}

static const char *format_word(unsigned i)
{
	return i == 0 ? "folded" : NULL;
}

START_TEST(program_does_what_needs_files)
{
	struct told told = { .text = "" };
	struct app_host host = { .set = set,
				 .export = export_to,
				 .export_word = format_word,
				 .ctx = &told };

	app_free(app);
	app = app_new(profile, &(struct app_options){ .host = &host });
	app_resize(app, 40, 160);
	play(":set theme light<Enter>");
	ck_assert_str_eq(told.text, "theme=light");
	play(":set theme bad<Enter>");
	ck_assert(shows("no theme"));
	play(":set theme<Enter>");
	ck_assert(shows("theme light"));
	play(":25%,50%<Enter>:export folded a b.txt<Enter>");
	ck_assert_str_eq(told.text, "folded to a b.txt");
	ck_assert_int_eq(told.request.t0, profile->t1 / 4);
	ck_assert_int_eq(told.request.t1, profile->t1 / 2);
	ck_assert_int_eq(told.n_lanes, 1);
	ck_assert(shows("written (1 of"));
	ck_assert(!told.request.has_other_clock);
	play("T:export folded a<Enter>");
	ck_assert(told.request.has_other_clock);
	play("TT");
	play(":export! folded c<Enter>");
	ck_assert_str_eq(told.text, "folded to c!");
	play(":export wat c<Enter>");
	ck_assert(shows("no format 'wat'"));
	play(":export folded<Enter>");
	ck_assert(shows("export wants a format and a file"));
	ck_assert_str_eq(told.text, "folded to c!");
}
END_TEST

/* A program whose export stops when the watch says so. */
static bool export_watched(void *ctx, const struct app_export *request, struct buf *said)
{
	int *n = ctx;

	while (*n < 5 && request->watch(request->watch_ctx, ++*n * INT64_C(1000000)))
		;
	buf_adds(said, *n < 5 ? "out: cancelled" : "wrote out");
	return *n == 5;
}

/* Cancels after the third megabyte. */
static bool look(void *ctx)
{
	if (ctx)
		ck_assert(shows("writing out:") && shows("so far; Esc or C-c cancels"));
	return !ctx || !shows("3.00 MB");
}

/* A folder with these names. */
static void find_files(void *ctx, const char *begin, void (*found)(void *to, const char *path),
		       void *to)
{
	static const char *const names[] = { "out/", "out/a b.json", "out/a c.json",
					     "name \303\251", "name \303\250" };

	(void)ctx;
	for (size_t i = 0; i < N(names); i++)
		if (strncmp(names[i], begin, strlen(begin)) == 0 &&
		    (strcmp(names[i], "out/") == 0) ==
			    (strchr(begin, '/') == NULL && *begin != 'n'))
			found(to, names[i]);
}

static const struct {
	const char *keys, *text;
} files[] = {
	{ ":export folded o<Tab>", "export folded out/" },
	{ ":export! folded o<Tab>", "export! folded out/" },
	{ ":export folded o<Tab><Tab>", "export folded out/a " },
	{ ":export folded out/a b<Tab>", "export folded out/a b.json" },
	{ ":export folded <Tab>", "export folded out/" },
	{ ":export folded out/a <Tab><Tab>", "export folded out/a c.json" },
	{ ":export folded n<Tab>", "export folded name " },
	{ ":export folded wat<Tab>", "export folded wat" },
	{ ":export fo<Tab>", "export folded " },
	{ ":set color o<Tab>", "set color ownership " },
	{ ":diff ou<Tab>", "diff out/" },
	{ ":diff o<Tab>", "diff off" },
	{ ":diff r<Tab>", "diff rest" },
	{ ":diff out/a<Tab><Tab>", "diff out/a\\ b.json" },
	{ ":diff out/a\\ c<Tab>", "diff out/a\\ c.json" },
	{ ":diff x out/a\\ c<Tab>", "diff x out/a\\ c.json" },
	{ ":diff x <Tab>", "diff x out/" },
	{ ":diff<Tab>", "diff " },
};

START_TEST(file_of_an_export_is_completed)
{
	struct app_host host = { .export_word = format_word, .find_files = find_files };

	app_free(app);
	app = app_new(profile, &(struct app_options){ .host = &host });
	app_resize(app, 40, 160);
	play(files[_i].keys);
	ck_assert_str_eq(buf_text(&app->prompt.text), files[_i].text);
	draw();
}
END_TEST

START_TEST(export_tells_its_progress_and_is_cancelled)
{
	int n = 0;
	struct app_host host = { .export = export_watched, .export_word = format_word, .ctx = &n };

	app_free(app);
	app = app_new(profile, &(struct app_options){ .host = &host });
	app_resize(app, 40, 160);
	for (const char *key = ":export folded out"; *key; key++)
		app_key(app, (key_code)*key);
	ck_assert(app_key(app, KEYC_ENTER) & APP_EXPORT);
	app_export(app, look, &n);
	ck_assert_int_eq(n, 3);
	ck_assert(shows("out: cancelled"));
	n = 0;
	app_export(app, NULL, NULL);
	ck_assert(shows("wrote out"));
}
END_TEST

START_TEST(long_lines_are_refused)
{
	app_key(app, ':');
	for (int i = 0; i < 3000; i++)
		app_key(app, i % 7 ? 'x' : 0x4e2d);
	ck_assert_uint_le(app->prompt.text.len, PROMPT_MAX);
	draw();
	play("<Tab><Enter>");
	ck_assert(shows("no command '"));
	play(":set <Enter>");
	play("q:set color ");
	for (int i = 0; i < 3000; i++)
		app_key(app, 'y');
	play("<Enter>");
	ck_assert(shows("color wants"));
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_checked_fixture(t, setup, stage_close);
	tcase_add_loop_test(t, line_is_read, 0, N(lines));
	tcase_add_loop_test(t, wrong_line_is_refused, 0, N(wrong));
	tcase_add_test(t, every_command_has_a_name_to_type);
	tcase_add_test(t, near_word_is_found);
	tcase_add_test(t, window_is_shown);
	tcase_add_test(t, window_from_an_end);
	tcase_add_test(t, time_is_in_the_middle_of_the_window);
	tcase_add_test(t, times_leave_merged_views);
	tcase_add_test(t, line_does_what_the_key_does);
	tcase_add_test(t, history_is_at_hand);
	tcase_add_test(t, history_has_a_limit);
	tcase_add_loop_test(t, word_is_completed, 0, N(completions));
	tcase_add_test(t, settings_take_their_words);
	tcase_add_test(t, settings_are_those_of_the_next_app);
	tcase_add_test(t, group_waits_until_all_is_loaded);
	tcase_add_test(t, program_does_what_needs_files);
	tcase_add_loop_test(t, file_of_an_export_is_completed, 0, N(files));
	tcase_add_test(t, export_tells_its_progress_and_is_cancelled);
	tcase_add_test(t, long_lines_are_refused);
}

int main(void)
{
	return suite_run("command_line", add_tests);
}

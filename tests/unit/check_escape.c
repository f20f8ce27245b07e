/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two promises about keys, on recordings of programs:
 * 1. Whatever was pressed, at most N_ESCAPES Esc lead to a state that a further Esc leaves alone,
 * and in which j moves at once. None of them changes the window of the time line.
 * 2. A key does what its command does, at once: nothing waits for a key by time. */
#include "config.h"

#include "stage.h"

#include "read/load/load.h"
#include "ui/chart/transforms.h"
#include "ui/chart/views.h"
#include "ui/keymap.h"
#include "ui/state.h"

#include <stdio.h>

#define N_SEQUENCES SUITE_CASES(1000) /* for each recording */
#define MAX_KEYS 14                   /* of a sequence */
#define N_ESCAPES 13 /* a pending key, help, its filter, and what Esc leaves (ui/actions.c) */
#define SECONDS 600

static const char *const recordings[] = {
	"data/http-server",
	"data/worker-threads",
	"data/trace/board.json.gz",
	"data/speedscope/image-queue.speedscope.json",
	"tests/input/trace-async.json",
	"tests/input/trace-flows.json",
	"tests/input/hit-counts-only.cpuprofile",
};

static struct profile *load_recording(int i)
{
	const char *top = getenv("srcdir");
	struct load_result result;
	char path[4096];
	char *files[] = { path };

	snprintf(path, sizeof path, "%s/%s", top ? top : ".", recordings[i]);
	load_all(&(struct load_options){ .files = files, .n_files = 1 }, &result);
	ck_assert_msg(result.profile, "%s", buf_text(&result.messages));
	buf_done(&result.messages);
	return result.profile;
}

/* ---- random keys ---- */

static uint64_t state;

static int below(int n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (int)((state >> 11) % (uint64_t)n);
}

static void set_seed(int seed)
{
	state = UINT64_C(0x9E3779B97F4A7C15) * (uint64_t)(seed + 1);
	below(2);
}

/* Mostly keys of the table, of any context; sometimes any character. */
static void random_keys(key_code keys[2])
{
	static int n_rows;
	const char *text, *blank;
	char first[16];

	while (keymap_row(NULL, (size_t)n_rows))
		n_rows++;
	keys[0] = (key_code)(' ' + below(95));
	keys[1] = KEYC_NONE;
	if (below(8) == 0)
		return;
	text = keymap_row(NULL, (size_t)below(n_rows))->keys;
	blank = strchr(text, ' ');
	snprintf(first, sizeof first, "%.*s", blank ? (int)(blank - text) : 15, text);
	keys[0] = key_from_name(first);
	if (blank && below(8)) /* otherwise the prefix stays pending */
		keys[1] = key_from_name(blank + 1);
	if (keys[1] == KEYC_LETTER)
		keys[1] = (key_code)('a' + below(3));
}

static void complete(struct app *of)
{
	app_update(of, BUDGET_UNLIMITED);
	for (int i = 0; app_wait_ms(of) >= 0 && i < 100000; i++) {
		app_timeout(of);
		if (app_wait_ms(of) < 0)
			app_update(of, BUDGET_UNLIMITED);
	}
	ck_assert_int_lt(app_wait_ms(of), 0);
}

/* What may happen between two keys: nothing, some work, all work, another size. */
static void pass_time(void)
{
	switch (below(8)) {
	case 0:
		complete(app);
		break;
	case 1:
		app_timeout(app);
		break;
	case 2:
		app_update(app, BUDGET_UNLIMITED);
		break;
	case 3:
		if (below(4) == 0)
			app_resize(app, 20 + below(30), 60 + below(80));
		break;
	default:
		break;
	}
}

/* Keys that quit are left out: their commands do nothing else. */
static void press(key_code key, struct buf *pressed)
{
	char name[16];

	if (key == KEYC_NONE)
		return;
	key_format(key, name);
	buf_addf(pressed, "%s ", name);
	app_key(app, key);
}

static void press_some(struct buf *pressed)
{
	int n = 1 + below(MAX_KEYS);

	for (int i = 0; i < n; i++) {
		key_code keys[2];

		random_keys(keys);
		press(keys[0], pressed);
		press(keys[1], pressed);
		pass_time();
	}
}

/* ---- Esc ---- */

/* The window of the time line and, for the view that is shown, of the scene; while a search is
 * typed or waited for, that to which Esc goes back. */
struct windows {
	struct viewport time, scene;
	unsigned serial;
};

static struct windows windows(void)
{
	bool is_search = app->prompt.kind == PROMPT_SEARCH || app->finder.is_waiting;
	struct windows w = { .scene = is_search ? app->finder.origin.view : app->s.view,
			     .serial = app->s.serial };

	w.time = app->mode == VIEW_TIME ? w.scene : app->time.view;
	return w;
}

static void check_view(const struct viewport *before, const struct viewport *is, const char *keys)
{
	ck_assert_msg(before->t0 == is->t0 && before->t1 == is->t1,
		      "%sthe window was [%lld, %lld), is [%lld, %lld)", keys, (long long)before->t0,
		      (long long)before->t1, (long long)is->t0, (long long)is->t1);
}

static void check_window(const struct windows *before, const char *keys)
{
	struct windows is = windows();

	check_view(&before->time, &is.time, keys);
	if (before->serial == is.serial)
		check_view(&before->scene, &is.scene, keys);
}

static bool is_anything_open(void)
{
	return app->prefix || app->prompt.kind != PROMPT_NONE || app->help.is_open ||
		app->focus != KEYMAP_CHART || app->is_pane_max || finder_is_on(app) ||
		app->range.is_pinned || app_is_opening(app) || app_is_waiting(app) ||
		(transforms_is_busy(app) && !app->change.is_leaving) ||
		(views_is_busy(app) && !app->leave.is_leaving);
}

static void escape(bool is_patient)
{
	app_key(app, KEYC_ESC);
	if (is_patient)
		complete(app);
}

static void check_sequence(int seed)
{
	static const int sizes[][2] = { { 24, 80 }, { 40, 120 }, { 48, 160 } };
	struct app_options options = { .is_ascii = true };
	struct buf keys = { 0 };
	struct windows before;
	enum command_id id;
	char *a, *b;
	bool is_patient, is_free, is_prefix;

	set_seed(seed);
	app = app_new(profile, &options);
	app_resize(app, sizes[seed % 3][0], sizes[seed % 3][1]);
	/* Then what takes long is not done within the key, as with a large profile. */
	if (below(2))
		app->key_ns = 0;
	press_some(&keys);
	/* With time between the Escs, and before them, or without any. */
	is_patient = below(2);
	if (is_patient)
		complete(app);
	/* A view that is made waits for the prompt: it comes when that is closed. So does a change
	 * of the call trees, of which a merged view is made anew, with an axis of its own. */
	is_free = is_patient && (app->views.next || (app->change.is_on && app->mode != VIEW_TIME));
	before = windows();
	for (int i = 0; i < N_ESCAPES; i++)
		escape(is_patient);
	ck_assert_msg(!is_anything_open(), "%ssomething is still open", buf_text(&keys));
	complete(app);
	if (is_free)
		before = windows();
	check_window(&before, buf_text(&keys));
	/* It says that there is nothing to leave. */
	escape(true);
	a = picture(true);
	escape(true);
	b = picture(true);
	if (strcmp(a, b) != 0)
		fprintf(stderr, "%s\n%s", a, b);
	ck_assert_msg(strcmp(a, b) == 0, "seed %d, %sa further Esc does something", seed,
		      buf_text(&keys));
	check_window(&before, buf_text(&keys));
	id = keymap_find(NULL, state_context(app), app->prefix, 'j', &is_prefix);
	ck_assert_msg(id == CMD_CALLEE || id == CMD_ROW_DOWN, "%sj is not found", buf_text(&keys));
	free(a);
	free(b);
	buf_done(&keys);
	app_free(app);
}

START_TEST(escapes_lead_home)
{
	profile = load_recording(_i);
	for (int i = 0; i < N_SEQUENCES; i++)
		check_sequence(_i * N_SEQUENCES + i);
	profile_free(profile);
	grid_done(&grid);
}
END_TEST

/* ---- what is left, in which order ---- */

#define SAYS_NOTHING "nothing to leave: Backspace window, u undo, q quit"

/* How a state is entered from the chart, in the http-server recording. */
static const struct {
	enum leave_state state;
	const char *keys;
} entries[] = {
	{ LEAVE_SEARCH, "/format<Enter>" },
	{ LEAVE_SEARCH, "*" },
	{ LEAVE_FILTER, "5&next<Enter><Tab>" },
	{ LEAVE_MAXIMUM, "z" },
	{ LEAVE_FOCUS, "<Tab>" },
	{ LEAVE_FOCUS, "6" },
	{ LEAVE_CALLERS, "c" },
	{ LEAVE_CALLERS, "cc" },
	{ LEAVE_SOURCE, "S" },
	{ LEAVE_COMPARISON, ":diff 0s,1s 2s,3s<Enter>" },
	{ LEAVE_SANDWICH, "3" },
	{ LEAVE_SANDWICH, "23" },
	{ LEAVE_PIN, "vlll<Enter>v" },
	{ LEAVE_PIN, "Vv" },
};

static struct app *enter(const char *keys)
{
	struct error err = ERROR_INIT;
	struct app *made = app_new(profile, &(struct app_options){ .is_ascii = true });

	app_resize(made, 40, 120);
	ck_assert_msg(script_play(&made, keys, NULL, &err), "%s", err.text);
	complete(made);
	return made;
}

START_TEST(each_state_is_left)
{
	const struct pane_kind *shown;
	enum app_view view;
	bool has_pane;

	profile = load_recording(0);
	app = enter("jjj");
	has_pane = app->is_pane_open;
	shown = app->shown;
	app_free(app);
	for (size_t i = 0; i < N(entries); i++) {
		const char *keys = entries[i].keys;
		struct buf all = { 0 };
		int escapes = 0;

		buf_addf(&all, "jjj%s", keys);
		app = enter(buf_text(&all));
		view = strcmp(keys, "23") == 0 ? VIEW_MERGED : VIEW_TIME;
		ck_assert_msg(app->leave.since[entries[i].state] > 0, "%s does not enter it", keys);
		while (app->leave.since[entries[i].state] && escapes++ < LEAVE_STATES)
			escape(true);
		ck_assert_msg(escapes == 1, "%s takes %d Esc", keys, escapes);
		ck_assert_msg(app->focus == KEYMAP_CHART, "%s: the focus stays", keys);
		ck_assert_msg(app->mode == view, "%s leads to view %d", keys, app->mode + 1);
		if (entries[i].state == LEAVE_CALLERS || entries[i].state == LEAVE_SOURCE)
			ck_assert_msg(app->is_pane_open == has_pane && app->shown == shown,
				      "%s: another pane", keys);
		ck_assert_ptr_null(strstr(buf_text(&app->message), "nothing to leave"));
		escape(true);
		ck_assert_msg(strcmp(buf_text(&app->message), SAYS_NOTHING) == 0, "%s: %s", keys,
			      buf_text(&app->message));
		buf_done(&all);
		app_free(app);
	}
	profile_free(profile);
}
END_TEST

/* The last one first, whatever the order was. */
START_TEST(states_are_left_backwards)
{
	static const struct {
		const char *keys;
		enum leave_state order[4];
		int n;
	} rows[] = {
		{ "/format<Enter><Tab>", { LEAVE_FOCUS, LEAVE_SEARCH }, 2 },
		{ "<Tab>/format<Enter>", { LEAVE_SEARCH, LEAVE_FOCUS }, 2 },
		{ "Vv/format<Enter>3", { LEAVE_SANDWICH, LEAVE_SEARCH, LEAVE_PIN }, 3 },
		{ "3/format<Enter>", { LEAVE_SEARCH, LEAVE_SANDWICH }, 2 },
		{ "5cz*", { LEAVE_SEARCH, LEAVE_MAXIMUM, LEAVE_CALLERS, LEAVE_FOCUS }, 4 },
		{ "/format<Enter>/next<Enter>c", { LEAVE_CALLERS, LEAVE_SEARCH }, 2 },
	};

	profile = load_recording(0);
	for (size_t i = 0; i < N(rows); i++) {
		app = enter(rows[i].keys);
		for (int k = 0; k < rows[i].n; k++) {
			for (int s = k; s < rows[i].n; s++)
				ck_assert_msg(app->leave.since[rows[i].order[s]] > 0,
					      "%s: after %d Esc, state %d is left", rows[i].keys, k,
					      rows[i].order[s]);
			escape(true);
			ck_assert_msg(!app->leave.since[rows[i].order[k]], "%s: Esc %d leaves %d",
				      rows[i].keys, k + 1, rows[i].order[k]);
		}
		escape(true);
		ck_assert_str_eq(buf_text(&app->message), SAYS_NOTHING);
		app_free(app);
	}
	profile_free(profile);
}
END_TEST

/* Views, transforms and the window stay. */
START_TEST(the_rest_stays)
{
	struct viewport before;

	profile = load_recording(0);
	app = enter("wwdxm2");
	ck_assert_uint_eq(app->transforms.n, 1);
	before = app->time.view;
	escape(true);
	ck_assert_str_eq(buf_text(&app->message), SAYS_NOTHING);
	ck_assert_int_eq(app->mode, VIEW_MERGED);
	ck_assert_uint_eq(app->transforms.n, 1);
	ck_assert(app->time.view.t0 == before.t0 && app->time.view.t1 == before.t1);
	app_free(app);
	/* q: a maximised pane, the focused pane, a comparison, the program. */
	app = enter(":diff 0s,1s 2s,3s<Enter>z");
	ck_assert_uint_eq(app_key(app, 'q') & APP_QUIT, 0);
	ck_assert(!app->is_pane_max && app->is_pane_open);
	ck_assert_uint_eq(app_key(app, 'q') & APP_QUIT, 0);
	ck_assert(!app->is_pane_open && app->diff.what.is_on);
	ck_assert_uint_eq(app_key(app, 'q') & APP_QUIT, 0);
	complete(app);
	ck_assert(!app->diff.what.is_on);
	ck_assert_uint_ne(app_key(app, 'q') & APP_QUIT, 0);
	app_free(app);
	profile_free(profile);
}
END_TEST

/* ---- at once ---- */

static struct app *new_app(const char *keys)
{
	struct error err = ERROR_INIT;
	struct app *made = app_new(profile, &(struct app_options){ .is_ascii = true });

	app_resize(made, 40, 120);
	ck_assert(script_play(&made, keys, NULL, &err));
	return made;
}

/* As it is after the key, without any timeout; what is computed in steps is completed. */
static char *picture_of(struct app *of)
{
	struct buf out = { 0 };

	while (transforms_is_busy(of) || views_is_busy(of) || app_is_opening(of) ||
	       app_is_waiting(of))
		app_timeout(of);
	app_update(of, BUDGET_UNLIMITED);
	app_draw(of, &grid);
	grid_format(&grid, true, &out);
	return out.data;
}

static void check_binding(const struct binding *b, const char *before)
{
	struct app *pressed = new_app(before), *run = new_app(before);
	const char *blank = strchr(b->keys, ' ');
	char first[16], *a, *c;
	key_code last = key_from_name(blank ? blank + 1 : b->keys);

	snprintf(first, sizeof first, "%.*s", blank ? (int)(blank - b->keys) : 15, b->keys);
	last = last == KEYC_LETTER ? 'a' : last;
	if (blank)
		app_key(pressed, key_from_name(first));
	app_key(pressed, last);
	run->letter = last;
	app_command(run, b->command, 1);
	a = picture_of(pressed);
	c = picture_of(run);
	if (strcmp(a, c) != 0)
		fprintf(stderr, "%s\n%s", a, c);
	ck_assert_msg(strcmp(a, c) == 0, "%s after '%s' does not act at once", b->keys, before);
	free(a);
	free(c);
	app_free(pressed);
	app_free(run);
}

START_TEST(keys_act_at_once)
{
	const struct binding *b;

	profile = load_recording(0);
	for (size_t i = 0; (b = keymap_row(NULL, i)); i++) {
		if (b->context == KEYMAP_CHART || b->context == KEYMAP_ANY)
			check_binding(b, "jj<C-l>");
		if (b->context == KEYMAP_PANE || b->context == KEYMAP_ANY)
			check_binding(b, "5jj<C-l>");
	}
	profile_free(profile);
	grid_done(&grid);
}
END_TEST

/* Keys are free for ssh and window managers: none is ~ or needs Alt. */
START_TEST(no_key_is_taken_by_others)
{
	const struct binding *b;

	for (size_t i = 0; (b = keymap_row(NULL, i)); i++)
		ck_assert_msg(!strchr(b->keys, '~') && !strstr(b->keys, "M-") &&
				      !strstr(b->keys, "A-"),
			      "%s", b->keys);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "escape", SECONDS);

	tcase_add_loop_test(t, escapes_lead_home, 0, N(recordings));
	tcase_add_test(t, each_state_is_left);
	tcase_add_test(t, states_are_left_backwards);
	tcase_add_test(t, the_rest_stays);
	tcase_add_test(t, keys_act_at_once);
	tcase_add_test(t, no_key_is_taken_by_others);
}

int main(void)
{
	return suite_run("escape", add_tests);
}

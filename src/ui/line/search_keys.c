/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands that search and filter, and those of the prompt. */
#include "config.h"

#include "ui/line/search_keys.h"

#include "base/buf.h"
#include "base/text.h"
#include "draw/lines.h"
#include "ui/actions.h"
#include "ui/chart/lane_picker.h"
#include "ui/help_page.h"
#include "ui/key.h"
#include "ui/line/command_line.h"
#include "ui/pane/pane_scope.h"
#include "ui/state.h"

#include <string.h>

/* ==== search line ====
 *
 * The answer of a search has several forms, from long to short; the first that fits is shown. */

void search_line_status(const struct app *app, int room, struct buf *out)
{
	const struct finder *f = &app->finder;
	size_t start = out->len;

	for (int form = 0; form < FINDER_FORMS; form++) {
		out->len = start;
		if (f->target.is_function) {
			text_visible(out, f->target.name.data, f->target.name.len);
			buf_adds(out, "  ");
		} else {
			buf_addc(out, '/');
			text_visible(out, buf_text(&f->target.name), f->target.name.len);
			buf_adds(out, f->target.is_plain ? "/ plain  " : "/  ");
		}
		if (f->where.len && form < 3)
			buf_addf(out, "on %s: ", buf_text(&f->where));
		finder_answer(app, form, out);
		if (text_cells(out->data + start, out->len - start) <= room)
			return;
	}
}

/* The prompt of a command line. */
static const struct prompt_line *command_prompt(const struct app *app, struct search_line *texts)
{
	int text = text_cells(buf_text(&app->prompt.text), app->prompt.text.len);

	texts->line = (struct prompt_line){ .label = ":",
					    .text = buf_text(&app->prompt.text),
					    .cursor = app->prompt.cursor,
					    .error_at = -1 };
	command_line_answer(app, app->cols - text - 6, &texts->answers[0]);
	texts->line.answers[0] = buf_text(&texts->answers[0]);
	if (app->prompt.text.len == 0) {
		texts->line.answers[0] =
			"a command, 1.5s or 2s,3s; Tab completes, Up: the last, Esc: cancel";
		texts->line.answers[1] = "Tab completes, Esc: cancel";
	}
	return &texts->line;
}

const struct prompt_line *search_line_make(const struct app *app, struct search_line *texts)
{
	bool is_filter = app->prompt.kind == PROMPT_FILTER;
	const struct error *err = is_filter ? &app->filter.err : &app->finder.err;
	static const char *const labels[2][2][2] = {
		{ { "/", "plain /" }, { "&", "plain &" } },
		{ { "case /", "plain, case /" }, { "case &", "plain, case &" } },
	};
	const struct pattern *pattern = is_filter ? app->filter.target.search.pattern
						  : app->finder.target.search.pattern;
	bool has_case = pattern && app->prompt.text.len && pattern_has_case(pattern);

	if (app->prompt.kind == PROMPT_NONE)
		return NULL;
	if (app->prompt.kind == PROMPT_COMMAND)
		return command_prompt(app, texts);
	if (app->prompt.kind == PROMPT_LANES) {
		texts->line = (struct prompt_line){ .label = "lane: ",
						    .text = buf_text(&app->prompt.text),
						    .cursor = app->prompt.cursor,
						    .error_at = -1 };
		lane_picker_answer(app, &texts->answers[0]);
		texts->line.answers[0] = buf_text(&texts->answers[0]);
		return &texts->line;
	}
	if (app->prompt.kind == PROMPT_HELP) {
		texts->line = (struct prompt_line){ .label = "/",
						    .text = buf_text(&app->prompt.text),
						    .cursor = app->prompt.cursor,
						    .error_at = -1 };
		texts->line.answers[0] = "shows only lines with this word; Esc: cancel";
		return &texts->line;
	}
	texts->line =
		(struct prompt_line){ .label = labels[has_case][is_filter][app->prompt.is_plain],
				      .text = buf_text(&app->prompt.text),
				      .cursor = app->prompt.cursor,
				      .is_error = err->kind != ERR_NONE,
				      .error_at = err->offset };
	for (int form = 0; form < 3; form++) {
		if (is_filter)
			filter_answer(app, &texts->answers[form]);
		else
			finder_answer(app, form, &texts->answers[form]);
		texts->line.answers[form] = buf_text(&texts->answers[form]);
	}
	if (app->prompt.text.len == 0 && is_filter) {
		texts->line.answers[0] = "shows only matching rows; Enter without text shows all";
	} else if (app->prompt.text.len == 0) {
		texts->line.answers[0] =
			"regular expression; C-t: plain text, Enter: repeat the last, Esc: cancel";
		texts->line.answers[1] = "C-t: plain text, Esc: cancel";
		if (app->prompt.is_plain)
			texts->line.answers[0] =
				"C-t: regular expression, Enter: repeat the last, Esc: cancel";
	}
	return &texts->line;
}

void search_line_done(struct search_line *line)
{
	for (int i = 0; i < 3; i++)
		buf_done(&line->answers[i]);
}

/* ==== search keys ==== */

/* ---- searching ---- */

/* Search for the selected function, and go on by `n` of its spans. */
unsigned search_keys_function(struct app *app, int n)
{
	frame_id frame;

	if (pane_rows_target(app, &frame) && frame < app->s.profile->frames.n)
		finder_function(app, frame);
	if (n && app->finder.target.is_function)
		finder_walk(app, n);
	return APP_REDRAW;
}

/* ---- typing ---- */

static const struct prompt_user *const users[] = {
	[PROMPT_SEARCH] = &finder_prompt,       [PROMPT_FILTER] = &filter_prompt,
	[PROMPT_COMMAND] = &command_line_prompt, [PROMPT_LANES] = &lane_picker_prompt,
	[PROMPT_HELP] = &help_page_prompt,
};

static unsigned changed(struct app *app, bool has_changed)
{
	if (has_changed)
		users[app->prompt.kind]->changed(app);
	return APP_REDRAW;
}

unsigned search_keys_accept(struct app *app, int count)
{
	(void)count;
	users[app->prompt.kind]->accept(app);
	return APP_REDRAW;
}

unsigned search_keys_cancel(struct app *app, int count)
{
	(void)count;
	users[app->prompt.kind]->cancel(app);
	return APP_REDRAW;
}

unsigned search_keys_plain(struct app *app, int count)
{
	(void)count;
	if (app->prompt.kind != PROMPT_SEARCH && app->prompt.kind != PROMPT_FILTER)
		return APP_REDRAW;
	app->prompt.is_plain = !app->prompt.is_plain;
	return changed(app, app->prompt.text.len > 0);
}

/* In the list of lanes, older and newer are up and down. */
static bool moves_in_list(struct app *app, int rows)
{
	if (app->prompt.kind != PROMPT_LANES)
		return false;
	lane_picker_move(app, rows);
	return true;
}

/* n: negative: to the older text; else to the newer one. */
unsigned search_keys_history(struct app *app, int n)
{
	if (moves_in_list(app, n))
		return APP_REDRAW;
	return changed(app, (n < 0 ? prompt_older : prompt_newer)(&app->prompt));
}

/* n: negative: by the word before; else by the next one. */
unsigned search_keys_complete(struct app *app, int n)
{
	if (app->prompt.kind == PROMPT_COMMAND)
		command_line_complete(app, n > 0);
	return APP_REDRAW;
}

/* to: enum prompt_place. */
unsigned search_keys_move(struct app *app, int to)
{
	prompt_move(&app->prompt, (enum prompt_place)to);
	/* A completion ends. */
	return changed(app, app->prompt.kind == PROMPT_COMMAND);
}

/* to: enum prompt_place. On an empty line, erasing the character before the cursor closes the
 * prompt, as in less and vi. */
unsigned search_keys_erase(struct app *app, int to)
{
	if (app->prompt.text.len == 0 && to == PROMPT_LEFT)
		return search_keys_cancel(app, 0);
	return changed(app, prompt_erase(&app->prompt, (enum prompt_place)to));
}

unsigned search_keys_insert(struct app *app, key_code key)
{
	return changed(app, prompt_insert(&app->prompt, key));
}

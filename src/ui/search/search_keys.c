/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One small function a command, and the texts. */
#include "config.h"

#include "ui/search/search_keys.h"

#include "base/text.h"

#include <string.h>

/* ---- searching ---- */

unsigned search_open(struct app *app, int count)
{
	(void)count;
	if (app->prompt.kind == PROMPT_NONE)
		finder_open(app);
	return APP_REDRAW;
}

unsigned search_filter(struct app *app, int count)
{
	(void)count;
	if (app->shown == PANE_FACTS || app->shown == PANE_SUMMARY)
		state_say(app, false, "only tables and events can be filtered");
	else if (app->prompt.kind == PROMPT_NONE)
		filter_open(app);
	return APP_REDRAW;
}

unsigned search_to_next(struct app *app, int count)
{
	finder_walk(app, true, count);
	return APP_REDRAW;
}

unsigned search_to_previous(struct app *app, int count)
{
	finder_walk(app, false, count);
	return APP_REDRAW;
}

/* The function of the row, or of the span, with the cursor. */
unsigned search_function(struct app *app, int count)
{
	const struct lane *lane = state_lane(app);
	frame_id frame = FRAME_NONE;

	(void)count;
	if (app->focus == KEYMAP_PANE && app->shown == PANE_ROWS && state_update_pane(app)) {
		const struct pane_tab *tab = pane_shown(&app->pane);

		if (tab->cursor < tab->rows.n)
			frame = tab->rows.rows[tab->cursor].frame;
	} else if (app->s.chart.has_selection) {
		frame = lane->tree.frame[app->s.chart.selected.node];
	}
	if (frame == FRAME_NONE || frame >= app->s.profile->frames.n)
		state_say(app, false, "no function is selected");
	else
		finder_function(app, frame);
	return APP_REDRAW;
}

/* ---- typing ---- */

static unsigned changed(struct app *app, bool has_changed)
{
	if (has_changed && app->prompt.kind == PROMPT_SEARCH)
		finder_changed(app);
	else if (has_changed)
		filter_changed(app);
	return APP_REDRAW;
}

unsigned search_accept(struct app *app, int count)
{
	(void)count;
	if (app->prompt.kind == PROMPT_SEARCH)
		finder_accept(app);
	else
		filter_accept(app);
	return APP_REDRAW;
}

unsigned search_cancel(struct app *app, int count)
{
	(void)count;
	if (app->prompt.kind == PROMPT_SEARCH)
		finder_cancel(app);
	else
		filter_cancel(app);
	return APP_REDRAW;
}

unsigned search_plain(struct app *app, int count)
{
	(void)count;
	app->prompt.is_plain = !app->prompt.is_plain;
	return changed(app, app->prompt.text.len > 0);
}

unsigned search_older(struct app *app, int count)
{
	(void)count;
	return changed(app, prompt_older(&app->prompt));
}

unsigned search_newer(struct app *app, int count)
{
	(void)count;
	return changed(app, prompt_newer(&app->prompt));
}

unsigned search_left(struct app *app, int count)
{
	(void)count;
	prompt_left(&app->prompt);
	return APP_REDRAW;
}

unsigned search_right(struct app *app, int count)
{
	(void)count;
	prompt_right(&app->prompt);
	return APP_REDRAW;
}

unsigned search_start(struct app *app, int count)
{
	(void)count;
	prompt_start(&app->prompt);
	return APP_REDRAW;
}

unsigned search_end(struct app *app, int count)
{
	(void)count;
	prompt_end(&app->prompt);
	return APP_REDRAW;
}

/* In an empty line it closes the prompt, as in less and vi. */
unsigned search_erase(struct app *app, int count)
{
	if (app->prompt.text.len == 0)
		return search_cancel(app, count);
	return changed(app, prompt_erase(&app->prompt));
}

unsigned search_delete(struct app *app, int count)
{
	(void)count;
	return changed(app, prompt_delete(&app->prompt));
}

unsigned search_erase_word(struct app *app, int count)
{
	(void)count;
	return changed(app, prompt_erase_word(&app->prompt));
}

unsigned search_erase_line(struct app *app, int count)
{
	(void)count;
	return changed(app, prompt_erase_line(&app->prompt));
}

bool search_is_prompt(enum command_id id)
{
	return id >= CMD_PROMPT_ACCEPT && id <= CMD_PROMPT_ERASE_LINE;
}

unsigned search_keys(struct app *app, key_code key)
{
	bool is_prefix;
	enum command_id id = keymap_find(KEYMAP_PROMPT, KEYC_NONE, key, &is_prefix);

	if (id != CMD_NONE)
		return app_command(app, id, 1);
	return changed(app, prompt_insert(&app->prompt, key));
}

/* ---- what is seen ---- */

void search_status(const struct app *app, int room, struct buf *out)
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

const struct prompt_line *search_line(const struct app *app, struct search_texts *texts)
{
	bool is_filter = app->prompt.kind == PROMPT_FILTER;
	const struct error *err = is_filter ? &app->filter.err : &app->finder.err;
	static const char *const labels[2][2] = { { "/", "plain /" }, { "&", "plain &" } };

	if (app->prompt.kind == PROMPT_NONE)
		return NULL;
	texts->line = (struct prompt_line){ .label = labels[is_filter][app->prompt.is_plain],
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
		texts->line.answers[0] = "only rows that match; Enter without text: all rows";
	} else if (app->prompt.text.len == 0) {
		texts->line.answers[0] =
			"regular expression; C-t plain text, Enter the last one again, Esc back";
		texts->line.answers[1] = "C-t plain text, Esc back";
		if (app->prompt.is_plain)
			texts->line.answers[0] =
				"C-t regular expression, Enter the last one again, Esc back";
	}
	return &texts->line;
}

void search_texts_done(struct search_texts *texts)
{
	for (int i = 0; i < 3; i++)
		buf_done(&texts->answers[i]);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands that search and filter, and those of the prompt, one small function each. */
#include "config.h"

#include "ui/line/search_keys.h"

#include "ui/actions.h"
#include "ui/chart/lane_picker.h"
#include "ui/help_keys.h"
#include "ui/line/command_line.h"
#include "ui/pane/pane_rows.h"
#include "ui/state.h"

/* ---- searching ---- */

unsigned search_keys_open(struct app *app, int count)
{
	(void)count;
	if (app->prompt.kind == PROMPT_NONE)
		finder_open(app);
	return APP_REDRAW;
}

unsigned search_keys_filter(struct app *app, int count)
{
	(void)count;
	if (!app->shown->is_filterable)
		state_say(app, false, "only tables and events can be filtered");
	else if (app->prompt.kind == PROMPT_NONE)
		filter_open(app);
	return APP_REDRAW;
}

unsigned search_keys_next(struct app *app, int count)
{
	finder_walk(app, true, count);
	return APP_REDRAW;
}

unsigned search_keys_previous(struct app *app, int count)
{
	finder_walk(app, false, count);
	return APP_REDRAW;
}

unsigned search_keys_function(struct app *app, int count)
{
	frame_id frame;

	(void)count;
	if (pane_rows_target(app, &frame) && frame < app->s.profile->frames.n)
		finder_function(app, frame);
	return APP_REDRAW;
}

unsigned search_keys_function_back(struct app *app, int count)
{
	search_keys_function(app, 1);
	if (app->finder.target.is_function)
		finder_walk(app, false, count);
	return APP_REDRAW;
}

/* ---- typing ---- */

/* What uses the prompt, by its kind. */
static const struct {
	void (*changed)(struct app *app);
	void (*accept)(struct app *app);
	void (*cancel)(struct app *app);
} users[] = {
	[PROMPT_SEARCH] = { finder_changed, finder_accept, finder_cancel },
	[PROMPT_FILTER] = { filter_changed, filter_accept, filter_cancel },
	[PROMPT_COMMAND] = { command_line_changed, command_line_accept, command_line_cancel },
	[PROMPT_LANES] = { lane_picker_changed, lane_picker_accept, lane_picker_cancel },
	[PROMPT_HELP] = { help_keys_changed, help_keys_accept, help_keys_cancel },
};

static unsigned changed(struct app *app, bool has_changed)
{
	if (has_changed)
		users[app->prompt.kind].changed(app);
	return APP_REDRAW;
}

/* The cursor has moved: a completion ends. */
static unsigned moved(struct app *app)
{
	return changed(app, app->prompt.kind == PROMPT_COMMAND);
}

unsigned search_keys_accept(struct app *app, int count)
{
	(void)count;
	users[app->prompt.kind].accept(app);
	return APP_REDRAW;
}

unsigned search_keys_cancel(struct app *app, int count)
{
	(void)count;
	users[app->prompt.kind].cancel(app);
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

unsigned search_keys_older(struct app *app, int count)
{
	if (moves_in_list(app, -count))
		return APP_REDRAW;
	return changed(app, prompt_older(&app->prompt));
}

unsigned search_keys_newer(struct app *app, int count)
{
	if (moves_in_list(app, count))
		return APP_REDRAW;
	return changed(app, prompt_newer(&app->prompt));
}

unsigned search_keys_complete(struct app *app, int count)
{
	(void)count;
	if (app->prompt.kind == PROMPT_COMMAND)
		command_line_complete(app, true);
	return APP_REDRAW;
}

unsigned search_keys_complete_back(struct app *app, int count)
{
	(void)count;
	if (app->prompt.kind == PROMPT_COMMAND)
		command_line_complete(app, false);
	return APP_REDRAW;
}

unsigned search_keys_left(struct app *app, int count)
{
	(void)count;
	prompt_left(&app->prompt);
	return moved(app);
}

unsigned search_keys_right(struct app *app, int count)
{
	(void)count;
	prompt_right(&app->prompt);
	return moved(app);
}

unsigned search_keys_start(struct app *app, int count)
{
	(void)count;
	prompt_start(&app->prompt);
	return moved(app);
}

unsigned search_keys_end(struct app *app, int count)
{
	(void)count;
	prompt_end(&app->prompt);
	return moved(app);
}

/* On an empty line it closes the prompt, as in less and vi. */
unsigned search_keys_erase(struct app *app, int count)
{
	if (app->prompt.text.len == 0)
		return search_keys_cancel(app, count);
	return changed(app, prompt_erase(&app->prompt));
}

unsigned search_keys_delete(struct app *app, int count)
{
	(void)count;
	return changed(app, prompt_delete(&app->prompt));
}

unsigned search_keys_erase_word(struct app *app, int count)
{
	(void)count;
	return changed(app, prompt_erase_word(&app->prompt));
}

unsigned search_keys_erase_line(struct app *app, int count)
{
	(void)count;
	return changed(app, prompt_erase_line(&app->prompt));
}

unsigned search_keys_insert(struct app *app, key_code key)
{
	return changed(app, prompt_insert(&app->prompt, key));
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs commands. The rules that hold for all of them are here, so that no command has to keep them:
 * 1. a command that edits a line does nothing while no line is open;
 * 2. a command whose effect cannot be carried over to the next preview is barred until all is
 *    loaded;
 * 3. a command that is not passive marks the app as touched by the user;
 * 4. a range that is being selected follows the selection;
 * 5. a change of the window is a step of the history; steps of equal width count as pans;
 * 6. the place where a jump began is noted;
 * 7. while the window follows a process, zooming changes its length, and nothing is noted;
 * 8. a second CMD_ROW_SHOW is one only if no other command came between. */
#include "config.h"

#include "ui/actions.h"

#include "ui/chart/fit.h"
#include "ui/copy.h"
#include "ui/state.h"

#include <assert.h>
#include <limits.h>

/* ==== command ==== */

static const struct command commands[COMMAND_COUNT] = {
#define COMMAND(file, id, function, argument, flags, name, hint, help)                             \
	[id] = { name, help, hint, flags },
#include "ui/command_list.h"
};

const struct command *command_get(enum command_id id)
{
	assert(id > CMD_NONE && id < COMMAND_COUNT);
	return &commands[id];
}

/* ==== actions ==== */

static const int arguments[COMMAND_COUNT] = {
#define COMMAND(file, id, function, argument, ...) [id] = argument,
#include "ui/command_list.h"
};

static action *const other_commands[COMMAND_COUNT] = {
#undef COMMAND_OF_other
#define COMMAND_OF_other(id, function) [id] = function,
#define COMMAND(file, id, function, ...) COMMAND_OF_##file(id, function)
#include "ui/command_list.h"
};

#define TABLE(file) file##_commands,
static action *const *const tables[] = { other_commands, ACTIONS_TABLES(TABLE) };
#undef TABLE

static action *find_function(enum command_id id)
{
	size_t i = 0;

	while (!tables[i][id])
		i++;
	return tables[i][id];
}

unsigned actions_run(struct app *app, enum command_id id, int count)
{
	const struct viewport before = app->s.view, *now = &app->s.view;
	unsigned flags = command_get(id)->flags, scene = app->s.serial, wish;
	bool is_counted = flags & (COMMAND_REPEATS | COMMAND_KEY_COUNT);
	struct mark place;

	if (flags & COMMAND_EDITS && app->prompt.kind == PROMPT_NONE)
		return 0;
	if (flags & COMMAND_NEEDS_ALL && app->loading.len) {
		state_say(app, false,
			  "not available while loading; C-c stops loading and keeps what was read");
		return APP_REDRAW;
	}
	if (id != CMD_ROW_SHOW && !(flags & COMMAND_PASSIVE))
		app->has_shown = false;
	if (flags & COMMAND_JUMPS)
		marks_take(state_time_line(app), &place);
	app->s.is_moving = false;
	wish = live_take(app, id, count)
		? APP_REDRAW
		: find_function(id)(app, arguments[id] * (is_counted ? count : 1));
	if (!(flags & COMMAND_PASSIVE))
		app->is_touched = true;
	range_follow(app);
	/* The window of another view is not a step of this one. Its lanes may be freed, so they do
	 * not identify it. */
	if (!(flags & (COMMAND_NO_STEP | COMMAND_EDITS)) && scene == app->s.serial &&
	    !live_is_moving(app))
		history_add(&app->s.history, &before, now,
			    !(flags & COMMAND_JUMPS) && now->t1 - now->t0 == before.t1 - before.t0
				    ? HISTORY_PAN
				    : HISTORY_JUMP);
	if (flags & COMMAND_JUMPS && app->mode == VIEW_TIME)
		marks_jumped(app, &place);
	fit_lanes(app);
	return wish;
}

enum command_id actions_find(enum command_id like, int argument)
{
	for (enum command_id id = CMD_NONE + 1; id < COMMAND_COUNT; id++)
		if (find_function(id) == find_function(like) && arguments[id] == argument)
			return id;
	return CMD_NONE;
}

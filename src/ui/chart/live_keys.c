/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands of a process that is shown live. */
#include "config.h"

#include "ui/actions.h"

#include "ui/chart/live.h"
#include "ui/state.h"

unsigned live_keys_freeze(struct app *app, int count)
{
	(void)count;
	if (!app->live) {
		state_say(app, false, "nothing moves: this is no running process (flametty live)");
	} else if (app->live->is_moving) {
		live_freeze(app);
	} else if (app->live->has_ended) {
		app->live->wants_rest = true;
		state_say(app, false, "the process has ended");
	} else {
		live_go_on(app);
	}
	return APP_REDRAW;
}

unsigned live_keys_save(struct app *app, int count)
{
	struct buf said = { 0 };
	bool ok;

	(void)count;
	if (!app->live) {
		state_say(app, true,
			  "save is for flametty live; :export cpuprofile FILE writes "
			  "what is in scope");
	} else if (app->line.args.len == 0) {
		state_say(app, true, "save wants the name of a file");
	} else if (!app->host || !app->host->save) {
		state_say(app, true, "files cannot be written here");
	} else {
		ok = app->host->save(app->host->ctx, buf_text(&app->line.args), app->line.is_forced,
				     &said);
		state_say(app, !ok, "%s", buf_text(&said));
	}
	buf_done(&said);
	return APP_REDRAW;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a key asked for comes first, then what the picture lacks, then what needs a pause in typing.
 */
#include "config.h"

#include "ui/between_keys.h"

#include "ui/app.h"
#include "ui/chart/diff_open.h"
#include "ui/chart/views.h"
#include "ui/picture.h"
#include "ui/state.h"

#define MOST_RELIEFS 3 /* between two keys */

bool between_keys_is_opening_row(const struct app *app)
{
	return app->is_pane_open && pane_is_opening_row(&app->pane);
}

/* The time in ms without keys after which the pane's work() is called; -1: it has nothing to do. */
static int pane_wait_ms(const struct app *app)
{
	return app->is_pane_open && app->shown->wait_ms ? app->shown->wait_ms(app) : -1;
}

/* The same without the files that are being read. */
static int work_wait_ms(const struct app *app)
{
	/* A chart for which there is too little memory stays unfinished until the next key. */
	if (((app->is_unfinished || findings_walk_is_waiting(app)) &&
	     app->n_reliefs < MOST_RELIEFS) ||
	    finder_is_busy(app) || filter_is_busy(app) || transforms_is_busy(app) ||
	    views_is_busy(app) || between_keys_is_opening_row(app))
		return 0;
	if (finder_is_unlit(app))
		return FINDER_LIGHT_MS;
	if (pane_wait_ms(app) >= 0)
		return pane_wait_ms(app);
	if (row_stack_wait_ms(app) >= 0)
		return row_stack_wait_ms(app);
	if (findings_walk_wait_ms(app) >= 0)
		return findings_walk_wait_ms(app);
	return app->has_legend ? APP_LEGEND_MS : -1;
}

int between_keys_wait_ms(const struct app *app)
{
	int wait = work_wait_ms(app);

	return diff_open_is_busy(app) && (wait < 0 || wait > DIFF_OPEN_MS) ? DIFF_OPEN_MS : wait;
}

/* Go on with a change of the transforms, or with the next view, which is made of what they give.
 * What is shown meanwhile gets half of the time until it is complete. */
static unsigned work_change(struct app *app, struct budget *step)
{
	struct budget half = budget_part(step, 2);
	bool has_picture = (app->is_unfinished || findings_walk_is_waiting(app)) &&
		(picture_update(app, &half) || budget_spent(&app->patience));

	if (transforms_is_busy(app) ? transforms_work(app, step) : views_work(app, step))
		return APP_REDRAW;
	return has_picture ? APP_REDRAW : 0;
}

static unsigned work_search(struct app *app, struct budget *step)
{
	bool has_changed = filter_work(app, step);

	return finder_work(app, step) || has_changed ? APP_REDRAW : 0;
}

/* Work that needs a pause in typing. */
static unsigned work_in_pause(struct app *app, struct budget *step)
{
	if (finder_is_unlit(app)) {
		finder_light(app);
		return APP_REDRAW;
	}
	if (pane_wait_ms(app) >= 0)
		return app->shown->work(app, step) ? APP_REDRAW : 0;
	if (row_stack_wait_ms(app) >= 0)
		return row_stack_work(app, step) ? APP_REDRAW : 0;
	if (findings_walk_read_again(app))
		return APP_REDRAW;
	/* While files are read, the pauses are too short. */
	if (!app->has_legend || diff_open_is_busy(app))
		return 0;
	app->has_legend = false;
	return APP_REDRAW;
}

unsigned between_keys_work(struct app *app)
{
	struct budget step = budget_ns(FINDER_STEP_NS);
	unsigned wish = 0;

	if (transforms_is_busy(app) || views_is_busy(app))
		return work_change(app, &step);
	if (between_keys_is_opening_row(app)) {
		if (!pane_open_step(&app->pane, &step))
			return 0;
		buf_clear(&app->message);
		return APP_REDRAW;
	}
	if (app_is_waiting(app))
		return work_search(app, &step);
	if (app->is_unfinished || findings_walk_is_waiting(app))
		return picture_update(app, &step) || budget_spent(&app->patience) ? APP_REDRAW : 0;
	if (finder_is_busy(app) || filter_is_busy(app))
		return work_search(app, &step);
	if (diff_open_is_busy(app)) {
		diff_open_look(app);
		wish = APP_REDRAW;
	}
	return wish | work_in_pause(app, &step);
}

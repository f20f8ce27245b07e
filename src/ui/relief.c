/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All is freed that the next picture would otherwise ask for again: a pane that did not fit would
 * not fit then, either. So the pane is closed, not only emptied.
 *
 * If an array was refused (reserve_has_room()), nothing is missing: only what lacks the array is
 * dropped, since what it shows would be wrong.
 *
 * Until there is a reserve again, the next allocation that fails ends the program. What may
 * allocate comes after what only frees. */
#include "config.h"

#include "ui/relief.h"

#include "base/alloc.h"
#include "base/units.h"
#include "ui/chart/folds.h"
#include "ui/chart/scene.h"
#include "ui/chart/transforms.h"
#include "ui/chart/views.h"
#include "ui/pane/panes.h"
#include "ui/state.h"

#include <stdio.h>

#define MAX_DROPPED 7 /* change, next view, pane, search, filter, view, transforms */

struct dropped {
	const char *what[MAX_DROPPED];
	int n;
};

static void note(struct dropped *dropped, const char *what)
{
	dropped->what[dropped->n++] = what;
}

static void drop_searches(struct app *app, struct dropped *dropped)
{
	bool has_search = app->prompt.kind == PROMPT_SEARCH,
	     has_filter = app->prompt.kind == PROMPT_FILTER;

	if (has_search)
		finder_cancel(app);
	if (has_filter)
		filter_cancel(app);
	if (finder_clear(app) || has_search)
		note(dropped, "the search");
	if (app->filter.target.search.matches || has_filter)
		note(dropped, "the filter");
	filter_done(app);
}

/* What belongs to the picture of the moment. */
static void drop_results(struct app *app, struct dropped *dropped)
{
	if (transforms_stop(app))
		note(dropped, "the last transform");
	if (views_stop(app))
		note(dropped, "the next view");
	findings_walk_bar_all(app);
	scene_free_pictures(&app->s);
	if (app->mode != VIEW_TIME)
		scene_free_pictures(&app->time);
	drop_searches(app, dropped);
	folds_give_up(app);
	if (app->is_pane_open) {
		panes_close(app);
		note(dropped, "the pane");
	}
	scene_forget_panes(app);
}

/* What the user would have to ask for again: a profile of its own each. */
static void drop_profiles(struct app *app, struct dropped *dropped)
{
	if (app->mode != VIEW_TIME) {
		views_leave(app);
		note(dropped, "the merged view");
	}
	if (app->transforms.n || app->transforms.group != GROUP_FUNCTION) {
		transforms_drop(app);
		note(dropped, "the transforms");
	}
}

static void drop_lacking(struct app *app, struct dropped *dropped)
{
	if (app->finder.target.search.is_lacking) {
		if (app->prompt.kind == PROMPT_SEARCH)
			finder_cancel(app);
		else
			finder_clear(app);
		note(dropped, "the search");
	}
	if (app->pane.is_lacking && app->is_pane_open) {
		panes_close(app);
		note(dropped, "the pane");
	}
	app->pane.is_lacking = false;
	if (app->change.is_lacking)
		note(dropped, "the last transform");
	app->change.is_lacking = false;
}

static void say(struct app *app, size_t wanted, const struct dropped *dropped, bool has_reserve)
{
	char text[160] = "", size[UNITS_MAX];
	int len = 0;

	for (int i = 0; i < dropped->n; i++)
		len += snprintf(text + len, sizeof text - (size_t)len, "%s%s",
				i == 0                        ? ""
					: i == dropped->n - 1 ? " and "
							      : ", ",
				dropped->what[i]);
	units_bytes((int64_t)wanted, size);
	state_say(app, true, "not enough memory (%s more were needed): dropped %s%s", size,
		  dropped->n ? text : "pictures", has_reserve ? "" : "; hardly any is left");
}

/* An array was refused. */
static void refuse(struct app *app, size_t wanted)
{
	struct dropped dropped = { 0 };
	char size[UNITS_MAX];

	drop_lacking(app, &dropped);
	if (dropped.n) {
		say(app, wanted, &dropped, reserve_renew());
		return;
	}
	units_bytes((int64_t)wanted, size);
	state_say(app, true, "not enough memory: %s more would be needed", size);
	reserve_renew();
}

bool relief_give(struct app *app)
{
	size_t wanted = reserve_wanted();
	struct dropped dropped = { 0 };
	bool has_reserve;

	if (app->is_acting || (!wanted && !reserve_refused()))
		return false;
	if (!wanted) {
		refuse(app, reserve_refused());
		return true;
	}
	app->pane.is_lacking = app->change.is_lacking = false;
	drop_results(app, &dropped);
	memory_give_back();
	has_reserve = reserve_renew();
	if (!has_reserve) {
		drop_profiles(app, &dropped);
		memory_give_back();
		has_reserve = reserve_renew();
	}
	app->n_reliefs++;
	say(app, wanted, &dropped, has_reserve);
	return true;
}

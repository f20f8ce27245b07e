/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands that set marks and go to them. */
#include "config.h"

#include "ui/actions.h"

#include "ui/chart/marks.h"
#include "ui/chart/views.h"
#include "ui/state.h"

static unsigned say_letters(struct app *app)
{
	state_say(app, false, "a mark is a letter, from a to z or A to Z");
	return APP_REDRAW;
}

unsigned mark_keys_set(struct app *app, int count)
{
	int i = marks_index(app->letter);

	(void)count;
	if (i < 0)
		return say_letters(app);
	if (app->mode != VIEW_TIME) {
		state_say(app, false, "marks are places of the time line; 1 shows it");
	} else {
		marks_take(&app->s, &app->marks.list[i]);
		state_say(app, false, "mark %c is set; '%c comes back here", marks_letter(i),
			  marks_letter(i));
	}
	return APP_REDRAW;
}

unsigned mark_keys_go(struct app *app, int count)
{
	int i = marks_index(app->letter);

	(void)count;
	if (i < 0)
		return say_letters(app);
	if (!app->marks.list[i].is_set) {
		state_say(app, false, "mark %c is not set; m%c sets it", marks_letter(i),
			  marks_letter(i));
		return APP_REDRAW;
	}
	if (app->mode != VIEW_TIME)
		views_leave(app);
	marks_show(app, &app->marks.list[i]);
	return APP_REDRAW;
}

unsigned mark_keys_back(struct app *app, int count)
{
	/* Coming from there notes the place that is left. */
	struct mark last = app->marks.last;

	(void)count;
	if (!last.is_set) {
		state_say(app, false, "no jump yet");
		return APP_REDRAW;
	}
	if (app->mode != VIEW_TIME)
		views_leave(app);
	marks_show(app, &last);
	return APP_REDRAW;
}

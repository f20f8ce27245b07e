/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The app does not know when reading has ended: it asks for the progress every DIFF_OPEN_MS, and is
 * then replaced, or told why not. */
#include "config.h"

#include "ui/chart/diff_open.h"

#include "base/progress_text.h"
#include "ui/state.h"

#define BAR_CELLS 20

bool diff_open_is_busy(const struct app *app)
{
	return app->diff.is_reading;
}

void diff_open_begin(struct app *app, const char *files)
{
	struct buf said = { 0 };

	if (!app->host || !app->host->compare) {
		state_say(app, true, "files cannot be opened here");
	} else if (app->host->compare(app->host->ctx, files, &said)) {
		app->diff.is_reading = true;
		diff_open_look(app);
	} else {
		state_say(app, true, "%s", buf_text(&said));
	}
	buf_done(&said);
}

static void add_bar(const struct app *app, const struct progress *p, struct buf *out)
{
	double share = progress_text_share(p);
	bool is_ascii = app->s.chart.is_ascii;

	for (int i = 0; share >= 0 && i < BAR_CELLS; i++)
		if (i < (int)(share * BAR_CELLS))
			buf_adds(out, is_ascii ? "#" : "\342\226\210");
		else
			buf_adds(out, is_ascii ? "." : "\342\226\221");
	if (share >= 0)
		buf_addc(out, ' ');
}

void diff_open_look(struct app *app)
{
	struct buf *out = &app->diff.reading;
	char text[PROGRESS_TEXT_MAX];
	struct progress progress = { 0 };
	const char *name;

	buf_clear(out);
	if (!app->host->comparing || !app->host->comparing(app->host->ctx, &progress, &name)) {
		app->diff.is_reading = false;
		return;
	}
	add_bar(app, &progress, out);
	progress_text_short(&progress, text);
	buf_addf(out, "%s; Esc stops it", text);
}

bool diff_open_cancel(struct app *app)
{
	if (app->is_help || !app->diff.is_reading)
		return false;
	app->diff.is_reading = false;
	app->host->stop_comparing(app->host->ctx);
	state_say(app, false, "stopped; no file is compared");
	return true;
}

bool diff_open_end(struct app *app)
{
	if (!app->host || !app->host->end_comparing)
		return false;
	app->host->end_comparing(app->host->ctx);
	return true;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The user's editor on the code of a function. The program finds the file and starts the editor:
 * app_host.edit. */
#include "config.h"

#include "ui/actions.h"

#include "base/text.h"
#include "draw/flame/label.h"
#include "model/other_names.h"
#include "ui/pane/pane_rows.h"
#include "ui/pane/source_page.h"
#include "ui/state.h"

#include <string.h>

#define NAME_CELLS 40

/* The frame of a row or span, which may be one that a view has made. */
static const struct frame *frame_of(const struct app *app, frame_id id)
{
	const struct frame_table *frames = &app->s.profile->frames;

	if (id < frames->n)
		return &frames->frames[id];
	return app->pane.has_view && id < app->pane.view.n_frames ? &app->pane.view.frames[id]
								  : NULL;
}

static void add_code(const struct app *app, const struct frame *frame, bool is_source,
		     struct app_edit *edit)
{
	if (frame && frame->url)
		edit->code[edit->n_code++] =
			(struct app_code){ .url = profile_text(app->base, frame->url),
					   .line = frame->line,
					   .column = frame->column,
					   .is_source = is_source };
}

/* The source pane has a cursor of its own. */
static void take_line(const struct app *app, struct app_edit *edit)
{
	int line = source_page_line(app);

	if (line == 0 || edit->n_code == 0 || line == edit->code[0].line)
		return;
	edit->code[0].line = line;
	edit->code[0].column = 0;
}

/* Find where the function is, and where it is by its other name. */
static bool find_code(const struct app *app, frame_id id, struct app_edit *edit)
{
	const struct frame *frame = frame_of(app, id), *other;
	const struct lane *lane = state_lane(app);
	bool is_source;

	*edit = (struct app_edit){ .input = lane ? &app->base->inputs[lane->input] : NULL };
	other = id < app->base->frames.n ? other_names_of(app->base, id) : NULL;
	is_source = other && !app->base->other->is_source;
	add_code(app, frame, is_source, edit);
	if (edit->n_code)
		add_code(app, other, other && !is_source, edit);
	if (source_page_line(app)) {
		edit->n_code = edit->n_code ? 1 : 0;
		edit->code[0].line = source_page_line(app);
		edit->code[0].column = 0;
	}
	take_line(app, edit);
	return edit->n_code > 0;
}

unsigned edit_keys_open(struct app *app, int count)
{
	struct app_edit edit;
	struct buf said = { 0 }, name = { 0 };
	frame_id id;
	bool ok;

	(void)count;
	if (!pane_rows_target(app, &id))
		return APP_REDRAW;
	if (!find_code(app, id, &edit)) {
		state_say(app, false, "the function has no location");
		return APP_REDRAW;
	}
	if (!app->host || !app->host->edit) {
		state_say(app, true, "there is no editor here");
		return APP_REDRAW;
	}
	ok = app->host->edit(app->host->ctx, &edit, &said);
	if (!ok)
		label_frame(app->s.profile, id, NAME_CELLS, &name);
	state_say(app, !ok, "%s%s%s", buf_text(&name), ok ? "" : ": ", buf_text(&said));
	buf_done(&name);
	buf_done(&said);
	return APP_REDRAW | APP_RESET;
}

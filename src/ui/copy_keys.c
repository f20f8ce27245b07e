/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands that copy. The text stays in the state until the next one; the caller of app_key() takes
 * it to a clipboard and tells where it went (app_copied()). */
#include "config.h"

#include "ui/actions.h"

#include "base/text.h"
#include "ui/copy.h"
#include "ui/copy_folded.h"
#include "ui/copy_view.h"
#include "ui/state.h"

#include <string.h>

#define ABOUT_CELLS 40

/* `name` is for the message: `copied the stack of parse`. Several stacks are counted in it. */
static unsigned copy(struct app *app, enum copy_what what, const char *name)
{
	struct buf text = { 0 }, about = { 0 }, fit = { 0 };
	size_t n;

	if ((what == COPY_ANSWER || what == COPY_LOCATION) &&
	    source_page_copy(app, what == COPY_ANSWER, &text)) {
		n = 1;
		name = what == COPY_ANSWER ? "the line" : name;
	} else if (!copy_text(app, what, &text, &about, &n)) {
		buf_done(&text);
		return APP_REDRAW;
	}
	if (about.len)
		buf_adds(&fit, what == COPY_ANSWER ? " about " : " of ");
	text_fit(&fit, buf_text(&about), about.len, ABOUT_CELLS);
	buf_done(&about);
	buf_done(&app->copied);
	app->copied = text;
	if (n > COPY_FOLDED_LINES_MOST)
		state_say(app, false,
			  "copied the %d heaviest of %zu stacks%s, and a line for the rest",
			  COPY_FOLDED_LINES_MOST - 1, n, buf_text(&fit));
	else if (n > 1)
		state_say(app, false, "copied %zu stacks%s, folded", n, buf_text(&fit));
	else
		state_say(app, false, "copied %s%s", name, buf_text(&fit));
	buf_done(&fit);
	return APP_REDRAW | APP_COPY;
}

unsigned copy_keys_answer(struct app *app, int count)
{
	(void)count;
	return copy(app, COPY_ANSWER, "two lines");
}

unsigned copy_keys_name(struct app *app, int count)
{
	(void)count;
	return copy(app, COPY_NAME, "the name");
}

unsigned copy_keys_location(struct app *app, int count)
{
	(void)count;
	return copy(app, COPY_LOCATION, "the location");
}

unsigned copy_keys_stack(struct app *app, int count)
{
	(void)count;
	return copy(app, COPY_STACK, "the stack");
}

unsigned copy_keys_folded(struct app *app, int count)
{
	(void)count;
	return copy(app, COPY_FOLDED, "the folded stack");
}

unsigned copy_keys_view(struct app *app, int count)
{
	struct buf text = { 0 }, lost = { 0 };
	bool is = copy_view(app, &text, &lost);

	(void)count;
	if (is) {
		buf_done(&app->copied);
		app->copied = text;
		state_say(app, false, "copied the command line of this view%s%s",
			  lost.len ? ", without " : "", buf_text(&lost));
	} else {
		buf_done(&text);
	}
	buf_done(&lost);
	return is ? APP_REDRAW | APP_COPY : APP_REDRAW;
}

unsigned copy_keys_table(struct app *app, int count)
{
	(void)count;
	return copy(app, COPY_TABLE, "the table");
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interface without a terminal: keys in, pictures out. It borrows the profile
 * and owns all that is computed from it. */
#ifndef FLAMETTY_UI_APP_H
#define FLAMETTY_UI_APP_H

#include "analysis/view.h"
#include "base/budget.h"
#include "layout/chart.h"
#include "layout/grid.h"
#include "model/profile.h"
#include "ui/command.h"
#include "ui/key.h"

#include <stdbool.h>

/* Where the text of an event comes from: the file is read again, which is not for this layer.
 * read: append the event at byte `offset` of input `input`, as lines, and the id of the stack frame
 * that it names (struct stack_frame), if it does; may be NULL. */
struct event_source {
	void (*read)(void *ctx, const struct profile *profile, uint32_t input, int64_t offset,
		     struct buf *out, struct buf *stack_frame);
	void *ctx;
};

struct app_options {
	bool is_ascii;
	bool is_absolute; /* times of the file's clock */
	bool has_idle;    /* idle time counts in shares */
	enum chart_color color;
	int64_t t0, t1; /* first window; t1 <= t0: the whole profile */
	struct event_source events;
	const struct transform *transforms; /* on from the start; copied, with what they point to */
	size_t n_transforms;
	enum view_group group;
	const struct app_state *state; /* of the app before; NULL: begin anew */
};

struct app;

/* What a key asks for. */
enum app_wish {
	APP_REDRAW = 1, /* the picture changed */
	APP_QUIT = 2,
	APP_SUSPEND = 4,
	APP_RESET = 8 /* send the whole screen anew */
};

/* options: copied. The profile must outlive the app. */
struct app *app_new(const struct profile *profile, const struct app_options *options);
void app_free(struct app *app);

/* The screen has this size, at least 1x1. To be called before the first key. */
void app_resize(struct app *app, int rows, int cols);

/* Take a key. Returns app_wish bits. */
unsigned app_key(struct app *app, key_code key);

/* Do what a command does, `count` times where it can be repeated. */
unsigned app_command(struct app *app, enum command_id id, int count);

struct app_mouse {
	int row, col;
	enum {
		APP_MOUSE_CLICK,
		APP_MOUSE_DOUBLE,
		APP_MOUSE_DRAG,
		APP_MOUSE_WHEEL_UP,
		APP_MOUSE_WHEEL_DOWN
	} what;
	bool is_pan; /* the wheel pans: Ctrl or Shift was held */
};

unsigned app_mouse(struct app *app, const struct app_mouse *mouse);

/* How long to wait for the next key before app_timeout() has to be called; -1: for
 * ever. A digit may be a command or begin a number: what follows tells. */
int app_wait_ms(const struct app *app);
unsigned app_timeout(struct app *app);

/* Compute what the picture needs, within the budget. Returns true when nothing is missing. Columns
 * that are missing are drawn as unfinished; app_timeout() continues with them and asks for the next
 * picture. To be called after keys and before app_draw(). */
bool app_update(struct app *app, struct budget *budget);

/* Draw into `grid`, which is made the size of the screen. Changes nothing of the app. */
void app_draw(const struct app *app, struct grid *grid);

/* Whether the user is not in the middle of typing, so that another app may go on with this one's
 * state. */
bool app_is_settled(const struct app *app);

/* Whether a line is being typed, so that text that is pasted belongs there; anywhere else it would
 * be a row of commands that nobody gave. */
bool app_is_typing(const struct app *app);

/* More of the file is to come, as `text` says in the header (NULL: no more): what could not be
 * handed over is barred. */
void app_set_loading(struct app *app, const char *text);

/* What draws the app at once, for when a key takes long: the picture is as it was, with a message.
 */
void app_set_show(struct app *app, void (*show)(void *ctx, struct app *app), void *ctx);

/* What tests look at. Borrowed. */
const struct viewport *app_view(const struct app *app);
const struct chart *app_chart(const struct app *app);

#endif

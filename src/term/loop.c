/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The loop takes all keys that have come before it draws a picture: on a slow line, a held key
 * skips pictures instead of lagging behind. While a key is held, there is still a picture every 100
 * ms, or on a slow line when the picture before has arrived: output that ssh and the network have
 * buffered cannot be cancelled. */
#include "config.h"

#include "term/loop.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "term/debug_log.h"
#include "term/description.h"
#include "term/term.h"
#include "term/tty.h"
#include "ui/app.h"
#include "ui/key.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define FRAME_NS (100 * NS_PER_MS)
#define LOOK_MS 10 /* between checks for a newly loaded app, and for keys that cancel an export */
#define KEPT_KEYS 32

/* Budget for one picture; the next picture continues an unfinished one. It grows with the time that
 * a picture takes to arrive, since unfinished pictures take as long, up to the second value. */
#define DRAW_NS (6 * NS_PER_MS)
#define FAR_DRAW_NS (200 * NS_PER_MS)

/* The same for a picture after work between keys, which has taken a part of that time. */
#define AFTER_WORK_NS (2 * NS_PER_MS)

/* The same for the first picture of an app on an empty screen: no key waits for it, and to draw and
 * send it twice takes longer. */
#define FIRST_DRAW_NS (16 * NS_PER_MS)

static unsigned take_mouse(struct app *app)
{
	static const uint8_t what[] = {
		[MOUSE_CLICK] = APP_MOUSE_CLICK,
		[MOUSE_DOUBLE] = APP_MOUSE_DOUBLE,
		[MOUSE_DRAG] = APP_MOUSE_DRAG,
		[MOUSE_WHEEL_UP] = APP_MOUSE_WHEEL_UP,
		[MOUSE_WHEEL_DOWN] = APP_MOUSE_WHEEL_DOWN,
	};
	struct term_mouse from = term_mouse();
	struct app_mouse mouse = { .row = from.row,
				   .col = from.col,
				   .is_pan = from.has_ctrl || from.has_shift };

	if (from.what == MOUSE_RELEASE)
		return 0;
	mouse.what = what[from.what];
	return app_mouse(app, &mouse);
}

/* The app gets what is known about the terminal. */
static void follow_terminal(struct app *app)
{
	const char *note = utf8_take_note();
	int rows, cols;

	term_size(&rows, &cols);
	if (term_has_utf8())
		app_take_utf8(app);
	app_resize(app, rows, cols);
	if (note)
		app_say(app, true, note, strlen(note));
}

static unsigned take_key(struct app *app, key_code key)
{
	unsigned wish;

	switch (key) {
	case KEYC_HANGUP:
		return APP_QUIT;
	case KEYC_RESIZE:
		follow_terminal(app);
		return APP_REDRAW;
	case KEYC_MOUSE:
		return take_mouse(app);
	default:
		break;
	}
	/* A timeout runs keys that had to wait. */
	wish = key == KEYC_NONE ? app_timeout(app) : app_key(app, key);
	if (wish & APP_SUSPEND) {
		term_suspend();
		follow_terminal(app);
		wish |= APP_REDRAW;
	}
	if (wish & APP_RESET)
		term_redraw();
	if (wish & APP_COPY) {
		size_t len;
		const char *text = app_copied(app, &len);

		app_copied_to(app, term_copy(text, len));
	}
	return wish;
}

/* ---- progress, while there is no app ---- */

static void put_middle(struct grid *g, int row, const char *text, enum role ink)
{
	BUF_LOCAL fit = { 0 };
	int cells = text_fit(&fit, text, strlen(text), g->cols > 2 ? g->cols - 2 : g->cols);

	if (row >= 0 && row < g->rows)
		grid_put(g, row, (g->cols - cells) / 2, cells, buf_text(&fit), fit.len, ink);
}

static void draw_bar(struct grid *g, int row, const struct progress *p, bool is_ascii)
{
	int width = g->cols > 64 ? 60 : g->cols - 4, col = (g->cols - width) / 2, full;
	double share = progress_text_share(p);

	if (share < 0 || width <= 0 || row < 0 || row >= g->rows)
		return;
	full = (int)(share * width);
	for (int i = 0; i < width; i++)
		if (i < full)
			grid_puts(g, row, col + i, 1, is_ascii ? "#" : "█", ROLE_BAR);
		else
			grid_puts(g, row, col + i, 1, is_ascii ? "." : "░", ROLE_DIM);
}

static void draw_progress(const struct loop_feed *feed, bool is_stopping, struct grid *g)
{
	struct progress p = { 0 };
	BUF_LOCAL title = { 0 };
	char state[PROGRESS_TEXT_MAX];
	const char *name;
	int rows, cols, row;

	feed->progress(feed->ctx, &p, &name);
	term_size(&rows, &cols);
	grid_init(g, rows, cols);
	row = rows / 2 - 2;
	row = row < 0 ? 0 : row;
	buf_addf(&title, "%s %s", p.doing ? p.doing : "Loading", name);
	put_middle(g, row, buf_text(&title), ROLE_TITLE);
	draw_bar(g, row + 1, &p, feed->is_ascii && !term_has_utf8());
	progress_text_line(&p, state);
	put_middle(g, row + 2, state, ROLE_PLAIN);
	put_middle(g, row + 3,
		   is_stopping ? "stopping: preparing what was read   q: quit"
			       : "Esc: stop loading, keep what was read   q: quit",
		   ROLE_DIM);
	g->cursor_row = -1;
}

/* ---- the loop ---- */

struct loop {
	const struct loop_feed *feed;
	struct app *app; /* NULL: nothing to show yet */
	struct grid grid;
	bool is_loading;
	bool is_stopping;
	bool has_drawn;  /* a picture of an app */
	bool has_worked; /* what the picture is of comes from work between keys */
	int64_t drawn_ns;
	int64_t quiet_ns; /* time of the last key or timeout */
	int64_t key_ns;   /* of the first key that no picture shows yet; 0: none. For the log */
	/* While a file is written: */
	int64_t looked_ns;
	key_code kept[KEPT_KEYS]; /* keys typed meanwhile, for afterwards */
	int n_kept;
	bool has_hung_up;
};

/* Tell the app how far loading is: `loading: reading 43 %, 2.0 s left`. */
static void tell_loading(const struct loop *l)
{
	char text[PROGRESS_TEXT_MAX + 16] = "", state[PROGRESS_TEXT_MAX];
	const char *name;
	struct progress p = { 0 };

	l->feed->progress(l->feed->ctx, &p, &name);
	progress_text_short(&p, state);
	snprintf(text, sizeof text, "%s: %s", l->is_stopping ? "stopping" : "loading", state);
	app_set_loading(l->app, l->is_loading ? text : NULL);
}

/* Switch to the newest app; every FRAME_NS, update the progress. */
static unsigned look_for_more(struct loop *l)
{
	struct app *now = l->app;

	if (!l->is_loading && !l->feed->has_next(l->feed->ctx))
		return 0;
	l->app = l->feed->next(l->feed->ctx, now, &l->is_loading);
	if (!l->app && !l->is_loading)
		return APP_QUIT;
	if (l->app != now) {
		follow_terminal(l->app);
		debug_log_add("profile: %s",
			      l->is_loading ? "of what is loaded so far" : "complete");
	}
	if (l->app == now && l->is_loading && clock_ns() - l->drawn_ns < FRAME_NS)
		return 0;
	if (l->app)
		tell_loading(l);
	return APP_REDRAW;
}

static void draw(struct loop *l)
{
	int64_t trip_ns = term_trip_ns(), t0 = clock_ns(), t1;
	const char *what = "progress";

	if (l->app) {
		int64_t least_ns = !l->has_drawn ? FIRST_DRAW_NS
			: l->has_worked          ? AFTER_WORK_NS
						 : DRAW_NS;
		struct budget budget = budget_ns(trip_ns < least_ns              ? least_ns
							 : trip_ns < FAR_DRAW_NS ? trip_ns
										 : FAR_DRAW_NS);

		l->has_drawn = true;
		what = app_update(l->app, &budget) ? "complete" : "unfinished";
		reserve_refill();
		app_draw(l->app, &l->grid);
	} else {
		draw_progress(l->feed, l->is_stopping, &l->grid);
	}
	t1 = clock_ns();
	reserve_refill();
	term_show(&l->grid);
	l->drawn_ns = clock_ns();
	if (debug_log_is_open()) {
		int64_t now = clock_ns();
		char after[64] = "";

		/* Log the picture that was begun at t0 and sent from t1 to now. */
		if (l->key_ns)
			snprintf(after, sizeof after, ", %.3f ms after the key",
				 (double)(now - l->key_ns) / NS_PER_MS);
		debug_log_add("picture: %s, made in %.3f ms, sent in %.3f ms, %" PRIu64 " bytes%s",
			      what, (double)(t1 - t0) / NS_PER_MS, (double)(now - t1) / NS_PER_MS,
			      tty_take_written(), after);
		l->key_ns = 0;
	}
}

/* The app comes a moment later: the loader still has to build the profile. */
static void stop_loading(struct loop *l)
{
	l->is_stopping = true;
	l->feed->stop(l->feed->ctx);
}

/* A key while there is no app. */
static unsigned take_early(struct loop *l, key_code key)
{
	switch (l->feed->layouts ? key_by_place(key, l->feed->layouts) : key) {
	case KEYC_ESC:
	case 'c' | KEYC_CTRL:
		stop_loading(l);
		return APP_REDRAW;
	case 'q':
	case 'Q':
	case KEYC_HANGUP:
		l->feed->stop(l->feed->ctx);
		return APP_QUIT;
	case 'z' | KEYC_CTRL:
		term_suspend();
		return APP_REDRAW;
	default:
		return key == KEYC_RESIZE ? APP_REDRAW : 0;
	}
}

static bool is_key(key_code key)
{
	return key != KEYC_NONE && key != KEYC_RESIZE && key != KEYC_HANGUP && key != KEYC_MOUSE;
}

/* Milliseconds until the timeout of the app, rounded up; -1: it has none. */
static int app_left_ms(const struct loop *l)
{
	int wait = l->app ? app_wait_ms(l->app) : -1;
	int64_t left = l->quiet_ns + wait * NS_PER_MS - clock_ns();

	return wait <= 0 ? wait : left > 0 ? (int)((left + NS_PER_MS - 1) / NS_PER_MS) : 0;
}

static unsigned take(struct loop *l, key_code key)
{
	if (debug_log_is_open() && is_key(key)) {
		char name[16];

		key_format(key, name);
		debug_log_add("key: %s", name);
		l->key_ns = l->key_ns ? l->key_ns : clock_ns();
	}
	/* While files are being loaded, waits are shorter than the timeout of the app. */
	if (key == KEYC_NONE && app_left_ms(l) != 0)
		return 0;
	l->quiet_ns = clock_ns();
	if (is_key(key) && term_is_pasted() && !(l->app && app_takes_pasted(l->app, key)))
		return 0;
	if (!l->app)
		return take_early(l, key);
	if (l->is_loading && key == ('c' | KEYC_CTRL)) {
		stop_loading(l);
		tell_loading(l);
		return APP_REDRAW;
	}
	l->has_worked = key == KEYC_NONE;
	return take_key(l->app, key);
}

/* How long to wait for a key; -1: no limit. */
static int wait_ms(const struct loop *l)
{
	int app = app_left_ms(l);

	if (l->is_loading && (app < 0 || app > LOOK_MS))
		return LOOK_MS;
	return l->feed->tick_ms > 0 && (app < 0 || app > l->feed->tick_ms) ? l->feed->tick_ms : app;
}

/* ---- exports ---- */

/* While a file is written: draw the progress; Esc and C-c cancel. Other keys wait. */
static bool look_at_export(void *ctx)
{
	struct loop *l = ctx;
	int64_t now = clock_ns();
	key_code key;

	if (now - l->looked_ns < LOOK_MS * NS_PER_MS)
		return true;
	l->looked_ns = now;
	while ((key = term_key(0)) != KEYC_NONE) {
		if (key == KEYC_ESC || key == ('c' | KEYC_CTRL))
			return false;
		l->has_hung_up |= key == KEYC_HANGUP;
		if (l->has_hung_up)
			return false;
		if (key == KEYC_RESIZE)
			follow_terminal(l->app);
		else if (key != KEYC_MOUSE && l->n_kept < KEPT_KEYS)
			l->kept[l->n_kept++] = key;
	}
	if (now - l->drawn_ns >= FRAME_NS) {
		app_draw(l->app, &l->grid);
		term_show(&l->grid);
		l->drawn_ns = clock_ns();
	}
	return true;
}

/* Have the file written, then take the keys that waited, up to one that asks for another export. */
static unsigned run_export(struct loop *l)
{
	unsigned wish = APP_REDRAW;
	int n = 0;

	app_export(l->app, look_at_export, l);
	if (l->has_hung_up)
		return APP_QUIT;
	while (n < l->n_kept && !(wish & (APP_QUIT | APP_EXPORT)))
		wish |= take(l, l->kept[n++]);
	l->n_kept -= n;
	memmove(l->kept, l->kept + n, (size_t)l->n_kept * sizeof *l->kept);
	return wish;
}

void loop_run(const struct loop_feed *feed)
{
	struct loop l = { .feed = feed, .is_loading = true, .quiet_ns = clock_ns() };
	unsigned wish = look_for_more(&l);
	int64_t drawn_ns;

	wish |= APP_REDRAW;
	while (!(wish & APP_QUIT)) {
		if (wish & APP_REDRAW)
			draw(&l);
		drawn_ns = clock_ns();
		wish = take(&l, term_key(wait_ms(&l)));
		while (!(wish & (APP_QUIT | APP_EXPORT)) &&
		       (term_is_behind() || (clock_ns() - drawn_ns < FRAME_NS && term_pending())))
			wish |= take(&l, term_key(0));
		while (wish & APP_EXPORT && !(wish & APP_QUIT))
			wish = (wish & ~(unsigned)APP_EXPORT) | run_export(&l);
		wish |= look_for_more(&l);
	}
	grid_done(&l.grid);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys are taken as long as there are any, and only then a picture is drawn: on a slow
 * line a held key skips pictures instead of lagging behind. Whoever holds it still
 * sees one every 100 ms, or whenever the one before has arrived: what ssh and the network
 * hold cannot be taken back. */
#include "config.h"

#include "term/loop.h"

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"

#include <stdio.h>
#include <string.h>

#define FRAME_NS (100 * NS_PER_MS)
#define DRAW_NS (8 * NS_PER_MS)      /* of a picture until what is missing is left for the next */
#define FAR_DRAW_NS (200 * NS_PER_MS) /* where each picture is long under way, and unfinished ones cost as much */
#define SILENT_NS (100 * NS_PER_MS)

static unsigned take_mouse(struct app *app)
{
	struct term_mouse from = term_mouse();
	struct app_mouse mouse = { .row = from.row, .col = from.col, .is_pan = from.has_ctrl || from.has_shift };

	switch (from.what) {
	case MOUSE_CLICK: mouse.what = APP_MOUSE_CLICK; break;
	case MOUSE_DOUBLE: mouse.what = APP_MOUSE_DOUBLE; break;
	case MOUSE_DRAG: mouse.what = APP_MOUSE_DRAG; break;
	case MOUSE_WHEEL_UP: mouse.what = APP_MOUSE_WHEEL_UP; break;
	case MOUSE_WHEEL_DOWN: mouse.what = APP_MOUSE_WHEEL_DOWN; break;
	case MOUSE_RELEASE: return 0;
	}
	return app_mouse(app, &mouse);
}

static void follow_size(struct app *app)
{
	int rows, cols;

	term_size(&rows, &cols);
	app_resize(app, rows, cols);
}

static unsigned take_key(struct app *app, key_code key)
{
	unsigned wish;

	switch (key) {
	case KEYC_NONE:
		return app_timeout(app);
	case KEYC_HANGUP:
		return APP_QUIT;
	case KEYC_RESIZE:
		follow_size(app);
		return APP_REDRAW;
	case KEYC_MOUSE:
		return take_mouse(app);
	default:
		break;
	}
	wish = app_key(app, key);
	if (wish & APP_SUSPEND) {
		term_suspend();
		follow_size(app);
		wish |= APP_REDRAW;
	}
	if (wish & APP_RESET)
		term_redraw();
	return wish;
}

static bool may_take_more(int64_t drawn_ns)
{
	return term_is_behind() || (clock_ns() - drawn_ns < FRAME_NS && term_pending());
}

static void show_now(void *ctx, struct app *app)
{
	struct grid *grid = ctx;

	app_draw(app, grid);
	term_show(grid);
}

static void show(struct app *app, struct grid *grid)
{
	int64_t trip_ns = term_trip_ns();

	app_hurry(app, trip_ns < DRAW_NS ? DRAW_NS : trip_ns < FAR_DRAW_NS ? trip_ns : FAR_DRAW_NS);
	show_now(grid, app);
}

void loop_run(struct app *app)
{
	struct grid grid = { 0 };
	unsigned wish = APP_REDRAW;
	int64_t drawn_ns;

	follow_size(app);
	app_set_show(app, show_now, &grid);
	while (!(wish & APP_QUIT)) {
		if (wish & APP_REDRAW)
			show(app, &grid);
		drawn_ns = clock_ns();
		wish = take_key(app, term_key(app_wait_ms(app)));
		while (!(wish & APP_QUIT) && may_take_more(drawn_ns))
			wish |= take_key(app, term_key(0));
	}
	app_set_show(app, NULL, NULL);
	grid_done(&grid);
}

/* ---- loading ---- */

static void put_middle(struct grid *g, int row, const char *text, enum role ink)
{
	struct buf fit = { 0 };
	int cells = text_fit(&fit, text, strlen(text), g->cols > 2 ? g->cols - 2 : g->cols);

	if (row >= 0 && row < g->rows)
		grid_put(g, row, (g->cols - cells) / 2, cells, buf_text(&fit), fit.len, ink);
	buf_done(&fit);
}

static void draw_bar(struct grid *g, int row, const struct progress *p, bool is_ascii)
{
	int width = g->cols > 64 ? 60 : g->cols - 4, col = (g->cols - width) / 2, full;
	double part = p->total > 0 ? (double)p->done / (double)p->total : 0;

	if (width <= 0 || row < 0 || row >= g->rows)
		return;
	full = (int)((part > 1 ? 1 : part) * width);
	for (int i = 0; i < width; i++)
		if (i < full)
			grid_puts(g, row, col + i, 1, is_ascii ? "#" : "█", ROLE_BAR);
		else
			grid_puts(g, row, col + i, 1, is_ascii ? "." : "░", ROLE_DIM);
}

static void format_state(const struct progress *p, char *text, size_t size)
{
	char done[UNITS_MAX], total[UNITS_MAX], rate[UNITS_MAX], left[UNITS_MAX];
	double per_s = p->elapsed_ns > 0 ? (double)p->done * 1e9 / (double)p->elapsed_ns : 0;

	units_bytes(p->done, done);
	units_bytes((int64_t)per_s, rate);
	if (p->total <= 0) {
		snprintf(text, size, "%s   %s/s", done, rate);
		return;
	}
	units_bytes(p->total, total);
	units_time(per_s > 0 && p->total > p->done ? (int64_t)((double)(p->total - p->done) / per_s * 10) * (NS_PER_S / 10) : 0, left);
	snprintf(text, size, "%s of %s   %s/s   %s left", done, total, rate, left);
}

static void draw_progress(struct loop_progress *lp, const struct progress *p)
{
	struct grid *g = &lp->grid;
	struct buf title = { 0 };
	char state[4 * UNITS_MAX + 32];
	int rows, cols, row;

	term_size(&rows, &cols);
	grid_init(g, rows, cols);
	row = rows / 2 - 2;
	row = row < 0 ? 0 : row;
	buf_addf(&title, "%s %s", p->doing ? p->doing : "Loading", lp->name ? lp->name : "");
	put_middle(g, row, buf_text(&title), ROLE_TITLE);
	if (p->total > 0)
		draw_bar(g, row + 1, p, lp->is_ascii);
	format_state(p, state, sizeof(state));
	put_middle(g, row + 2, state, ROLE_PLAIN);
	put_middle(g, row + 3, "Esc: stop loading", ROLE_DIM);
	g->cursor_row = -1;
	term_show(g);
	buf_done(&title);
}

/* Look at the keys that have come; false: stop. */
static bool may_go_on(struct loop_progress *lp)
{
	for (;;) {
		switch (term_key(0)) {
		case KEYC_NONE:
			return true;
		case KEYC_RESIZE:
			lp->next_ns = 0;
			break;
		case KEYC_ESC: case 'q': case 'Q': case 'c' | KEYC_CTRL: case KEYC_HANGUP:
			lp->is_cancelled = true;
			return false;
		case 'z' | KEYC_CTRL:
			term_suspend();
			break;
		default:
			break;
		}
	}
}

bool loop_progress_tick(void *ctx, const struct progress *progress)
{
	struct loop_progress *lp = ctx;
	struct error err = ERROR_INIT;

	if (lp->has_failed || (progress->elapsed_ns < SILENT_NS && !term_is_open()))
		return true;
	if (!term_is_open() && !term_open(lp->options, &err)) {
		lp->has_failed = true;
		return true;
	}
	if (!may_go_on(lp))
		return false;
	if (progress->elapsed_ns >= lp->next_ns) {
		draw_progress(lp, progress);
		lp->next_ns = progress->elapsed_ns + FRAME_NS;
	}
	return true;
}

void loop_progress_done(struct loop_progress *progress)
{
	grid_done(&progress->grid);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The filter of the pane's tables: only rows of functions that match a pattern are shown, and the
 * rows above them. */
#ifndef FLAMETTY_UI_CHART_FILTER_H
#define FLAMETTY_UI_CHART_FILTER_H

#include "base/error.h"
#include "ui/chart/finder.h"

struct app;
struct budget;

struct filter {
	struct finder_target target;
	struct finder_target before; /* while the prompt is open or the filter is waiting: the
					filter before */
	struct error err;
	bool is_waiting; /* for the answer, after Enter */
};

void filter_done(struct app *app);

/* Open the prompt with the active pattern; react to a change of its text; accept or cancel it. */
void filter_open(struct app *app);
void filter_changed(struct app *app);
void filter_accept(struct app *app);
void filter_cancel(struct app *app);

/* Filter by a pattern without the prompt. */
void filter_set(struct app *app, const char *text, bool is_plain);

/* Whether the rows that match are not known yet after Enter; stop: the filter before comes back. */
bool filter_is_waiting(const struct app *app);
void filter_stop(struct app *app);

/* Filter by app->s.profile, which has changed; the profile before may be gone. */
void filter_follow(struct app *app);

/* Whether work is left; do some of it within the budget, and return true if the picture changed. */
bool filter_is_busy(const struct app *app);
bool filter_work(struct app *app, struct budget *budget);

/* Append `filter /x/, 12 of 529 rows`, with the pattern shortened to `cells` cells; nothing if
 * there is no filter. */
void filter_describe(const struct app *app, int cells, bool has_rows, struct buf *out);

/* Append the answer to what is typed, for the prompt line. */
void filter_answer(const struct app *app, struct buf *out);

#endif

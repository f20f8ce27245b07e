/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The filter of the pane's tables: only rows about functions that match a pattern, and the rows
 * on the way to them. */
#ifndef FLAMETTY_UI_SEARCH_FILTER_H
#define FLAMETTY_UI_SEARCH_FILTER_H

#include "ui/search/finder.h"

struct filter {
	struct finder_target target;
	struct finder_target before; /* while the prompt is open: what it had been */
	struct error err;
};

void filter_done(struct app *app);

/* Open the prompt with the pattern that is on; the text changed; end it. */
void filter_open(struct app *app);
void filter_changed(struct app *app);
void filter_accept(struct app *app);
void filter_cancel(struct app *app);

/* The chart shows another profile: filter that. The one of before may be gone. */
void filter_follow(struct app *app);

/* Whether there is work left; do some of it within the budget: true when the picture changed. */
bool filter_is_busy(const struct app *app);
bool filter_work(struct app *app, struct budget *budget);

/* Append `filter /x/, 12 of 529 rows`, the pattern cut to `cells`; nothing where there is none. */
void filter_describe(const struct app *app, int cells, bool has_rows, struct buf *out);

/* Append what the prompt says. */
void filter_answer(const struct app *app, struct buf *out);

#endif

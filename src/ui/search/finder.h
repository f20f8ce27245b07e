/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The search that is on: its prompt, the walk from match to match, and what it says. What
 * takes long is done between keys, in steps. */
#ifndef FLAMETTY_UI_SEARCH_FINDER_H
#define FLAMETTY_UI_SEARCH_FINDER_H

#include "analysis/match_rows.h"
#include "analysis/search.h"
#include "base/budget.h"
#include "layout/chart.h"
#include "ui/chart/history.h"
#include "ui/key.h"
#include "ui/search/finder_counts.h"
#include "ui/search/prompt.h"

struct app;

#define FINDER_STEP_NS INT64_C(4000000) /* of work between two looks at the keys */

/* What Esc gives back. */
struct finder_origin {
	struct viewport view;
	int lane;
	bool has_selection;
	struct span selected;
	int64_t self_ns;
	uint8_t *folds; /* by lane: what is open */
};

/* What is searched for. */
struct finder_target {
	struct search search; /* matches NULL: none */
	struct buf name;      /* the pattern, or the name of the function */
	bool is_plain;
	bool is_function; /* one, not a pattern */
	frame_id frame;   /* that one */
};

struct finder {
	struct finder_target target;
	struct finder_target earlier; /* while the prompt is open: what it had been */
	struct finder_origin origin;  /* the same */
	struct error err;             /* of the pattern */
	bool is_jumping;              /* the first match is still to be selected */
	bool has_none;                /* no match on any lane that is shown */
	bool is_told;                 /* the status line tells what was found */
	const char *note;             /* and this before it; static text, or NULL */
	struct buf where;             /* or this: the name of another lane */
	struct finder_counts counts;
	struct match_rows **rows; /* by lane */
	uint32_t n_rows;
	unsigned serial;          /* of the search, for those who keep what they made of it */
	unsigned overview_serial; /* that the overview shows */
	int overview_cols;
};

void finder_target_done(struct finder_target *target);
void finder_done(struct app *app);

/* What is searched for: the pattern, or the name of the function. */
const char *finder_name(const struct app *app);

/* Open the prompt; take a key of it that is no command; the text changed; end it. */
void finder_open(struct app *app);
void finder_changed(struct app *app);
void finder_accept(struct app *app);
void finder_cancel(struct app *app);

/* Walk to the next match, or to the one before; search for a function. */
void finder_walk(struct app *app, bool is_next, int count);
void finder_function(struct app *app, frame_id frame);

/* No search any more. False: there was none. */
bool finder_clear(struct app *app);

/* The chart shows another profile: search in that. The one of before may be gone. */
void finder_follow(struct app *app);

/* What is searched for, without what was found. A function is found again by number and name:
 * previews of the same files number functions alike, as they come in the file. */
struct finder_query {
	char *text; /* owned; NULL: there is no search */
	bool is_plain, is_function, is_told;
	frame_id frame;
};

void finder_get_query(const struct app *app, struct finder_query *query);
void finder_apply_query(struct app *app, const struct finder_query *query);

/* Whether there is work left; do some of it within the budget: true when the picture changed. */
bool finder_is_busy(const struct app *app);
bool finder_work(struct app *app, struct budget *budget);

/* Before a picture: hand what matches to chart and overview. */
void finder_highlight(struct app *app);

/* Whether there is a search. */
bool finder_is_on(const struct app *app);

/* Append what was found, from the long form, 0, to the short one, FINDER_FORMS - 1. */
#define FINDER_FORMS 4
void finder_answer(const struct app *app, int form, struct buf *out);

#endif

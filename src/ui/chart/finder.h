/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The active search, with its prompt and the way from match to match, and the filter of the pane's
 * tables. Long computations are done in steps between keys. Both own what they compute.
 *
 * Terms: a match is a span whose function matches, or a stretch of samples whose labels match; the
 * origin is the state of the chart before the
 * prompt was opened. */
#ifndef FLAMETTY_UI_CHART_FINDER_H
#define FLAMETTY_UI_CHART_FINDER_H

#include "analyse/cover.h"
#include "analyse/search.h"
#include "base/budget.h"
#include "base/buf.h"
#include "draw/chart.h"
#include "ui/chart/finder_counts.h"
#include "ui/chart/range.h"
#include "ui/chart/scene.h"
#include "ui/key.h"
#include "ui/line/prompt.h"

#include <stdbool.h>

#define FINDER_STEP_NS INT64_C(4000000) /* of work before the next look at the keys */

/* A pattern or a function, and the search for it. */
struct finder_target {
	struct search search; /* matches NULL: none */
	struct buf name;      /* the pattern, or the name of the function */
	bool is_plain;
	bool is_function; /* a function, not a pattern */
	frame_id frame;   /* the function */
};

struct app;

/* The state of the chart to which Esc returns. */
struct finder_origin {
	struct viewport view;
	int lane;
	bool has_selection;
	struct span selected; /* of the lane as it is */
	int64_t self_ns;
	struct mark place; /* the same, for going back there after a jump */
	uint8_t *folds;    /* by lane: bit 0: open, bit 1: its process is folded */
};

struct finder {
	struct finder_target target;
	/* While the prompt is open, and until what was asked for by Enter is done: the search
	 * before, and the state of the chart; of the latter only window and place while n waits. */
	struct finder_target earlier;
	struct finder_origin origin;
	struct error err;  /* of the pattern */
	bool is_jumping;   /* the first match is still to be selected */
	int n_moves;       /* matches still to go to; below 0: to previous ones */
	bool is_waiting;   /* the user waits for a match, and so do all keys */
	bool is_accepting; /* ... after Enter */
	bool is_late;      /* ... and the key that asked for it is done */
	bool is_ready;     /* the matches of all lanes that are shown are known */
	bool has_none;     /* no match on any lane that is shown */
	int n_lanes; /* that match by name, as no span does ("finder lanes" in finder.c); 0: none */
	int lane_number;     /* of the one with the cursor, from 1 */
	int percent;         /* of the file that was read, of a search for events */
	bool is_told;        /* the status line shows what was found */
	struct buf stop;     /* what is known of the milestone that the first move led to */
	const char *note;    /* shown before the answer; static, or NULL */
	struct buf where;    /* the lane that the last move led to, if it is another one */
	bool has_at;         /* the last move led to */
	struct search_at at; /* this match; */
	struct span call;    /* this call was selected for it; both of the lane as it is */
	/* The search in the profile as it is drawn; matches NULL: not made. */
	struct search drawn;
	unsigned settled; /* serial of the last search that finder_settle() looked at */
	unsigned shown;   /* serial of the search whose functions do not fold; 0: none */
	struct finder_counts counts;
	/* While letters follow each other quickly, the picture keeps the highlight of the pattern
	 * before: `kept` are its matches; zeroed: it had none. */
	bool is_unlit;
	struct match_set kept;
	struct match_rows **rows; /* by lane */
	uint32_t n_rows;
	unsigned serial;          /* changes with each search */
	unsigned overview_serial; /* serial of the marks in the overview */
	int overview_cols;
};

void finder_done(struct app *app);

/* Accepting selects the first match, as walking selects others: at once if the answer is there in
 * app->key_ns. Otherwise the finder is waiting, and finder_work() does it later. */
extern const struct prompt_user finder_prompt;

/* Search for a pattern, without the prompt; for a function. False: there is no search, as the
 * pattern is empty or invalid (err). */
bool finder_set(struct app *app, const char *text, bool is_plain);
void finder_function(struct app *app, frame_id frame);

/* While the search is waiting: after Enter, all becomes as it was before the prompt was opened;
 * otherwise the search stays, and nothing is selected. While the filter is: the one before comes
 * back. */
void finder_stop(struct app *app);

/* Clear the search. False: there was none. */
bool finder_clear(struct app *app);

/* Search and filter by app->s.profile, which has changed; the profile before may be gone. */
void finder_follow(struct app *app);

/* Whether work is left, of the search or the filter; do some of it within the budget, and return
 * true if the picture changed. */
bool finder_is_busy(const struct app *app);
bool finder_work(struct app *app, struct budget *budget);

/* Whether the file is being read, for a search or a filter for events; finder_work() looks. */
bool finder_is_reading(const struct app *app);

#define FINDER_LIGHT_MS 150 /* without a letter, until matches light up: is_unlit = false */

/* Before a picture: give chart and overview what they highlight. */
void finder_highlight(struct app *app);

/* Whether there is a search. */
bool finder_is_on(const struct app *app);

/* What a search has found stands out of the folded rows of the chart (fold_wish.found), from when
 * it lights up until it ends, or until another one does. Settle: before folds are looked at. */
void finder_settle(struct app *app);
uint8_t *finder_found(const struct app *app, unsigned *search);

/* Other lanes are drawn: forget which of their rows have matches. */
void finder_redraw(struct app *app);

/* The last match that was gone to, if what was selected for it still is. NULL: otherwise. Both are
 * about the lane as it is, and a drawn row may stand for several matches. */
const struct search_at *finder_move_at(const struct app *app);

/* ---- filter ----
 *
 * Only rows of functions that match a pattern are shown, and the rows above them. */

struct filter {
	struct finder_target target;
	struct finder_target before; /* while the prompt is open or the filter is waiting: the
					filter before */
	struct error err;
	bool is_waiting; /* for the answer, after Enter */
};

void filter_done(struct app *app);

extern const struct prompt_user filter_prompt;

/* Filter by a pattern without the prompt. */
void filter_set(struct app *app, const char *text, bool is_plain);

/* Append `filter /x/, 12 of 529 rows`, with the pattern shortened to `cells` cells; nothing if
 * there is no filter. */
void filter_describe(const struct app *app, int cells, bool has_rows, struct buf *out);

/* Append the answer to what is typed, for the prompt line. */
void filter_answer(const struct app *app, struct buf *out);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What panes compute: the totals of their scope, which is lanes and a range of time, and the call
 * tables (bottom-up, top-down, callers, callees) made from them. Both are computed when they are
 * shown, not when the range changes. The pane owns its totals and rows and borrows the profile. */
#ifndef FLAMETTY_UI_PANE_PANE_H
#define FLAMETTY_UI_PANE_PANE_H

#include "analyse/compare/sides.h"
#include "analyse/gc_part.h"
#include "analyse/rows/rows.h"
#include "analyse/rows/rows_sort.h"
#include "analyse/totals.h"
#include "base/budget.h"

#include <stdbool.h>

struct app;

/* ---- what is computed from the totals ---- */

/* The column of the panes that says how much of total times is garbage collection. */
struct pane_gc {
	bool is_on;    /* the tables have the column */
	bool is_known; /* `part` is of the totals with this generation */
	unsigned generation;
	struct gc_part part;
};

/* What a pane compares its range with: the totals of the whole time of the same lanes
 * (analyse/rows/rows_sort.h). They are computed when the pane's range is first a part of it, or
 * kept when they were those of the pane, and stay as long as the lanes do. */
struct pane_change {
	int64_t t0, t1; /* the whole time; t1 <= t0: there is no comparison */
	struct totals all;
	bool has_begun; /* `all` is allocated */
	bool has_all;   /* and complete */
	bool is_barred; /* there was no memory for it */
};

/* The totals of the two sides of a comparison in the range of a pane (analyse/compare/sides.h).
 * While the chart shows the merged calls of two sides, they stand for the pane's totals. */
struct pane_sides {
	const struct sides *of; /* borrowed; NULL: no sides are compared */
	struct totals totals[SIDES];
	bool has_totals;
	struct totals next[SIDES]; /* while they are counted */
	struct sides_count count;
	bool has_memory, is_counting; /* both totals were initialised; are counted */
};

/* ---- call tables ---- */

/* Which rows of a call table are open, and where its cursor is: while the table has no rows, and as
 * a value that refers to no profile, which an app keeps for the app after it (ui/app_state.h). */
struct pane_kept {
	uint64_t *open; /* paths of rows as hashes, in ascending order; owned */
	size_t n_open, cap_open;
	size_t top; /* the first row that is shown */
	uint64_t cursor_path;
	bool has_path;
	bool is_by_hash; /* paths are of hashes of functions, not of their numbers */
};

/* Paths of rows as hashes, by depth, while rows are visited in display order. */
struct pane_paths {
	uint64_t *hash;
	size_t cap;
};

enum pane_opening { PANE_OPENS_NOTHING, PANE_OPENS_ROW, PANE_OPENS_HOT_PATH };

/* A call table. Its rows are made again for each range; open rows and the cursor are kept as hashes
 * of their path from the first level. */
struct pane_tab {
	struct rows rows;
	bool has_rows;
	bool is_empty;             /* it is about no function */
	bool is_making;            /* the first rows are being made: there are none yet */
	enum pane_opening opening; /* the row with the cursor, or the hot path below it */
	bool is_restoring;         /* rows are being opened again: */
	bool has_cursor;           /* the row of the cursor was found, */
	size_t next;               /* the next row to look at, */
	struct pane_paths paths;
	enum rows_sort sort;
	enum rows_sort sides_sort; /* the order while two sides are compared */
	bool is_reversed;
	bool is_stale; /* the rows are those of a range before: only shown, not remembered */
	size_t cursor, top;
	/* The cursor was put at the culprit, `placed`, when there were n_placed rows; as long as it
	 * is there, nothing of it is the user's choice. */
	bool is_placed;
	size_t placed, n_placed;
	struct pane_kept kept; /* of the rows before; its `top` also while rows are opened again */
};

/* The call tables. Callers and callees are about one function, which follows the selection. */
enum pane_table { PANE_BOTTOMUP, PANE_TOPDOWN, PANE_CALLERS, PANE_CALLEES, PANE_TABS };

struct pane {
	const struct profile *profile;
	struct view view;         /* of the lanes */
	struct view_work *making; /* makes the view */
	bool has_view;            /* it is complete; before, there are no totals */
	struct totals totals;
	struct totals next;        /* those of another range, while they are computed */
	struct pane_change change; /* what they are compared with */
	struct pane_gc gc;         /* how much of them is garbage collection */
	struct pane_sides sides;   /* those of two sides, of which `totals` has the larger times */
	bool is_counting;
	bool has_totals;
	bool is_lacking; /* memory was refused (base/alloc.h): rows or totals are missing */
	const struct lane **lanes; /* of totals; NULL: none yet */
	uint32_t n_lanes;
	int64_t t0, t1;       /* of totals */
	unsigned generation;  /* changes whenever totals are computed again or forgotten */
	int64_t most_self[2]; /* of totals: the most self time of a function; [1]: or idle time */
	bool has_idle;
	bool is_of_whole;    /* shares are of the whole profile, not of the range */
	int64_t all_ns[2];   /* of the lanes in the whole profile: the busy time; [1]: and idle time
			      */
	enum pane_table tab; /* index into tabs */
	struct match_set filter; /* of rows and events that stay, borrowed; zeroed: all do */
	unsigned filter_changes; /* number of changes, as an address may be used again */
	frame_id culprit; /* the cursor of a table about all begins at it; FRAME_NONE: at the top */
	str_id culprit_package;         /* or at a function of this package; 0: none */
	int64_t culprit_t0, culprit_t1; /* in tables of this range */
	frame_id function; /* what callers and callees are about; FRAME_NONE: nothing */
	struct pane_tab tabs[PANE_TABS];
};

void pane_init(struct pane *pane, const struct profile *profile, bool has_idle);
void pane_done(struct pane *pane);

/* Take the rows of a table; nothing if it has none. To be freed with pane_kept_done(), which
 * accepts zeros. */
void pane_kept_get(const struct pane_tab *tab, struct pane_kept *kept);

static inline void pane_kept_done(struct pane_kept *kept)
{
	free(kept->open);
	*kept = (struct pane_kept){ 0 };
}

/* Let a table that has no rows yet open these, and put its cursor there. */
void pane_kept_set(struct pane_tab *tab, const struct pane_kept *kept);

/* Free the rows of all tables. Which are open is remembered. */
void pane_forget_rows(struct pane *pane);

/* Let the cursor of tables of [t0, t1) begin at a function or, if `package` is not 0, at one of a
 * package: at its row if that is one of the first; otherwise below one of the functions with most
 * self time, whose callers are opened. */
void pane_set_culprit(struct pane *pane, frame_id function, str_id package, int64_t t0, int64_t t1);

/* Whether the cursor of a table of functions begins at this one. */
bool pane_begins_at(const struct pane *pane, frame_id function);

/* What opens step by step, so that pane_stop() would leave it closed. */
static inline enum pane_opening pane_opening(const struct pane *pane)
{
	return pane->tabs[pane->tab].opening;
}

/* End what a key or a picture has begun to open: the rows stay as they are now. */
void pane_stop(struct pane *pane);

/* Go on with PANE_OPENS_ROW. True: the row is open. */
bool pane_open_step(struct pane *pane, struct budget *budget);

/* Set the function of the callers and callees tables. */
void pane_set_function(struct pane *pane, frame_id frame);

/* Show only rows of frames that are in the set, and events that are; NULL, or zeroed: all. Its
 * arrays are borrowed until the next call. */
void pane_set_filter(struct pane *pane, const struct match_set *filter);

/* ---- totals ---- */

/* Free everything computed, as before the lanes are freed. Which rows are open is remembered. */
void pane_forget(struct pane *pane);

/* Bring the totals of app->pane up to date for the scope within the budget, with the parts of
 * garbage collection. Returns true when they are up to date; until then the totals and rows stay as
 * they were. Without memory for them, is_lacking is set, and there are neither. A call for the same
 * lanes and range costs little. */
bool pane_totals_update(struct app *app, struct budget *budget);

/* The time that is 100 % of the shares, in ns. */
int64_t pane_whole(const struct pane *pane);

/* The time, in ns, for which a bar of a table has all its cells. is_of_total: rows are there for
 * their total time. */
int64_t pane_bar_full(const struct pane *pane, bool is_of_total);

/* What shares are of. Without idle time, shares of the whole still count as such. */
enum pane_share { PANE_SHARE_BUSY, PANE_SHARE_RANGE, PANE_SHARE_WHOLE, PANE_SHARE_COUNT };

enum pane_share pane_share_get(const struct pane *pane);
void pane_share_set(struct pane *pane, enum pane_share share);

/* The parts of the totals that are shown; NULL: not known. */
const struct gc_part *pane_gc_get(const struct pane *pane);

/* Whether the pane has the totals of both sides. */
bool pane_sides_exist(const struct pane *pane);

/* Whether the pane's totals are those of a part, so that there is a comparison. */
bool pane_change_exists(const struct pane *pane);

/* Whether the whole has still to be computed for it; compute it within the budget. The latter
 * returns true when nothing is left to do. */
bool pane_change_is_missing(const struct pane *pane);
bool pane_change_step(struct pane *pane, struct budget *budget);

/* The comparison for a table, of the two sides if they exist; zeroed while it is not known. */
struct rows_change pane_change_get(const struct pane *pane, bool is_of_calls, bool is_of_total);

/* ---- scope ---- */

/* Whether the scope is a lane without a time line: panes then show all of it, whatever the window;
 * and whether what it has are hit counts. */
bool pane_scope_is_timeless(const struct app *app);
bool pane_scope_is_hits(const struct app *app);

/* The range: the pinned one, or the window; the whole lane if it has no time line. */
void pane_scope_range(const struct app *app, int64_t *t0, int64_t *t1);

/* The same on the time line, also while the view is another one. */
void pane_scope_time_range(const struct app *app, int64_t *t0, int64_t *t1);

/* The lanes: the one with the cursor and those joined to it, or all visible lanes of its kind:
 * samples or slices. Returns their number; the caller frees *lanes. */
uint32_t pane_scope_lanes(const struct app *app, const struct lane ***lanes);

/* Range and lanes of the scope of the time line, even while a merged view is shown. Returns their
 * number; the caller frees *lanes. */
uint32_t pane_scope_of_time(const struct app *app, int64_t *t0, int64_t *t1,
			    const struct lane ***lanes);

/* The number of lanes of the scope of the time line, without joined ones. *kind is set to what they
 * are; it stays if there are none. */
uint32_t pane_scope_count(const struct app *app, enum lane_kind *kind);

struct pane_scope {
	struct view view;
	struct totals totals;
	struct view_work *making; /* makes the view; NULL: it is complete */
	int64_t t0, t1;
	bool is_complete;
};

/* Compute the totals of the scope, without idle time unless has_idle; is_of_span: those of the time
 * and the lane of the selected span, wherever the window is. False: there is no lane, or memory was
 * refused (base/alloc.h); otherwise the caller frees them with pane_scope_done(). */
bool pane_scope_init(const struct app *app, bool is_of_span, bool has_idle,
		     struct pane_scope *scope);
void pane_scope_done(struct pane_scope *scope);

/* The same in steps, for the scope of the time line, even while a merged view is shown: begin, and
 * unless that returns false, call pane_scope_work() until it returns true. pane_scope_done() may be
 * called at any time after that. The lanes of the scene must stay until then. */
bool pane_scope_begin(const struct app *app, bool has_idle, struct pane_scope *scope);
bool pane_scope_work(struct pane_scope *scope, struct budget *budget);

#endif

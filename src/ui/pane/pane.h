/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lower pane: bottom-up or top-down rows of one lane and one range of time. They
 * are computed when they are looked at, not when the range changes. */
#ifndef FLAMETTY_UI_PANE_PANE_H
#define FLAMETTY_UI_PANE_PANE_H

#include "analysis/rows.h"
#include "analysis/totals.h"

#include <stdbool.h>

/* What one tab remembers. Rows are made anew for each range; which were open, and
 * where the cursor stood, is kept as hashes of the way from the first level. */
struct pane_tab {
	struct rows rows;
	bool has_rows;
	enum rows_sort sort;
	bool is_reversed;
	size_t cursor, top;
	uint64_t *open;
	size_t n_open, cap_open;
	uint64_t cursor_path;
	bool has_path;
};

/* The tables. Those about one function follow the selection. */
enum pane_table { PANE_BOTTOMUP, PANE_TOPDOWN, PANE_CALLERS, PANE_CALLEES, PANE_TABS };

struct pane {
	const struct profile *profile;
	struct view view;
	struct totals totals;
	struct totals next; /* those of another range, while they are counted */
	bool is_counting;
	bool has_totals;
	const struct lane **lanes; /* of totals; NULL: none yet */
	uint32_t n_lanes;
	int64_t t0, t1;      /* of totals */
	unsigned generation; /* another one whenever totals are made anew or forgotten */
	bool has_idle;
	enum pane_table tab;     /* index into tabs */
	const uint8_t *filter;   /* by frame: rows that stay; NULL: all. Borrowed */
	unsigned filter_changes; /* how often it was another one: an address may come again */
	frame_id function;       /* what callers and callees are about; FRAME_NONE: nothing */
	struct pane_tab tabs[PANE_TABS];
};

void pane_init(struct pane *pane, const struct profile *profile, bool has_idle);
void pane_done(struct pane *pane);

/* Forget all that was computed, as before the lanes are freed; what is open is remembered. */
void pane_forget(struct pane *pane);

/* Bring the totals up to date for n lanes, whose list is taken over, within the budget; true
 * when they are. Until then they, and the rows, are those of before. Then the rows of the tab.
 * Cheap when all is up to date. */
bool pane_totals(struct pane *pane, const struct lane **lanes, uint32_t n, int64_t t0, int64_t t1,
		 struct budget *budget);
void pane_update(struct pane *pane);

/* What callers and callees are about from now on. */
void pane_set_function(struct pane *pane, frame_id frame);

/* Show only rows about frames with filter[frame], which stays where it is until another one, or
 * NULL, is set. */
void pane_set_filter(struct pane *pane, const uint8_t *filter);

/* The tab that is shown. After pane_update(). */
struct pane_tab *pane_shown(struct pane *pane);

/* 100 % of the shares. */
int64_t pane_whole(const struct pane *pane);

/* The other direction. */
void pane_reverse(struct pane *pane);

/* Sort by another column. */
void pane_sort(struct pane *pane, enum rows_sort sort);

/* What one can do to the row with the cursor; rows is what the page holds. */
void pane_move(struct pane *pane, int64_t rows);
void pane_open(struct pane *pane);
void pane_close(struct pane *pane);
void pane_toggle(struct pane *pane);
void pane_hot(struct pane *pane);

/* Put the cursor on the row of a call, opening what it stands below: frames from the outermost on
 * (top-down), or the last of them (all other tables). False: there is no such row. */
bool pane_go(struct pane *pane, const frame_id *path, uint32_t n);

#endif

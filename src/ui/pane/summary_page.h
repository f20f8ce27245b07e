/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The summary pane: findings, the hottest functions, the longest busy stretches and pauses, whose
 * lines are links to their places; and what stands out, shares, the heaviest stack, hot lines. From
 * 120 columns on, the links are in a column at the left. Parts that need a pass over many samples
 * are added when no key has come for a while. */
#ifndef FLAMETTY_UI_PANE_SUMMARY_PAGE_H
#define FLAMETTY_UI_PANE_SUMMARY_PAGE_H

#include "draw/lines.h"
#include "model/profile.h"
#include "model/slice_work.h"

#include <stdint.h>

struct app;

/* The parts of the page that have a heading of their own, from top to bottom. */
enum summary_section {
	SUMMARY_FINDINGS,
	SUMMARY_BUSY,
	SUMMARY_PAUSES,
	SUMMARY_HOTTEST,
	SUMMARY_REST, /* all that has no links */
	SUMMARY_SECTIONS
};

/* Where a link leads: a finding; a function's longest span; or a stretch of a lane. */
struct summary_link {
	enum summary_section section;
	int finding;             /* its number; -1: no finding */
	frame_id function;       /* of the finding, too; FRAME_NONE: none */
	const struct lane *lane; /* of the stretch or finding; NULL: neither */
	int64_t t0, t1;
};

/* Where the user has put cursor and page, in terms that outlive the lines. */
struct summary_spot {
	struct summary_link link; /* with the cursor; */
	bool has_link;            /* false: the first one */
	bool has_place;           /* `link` is that of lines of this scene, not only its number */
	int rank;                 /* of the link in its section */
	int n_same;               /* links above it that lead to the same place */
	bool is_visible;          /* the link was on the page */
	enum summary_section top; /* the section of the first visible line, */
	size_t offset;            /* and its lines above that line */
};

struct summary_page {
	struct lines lines;
	struct lines right; /* the second column */
	bool has_columns;
	int left_cols;
	struct summary_link *links; /* of `lines`, by number */
	size_t n_links, cap_links;
	size_t heads[SUMMARY_SECTIONS]; /* line numbers in `lines`; SIZE_MAX: not there */
	struct summary_spot spot;
	bool has_lines;
	bool has_stretches;       /* pauses and stretches of work are included */
	struct place_clock clock; /* of the places on the page */
	unsigned n_findings;      /* findings_walk.n_changes when the page was made */
	unsigned generation;      /* of the pane's totals that it is about */
	int cols;
};

/* ---- summary text ---- */

struct page_text {
	struct app *app;
	struct lines *lines;
	const struct totals *totals;
	int64_t whole;
	struct place_clock clock; /* of places */
	int64_t work_ns; /* the time of the work below, idle time included; 0: nothing is known */
	int64_t work[WORK_COUNT];
	int cols;
	const struct summary_link *link; /* of the next row; NULL: it is none */
};

/* Add a heading; a row `  511 ms  35.1 %  formatPrice  catalogue.js:28:21`. */
void summary_text_head(struct page_text *page, enum summary_section section, const char *text);
void summary_text_row(struct page_text *page, int64_t ns, bool has_share, const char *name,
		      size_t len, const char *place);

/* ---- summary work: of a browser ---- */

/* Find page->work: of the thread of the pane, or of the page if there are several. */
void summary_work_find(struct page_text *page);

/* Add one line: `scripting 212 ms 51 %  rendering 9 ms 2 %`, as much of it as there is room for. */
void summary_work_line(struct page_text *page);

/* Add the same as a section with a bar for each kind; a section by origin, if there are several. */
void summary_work_table(struct page_text *page);
void summary_work_origins(struct page_text *page);

/* Add what is known of the pages (standout_pages()), with a heading unless is_brief. */
void summary_work_vitals(struct page_text *page, bool is_brief);

#endif

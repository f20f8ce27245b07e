/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The whole picture: splits the screen between its parts and draws them. */
#ifndef FLAMETTY_DRAW_SCREEN_H
#define FLAMETTY_DRAW_SCREEN_H

#include "draw/chart.h"
#include "draw/details.h"
#include "draw/fleet_grid.h"
#include "draw/grid.h"
#include "draw/heat_map.h"
#include "draw/lines.h"
#include "draw/source_view.h"
#include "draw/table/event_table.h"
#include "draw/table/function_table.h"
#include "draw/table/stack_list.h"
#include "draw/table/table.h"
#include "draw/table/text_table.h"
#include "findings/verdict.h"

/* ---- verdict bar ----
 *
 * The rows below the header: the verdict line, or the finding that the user has gone to. */

#define VERDICT_BAR_LANE 128
#define VERDICT_BAR_LANE_CELLS 24 /* of at most 4 bytes each, about */
#define VERDICT_HINTS 2
#define VERDICT_BOTH_COLS 92 /* from this width on there is room for both hints */

/* What to press. key: NULL: there is no hint. */
struct verdict_hint {
	const char *key, *text;
};

struct verdict_bar {
	const struct findings_result *result; /* NULL: there is none */
	const char *text;                     /* shown instead of the line; NULL: none */
	const char *second;                   /* with `text`: below it, or behind it if it fits */
	struct verdict_hint hints[VERDICT_HINTS]; /* at the right end, the most needed first */
	bool is_stale;                            /* the result is that of another window */
	char lane[VERDICT_BAR_LANE]; /* the name of its lane, to be said; "": that is clear */
	char window[160]; /* which part of the whole the chart shows; empty: that is clear */
};

/* ---- help ----
 *
 * The help screen: keys and what they do, in two columns where the screen has 100 cells or more.
 * The caller gives the keys. */

/* A line: the title of a section, keys and what they do, or nothing. Texts are borrowed. */
struct help_line {
	const char *title; /* NULL: not a title */
	const char *keys;
	const char *text; /* continued below where it is longer than the column */
	enum role fill; /* of the keys, if they are a sample of a colour; ROLE_PLAIN: they are keys
			 */
};

struct help {
	const struct help_line *lines;
	size_t n_lines;
	size_t right;                     /* index of the first line of the second column */
	int scroll;                       /* rows above the first visible one */
	const struct prompt_line *prompt; /* in the last row; NULL: what closes the help */
	bool is_filtered;
};

/* Largest sensible value of `scroll` in `r`. */
int help_max_scroll(struct rect r, const struct help *help);

/* ---- screen ---- */

#define SCREEN_SCOPES 6
#define SCREEN_MIN_ROWS 10
#define SCREEN_MIN_COLS 40
#define SCREEN_SIDE_COLS 140 /* from this width on the pane has room beside a table */

enum screen_pane { SCREEN_PANE_NONE, SCREEN_PANE_BELOW, SCREEN_PANE_ALL };

/* A tab: a key and a name. The active one has its name, others the key at least, from the left as
 * many names as there is room for. */
struct screen_tab {
	const char *title; /* `7 Functions` */
	bool has_scope;    /* the rule says what the numbers of the pane are about */
};

/* Parts that are not shown have no rows. */
struct screen_layout {
	bool is_too_small;
	struct rect header, verdict, overview, ruler, lanes;
	struct rect rule; /* tabs and scope of the pane */
	struct rect pane;
	struct rect list; /* over the lanes and the pane */
	struct rect detail;
	struct rect status;
};

/* wanted: rows of the pane with its rule, which are changed where pane or lanes would have less
 * than SCREEN_MIN_PART; 0: a third of the screen. has_requests: the chart has struct
 * chart.served. */
#define SCREEN_MIN_PART 3

void screen_split(struct screen_layout *layout, int rows, int cols, enum screen_pane pane,
		  int wanted, bool has_requests);

/* The tab at column `col` of the rule; -1: none. active: the one of the pane that is shown. */
int screen_tab_at(const struct screen_tab *tabs, int n_tabs, int active, struct rect rule, int col);

struct screen_hint {
	const char *keys, *text;
};

#define SCREEN_MAX_HINTS 16

/* The contents of the screen. All borrowed. */
struct screen {
	const struct chart *chart;
	const struct verdict_bar *verdict; /* NULL: its rows stay blank */
	enum screen_pane pane;
	int pane_rows; /* as for screen_split() */
	const struct table *table;
	/* Shown in the pane instead of the table; NULL: the table. */
	const struct lines *lines;
	const struct lines *right;              /* a second column of lines; NULL: none */
	int left_cols;                          /* of the first one */
	const struct event_table *events;       /* shown instead of both */
	const struct text_table *served;        /* the same: of requests */
	const struct function_table *functions; /* shown instead of the others */
	const struct source_view *source;       /* the same */
	const struct recent_table *recent;      /* the same */
	const struct heat_picture *heat;        /* the same */
	const struct fleet_grid *fleet;         /* the same */
	bool has_side;           /* from SCREEN_SIDE_COLS on: room beside the table */
	struct stack_list stack; /* shown there */
	const struct screen_tab *tabs;
	int n_tabs;
	int tab;
	bool is_stale;                     /* the pane shows outdated contents; they are dimmed */
	bool has_focus;                    /* keys go to the pane: its rule is heavy */
	const char *scopes[SCREEN_SCOPES]; /* the scope of the pane, from long to short */
	const char *position;              /* of the cursor: `3 of 134` */
	struct details details;
	const char *message; /* NULL or "": hints */
	/* Before the hints where most cells of the chart are shared; NULL: none. */
	const char *crowd;
	bool is_warning;
	const struct prompt_line *prompt; /* shown instead of message and hints; NULL: none */
	struct screen_hint hints[SCREEN_MAX_HINTS];
	int n_hints;
	int i_leave; /* index of the hint that leaves; n_hints or more: none */
	/* Keys that may follow a prefix, shown above the status line; NULL: none. */
	const struct screen_hint *menu;
	int n_menu;
	const struct lines *list; /* shown instead of chart and pane; NULL: none */
	const struct help *help;  /* NULL: not shown */
	bool is_ascii;
};

/* The part of the pane that its table has. */
static inline struct rect screen_table_area(const struct screen *screen, struct rect pane)
{
	if (screen->has_side && pane.cols >= SCREEN_SIDE_COLS)
		pane.cols = pane.cols * 3 / 5;
	return pane;
}

/* That of the heaviest stack beside it, if the screen has it; empty: there is no room. */
struct rect screen_side_area(struct rect pane);

/* Whether more than 60 % of the cells of `r` that have calls are those of several calls, or of one
 * that is narrower than a cell. Idle time does not count. */
bool screen_is_crowded(const struct grid *g, struct rect r);

/* Draw into a blank grid of any size. */
void screen_draw(struct grid *g, const struct screen *screen);

#endif

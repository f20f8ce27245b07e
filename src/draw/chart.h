/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The flame chart: lanes as cells. Pure: a picture depends on the arguments alone, and no function
 * looks at the clock. */
#ifndef FLAMETTY_DRAW_CHART_H
#define FLAMETTY_DRAW_CHART_H

#include "analyse/cover.h"
#include "analyse/depths.h"
#include "analyse/match_set.h"
#include "draw/frame_roles.h"
#include "draw/grid.h"
#include "draw/viewport.h"
#include "model/profile.h"

/* A lane in the chart: a title row (none for a joined lane) and, while open, one row per depth, or
 * the rows of a counter.
 *
 * A thread of which slices overlap has joined lanes of slices. They are laid over the first one:
 * they have no rows of their own, and share those of the first one, in which depth d of each is
 * depth lane->first_row + d. So are the joined lanes of requests that are served, and of what they
 * wait for, each of which has rows that are no other's. Rows and depths below are those of the
 * first lane, and hold for all lanes that are laid over it. */
struct chart_lane {
	const struct lane *lane; /* as it is drawn */
	bool has_packages;       /* of a folded lane: code of packages is, too */
	bool is_unfolded;        /* the user wants all its calls to have rows of their own */
	int n_over;              /* lanes after this one that are laid over it */
	bool is_over;            /* this one is laid over another one */
	/* Of this lane, borrowed; NULL: not needed so far, its rows stay blank. */
	struct cover *cover;
	bool is_open;
	bool is_hidden; /* has no row at all */
	bool has_group; /* the first lane of its process, with a row for the process above */
	/* The only lane of a process that nothing names, with those joined to it: its title says
	 * all, and while it is not collapsed, it has no row above. */
	bool is_lone;
	bool is_above; /* of the whole trace, above the rows of processes */
	bool is_shut;  /* its process is collapsed to that row */
	/* Its process, which is collapsed, is one of those that have one row together; has_others:
	 * that row stands here. */
	bool is_away, has_others;
	bool in_pool;    /* a lane of a thread pool, or of the objects of one scope */
	bool has_pool;   /* the first one, with a row for the pool above */
	bool is_pooled;  /* its pool is collapsed to that row */
	bool is_flipped; /* depth 0 is its last row */
	int trunk; /* rows from depth 0 on that are folded into one (analyse/fold.h); 0: none */
	bool is_trunk_open; /* the user has unfolded them */
	/* Which depths have rows; false: all depths of the lane. */
	bool is_fitted;
	int end_depth; /* depths [0, end_depth) have rows of their own */
	int n_rest;    /* depths below those, which one row stands for; 0: none */
	int fit_depth; /* end_depth without what the user has opened or selected */
	bool is_whole; /* the user wants rows for all depths */
	/* Of this lane in the window, borrowed; NULL: not known. */
	struct depths *depths;
	struct lane_strip *strip; /* if it is folded; borrowed; NULL: not needed so far */
};

struct overview;
struct served_time;
struct sides;
struct ruler_mark;

/* The clock of times: since the start of the profile; of the file; of the wall. */
enum chart_times { CHART_TIMES_PROFILE, CHART_TIMES_FILE, CHART_TIMES_WALL };

/* What a user wrote to a call, or that calls below it are hidden elsewhere, and why. */
struct chart_note {
	int lane;
	struct span span; /* as it is drawn */
	const char *text; /* borrowed */
	size_t n_hidden;
};

struct chart {
	/* What is drawn. Where calls are folded (analyse/fold.h), `as_is` is the profile without
	 * folds, which all numbers are about; it has the same lanes by index. NULL: nothing is
	 * folded. */
	const struct profile *profile, *as_is;
	const struct profile *base; /* the profile as loaded, with the samples that transforms
				       dropped; NULL: the same */
	const struct chart_lane *lanes;
	int n_lanes;
	bool has_groups; /* lanes are grouped below rows of their processes */
	const struct viewport *view;
	/* Of the width of the picture; NULL: none, see overview.h. */
	const struct overview *overview;
	int lane; /* index of the lane with the cursor; -1: none */
	bool has_selection;
	struct span selected; /* a span of `lane`, as span_at() returns it */
	int64_t counter_t;    /* the cursor on a counter */
	/* The names of the selected call and of this one, which the verdict says, too, always
	 * stand.
	 */
	bool has_second;
	int second_lane;
	struct span second;
	struct match_set matches;             /* of the search, borrowed; zeroed: no search */
	struct match_rows *const *match_rows; /* by lane: rows with matches, NULL if nothing
						 matches; NULL: not known */
	/* Of the profile; NULL, or of another one: colours by ownership, with no idea of times. */
	const struct frame_roles *roles;
	enum chart_color color;      /* that the user wants */
	const struct legend *legend; /* shown instead of the ruler; NULL: none */
	bool is_merged;              /* the axis is time spent, not time of day */
	/* The two sides that the merged lane compares; borrowed. NULL: none. */
	const struct sides *sides;
	const char *const
		*titles; /* titles of the lanes of a merged view; NULL: lanes have their own */
	/* Active transforms and the kind of view, for the header; NULL: nothing. */
	const char *about;
	/* Of a process whose last seconds are shown: its name. Lengths, which are those of what is
	 * kept, are left out then. NULL: files are shown. */
	const char *live_name;
	bool has_focus; /* keys go to the chart: its ruler has the accent */
	bool has_range; /* a range is pinned: */
	int64_t range_t0, range_t1;
	struct served_time *served;     /* of requests that are served; borrowed; NULL: none */
	const struct ruler_mark *marks; /* letters on the ruler */
	int n_marks;
	const struct chart_note *notes; /* borrowed */
	int n_notes;
	bool is_ascii; /* whole cells with `|` at starts, no block characters */
	enum chart_times times;
};

/* Whether the search matches a node of one of the lanes; not of one of spans
 * (match_set_is_of_spans()), whose matches only match_rows knows. */
static inline bool chart_is_match(const struct chart *chart, const struct lane *lane, node_id node)
{
	return !(chart->as_is && lane->tree.frame[node] >= chart->as_is->frames.n) &&
		match_set_has(&chart->matches, chart->profile, lane, node);
}

/* The profile and a lane without folds. */
static inline const struct profile *chart_as_is(const struct chart *chart)
{
	return chart->as_is ? chart->as_is : chart->profile;
}

static inline const struct lane *chart_lane_as_is(const struct chart *chart, int lane)
{
	return chart->as_is ? &chart->as_is->lanes[lane] : chart->lanes[lane].lane;
}

/* Whether a node of a lane stands for calls of several functions. */
static inline bool chart_is_run(const struct chart *chart, const struct lane *lane, node_id node)
{
	return chart->as_is && lane->tree.frame[node] >= chart->as_is->frames.n;
}

/* Whether calls of a lane are folded. */
static inline bool chart_is_folded(const struct chart *chart, int lane)
{
	return chart->as_is &&
		chart->lanes[lane].lane->tree.frame != chart->as_is->lanes[lane].tree.frame;
}

/* The row at which a lane begins among the rows that it has with others; 0 if it has its own. */
static inline int chart_first_row(const struct chart_lane *cl)
{
	return cl->is_over ? cl->lane->first_row : 0;
}

/* Find out which lanes are laid over others; chart_lane.lane is set. */
void chart_lay_over(struct chart_lane *lanes, int n);

/* Compute within the budget what the picture of the lanes needs, from the first column on. True:
 * all is known. */
bool chart_prepare(const struct chart *chart, struct rect r, struct budget *budget);

/* The mark of a column that is not known yet. */
#define CHART_UNFINISHED "\302\267"

/* Draw the lanes from chart->view->scroll on. The cost depends on the rows and columns of `r` only.
 * Nothing is computed: what chart_prepare() has not made known is drawn as unfinished. */
void chart_draw_lanes(struct grid *g, struct rect r, const struct chart *chart);

/* The lane in whose rows `lane` is drawn: the one that it is laid over, or itself. */
static inline int chart_head(const struct chart *chart, int lane)
{
	while (lane > 0 && chart->lanes[lane].is_over)
		lane--;
	return lane;
}

/* The rows of all lanes together (without lanes, those of the names: "name list" in chart.c), and
 * the row at which lane `lane`, or the one that it is laid over, begins. A lane without a time line
 * has only its title. */
int chart_height(const struct chart *chart);
int chart_lane_top(const struct chart *chart, int lane);

/* The row of the chart with a depth of lane `lane`, which is open. */
int chart_row_of(const struct chart *chart, int lane, int depth);

/* The lane whose title stays in the first of `rows` rows of the chart, over a row of calls, because
 * it has scrolled away; -1: none. */
int chart_sticky(const struct chart *chart, int rows);

/* The number of rows of a lane above its depths (its process, its title, both, or none), and the
 * number of rows of its depths. */
int chart_title_rows(const struct chart_lane *cl);
int chart_lane_rows(const struct chart_lane *cl);

/* The row of a depth, counted from below the title, and the depth of a row; of the row of the trunk
 * its innermost call. The row of the rest (chart_lane.n_rest) is that of all depths from end_depth
 * on; its depth is end_depth. */
int chart_row_of_depth(const struct chart_lane *cl, int depth);
int chart_depth_of_row(const struct chart_lane *cl, int row);

/* Whether the depth of a row is that of the row of the rest. */
bool chart_is_rest(const struct chart_lane *cl, int depth);

/* A cell of the chart. */
struct chart_point {
	int row, col;
};

/* Where time t of a call is in `r`; false: out of view. */
bool chart_find_point(const struct chart *chart, struct rect r, int lane, const struct span *span,
		      int64_t t, struct chart_point *out);

/* A position in the chart. */
struct chart_place {
	int lane;  /* not one that is laid over another */
	int depth; /* -1: the title of the lane; -2: the row of its process or of other ones; -3:
		      that of its pool */
	int64_t t; /* the middle of the cell */
};

/* The place at grid position row, col of a chart in `r`; span_at() tells whether a span is there.
 * False: below the last lane, or outside; *out is unchanged. */
bool chart_hit(const struct chart *chart, struct rect r, int row, int col, struct chart_place *out);

/* ---- counter ----
 *
 * Counter lanes: each series is a small graph of its highest value per column. */

/* Append a value of a series in short form: `12.3 M`, `12.3 MB`. */
void counter_format(const struct series *series, double value, struct buf *out);

/* The time whose values counters show: the begin of the selection, or the cursor on a counter;
 * outside of the window its middle. */
int64_t counter_cursor(const struct chart *chart);

#endif

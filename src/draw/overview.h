/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The overview: what the lane with the cursor does over the whole time line, as stacked parts
 * ("activity" in overview.c), and how busy all lanes are. Columns outside the window are dim. It
 * depends on the lanes and the width, not on the window, so panning and zooming compute nothing. */
#ifndef FLAMETTY_DRAW_OVERVIEW_H
#define FLAMETTY_DRAW_OVERVIEW_H

#include "analyse/search.h"
#include "draw/chart.h"

#define ACTIVITY_MAX 255
#define OVERVIEW_REQUESTS_ROWS 30

/* The parts, from the bottom of a bar to its top. Garbage collection is at the bottom, so that its
 * heights can be compared along the whole row. */
enum activity_part {
	ACTIVITY_GC,
	ACTIVITY_OWN,
	/* By other colours: each hue, each heat from the highest to the lowest, or each change from
	   much more to much less. */
	ACTIVITY_HUE_LAST = ACTIVITY_OWN + ROLE_HUES - 1,
	ACTIVITY_DEPENDENCY,
	ACTIVITY_SCRIPTING, /* from here on: slices of browsers, by what they do */
	ACTIVITY_RENDERING,
	ACTIVITY_PAINTING,
	ACTIVITY_LOADING,
	ACTIVITY_TASK,
	ACTIVITY_NATIVE,
	ACTIVITY_NODE, /* runtimes, and (program) */
	ACTIVITY_PARTS
};

/* The share that busy_ns has of ns, in ACTIVITY_MAX-ths: above 0 if there is any, at most
 * ACTIVITY_MAX. */
uint8_t activity_share(int64_t busy_ns, int64_t ns);

/* Shares of the stretch, in ACTIVITY_MAX-ths. The parts add up to `busy`; the rest is idle or was
 * not sampled. `busy` is above 0 if there is any activity. */
struct activity {
	uint8_t busy;
	uint8_t part[ACTIVITY_PARTS];
	uint8_t color; /* what the parts are by: enum chart_color, or a change */
};

/* Column c is column c of `cols` of the whole time line.
 *
 * `busy` is about all lanes of samples or, if there are none, all lanes of slices: the part of the
 * column in which the busiest of them ran something other than idle time. The sum over lanes would
 * hide one blocked thread among ten idle ones. */
struct overview {
	int cols;
	uint8_t *busy; /* 0 to ACTIVITY_MAX; above 0 if there is any activity */
	int n_made;    /* number of columns with a known `busy` */
	int made_lane; /* ... and the lanes before this one are in that of the next column */
	enum lane_kind kind;
	int n_lanes;             /* lanes that count in `busy`: of a thread, the first one */
	const struct lane *lane; /* the lane with the cursor; NULL: it has no activity */
	struct activity *of_lane;
	int n_of_lane;     /* number of columns with a known `of_lane` */
	unsigned color;    /* what their parts are by */
	uint8_t *is_match; /* by column; 1: a lane has time there that the search matches */
	bool has_matches;  /* matches are shown */
	int n_marked;      /* number of columns with a valid is_match */
	int marked_lane;   /* ... and the lanes before this one do not match in the next column */
	/* By column, the most requests in flight at once, and the most of all; NULL: there are no
	 * requests, or not yet. */
	uint32_t *in_flight, most_in_flight;
};

/* Begin an overview of `cols` columns for [t_min, t_max) of the view of `chart`, none of them
 * known. `o` must be zeroed before its first use. overview_make() computes columns within the
 * budget: true when all are known; it begins the lane again when the cursor is on another one, or
 * colours stand for something else. Begin again when the lanes or the width change. */
void overview_begin(struct overview *o, const struct chart *chart, int cols);
bool overview_make(struct overview *o, const struct chart *chart, struct budget *budget);

/* The same for the columns with matches of a complete search. */
static inline void overview_begin_marks(struct overview *o)
{
	o->has_matches = true;
	o->n_marked = o->marked_lane = 0;
	if (o->cols > 0)
		memset(o->is_match, 0, (size_t)o->cols);
}

/* The search is about to go: no more columns are marked. Returns whether all are. */
static inline bool overview_end_marks(struct overview *o)
{
	bool is_done = !o->has_matches || o->n_marked >= o->cols;

	o->n_marked = o->cols;
	return is_done;
}

bool overview_mark(struct overview *o, const struct chart *chart, struct search *search,
		   struct budget *budget);

/* The index of the lane that the parts are of: the one with the cursor, or the first of those that
 * it is joined to, if it shows what a thread does; -1: none. */
int overview_lane(const struct chart *chart);

/* Whether a lane is the same as `lane`, or the same thread in another recording. */
bool overview_is_same(const struct chart *chart, int lane, int other);

/* Times of all that are the same, in ns. */
struct overview_times {
	int64_t busy;  /* neither idle nor an empty stack */
	int64_t gc;    /* of that, garbage collection */
	int64_t match; /* with a match of the search on the stack */
};

/* Those in [t0, t1). search: a complete one, or NULL. Costs by the number of functions. */
void overview_times(const struct chart *chart, int lane, struct search *search, int64_t t0,
		    int64_t t1, struct overview_times *out);

static inline void overview_done(struct overview *o)
{
	free(o->busy);
	free(o->of_lane);
	free(o->is_match);
	free(o->in_flight);
	memset(o, 0, sizeof *o);
}

/* Draw the overview in one row of `r`, or in two: twice as high, or with all lanes in the second
 * one if there are several. If the chart has requests, one more row is how many are in flight, from
 * OVERVIEW_REQUESTS_ROWS of the screen on. The window has brackets of ROLE_WINDOW, unless it is the
 * whole. Nothing is drawn if chart->overview is missing or has another width. Columns that are not
 * known are drawn as unfinished. */
void overview_draw(struct grid *g, struct rect r, const struct chart *chart);

/* ---- lane strip ----
 *
 * What a folded lane does in the window, in the row of its title. */

/* Owned by the scene; zeroed before its first use. */
struct lane_strip {
	int64_t t0, t1; /* the window */
	int cols;
	unsigned color; /* what the parts of cells are by */
	int n_made;     /* number of known cells */
	/* Cell i is that of cell i + shift of the window before, if that was of the same time. */
	struct viewport before;
	int shift;
	bool has_busy;
	int64_t busy_ns; /* in the window */
	/* Of a counter, the height of the value; of marks, whether there is one. */
	struct activity *cells;
};

/* The columns of the strip of a lane in a chart of `cols` columns; 0: it has none. */
int lane_strip_cols(const struct chart *chart, int lane, int cols);

/* Compute the strip of a lane for the window, `cols` columns wide, within the budget: true when all
 * of it is known. Costs by the number of functions. */
bool lane_strip_make(struct lane_strip *strip, const struct chart *chart, int lane, int cols,
		     struct budget *budget);

static inline void lane_strip_done(struct lane_strip *strip)
{
	free(strip->cells);
	*strip = (struct lane_strip){ 0 };
}

/* Append the busy share, `37 %`; of marks, their number; of a counter, its highest value. Nothing
 * while it is not known. */
void lane_strip_format(const struct chart *chart, int lane, struct buf *out);

/* Draw the strip into one row. Cells that are not known are drawn as unfinished. */
void lane_strip_draw(struct grid *g, struct rect r, const struct chart *chart, int lane);

#endif

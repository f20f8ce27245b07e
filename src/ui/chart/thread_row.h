/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The spans in a row of the chart, whichever lane they are of: lanes that are laid over each other
 * (chart_lane.n_over) share their rows. For all other lanes these are the spans of one depth. */
#ifndef FLAMETTY_UI_CHART_THREAD_ROW_H
#define FLAMETTY_UI_CHART_THREAD_ROW_H

#include "draw/chart.h"

/* A span of lane `lane`. */
struct thread_row_span {
	int lane;
	struct span span;
};

/* The row of a span, counted from that of depth 0 of the lane that is not laid over another. */
int thread_row_of(const struct chart *chart, int lane, const struct span *span);

/* All return false if there is none. */

/* The span at time t in row `row` of `lane` or a lane that is laid over it. */
bool thread_row_at(const struct chart *chart, int lane, int row, int64_t t,
		   struct thread_row_span *out);

/* The same in `row` or the nearest row above it that has one. */
bool thread_row_near(const struct chart *chart, int lane, int row, int64_t t,
		     struct thread_row_span *out);

/* The next span, or the one before, in the row of `from`. */
bool thread_row_beside(const struct chart *chart, const struct thread_row_span *from, bool is_next,
		       struct thread_row_span *out);

/* The span above `from`: its caller or, if another lane has that row at the start of `from`, the
 * span there. */
bool thread_row_above(const struct chart *chart, const struct thread_row_span *from,
		      struct thread_row_span *out);

/* The span below `from` with the longest part in [t0, t1). */
bool thread_row_below(const struct chart *chart, const struct thread_row_span *from, int64_t t0,
		      int64_t t1, struct thread_row_span *out);

/* The span with most time in [t0, t1) in a row, and in that time of it. It looks at each lane by
 * its coverage, which is made. */
bool thread_row_drawn(const struct chart *chart, int lane, int row, int64_t t0, int64_t t1,
		      struct thread_row_span *out);

#endif

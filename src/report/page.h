/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of the text report, and the cells they are made of. Lines have at most PAGE_CELLS
 * cells. */
#ifndef FLAMETTY_REPORT_PAGE_H
#define FLAMETTY_REPORT_PAGE_H

#include "report/gather.h"

#define PAGE_CELLS 100

/* Text from the profile, made visible, truncated to `width` cells and padded with blanks. */
void page_cell(struct buf *out, const char *text, size_t len, int width);

/* Text aligned to the right in `width` cells. */
void page_right(struct buf *out, const char *text, int width);

/* A time in 10 cells, and a share in 8 cells; both aligned to the right. */
void page_time(struct buf *out, int64_t ns);
void page_share(struct buf *out, int64_t part, int64_t whole);

/* `  … 12 more packages (--top=N)`; nothing if n is 0. */
void page_more(struct buf *out, size_t n, const char *one, const char *many);

/* One line per lane, busiest first. */
void page_lanes(const struct gathered *g, struct buf *out);

/* The files: how often each was sampled, how long, how much is in it. */
void page_inputs(const struct gathered *g, struct buf *out);

/* The first functions in this order. */
void page_functions(const struct gathered *g, enum rows_sort sort, struct buf *out);

/* The heaviest stack (summary.h). */
void page_stack(const struct gathered *g, struct buf *out);

#endif

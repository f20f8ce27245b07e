/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of the text page share. Lines have PAGE_CELLS cells at most. */
#ifndef FLAMETTY_REPORT_PAGE_H
#define FLAMETTY_REPORT_PAGE_H

#include "report/gather.h"

#define PAGE_CELLS 100

/* Text from the profile, made visible, cut to `width` cells and filled up with blanks. */
void page_cell(struct buf *out, const char *text, size_t len, int width);

/* A time in 10 cells, a share in 8; both flush right. */
void page_time(struct buf *out, int64_t ns);
void page_share(struct buf *out, int64_t part, int64_t whole);

/* `  … 12 more packages (--top=N)`; nothing for 0. */
void page_more(struct buf *out, size_t n, const char *one, const char *many);

/* One line for each lane, busiest first. */
void page_lanes(const struct gathered *g, struct buf *out);

/* The heaviest functions, sorted so. */
void page_functions(const struct gathered *g, enum rows_sort sort, struct buf *out);

/* The heaviest stack. */
void page_stack(const struct gathered *g, struct buf *out);

#endif

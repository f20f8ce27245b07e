/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which rows of a range of time contain a span that a search matches. A match must be visible even
 * in a cell that it shares with longer spans. */
#ifndef FLAMETTY_ANALYSE_MATCH_ROWS_H
#define FLAMETTY_ANALYSE_MATCH_ROWS_H

#include "analyse/search.h"

struct match_rows;

/* The search's lane must outlive it. NULL: nothing in the lane matches. */
struct match_rows *match_rows_new(const struct search_lane *lane);
void match_rows_free(struct match_rows *m);

/* How much memory match_rows_new() takes. */
size_t match_rows_bytes(const struct search_lane *lane);

/* Whether row `depth` has a match in [t0, t1), as far as it is known: false if the column is not in
 * the cache. */
bool match_rows_has(const struct match_rows *m, int64_t t0, int64_t t1, int depth);

/* Whether all rows of [t0, t1) are in the cache; if so, this is a request for them, as in
 * cover_has(). Compute them within the budget; true when they are known. Otherwise the next call
 * continues, as in cover_make(). */
bool match_rows_is_known(struct match_rows *m, int64_t t0, int64_t t1);
bool match_rows_make(struct match_rows *m, int64_t t0, int64_t t1, struct budget *budget);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The gates of a comparison: what became of them, as text and as JSON. */
#ifndef FLAMETTY_REPORT_DIFF_GATES_H
#define FLAMETTY_REPORT_DIFF_GATES_H

#include "analyse/gate/gate_runs.h"
#include "write/report/page.h"

/* Append what happened to the i-th gate: `gc > +5%: +42.5 %, from 12.0 % to 17.1 %; p 0.0022 of 6 +
 * 6 runs`; the functions that match; the value of each run; why it is not decided, or why it has
 * not failed beyond its limit. Nothing where there is nothing to say. */
void diff_gates_figure(const struct compare *c, const struct gate_runs *gates, size_t i,
		       struct buf *out);
void diff_gates_functions(const struct compare *c, const struct gate_runs *gates, size_t i,
			  struct buf *out);
void diff_gates_runs(const struct compare *c, const struct gate_runs *gates, size_t i,
		     struct buf *out);
void diff_gates_doubt(const struct compare *c, const struct gate_runs *gates, size_t i,
		      struct buf *out);

/* The section `gates`, and the member `gates`; nothing if there are none. */
void diff_gates_page(struct page *page, const struct compare *c, const struct gate_runs *gates,
		     bool is_strict);
void diff_gates_json(const struct compare *c, const struct gate_runs *gates, struct buf *out);

#endif

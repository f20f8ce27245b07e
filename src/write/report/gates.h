/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The gates of a report: what became of them, as text and as JSON. */
#ifndef FLAMETTY_REPORT_GATES_H
#define FLAMETTY_REPORT_GATES_H

#include "analyse/gate/gate_result.h"
#include "base/buf.h"
#include "write/report/page.h"

/* Decide n gates for the profile in the scope of the options; they are about functions, whatever
 * --group makes of the rows, and --filter. `results` has room for n. Returns false with err set
 * if that fails. */
bool gates_find(const struct scoped *scoped, const struct report_options *options,
		const struct gate *gates, size_t n, struct gate_result *results, struct error *err);

/* The section `gates`; nothing if the options have none. */
void gates_page(struct page *page);

/* Append the member `gates`; nothing if the options have none. */
void gates_json(const struct report_options *options, const struct profile *profile,
		struct buf *out);

#endif

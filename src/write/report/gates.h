/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The gates of a report: what became of them, as text and as JSON. */
#ifndef FLAMETTY_WRITE_REPORT_GATES_H
#define FLAMETTY_WRITE_REPORT_GATES_H

#include "analyse/gate/gate.h"
#include "base/buf.h"
#include "base/json/json_writer.h"
#include "write/report/page.h"

struct report_options;
struct scoped;

/* Decide n gates for the profile in the scope of the options; they are about functions, whatever
 * --group makes of the rows, and --filter. `results` has room for n. Returns false with err set
 * if that fails. */
bool gates_find(const struct scoped *scoped, const struct report_options *options,
		const struct gate *gates, size_t n, struct gate_result *results,
		struct error *err) MUST_USE;

/* The section `gates`; nothing if the options have none. */
void gates_page(struct page *page);

/* Write the member `gates`; nothing if the options have none. */
void gates_json(const struct report_options *options, const struct profile *profile,
		struct json_writer *w);

/* Append what the gate found, and the functions if it has failed, otherwise why it is not decided:
 * `gc > 5%: 14.2 % (205 ms of 1.45 s busy): render a.js:28:21 9.1 %, 3 more functions`. profile:
 * has the texts of the frames. */
void gates_line(const struct gate_result *result, const struct profile *profile, bool has_failed,
		struct buf *out);

/* The same of the i-th gate of a comparison, with the value of each run if it has failed:
 * `gc > +5%: +42.5 %, from 12.0 % to 17.1 %; p 0.0022 of 6 + 6 runs; before 11 %, 12 %; ...`. */
void diff_gates_line(const struct compare *c, const struct gate_runs *gates, size_t i,
		     bool has_failed, struct buf *out);

/* The section `gates`, and the member `gates`; nothing if there are none. */
void diff_gates_page(struct page *page, const struct compare *c, const struct gate_runs *gates,
		     bool is_strict);
void diff_gates_json(const struct compare *c, const struct gate_runs *gates, struct json_writer *w);

#endif

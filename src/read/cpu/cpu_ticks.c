/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads how many samples found each line executing: positionTicks of a node in any form, and the
 * position of each sample of a chunk. */
#include "config.h"

#include "read/cpu/cpu_reader.h"

#include <string.h>

void cpu_ticks_add(struct cpu_reader *r, int64_t line, int64_t ticks)
{
	if (line <= 0 || ticks <= 0) {
		builder_warn(r->b, WARN_ODD_TICKS, -1);
		return;
	}
	r->ticks = xgrow(r->ticks, &r->cap_ticks, r->n_ticks + 1, sizeof *r->ticks);
	r->ticks[r->n_ticks].line = line;
	r->ticks[r->n_ticks++].ticks = ticks;
}

bool cpu_ticks_read(struct cpu_reader *r)
{
	bool first_entry = true;

	r->n_ticks = 0;
	if (scan_peek(r->s) != '[')
		return scan_skip(r->s);
	if (!scan_open(r->s, '['))
		return false;
	while (scan_element(r->s, &first_entry)) {
		int64_t line = 0, ticks = 0, value;
		bool first_key = true, is_text;
		enum number_kind kind;
		struct str key;

		if (scan_peek(r->s) != '{') {
			builder_warn(r->b, WARN_ODD_TICKS, scan_offset(r->s));
			if (!scan_skip(r->s))
				return false;
			continue;
		}
		scan_open(r->s, '{');
		while (scan_key(r->s, &first_key, &key)) {
			bool is_line = str_is(key, "line"), is_ticks = str_is(key, "ticks");
			bool one = true;

			if (!is_line && !is_ticks) {
				if (!scan_skip(r->s))
					return false;
				continue;
			}
			if (scan_number_list(r->s, 0, &value, 1, &one) == 0 &&
			    !scan_number(r->s, 0, &value, &kind, &is_text))
				return false;
			*(is_line ? &line : &ticks) = value;
		}
		if (r->err->kind != ERR_NONE)
			return false;
		cpu_ticks_add(r, line, ticks);
	}
	return r->err->kind == ERR_NONE;
}

void cpu_ticks_slots(struct cpu_reader *r, const uint32_t *slots, size_t n)
{
	r->line_slots = xgrow(r->line_slots, &r->cap_line_slots, r->n_line_slots + n,
			      sizeof *r->line_slots);
	memcpy(r->line_slots + r->n_line_slots, slots, n * sizeof *slots);
	r->n_line_slots += n;
}

void cpu_ticks_lines(struct cpu_reader *r, bool is_columns, const int64_t *values, size_t n)
{
	int64_t **all = is_columns ? &r->columns.all : &r->lines.all;
	size_t *have = is_columns ? &r->columns.n : &r->lines.n;

	*all = xgrow(*all, is_columns ? &r->columns.cap : &r->lines.cap, *have + n, sizeof **all);
	memcpy(*all + *have, values, n * sizeof *values);
	*have += n;
}

void cpu_ticks_pass(struct cpu_reader *r)
{
	for (size_t i = 0; i < r->n_line_slots && i < r->lines.n; i++)
		cpu_builder_line(r->b, r->line_slots[i], r->lines.all[i],
				 i < r->columns.n ? r->columns.all[i] : 0);
	r->n_line_slots = r->lines.n = r->columns.n = 0;
}

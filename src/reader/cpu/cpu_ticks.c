/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads positionTicks of a node in any form: how many samples found each line executing. */
#include "config.h"

#include "reader/cpu/cpu_reader.h"

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

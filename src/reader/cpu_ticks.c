/* SPDX-License-Identifier: GPL-2.0-or-later */
/* positionTicks of a node: how often each line was seen executing. There are as many of
 * these as of nodes, so the form in which V8 writes them has a way of its own. */
#include "config.h"

#include "reader/cpu_reader.h"

#include <string.h>

static void add_ticks(struct cpu_reader *r, int64_t line, int64_t ticks)
{
	if (line <= 0 || ticks <= 0) {
		builder_warn(r->b, WARN_ODD_TICKS, -1);
		return;
	}
	r->ticks = xgrow(r->ticks, &r->cap_ticks, r->n_ticks + 1, sizeof *r->ticks);
	r->ticks[r->n_ticks].line = line;
	r->ticks[r->n_ticks++].ticks = ticks;
}

/* An entry as V8 writes it, `{"line":12,"ticks":3}`, all of it in the window. */
static bool plain_ticks(struct cpu_reader *r)
{
	static const char head[] = "{\"line\":", middle[] = ",\"ticks\":";
	const unsigned char *p = r->s->p;
	int64_t line = 0, ticks = 0;
	int n = 0;

	if (r->s->end - p < 64 || memcmp(p, head, sizeof head - 1) != 0)
		return false;
	for (p += sizeof head - 1; *p >= '0' && *p <= '9' && n < 9; p++, n++)
		line = line * 10 + (*p - '0');
	if (n == 0 || p[-n] == '0' || memcmp(p, middle, sizeof middle - 1) != 0)
		return false;
	n = 0;
	for (p += sizeof middle - 1; *p >= '0' && *p <= '9' && n < 9; p++, n++)
		ticks = ticks * 10 + (*p - '0');
	if (n == 0 || p[-n] == '0' || *p != '}')
		return false;
	r->s->p = p + 1;
	add_ticks(r, line, ticks);
	return true;
}

bool cpu_reader_ticks(struct cpu_reader *r)
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
		struct slice key;

		if (plain_ticks(r))
			continue;
		if (scan_peek(r->s) != '{') {
			builder_warn(r->b, WARN_ODD_TICKS, scan_offset(r->s));
			if (!scan_skip(r->s))
				return false;
			continue;
		}
		scan_open(r->s, '{');
		while (scan_key(r->s, &first_key, &key)) {
			bool is_line = cpu_reader_is_key(key, "line"), is_ticks = cpu_reader_is_key(key, "ticks");
			bool one = true;

			if (!is_line && !is_ticks) {
				if (!scan_skip(r->s))
					return false;
				continue;
			}
			if (scan_integers(r->s, 0, &value, 1, &one) == 0 && !scan_number(r->s, 0, &value, &kind, &is_text))
				return false;
			*(is_line ? &line : &ticks) = value;
		}
		if (r->err->kind != ERR_NONE)
			return false;
		add_ticks(r, line, ticks);
	}
	return r->err->kind == ERR_NONE;
}

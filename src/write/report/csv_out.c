/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fields are separated by commas; rows end with CR LF. */
#include "config.h"

#include "write/report/csv_out.h"

#include "write/report/csv_cell.h"

#include <inttypes.h>
#include <string.h>

static void begin_field(struct csv *c)
{
	if (c->has_field)
		buf_addc(c->out, ',');
	c->has_field = true;
}

bool csv_out_end(struct csv *c)
{
	buf_adds(c->out, "\r\n");
	c->has_field = false;
	return sink_step(c->sink);
}

void csv_out_text(struct csv *c, const char *text, size_t len)
{
	begin_field(c);
	csv_cell_text(c->out, text, len, c->g->options->is_raw_csv);
}

void csv_out_string(struct csv *c, str_id id)
{
	const struct profile *p = c->g->profile;

	csv_out_text(c, profile_text(p, id), id ? intern_len(&p->strings, id) : 0);
}

void csv_out_count(struct csv *c, uint64_t n)
{
	begin_field(c);
	buf_addf(c->out, "%" PRIu64, n);
}

void csv_out_headings(struct csv *c, const char *headings)
{
	const struct amount_unit *unit = &c->g->profile->unit;
	const char *at;

	for (; !amount_is_time(unit) && (at = strstr(headings, "_us")); headings = at + 3) {
		buf_add(c->out, headings, (size_t)(at - headings));
		buf_adds(c->out, amount_column_end(unit));
	}
	buf_adds(c->out, headings);
}

void csv_out_value(struct csv *c, int64_t ns)
{
	const struct amount_unit *unit = &c->g->profile->unit;
	uint64_t abs = ns < 0 ? (uint64_t)0 - (uint64_t)ns : (uint64_t)ns;

	begin_field(c);
	if (!amount_is_time(unit)) {
		buf_addf(c->out, "%" PRId64, amount_number(unit, ns));
		return;
	}
	buf_addf(c->out, "%s%" PRIu64, ns < 0 ? "-" : "", abs / 1000);
	if (abs % 1000)
		buf_addf(c->out, ".%03u", (unsigned)(abs % 1000));
}

void csv_out_known(struct csv *c, int64_t number)
{
	if (number >= 0)
		csv_out_count(c, (uint64_t)number);
	else
		csv_out_text(c, "", 0);
}

void csv_out_id(struct csv *c, int64_t id)
{
	if (id >= 0)
		csv_out_count(c, (uint64_t)id);
	else if (id == LANE_NO_ID)
		csv_out_text(c, "", 0);
	else {
		begin_field(c);
		buf_addf(c->out, "%" PRId64, id);
	}
}

void csv_out_frame(struct csv *c, const struct frame *f)
{
	csv_out_string(c, f->name);
	csv_out_string(c, f->url);
	csv_out_string(c, f->url ? 0 : f->script);
	csv_out_known(c, f->line > 0 ? f->line : -1);
	csv_out_known(c, f->column > 0 ? f->column : -1);
	csv_out_text(c, category_name(f->category), strlen(category_name(f->category)));
	csv_out_string(c, f->package);
}

bool csv_out_is_beyond(const struct csv *c, size_t n)
{
	return c->g->options->has_top && n >= (size_t)c->g->options->top;
}

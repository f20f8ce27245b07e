/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fields are separated by commas; rows end with CR LF. */
#include "config.h"

#include "write/report/csv_out.h"

#include "base/buf.h"
#include "base/text.h"
#include "write/report/report.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* ==== csv cell ====
 *
 * A tabulator or a carriage return at the beginning of a cell would make spreadsheets compute what
 * follows, too; in visible form they are `^I` and `^M`. */

#define PACKAGE_MAX 214 /* characters of a package name, by npm's rule */

/* The byte after a part of a package name that begins at p. npm allows more characters in names
 * from before 2015, among them parentheses: these are no names here. */
static const char *part_end(const char *p, const char *end)
{
	if (p < end && (*p == '.' || *p == '_'))
		return p;
	while (p < end &&
	       ((*p >= 'a' && *p <= 'z') || (*p >= '0' && *p <= '9') || *p == '-' || *p == '.' ||
		*p == '_'))
		p++;
	return p;
}

/* Whether the text is the name of a scoped package. */
static bool is_package(const char *text, size_t len)
{
	const char *end = text + len, *slash, *stop;

	if (len > PACKAGE_MAX || *text != '@')
		return false;
	slash = part_end(text + 1, end);
	if (slash == text + 1 || slash == end || *slash != '/')
		return false;
	stop = part_end(slash + 1, end);
	return stop > slash + 1 && stop == end;
}

/* Whether a spreadsheet may take the text for a formula, or for one behind an apostrophe. */
static bool is_formula(const char *text, size_t len)
{
	size_t i = 0;

	while (i < len && text[i] == '\'')
		i++;
	return i < len && strchr("=+-@", text[i]) && text[i] && !is_package(text, len);
}

/* Append visible text. */
static void add_quoted(struct buf *out, const char *text, size_t len)
{
	buf_addc(out, '"');
	while (len) {
		const char *quote = memchr(text, '"', len);
		size_t n = quote ? (size_t)(quote - text) + 1 : len;

		buf_add(out, text, n);
		if (quote)
			buf_addc(out, '"');
		text += n;
		len -= n;
	}
	buf_addc(out, '"');
}

void csv_cell_text(struct buf *out, const char *text, size_t len, bool is_raw)
{
	struct buf visible = { 0 };

	if (!is_raw && is_formula(text, len))
		buf_addc(&visible, '\'');
	text_visible(&visible, text, len);
	if (strpbrk(buf_text(&visible), ",\"") != NULL)
		add_quoted(out, visible.data, visible.len);
	else
		buf_add(out, buf_text(&visible), visible.len);
	buf_done(&visible);
}

/* ==== csv out ==== */

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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A row becomes cells, one for each column; a form writes those that it has. */
#include "config.h"

#include "write/report/report_table.h"

#include "base/units.h"
#include "model/lane_name.h"
#include "write/report/json_out.h"

#include <ctype.h>
#include <stdio.h>

/* ==== report table ==== */

#define PLACE "Location"

/* ---- CSV ---- */

static void add_headings(struct csv *c, const struct report_column *columns)
{
	bool is_first = true;

	for (const struct report_column *k = columns; k->kind; k++) {
		if (!(k->where & REPORT_CSV))
			continue;
		buf_adds(c->out, is_first ? "" : ",");
		buf_adds(c->out, k->kind == REPORT_FRAME ? CSV_FRAME_HEADINGS : k->key);
		if (k->kind == REPORT_VALUE || k->kind == REPORT_KNOWN)
			buf_adds(c->out, amount_column_end(&c->g->profile->unit));
		is_first = false;
	}
	buf_adds(c->out, "\r\n");
}

static void add_lane(struct csv *c, const struct lane *lane)
{
	struct buf name = { 0 };

	lane_name(c->g->scoped->original, lane, true, &name);
	csv_out_text(c, buf_text(&name), name.len);
	buf_done(&name);
}

static void add_field(struct csv *c, enum report_kind kind, const struct report_cell *cell)
{
	switch (kind) {
	case REPORT_VALUE:
	case REPORT_KNOWN:
		if (cell->n == REPORT_NONE)
			csv_out_text(c, "", 0);
		else
			csv_out_value(c, cell->n);
		break;
	case REPORT_COUNT:
	case REPORT_HITS:
	case REPORT_BYTES:
		csv_out_known(c, cell->n);
		break;
	case REPORT_ID:
		csv_out_id(c, cell->n);
		break;
	case REPORT_LANE:
		add_lane(c, cell->lane);
		break;
	case REPORT_FRAME:
		csv_out_frame(c, cell->frame);
		break;
	default:
		if (cell->text)
			csv_out_text(c, cell->text, cell->len);
		else
			csv_out_string(c, cell->string);
	}
}

/* ---- JSON ---- */

static void add_member(struct report_out *out, const struct report_column *k,
		       const struct report_cell *cell)
{
	const struct profile *p = out->profile;
	struct json_item item = json_raw(k->key, "null");

	switch (k->kind) {
	case REPORT_VALUE:
	case REPORT_KNOWN:
		if (cell->n == REPORT_NONE)
			item.key_end = amount_member_end(&p->unit);
		else
			item = json_out_member(p, k->key, cell->n);
		break;
	case REPORT_COUNT:
	case REPORT_HITS:
	case REPORT_BYTES:
		item = json_known(k->key, cell->n, cell->n >= 0);
		break;
	case REPORT_ID:
		item = json_known(k->key, cell->n, cell->n != LANE_NO_ID);
		break;
	case REPORT_BOOL:
		item = json_boolean(k->key, cell->n);
		break;
	case REPORT_FRAME:
		json_out_frame(out->json, p, cell->frame);
		if (cell->id)
			json_out_in_script(out->json, p, cell->id);
		return;
	default:
		item = cell->text ? json_text(k->key, cell->text, cell->len)
				  : json_out_string(k->key, p, cell->string);
	}
	json_put(out->json, item);
}

/* ---- pages ---- */

/* By kind: that of the page. */
static const enum page_kind page_kinds[] = {
	[REPORT_VALUE] = PAGE_TIME,   [REPORT_KNOWN] = PAGE_NUMBER,  [REPORT_SHARE] = PAGE_SHARE,
	[REPORT_COUNT] = PAGE_NUMBER, [REPORT_HITS] = PAGE_NUMBER,   [REPORT_BYTES] = PAGE_NUMBER,
	[REPORT_ID] = PAGE_NUMBER,    [REPORT_SHORT] = PAGE_NUMBER,  [REPORT_LANE] = PAGE_WORDS,
	[REPORT_WORDS] = PAGE_WORDS,  [REPORT_BRIEF] = PAGE_PACKAGE, [REPORT_NAME] = PAGE_NAME,
	[REPORT_PATH] = PAGE_PATH,    [REPORT_FRAME] = PAGE_NAME,
};

static bool is_on_page(const struct report_out *out, const struct report_column *k)
{
	return k->where & REPORT_PAGE &&
		(k->kind != REPORT_HITS || lane_value_hit_ns(out->profile) > 0);
}

/* Write the headings above their columns, those of numbers at the right. Shares and places have
 * none, and it is left out where its column is narrower. */
static void make_lead(struct report_out *out)
{
	int col = 0, at = 0;

	for (const struct page_column *k = out->head.columns; k->name; k++) {
		const char *name = k->kind == PAGE_NAME && k[1].kind == PAGE_PATH ? "name"
										  : k->name;
		int len = (int)strlen(name), from = col + k->gap;

		from += k->kind < PAGE_WORDS ? k->width - len : 0;
		if (k->kind != PAGE_SHARE && strcmp(name, PLACE) != 0 && from >= at &&
		    from + len < REPORT_LEAD_MAX)
			at += snprintf(out->lead + at, sizeof out->lead - (size_t)at, "%*s%s",
				       from - at, "", name);
		col += k->gap + k->width;
	}
	for (char *c = out->lead; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	out->head.heading = out->lead;
}

static void set_head(struct report_out *out, const struct report_table *table)
{
	struct page_column *at = out->head.columns;

	out->head = (struct page_table){ .title = table->title,
					 .note = table->note,
					 .heading = table->lead };
	for (const struct report_column *k = table->columns; k->kind; k++) {
		if (!is_on_page(out, k))
			continue;
		*at++ = (struct page_column){ k->heading, page_kinds[k->kind], k->gap, k->width };
		if (k->kind == REPORT_FRAME)
			*at++ = (struct page_column){ PLACE, PAGE_PATH, 1, 0 };
	}
	if (table->lead && !*table->lead)
		make_lead(out);
}

/* The text of a number; "-": it is not known. */
static void format_number(const struct report_out *out, enum report_kind kind, int64_t n,
			  char text[UNITS_MAX])
{
	if (n < 0)
		snprintf(text, UNITS_MAX, "-");
	else if (kind == REPORT_KNOWN)
		profile_value(out->profile, n, text);
	else if (kind == REPORT_COUNT || kind == REPORT_HITS)
		units_count((uint64_t)n, text);
	else if (kind == REPORT_BYTES)
		units_bytes(n, text);
	else
		page_id((uint32_t)n, text);
}

static void add_page_row(struct report_out *out, const struct report_cell *cells)
{
	char texts[PAGE_COLUMNS][UNITS_MAX];
	struct page_cell made[PAGE_COLUMNS];
	struct buf place = { 0 };
	size_t n = 0;

	for (const struct report_column *k = out->table->columns; k->kind; k++, cells++) {
		struct page_cell *cell = &made[n];

		if (!is_on_page(out, k))
			continue;
		*cell = (struct page_cell){ .text = cells->text, .len = cells->len };
		cell->ns = cells->n;
		cell->whole = cells->whole;
		cell->lane = cells->lane;
		if (k->kind == REPORT_FRAME) {
			*cell = page_string(out->page, cells->frame->name);
			profile_location(out->profile, cells->frame, false, &place);
			made[++n] = (struct page_cell){ .text = buf_text(&place),
							.len = place.len };
		} else if (page_kinds[k->kind] == PAGE_NUMBER && k->kind != REPORT_SHORT) {
			format_number(out, k->kind, cells->n, texts[n]);
			*cell = page_short(texts[n]);
		} else if (!cells->text && !cells->lane && k->kind >= REPORT_WORDS) {
			*cell = page_string(out->page, cells->string);
		}
		n++;
	}
	page_row(out->page, &out->head, made);
	buf_done(&place);
}

/* ---- all ---- */

void report_table_use(struct report_out *out, const struct report_table *table)
{
	out->table = table;
	out->n = out->n_left = 0;
	if (out->page)
		set_head(out, table);
}

void report_table_begin(struct report_out *out, const struct report_table *table)
{
	report_table_use(out, table);
	if (out->csv)
		add_headings(out->csv, table->columns);
	else if (out->page)
		page_begin(out->page, &out->head);
	else
		json_put(out->json, json_if(table->line, json_line(table->line)),
			 json_begin(table->member, "["));
}

void report_table_members(struct report_out *out, const struct report_table *table, const void *row)
{
	struct report_cell cells[REPORT_COLUMNS_MAX];

	table->get(out, row, cells);
	for (size_t i = 0; table->columns[i].kind; i++)
		if (table->columns[i].where & REPORT_JSON && !cells[i].is_lacking)
			add_member(out, &table->columns[i], &cells[i]);
}

bool report_table_row(struct report_out *out, const void *row)
{
	const struct report_column *columns = out->table->columns;
	struct report_cell cells[REPORT_COLUMNS_MAX];
	int line = out->table->row_line;

	if (out->n == out->rows_max) {
		out->n_left++;
		return true;
	}
	out->n++;
	if (out->json) {
		json_put(out->json, json_if(line, json_line(line)), json_begin(NULL, "{"));
		report_table_members(out, out->table, row);
		json_put(out->json, json_end("}"));
		return !out->sink || sink_step(out->sink);
	}
	out->table->get(out, row, cells);
	if (out->page) {
		add_page_row(out, cells);
		return true;
	}
	for (size_t i = 0; columns[i].kind; i++)
		if (columns[i].where & REPORT_CSV)
			add_field(out->csv, columns[i].kind, &cells[i]);
	return csv_out_end(out->csv);
}

void report_table_words(struct report_out *out, const char *words)
{
	if (out->page) {
		page_gap(out->page, &out->head, words);
		return;
	}
	for (const struct report_column *k = out->table->columns; k->kind; k++) {
		int n = !(k->where & REPORT_CSV)  ? 0
			: k->kind == REPORT_FRAME ? CSV_FRAME_FIELDS
						  : 1;

		for (int i = 0; i < n; i++)
			csv_out_text(out->csv, words, n > 1 && i == 0 ? strlen(words) : 0);
	}
	csv_out_end(out->csv);
}

void report_table_end(struct report_out *out)
{
	if (out->page)
		page_end(out->page, &out->head, out->n_left, out->table->one, out->table->many);
	else if (out->json)
		json_put(out->json, json_end("]"));
}

void report_table_write(struct report_out *out, const struct report_table *table, const void *rows,
			size_t n, size_t size)
{
	if (out->page && !n)
		return;
	report_table_begin(out, table);
	for (size_t i = 0; i < n && report_table_row(out, (const char *)rows + i * size); i++) {
	}
	report_table_end(out);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A row becomes cells, one for each column; a form writes those that it has. In CSV, fields are
 * separated by commas, and rows end with CR LF. */
#include "config.h"

#include "write/report/report_table.h"

#include "base/text.h"
#include "base/units.h"
#include "model/profile.h"
#include "write/report/gather.h"
#include "write/report/json_out.h"
#include "write/report/report_json.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

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

/* Append text as a cell: in visible form (text_visible), and quoted where necessary. Spreadsheets
 * compute cells that begin with = + - or @: such a text gets an apostrophe in front, except for
 * names of scoped packages (`@scope/name`). A text that begins with apostrophes and one of these
 * characters gets one more, so that the text can be found again. is_raw: no apostrophe is added. */
static void csv_cell_text(struct buf *out, const char *text, size_t len, bool is_raw)
{
	BUF_LOCAL visible = { 0 };

	if (!is_raw && is_formula(text, len))
		buf_addc(&visible, '\'');
	text_visible(&visible, text, len);
	if (strpbrk(buf_text(&visible), ",\"") != NULL)
		add_quoted(out, visible.data, visible.len);
	else
		buf_add(out, buf_text(&visible), visible.len);
}

/* ==== report table ==== */

#define PLACE "Location"
#define FRAME_HEADINGS "name,url,script,line,column,category,package"
#define FRAME_FIELDS 7

static size_t text_len(const struct report_cell *cell)
{
	return cell->len || !cell->text ? cell->len : strlen(cell->text);
}

/* Whether the lanes have slices, or times of the processor of such. */
static bool has_slices(const struct report_out *out, bool of_cpu)
{
	uint32_t n = out->sums ? out->sums->n_lanes : out->g ? out->g->n_lanes : 0;
	bool has = false;

	for (uint32_t i = 0; i < n && !has; i++) {
		const struct lane *lane = out->sums ? out->sums->lane + i : out->g->lanes[i];

		has = of_cpu ? lane->slices.n_cpu > 0
			     : lane->kind == LANE_SLICES || lane->kind == LANE_ASYNC;
	}
	return has;
}

/* Whether a form of the table has a column. */
static bool has_column(const struct report_out *out, const struct report_column *k, unsigned where)
{
	return k->where & where &&
		(k->kind != REPORT_HITS || !(where & REPORT_PAGE) ||
		 lane_value_hit_ns(out->profile) > 0) &&
		(k->kind != REPORT_CODE || !(where & REPORT_PAGE) || out->page->form->has_ids) &&
		(k->kind != REPORT_LABELS || out->profile->has_input_labels) &&
		((k->kind != REPORT_LENGTH && k->kind != REPORT_CPU) ||
		 has_slices(out, k->kind == REPORT_CPU));
}

/* ---- CSV ---- */

static void add_headings(const struct report_out *out, const struct report_column *columns)
{
	const struct amount_unit *unit = &out->profile->unit;
	bool is_first = true;

	for (const struct report_column *k = columns; k->kind; k++) {
		if (!has_column(out, k, REPORT_CSV))
			continue;
		if (k->kind == REPORT_BEFORE || k->kind == REPORT_AFTER) {
			for (uint32_t i = 0; i < out->n_runs[k->kind - REPORT_BEFORE]; i++)
				buf_addf(out->csv, ",%s%u", k->key, (unsigned)i + 1);
			continue;
		}
		buf_adds(out->csv, is_first ? "" : ",");
		buf_adds(out->csv, k->kind == REPORT_FRAME ? FRAME_HEADINGS : k->key);
		if (k->kind == REPORT_VALUE || k->kind == REPORT_KNOWN ||
		    k->kind == REPORT_LENGTH || k->kind == REPORT_CPU)
			buf_adds(out->csv, amount_column_end(unit));
		else if (k->kind == REPORT_WHOLE)
			buf_adds(out->csv, amount_is_time(unit) ? "_ns" : amount_column_end(unit));
		is_first = false;
	}
	buf_adds(out->csv, "\r\n");
}

static void begin_field(struct report_out *out)
{
	if (out->has_field)
		buf_addc(out->csv, ',');
	out->has_field = true;
}

/* A number that is unknown if it is negative. */
static void add_known(struct report_out *out, int64_t n)
{
	begin_field(out);
	if (n >= 0)
		buf_addf(out->csv, "%" PRId64, n);
}

static void add_text(struct report_out *out, const char *text, size_t len)
{
	begin_field(out);
	csv_cell_text(out->csv, text, len, out->options->is_raw_csv);
}

static void add_string(struct report_out *out, str_id id)
{
	const struct profile *p = out->profile;

	add_text(out, profile_text(p, id), id ? intern_len(&p->strings, id) : 0);
}

/* A value of the profile; a time in microseconds. */
static void add_value(struct report_out *out, int64_t ns)
{
	const struct amount_unit *unit = &out->profile->unit;
	uint64_t abs = ns < 0 ? (uint64_t)0 - (uint64_t)ns : (uint64_t)ns;

	begin_field(out);
	if (!amount_is_time(unit)) {
		buf_addf(out->csv, "%" PRId64, amount_number(unit, ns));
		return;
	}
	buf_addf(out->csv, "%s%" PRIu64, ns < 0 ? "-" : "", abs / 1000);
	if (abs % 1000)
		buf_addf(out->csv, ".%03u", (unsigned)(abs % 1000));
}

static void add_number(struct report_out *out, double number)
{
	begin_field(out);
	if (!isnan(number))
		buf_addf(out->csv, "%.9g", number);
}

/* The fields of FRAME_HEADINGS. */
static void add_frame(struct report_out *out, const struct frame *f)
{
	add_string(out, f->name);
	add_string(out, f->url);
	add_string(out, f->url ? 0 : f->script);
	add_known(out, f->line > 0 ? f->line : -1);
	add_known(out, f->column > 0 ? f->column : -1);
	add_text(out, category_name(f->category), strlen(category_name(f->category)));
	add_string(out, f->package);
}

static void add_labels(struct report_out *out, uint32_t input)
{
	struct buf text = { 0 };
	struct json_writer w = { .out = &text };

	json_out_labels(&w, NULL, out->profile, input);
	add_text(out, buf_text(&text), text.len);
	buf_done(&text);
}

static void add_field(struct report_out *out, enum report_kind kind, const struct report_cell *cell)
{
	struct buf name = { 0 };

	if (cell->is_lacking) {
		begin_field(out);
		return;
	}
	switch (kind) {
	case REPORT_VALUE:
	case REPORT_KNOWN:
	case REPORT_LENGTH:
	case REPORT_CPU:
		if (cell->n == REPORT_NONE)
			begin_field(out);
		else
			add_value(out, cell->n);
		break;
	case REPORT_WHOLE:
		add_known(out, amount_number(&out->profile->unit, cell->n));
		break;
	case REPORT_COUNT:
	case REPORT_HITS:
	case REPORT_BYTES:
		add_known(out, cell->n);
		break;
	case REPORT_ID:
		begin_field(out);
		if (cell->n != LANE_NO_ID)
			buf_addf(out->csv, "%" PRId64, cell->n);
		break;
	case REPORT_BOOL:
		begin_field(out);
		buf_adds(out->csv, cell->n ? "true" : "false");
		break;
	case REPORT_NUMBER:
		add_number(out, cell->number);
		break;
	case REPORT_BEFORE:
	case REPORT_AFTER:
		for (uint32_t i = 0; i < out->n_runs[kind - REPORT_BEFORE]; i++)
			add_number(out, cell->list[i]);
		break;
	case REPORT_LANE:
		lane_name(out->g->scoped->original, cell->lane, true, &name);
		add_text(out, buf_text(&name), name.len);
		buf_done(&name);
		break;
	case REPORT_LABELS:
		add_labels(out, (uint32_t)cell->n);
		break;
	case REPORT_FRAME:
		add_frame(out, cell->frame);
		break;
	default:
		if (cell->text)
			add_text(out, cell->text, text_len(cell));
		else
			add_string(out, cell->string);
	}
}

/* End a row. Returns whether the output takes more. */
static bool end_fields(struct report_out *out)
{
	buf_adds(out->csv, "\r\n");
	out->has_field = false;
	return !out->sink || sink_step(out->sink);
}

/* ---- JSON ---- */

/* Of a function of a source, the member in_script: name and place in the script that ran. Nothing
 * of others. */
static void add_in_script(struct json_writer *w, const struct profile *p, frame_id id)
{
	const struct frame *f = other_names_of(p, id);

	if (f)
		json_put(w, json_begin("in_script", "{"), json_out_string("name", p, f->name),
			 json_out_string("url", p, f->url),
			 json_known("line", f->line, f->line > 0),
			 json_known("column", f->column, f->column > 0), json_end("}"));
}

static void add_member(struct report_out *out, const struct report_column *k,
		       const struct report_cell *cell)
{
	const struct profile *p = out->profile;
	struct json_item item = json_raw(k->key, "null");

	switch (k->kind) {
	case REPORT_VALUE:
	case REPORT_KNOWN:
	case REPORT_LENGTH:
	case REPORT_CPU:
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
	case REPORT_NUMBER:
		item = json_number(k->key, cell->number, 9);
		break;
	case REPORT_BEFORE:
	case REPORT_AFTER:
		if (!out->n_runs[k->kind - REPORT_BEFORE])
			return;
		json_put(out->json, json_begin(k->key, "["));
		for (uint32_t i = 0; i < out->n_runs[k->kind - REPORT_BEFORE]; i++)
			json_put(out->json, json_number(NULL, cell->list[i], 9));
		json_put(out->json, json_end("]"));
		return;
	case REPORT_FRAME:
		json_out_frame(out->json, p, cell->frame);
		if (cell->id)
			add_in_script(out->json, p, cell->id);
		return;
	default:
		item = cell->text ? json_text(k->key, cell->text, text_len(cell))
				  : json_out_string(k->key, p, cell->string);
	}
	json_put(out->json, item);
}

/* ---- pages ---- */

/* By kind: that of the page. */
static const enum page_kind page_kinds[] = {
	[REPORT_VALUE] = PAGE_TIME,    [REPORT_KNOWN] = PAGE_NUMBER, [REPORT_SHARE] = PAGE_SHARE,
	[REPORT_COUNT] = PAGE_NUMBER,  [REPORT_HITS] = PAGE_NUMBER,  [REPORT_BYTES] = PAGE_NUMBER,
	[REPORT_LENGTH] = PAGE_NUMBER, [REPORT_CPU] = PAGE_NUMBER,   [REPORT_ID] = PAGE_NUMBER,
	[REPORT_SHORT] = PAGE_NUMBER,  [REPORT_LANE] = PAGE_WORDS,   [REPORT_WORDS] = PAGE_WORDS,
	[REPORT_BRIEF] = PAGE_PACKAGE, [REPORT_NAME] = PAGE_NAME,    [REPORT_PATH] = PAGE_PATH,
	[REPORT_FRAME] = PAGE_NAME,    [REPORT_CODE] = PAGE_PACKAGE,
};

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

#define SHORTER 16

static void set_head(struct report_out *out, const struct report_table *table)
{
	struct page_column *at = out->head.columns;
	bool has_lengths = false;

	out->head = (struct page_table){ .title = table->title,
					 .note = table->note,
					 .heading = table->lead };
	for (const struct report_column *k = table->columns; k->kind; k++) {
		if (!has_column(out, k, REPORT_PAGE))
			continue;
		*at++ = (struct page_column){ k->heading, page_kinds[k->kind], k->gap, k->width };
		/* Names of slices are short, and lengths take the room of their places. */
		has_lengths |= k->kind == REPORT_LENGTH;
		at[-1].width -= k->kind == REPORT_FRAME && has_lengths ? SHORTER : 0;
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
	else if (kind == REPORT_KNOWN || kind == REPORT_LENGTH || kind == REPORT_CPU)
		profile_value(out->profile, n, text);
	else if (kind == REPORT_COUNT || kind == REPORT_HITS)
		units_count((uint64_t)n, text);
	else if (kind == REPORT_BYTES)
		units_bytes(n, text);
	else
		snprintf(text, UNITS_MAX, "%u", (unsigned)n);
}

static struct page_cell string_cell(const struct profile *p, str_id id)
{
	return (struct page_cell){ .text = profile_text(p, id),
				   .len = intern_len(&p->strings, id) };
}

static void add_page_row(struct report_out *out, const struct report_cell *cells)
{
	char texts[PAGE_COLUMNS][UNITS_MAX];
	struct page_cell made[PAGE_COLUMNS];
	BUF_LOCAL place = { 0 };
	size_t n = 0;

	for (const struct report_column *k = out->table->columns; k->kind; k++, cells++) {
		struct page_cell *cell = &made[n];

		if (!has_column(out, k, REPORT_PAGE))
			continue;
		*cell = (struct page_cell){ .text = cells->text, .len = text_len(cells) };
		cell->ns = cells->n;
		cell->whole = cells->whole;
		cell->lane = cells->lane;
		if (k->kind == REPORT_FRAME) {
			*cell = string_cell(out->profile, cells->frame->name);
			profile_location(out->profile, cells->frame, false, &place);
			made[++n] = (struct page_cell){ .text = buf_text(&place),
							.len = place.len };
			/* The place is all there is of a function without a name. */
			if (profile_is_placed(out->profile, cells->frame)) {
				*cell = made[n];
				made[n] = (struct page_cell){ .text = "", .len = 0 };
			}
		} else if (page_kinds[k->kind] == PAGE_NUMBER && k->kind != REPORT_SHORT) {
			format_number(out, k->kind, cells->n, texts[n]);
			*cell = (struct page_cell){ .text = texts[n], .len = strlen(texts[n]) };
		} else if (!cells->text && !cells->lane && k->kind >= REPORT_WORDS) {
			*cell = string_cell(out->profile, cells->string);
		}
		n++;
	}
	out->page->n_rows++;
	out->page->form->row(out->page, &out->head, made);
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
	if (out->csv) {
		add_headings(out, table->columns);
	} else if (out->page) {
		out->page->n_rows = 0;
		out->page->form->begin(out->page, &out->head);
	} else {
		json_put(out->json, json_if(table->line, json_line(table->line)),
			 json_begin(table->member, "["));
	}
}

void report_table_members(struct report_out *out, const struct report_table *table, const void *row)
{
	struct report_cell cells[REPORT_COLUMNS_MAX];

	table->get(out, row, cells);
	for (size_t i = 0; table->columns[i].kind; i++)
		if (has_column(out, &table->columns[i], REPORT_JSON) && !cells[i].is_lacking)
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
		if (has_column(out, &columns[i], REPORT_CSV))
			add_field(out, columns[i].kind, &cells[i]);
	return end_fields(out);
}

void report_table_words(struct report_out *out, const char *words)
{
	if (out->page) {
		out->page->form->gap(out->page, &out->head, words);
		return;
	}
	for (const struct report_column *k = out->table->columns; k->kind; k++) {
		int n = !has_column(out, k, REPORT_CSV) ? 0
			: k->kind == REPORT_FRAME       ? FRAME_FIELDS
							: 1;

		for (int i = 0; i < n; i++)
			add_text(out, words, n > 1 && i == 0 ? strlen(words) : 0);
	}
	end_fields(out);
}

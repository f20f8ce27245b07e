/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of reports and comparisons. A table is described once, and written as CSV (RFC 4180), as a
 * list of JSON objects, or on a page (page.h): text, Markdown or HTML.
 *
 * A table is a list of columns, a macro whose parameter X gets a row of these for each column, from
 * left to right:
 *
 *     kind     what the values are, see below
 *     where    which forms have it: REPORT_CSV, REPORT_JSON, REPORT_PAGE
 *     key      the heading in CSV, and the member in JSON; a value gets its unit: self_us
 *     heading  on pages
 *     gap      text: blanks in front of it
 *     width    text: its cells, at least; 0: the rest of the line
 *     ...      the value, from `row` and `out`: the members of struct report_cell that count
 *
 * To add a column: its row. To add a table: a list, REPORT_TABLE() for it, and a function that
 * finds its rows. */
#ifndef FLAMETTY_WRITE_REPORT_REPORT_TABLE_H
#define FLAMETTY_WRITE_REPORT_REPORT_TABLE_H

#include "analyse/figures.h"
#include "analyse/rows/rows.h"
#include "base/json/json_writer.h"
#include "write/report/page.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum report_kind {
	REPORT_END,
	REPORT_VALUE,  /* ns */
	REPORT_KNOWN,  /* ns; REPORT_NONE: not known */
	REPORT_WHOLE,  /* ns; a whole number in CSV, of times in ns; in CSV only */
	REPORT_SHARE,  /* ns of whole; on pages only */
	REPORT_COUNT,  /* n; negative: not known */
	REPORT_HITS,   /* the same; only profiles of hits have the column */
	REPORT_LENGTH, /* KNOWN; only tables about slices have the column */
	REPORT_CPU,    /* the same; about such that have times of the processor */
	REPORT_BYTES,  /* the same */
	REPORT_ID,     /* n: of a lane, process or thread; LANE_NO_ID: none */
	REPORT_SHORT,  /* text of a number; on pages only */
	REPORT_BOOL,   /* n; not on pages */
	REPORT_NUMBER, /* number; NAN: not known; not on pages */
	REPORT_BEFORE, /* list: a number for each run before the change, and after it: as many */
	REPORT_AFTER,  /* as n_runs of the output; not on pages */
	REPORT_LANE,   /* the name of a lane */
	REPORT_WORDS,  /* string, or text: words of the program */
	REPORT_CODE,   /* the same: an id; on pages, only of forms that have them */
	REPORT_BRIEF,
	REPORT_NAME, /* the same: from the profile; see enum page_kind */
	REPORT_PATH,
	REPORT_LABELS, /* n: of an input, as JSON; in CSV only, where some input has some */
	REPORT_FRAME,  /* name and place of a function */
};

enum {
	REPORT_CSV = FIGURE_CSV,
	REPORT_JSON = FIGURE_JSON,
	REPORT_PAGE = FIGURE_PAGE,
	REPORT_DATA = REPORT_CSV | REPORT_JSON,
	REPORT_ALL = REPORT_DATA | REPORT_PAGE
};

#define REPORT_NONE INT64_MIN

struct report_cell {
	int64_t n, whole;
	str_id string;
	const char *text; /* instead of string, */
	size_t len;       /* of this length; 0: up to its NUL */
	double number;
	const double *list;
	const struct lane *lane; /* CSV: of the original profile */
	const struct frame *frame;
	frame_id id;     /* JSON: of the frame, for its names in the script; 0: without these */
	bool is_lacking; /* the row has no such cell: empty in CSV */
};

struct report_column {
	enum report_kind kind;
	unsigned where;
	const char *key, *heading;
	int gap, width;
};

struct lane_sums;
struct report_out;

struct report_table {
	const struct report_column *columns; /* REPORT_END ends them */
	void (*get)(const struct report_out *out, const void *row, struct report_cell *cells);
	const char *title, *note; /* on pages */
	const char *lead;         /* text: the line of headings; "": made from them; NULL: none */
	const char *one, *many;   /* what rows are, for `… 12 more packages` */
	const char *member;       /* JSON: the list, */
	int line, row_line;       /* blanks of its line, and of the lines of rows; 0: none */
};

#define REPORT_COLUMNS_MAX (PAGE_COLUMNS / 2) /* on pages, that of a function is two */
#define REPORT_LEAD_MAX 160

/* Define a table: its columns, and the function that gets their values for a row. `...`: its other
 * members. REPORT_TABLE_WITH(): values need a declaration, too. */
#define REPORT_TABLE_WITH(name, list, row_type, declaration, ...)                                  \
	static const struct report_column name##_columns[] = { list(REPORT_COLUMN){ 0 } };         \
	static void name##_get(const struct report_out *out, const void *from,                     \
			       struct report_cell *cells)                                          \
	{                                                                                          \
		const row_type *row = from;                                                        \
		declaration;                                                                       \
		const struct report_cell made[] = { list(REPORT_CELL) };                           \
                                                                                                   \
		_Static_assert(sizeof made < REPORT_COLUMNS_MAX * sizeof *made, "many columns");   \
		(void)out;                                                                         \
		memcpy(cells, made, sizeof made);                                                  \
	}                                                                                          \
	static const struct report_table name = { name##_columns, name##_get, __VA_ARGS__ };

#define REPORT_TABLE(name, list, row_type, ...)                                                    \
	REPORT_TABLE_WITH(name, list, row_type, , __VA_ARGS__)

#define REPORT_COLUMN(kind, where, key, heading, gap, width, ...)                                  \
	{ REPORT_##kind, where, key, heading, gap, width },
#define REPORT_CELL(kind, where, key, heading, gap, width, ...) { __VA_ARGS__ },

/* Where tables go: csv, json or page is set. */
struct report_out {
	const struct gathered *g; /* NULL: of a lane, or of a comparison */
	const struct profile *profile;
	const struct report_options *options;
	const struct lane *lane;      /* JSON: lists are about it; NULL: about all lanes of calls */
	const struct lane_sums *sums; /* JSON: of the functions of a lane */
	enum rows_sort sort;          /* on pages: of functions */
	uint32_t n_runs[2];           /* of a comparison: before, after */
	struct buf *csv;
	struct json_writer *json;
	struct page *page;
	struct sink *sink; /* CSV, JSON: it takes rows as they come; NULL: later */
	size_t rows_max;   /* rows of a table: those after them are counted, but not written */

	const struct report_table *table; /* the table that has begun */
	bool has_field;                   /* CSV: the row that is written has one */
	struct page_table head;           /* as it is on the page, */
	char lead[REPORT_LEAD_MAX];       /* with its line of headings */
	size_t n, n_left;                 /* rows written, and left out, */
	uint64_t n_cut;                   /* of all tables, because of --max-rows */
};

/* A table begins, rows, its end. report_table_row() returns whether the output takes more. */
void report_table_begin(struct report_out *out, const struct report_table *table);
bool report_table_row(struct report_out *out, const void *row);

static inline void report_table_end(struct report_out *out)
{
	if (out->page) {
		out->page->form->end(out->page, &out->head);
		page_more(out->page, out->n_left, out->table->one, out->table->many);
	} else if (out->json) {
		json_put(out->json, json_end("]"));
	}
}

/* All of it: n rows of `size` bytes. Without rows it is left out of a page. */
static inline void report_table_write(struct report_out *out, const struct report_table *table,
				      const void *rows, size_t n, size_t size)
{
	if (out->page && !n)
		return;
	report_table_begin(out, table);
	for (size_t i = 0; i < n && report_table_row(out, (const char *)rows + i * size); i++) {
	}
	report_table_end(out);
}

/* Begin without headings, which the caller writes. */
void report_table_use(struct report_out *out, const struct report_table *table);

/* Words in the place of rows: on a page, and in CSV, where no other cell of the row is filled. */
void report_table_words(struct report_out *out, const char *words);

/* JSON: the members of a row, for an object that has others. */
void report_table_members(struct report_out *out, const struct report_table *table,
			  const void *row);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports: the figures of a profile as text, Markdown, JSON or CSV, each behind one struct. Text
 * and Markdown are forms of one page (page.h); their structs are in report.c.
 *
 * To add a report: a file with one struct report, and its row in report.c. */
#ifndef FLAMETTY_WRITE_REPORT_REPORT_H
#define FLAMETTY_WRITE_REPORT_REPORT_H

#include "analyse/gate/gate.h"
#include "analyse/rows/rows.h"
#include "analyse/scope.h"
#include "analyse/view/scoped.h"
#include "base/sink.h"
#include "model/source_text.h"

#include <stdbool.h>

struct report_options {
	struct scope scope;  /* lanes, range and transforms of all figures */
	int top;             /* rows per table */
	bool has_top;        /* the user asked for it: then CSV is limited, too */
	int64_t bytes;       /* md: of the page, at most; 0: no limit but that of tickets */
	uint64_t max_rows;   /* limit for each call tree with all its rows, and for each list of
				spans; 0: none */
	bool is_sorted;      /* the user asked for an order; else text has a table by self time and
				one by total time */
	enum rows_sort sort; /* that order */
	unsigned table;      /* number of the table, as report_lists_word() counts: of CSV; of
				text and JSON only that of lines counts */
	bool is_raw_csv;     /* CSV: cells that begin like formulas are not changed */
	const struct source_host *sources; /* for the texts of lines; NULL: there are none */
	unsigned with;                     /* JSON: bits by the numbers of report_json_word() */
	const struct gate_result *gates;   /* results of the gates */
	size_t n_gates;
	const uint64_t *ids; /* of functions, by frame (model/function_id.h): of the first n_ids */
	uint32_t n_ids;      /* frames; report_write() sets them */
	bool is_strict;      /* what is too little to decide a gate leaves it open */
};

struct report {
	const char *name;
	const char *help;
	/* Write the report. `scoped`: the profile in the scope of the options. Returns the number
	 * of rows that max_rows has left out; the report states it, too. */
	uint64_t (*write)(const struct scoped *scoped, const struct report_options *options,
			  struct sink *sink);
};

extern const struct report report_text;
extern const struct report report_json;
extern const struct report report_csv;
extern const struct report report_md;
extern const struct report report_grep;

/* The name of the i-th table of CSV, and of the i-th part that JSON can have in addition; NULL: i
 * is past the last one. */
const char *report_lists_word(unsigned i);
const char *report_json_word(unsigned i);

/* All reports; NULL after the last. */
extern const struct report *const reports[];

/* The name of the i-th report; NULL: i is past the last one. */
const char *report_word(unsigned i);

/* Write a report, with the ids of functions. Returns what its `write` does. */
uint64_t report_write(const struct report *report, const struct scoped *scoped,
		      const struct report_options *options, struct sink *sink);

/* The report of that name, or NULL. NULL as name: the default. */
const struct report *report_find(const char *name);

#endif

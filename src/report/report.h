/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Outputs without a screen, one file per format behind one struct. */
#ifndef FLAMETTY_REPORT_REPORT_H
#define FLAMETTY_REPORT_REPORT_H

#include "analysis/rows.h"
#include "analysis/scope.h"
#include "analysis/scoped.h"
#include "base/buf.h"
#include "model/profile.h"

#include <stdbool.h>

struct report_options {
	struct scope scope;  /* what all numbers are about */
	int top;             /* rows of each table */
	bool has_top;        /* somebody asked for it: CSV is cut then, too */
	enum rows_sort sort; /* which table comes, and by what its rows are sorted; both unless
				is_sorted */
	bool is_sorted;
	unsigned table; /* CSV: number of the table, as report_csv_word() counts them */
	unsigned with;  /* JSON: bits by the numbers of report_json_word() */
};

struct report {
	const char *name;
	const char *help;
	/* The profile as options->scope shows it. */
	void (*write)(const struct scoped *scoped, const struct report_options *options,
		      struct buf *out);
};

extern const struct report report_text;
extern const struct report report_json;
extern const struct report report_csv;

/* The name of the i-th table of CSV, and of the i-th part that JSON can have in addition; NULL: i
 * is past the last one. */
const char *report_csv_word(unsigned i);
const char *report_json_word(unsigned i);

/* All reports, ended by NULL. */
extern const struct report *const reports[];

/* The name of the i-th report; NULL: i is past the last one. */
const char *report_word(unsigned i);

/* The report of that name, or NULL. NULL as name: the default. */
const struct report *report_find(const char *name);

#endif

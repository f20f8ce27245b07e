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

enum report_with { REPORT_WITH_TREE = 1, REPORT_WITH_BOTTOMUP = 2, REPORT_WITH_SPANS = 4 };

struct report_options {
	struct scope scope;  /* what all numbers are about */
	int top;             /* rows of each table */
	bool has_top;        /* somebody asked for it: CSV is cut then, too */
	enum rows_sort sort; /* which table comes, and by what its rows are sorted; both unless
				is_sorted */
	bool is_sorted;
	const char *table; /* CSV: csv_has_table() */
	unsigned with;     /* report_with bits, for JSON */
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

/* Whether --table has it. NULL: the one that comes without. */
bool csv_has_table(const char *name);

/* All reports, ended by NULL. */
extern const struct report *const reports[];

/* The report of that name, or NULL. */
const struct report *report_find(const char *name);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Outputs without a screen, one file per format behind one struct. */
#ifndef FLAMETTY_REPORT_REPORT_H
#define FLAMETTY_REPORT_REPORT_H

#include "analysis/rows.h"
#include "analysis/scope.h"
#include "base/buf.h"
#include "model/profile.h"

#include <stdbool.h>

enum report_with { REPORT_WITH_TREE = 1, REPORT_WITH_BOTTOMUP = 2, REPORT_WITH_SPANS = 4 };

struct report_options {
	struct scope scope;       /* the range that all numbers are about */
	int top;                  /* rows of each table of the text form */
	enum rows_sort sort;      /* text form: which table comes; both unless is_sorted */
	bool is_sorted;
	unsigned with;            /* report_with bits, for JSON */
};

struct report {
	const char *name;
	const char *help;
	void (*write)(const struct profile *profile, const struct report_options *options, struct buf *out);
};

extern const struct report report_text;
extern const struct report report_json;

/* All reports, ended by NULL. */
extern const struct report *const reports[];

/* The report of that name, or NULL. */
const struct report *report_find(const char *name);

#endif

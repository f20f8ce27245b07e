/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A comparison of runs (analyse/compare) as text, Markdown, JSON or CSV, each behind one struct. */
#ifndef FLAMETTY_WRITE_REPORT_DIFF_REPORT_H
#define FLAMETTY_WRITE_REPORT_DIFF_REPORT_H

#include "analyse/compare/compare.h"
#include "analyse/gate/gate.h"

struct page;
struct sink;

struct diff_report_options {
	int top;         /* rows of text and Markdown */
	bool has_top;    /* the user asked for it: then JSON and CSV are limited, too */
	int table;       /* CSV: enum report_list; others than that of routes: functions */
	bool is_raw_csv; /* CSV: cells that begin like formulas are not changed */
	const struct gate_runs *gates; /* results of the gates; NULL: there are none */
	bool is_strict;                /* what is too little to decide a gate leaves it open */
};

struct diff_report_format {
	const char *name;
	void (*write)(const struct compare *c, const struct diff_report_options *options,
		      struct sink *sink);
};

/* The name of the i-th format; NULL: i is past the last one. */
const char *diff_report_word(unsigned i);

/* The format of that name, or NULL. NULL as name: the default. */
const struct diff_report_format *diff_report_find(const char *name);

/* How sure it is that a value differs: a p value; `~ 0.21`, not shown; `room`; `-`, not tested. */
#define DIFF_REPORT_P_MAX 24

void diff_report_p(const struct compare_value *value, char out[DIFF_REPORT_P_MAX]);

/* On a page: what the numbers of runs can show. */
void diff_report_power(struct page *page, const struct compare *c);

#endif

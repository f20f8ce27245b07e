/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a fleet (model/fleet.h) answers as text, Markdown, JSON or CSV, each behind one struct. */
#ifndef FLAMETTY_WRITE_REPORT_FLEET_REPORT_H
#define FLAMETTY_WRITE_REPORT_FLEET_REPORT_H

#include "analyse/compare/compare.h"
#include "analyse/fleet.h"
#include "analyse/gate/gate.h"

struct sink;

/* Everything is borrowed. */
struct fleet_report {
	const struct fleet *fleet;
	const struct fleet_answers *answers;
	/* The sides: each run is a host, by its name, "" if it has none. NULL: nothing is compared.
	 */
	const struct compare *changed;
	const char *before, *after;    /* KEY=VALUE of the sides */
	const struct gate_runs *gates; /* results of the gates; NULL: there are none */
	bool is_strict;                /* what is too little to decide a gate leaves it open */
	int top;                       /* rows of text and Markdown */
	bool has_top;    /* the user asked for it: then JSON and CSV are limited, too */
	unsigned table;  /* CSV: its number, as fleet_report_table() counts */
	bool is_raw_csv; /* CSV: cells that begin like formulas are not changed */
};

struct fleet_report_format {
	const char *name;
	void (*write)(const struct fleet_report *report, struct sink *sink);
};

/* The name of the i-th format, and of the i-th table of CSV; NULL: i is past the last one. */
const char *fleet_report_word(unsigned i);
const char *fleet_report_table(unsigned i);

/* The format of that name, or NULL. NULL as name: the default. */
const struct fleet_report_format *fleet_report_find(const char *name);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports as exports: what `report` prints in the same format, byte for byte. */
#include "config.h"

#include "write/export/export.h"

#include "write/report/report.h"

#define TOP 10 /* rows of a table, without options */

static void write_report(const struct report *report, const struct profile *p,
			 const struct export_options *options, struct sink *sink)
{
	const struct scoped plain = { .profile = p, .original = p };
	struct report_options own = { .top = TOP };
	uint64_t n_left;

	if (options->report)
		own = *options->report;
	own.scope = options->scope;
	n_left = report->write(options->scoped ? options->scoped : &plain, &own, sink);
	if (options->n_left)
		*options->n_left = n_left;
}

static void json_write(const struct profile *p, const struct export_options *options,
		       struct sink *sink)
{
	write_report(&report_json, p, options, sink);
}

static void csv_write(const struct profile *p, const struct export_options *options,
		      struct sink *sink)
{
	write_report(&report_csv, p, options, sink);
}

static void md_write(const struct profile *p, const struct export_options *options,
		     struct sink *sink)
{
	write_report(&report_md, p, options, sink);
}

const struct export_format export_json = {
	.name = "json",
	.help = "the report as JSON",
	.opens = "jq and whatever reads JSON",
	.is_gathered = true,
	.write = json_write,
};

const struct export_format export_csv = {
	.name = "csv",
	.help = "one table of the report",
	.opens = "DuckDB, ClickHouse and spreadsheets",
	.is_gathered = true,
	.is_of_stacks = true,
	.write = csv_write,
};

const struct export_format export_md = {
	.name = "md",
	.help = "the report as Markdown",
	.opens = "a ticket or a pull request",
	.is_gathered = true,
	.write = md_write,
};

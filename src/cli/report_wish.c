/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The same for the report, for exports of reports, and for those from the interface. */
#include "config.h"

#include "cli/report_wish.h"

#include "source/source_reader.h"

void report_wish_find(const struct run *run, struct report_wish *wish)
{
	const struct options *o = &run->options;

	wish->sources = run_source_reader(run, true);
	wish->host = source_reader_host(wish->sources);
	wish->options = (struct report_options){
		.top = o->top,
		.has_top = o->has_top,
		.max_rows = o->max_rows,
		.is_sorted = o->sort >= 0,
		.sort = o->sort < 0 ? ROWS_BY_SELF : (enum rows_sort)o->sort,
		.table = o->table < 0 ? 0 : (unsigned)o->table,
		.is_raw_csv = o->is_raw_csv,
		.with = o->with,
		.is_strict = o->is_strict,
		.sources = &wish->host,
	};
}

void report_wish_done(struct report_wish *wish)
{
	source_reader_free(wish->sources);
}

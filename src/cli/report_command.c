/* SPDX-License-Identifier: GPL-2.0-or-later */
/* flametty report: the gates are decided first, as the report says what became of them. */
#include "config.h"

#include "cli/report_command.h"

#include "cli/gate_options.h"
#include "source/source_reader.h"
#include "write/export/export.h"
#include "write/report/gates.h"
#include "write/report/report.h"

/* ==== report args ====
 *
 * The same for the report, for exports of reports, and for those from the interface. */

void report_args_find(const struct run *run, struct report_args *args)
{
	const struct options *o = &run->options;

	args->sources = run_source_reader(run, true);
	args->host = source_reader_host(args->sources);
	args->options = (struct report_options){
		.top = o->top,
		.has_top = o->has_top,
		.max_rows = o->max_rows,
		.is_sorted = o->sort >= 0,
		.sort = o->sort < 0 ? ROWS_BY_SELF : (enum rows_sort)o->sort,
		.table = o->table < 0 ? 0 : (unsigned)o->table,
		.is_raw_csv = o->is_raw_csv,
		.with = o->with,
		.is_strict = o->is_strict,
		.sources = &args->host,
	};
}

void report_args_done(struct report_args *args)
{
	jobs_free(args->sources);
}

/* ==== report command ==== */

static bool find_gates(struct run *run, const struct scoped *scoped, struct report_options *ro)
{
	struct gate_options *gates = run->gates;
	struct error err = ERROR_INIT;

	ro->gates = gates->results;
	if (gates->n > 0 && !gates_find(scoped, ro, gates->gates, gates->n, gates->results, &err)) {
		gate_options_refuse(run, &err);
		return false;
	}
	ro->n_gates = gates->n;
	return true;
}

static void write_report(struct run *run, struct report_options *ro, int64_t max_bytes)
{
	struct error err = ERROR_INIT;
	struct sink *sink = sink_open(NULL, false, &err);
	struct scoped scoped;
	uint64_t n_left = 0;

	if (sink && run_find_scoped(run, &ro->scope, true, &scoped)) {
		if (find_gates(run, &scoped, ro)) {
			if (report_find(run->options.format) == &report_csv)
				sink_limit(sink, max_bytes);
			n_left = report_find(run->options.format)->write(&scoped, ro, sink);
			sink_close(sink, &err);
		} else {
			sink_drop(sink);
		}
		scoped_done(&scoped);
	} else if (sink) {
		sink_drop(sink);
	}
	if (err.kind != ERR_NONE)
		run_complain_output(run, NULL, &err);
	else
		run_warn_of_rows(n_left, ro->max_rows);
	if (ro->n_gates)
		gate_options_tell(run);
}

void report_command(struct run *run)
{
	struct report_args args;
	int64_t max_bytes = export_bytes_most(run->profile);

	report_args_find(run, &args);
	if (run_find_output_limit(run, &max_bytes) && run_find_scope(run, &args.options.scope))
		write_report(run, &args.options, max_bytes);
	scope_done(&args.options.scope);
	report_args_done(&args);
}

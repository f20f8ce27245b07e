/* SPDX-License-Identifier: GPL-2.0-or-later */
/* flametty report: the gates are decided first, as the report says what became of them. */
#include "config.h"

#include "cli/report_command.h"

#include "base/alloc.h"
#include "base/message.h"
#include "base/text.h"
#include "source/source_reader.h"
#include "write/export/export.h"
#include "write/report/gates.h"
#include "write/report/report.h"
#include "write/report/report_lists.h"

#include <stdlib.h>
#include <string.h>

/* ==== gate options ====
 *
 * A mistake is shown with the gate, and a caret below the place. */

bool gate_options_find(struct run *run)
{
	const struct option_list *texts = &run->options.fail_if;
	struct gate_options *gates = run->gates = xcalloc(1, sizeof *gates);
	enum program_command command = run->options.command;
	bool is_change = command == COMMAND_DIFF || command == COMMAND_FLEET;

	if (texts->n && !is_change && command != COMMAND_REPORT)
		return run_complain_usage(run, "--fail-if is an option of report, diff and fleet",
					  "", "");
	if (texts->n && command == COMMAND_FLEET && !run->options.before_label)
		return run_complain_usage(run, "--fail-if needs --before and --after", "", "");
	if (texts->n && run->options.n_noise)
		return run_complain_usage(run, "--fail-if needs runs before and after, not --noise",
					  "", "");
	for (; gates->n < texts->n; gates->n++) {
		const char *text = texts->items[gates->n];
		struct error err = ERROR_INIT;

		if (!gate_parse(&gates->gates[gates->n], text, is_change, &err)) {
			BUF_LOCAL after = { 0 };
			size_t offset = err.offset > 0 ? (size_t)err.offset : 0;

			/* Of an empty gate there is no place to show. */
			if (*text) {
				buf_adds(&after, "\n  ");
				text_visible(&after, text, strlen(text));
				buf_addf(&after, "\n%*s^", 2 + text_cells(text, offset), "");
			}
			return run_complain_usage(run, "--fail-if: ", err.text, buf_text(&after));
		}
	}
	return true;
}

void gate_options_done(struct run *run)
{
	for (size_t i = 0; run->gates && i < run->gates->n; i++)
		gate_done(&run->gates->gates[i]);
	free(run->gates);
	run->gates = NULL;
}

void gate_options_refuse(struct run *run, const struct error *err)
{
	run_complain_error(run, "--fail-if: ", err);
}

/* Tell what a gate found. With --strict, an open one is worth an exit status of its own, unless
 * anything failed; otherwise it is a warning, or nothing. Frees the text. */
static void tell(struct run *run, struct buf *text, bool is_open, bool is_warning)
{
	BUF_LOCAL failed = { 0 };

	if (!is_open) {
		buf_addf(&failed, "gate failed: %s", buf_text(text));
		run_complain(run, buf_text(&failed));
	} else if (run->options.is_strict) {
		message_print("gate not decided: %s", buf_text(text));
		run->status = run->status == EXIT_OK ? EXIT_UNDECIDED : run->status;
	} else if (is_warning) {
		run_warn("gate %s", buf_text(text));
	}
	buf_done(text);
}

static void tell_results(struct run *run)
{
	const struct gate_options *gates = run->gates;

	for (size_t i = 0; i < gates->n; i++) {
		const struct gate_result *result = &gates->results[i];
		bool is_open = result->is_undecided &&
			(run->options.is_strict || !result->has_failed);
		struct buf text = { 0 };

		if (!is_open && !result->has_failed)
			continue;
		gates_line(result, run->profile, !is_open, &text);
		tell(run, &text, is_open, result->value.lack != GATE_LACKS_NOTHING);
	}
}

void gate_options_tell_changes(struct run *run, const struct compare *c,
			       const struct gate_runs *gates)
{
	for (size_t i = 0; i < gates->n; i++) {
		const struct gate_change *change = &gates->changes[i];
		bool is_open = change->doubt != GATE_SURE &&
			(run->options.is_strict || !change->has_failed);
		struct buf text = { 0 };

		if (!is_open && !change->has_failed)
			continue;
		diff_gates_line(c, gates, i, !is_open, &text);
		tell(run, &text, is_open, true);
	}
}

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
		.bytes = o->bytes > 0 ? o->bytes : 0,
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

/* ==== report command ==== */

bool report_command_ask(struct run *run)
{
	struct options *o = &run->options;
	const struct {
		const char *pattern;
		enum report_list table;
	} asked[] = { { o->callers, REPORT_LIST_CALLERS },
		      { o->callees, REPORT_LIST_CALLEES },
		      { o->lines_of, REPORT_LIST_LINES },
		      { o->spans_of, REPORT_LIST_SPANS } };

	if (o->bytes > 0 &&
	    (o->command != COMMAND_REPORT || o->bytes < 400 || !o->format ||
	     strcmp(o->format, "md") != 0))
		return run_complain_usage(run, "--size is of report --format=md, 400 or more", "",
					  "");
	if (o->command == COMMAND_REPORT && o->format && strcmp(o->format, "grep") == 0 &&
	    (o->table >= 0 || o->callers || o->callees || o->spans_of))
		return run_complain_usage(
			run, "--format=grep has no tables, callers, callees or spans", "", "");
	for (size_t i = 0; i < ARRAY_LEN(asked); i++) {
		if (!asked[i].pattern)
			continue;
		if (o->command != COMMAND_REPORT || o->filter || o->table >= 0)
			return run_complain_usage(run,
						  "--callers, --callees, --source and --spans are "
						  "of report, one of them, without --filter and "
						  "--table",
						  "", "");
		o->filter = asked[i].pattern;
		o->table = (int)asked[i].table;
	}
	return true;
}

static void write_report(struct run *run, struct report_options *ro)
{
	const struct report *report = report_find(run->options.format);
	struct gate_options *gates = run->gates;
	int64_t most = run->options.max_output;
	struct error err = ERROR_INIT, why = ERROR_INIT;
	struct sink *sink = sink_open(NULL, false, &err);
	struct scoped scoped;
	uint64_t n_left = 0;

	if (sink && run_find_scoped(run, &ro->scope, true, &scoped)) {
		ro->gates = gates->results;
		if (!gates->n ||
		    gates_find(&scoped, ro, gates->gates, gates->n, gates->results, &why)) {
			ro->n_gates = gates->n;
			if (report == &report_csv)
				sink_limit(sink, most < 0 ? export_bytes_most(run->profile) : most);
			n_left = report_write(report, &scoped, ro, sink);
			sink_close(sink, &err);
			sink = NULL;
		} else {
			gate_options_refuse(run, &why);
		}
		scoped_done(&scoped);
	}
	sink_drop(sink);
	if (err.kind != ERR_NONE)
		run_complain_output(run, NULL, &err);
	else
		run_warn_of_rows(n_left, ro->max_rows);
	if (ro->n_gates)
		tell_results(run);
}

void report_command(struct run *run)
{
	struct report_args args;

	report_args_find(run, &args);
	if (run_find_scope(run, &args.options.scope))
		write_report(run, &args.options);
	scope_done(&args.options.scope);
	report_args_done(&args);
}

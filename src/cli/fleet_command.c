/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "cli/fleet_command.h"

#include "base/message.h"
#include "base/sink.h"
#include "base/units.h"
#include "cli/diff_command.h"
#include "read/load/fleet_read.h"
#include "write/export/fleet_tables.h"
#include "write/report/fleet_report.h"
#include "write/report/report.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- progress ---- */

static volatile sig_atomic_t is_interrupted;

static void on_interrupt(int signal)
{
	(void)signal;
	is_interrupted = 1;
}

/* Report at most ten times a second. */
#define SHOW_NS (100 * NS_PER_MS)

struct shown {
	bool is_tty;
	int64_t next_ns;
};

static bool tick(void *ctx, const struct progress *p)
{
	struct shown *shown = ctx;
	char text[PROGRESS_TEXT_MAX];

	/* It begins again when all files are found. */
	if (p->elapsed_ns + SHOW_NS < shown->next_ns)
		shown->next_ns = 0;
	if (shown->is_tty && p->elapsed_ns >= shown->next_ns) {
		if (p->n_total)
			progress_text_line(p, text);
		else
			snprintf(text, sizeof text, "looking for files");
		fprintf(stderr, "\r\033[Kflametty: %s   (C-c: what was read so far)", text);
		shown->next_ns = p->elapsed_ns + SHOW_NS;
	}
	return !is_interrupted;
}

/* ---- reading ---- */

static bool is_label(const char *text)
{
	return !text || (strchr(text, '=') && *text != '=');
}

/* What is done with each recording. */
static bool take_profile(void *ctx, const struct fleet_profile *profile)
{
	return fleet_tables_add(ctx, profile);
}

/* Say how many recordings have no place in what --by asks for. */
static void warn_of_bins(const struct fleet *f, const char *by)
{
	const struct fleet_bin *last = f->n_bins ? &f->bins[f->n_bins - 1] : NULL;

	if (!last || last->value)
		return;
	if (f->has_times)
		run_warn(
			"--by=%s: %u of %u profiles do not say when they began; a label `time` does",
			by, last->facts.n_profiles, f->all.n_profiles);
	else
		run_warn("--by=%s: %u of %u profiles have no such label", by,
			 last->facts.n_profiles, f->all.n_profiles);
}

static struct fleet *read_fleet(struct run *run, struct fleet_tables *tables)
{
	const struct options *o = &run->options;
	/* A second C-c ends the program. */
	struct sigaction action = { .sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND };
	struct shown shown = { .is_tty = isatty(STDERR_FILENO), .next_ns = SHOW_NS };
	struct progress progress = { .tick = tick, .ctx = &shown };
	struct load_options load;
	struct fleet_options options;
	struct error err = ERROR_INIT;
	BUF_LOCAL messages = { 0 };
	struct sigaction before;
	int64_t span_ns = 0;
	struct fleet *fleet;

	if (!o->before_label != !o->after_label || !is_label(o->before_label) ||
	    !is_label(o->after_label)) {
		run_complain_usage(run, "fleet wants --before and --after, each with KEY=VALUE", "",
				   "");
		return NULL;
	}
	if (o->min_span &&
	    (!tables || !units_parse_time(o->min_span, 0, &span_ns) || span_ns <= 0)) {
		run_complain_usage(run, "--min-span wants a time as `10ms`, and --export", "", "");
		return NULL;
	}
	if (!run_load_options(run, &load))
		return NULL;
	options = (struct fleet_options){ .files = o->files,
					  .n_files = o->n_files,
					  .format_in = o->format_in,
					  .limits = load.limits,
					  .max_memory = load.max_memory,
					  .labels = load.labels,
					  .has_idle_gaps = load.has_idle_gaps,
					  .sample_type = load.sample_type,
					  .before = o->before_label,
					  .after = o->after_label,
					  .by = o->by,
					  .span_ns = span_ns,
					  .each = tables ? take_profile : NULL,
					  .each_ctx = tables };
	is_interrupted = 0;
	sigaction(SIGINT, &action, &before);
	fleet = fleet_read(&options, &progress, &messages, &err);
	sigaction(SIGINT, &before, NULL);
	if (shown.is_tty)
		fprintf(stderr, "\r\033[K");
	if (messages.len) {
		message_lines(messages.data, messages.len);
		run->status = EXIT_FAILED;
	}
	if (err.kind != ERR_NONE)
		run_complain(run, err.text);
	if (fleet)
		warn_of_bins(fleet, o->by);
	return fleet;
}

struct fleet *fleet_command_read(struct run *run)
{
	return read_fleet(run, NULL);
}

/* ---- engines ---- */

/* Print a query: its name and its values are the arguments. */
static void print_query(struct run *run)
{
	const struct options *o = &run->options;
	struct error err = ERROR_INIT;
	BUF_LOCAL out = { 0 };
	unsigned engine = 0;

	while (fleet_tables_engine(engine) && strcmp(fleet_tables_engine(engine), o->sql) != 0)
		engine++;
	if (!fleet_tables_engine(engine))
		run_complain_usage(run, "--sql knows duckdb and clickhouse, not '", o->sql, "'");
	else if (o->n_files < 1)
		run_complain_usage(run, "--sql wants the name of a query: ",
				   "top, different, changed, since, stacks or slowest", "");
	else if (fleet_tables_query(engine, o->files[0], o->files + 1, o->n_files - 1, &out, &err))
		run_print(run, &out);
	else
		run_complain_usage(run, "", err.text, "");
}

static void tell_tables(const struct fleet *f, const char *dir)
{
	message_print("%" PRIu64 " recordings, %u functions, %u stacks: the tables are in %s",
		      f->n_read, f->n_functions, f->n_stacks - 1, dir);
}

/* Read the fleet, and write its tables. */
static void export_tables(struct run *run)
{
	const char *dir = run->options.export_dir;
	struct fleet_tables *tables;
	struct error err = ERROR_INIT;
	struct fleet *fleet;

	if (mkdir(dir, 0777) != 0 && errno != EEXIST)
		error_errno(&err, errno, "cannot make this directory");
	tables = err.kind == ERR_NONE
		? fleet_tables_begin(dir, run->options.min_span, run->options.is_forced, &err)
		: NULL;
	fleet = tables ? read_fleet(run, tables) : NULL;
	if (fleet && fleet->is_stopped) {
		run_complain(run, "stopped: no tables are written");
		fleet_tables_drop(tables);
	} else if (fleet) {
		if (fleet_tables_end(tables, fleet, &err))
			tell_tables(fleet, dir);
	} else {
		fleet_tables_drop(tables);
	}
	if (err.kind != ERR_NONE)
		run_complain_output(run, dir, &err);
	fleet_free(fleet);
}

/* ---- the command ---- */

const char *fleet_command_table(unsigned i)
{
	unsigned n = 0;

	for (; report_lists_word(n); n++)
		if (n == i)
			return report_lists_word(i);
	for (unsigned k = 0; fleet_report_table(k); k++) {
		bool is_known = false;

		for (unsigned j = 0; report_lists_word(j); j++)
			is_known |= strcmp(fleet_report_table(k), report_lists_word(j)) == 0;
		if (!is_known && n++ == i)
			return fleet_report_table(k);
	}
	return NULL;
}

/* The number of the table among those of fleets. main.c has checked that it is one. */
static unsigned find_table(const struct options *o)
{
	unsigned i = 0;

	while (o->table >= 0 &&
	       strcmp(fleet_report_table(i), fleet_command_table((unsigned)o->table)) != 0)
		i++;
	return i;
}

bool fleet_command_write(const struct run *run, const char *format, const char *path,
			 bool is_forced, struct error *err)
{
	const struct options *o = &run->options;
	const struct fleet_report report = { .fleet = run->fleet->hosts.fleet,
					     .answers = run->fleet,
					     .top = o->top,
					     .has_top = o->has_top,
					     .table = find_table(o),
					     .is_raw_csv = o->is_raw_csv };
	const struct fleet_report_format *to = fleet_report_find(format);
	struct sink *sink;

	if (!to)
		return error_set(err, ERR_FORMAT, -1, "a fleet is exported as csv, json or md");
	sink = sink_open(path, is_forced, err);
	if (!sink)
		return false;
	to->write(&report, sink);
	return sink_close(sink, err);
}

/* ctx: the struct fleet_report, without the comparison. */
static void write_report(struct run *run, const struct compare *c, const struct gate_runs *gates,
			 void *ctx)
{
	struct fleet_report *report = ctx;
	struct error err = ERROR_INIT;
	struct sink *sink = sink_open(NULL, false, &err);

	report->changed = c;
	report->gates = gates;
	if (sink) {
		fleet_report_find(run->options.format)->write(report, sink);
		sink_close(sink, &err);
	}
	if (err.kind != ERR_NONE)
		run_complain_output(run, NULL, &err);
}

static void print_report(struct run *run)
{
	const struct options *o = &run->options;
	struct fleet *fleet = fleet_command_read(run);
	struct fleet_answers answers;
	struct fleet_report report = { .fleet = fleet,
				       .answers = &answers,
				       .before = o->before_label,
				       .after = o->after_label,
				       .is_strict = o->is_strict,
				       .top = o->top,
				       .has_top = o->has_top,
				       .table = find_table(o),
				       .is_raw_csv = o->is_raw_csv };

	if (!fleet)
		return;
	fleet_answers_init(&answers, fleet);
	if (o->before_label)
		diff_command_hosts(run, fleet, write_report, &report);
	else
		write_report(run, NULL, NULL, &report);
	fleet_answers_done(&answers);
	fleet_free(fleet);
}

void fleet_command(struct run *run)
{
	if (run->options.sql)
		print_query(run);
	else if (run->options.export_dir)
		export_tables(run);
	else
		print_report(run);
}

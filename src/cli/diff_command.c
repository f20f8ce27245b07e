/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each file or directory of the command line is a run: those before, then those after. All of them
 * are loaded into one profile. */
#include "config.h"

#include "cli/diff_command.h"

#include "analyse/compare/compare.h"
#include "analyse/scope.h"
#include "base/alloc.h"
#include "cli/report_command.h"
#include "cli/run.h"
#include "read/load/fleet_read.h"
#include "read/load/fleet_sums.h"
#include "write/report/diff_report.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- options ---- */

/* --match, --sort, --per and --floor. */
static bool find_plan(struct run *run, struct compare_plan *plan)
{
	const struct options *o = &run->options;
	struct error err = ERROR_INIT;

	plan->floor = o->floor;
	plan->match = o->match < 0 ? MATCH_IN_FILE : (enum match_kind)o->match;
	plan->sort = o->sort == 1 ? COMPARE_TOTAL : COMPARE_SELF;
	for (unsigned i = 0; o->per; i++) {
		const char *word = compare_per_word(i);

		if (word && i != COMPARE_PER_COUNT && strcmp(word, o->per) == 0) {
			plan->per = (enum compare_per)i;
			break;
		}
		if (!word && strncmp(o->per, "count:", 6) == 0 && o->per[6]) {
			plan->per = COMPARE_PER_COUNT;
			plan->count = o->per + 6;
			break;
		}
		if (!word)
			return run_complain_usage(
				run, "--per wants total, time, none or count:RE, not '", o->per,
				"'");
	}
	if (plan->count && !frame_set_check(plan->count, &err))
		return run_complain_usage(run, "--per: ", err.text, "");
	return true;
}

/* ---- runs ---- */

int diff_command_same(char *const *files, int n_files)
{
	struct stat x, y;

	for (int i = 0; i < n_files; i++)
		for (int k = 0; k < i; k++)
			if (strcmp(files[i], files[k]) == 0 ||
			    (stat(files[i], &x) == 0 && stat(files[k], &y) == 0 &&
			     x.st_dev == y.st_dev && x.st_ino == y.st_ino))
				return i;
	return -1;
}

bool diff_command_lacks(const struct run *run)
{
	const struct profile *p = run->profile;
	uint32_t n = (uint32_t)run->options.n_files;
	bool is_lacking = false;

	for (uint32_t argument = 0; argument < n && run->status != EXIT_OK; argument++) {
		bool has_input = false;

		for (uint32_t i = 0; i < p->n_inputs; i++)
			has_input |= p->inputs[i].argument == argument;
		is_lacking |= !has_input;
	}
	return is_lacking;
}

/* All runs with samples, or all with slices: times of one say nothing about the other. */
static bool check_kinds(const struct profile *p, const struct compare_run *runs, uint32_t n,
			struct error *err)
{
	const struct compare_run *by_kind[2] = { NULL, NULL };

	for (uint32_t r = 0; r < n; r++)
		for (uint32_t i = 0; i < p->n_lanes; i++)
			if (runs[r].is_lane[i])
				by_kind[p->lanes[i].kind == LANE_SLICES] = &runs[r];
	return !by_kind[0] || !by_kind[1] ||
		error_set(err, ERR_FORMAT, -1,
			  "%.200s has samples, and %.200s has slices: they cannot be compared",
			  by_kind[0]->name, by_kind[1]->name);
}

/* Only shares can be compared of times that are counts. */
static bool check_time(const struct profile *p, const struct compare_run *runs,
		       const struct compare_plan *plan, struct error *err)
{
	if (!amount_is_time(&p->unit))
		return plan->per == COMPARE_PER_TOTAL || plan->per == COMPARE_PER_NONE ||
			error_set(err, ERR_USAGE, -1,
				  "the values are %s, not times: only --per=total and --per=none "
				  "can compare them",
				  amount_name(&p->unit));
	for (uint32_t r = 0; r < plan->n_runs; r++)
		if (plan->per != COMPARE_PER_TOTAL && !compare_run_has_time(&runs[r], p))
			return error_set(err, ERR_USAGE, -1,
					 "%.300s has no times: only --per=total can compare it",
					 runs[r].name);
	return true;
}

static bool find_runs(const struct run *run, struct compare_run *runs, uint32_t n,
		      struct error *err)
{
	const struct options *o = &run->options;

	for (uint32_t i = 0; i < n; i++) {
		runs[i].name = o->files[i];
		runs[i].is_slices = o->is_slices;
		runs[i].is_after = o->n_after > 0 && (int)i >= o->n_before;
		if (!compare_run_of_arguments(&runs[i], run->profile, i, i + 1, err) ||
		    (o->lane && !compare_run_select(&runs[i], run->profile, o->lane, err)) ||
		    !compare_run_restrict(&runs[i], run->profile, o->from, o->to, err))
			return false;
	}
	return check_kinds(run->profile, runs, n, err);
}

/* ---- output ---- */

static void write_diff(struct run *run, const struct compare *c, const struct gate_runs *gates,
		       void *ctx)
{
	const struct options *o = &run->options;
	const struct diff_report_options options = { .top = o->top,
						     .has_top = o->has_top,
						     .table = o->table,
						     .is_raw_csv = o->is_raw_csv,
						     .gates = gates,
						     .is_strict = o->is_strict };
	struct error err = ERROR_INIT;
	struct sink *sink = sink_open(NULL, false, &err);

	if (sink) {
		diff_report_find(o->format)->write(c, &options, sink);
		sink_close(sink, &err);
	}
	(void)ctx;
	if (err.kind != ERR_NONE)
		run_complain_output(run, NULL, &err);
}

/* The gates are decided first: the page says what became of them. */
static void write_and_decide(struct run *run, const struct compare *c, diff_write_fn *write,
			     void *ctx)
{
	const struct gate_options *gates = run->gates;
	struct gate_runs decided = { 0 };
	struct error err = ERROR_INIT;

	if (gates->n && !gate_runs_init(&decided, c, gates->gates, gates->n, &err)) {
		gate_options_refuse(run, &err);
	} else {
		write(run, c, &decided, ctx);
		gate_options_tell_changes(run, c, &decided);
	}
	gate_runs_done(&decided);
}

/* Compare the n runs of the plan, which are in run->profile. */
static void compare(struct run *run, struct compare_plan *plan, diff_write_fn *write, void *ctx)
{
	struct error err = ERROR_INIT;
	struct scope scope = { 0 };
	struct compare c = { 0 };

	plan->scope = &scope;
	if (!scope_options_transforms(&run->options, run->profile, &scope, &err))
		run_complain_usage(run, "", err.text, "");
	else if (check_time(run->profile, plan->runs, plan, &err) &&
		 compare_init(&c, run->profile, plan, &err))
		write_and_decide(run, &c, write, ctx);
	else
		run_complain_error(run, "", &err);
	compare_done(&c);
	scope_done(&scope);
	plan->scope = NULL;
}

static void free_runs(struct compare_run *runs, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		compare_run_done(&runs[i]);
	free(runs);
}

/* ---- hosts of a fleet ---- */

/* Add the lanes of a group to the run of its host and side; returns the number of runs. */
static uint32_t add_group(const struct profile *p, const struct fleet *fleet, uint32_t group,
			  struct compare_run *runs, uint32_t n)
{
	const struct fleet_group *g = &fleet->groups[group];
	struct compare_run *last = n ? &runs[n - 1] : NULL;
	struct compare_run own = { .name = intern_text(&fleet->strings, g->host),
				   .is_after = g->side == FLEET_AFTER };
	struct error err = ERROR_INIT;

	if (!compare_run_of_arguments(&own, p, group, group + 1, &err)) {
		compare_run_done(&own);
	} else if (last && last->name == own.name && last->is_after == own.is_after) {
		for (uint32_t i = 0; i < p->n_lanes; i++)
			last->is_lane[i] |= own.is_lane[i];
		last->t0 = own.t0 < last->t0 ? own.t0 : last->t0;
		last->t1 = own.t1 > last->t1 ? own.t1 : last->t1;
		compare_run_done(&own);
	} else {
		runs[n++] = own;
	}
	return n;
}

/* Set n[] to the numbers of runs: those before, then those after. False: a side has none. */
static bool find_hosts(struct run *run, const struct fleet *fleet, struct compare_run *runs,
		       uint32_t *n_runs)
{
	const struct options *o = &run->options;
	BUF_LOCAL text = { 0 };
	uint32_t n = 0;

	for (int side = FLEET_BEFORE; side <= FLEET_AFTER; side++) {
		uint32_t from = n;

		for (uint32_t i = 0; i < fleet->n_groups; i++)
			if ((int)fleet->groups[i].side == side &&
			    fleet->groups[i].facts.busy_ns > 0)
				n = add_group(run->profile, fleet, i, runs, n);
		*n_runs = n;
		if (n == from) {
			buf_addf(&text, "no profile with busy time has %s (%s)",
				 side == FLEET_BEFORE ? o->before_label : o->after_label,
				 side == FLEET_BEFORE ? "--before" : "--after");
			return run_complain(run, buf_text(&text));
		}
	}
	return true;
}

void diff_command_hosts(struct run *run, const struct fleet *fleet, diff_write_fn *write, void *ctx)
{
	struct compare_run *runs = xcalloc(fleet->n_groups + 1, sizeof *runs);
	struct compare_plan plan = { .runs = runs };
	struct error err = ERROR_INIT;

	run->profile = fleet_sums(fleet, &err);
	if (!run->profile)
		run_complain(run, err.text);
	else if (find_plan(run, &plan) && find_hosts(run, fleet, runs, &plan.n_runs))
		compare(run, &plan, write, ctx);
	free_runs(runs, plan.n_runs);
}

/* ---- the command ---- */

bool diff_command_begin(struct run *run, struct chart_diff_what *what)
{
	const struct options *o = &run->options;
	struct compare_plan plan = { 0 };

	if (!find_plan(run, &plan))
		return false;
	if (plan.count && strlen(plan.count) >= sizeof what->count)
		return run_complain_usage(run, "--per: the pattern is too long for -i", "", "");
	*what = (struct chart_diff_what){ .is_on = true,
					  .has_files = true,
					  .n_before = (uint32_t)o->n_before,
					  .n_files = (uint32_t)o->n_files,
					  .match = plan.match,
					  .files = o->files,
					  .lane = o->lane,
					  .is_slices = o->is_slices,
					  .from = o->from,
					  .to = o->to,
					  .per = plan.per == COMPARE_PER_TOTAL   ? SIDES_PER_TOTAL
						  : plan.per == COMPARE_PER_TIME ? SIDES_PER_TIME
						  : plan.per == COMPARE_PER_COUNT
						  ? SIDES_PER_COUNT
						  : SIDES_PER_NONE };
	if (plan.count)
		strcpy(what->count, plan.count);
	return true;
}

bool diff_command_check(const struct profile *profile, const struct chart_diff_what *what,
			struct error *err)
{
	uint32_t n = chart_diff_count_runs(what);
	struct compare_run *runs = xcalloc(n, sizeof *runs);
	struct compare_plan plan = { .runs = runs, .n_runs = n };
	bool ok;

	plan.per = what->per == SIDES_PER_TOTAL ? COMPARE_PER_TOTAL : COMPARE_PER_TIME;
	ok = chart_diff_find_runs(what, profile, runs, err) && check_kinds(profile, runs, n, err) &&
		check_time(profile, runs, &plan, err);
	for (uint32_t i = 0; i < n; i++)
		compare_run_done(&runs[i]);
	free(runs);
	return ok;
}

void diff_command(struct run *run)
{
	const struct options *o = &run->options;
	struct compare_plan plan = { 0 };
	struct error err = ERROR_INIT;
	struct compare_run *runs;
	int same = o->is_two_sided ? -1 : diff_command_same(o->files, o->n_files);

	if (!find_plan(run, &plan))
		return;
	if (same >= 0)
		run_warn("%s " DIFF_COMMAND_SAME, o->files[same]);
	if (!run_load(run) || diff_command_lacks(run))
		return;
	plan.n_runs = (uint32_t)o->n_files;
	plan.runs = runs = xcalloc(plan.n_runs, sizeof *runs);
	if (find_runs(run, runs, plan.n_runs, &err))
		compare(run, &plan, write_diff, NULL);
	else
		run_complain_error(run, "", &err);
	free_runs(runs, plan.n_runs);
}

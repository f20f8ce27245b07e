/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A mistake is shown with the gate, and a caret below the place. */
#include "config.h"

#include "cli/gate_options.h"

#include "base/alloc.h"
#include "base/message.h"
#include "base/text.h"
#include "write/report/gates.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool complain(struct run *run, const char *text, const struct error *err)
{
	struct buf after = { 0 };
	size_t offset = err->offset > 0 ? (size_t)err->offset : 0;

	/* Of an empty gate there is no place to show. */
	if (*text) {
		buf_adds(&after, "\n  ");
		text_visible(&after, text, strlen(text));
		buf_addf(&after, "\n%*s^", 2 + text_cells(text, offset), "");
	}
	run_complain_usage(run, "--fail-if: ", err->text, buf_text(&after));
	buf_done(&after);
	return false;
}

bool gate_options_find(struct run *run)
{
	const struct option_list *texts = &run->options.fail_if;
	struct gate_options *gates = run->gates = xcalloc(1, sizeof *gates);
	bool is_change = run->options.command == COMMAND_DIFF;

	if (texts->n && !is_change && run->options.command != COMMAND_REPORT) {
		run_complain_usage(run, "--fail-if is an option of report and diff", "", "");
		return false;
	}
	if (texts->n && run->options.n_noise) {
		run_complain_usage(run, "--fail-if needs runs before and after, not --noise", "",
				   "");
		return false;
	}
	for (; gates->n < texts->n; gates->n++) {
		const char *text = texts->items[gates->n];
		struct error err = ERROR_INIT;

		if (!gate_parse(&gates->gates[gates->n], text, is_change, &err))
			return complain(run, text, &err);
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
	if (err->kind == ERR_USAGE)
		run_complain_usage(run, "--fail-if: ", err->text, "");
	else
		run_complain(run, err->text);
}

static void tell_failed(struct run *run, const struct gate_result *result,
			const struct profile *profile)
{
	struct buf text = { 0 };

	buf_adds(&text, "gate failed: ");
	gate_line_figure(result, profile, &text);
	if (result->value.n_functions)
		buf_adds(&text, ": ");
	gate_line_functions(result, profile, ", ", &text);
	run_complain(run, buf_text(&text));
	buf_done(&text);
}

/* With --strict, this is worth an exit status of its own, unless anything failed. */
static void tell_undecided(struct run *run, const struct buf *text, bool is_warning)
{
	if (run->options.is_strict) {
		message_print("gate not decided: %s", buf_text(text));
		run->status = run->status == EXIT_OK ? EXIT_UNDECIDED : run->status;
	} else if (is_warning) {
		run_warn("gate %s", buf_text(text));
	}
}

static void tell_doubt(struct run *run, const struct gate_result *result,
		       const struct profile *profile)
{
	struct buf text = { 0 };

	gate_line_figure(result, profile, &text);
	buf_adds(&text, "; ");
	gate_line_doubt(result, &text);
	tell_undecided(run, &text, result->value.lack != GATE_LACKS_NOTHING);
	buf_done(&text);
}

void gate_options_tell(struct run *run)
{
	const struct gate_options *gates = run->gates;

	for (size_t i = 0; i < gates->n; i++) {
		const struct gate_result *result = &gates->results[i];

		if (result->is_undecided && (run->options.is_strict || !result->has_failed))
			tell_doubt(run, result, run->profile);
		else if (result->has_failed)
			tell_failed(run, result, run->profile);
	}
}

/* ---- changes ---- */

static void tell_change(struct run *run, const struct compare *c, const struct gate_runs *gates,
			size_t i)
{
	struct buf text = { 0 };

	buf_adds(&text, "gate failed: ");
	diff_gates_figure(c, gates, i, &text);
	if (gates->gates[i].n_functions)
		buf_adds(&text, ": ");
	diff_gates_functions(c, gates, i, &text);
	buf_adds(&text, "; ");
	diff_gates_runs(c, gates, i, &text);
	run_complain(run, buf_text(&text));
	buf_done(&text);
}

static void tell_change_doubt(struct run *run, const struct compare *c,
			      const struct gate_runs *gates, size_t i)
{
	struct buf text = { 0 };

	diff_gates_figure(c, gates, i, &text);
	buf_adds(&text, "; ");
	diff_gates_doubt(c, gates, i, &text);
	tell_undecided(run, &text, true);
	buf_done(&text);
}

void gate_options_tell_changes(struct run *run, const struct compare *c,
			       const struct gate_runs *gates)
{
	for (size_t i = 0; i < gates->n; i++) {
		const struct gate_change *change = &gates->changes[i];

		if (change->doubt != GATE_SURE && (run->options.is_strict || !change->has_failed))
			tell_change_doubt(run, c, gates, i);
		else if (change->has_failed)
			tell_change(run, c, gates, i);
	}
}

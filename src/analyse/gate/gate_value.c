/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The total time of a pattern is that of the outermost matches: the nodes below a match are passed
 * over, so that a moment with several matches on the stack counts once. */
#include "config.h"

#include "analyse/gate/gate_value.h"

#include "analyse/frame_set.h"
#include "analyse/label_share.h"
#include "analyse/summary.h"
#include "findings/findings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int64_t busy_ns(const struct totals *totals)
{
	return totals->self_ns - totals->idle_ns;
}

/* ---- patterns ---- */

#define NAMED_LETTERS 4

static bool is_pseudo(const struct frame *frame)
{
	return frame->category == CATEGORY_IDLE || frame->category == CATEGORY_PROGRAM ||
		frame->category == CATEGORY_GC;
}

/* Whether the pattern has some letters in a row that are in the name, too. */
static bool names(const char *pattern, const char *name)
{
	for (const char *at = pattern; *at; at++) {
		char part[NAMED_LETTERS + 1] = "";
		size_t n = 0;

		while (n < NAMED_LETTERS && ((at[n] | 0x20) >= 'a' && (at[n] | 0x20) <= 'z')) {
			part[n] = at[n];
			n++;
		}
		if (n == NAMED_LETTERS && strcasestr(name, part))
			return true;
	}
	return false;
}

uint8_t *gate_value_matches(const struct profile *profile, const struct frame *frames, uint32_t n,
			    const char *pattern, struct error *err)
{
	uint8_t *is_match = frame_set_find(profile, frames, n, pattern, err);

	for (frame_id f = 1; is_match && f < n; f++) {
		if (!is_match[f] || !is_pseudo(&frames[f]))
			continue;
		is_match[f] = names(pattern, profile_text(profile, frames[f].name)) ||
			(frames[f].category == CATEGORY_GC && strcasestr(pattern, "gc"));
	}
	return is_match;
}

bool gate_value_refuse(const struct gate *gate, struct error *err)
{
	return error_set(
		err, ERR_USAGE, -1,
		"%s: the pattern matches every function, so the share never changes; name a "
		"function, or a folder as in %s(file:/src/), or set a time%s",
		gate->text, gate_metric_name(gate->metric),
		gate->is_change ? " (> +20ms), or compare --per=count:PATTERN" : " (> 200ms)");
}

static int64_t outermost_ns(const struct totals *totals, const uint8_t *is_match)
{
	const struct calltree *tree = totals->view->tree;
	int64_t ns = 0;

	for (node_id node = NODE_ROOT + 1; node < tree->n;) {
		bool is = is_match[tree->frame[node]];

		ns += is ? totals->total[node] : 0;
		node = is ? tree->end[node] : node + 1;
	}
	return ns;
}

/* Put a function into the list of the heaviest, after those with as much. */
static void add_function(struct gate_value *value, const struct frame *frame, int64_t ns)
{
	uint32_t at = value->n_functions;

	while (at > 0 && value->function_ns[at - 1] < ns)
		at--;
	if (value->n_functions < GATE_FUNCTIONS_MOST)
		value->n_functions++;
	else
		value->n_more++;
	for (uint32_t i = value->n_functions; i-- > at + 1;) {
		value->functions[i] = value->functions[i - 1];
		value->function_ns[i] = value->function_ns[i - 1];
	}
	if (at < GATE_FUNCTIONS_MOST) {
		value->functions[at] = *frame;
		value->function_ns[at] = ns;
	}
}

static bool find_matches(const struct gate *gate, const struct gate_source *source,
			 struct gate_value *value, struct error *err)
{
	const struct totals *totals = source->totals;
	const int64_t *ns = gate->metric == GATE_SELF ? totals->frame_self : totals->frame_total;
	uint8_t *is_match = gate_value_matches(source->profile, totals->view->frames,
					       totals->view->n_frames, gate->pattern, err);
	bool has_match = false;
	uint32_t n_all = 0, n_matches = 0;

	if (!is_match)
		return false;
	for (frame_id f = 1; f < totals->view->n_frames; f++)
		has_match |= is_match[f];
	for (uint32_t i = 0; i < totals->n_used; i++) {
		frame_id f = totals->used[i];

		if (totals->frame_total[f] > 0 && !is_pseudo(&totals->view->frames[f])) {
			n_all++;
			n_matches += is_match[f];
		}
		if (!is_match[f] || ns[f] <= 0)
			continue;
		add_function(value, &totals->view->frames[f], ns[f]);
		value->ns += gate->metric == GATE_SELF ? ns[f] : 0;
	}
	if (gate->metric == GATE_TOTAL)
		value->ns = outermost_ns(totals, is_match);
	if (!has_match)
		value->lack = GATE_LACKS_MATCH;
	value->is_all = n_matches == n_all && n_all > 1;
	free(is_match);
	return true;
}

/* ---- labels ---- */

static bool is_about_labels(const struct gate *gate)
{
	size_t skip;

	return pattern_subject(gate->pattern, strlen(gate->pattern), &skip) == PATTERN_LABEL;
}

/* Add the values of a label that match. */
static void add_values(const struct gate_source *source, const struct label_share *share,
		       struct pattern *pattern, struct gate_value *value)
{
	const struct intern *strings = &source->profile->strings;

	for (size_t i = 0; i < share->n; i++) {
		const struct label_part *part = &share->parts[i];

		if (!part->value ||
		    !pattern_find(pattern, intern_text(strings, part->value),
				  intern_len(strings, part->value), NULL, NULL))
			continue;
		value->ns += part->ns;
		add_function(value,
			     &(struct frame){ .name = part->value, .category = CATEGORY_LABEL },
			     part->ns);
	}
}

/* The time of samples with a label, without idle time, as busy time is. */
static bool find_labels(const struct gate *gate, const struct gate_source *source,
			struct gate_value *value, struct error *err)
{
	const struct profile *p = source->profile;
	struct error why = ERROR_INIT;
	struct label_share *shares;
	struct pattern *pattern;
	size_t skip, n;
	uint32_t key;
	char *name;
	bool is_known;

	pattern_subject(gate->pattern, strlen(gate->pattern), &skip);
	name = pattern_label_key(gate->pattern, skip);
	is_known = labels_find(&p->labels, &p->strings, name, &key, &why);
	free(name);
	value->lack = GATE_LACKS_LABEL;
	if (!is_known)
		return true;
	pattern = pattern_new(gate->pattern + skip, strlen(gate->pattern + skip), false, err);
	if (!pattern)
		return false;
	n = label_share_of(p, source->lanes, source->n_lanes, source->t0, source->t1, false,
			   &shares);
	for (size_t i = 0; i < n; i++)
		if (shares[i].key == key)
			add_values(source, &shares[i], pattern, value);
	label_share_free(shares, n);
	if (value->n_functions)
		value->lack = GATE_LACKS_NOTHING;
	if (pattern_failures(pattern))
		error_set(err, ERR_LIMIT, -1, "the pattern '%.200s' takes too long", gate->pattern);
	is_known = !pattern_failures(pattern);
	pattern_free(pattern);
	return is_known;
}

/* ---- the longest task ---- */

static void find_task(const struct gate_source *source, struct gate_value *value)
{
	value->lack = GATE_LACKS_LOOP;
	for (uint32_t i = 0; i < source->n_lanes; i++) {
		const struct findings_result *r;
		struct findings findings;

		if (!findings_is_for(source->lanes[i]))
			continue;
		findings_init(&findings, source->profile, source->lanes[i]);
		findings_judge_by(&findings, source->t0, source->t1);
		findings_begin(&findings, source->t0, source->t1);
		while (!findings_work(&findings, BUDGET_UNLIMITED))
			;
		r = &findings.result;
		if (r->task_t1 - r->task_t0 > value->ns) {
			value->lack = GATE_LACKS_NOTHING;
			value->ns = r->task_t1 - r->task_t0;
			value->t0 = r->task_t0;
			value->lane = source->lanes[i]->id;
			value->is_at_most = !r->is_task_exact;
		}
		findings_done(&findings);
	}
}

/* ---- the error of sampling ---- */

/* The number of samples that are not idle; 0: there are slices. */
static uint64_t busy_samples(const struct totals *totals)
{
	struct totals_counts counts;
	uint64_t n = 0;

	for (uint32_t i = 0; i < totals->view->n_sources; i++)
		if (totals->view->sources[i].lane->kind != LANE_SAMPLES)
			return 0;
	totals_counts(totals, &counts);
	for (uint32_t i = 0; i < totals->n_used; i++)
		if (totals->view->frames[totals->used[i]].category != CATEGORY_IDLE)
			n += counts.self_samples[totals->used[i]];
	totals_counts_done(&counts);
	return n;
}

static void find_error(const struct gate *gate, const struct gate_source *source,
		       struct gate_value *value)
{
	uint64_t n = busy_samples(source->totals);
	double interval, share;

	if (!n || value->whole_ns <= 0 || value->lack != GATE_LACKS_NOTHING)
		return;
	interval = (double)busy_ns(source->totals) / (double)n;
	share = fmin(1, (double)value->ns / (double)value->whole_ns);
	/* A task ends as much as an interval too early or too late, and begins so. */
	if (gate->metric == GATE_BLOCKED)
		value->error_ns = value->is_at_most ? (int64_t)(2 * interval) : 0;
	else
		value->error_ns = (int64_t)(2 * interval *
					    sqrt((double)value->ns / interval * (1 - share) + 1));
}

/* ---- all of them ---- */

static bool is_unmeasured(const struct gate_source *source)
{
	for (uint32_t i = 0; i < source->n_lanes; i++)
		if (source->lanes[i]->is_unmeasured)
			return true;
	return false;
}

static bool find(const struct gate *gate, const struct gate_source *source,
		 struct gate_value *value, struct error *err)
{
	const struct totals *totals = source->totals;

	switch (gate->metric) {
	case GATE_TOTAL:
	case GATE_SELF:
		if (is_about_labels(gate))
			return find_labels(gate, source, value, err);
		return find_matches(gate, source, value, err);
	case GATE_GC:
		value->ns = summary_gc(totals);
		break;
	case GATE_PROGRAM:
		value->ns = summary_category(totals, CATEGORY_PROGRAM);
		break;
	case GATE_IDLE:
		value->ns = totals->idle_ns;
		value->whole_ns = totals->self_ns;
		break;
	case GATE_BUSY:
		value->ns = value->whole_ns;
		value->whole_ns = totals->self_ns;
		break;
	case GATE_BLOCKED:
		find_task(source, value);
		break;
	}
	return true;
}

bool gate_value_find(const struct gate *gate, const struct gate_source *source,
		     struct gate_value *value, struct error *err)
{
	*value = (struct gate_value){ .amount = source->profile->unit,
				      .whole_ns = busy_ns(source->totals) };
	if (!find(gate, source, value, err))
		return false;
	if (value->whole_ns <= 0 && (gate->metric != GATE_BUSY || gate->unit != GATE_TIME))
		value->lack = GATE_LACKS_BUSY;
	else if (gate->unit == GATE_TIME &&
		 (is_unmeasured(source) || !amount_is_time(&value->amount)))
		value->lack = GATE_LACKS_TIME;
	if (!gate->is_change)
		find_error(gate, source, value);
	return true;
}

const char *gate_value_lack(enum gate_lack lack)
{
	static const char *const texts[] = {
		[GATE_LACKS_MATCH] = "no function matches",
		[GATE_LACKS_LABEL] = "no sample matches",
		[GATE_LACKS_BUSY] = "there is no busy time",
		[GATE_LACKS_LOOP] = "no event loop ran a task",
		[GATE_LACKS_TIME] = "the lengths of the samples were not measured",
	};

	return texts[lack];
}

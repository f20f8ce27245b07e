/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A parser by hand, from left to right; only the end of the pattern is found from the right. */
#include "config.h"

#include "analyse/gate/gate.h"

#include "analyse/compare/compare.h"
#include "analyse/compare/ranksum.h"
#include "analyse/label_share.h"
#include "analyse/scope.h"
#include "analyse/summary.h"
#include "analyse/totals.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/pattern.h"
#include "findings/findings.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ==== gate value ====
 *
 * The total time of a pattern is that of the outermost matches: the nodes below a match are passed
 * over, so that a moment with several matches on the stack counts once. */

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

/* The set of frames[0 .. n) that a gate's pattern is about, as frame_set_find() returns it. (idle),
 * (program) and garbage collection are no functions: they are in it only if the pattern names them,
 * with four letters in a row of their name, or gc. */
static uint8_t *gate_value_matches(const struct profile *profile, const struct frame *frames,
				   uint32_t n, const char *pattern, struct error *err)
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

/* The gate limits a share of which is_all is true: err says what to write instead (ERR_USAGE).
 * Always returns false. */
static bool gate_value_refuse(const struct gate *gate, struct error *err)
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
	if (value->n_functions < GATE_FUNCTIONS_MAX)
		value->n_functions++;
	else
		value->n_more++;
	for (uint32_t i = value->n_functions; i-- > at + 1;) {
		value->functions[i] = value->functions[i - 1];
		value->function_ns[i] = value->function_ns[i - 1];
	}
	if (at < GATE_FUNCTIONS_MAX) {
		value->functions[at] = *frame;
		value->function_ns[at] = ns;
	}
}

static bool find_matches(const struct gate *gate, const struct gate_source *source,
			 struct gate_value *value, struct error *err)
{
	const struct totals *totals = source->totals;
	const int64_t *ns = gate->metric == GATE_SELF ? totals->frame_self : totals->frame_total;
	ALLOC_LOCAL uint8_t *is_match = gate_value_matches(
		source->profile, totals->view->frames, totals->view->n_frames, gate->pattern, err);
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
	ALLOC_LOCAL char *name = NULL;
	bool is_known;

	pattern_subject(gate->pattern, strlen(gate->pattern), &skip);
	name = pattern_label_key(gate->pattern, skip);
	is_known = labels_find(&p->labels, &p->strings, name, &key, &why);
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
		findings.charge.t0 = source->t0;
		findings.charge.t1 = source->t1;
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
	totals_leaves(totals, &counts);
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
		value->error_ns = (int64_t)units_sampling_error(value->ns, interval, share);
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
		value->ns = summary_program(totals);
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

/* False: the pattern takes too long. */
static bool gate_value_find(const struct gate *gate, const struct gate_source *source,
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

/* ==== gate result ====
 *
 * A gate without a figure has not failed: whether that is good enough is for the user to say. */

static double in_unit(const struct gate *gate, const struct gate_value *value, int64_t ns)
{
	if (gate->unit == GATE_TIME)
		return (double)ns;
	return value->whole_ns > 0 ? 100.0 * (double)ns / (double)value->whole_ns : 0;
}

bool gate_result_find(const struct gate *gate, const struct gate_source *source,
		      struct gate_result *result, struct error *err)
{
	struct gate_value *value = &result->value;

	*result = (struct gate_result){ .gate = gate };
	if (!gate_value_find(gate, source, value, err))
		return false;
	if (value->is_all && gate->unit == GATE_PERCENT)
		return gate_value_refuse(gate, err);
	result->figure = in_unit(gate, value, value->ns);
	result->error = in_unit(gate, value, value->error_ns);
	result->is_undecided = value->lack != GATE_LACKS_NOTHING ||
		fabs(result->figure - gate->limit) < result->error;
	if (value->lack == GATE_LACKS_NOTHING || value->lack == GATE_LACKS_MATCH ||
	    value->lack == GATE_LACKS_LABEL)
		result->has_failed = gate->is_below ? result->figure < gate->limit
						    : result->figure > gate->limit;
	return true;
}

/* ==== gate ==== */

#define WORDS "total(PATTERN), self(PATTERN), gc, program, idle, busy or blocked"

static const struct {
	const char *name;
	bool has_pattern;
	bool is_time; /* a share of the busy time would say nothing */
} metrics[] = {
	[GATE_TOTAL] = { "total", true, false },     [GATE_SELF] = { "self", true, false },
	[GATE_GC] = { "gc", false, false },          [GATE_PROGRAM] = { "program", false, false },
	[GATE_IDLE] = { "idle", false, false },      [GATE_BUSY] = { "busy", false, false },
	[GATE_BLOCKED] = { "blocked", false, true },
};

static const struct {
	const char *name;
	enum gate_unit unit;
	double factor;
} units[] = {
	{ "%", GATE_PERCENT, 1 }, { "pt", GATE_POINTS, 1 }, { "ns", GATE_TIME, 1 },
	{ "us", GATE_TIME, 1e3 }, { "ms", GATE_TIME, 1e6 }, { "s", GATE_TIME, 1e9 },
};

struct parser {
	struct gate *gate;
	const char *text, *at;
	struct error *err;
};

static void skip_blanks(struct parser *p)
{
	p->at += strspn(p->at, " \t");
}

static bool wrong(struct parser *p, const char *what)
{
	return error_set(p->err, ERR_SYNTAX, p->at - p->text, "%s", what);
}

static size_t letters(const char *text)
{
	return strspn(text, "abcdefghijklmnopqrstuvwxyz");
}

/* ---- the metric ---- */

/* Samples have labels: their time is one figure. */
static bool check_label(struct parser *p)
{
	if (p->gate->is_change)
		return wrong(p, "gates of changes know no labels; those of reports do, and --only");
	return p->gate->metric == GATE_TOTAL ||
		wrong(p, "samples with a label have no self time: write total(label:KEY=RE)");
}

static bool check_pattern(struct parser *p)
{
	const char *pattern = p->gate->pattern;
	struct error why = ERROR_INIT;
	struct pattern *made;
	size_t skip;

	if (pattern_subject(pattern, strlen(pattern), &skip) == PATTERN_LABEL && !check_label(p))
		return false;
	made = pattern_new(pattern + skip, strlen(pattern + skip), false, &why);
	pattern_free(made);
	if (made)
		return true;
	p->at += skip + (why.offset > 0 ? (size_t)why.offset : 0);
	return wrong(p, why.text);
}

static bool parse_pattern(struct parser *p)
{
	const char *end = strrchr(p->at, ')');
	size_t len;

	if (*p->at != '(')
		return wrong(p, "write a pattern in parentheses, as in total(render)");
	if (!end) {
		p->at += strlen(p->at);
		return wrong(p, "write ')' after the pattern");
	}
	len = (size_t)(end - ++p->at);
	if (len == 0)
		return wrong(p, "the pattern is empty");
	p->gate->pattern = xstrndup(p->at, len);
	if (!check_pattern(p))
		return false;
	p->at = end + 1;
	return true;
}

static bool parse_metric(struct parser *p)
{
	size_t len = letters(p->at);

	for (size_t i = 0; i < ARRAY_LEN(metrics); i++) {
		if (strlen(metrics[i].name) != len || memcmp(p->at, metrics[i].name, len) != 0)
			continue;
		p->gate->metric = (enum gate_metric)i;
		p->at += len;
		if (metrics[i].has_pattern)
			return parse_pattern(p);
		return *p->at != '(' || wrong(p, "only total and self take a pattern");
	}
	return wrong(p, "write what to measure: " WORDS);
}

/* ---- the limit ---- */

static bool parse_comparison(struct parser *p)
{
	if (*p->at != '>' && *p->at != '<')
		return wrong(p, "write '>' or '<'");
	p->gate->is_below = *p->at++ == '<';
	if (*p->at == '=')
		return wrong(p, "there is no '=' here: limits are '>' and '<'");
	return true;
}

static bool parse_sign(struct parser *p, double *sign)
{
	const struct gate *gate = p->gate;

	*sign = *p->at == '-' ? -1 : 1;
	if (*p->at != '+' && *p->at != '-')
		return !gate->is_change ||
			wrong(p, "a limit of a change has a sign, as in +5%, +5pt or +20ms");
	if (!gate->is_change)
		return wrong(p, "a report has no change: no sign here (flametty diff compares)");
	if ((*p->at == '-') != gate->is_below)
		return wrong(p,
			     gate->is_below ? "'<' is for less time: write '-'"
					    : "'>' is for more time: write '+'");
	p->at++;
	return true;
}

/* Of a number only digits and one point: strtod() would take more. */
static bool parse_number(struct parser *p, double *number)
{
	size_t digits = strspn(p->at, "0123456789"), len = digits;
	char text[32] = "";

	if (p->at[len] == '.') {
		size_t more = strspn(p->at + len + 1, "0123456789");

		digits += more;
		len += 1 + more;
	}
	if (!digits || len >= sizeof text)
		return wrong(p, "write a number");
	memcpy(text, p->at, len);
	*number = strtod(text, NULL);
	p->at += len;
	return true;
}

static bool check_unit(struct parser *p, enum gate_unit unit)
{
	enum gate_metric metric = p->gate->metric;

	if (unit == GATE_POINTS && !p->gate->is_change)
		return wrong(p, "points (pt) are for changes: write %");
	if (metrics[metric].is_time &&
	    (unit == GATE_POINTS || (unit == GATE_PERCENT && !p->gate->is_change)))
		return wrong(p, "blocked is a time: write ns, us, ms or s");
	return true;
}

static bool parse_unit(struct parser *p)
{
	size_t len = *p->at == '%' ? 1 : letters(p->at);

	for (size_t i = 0; i < ARRAY_LEN(units); i++) {
		if (strlen(units[i].name) != len || memcmp(p->at, units[i].name, len) != 0)
			continue;
		if (!check_unit(p, units[i].unit))
			return false;
		p->gate->unit = units[i].unit;
		p->gate->limit *= units[i].factor;
		p->at += len;
		return true;
	}
	return wrong(p,
		     p->gate->is_change ? "write a unit: %, pt, ns, us, ms or s"
					: "write a unit: %, ns, us, ms or s");
}

static bool parse_limit(struct parser *p)
{
	double sign = 1, number = 0;

	if (!parse_sign(p, &sign) || !parse_number(p, &number))
		return false;
	p->gate->limit = sign * number;
	skip_blanks(p);
	return parse_unit(p);
}

bool gate_parse(struct gate *gate, const char *text, bool is_change, struct error *err)
{
	struct parser p = { .gate = gate, .text = text, .at = text, .err = err };
	bool ok;

	*gate = (struct gate){ .text = text, .is_change = is_change };
	skip_blanks(&p);
	ok = parse_metric(&p);
	skip_blanks(&p);
	ok = ok && parse_comparison(&p);
	skip_blanks(&p);
	ok = ok && parse_limit(&p);
	skip_blanks(&p);
	ok = ok && (!*p.at || wrong(&p, "nothing can follow the unit"));
	if (!ok)
		gate_done(gate);
	return ok;
}

const char *gate_metric_name(enum gate_metric metric)
{
	return metrics[metric].name;
}

/* ==== gate change ====
 *
 * First each gate alone, with its own p; then all of them together, as the correction wants it. */

static double compared(const struct gate *gate, const struct gate_run *run)
{
	if (gate->unit != GATE_POINTS)
		return run->value;
	return run->whole > 0 ? 100 * run->value / run->whole : 0;
}

static double change_of(const struct gate_change *c)
{
	double difference = c->after - c->before;

	if (c->gate->unit != GATE_PERCENT)
		return difference;
	if (c->before > 0)
		return 100 * difference / c->before;
	return difference > 0 ? INFINITY : 0;
}

/* Split the runs into values before and behind them values after, and wholes in the same way. */
static void split(struct gate_change *c, double *values, double *wholes)
{
	size_t before = 0, after;

	c->n_before = 0;
	for (size_t i = 0; i < c->n_runs; i++)
		c->n_before += !c->runs[i].is_after;
	c->n_after = c->n_runs - c->n_before;
	after = c->n_before;
	for (size_t i = 0; i < c->n_runs; i++) {
		size_t at = c->runs[i].is_after ? after++ : before++;

		values[at] = compared(c->gate, &c->runs[i]);
		wholes[at] = c->gate->unit == GATE_POINTS ? 100 : c->runs[i].whole;
	}
}

/* Everything except what depends on the other gates. */
static void measure(struct gate_change *c, double floor)
{
	ALLOC_LOCAL double *values = xcalloc(c->n_runs + 1, sizeof *values);
	ALLOC_LOCAL double *wholes = xcalloc(c->n_runs + 1, sizeof *wholes);
	double least;

	split(c, values, wholes);
	c->p = 1;
	if (gate_change_has_test(c))
		c->p = ranksum_p(values, c->n_before, values + c->n_before, c->n_after);
	c->before = compare_stats_median(values, (uint32_t)c->n_before);
	c->after = compare_stats_median(values + c->n_before, (uint32_t)c->n_after);
	c->change = change_of(c);
	least = floor * compare_stats_median(wholes, (uint32_t)c->n_runs);
	c->is_above_floor = c->gate->metric == GATE_BLOCKED || fabs(c->after - c->before) >= least;
}

static void decide(struct gate_change *c, size_t n)
{
	bool has_test = gate_change_has_test(c);

	if (c->lack != GATE_LACKS_NOTHING)
		c->doubt = GATE_DOUBT_LACK;
	else if (!has_test)
		c->doubt = GATE_DOUBT_RUNS;
	else if (ranksum_least_p(c->n_before, c->n_after) * (double)n >= GATE_LEVEL)
		c->doubt = GATE_DOUBT_GATES;
	c->has_failed = (c->lack == GATE_LACKS_NOTHING || c->lack == GATE_LACKS_MATCH) &&
		(c->gate->is_below ? c->change < c->gate->limit : c->change > c->gate->limit) &&
		c->is_above_floor && (!has_test || c->p < GATE_LEVEL);
}

/* Decide n gates. Of each `gate`, `runs`, `n_runs` and `lack` are set. floor: the part of `whole`
 * that a change must have; a blocked event loop has none. */
static void gate_change_decide(struct gate_change *changes, size_t n, double floor)
{
	ALLOC_LOCAL double *p = xcalloc(n + 1, sizeof *p);

	for (size_t i = 0; i < n; i++) {
		measure(&changes[i], floor);
		p[i] = changes[i].p;
	}
	ranksum_holm(p, n);
	for (size_t i = 0; i < n; i++) {
		changes[i].p = p[i];
		decide(&changes[i], n);
	}
}

/* ==== gate runs ====
 *
 * The functions of all runs are frames of one view, so that a pattern is about the same functions
 * in each run. A group of functions is one figure of each run: the sum is tested, not its parts. */

/* ---- figures ---- */

/* What a time in ns is multiplied by. The blocks of an event loop are as long as they are, and
 * times are not shares: both stay as recorded if the comparison is one of shares. */
static double factor(const struct compare *c, uint32_t run, const struct gate *gate,
		     const struct gate_value *value)
{
	if (gate_runs_is_share(c, gate))
		return value->whole_ns > 0 ? 100 / (double)value->whole_ns : 0;
	if (gate->metric == GATE_BLOCKED || c->plan.per == COMPARE_PER_TOTAL)
		return 1;
	return compare_scale(c, run) * 1e6;
}

/* What all runs lack. The lengths of samples must be measured in each of them. */
static enum gate_lack joined_lack(enum gate_lack all, enum gate_lack one, bool is_first)
{
	if (is_first || one == GATE_LACKS_TIME || all == one)
		return one;
	return all == GATE_LACKS_TIME ? all : GATE_LACKS_NOTHING;
}

static uint32_t find_lanes(const struct profile *p, const struct compare_run *run,
			   const struct lane **lanes)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (run->is_lane[i])
			lanes[n++] = &p->lanes[i];
	return n;
}

static bool measure_run(struct gate_runs *out, struct compare *c, uint32_t run,
			const struct lane **lanes, struct error *err)
{
	const struct compare_run *r = &c->plan.runs[run];
	const struct gate_source source = { .profile = c->profile,
					    .lanes = lanes,
					    .n_lanes = find_lanes(c->profile, r, lanes),
					    .t0 = r->t0,
					    .t1 = r->t1,
					    .totals = &c->totals };

	compare_totals(c, run);
	for (size_t i = 0; i < out->n; i++) {
		struct gate_change *change = &out->changes[i];
		struct gate_value value;
		double by;

		if (!gate_value_find(change->gate, &source, &value, err))
			return false;
		change->lack = joined_lack(change->lack, value.lack, run == 0);
		out->gates[i].is_all = value.is_all && (run == 0 || out->gates[i].is_all);
		/* A run without busy time has no share. */
		if (value.whole_ns <= 0 && change->gate->unit != GATE_TIME)
			continue;
		by = factor(c, run, change->gate, &value);
		out->gates[i].runs[change->n_runs++] =
			(struct gate_run){ .is_after = r->is_after,
					   .value = (double)value.ns * by,
					   .whole = (double)value.whole_ns * by };
	}
	return true;
}

static bool measure_runs(struct gate_runs *out, struct compare *c, struct error *err)
{
	ALLOC_LOCAL const struct lane **lanes = xcalloc(c->profile->n_lanes + 1, sizeof *lanes);
	bool ok = true;

	for (uint32_t run = 0; ok && run < c->plan.n_runs; run++)
		ok = measure_run(out, c, run, lanes, err);
	return ok;
}

/* ---- functions ---- */

static double change_of_runs(const struct gate_runs_function *f)
{
	return fabs(f->after - f->before);
}

static void add_run_function(struct gate_runs_gate *gate, const struct gate_runs_function *f)
{
	uint32_t at = gate->n_functions;

	while (at > 0 && change_of_runs(&gate->functions[at - 1]) < change_of_runs(f))
		at--;
	if (gate->n_functions < GATE_FUNCTIONS_MAX)
		gate->n_functions++;
	else
		gate->n_more++;
	for (uint32_t i = gate->n_functions; i-- > at + 1;)
		gate->functions[i] = gate->functions[i - 1];
	if (at < GATE_FUNCTIONS_MAX)
		gate->functions[at] = *f;
}

static bool find_functions(const struct compare *c, const struct gate *gate,
			   struct gate_runs_gate *out, struct error *err)
{
	enum compare_measure measure_runs = gate->metric == GATE_SELF ? COMPARE_SELF
								      : COMPARE_TOTAL;
	ALLOC_LOCAL uint8_t *is_match = NULL;
	bool ok;

	if (!gate->pattern)
		return true;
	is_match = gate_value_matches(c->profile, c->view.frames, c->view.n_frames, gate->pattern,
				      err);
	ok = is_match != NULL;
	for (size_t i = 0; ok && i < c->n_rows; i++) {
		const struct compare_row *row = &c->rows[i];
		const struct compare_value *v = &row->value[measure_runs];

		if (is_match[row->frame] && (v->before > 0 || v->after > 0))
			add_run_function(
				out,
				&(struct gate_runs_function){ .frame = c->view.frames[row->frame],
							      .before = v->before,
							      .after = v->after });
	}
	return ok;
}

/* ---- all of them ---- */

static bool decide_runs(struct gate_runs *out, struct compare *c, struct error *err)
{
	if (!measure_runs(out, c, err))
		return false;
	gate_change_decide(out->changes, out->n, c->plan.floor);
	for (size_t i = 0; i < out->n; i++)
		if (out->gates[i].is_all && gate_runs_is_share(c, out->changes[i].gate))
			return gate_value_refuse(out->changes[i].gate, err);
	for (size_t i = 0; i < out->n; i++)
		if (!find_functions(c, out->changes[i].gate, &out->gates[i], err))
			return false;
	return true;
}

bool gate_runs_init(struct gate_runs *out, const struct compare *compare, const struct gate *gates,
		    size_t n, struct error *err)
{
	struct compare_plan plan = compare->plan;
	struct scope scope = *plan.scope;
	struct compare functions;
	bool ok;

	*out = (struct gate_runs){ .gates = xcalloc(n + 1, sizeof *out->gates),
				   .changes = xcalloc(n + 1, sizeof *out->changes),
				   .n = n };
	for (size_t i = 0; i < n; i++) {
		out->gates[i].runs = xcalloc(plan.n_runs + 1, sizeof *out->gates[i].runs);
		out->changes[i].gate = &gates[i];
		out->changes[i].runs = out->gates[i].runs;
	}
	scope.group = GROUP_FUNCTION;
	scope.filter = NULL;
	plan.scope = &scope;
	plan.match = plan.match == MATCH_STACK ? MATCH_IN_FILE : plan.match;
	ok = compare_init(&functions, compare->profile, &plan, err) &&
		decide_runs(out, &functions, err);
	compare_done(&functions);
	return ok;
}

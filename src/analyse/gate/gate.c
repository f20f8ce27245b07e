/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A parser by hand, from left to right; only the end of the pattern is found from the right. */
#include "config.h"

#include "analyse/gate/gate.h"

#include "analyse/pattern.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

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

void gate_done(struct gate *gate)
{
	free((void *)gate->pattern);
	*gate = (struct gate){ 0 };
}

const char *gate_metric_name(enum gate_metric metric)
{
	return metrics[metric].name;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lanes of calls are lanes of samples or, in a profile without any, lanes of slices, as in reports:
 * a trace that has both is compared by its samples, unless slices are wanted. */
#include "config.h"

#include "analyse/compare/compare_run.h"

#include "analyse/scope.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/units.h"

#include <stdlib.h>
#include <string.h>

/* From the start of the first lane to the end of the last one. */
static void find_range(struct compare_run *run, const struct profile *p)
{
	bool is_first = true;

	for (uint32_t i = 0; i < p->n_lanes; i++) {
		const struct lane *lane = &p->lanes[i];

		if (!run->is_lane[i])
			continue;
		if (is_first || lane->t0 < run->t0)
			run->t0 = lane->t0;
		if (is_first || lane->t1 > run->t1)
			run->t1 = lane->t1;
		is_first = false;
	}
}

bool compare_run_of_arguments(struct compare_run *run, const struct profile *p, uint32_t first,
			      uint32_t end, struct error *err)
{
	static const enum lane_kind kinds[] = { LANE_SAMPLES, LANE_SLICES };
	bool has_lane = false;

	run->is_lane = xcalloc(p->n_lanes, 1);
	for (size_t k = 0; k < ARRAY_LEN(kinds) && !has_lane; k++)
		for (uint32_t i = 0; i < p->n_lanes; i++) {
			uint32_t argument = p->inputs[p->lanes[i].input].argument;

			run->is_lane[i] = p->lanes[i].kind == kinds[run->is_slices ? 1 - k : k] &&
				p->lanes[i].tree.n > 0 && argument >= first && argument < end;
			has_lane |= run->is_lane[i];
		}
	if (!has_lane)
		return error_set(err, ERR_FORMAT, -1, "%.300s: no samples and no slices",
				 run->name);
	find_range(run, p);
	return true;
}

/* The lane with that number among those of the run. Joined lanes are one. */
static void take_number(const struct compare_run *run, const struct profile *p, long number,
			uint8_t *is)
{
	uint32_t n;

	for (uint32_t i = 0; i < p->n_lanes; i += n) {
		n = lane_count_joined(&p->lanes[i], p->lanes + p->n_lanes);
		if (run->is_lane[i] && --number == 0)
			memset(is + i, 1, n);
	}
}

/* Mark the lanes of the profile that a word names. */
static bool take_lanes(const struct compare_run *run, const struct profile *p, const char *word,
		       uint8_t *is, struct error *err)
{
	struct scope scope;

	if (*word && strlen(word) < 10 && word[strspn(word, "0123456789")] == '\0') {
		take_number(run, p, strtol(word, NULL, 10), is);
		return true;
	}
	scope_all(&scope, p);
	if (!scope_select(&scope, p, word, err)) {
		scope_done(&scope);
		return false;
	}
	for (uint32_t i = 0; i < p->n_lanes; i++)
		is[i] |= !scope.is_lane || scope.is_lane[i];
	scope_done(&scope);
	return true;
}

bool compare_run_select(struct compare_run *run, const struct profile *p, const char *selector,
			struct error *err)
{
	ALLOC_LOCAL uint8_t *is = xcalloc(p->n_lanes, 1);
	BUF_LOCAL word = { 0 };
	bool ok = true, has_lane = false;

	for (const char *list = selector; ok && *list;) {
		size_t n = strcspn(list, ",");

		buf_clear(&word);
		buf_add(&word, list, n);
		list += n + (list[n] == ',');
		ok = take_lanes(run, p, buf_text(&word), is, err);
	}
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		run->is_lane[i] &= is[i];
		has_lane |= run->is_lane[i];
	}
	if (!ok) {
		err->kind = ERR_USAGE;
		return false;
	}
	if (!has_lane)
		return error_set(err, ERR_USAGE, -1, "no lane '%.100s' in %.300s", selector,
				 run->name);
	find_range(run, p);
	return true;
}

bool compare_run_has_time(const struct compare_run *run, const struct profile *p)
{
	if (!amount_is_time(&p->unit))
		return false;
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		const struct lane *lane = &p->lanes[i];
		const char *format = p->inputs[lane->input].format;

		if (run->is_lane[i] &&
		    (!lane->has_timeline || lane->is_unmeasured ||
		     (format && (strcmp(format, "folded") == 0 || strcmp(format, "pprof") == 0))))
			return false;
	}
	return true;
}

static bool find_time(const char *text, const struct profile *p, int64_t length, int64_t *t,
		      struct error *err)
{
	return !text || amount_parse(&p->unit, text, length, t) ||
		error_set(err, ERR_USAGE, -1, "not a %s: '%.100s' (%s, 40%%)",
			  amount_is_time(&p->unit) ? "time" : "value", text,
			  amount_examples(&p->unit));
}

bool compare_run_restrict(struct compare_run *run, const struct profile *p, const char *from,
			  const char *to, struct error *err)
{
	int64_t length = run->t1 - run->t0, a = 0, b = length;

	if (!from && !to)
		return true;
	if (!compare_run_has_time(run, p))
		return error_set(err, ERR_USAGE, -1,
				 "%.300s has no time line: --from and --to cannot be used",
				 run->name);
	if (!find_time(from, p, length, &a, err) || !find_time(to, p, length, &b, err))
		return false;
	a = a < 0 ? 0 : a;
	b = b > length ? length : b;
	if (a >= b)
		return error_set(err, ERR_USAGE, -1, "the range is empty in %.300s", run->name);
	run->t1 = run->t0 + b;
	run->t0 += a;
	run->is_part = true;
	return true;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Patterns are compiled twice: when they are checked, and when the profile is known. */
#include "config.h"

#include "cli/scope_options.h"

#include "analyse/scope.h"
#include "base/alloc.h"
#include "base/units.h"
#include "read/load/split_lanes.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	enum transform_kind kind;
} steps[] = {
	[STEP_FOCUS] = { "--focus", TRANSFORM_FOCUS },
	[STEP_ONLY] = { "--only", TRANSFORM_KEEP },
	[STEP_DROP] = { "--drop", TRANSFORM_DROP },
	[STEP_HIDE] = { "--hide", TRANSFORM_MERGE },
	[STEP_COLLAPSE] = { "--collapse", TRANSFORM_COLLAPSE },
};

static bool check_pattern(const char *name, const char *pattern, struct error *err)
{
	struct error why = ERROR_INIT;

	return frame_set_check(pattern, &why) ||
		error_set(err, ERR_FORMAT, -1, "%s: %s", name, why.text);
}

static bool check_lanes(const struct options *o, struct error *err)
{
	if (!o->lanes)
		return true;
	if (!split_lanes_is_word(o->lanes))
		return error_set(err, ERR_FORMAT, -1,
				 "--lanes wants none, cat or label:KEY, not '%s'", o->lanes);
	if (o->command == COMMAND_DIFF)
		return error_set(err, ERR_FORMAT, -1,
				 "--lanes is not for flametty diff, which compares threads");
	return !o->lane ||
		error_set(err, ERR_FORMAT, -1, "--lanes is not possible together with --lane");
}

bool scope_options_check(const struct options *o, struct error *err)
{
	if (!check_lanes(o, err))
		return false;
	for (int i = 0; i < o->n_steps; i++)
		if (!check_pattern(steps[o->steps[i].kind].name, o->steps[i].pattern, err))
			return false;
	return !o->filter || check_pattern("--filter", o->filter, err);
}

/* Lanes of hit counts have no timeline, although they look like samples. */
static bool has_timeline(const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->n_lanes; i++)
		if (profile->lanes[i].has_timeline)
			return true;
	return false;
}

static bool find_time(const char *text, const struct profile *p, int64_t *t, struct error *err)
{
	return !text || amount_parse(&p->unit, text, p->t1, t) ||
		error_set(err, ERR_FORMAT, -1, "not a %s: '%s' (%s, 40%%)",
			  amount_is_time(&p->unit) ? "time" : "value", text,
			  amount_examples(&p->unit));
}

static bool find_range(const struct options *o, const struct profile *p, struct scope *scope,
		       struct error *err)
{
	if (!o->from && !o->to)
		return true;
	if (!has_timeline(p))
		return error_set(err, ERR_FORMAT, -1,
				 "the input has no time line: --from and --to cannot be used");
	if (!find_time(o->from, p, &scope->t0, err) || !find_time(o->to, p, &scope->t1, err))
		return false;
	if (scope->t0 >= scope->t1 || scope->t0 >= p->t1 || scope->t1 <= 0)
		return error_set(err, ERR_FORMAT, -1, "the range of --from and --to is empty");
	scope->t0 = scope->t0 < 0 ? 0 : scope->t0;
	scope->t1 = scope->t1 > p->t1 ? p->t1 : scope->t1;
	return true;
}

/* The transforms. scope_options_check() has checked the patterns. */
static bool add_transforms(const struct options *o, const struct profile *profile,
			   struct scope *scope, struct error *err)
{
	bool ok = true;

	for (int i = 0; ok && i < o->n_steps; i++)
		ok = scope_add(scope, profile, steps[o->steps[i].kind].kind, o->steps[i].pattern,
			       err);
	/* These come last, because folding makes new functions, which no pattern should match. */
	if (ok && o->is_without_idle)
		ok = scope_add(scope, profile, TRANSFORM_DROP, NULL, err);
	if (ok && o->has_folded_packages)
		ok = scope_add(scope, profile, TRANSFORM_FOLD, NULL, err);
	if (ok && o->has_merged_recursion)
		ok = scope_add(scope, profile, TRANSFORM_RECURSION, NULL, err);
	if (o->group >= 0)
		scope->group = (enum view_group)o->group;
	if (ok && o->group_label) {
		struct error why = ERROR_INIT;

		ok = view_group_find_label(profile, o->group_label, &scope->group, &why) ||
			error_set(err, ERR_FORMAT, -1, "--group: %s", why.text);
	}
	scope->filter = o->filter;
	return ok;
}

/* Try the pattern on all names: it may take too long on one of them. */
static bool try_filter(const struct options *o, const struct profile *p, struct error *err)
{
	uint8_t *is = o->filter ? frame_set_find(p, p->frames.frames, p->frames.n, o->filter, err)
				: NULL;

	free(is);
	return is || !o->filter;
}

static bool find_lanes(const struct options *o, const struct profile *p, struct scope *scope,
		       struct error *err)
{
	struct error why = ERROR_INIT;

	return !o->lane || scope_select(scope, p, o->lane, &why) ||
		error_set(err, ERR_FORMAT, -1, "--lane: %s", why.text);
}

bool scope_options_find(const struct options *o, const struct profile *profile, struct scope *scope,
			struct error *err)
{
	scope_all(scope, profile);
	scope->has_idle = o->has_idle;
	return find_range(o, profile, scope, err) && find_lanes(o, profile, scope, err) &&
		add_transforms(o, profile, scope, err) && try_filter(o, profile, err);
}

bool scope_options_transforms(const struct options *o, const struct profile *profile,
			      struct scope *scope, struct error *err)
{
	scope_all(scope, profile);
	scope->has_idle = o->has_idle;
	return add_transforms(o, profile, scope, err) && try_filter(o, profile, err);
}

/* If slices are not in order, a survey does not know how many lanes they take. */
static bool is_number_known(const struct profile *p, const char *selector)
{
	uint32_t first = 0;

	while (first < p->n_lanes &&
	       (p->lanes[first].kind != LANE_SLICES || p->lanes[first].n_rows))
		first++;
	for (const char *word = selector; *word; word += strcspn(word, ","), word += *word == ',') {
		size_t n = strspn(word, "0123456789");

		if (n > 0 && (word[n] == ',' || word[n] == '\0') &&
		    strtoll(word, NULL, 10) > first + 1 && first < p->n_lanes)
			return false;
	}
	return true;
}

bool scope_options_choose(void *ctx, const struct profile *p, struct load_choice *choice,
			  struct error *err)
{
	const struct options *o = ctx;
	struct error wrong = ERROR_INIT;
	struct scope scope;

	if (o->lane && !is_number_known(p, o->lane))
		return error_set(
			err, ERR_LIMIT, -1,
			"--lane: to load a subset, choose lanes of a trace by PID:TID or RE, not "
			"by number");
	scope_all(&scope, p);
	if (find_range(o, p, &scope, &wrong) && find_lanes(o, p, &scope, &wrong)) {
		choice->t0 = scope.t0;
		choice->t1 = scope.t1;
		choice->is_lane = scope.is_lane;
		scope.is_lane = NULL;
	} else {
		choice->is_lane = xcalloc(p->n_lanes, 1);
	}
	scope_done(&scope);
	return true;
}

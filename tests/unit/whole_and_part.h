/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The same input loaded whole and in part, without files, and what must be equal then. A check
 * program says how the input is passed to a builder. */
#ifndef FLAMETTY_TESTS_WHOLE_AND_PART_H
#define FLAMETTY_TESTS_WHOLE_AND_PART_H

#include "random_mix.h"
#include "suite.h"

#include "model/build/subset.h"

#include <check.h>

/* Passes the input to a builder, in the same way each time. */
typedef void (*pass_input)(struct builder *b);

static inline struct profile *load_whole(pass_input pass)
{
	struct builder *b = builder_new(&(struct builder_options){ 0 });
	struct error err = ERROR_INIT;
	struct profile *p;

	pass(b);
	p = builder_finish(b, &err);
	ck_assert_msg(p != NULL, "%s", err.text);
	return p;
}

/* NULL: no part of it can be loaded. */
static inline struct subset *load_survey(pass_input pass)
{
	struct builder *b = builder_new(&(struct builder_options){ .is_survey = true });
	struct error err = ERROR_INIT;

	pass(b);
	return builder_finish_survey(b, &err);
}

static inline struct profile *load_subset(pass_input pass, const struct subset *subset)
{
	struct builder *b = builder_new(&(struct builder_options){ .subset = subset });
	struct error err = ERROR_INIT;
	struct profile *p;

	pass(b);
	p = builder_finish(b, &err);
	ck_assert_msg(p != NULL, "%s", err.text);
	return p;
}

/* What every lane has as if it were loaded whole: subset.h, rule 1. */
static inline void check_lane(const struct profile *whole, const struct profile *part, uint32_t i)
{
	const struct lane *a = &whole->lanes[i], *b = &part->lanes[i];

	ck_assert_int_eq(a->kind, b->kind);
	ck_assert_int_eq(a->pid, b->pid);
	ck_assert_int_eq(a->tid, b->tid);
	ck_assert_int_eq(a->is_joined, b->is_joined);
	ck_assert_str_eq(profile_text(whole, a->name), profile_text(part, b->name));
	ck_assert_int_eq(a->t0, b->t0);
	ck_assert_int_eq(a->t1, b->t1);
	if (a->kind == LANE_SAMPLES) {
		ck_assert_int_eq(a->sampled_t0, b->sampled_t0);
		ck_assert_int_eq(a->sampled_t1, b->sampled_t1);
	}
	ck_assert_int_eq(a->interval_ns, b->interval_ns);
	ck_assert_uint_eq(a->n_samples, b->n_samples);
	ck_assert_int_ge(samples_time(&b->samples, 0), 0);
	ck_assert_int_le(samples_time(&b->samples, b->samples.n), b->t1);
	for (size_t k = 0; k < b->samples.n; k++)
		ck_assert_int_le(samples_time(&b->samples, k), samples_time(&b->samples, k + 1));
}

#endif

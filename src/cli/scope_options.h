/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Turns options into a scope: lanes, range, transforms. */
#ifndef FLAMETTY_CLI_SCOPE_OPTIONS_H
#define FLAMETTY_CLI_SCOPE_OPTIONS_H

#include "analyse/scope.h"
#include "cli/options.h"
#include "read/load/load.h"

/* Check the patterns, so that a wrong one is reported before a file is read. */
bool scope_options_check(const struct options *options, struct error *err) MUST_USE;

/* The scope of a profile, which borrows from the options. The caller ends it with scope_done(),
 * also after false: wrong usage. */
bool scope_options_find(const struct options *options, const struct profile *profile,
			struct scope *scope, struct error *err) MUST_USE;

/* The transforms, grouping and filter alone: all lanes, from start to end. As scope_options_find().
 */
bool scope_options_transforms(const struct options *options, const struct profile *profile,
			      struct scope *scope, struct error *err) MUST_USE;

/* load_options.choose: the lanes and the range that the struct options at ctx ask for. Mistakes in
 * the options choose no lane; they are reported later. False: a lane was named by its number, which
 * a survey cannot tell. */
bool scope_options_choose(void *ctx, const struct profile *survey, struct load_choice *choice,
			  struct error *err) MUST_USE;

#endif

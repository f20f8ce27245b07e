/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the options ask for: lanes, a range, and what is done to the calls. */
#ifndef FLAMETTY_SCOPE_OPTIONS_H
#define FLAMETTY_SCOPE_OPTIONS_H

#include "analysis/scope.h"
#include "build/partial/part.h"
#include "options.h"

/* Whether any option asks for less than all there is, as it is. */
bool scope_options_are_given(const struct options *options);

/* Whether the patterns are patterns: nobody should wait for a file to hear that they are not. */
bool scope_options_check(const struct options *options, struct error *err);

/* The scope in a profile, to be given back with scope_done() in any case; it borrows from the
 * options. */
bool scope_options_find(const struct options *options, const struct profile *profile,
			struct scope *scope, struct error *err);

/* Only what the options ask for, of a part that has all: lanes and range. What they ask for wrongly
 * is said later. False: which lane has that number cannot be told from a survey. */
bool scope_options_choose(const struct options *options, struct part *part, struct error *err);

#endif

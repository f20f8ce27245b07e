/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the options ask for: lanes, a range, and what is done to the calls. */
#ifndef FLAMETTY_SCOPE_OPTIONS_H
#define FLAMETTY_SCOPE_OPTIONS_H

#include "analysis/scope.h"
#include "load/load.h"
#include "options.h"

/* Whether any option asks for less than all there is, as it is. */
bool scope_options_are_given(const struct options *options);

/* Whether the patterns are patterns: nobody should wait for a file to hear that they are not. */
bool scope_options_check(const struct options *options, struct error *err);

/* The scope in a profile, to be given back with scope_done() in any case; it borrows from the
 * options. */
bool scope_options_find(const struct options *options, const struct profile *profile,
			struct scope *scope, struct error *err);

/* Choose the lanes and the range that the options ask for, as load_options.choose does. Mistakes in
 * the options choose no lane; they are reported later. False: a lane was named by its number, which
 * a survey cannot tell. */
bool scope_options_choose(const struct options *options, const struct profile *survey,
			  struct load_choice *choice, struct error *err);

#endif

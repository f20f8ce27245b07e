/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rules: what makes a finding, one row of a table a kind.
 *
 * To add a kind: a value in enum finding_kind (findings.h), a row in finding_rule.c, and its two
 * functions: one that adds drafts to a window, one that writes the sentence of a draft. */
#ifndef FLAMETTY_ANALYSIS_FINDING_FINDING_RULE_H
#define FLAMETTY_ANALYSIS_FINDING_FINDING_RULE_H

#include "findings/finding_tell.h"

struct finding_rule {
	const char *name; /* for programs */
	/* Add drafts. Rules are called in the order of the kinds, which decides between equal
	 * scores. */
	void (*find)(struct finding_window *w);
	finding_tell *tell;
};

extern const struct finding_rule finding_rules[FINDING_COUNT];

#endif

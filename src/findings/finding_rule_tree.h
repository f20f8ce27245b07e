/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rules about subtrees: what a function calls, what is inside a package. */
#ifndef FLAMETTY_ANALYSIS_FINDING_FINDING_RULE_TREE_H
#define FLAMETTY_ANALYSIS_FINDING_FINDING_RULE_TREE_H

#include "findings/finding_window.h"

/* The innermost own function with half of the time, if it calls several others. */
void finding_rule_tree_half(struct finding_window *w);

/* Functions and packages inside the package that has most of the time. */
void finding_rule_tree_inside(struct finding_window *w);

#endif

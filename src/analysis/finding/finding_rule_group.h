/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rules about one group of nodes: rows of finding_rule.c. */
#ifndef FLAMETTY_ANALYSIS_FINDING_FINDING_RULE_GROUP_H
#define FLAMETTY_ANALYSIS_FINDING_FINDING_RULE_GROUP_H

#include "analysis/finding/finding_window.h"

void finding_rule_group_owners(struct finding_window *w);
void finding_rule_group_packages(struct finding_window *w);
void finding_rule_group_gc(struct finding_window *w);
void finding_rule_group_idle(struct finding_window *w);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rules about one group of nodes. Each adds a draft for a group that has time enough. */
#ifndef FLAMETTY_ANALYSIS_FINDING_FINDING_RULE_GROUP_H
#define FLAMETTY_ANALYSIS_FINDING_FINDING_RULE_GROUP_H

#include "findings/finding_window.h"

void finding_rule_group_owners(struct finding_window *w, uint32_t group);
void finding_rule_group_packages(struct finding_window *w, uint32_t group);
void finding_rule_group_sync(struct finding_window *w, uint32_t group);
void finding_rule_group_load(struct finding_window *w, uint32_t group);
void finding_rule_group_gc(struct finding_window *w, uint32_t group);
void finding_rule_group_regexp(struct finding_window *w, uint32_t group);
void finding_rule_group_files(struct finding_window *w, uint32_t group);
void finding_rule_group_program(struct finding_window *w, uint32_t group);
void finding_rule_group_modules(struct finding_window *w, uint32_t group);

/* Call a rule for each group of a kind. */
void finding_rule_group_each(struct finding_window *w, enum charge_group_kind kind,
			     void (*rule)(struct finding_window *w, uint32_t group));

#endif

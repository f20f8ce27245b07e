/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rule about programs that are packages: which of their functions the time is spent in. */
#ifndef FLAMETTY_ANALYSIS_FINDING_FINDING_RULE_SPENT_H
#define FLAMETTY_ANALYSIS_FINDING_FINDING_RULE_SPENT_H

#include "findings/finding_window.h"

/* Runs after the rule about packages, before that about halves. */
void finding_rule_spent(struct finding_window *w);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rules that accuse no function, and what they say: waiting, few samples, no culprit, idle
 * time. The last three are about the whole window. */
#ifndef FLAMETTY_ANALYSIS_FINDING_FINDING_RULE_WHOLE_H
#define FLAMETTY_ANALYSIS_FINDING_FINDING_RULE_WHOLE_H

#include "findings/finding_tell.h"

/* Time that functions sleep in Atomics.wait(), which is the group. */
void finding_rule_whole_waiting(struct finding_window *w, uint32_t group);

finding_tell finding_rule_whole_tell_waiting;

/* Too few samples for a finding about a function: only the one that has most. */
void finding_rule_whole_few(struct finding_window *w);

finding_tell finding_rule_whole_tell_few;

/* Many functions have about as much, and none has much. It looks at the drafts of the rules before.
 */
void finding_rule_whole_even(struct finding_window *w);

finding_tell finding_rule_whole_tell_even;

/* Hardly any work. */
void finding_rule_whole_idle(struct finding_window *w);

finding_tell finding_rule_whole_tell_idle;

#endif

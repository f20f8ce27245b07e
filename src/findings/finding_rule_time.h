/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rules about when things happen: tasks, stretches without idle time, periods. */
#ifndef FLAMETTY_ANALYSIS_FINDING_FINDING_RULE_TIME_H
#define FLAMETTY_ANALYSIS_FINDING_FINDING_RULE_TIME_H

#include "findings/finding_window.h"

void finding_rule_time_block(struct finding_window *w);
void finding_rule_time_stretch(struct finding_window *w);
void finding_rule_time_every(struct finding_window *w);
void finding_rule_time_layout(struct finding_window *w);

#endif

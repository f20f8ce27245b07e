/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines and links of the summary pane. */
#ifndef FLAMETTY_UI_PANE_SUMMARY_TEXT_H
#define FLAMETTY_UI_PANE_SUMMARY_TEXT_H

#include "ui/pane/summary_page.h"

struct app;

/* Make them from the pane's totals, which are up to date, for summary_page.cols cells. Stretches
 * and what stands out need a pass over the samples: they are left out unless has_stretches. */
void summary_text_make(struct app *app, bool has_stretches);

#endif

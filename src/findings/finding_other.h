/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Another thread that works while the thread of the findings waits. */
#ifndef FLAMETTY_ANALYSIS_FINDING_FINDING_OTHER_H
#define FLAMETTY_ANALYSIS_FINDING_FINDING_OTHER_H

#include "findings/finding_window.h"

/* The lane of samples, other than that of the window, with most busy time in the window; *ns: that
 * time. NULL if none is busy for half of the window, or if the lanes have no common clock. */
const struct lane *finding_other_busy(const struct finding_window *w, int64_t *ns);

#endif

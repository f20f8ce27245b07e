/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Progress as text: what is done, its share, and the time that is left at the speed so far. */
#ifndef FLAMETTY_BASE_PROGRESS_TEXT_H
#define FLAMETTY_BASE_PROGRESS_TEXT_H

#include "base/progress.h"

#include <stddef.h>

#define PROGRESS_TEXT_MAX 256

/* The share of the step that is done, 0 to 1; -1: unknown, while a pipe is read. */
double progress_text_share(const struct progress *p);

/* `reading   12 MB of 40 MB   300 MB/s   0.1 s left`, `making tables   45 %   0.3 s left`; of a
 * pipe without what is not known. text: PROGRESS_TEXT_MAX bytes. */
void progress_text_line(const struct progress *p, char *text);

/* `reading 43 %, 2.0 s left`; of a pipe, `reading 12 MB`. text: PROGRESS_TEXT_MAX bytes. */
void progress_text_short(const struct progress *p, char *text);

#endif

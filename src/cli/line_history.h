/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file of command lines that were typed, a line each, the oldest first. */
#ifndef FLAMETTY_LINE_HISTORY_H
#define FLAMETTY_LINE_HISTORY_H

#include "base/buf.h"
#include "base/error.h"
#include "ui/line/prompt.h"

#include <stdbool.h>

/* Zeroed: no file. */
struct line_history {
	struct buf path; /* empty: lines are not written */
	int n_in_file;
};

/* Read the file, and write to it from then on. No file is an empty one. On failure, false and err:
 * it is not written. */
bool line_history_open(struct line_history *history, const char *path, struct prompt_history *lines,
		       struct error *err);
void line_history_done(struct line_history *history);

/* Append a line, which is the last of `lines`. The file never has more than `lines` keeps. */
bool line_history_keep(struct line_history *history, const struct prompt_history *lines,
		       const char *line, struct error *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of the details pane while they are made. */
#ifndef FLAMETTY_UI_DETAILS_LINES_H
#define FLAMETTY_UI_DETAILS_LINES_H

#include "base/buf.h"

#include <stddef.h>
#include <stdint.h>

struct app;
struct lines;

/* Borrows all. */
struct details_lines {
	struct app *app;
	struct lines *lines;
	int cols;
};

/* Add a heading. */
void details_lines_head(struct details_lines *p, const char *text);

/* Add `key  value`; the value may be any bytes. The rest of a very long one is counted. _text()
 * adds nothing if it is empty. */
void details_lines_pair(struct details_lines *p, const char *key, const char *value, size_t len);
void details_lines_text(struct details_lines *p, const char *key, const char *value);
void details_lines_time(struct details_lines *p, const char *key, int64_t ns);
void details_lines_count(struct details_lines *p, const char *key, uint64_t n);

/* Add text of several lines, with their indentation. */
void details_lines_block(struct details_lines *p, const struct buf *text);

#endif

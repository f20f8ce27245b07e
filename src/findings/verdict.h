/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The verdict line: the findings of a window in one line. */
#ifndef FLAMETTY_FINDINGS_VERDICT_H
#define FLAMETTY_FINDINGS_VERDICT_H

#include "findings/findings.h"

#include <stdbool.h>

enum verdict_kind {
	VERDICT_REQUEST, /* a slow request, whole */
	VERDICT_IDLE,
	VERDICT_WAITING, /* asleep for half of the busy time or more */
	VERDICT_LEAD,    /* the first finding that names a culprit */
	VERDICT_SECOND,  /* the next one */
	VERDICT_GC,
	VERDICT_PROGRAM,   /* native work: half of the busy time or more */
	VERDICT_BLOCK,     /* the longest task */
	VERDICT_PRECISION, /* few samples */
	VERDICT_NOTHING    /* nothing to say */
};

#define VERDICT_ITEMS 8
#define VERDICT_ITEM_BYTES 384

struct verdict_item {
	enum verdict_kind kind;
	int finding; /* index into the result's list; -1: none */
	int col;     /* where it stands */
	int cells;
	char text[VERDICT_ITEM_BYTES];
};

struct verdict {
	struct verdict_item items[VERDICT_ITEMS];
	int n;
	int cells; /* of the whole line */
};

/* Compose the line in `room` cells, at least 24: first with less distance, then with short forms,
 * then with fewer items. There is always one item. */
void verdict_compose(const struct findings_result *result, int room, struct verdict *out);

/* Append the beginning of a sentence, in visible form, that fits into `room` cells. It loses whole
 * parts from its end, and nothing marks that; where already the first part is too long, the cut is
 * marked by U+2026 and leaves no part of a number. Returns whether nothing is marked. */
bool sentence_fit(struct buf *out, const char *text, int room);

/* Append, in `room` cells: what the sentences of the line's items say beyond the line, and the
 * first finding that is not on it. What does not fit is left out. */
void verdict_more(const struct findings_result *result, const struct verdict *line, int room,
		  struct buf *out);

#endif

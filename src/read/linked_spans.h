/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chooses rows for spans that state their parents, but may overlap each other and outlast their
 * parents: each keeps its own time, and stands below its parent. */
#ifndef FLAMETTY_READ_LINKED_SPANS_H
#define FLAMETTY_READ_LINKED_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LINKED_NONE UINT32_MAX

struct linked_span {
	int64_t t0, t1;
	uint32_t parent; /* index; LINKED_NONE: it has none */
	/* The result. */
	uint32_t place; /* track_builder_place() */
	bool is_early;  /* it begins before its parent, and is inside of it later */
	uint32_t layer, depth;
	/* For the work. */
	int64_t from;       /* its start, or a later one of a span around it */
	int64_t busy_until; /* the end of what is inside it on its layer */
	uint32_t rank;      /* of spans around it */
};

struct linked_rows {
	uint32_t *order;      /* indices: parents come first. Allocated */
	size_t n_cycles;      /* parents that were taken away, as they lead back to the span */
	uint32_t first_cycle; /* such a span */
	size_t n_late;        /* spans that overlap others for want of rows */
};

/* Place n spans. free(rows->order) by the caller. */
void linked_rows_place(struct linked_span *spans, uint32_t n, struct linked_rows *rows);

#endif

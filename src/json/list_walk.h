/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Long lists of small objects, read in two steps. Taking apart looks at the bytes of an object
 * where they lie in the scanner's window; keeping puts what was found where it belongs. Objects go
 * by the batch from one step to the other, and when the list is long, on two threads. What is out
 * of the ordinary is read by the scanner, in its turn. */
#ifndef FLAMETTY_JSON_LIST_WALK_H
#define FLAMETTY_JSON_LIST_WALK_H

#include "base/pipeline.h"
#include "json/cursor.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LIST_WALK_BATCHES PIPELINE_ITEMS
#define LIST_WALK_MOST 1024u /* objects in a batch */

/* LIST_WALK_CUT: it does not end before the cursor's end; LIST_WALK_ODD: it wants the scanner. */
enum list_walk_taken { LIST_WALK_TAKEN, LIST_WALK_CUT, LIST_WALK_ODD };

struct list_walk {
	struct scan *s;
	bool is_bare; /* no brackets; a comma between objects may be missing */

	/* Take apart the object at c, which stands before its '{' at `offset`, as object i of batch
	 * b, and pass it. May keep slices of it: they are good until the batch is kept. Nothing
	 * else that keep and read use may be touched. */
	enum list_walk_taken (*take)(void *ctx, unsigned b, size_t i, struct cursor *c,
				     int64_t offset);

	/* Keep the n objects of batch b. With threads, on the second one; the scanner is not to be
	 * touched. False: failed, with the error that the scanner had at the beginning. */
	bool (*keep)(void *ctx, unsigned b, size_t n);

	/* Read the element that the scanner stands before, of any kind, and keep it. False: failed.
	 */
	bool (*read)(void *ctx);
	void *ctx;
};

/* Walk to the end of the list, of which the bracket was passed. False on failure; what came before
 * it was kept. */
bool list_walk(const struct list_walk *list);

#endif

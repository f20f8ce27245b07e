/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads long lists of small objects in two steps. `take` parses the bytes of an object where they
 * are in the scanner's window; `keep` stores what was found. Objects go from one step to the other
 * in batches, and in a long list the two steps run on two threads. Objects that `take` cannot
 * handle are read by the scanner, in their place. */
#ifndef FLAMETTY_BASE_JSON_LIST_WALK_H
#define FLAMETTY_BASE_JSON_LIST_WALK_H

#include "base/json/cursor.h"
#include "base/thread.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LIST_WALK_BATCHES PIPELINE_ITEMS
#define LIST_WALK_MAX 2048u /* objects in a batch: most stretches of a stream are one batch */

/* LIST_WALK_CUT: the object does not end before the cursor's end; LIST_WALK_ODD: it must be read by
 * the scanner. */
enum list_walk_taken { LIST_WALK_TAKEN, LIST_WALK_CUT, LIST_WALK_ODD };

struct list_walk {
	struct scan *s;
	bool is_bare; /* the list has no brackets, and commas between objects may be missing */

	/* Batch b begins. `take` may be called for its first object many times, as long as that one
	 * cannot be taken. keeps_more: `keep` has little to do, so it should do what either step
	 * can do. NULL: nothing to do here. */
	void (*begin)(void *ctx, unsigned b, bool keeps_more);

	/* Parse the object at c, which is before its '{' at `offset` of the document, as object i
	 * of batch b, and pass it. May store pointers to its bytes: they are valid until the batch
	 * was kept. Must not touch anything else that `keep` and `read` use. */
	enum list_walk_taken (*take)(void *ctx, unsigned b, size_t i, struct cursor *c,
				     int64_t offset);

	/* Store the n objects of batch b. With threads, this runs on the second one; it must not
	 * touch the scanner. Returns false on failure, with the error set that the scanner had when
	 * list_walk() was called. */
	bool (*keep)(void *ctx, unsigned b, size_t n);

	/* Read and store the element at the scanner, of any kind. Returns false on failure. */
	bool (*read)(void *ctx);
	void *ctx;
};

/* Read the list to its end; its opening bracket was passed. Returns false on failure; everything
 * before the failure was kept. */
bool list_walk(const struct list_walk *list);

#endif

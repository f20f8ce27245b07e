/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stacks that an event of a trace names, as bytes of a buffer: where a slice begins, where it
 * ends, or both. A stack is the id of its innermost frame (struct stack_frame), or a list of names.
 */
#ifndef FLAMETTY_MODEL_EVENT_STACK_H
#define FLAMETTY_MODEL_EVENT_STACK_H

#include "base/buf.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>

/* Append a stack: begin it, add its texts. is_id: its only text is an id; otherwise its texts are
 * names, outermost first. Texts end at their first NUL. */
void event_stack_begin(struct buf *stacks, bool is_at_end, bool is_id);
void event_stack_add(struct buf *stacks, const char *text);

struct event_stack {
	bool is_at_end; /* it is that of the end of the slice */
	bool is_id;
	size_t n;     /* texts */
	size_t first; /* place of the first one in the buffer */
};

/* Get the stack at *at, which is 0 at first and is moved behind it. Returns false after the last.
 */
bool event_stack_next(const struct buf *stacks, size_t *at, struct event_stack *stack);

/* Text i of a stack. Borrowed from the buffer. O(i). */
struct str event_stack_text(const struct buf *stacks, const struct event_stack *stack, size_t i);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A stack is a byte for its side and one for its form, then each text with a byte before it and a
 * NUL after it. */
#include "config.h"

#include "model/event_stack.h"

#include <string.h>

#define AT_BEGIN 'b'
#define AT_END 'e'
#define ID 'i'
#define NAMES 'n'
#define TEXT '='

void event_stack_begin(struct buf *stacks, bool is_at_end, bool is_id)
{
	buf_addc(stacks, is_at_end ? AT_END : AT_BEGIN);
	buf_addc(stacks, is_id ? ID : NAMES);
}

void event_stack_add(struct buf *stacks, const char *text)
{
	buf_addc(stacks, TEXT);
	buf_add(stacks, text, strlen(text) + 1);
}

/* The place behind the text at `at`. */
static size_t after(const char *bytes, size_t at)
{
	return at + strlen(bytes + at) + 1;
}

bool event_stack_next(const struct buf *stacks, size_t *at, struct event_stack *stack)
{
	const char *bytes = buf_text(stacks);
	size_t i = *at;

	if (i >= stacks->len)
		return false;
	*stack = (struct event_stack){ .is_at_end = bytes[i] == AT_END,
				       .is_id = bytes[i + 1] == ID,
				       .first = i + 2 };
	for (i = stack->first; bytes[i] == TEXT; i = after(bytes, i))
		stack->n++;
	*at = i;
	return true;
}

struct str event_stack_text(const struct buf *stacks, const struct event_stack *stack, size_t i)
{
	const char *bytes = buf_text(stacks);
	size_t at = stack->first;

	while (i-- > 0)
		at = after(bytes, at);
	return (struct str){ bytes + at + 1, strlen(bytes + at + 1) };
}

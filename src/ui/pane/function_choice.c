/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An order that is provisional is shown, but what the user has chosen in the order before it is
 * kept and applied again to the order that replaces it. */
#include "config.h"

#include "ui/pane/function_choice.h"

#include "model/frame.h"
#include "ui/pane/function_list.h"

#include <string.h>

void function_choice_restore(struct function_list *l)
{
	if (l->is_provisional) {
		l->cursor = l->kept_cursor;
		l->top = l->kept_top;
	}
	l->is_provisional = false;
}

void function_choice_keep(struct function_list *l)
{
	if (!l->is_provisional) {
		/* A cursor that is where it began is not a choice: it stays at the top. */
		l->is_first = !l->has_list || (!l->has_kept && l->cursor == 0 && l->top == 0);
		l->kept = !l->is_first && l->cursor < l->n ? l->order[l->cursor] : FRAME_NONE;
		l->kept_cursor = l->cursor;
		l->kept_top = l->top;
	}
	if (l->goes_to_top) {
		l->kept = FRAME_NONE;
		l->kept_cursor = l->kept_top = 0;
	}
	l->goes_to_top = false;
}

void function_choice_place(struct function_list *l, const struct frame *frames)
{
	size_t n = 0;

	/* Idle time comes last, in all orders but that of names: the question is what ran. */
	while (n < l->n && frames[l->order[n]].category != CATEGORY_IDLE)
		n++;
	if (n < l->n && l->ordered.sort != FUNCTION_NAME) {
		frame_id idle = l->order[n];

		memmove(l->order + n, l->order + n + 1, (l->n - n - 1) * sizeof *l->order);
		l->order[l->n - 1] = idle;
	}
	l->top = l->kept_top;
	l->cursor = l->kept_cursor;
	if (l->cursor >= l->n)
		l->cursor = l->n ? l->n - 1 : 0;
	l->has_kept = false;
	for (size_t i = 0; l->kept != FRAME_NONE && i < l->n; i++) {
		if (l->order[i] != l->kept)
			continue;
		l->cursor = i;
		l->has_kept = true;
	}
	if (l->is_first)
		l->cursor = 0;
}

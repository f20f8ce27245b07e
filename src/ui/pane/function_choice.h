/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which function of the list the user has chosen, and where the page begins, while the order of the
 * list changes. It is part of struct function_list. */
#ifndef FLAMETTY_UI_PANE_FUNCTION_CHOICE_H
#define FLAMETTY_UI_PANE_FUNCTION_CHOICE_H

struct frame;
struct function_list;

/* Keep cursor and page, before another order is shown; put them into that order. frames: by
 * frame_id. */
void function_choice_keep(struct function_list *list);
void function_choice_place(struct function_list *list, const struct frame *frames);

/* The list will be freed: set cursor and page to those that are kept. */
void function_choice_restore(struct function_list *list);

#endif

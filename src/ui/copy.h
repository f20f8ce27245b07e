/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts for the clipboard, about the row with the cursor if a pane has the focus, otherwise about
 * the selected span. Each is meant to be pasted as it is: it has no control characters and no line
 * break within a field, and its last line has no line break. Numbers are those of the panes' scope
 * (pane/pane.h). */
#ifndef FLAMETTY_UI_COPY_H
#define FLAMETTY_UI_COPY_H

/* What can be copied. */
enum copy_what {
	COPY_ANSWER,   /* two lines: who, where, how much; called by whom */
	COPY_NAME,     /* the name of the function */
	COPY_LOCATION, /* path:line:column */
	COPY_STACK,    /* a line for each call, innermost first, as stack traces of V8 */
	COPY_FOLDED,   /* folded lines with times in microseconds: the stack, or all stacks of a
			  function ("copy folded" in copy.c) */
	COPY_TABLE     /* the table or page of the pane as it is on the screen */
};

#endif

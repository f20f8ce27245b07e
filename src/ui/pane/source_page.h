/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The source pane: the file of a function around its hottest line, with the self time of each line
 * in the scope of the panes. The function is the one that is selected in the chart or, when the
 * pane is opened from a table, that of the row with the cursor. */
#ifndef FLAMETTY_UI_PANE_SOURCE_PAGE_H
#define FLAMETTY_UI_PANE_SOURCE_PAGE_H

#include "analyse/line_times.h"
#include "draw/lines.h"
#include "draw/source_view.h"
#include "model/source_text.h"
#include "ui/key.h"

struct app;

struct source_page {
	frame_id frame;      /* of the scene's profile; FRAME_NONE: not chosen yet */
	unsigned serial;     /* of the scene that the frame and the times are of */
	unsigned generation; /* of the pane's totals that the times are of */
	bool has_times;
	struct line_times times;
	int64_t hot_ns;         /* self time of its lines */
	size_t n_lines;         /* the number of these lines */
	int64_t whole_ns;       /* self time of its functions as a whole */
	struct source_hot *hot; /* lines of the file, by line */
	size_t n_hot, cap_hot;
	const struct source_text *text; /* borrowed from the host; NULL: there is none */
	bool is_waiting;                /* it is being read */
	/* The function whose file the user is asked about: the question is on the screen, after a
	 * pause in typing, so that no key is taken for an answer by accident. FRAME_NONE: none. */
	frame_id asked;
	struct buf ask, ask_below; /* as in struct source_text, while the user may be asked */
	/* What the cursor was put on a line for. It is put on another one when the function
	 * changes, not when the window does. */
	frame_id placed;
	bool has_place;
	size_t cursor, top;
	bool is_dedented; /* `left` is the indentation of the page, whatever is on it */
	int64_t left;
	size_t mark_line, mark_byte;
	struct lines notes; /* shown where there is no text */
	struct buf about, note;
};

/* Take a key that answers the question whether a file may be read. False: there is no question, or
 * the key is none of its answers. */
bool source_page_answer(struct app *app, key_code key);

/* The number of the line with the cursor, counted from 1; 0: the pane is not shown or focussed, or
 * has no text. */
int source_page_line(const struct app *app);

/* Append the path and the number of the line with the cursor, and its text if has_text. False: the
 * pane is not shown, has no focus, or has no text. */
bool source_page_copy(struct app *app, bool has_text, struct buf *out);

#endif

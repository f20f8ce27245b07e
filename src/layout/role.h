/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A role is what a cell means, never a colour. Only term/style.c gives roles their colours; the
 * text form of a grid prints one letter per role.
 *
 * To add a role: a row here, with a letter that neither a role nor a flag has (grid_letter()), and
 * a row in the table of term/style.c. Without the latter the program does not compile. */
#ifndef FLAMETTY_LAYOUT_ROLE_H
#define FLAMETTY_LAYOUT_ROLE_H

/* Each role without a hue: its name and its letter. Frames with a fixed meaning come last: they are
 * followed by those with a hue. */
/* clang-format off */
#define ROLE_LIST(X) \
	X(PLAIN, '.')      /* text of the page, on the page */ \
	X(DIM, ',')        /* text of less weight */ \
	X(PAGE, '.')       /* as ink: the colour of the empty page itself */ \
	X(LABEL, '.')      /* as ink: text that is readable on the frame below it */ \
	X(HEADER, 'H')     /* first line: file, duration */ \
	X(TITLE, 'T')      /* title of a lane */ \
	X(RULER, 'R')      /* time marks */ \
	X(STATUS, 's')     /* last line */ \
	X(KEY, 'K')        /* a key in a hint */ \
	X(WARN, '!')       /* warnings, truncation marks */ \
	X(TAB, 't')        /* tab of a pane, and the rule below it */ \
	X(TAB_ACTIVE, 'A') /* tab of the pane that is shown */ \
	X(HEAD, 'C')       /* headings of table columns */ \
	X(ROW, 'r')        /* selected row of a table */ \
	X(BAR, '=')        /* bar behind a number */ \
	X(PROMPT, '>')     /* line that the user types into */ \
	X(BUSY, 'B')       /* overview: script and everything else that runs */ \
	X(WINDOW, 'W')     /* overview: the window of the chart */ \
	X(IDLE, 'I')       /* frames with a fixed meaning */ \
	X(PROGRAM, 'P') \
	X(GC, 'G') \
	X(NATIVE, 'N')
/* clang-format on */

#define ROLE_HUES 12

#define ROLE_NAME(name, letter) ROLE_##name,
/* clang-format off */
enum role {
	ROLE_LIST(ROLE_NAME)
	ROLE_FRAME, /* frames of scripts: ROLE_FRAME + hue, hue < ROLE_HUES; letters from a on */
	ROLE_FRAME_LAST = ROLE_FRAME + ROLE_HUES - 1,
	ROLE_COUNT
};
/* clang-format on */
#undef ROLE_NAME

/* Flags beside a role. */
enum cell_flag {
	CELL_BOLD = 1,
	CELL_UNDERLINE = 2,
	CELL_SELECTED = 4, /* belongs to the selected span */
	CELL_SAME = 8,     /* another span of the selected function */
	CELL_MATCH = 16,   /* matches the search */
	CELL_SHARED = 32,  /* several spans share this cell; zooming in shows more */
	CELL_HINT = 64     /* shared by several spans, and a smaller one of them is a match */
};

#endif

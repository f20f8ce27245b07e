/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a cell means, never a colour: `term/palette.c` alone turns roles into
 * colours, and the text form of a grid prints one letter per role. */
#ifndef FLAMETTY_LAYOUT_ROLE_H
#define FLAMETTY_LAYOUT_ROLE_H

enum role {
	ROLE_PLAIN,  /* text of the page, on the page */
	ROLE_DIM,    /* text of less weight */
	ROLE_PAGE,   /* as ink: the colour of the empty page itself */
	ROLE_LABEL,  /* as ink: text that is readable on the frame below it */
	ROLE_HEADER, /* first line: file, duration */
	ROLE_TITLE,  /* title of a lane */
	ROLE_RULER,  /* time marks */
	ROLE_STATUS, /* last line */
	ROLE_KEY,    /* a key in a hint */
	ROLE_WARN,   /* warnings, cut-off marks */
	ROLE_TAB,    /* tab of a pane, and the rule it stands on */
	ROLE_TAB_ACTIVE,
	ROLE_HEAD,   /* headings of table columns */
	ROLE_ROW,    /* selected row of a table */
	ROLE_BAR,    /* bar behind a number */
	ROLE_PROMPT, /* line that is typed into */
	ROLE_BUSY,   /* overview: script and everything else that runs */
	ROLE_WINDOW, /* overview: the part on the screen */

	ROLE_IDLE, /* frames with a fixed meaning, the same in every colour mode */
	ROLE_PROGRAM,
	ROLE_GC,
	ROLE_NATIVE,
	ROLE_FRAME, /* frames of scripts: ROLE_FRAME + hue, hue < ROLE_HUES */
	ROLE_FRAME_LAST = ROLE_FRAME + 11,
	ROLE_COUNT
};

#define ROLE_HUES 12

/* Flags beside a role. */
enum cell_flag {
	CELL_BOLD = 1,
	CELL_UNDERLINE = 2,
	CELL_SELECTED = 4, /* belongs to the selected span */
	CELL_SAME = 8,     /* another span of the selected function */
	CELL_MATCH = 16,   /* matches the search */
	CELL_SHARED = 32,  /* several spans share this cell; zooming in shows more */
	CELL_HINT =
		64 /* a match of the search is among those that share it, but has not most of it */
};

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A role is what a cell means, never a colour. Only term/palette.c gives roles their colours; the
 * text form of a grid prints one letter per role.
 *
 * To add a role: a row here, with a letter that neither a role nor a flag has (grid_format()), and
 * a row in the table of term/palette.c. Without the latter the program does not compile. */
#ifndef FLAMETTY_DRAW_ROLE_H
#define FLAMETTY_DRAW_ROLE_H

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
	X(ROW_MARK, '@')   /* the mark before it */ \
	X(RULE, '-')       /* the rule of the half that has the focus */ \
	X(BAR, '=')        /* bar behind a number */ \
	X(PROMPT, '>')     /* line that the user types into */ \
	X(COMMENT, '~')    /* text of a source file: comments */ \
	X(STRING, '"')     /* strings, templates, regular expressions */ \
	X(KEYWORD, 'w')    /* keywords */ \
	X(BUSY, 'B')       /* overview: script and everything else that runs */ \
	X(WINDOW, 'W')     /* overview: the window of the chart */ \
	X(IDLE, 'I')       /* frames with a fixed meaning */ \
	X(PROGRAM, 'P') \
	X(GC, 'G') \
	X(NATIVE, 'N') \
	X(NODE, 'n')       /* node: and other code of runtimes */ \
	X(SCRIPTING, 'o')  /* slices of browsers, by what they do */ \
	X(RENDERING, 'v') \
	X(PAINTING, 'p') \
	X(LOADING, 'q') \
	X(TASK, 'z')       /* any other slice of a browser */ \
	X(HEAT_0, '0')     /* self time, from little to much */ \
	X(HEAT_1, '1') \
	X(HEAT_2, '2') \
	X(HEAT_3, '3') \
	X(HEAT_4, '4') \
	X(HEAT_5, '5') \
	X(LESS_2, '6')     /* change between two sides: much less self time, */ \
	X(LESS_1, '7')     /* less, */ \
	X(SAME, '_')       /* as much, */ \
	X(MORE_1, '8')     /* more, */ \
	X(MORE_2, '9')     /* much more */
/* clang-format on */

/* Hues of frames of scripts: as many for the user's own code as for that of dependencies. */
#define ROLE_HUES 12
#define ROLE_OWN_LETTERS "abcdefghijkl"
#define ROLE_DEPENDENCY_LETTERS "DEFJLOQUVXYZ"

/* Colours that the events of a trace ask for by name (cname). Their roles have one letter. */
#define ROLE_CNAMES 34
#define ROLE_CNAME_LETTER '&'

#define ROLE_NAME(name, letter) ROLE_##name,
/* clang-format off */
enum role {
	ROLE_LIST(ROLE_NAME)
	ROLE_FRAME, /* own code: ROLE_FRAME + hue, hue < ROLE_HUES */
	ROLE_DEPENDENCY = ROLE_FRAME + ROLE_HUES, /* the same for code of dependencies */
	ROLE_CNAME = ROLE_DEPENDENCY + ROLE_HUES, /* ROLE_CNAME + number of the colour - 1 */
	ROLE_FRAME_LAST = ROLE_CNAME + ROLE_CNAMES - 1,
	ROLE_COUNT
};
/* clang-format on */
#undef ROLE_NAME

/* Flags beside a role. */
enum cell_flag {
	CELL_BOLD = 1,
	CELL_UNDERLINE = 2,
	CELL_SELECTED = 4,   /* belongs to the selected span */
	CELL_SAME = 8,       /* another span of the selected function */
	CELL_MATCH = 16,     /* matches the search */
	CELL_SHARED = 32,    /* several spans share this cell; zooming in shows more */
	CELL_HINT = 64,      /* shared by several spans, and a smaller one of them is a match */
	CELL_THIN = 128,     /* with CELL_SHARED: less than half of the cell has spans; of a table:
				the rest of a bar, which can be pale */
	CELL_NAMED = 256,    /* text on shared cells */
	CELL_DIM = 512,      /* the fill is no match of the search, or the ink on the page */
	CELL_DIM_INK = 1024, /* the ink on another frame is none; of ROLE_DIM: a line, which keeps
				its colour on any fill */
	CELL_SEAM = 2048,    /* the ink, ROLE_PAGE, is a thin line at the beginning of a box */
	CELL_ODD = 4096,     /* in every other row of a lane: boxes of one colour do not melt */
	CELL_FAR = 8192,     /* of the overview: outside of the window, pale, but to be seen */
	CELL_PAIR = 16384    /* of the heat map: the ink is the upper half, the fill the lower one,
				and those of one colour melt */
};

#define CELL_FLAGS_ALL 32767 /* all flags together */

#endif

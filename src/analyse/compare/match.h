/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Matching: which functions of several runs are the same one. A function has one frame in a
 * profile as long as its name, URL, line and column stay; an edited file, another directory or
 * another build gives it a second frame. A match class is the set of frames of one function; its
 * first frame stands for it. */
#ifndef FLAMETTY_ANALYSE_COMPARE_MATCH_H
#define FLAMETTY_ANALYSE_COMPARE_MATCH_H

#include "analyse/compare/compare_run.h"

#include <stdint.h>

enum match_kind {
	MATCH_IN_FILE,  /* by name and file; the line decides among equal names */
	MATCH_LOCATION, /* by file, line and column, whatever the name */
	MATCH_STACK,    /* as MATCH_IN_FILE; rows are calls, not functions */
	MATCH_NAME,     /* as MATCH_IN_FILE; a name that one class has on each side joins them */
	MATCH_COUNT,
	MATCH_FILES = MATCH_COUNT /* frames stand for files: their names are URLs */
};

/* Set match[f], by frame of the profile, to the frame that stands for the class of f: the one that
 * comes first, in the runs before, then in those after. Frames that no run has stand for
 * themselves.
 *
 * Files are the same by the rules of match.c. Two functions of one file that have one name are
 * two classes, if one side has both. Between the sides they are paired in the order of their lines,
 * such that as many as possible are paired, and the lines differ as little as possible. Anonymous
 * functions are paired only if a function that has a name calls both, directly or through other
 * anonymous functions. Two frames without a URL are the same if their names are.
 *
 * files: by string of the profile, filled with the URL that stands for the file of a URL; other
 * strings stand for themselves. NULL: not needed. */
void match_frames(const struct profile *profile, const struct compare_run *runs, uint32_t n_runs,
		  enum match_kind kind, frame_id *match, str_id *files);

/* `file`, `location`, `stack`, `name`; NULL: i is past the last one. */
const char *match_word(unsigned i);

#endif

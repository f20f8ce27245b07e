/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Comparing two sides: two windows of the profile, or two groups of its files. While a comparison
 * is on, the left heavy view (VIEW_MERGED) shows the calls of both sides in one tree: views.c makes
 * it. */
#ifndef FLAMETTY_UI_CHART_CHART_DIFF_H
#define FLAMETTY_UI_CHART_CHART_DIFF_H

#include "analyse/compare/match.h"
#include "analyse/compare/sides.h"
#include "draw/screen.h"

#include <stdbool.h>

struct app;
struct app_group;

#define DIFF_COUNT_MAX 120

/* What is compared, as plain values (app_state.h). */
struct chart_diff_what {
	bool is_on;
	/* The sides are runs of files; false: two windows. */
	bool has_files;
	/* The files that can be compared: of n_files arguments (input.argument) the first n_before
	 * are before, the others after. Each is a run. 0: there are none. */
	uint32_t n_before, n_files;
	bool is_one_before; /* those before are one run: a profile that was open */
	bool is_opened;     /* `:diff FILE` opened those after; the profile before is kept */
	bool is_slices;     /* as in compare_run.h */
	enum match_kind match;
	/* The arguments; and as in compare_run.h, where NULL is all. Borrowed for as long as there
	 * is an app. */
	char *const *files;
	const char *lane, *from, *to;
	int64_t t0[SIDES], t1[SIDES]; /* the windows, without files: ns since the start */
	bool is_rest;                 /* before is all but the window after */
	enum sides_per per;
	char count[DIFF_COUNT_MAX]; /* SIDES_PER_COUNT: the pattern */
	enum sides_width width;
};

struct chart_diff {
	struct chart_diff_what what;
	struct sides sides;       /* of the merged view that is shown; zeroed: none */
	frame_id largest;         /* the function whose self time changed most; FRAME_NONE: none */
	struct buf verdict, note; /* that change; its significance */
	bool is_reading;          /* files for the next comparison are being read, */
	struct buf reading;       /* and how much of them */
};

/* The number of runs of files. */
uint32_t chart_diff_count_runs(const struct chart_diff_what *d);

/* Fill as many runs; the caller ends each with compare_run_done(), also after false. */
bool chart_diff_find_runs(const struct chart_diff_what *d, const struct profile *profile,
			  struct compare_run *runs, struct error *err) MUST_USE;

/* Compare two windows of the profile, in ns since its start; is_rest: the rest of the profile with
 * the window after. */
void chart_diff_windows(struct app *app, const int64_t t0[SIDES], const int64_t t1[SIDES],
			bool is_rest);

/* Compare the files, if there are any. False: there are none. */
bool chart_diff_files(struct app *app);

/* End the comparison: of two windows, show that of the files, if there are any; of files, show the
 * profile that was open before, or the time line. Says what there is. */
void chart_diff_off(struct app *app);

/* The sides of what is shown; NULL: none. */
const struct sides *chart_diff_shown(const struct app *app);

/* Give the rows below the header the largest change, if sides are shown. */
void chart_diff_bar(const struct app *app, struct verdict_bar *bar);

/* Append what a function took on both sides, for a copy: ` - self 48.9 -> 65.1 %  +16.2 pt, ...`.
 * False: no sides are shown. */
bool chart_diff_add_figures(const struct app *app, frame_id frame, struct buf *out);

/* Show other widths, or figures divided by something else. */
void chart_diff_set_width(struct app *app, enum sides_width width);
void chart_diff_set_per(struct app *app, enum sides_per per);

/* Divide figures by the calls of the functions that match a pattern. False: it is none. */
bool chart_diff_set_count(struct app *app, const char *pattern, struct error *err) MUST_USE;

/* `larger`, `before`, `after`; NULL: i is past the last. */
const char *chart_diff_width_word(unsigned i);

#define DIFF_OPEN_MS 100 /* from one look at the progress to the next */

/* Begin to read files: their names with blanks between them. NULL: those of the comparison that is
 * shown, again. A message says what is wrong. */
void chart_diff_open_begin(struct app *app, const char *files);

/* Begin to read a recording beside an input, which a list names: app_host.open. */
void chart_diff_open_recording(struct app *app, uint32_t input, const char *file);

/* Begin to read the recordings of a group of a fleet: app_host.open_group. */
void chart_diff_open_group(struct app *app, const struct app_group *group);

/* Look how far that is. */
void chart_diff_open_look(struct app *app);

/* Stop reading, with a message. False: no file is read. */
bool chart_diff_open_cancel(struct app *app);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is measured: loading a file, and questions about what was loaded. */
#ifndef FLAMETTY_TESTS_BENCH_SUBJECTS_H
#define FLAMETTY_TESTS_BENCH_SUBJECTS_H

#include "analyse/view/view.h"
#include "model/profile.h"
#include "sheet.h"

#define BENCH_ROWS 60
#define BENCH_COLS 200

/* A pattern that about one function in forty matches, in every input. */
#define BENCH_PATTERN "^(parse|step).*6$"

/* A loaded file. */
struct subject {
	struct sheet *sheet;
	const struct profile *profile;
	const struct lane *lane; /* the lane with most samples */
};

/* Load a file or die. */
struct profile *subject_load(const char *path);

/* The lane of a profile with most samples. */
const struct lane *subject_lane(const struct profile *profile);

/* Loading compared with json-c and a plain read; each run in its own process, to know its memory.
 * json_c_most: bytes of the largest file that is given to json-c. */
void measure_load(struct sheet *sheet, const char *path, int64_t json_c_most);

/* What the program writes to a terminal, key by key; left out, with a note, if there is no program
 * or no pseudo-terminal. */
void measure_wire(struct sheet *sheet, const char *program, const char *path);

void measure_draw(const struct subject *subject);
void measure_range(const struct subject *subject);
void measure_search(const struct subject *subject);
void measure_findings(const struct subject *subject);
void measure_output(const struct subject *subject);

/* Self and total time by node and by frame of the view, computed by a plain loop over the samples
 * of [t0, t1) and all ancestors of each. */
struct naive {
	int64_t *self, *total, *frame_self, *frame_total;
};

void naive_init(struct naive *naive, const struct view *view);
void naive_compute(struct naive *naive, const struct view *view, int64_t t0, int64_t t1);
void naive_done(struct naive *naive);

#endif

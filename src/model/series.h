/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A series of a counter: a step curve over time. */
#ifndef FLAMETTY_MODEL_SERIES_H
#define FLAMETTY_MODEL_SERIES_H

#include "base/intern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* value[i] holds from t[i] to t[i + 1]. */
struct series {
	str_id name;
	size_t n;
	int64_t *t;         /* ns since the start of the profile, not descending */
	double *value;      /* finite */
	double least, most; /* of all; 0 is always between them */
	double **high;      /* high[k][j]: most of the 64^(k+1) values from j * 64^(k+1) on */
	int n_high;
};

/* Fill least, most and high from t and value. */
void series_index(struct series *series);

/* Index of the value that holds at time t; SIZE_MAX: before the first. O(log n). */
size_t series_find(const struct series *series, int64_t t);

/* The highest value that holds anywhere in [t0, t1); false: none yet. O(log n). */
bool series_most(const struct series *series, int64_t t0, int64_t t1, double *most);

void series_done(struct series *series);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The processes of a profile that were measured once a second (model/metrics.h), a row each. */
#ifndef FLAMETTY_ANALYSE_PROCESS_ROWS_H
#define FLAMETTY_ANALYSE_PROCESS_ROWS_H

#include "base/pattern.h"
#include "model/metrics.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What rows can be sorted by: a metric, or one of these. */
enum { PROCESS_BY_NAME = METRIC_COUNT, PROCESS_BY_PID, PROCESS_BY_FUNCTION, PROCESS_ORDERS };

struct process_row {
	int64_t pid;
	const char *name;     /* of the process; texts are of the profile */
	const char *role;     /* in a cluster; "": none */
	const char *state;    /* that it has ended, or why it is not measured; "" */
	const char *function; /* the busiest own one at the end; "": none */
	double share;         /* of it, in per cent */
	const struct series *series[METRIC_COUNT]; /* NULL: not measured */
	double value[METRIC_COUNT];                /* below 0: not known */
	int64_t last;                              /* when it was measured last; INT64_MIN: never */
};

struct process_rows {
	struct process_row *rows;
	size_t n, n_all; /* n: that pass the filter */
	int64_t t0, t1;
};

/* Whether there are any. */
bool process_rows_exist(const struct profile *profile);

/* Make the rows of [t0, t1). is_last: values are those at the end; false: of the whole range: means
 * of load, garbage collection and requests, otherwise the most. filter: of names, ids, roles and
 * functions; NULL: none. The caller frees them. */
void process_rows_make(struct process_rows *rows, const struct profile *profile, int64_t t0,
		       int64_t t1, bool is_last, struct pattern *filter);

/* Sort them: numbers from the most on, texts from A on, equal ones by pid; in any order those that
 * have ended, or are not measured, last. */
void process_rows_sort(struct process_rows *rows, unsigned order, bool is_reversed);

/* The row of a process; the number of rows: it has none. */
size_t process_rows_find(const struct process_rows *rows, int64_t pid);

static inline void process_rows_done(struct process_rows *rows)
{
	free(rows->rows);
	*rows = (struct process_rows){ 0 };
}

#endif

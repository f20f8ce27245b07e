/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a fleet (model/fleet.h) answers: which functions are the heaviest over its hosts, which host
 * is different, and since when. */
#ifndef FLAMETTY_ANALYSE_FLEET_H
#define FLAMETTY_ANALYSE_FLEET_H

#include "model/fleet.h"

/* ---- the table ---- */

enum fleet_axis { FLEET_BY_HOST, FLEET_BY_VERSION, FLEET_BY_BIN };

/* No more cells than this: of the functions, those with the least own time are left out. */
#define FLEET_CELLS_MAX ((size_t)1 << 23)

/* Functions by columns: those of `rows`, in their order. Idle time is none of them. */
struct fleet_table {
	const struct fleet *fleet;
	enum fleet_axis axis;
	size_t n_cols;
	str_id *cols; /* by column: its value; 0: unknown. Hosts and versions by their texts and
			 numbers, bins in their order */
	struct fleet_facts *facts; /* by column */
	uint32_t *rows;            /* functions, by their median share, the largest first */
	size_t n_rows;
	/* By row and column: row * n_cols + column. */
	int64_t *self_ns, *total_ns;
	uint32_t *n_profiles;
};

/* side: of these groups only; FLEET_NO_SIDE: of all. Bins are of both sides. */
void fleet_table_init(struct fleet_table *table, const struct fleet *fleet, enum fleet_axis axis,
		      enum fleet_side side);
void fleet_table_done(struct fleet_table *table);

/* The share of the busy time of the column, from 0 to 1; 0: it has none. */
double fleet_table_share(const struct fleet_table *table, size_t row, size_t col, bool is_total);

/* ---- the heaviest ---- */

/* Own time of a function over the hosts that have enough work. */
struct fleet_top {
	uint32_t function;
	double median;           /* of the shares of hosts */
	double least, most;      /* of the hosts that do not stand out, */
	uint32_t n_hosts, n_all; /* which are n_hosts of n_all that are judged */
};

/* ---- different ---- */

/* A host whose share of a function stands out. */
struct fleet_outlier {
	uint32_t function;
	size_t col;           /* of the table by host */
	double share, median; /* there, and of the other hosts */
	double score;         /* how many times the usual distance, with the error of sampling */
	uint32_t n_profiles;  /* of the host, */
	uint32_t n_with;      /* and those with the function */
};

/* A host that is not judged. */
struct fleet_unjudged {
	size_t col;
	enum fleet_reason { FLEET_LITTLE_WORK, FLEET_BAD_SAMPLING } reason;
};

/* ---- since ---- */

/* A function whose share broke between two bins. */
struct fleet_break {
	uint32_t function;
	size_t bin;           /* the first one after it */
	double before, after; /* medians of the shares of the bins before and from there on */
	double p;             /* of the break, corrected for all places and functions */
};

struct fleet_answers {
	struct fleet_table hosts;
	struct fleet_top *tops; /* the heaviest first */
	size_t n_tops;
	struct fleet_outlier *outliers; /* the highest score first */
	size_t n_outliers;
	struct fleet_unjudged *unjudged;
	size_t n_unjudged;
	struct fleet_break *breaks; /* the largest change first */
	size_t n_breaks;
};

void fleet_answers_init(struct fleet_answers *answers, const struct fleet *fleet);
void fleet_answers_done(struct fleet_answers *answers);

#endif

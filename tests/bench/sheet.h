/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was measured of one file: a sheet of figures, which the table and the JSON file are made
 * of. Sheets lie in memory that is shared with the processes that measure. */
#ifndef FLAMETTY_TESTS_BENCH_SHEET_H
#define FLAMETTY_TESTS_BENCH_SHEET_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* To add one: here, its row in sheet.c, and whoever measures it. */
enum figure_id {
	FIGURE_READ,
	FIGURE_JSON_C,
	FIGURE_LOAD,
	FIGURE_COVER_WHOLE,
	FIGURE_COVER_PART,
	FIGURE_COVER_PAN,
	FIGURE_FRAME_FIRST,
	FIGURE_FRAME_STEP,
	FIGURE_FRAME_PART,
	FIGURE_FRAME_PAN,
	FIGURE_RANGE,
	FIGURE_RANGE_NAIVE,
	FIGURE_FUNCTIONS,
	FIGURE_SEARCH_MATCH,
	FIGURE_SEARCH_FIRST,
	FIGURE_SEARCH_COUNT,
	FIGURE_TRANSFORM,
	FIGURE_TRANSFORMS,
	FIGURE_EXPORT_SLICES,
	FIGURE_EXPORT_SAMPLES,
	FIGURE_COUNT
};

struct figure {
	int runs;        /* 0: not measured */
	int64_t best_ns; /* CPU time of all threads */
	int64_t median_ns;
	int64_t wall_ns;    /* the best */
	int64_t peak_bytes; /* most memory that it took; 0: not known */
};

/* Kinds of keys on a terminal; to add one: here, its row in sheet.c, its keys in wire.c. */
enum wire_id {
	WIRE_START,
	WIRE_ZOOM,
	WIRE_PAN,
	WIRE_PAN_HALF,
	WIRE_SPAN,
	WIRE_TAB,
	WIRE_ROW,
	WIRE_OPEN,
	WIRE_TYPED,
	WIRE_MATCH,
	WIRE_HELP,
	WIRE_HELP_END,
	WIRE_COUNT
};

/* What was written in answer to one key. */
struct wire_cost {
	int keys; /* 0: not measured */
	int64_t bytes;
	int64_t last_ns; /* from the key to the last of them */
};

struct sheet {
	char name[32];
	int64_t bytes;
	uint64_t samples; /* of all lanes */
	uint64_t slices;  /* of all lanes */
	uint64_t nodes;
	uint64_t deepest;
	bool is_done; /* false: the process that measured has died */
	int n_wrong;  /* results that are not what a plain loop says */
	struct figure figures[FIGURE_COUNT];
	struct wire_cost wire[WIRE_COUNT];
};

/* One thing to be measured. before: what is not part of it, may be NULL; run counts from 0. */
struct measure {
	enum figure_id id;
	void (*before)(void *ctx, int run);
	void (*run)(void *ctx, int run);
};

/* Run it as often as makes sense for how long it takes. */
void sheet_measure(struct sheet *sheet, const struct measure *measure, void *ctx);

/* Best and median of n runs of a figure that was measured in processes of their own. */
void sheet_set(struct sheet *sheet, enum figure_id id, const struct figure *runs, int n);

/* Medians of n keys of a kind; 0 keys: left out. */
void sheet_set_wire(struct sheet *sheet, enum wire_id id, const struct wire_cost *runs, int n);

/* Count and say what is not right. */
void sheet_check(struct sheet *sheet, bool is_right, const char *what);

/* CPU time of this process, and time of day, ns. */
int64_t sheet_cpu_ns(void);
int64_t sheet_wall_ns(void);

/* All sheets as one table; the parts of it about loading and about terminals; as JSON. machine: a
 * line about it. */
void sheets_print(const struct sheet *sheets, int n, FILE *out);
void sheets_print_load(const struct sheet *sheets, int n, FILE *out);
void sheets_print_wire(const struct sheet *sheets, int n, FILE *out);
void sheets_write_json(const struct sheet *sheets, int n, const char *machine, FILE *out);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was measured of one file: a sheet of figures, from which the table and the JSON file are
 * made. Sheets lie in memory that is shared with the measuring processes. */
#ifndef FLAMETTY_TESTS_BENCH_SHEET_H
#define FLAMETTY_TESTS_BENCH_SHEET_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* For functions that callgrind finds by their names. */
#if defined(__GNUC__)
#define BENCH_NOT_INLINE __attribute__((noinline))
#else
#define BENCH_NOT_INLINE
#endif

/* To add a figure: a name here, its row in sheet.c, and the code that measures it. */
enum figure_id {
	FIGURE_READ,
	FIGURE_JSON_C,
	FIGURE_LOAD,
	FIGURE_COVER_WHOLE,
	FIGURE_COVER_BOTH,
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
	FIGURE_CHARGE,
	FIGURE_FINDINGS_HALF,
	FIGURE_FINDINGS,
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
	int64_t peak_bytes; /* peak memory; 0: unknown */
};

/* Kinds of keys on a terminal. To add one: a name here, its row in sheet.c, its keys in wire.c. */
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

/* What the program wrote in response to one key. */
struct wire_cost {
	int keys; /* 0: not measured */
	int64_t bytes;
	int64_t last_ns; /* from the key to the last byte */
};

struct sheet {
	char name[32];
	int64_t bytes;
	uint64_t samples; /* of all lanes */
	uint64_t slices;  /* of all lanes */
	uint64_t nodes;
	uint64_t deepest;
	bool is_done;     /* false: the process that measured has died */
	bool is_counting; /* sheet_measure() runs everything once, for callgrind */
	int n_wrong;      /* results that differ from those of a plain loop */
	struct figure figures[FIGURE_COUNT];
	struct wire_cost wire[WIRE_COUNT];
};

/* A measurement. before: preparation that is not measured, may be NULL; run counts from 0. */
struct measure {
	enum figure_id id;
	void (*before)(void *ctx, int run);
	void (*run)(void *ctx, int run);
};

/* Run it as often as its duration allows. When counting, run it once through sheet_counted(), and
 * print its name. */
void sheet_measure(struct sheet *sheet, const struct measure *measure, void *ctx);

/* What compare.sh counts instructions of, by the name of this function: one run. */
void sheet_counted(const struct measure *measure, void *ctx);

/* Best and median of n runs of a figure that was measured in separate processes. */
void sheet_set(struct sheet *sheet, enum figure_id id, const struct figure *runs, int n);

/* Medians of n keys of a kind; with 0 keys the kind is left out. */
void sheet_set_wire(struct sheet *sheet, enum wire_id id, const struct wire_cost *runs, int n);

/* Report a wrong result, and count it. */
void sheet_check(struct sheet *sheet, bool is_right, const char *what);

/* CPU time of this process and of this thread, and time of day, in ns. */
int64_t sheet_cpu_ns(void);
int64_t sheet_own_ns(void);
int64_t sheet_wall_ns(void);

/* All sheets: as one table; the part about loading; the part about terminals; as JSON. machine: a
 * line of text that describes it. */
void sheets_print(const struct sheet *sheets, int n, FILE *out);
void sheets_print_load(const struct sheet *sheets, int n, FILE *out);
void sheets_print_wire(const struct sheet *sheets, int n, FILE *out);
void sheets_write_json(const struct sheet *sheets, int n, const char *machine, FILE *out);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPU time is compared: on a busy machine it repeats better than elapsed time. The best of several
 * runs is what the code can do, the median what a user gets. */
#include "config.h"

#include "sheet.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_RUNS 40
#define MIN_RUNS 3
#define ENOUGH_NS INT64_C(200000000) /* limit for all runs of one measurement */
#define LONG_NS INT64_C(700000000)   /* a run that takes longer is not repeated */

static const struct {
	const char *id;    /* name in the JSON file */
	const char *title; /* name in the table */
} rows[FIGURE_COUNT] = {
	[FIGURE_READ] = { "read", "read() of the file" },
	[FIGURE_JSON_C] = { "json_c", "json-c, whole file" },
	[FIGURE_LOAD] = { "load", "load" },
	[FIGURE_COVER_WHOLE] = { "cover_whole", "cover of 200 columns: whole" },
	[FIGURE_COVER_BOTH] = { "cover_both", "  on two threads, elapsed" },
	[FIGURE_COVER_PART] = { "cover_part", "  1 % of it" },
	[FIGURE_COVER_PAN] = { "cover_pan", "  pan, 10 new columns" },
	[FIGURE_FRAME_FIRST] = { "frame_first", "frame of 200x60: the first" },
	[FIGURE_FRAME_STEP] = { "frame_step", "  its longest step" },
	[FIGURE_FRAME_PART] = { "frame_part", "  another 1 %" },
	[FIGURE_FRAME_PAN] = { "frame_pan", "  pan key in 10 %" },
	[FIGURE_RANGE] = { "range", "new range: totals, rows" },
	[FIGURE_RANGE_NAIVE] = { "range_naive", "  a loop over samples" },
	[FIGURE_FUNCTIONS] = { "functions", "functions with spans" },
	[FIGURE_SEARCH_MATCH] = { "search_match", "search: all functions" },
	[FIGURE_SEARCH_FIRST] = { "search_first", "  up to the first match" },
	[FIGURE_SEARCH_COUNT] = { "search_count", "  spans counted" },
	[FIGURE_CHARGE] = { "charge", "findings: charge a lane" },
	[FIGURE_FINDINGS_HALF] = { "findings_half", "  another half" },
	[FIGURE_FINDINGS] = { "findings", "  the whole" },
	[FIGURE_TRANSFORM] = { "transform", "one transform" },
	[FIGURE_TRANSFORMS] = { "transforms", "  three" },
	[FIGURE_EXPORT_SLICES] = { "export_slices", "export 10^5 samples: slices" },
	[FIGURE_EXPORT_SAMPLES] = { "export_samples", "export all, as samples" },
};

static const struct {
	const char *id, *title;
} kinds[WIRE_COUNT] = {
	[WIRE_START] = { "start", "the first picture" },
	[WIRE_ZOOM] = { "zoom", "zoom in" },
	[WIRE_PAN] = { "pan", "pan by a tenth" },
	[WIRE_PAN_HALF] = { "pan_half", "pan by a half" },
	[WIRE_SPAN] = { "span", "another span" },
	[WIRE_TAB] = { "tab", "to the pane, back" },
	[WIRE_ROW] = { "row", "another row of the pane" },
	[WIRE_OPEN] = { "open", "open a row" },
	[WIRE_TYPED] = { "typed", "a letter of a search" },
	[WIRE_MATCH] = { "match", "next match" },
	[WIRE_HELP] = { "help", "help" },
	[WIRE_HELP_END] = { "help_end", "  back" },
};

/* Ratio of two figures. */
static const struct {
	const char *id, *title;
	enum figure_id above, below;
} ratios[] = {
	{ "load_to_read", "load to read()", FIGURE_LOAD, FIGURE_READ },
	{ "json_c_to_load", "json-c to load", FIGURE_JSON_C, FIGURE_LOAD },
	{ "naive_to_range", "loop to new range", FIGURE_RANGE_NAIVE, FIGURE_RANGE },
};

#define N_RATIOS (sizeof ratios / sizeof ratios[0])

static int64_t now_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t sheet_cpu_ns(void)
{
	return now_ns(CLOCK_PROCESS_CPUTIME_ID);
}

int64_t sheet_own_ns(void)
{
	return now_ns(CLOCK_THREAD_CPUTIME_ID);
}

int64_t sheet_wall_ns(void)
{
	return now_ns(CLOCK_MONOTONIC);
}

static int by_time(const void *a, const void *b)
{
	const struct figure *x = a, *y = b;

	return x->best_ns < y->best_ns ? -1 : x->best_ns > y->best_ns;
}

void sheet_set(struct sheet *sheet, enum figure_id id, const struct figure *runs, int n)
{
	struct figure sorted[MAX_RUNS];
	struct figure *f = &sheet->figures[id];

	if (n < 1 || n > MAX_RUNS)
		return;
	memcpy(sorted, runs, (size_t)n * sizeof *runs);
	qsort(sorted, (size_t)n, sizeof *sorted, by_time);
	*f = sorted[0];
	f->runs = n;
	f->median_ns = sorted[n / 2].best_ns;
	for (int i = 1; i < n; i++)
		f->wall_ns = sorted[i].wall_ns < f->wall_ns ? sorted[i].wall_ns : f->wall_ns;
}

static bool is_enough(int n, int64_t spent_ns)
{
	if (n == MAX_RUNS || spent_ns >= LONG_NS * 2)
		return true;
	return n >= MIN_RUNS && spent_ns >= ENOUGH_NS;
}

BENCH_NOT_INLINE void sheet_counted(const struct measure *measure, void *ctx)
{
	measure->run(ctx, 0);
}

void sheet_measure(struct sheet *sheet, const struct measure *measure, void *ctx)
{
	struct figure runs[MAX_RUNS];
	int64_t spent_ns = 0;
	int n = 0;

	if (sheet->is_counting) {
		if (measure->before)
			measure->before(ctx, 0);
		sheet_counted(measure, ctx);
		puts(rows[measure->id].id);
		return;
	}
	while (!is_enough(n, spent_ns)) {
		int64_t cpu, wall;

		if (measure->before)
			measure->before(ctx, n);
		cpu = sheet_cpu_ns();
		wall = sheet_wall_ns();
		measure->run(ctx, n);
		runs[n] = (struct figure){ .best_ns = sheet_cpu_ns() - cpu,
					   .wall_ns = sheet_wall_ns() - wall };
		spent_ns += runs[n].best_ns;
		n++;
	}
	sheet_set(sheet, measure->id, runs, n);
}

static int by_number(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

void sheet_set_wire(struct sheet *sheet, enum wire_id id, const struct wire_cost *runs, int n)
{
	int64_t bytes[MAX_RUNS], last_ns[MAX_RUNS];

	if (n < 1 || n > MAX_RUNS)
		return;
	for (int i = 0; i < n; i++) {
		bytes[i] = runs[i].bytes;
		last_ns[i] = runs[i].last_ns;
	}
	qsort(bytes, (size_t)n, sizeof *bytes, by_number);
	qsort(last_ns, (size_t)n, sizeof *last_ns, by_number);
	sheet->wire[id] =
		(struct wire_cost){ .keys = n, .bytes = bytes[n / 2], .last_ns = last_ns[n / 2] };
}

void sheet_check(struct sheet *sheet, bool is_right, const char *what)
{
	if (is_right)
		return;
	fprintf(stderr, "bench: %s: %s: not what a plain loop says\n", sheet->name, what);
	sheet->n_wrong++;
}

/* ---- the table ---- */

#define TITLE_COLS 28
#define VALUE_COLS 19

static bool has_ratio(const struct sheet *sheet, size_t i)
{
	return sheet->figures[ratios[i].above].runs && sheet->figures[ratios[i].below].best_ns > 0;
}

static double ratio(const struct sheet *sheet, size_t i)
{
	return (double)sheet->figures[ratios[i].above].best_ns /
		(double)sheet->figures[ratios[i].below].best_ns;
}

static double mega(int64_t bytes)
{
	return (double)bytes / 1e6;
}

/* ns as ms, with three significant digits. */
static const char *ms(int64_t ns, char out[24])
{
	double value = (double)ns / 1e6;

	snprintf(out, 24, "%.*f", value < 1 ? 3 : value < 10 ? 2 : value < 100 ? 1 : 0, value);
	return out;
}

static void print_figure(const struct figure *f, FILE *out)
{
	char best[24], median[24], text[64];

	if (f->runs)
		snprintf(text, sizeof text, "%s (%s)", ms(f->best_ns, best),
			 ms(f->median_ns, median));
	else
		snprintf(text, sizeof text, "-");
	fprintf(out, "%*s", VALUE_COLS, text);
}

static void print_counts(const struct sheet *sheets, int n, FILE *out)
{
	fprintf(out, "%-*s", TITLE_COLS, "");
	for (int i = 0; i < n; i++)
		fprintf(out, "%*s", VALUE_COLS, sheets[i].name);
	fprintf(out, "\n%-*s", TITLE_COLS, "MB");
	for (int i = 0; i < n; i++)
		fprintf(out, "%*.1f", VALUE_COLS, mega(sheets[i].bytes));
	fprintf(out, "\n%-*s", TITLE_COLS, "samples");
	for (int i = 0; i < n; i++)
		fprintf(out, "%*" PRIu64, VALUE_COLS, sheets[i].samples);
	fprintf(out, "\n%-*s", TITLE_COLS, "nodes, rows");
	for (int i = 0; i < n; i++)
		fprintf(out, "%*" PRIu64 ", %4" PRIu64, VALUE_COLS - 6, sheets[i].nodes,
			sheets[i].deepest);
	fputs("\n\nms of CPU time: best (median)\n", out);
}

/* Peak memory of loading, per slice of a trace or per sample of a profile; includes the nodes. */
static double cell_kind_bytes(const struct sheet *sheet)
{
	uint64_t n = sheet->slices ? sheet->slices : sheet->samples;

	return n ? (double)sheet->figures[FIGURE_LOAD].peak_bytes / (double)n : 0;
}

static void print_pieces(const struct sheet *sheets, int n, FILE *out)
{
	fprintf(out, "%-*s", TITLE_COLS, "  bytes a slice, or sample");
	for (int i = 0; i < n; i++)
		fprintf(out, "%*.1f", VALUE_COLS, cell_kind_bytes(&sheets[i]));
	fputc('\n', out);
}

void sheets_print_load(const struct sheet *sheets, int n, FILE *out)
{
	fputs("\nloading: MB a second of CPU time, of time that passed; most memory in MB\n", out);
	for (enum figure_id id = FIGURE_READ; id <= FIGURE_LOAD; id++) {
		fprintf(out, "%-*s", TITLE_COLS, rows[id].title);
		for (int i = 0; i < n; i++) {
			const struct figure *f = &sheets[i].figures[id];
			char text[64] = "-";

			if (f->runs)
				snprintf(text, sizeof text, "%.0f, %.0f; %.0f",
					 (double)sheets[i].bytes * 1e3 / (double)f->best_ns,
					 (double)sheets[i].bytes * 1e3 / (double)f->wall_ns,
					 mega(f->peak_bytes));
			fprintf(out, "%*s", VALUE_COLS, text);
		}
		fputc('\n', out);
	}
	print_pieces(sheets, n, out);
}

void sheets_print_wire(const struct sheet *sheets, int n, FILE *out)
{
	fputs("on a terminal of 200x60: bytes (ms until the last), median by kind of key\n", out);
	for (int id = 0; id < WIRE_COUNT; id++) {
		fprintf(out, "%-*s", TITLE_COLS, kinds[id].title);
		for (int i = 0; i < n; i++) {
			const struct wire_cost *c = &sheets[i].wire[id];
			char text[64] = "-", last[24];

			if (c->keys)
				snprintf(text, sizeof text, "%" PRId64 " (%s)", c->bytes,
					 ms(c->last_ns, last));
			fprintf(out, "%*s", VALUE_COLS, text);
		}
		fputc('\n', out);
	}
}

void sheets_print(const struct sheet *sheets, int n, FILE *out)
{
	print_counts(sheets, n, out);
	for (int id = 0; id < FIGURE_COUNT; id++) {
		fprintf(out, "%-*s", TITLE_COLS, rows[id].title);
		for (int i = 0; i < n; i++)
			print_figure(&sheets[i].figures[id], out);
		fputc('\n', out);
	}
	sheets_print_load(sheets, n, out);
	fputc('\n', out);
	sheets_print_wire(sheets, n, out);
	fputs("\nhow often the one is in the other\n", out);
	for (size_t r = 0; r < N_RATIOS; r++) {
		fprintf(out, "%-*s", TITLE_COLS, ratios[r].title);
		for (int i = 0; i < n; i++) {
			if (has_ratio(&sheets[i], r))
				fprintf(out, "%*.1f", VALUE_COLS, ratio(&sheets[i], r));
			else
				fprintf(out, "%*s", VALUE_COLS, "-");
		}
		fputc('\n', out);
	}
}

/* ---- JSON ---- */

static void write_figures(const struct sheet *sheet, FILE *out)
{
	const char *comma = "";

	for (int id = 0; id < FIGURE_COUNT; id++) {
		const struct figure *f = &sheet->figures[id];

		if (!f->runs)
			continue;
		fprintf(out,
			"%s\n\t\t\"%s\": { \"runs\": %d, \"best_ns\": %" PRId64
			", \"median_ns\": %" PRId64 ", \"wall_ns\": %" PRId64,
			comma, rows[id].id, f->runs, f->best_ns, f->median_ns, f->wall_ns);
		if (f->peak_bytes)
			fprintf(out, ", \"peak_bytes\": %" PRId64, f->peak_bytes);
		fputs(" }", out);
		comma = ",";
	}
}

static void write_wire(const struct sheet *sheet, FILE *out)
{
	const char *comma = "";

	for (int id = 0; id < WIRE_COUNT; id++) {
		const struct wire_cost *c = &sheet->wire[id];

		if (!c->keys)
			continue;
		fprintf(out,
			"%s\n\t\t\"%s\": { \"keys\": %d, \"bytes\": %" PRId64
			", \"last_ns\": %" PRId64 " }",
			comma, kinds[id].id, c->keys, c->bytes, c->last_ns);
		comma = ",";
	}
}

static void write_sheet(const struct sheet *sheet, FILE *out)
{
	const char *comma = "";

	fprintf(out,
		"\t{ \"name\": \"%s\", \"bytes\": %" PRId64 ", \"samples\": %" PRIu64
		", \"slices\": %" PRIu64 ", \"nodes\": %" PRIu64 ", \"rows\": %" PRIu64
		", \"wrong\": %d, \"complete\": %s,\n\t  \"figures\": {",
		sheet->name, sheet->bytes, sheet->samples, sheet->slices, sheet->nodes,
		sheet->deepest, sheet->n_wrong, sheet->is_done ? "true" : "false");
	write_figures(sheet, out);
	fputs(" },\n\t  \"wire\": {", out);
	write_wire(sheet, out);
	fputs(" },\n\t  \"ratios\": {", out);
	for (size_t i = 0; i < N_RATIOS; i++) {
		if (!has_ratio(sheet, i))
			continue;
		fprintf(out, "%s \"%s\": %.3f", comma, ratios[i].id, ratio(sheet, i));
		comma = ",";
	}
	fputs(" } }", out);
}

/* Text from the system, without characters that would end a JSON string. */
static void write_text(const char *text, FILE *out)
{
	for (; *text; text++)
		fputc(*text == '"' || *text == '\\' || (unsigned char)*text < ' ' ? ' ' : *text,
		      out);
}

void sheets_write_json(const struct sheet *sheets, int n, const char *machine, FILE *out)
{
	fputs("{ \"machine\": \"", out);
	write_text(machine, out);
	fputs("\",\n  \"files\": [\n", out);
	for (int i = 0; i < n; i++) {
		write_sheet(&sheets[i], out);
		fputs(i + 1 < n ? ",\n" : "\n", out);
	}
	fputs("] }\n", out);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples, times and lines of a CPU profile: millions of whole numbers, which are read in batches.
 * For a long list, a second thread passes a batch to the builder while the next one is read.
 * Elements that are not plain numbers are read one at a time, in their turn. */
#include "config.h"

#include "reader/cpu/cpu_reader.h"

#include "base/alloc.h"
#include "base/pipeline.h"

#include <stdlib.h>

#define BATCH 16384u
#define FEW 256u /* for a chunk in a trace */

struct numbers {
	struct cpu_reader *r;
	void (*pass)(struct cpu_reader *r, const int64_t *values, size_t n);
	int scale;
	int64_t start; /* offset of the list */
	size_t most;   /* in a batch */
	struct pipeline *pipeline;
	int64_t *values[PIPELINE_ITEMS];
	size_t n[PIPELINE_ITEMS];
};

static bool pass_item(void *ctx, unsigned item)
{
	struct numbers *all = ctx;

	all->pass(all->r, all->values[item], all->n[item]);
	return true;
}

static bool help_read(void *ctx)
{
	return stream_help(((struct numbers *)ctx)->r->s->stream);
}

/* Read plain numbers up to the first other element. */
static void read_plain(struct numbers *all, bool *is_first)
{
	struct scan *s = all->r->s;

	for (;;) {
		unsigned item;

		if (!all->pipeline && s->stream &&
		    stream_leaves_room(s->stream, scan_offset(s) - all->start))
			all->pipeline = pipeline_start(pass_item, help_read, all);
		item = all->pipeline ? pipeline_next(all->pipeline) : 0;
		if (!all->values[item])
			all->values[item] = xmalloc(BATCH * sizeof *all->values[item]);
		all->n[item] = scan_number_list(s, all->scale, all->values[item], all->most,
						is_first);
		if (all->n[item] == 0)
			break;
		if (all->pipeline)
			pipeline_pass(all->pipeline);
		else
			pass_item(all, item);
	}
	if (all->pipeline)
		pipeline_drain(all->pipeline);
}

/* Read a list from the byte after its bracket on. `odd` reads an element that is not a plain
 * number, and passes it to the builder. */
static bool read_list(struct cpu_reader *r, int scale,
		      void (*pass)(struct cpu_reader *r, const int64_t *values, size_t n),
		      bool (*odd)(struct cpu_reader *r))
{
	struct numbers all = { .r = r,
			       .pass = pass,
			       .scale = scale,
			       .start = scan_offset(r->s),
			       .most = r->s->stream ? BATCH : FEW };
	bool is_first = true, ok = true;
	int64_t few[FEW];

	all.values[0] = r->s->stream ? NULL : few;
	while (ok) {
		read_plain(&all, &is_first);
		if (!scan_element(r->s, &is_first))
			break;
		ok = odd(r);
	}
	pipeline_stop(all.pipeline);
	for (size_t i = 0; i < PIPELINE_ITEMS; i++)
		if (all.values[i] != few)
			free(all.values[i]);
	return ok && r->err->kind == ERR_NONE;
}

/* ---- samples ---- */

static void pass_samples(struct cpu_reader *r, const int64_t *values, size_t n)
{
	uint32_t slots[256];
	size_t usual = r->has_lines ? 0 : cpu_builder_samples_usual(r->b, values, n);

	for (size_t from = usual; from < n; from += ARRAY_LEN(slots)) {
		size_t some = n - from < ARRAY_LEN(slots) ? n - from : ARRAY_LEN(slots);

		for (size_t i = 0; i < some; i++)
			slots[i] = cpu_builder_slot(r->b, values[from + i]);
		cpu_builder_samples(r->b, slots, some);
		if (r->has_lines)
			cpu_ticks_slots(r, slots, some);
	}
}

static bool odd_sample(struct cpu_reader *r)
{
	uint32_t slot;

	r->sample_offset = scan_offset(r->s);
	if (!cpu_nodes_id(r, &slot))
		return false;
	if (slot == SLOT_NONE)
		builder_warn(r->b, WARN_ODD_SAMPLE, r->sample_offset);
	cpu_builder_samples(r->b, &slot, 1);
	if (r->has_lines)
		cpu_ticks_slots(r, &slot, 1);
	return true;
}

bool cpu_numbers_samples(struct cpu_reader *r)
{
	if (scan_peek(r->s) != '[')
		return scan_skip(r->s);
	return scan_open(r->s, '[') && read_list(r, 0, pass_samples, odd_sample);
}

/* ---- times ---- */

static void pass_deltas(struct cpu_reader *r, const int64_t *values, size_t n)
{
	cpu_builder_deltas(r->b, values, n);
}

static void pass_stamps(struct cpu_reader *r, const int64_t *values, size_t n)
{
	cpu_builder_timestamps(r->b, values, n);
}

/* *value: 0 for what is no number. */
static bool odd_time(struct cpu_reader *r, int64_t *value)
{
	int64_t offset = scan_offset(r->s);
	enum number_kind kind;
	bool is_text;

	if (!scan_number(r->s, 3, value, &kind, &is_text))
		return false;
	if (is_text)
		builder_warn(r->b, WARN_NUMBER_TEXT, offset);
	if (kind == NUMBER_NONE)
		builder_warn(r->b, WARN_ODD_DELTA, offset);
	return true;
}

static bool odd_delta(struct cpu_reader *r)
{
	int64_t value;

	if (!odd_time(r, &value))
		return false;
	pass_deltas(r, &value, 1);
	return true;
}

static bool odd_stamp(struct cpu_reader *r)
{
	int64_t value;

	if (!odd_time(r, &value))
		return false;
	pass_stamps(r, &value, 1);
	return true;
}

bool cpu_numbers_times(struct cpu_reader *r, bool is_stamps)
{
	if (scan_peek(r->s) != '[')
		return scan_skip(r->s);
	return scan_open(r->s, '[') &&
		read_list(r, 3, is_stamps ? pass_stamps : pass_deltas,
			  is_stamps ? odd_stamp : odd_delta);
}

/* ---- lines of samples ---- */

static void pass_lines(struct cpu_reader *r, const int64_t *values, size_t n)
{
	cpu_ticks_lines(r, false, values, n);
}

static void pass_columns(struct cpu_reader *r, const int64_t *values, size_t n)
{
	cpu_ticks_lines(r, true, values, n);
}

/* What is no number takes its place as an unknown line. */
static bool odd_position(struct cpu_reader *r, bool is_columns)
{
	int64_t value;
	enum number_kind kind;
	bool is_text;

	if (!scan_number(r->s, 0, &value, &kind, &is_text))
		return false;
	cpu_ticks_lines(r, is_columns, &value, 1);
	return true;
}

static bool odd_line(struct cpu_reader *r)
{
	return odd_position(r, false);
}

static bool odd_column(struct cpu_reader *r)
{
	return odd_position(r, true);
}

bool cpu_numbers_lines(struct cpu_reader *r, bool is_columns)
{
	/* Of a member given twice the last one counts. */
	*(is_columns ? &r->columns.n : &r->lines.n) = 0;
	return scan_open(r->s, '[') &&
		read_list(r, 0, is_columns ? pass_columns : pass_lines,
			  is_columns ? odd_column : odd_line);
}

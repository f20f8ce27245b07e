/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples, times and lines of a CPU profile: millions of whole numbers, which are read in batches.
 * For a long list, a second thread passes a batch to the builder while the next one is read.
 * Elements that are not plain numbers are read one at a time, in their turn. */
#include "config.h"

#include "read/cpu/cpu_reader.h"

#include "base/alloc.h"
#include "base/pipeline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

/* *value: 0 for what is no number. *raw: its text, without quotation marks; empty for what is no
 * number. */
static bool odd_time(struct cpu_reader *r, int64_t *value, enum number_kind *kind, struct str *raw)
{
	int64_t offset = scan_offset(r->s);
	int c = scan_peek(r->s);
	bool is_text = c == '"';

	*value = 0;
	*kind = NUMBER_NONE;
	*raw = (struct str){ "", 0 };
	if (!is_text && c != '-' && !(c >= '0' && c <= '9')) {
		if (!scan_skip(r->s))
			return false;
	} else {
		if (!scan_raw(r->s, CPU_VALUE_MOST, raw))
			return false;
		if (is_text)
			*raw = (struct str){ raw->p + 1, raw->len - 2 };
		json_number_parse(raw->p, raw->len, 3, value, kind);
	}
	if (is_text && *kind != NUMBER_NONE)
		builder_warn(r->b, WARN_NUMBER_TEXT, offset);
	if (*kind == NUMBER_NONE)
		builder_warn(r->b, WARN_ODD_DELTA, offset);
	return true;
}

#define TWO_64 18446744073709551616.0

/* Whether a number may be a negative one in 64 bits without a sign; *less: how much it is less than
 * 0. A writer may have rounded it to a double, as 18446744073709552000. */
static bool is_unsigned(struct str raw, uint64_t *less)
{
	char copy[32], *end;
	unsigned long long exact;
	double v;

	if (raw.len >= sizeof copy)
		return false;
	memcpy(copy, raw.p, raw.len);
	copy[raw.len] = '\0';
	v = strtod(copy, &end);
	if (*end || v < TWO_64 / 2 || v > TWO_64)
		return false;
	errno = 0;
	exact = strtoull(copy, &end, 10);
	*less = *end || errno ? (uint64_t)(TWO_64 - v) : 0 - (uint64_t)exact;
	return true;
}

static bool odd_delta(struct cpu_reader *r)
{
	enum number_kind kind;
	uint64_t less;
	struct str raw;
	int64_t value;

	if (!odd_time(r, &value, &kind, &raw))
		return false;
	if (kind == NUMBER_HUGE && is_unsigned(raw, &less))
		cpu_builder_unsigned_delta(r->b, less);
	else
		pass_deltas(r, &value, 1);
	return true;
}

static bool odd_stamp(struct cpu_reader *r)
{
	enum number_kind kind;
	struct str raw;
	int64_t value;

	if (!odd_time(r, &value, &kind, &raw))
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

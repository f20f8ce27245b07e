/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Heap profiles of V8 (.heapprofile): `head`, a nested call tree with the bytes that each node
 * allocated itself, and `samples`, the sampled allocations, in any order. documents.c walks the
 * file, cpu_head.c reads the tree; heap_order.c makes samples of a lane of both.
 *
 * A profile that is cut off is kept if its tree is complete. */
#include "config.h"

#include "read/cpu/heap_order.h"

#include "base/json/json_read.h"
#include "read/documents.h"

#include <stddef.h>
#include <stdlib.h>

struct heap_reader {
	struct cpu_reader cpu;
	struct heap_sample *samples;
	size_t n_samples, cap_samples;
};

/* ---- members ---- */

static bool read_head(void *ctx)
{
	struct heap_reader *h = ctx;
	struct cpu_reader *r = &h->cpu;

	if (scan_peek(r->s) != '{')
		return scan_skip(r->s);
	cpu_builder_clear_nodes(r->b);
	cpu_frames_reset(r);
	r->n_sizes = 0;
	r->is_complete = false;
	r->has_nodes = true;
	r->is_complete = cpu_head_read(r);
	return r->is_complete;
}

static bool read_sample_member(struct heap_reader *h, struct str key, struct heap_sample *sample)
{
	struct scan *s = h->cpu.s;
	struct json_read_number number;
	int64_t offset;

	if (str_is(key, "nodeId"))
		return cpu_nodes_id(&h->cpu, &sample->slot);
	if (str_is(key, "ordinal")) {
		if (!json_read_number(s, 0, INT64_MAX, &number))
			return false;
		sample->ordinal = number.value;
		return true;
	}
	if (!str_is(key, "size"))
		return scan_skip(s);
	offset = scan_offset(s);
	if (!json_read_number(s, 0, PROFILE_TIME_MAX, &number))
		return false;
	if (!number.is_usable || number.value < 0)
		builder_warn(h->cpu.b, WARN_ODD_WEIGHT, offset);
	sample->size = number.value > 0 ? number.value : 0;
	return true;
}

static bool read_sample(void *ctx)
{
	struct heap_reader *h = ctx;
	struct scan *s = h->cpu.s;
	struct heap_sample sample = { .slot = SLOT_NONE };
	bool is_first = true;
	struct str key;

	if (scan_peek(s) != '{') {
		if (!scan_skip(s))
			return false;
	} else if (scan_open(s, '{')) {
		while (scan_key(s, &is_first, &key))
			if (!read_sample_member(h, key, &sample))
				return false;
	}
	if (s->err->kind != ERR_NONE)
		return false;
	h->samples = xgrow(h->samples, &h->cap_samples, h->n_samples + 1, sizeof *h->samples);
	h->samples[h->n_samples++] = sample;
	return true;
}

static bool read_identity(void *ctx)
{
	struct heap_reader *h = ctx;

	return cpu_reader_identity(&h->cpu);
}

static const struct document_member members[] = {
	{ "head", .read = read_head },
	{ "samples", .element = read_sample, .n = offsetof(struct heap_reader, n_samples) },
	{ "flametty", .read = read_identity },
	{ .name = NULL },
};

/* ---- a profile ---- */

static bool is_found(void *ctx)
{
	const struct heap_reader *h = ctx;

	return h->cpu.has_nodes;
}

static void begin(void *ctx)
{
	struct heap_reader *h = ctx;
	struct cpu_reader *r = &h->cpu;

	cpu_builder_own_clock(r->b);
	cpu_builder_begin(r->b);
	cpu_frames_reset(r);
	r->has_nodes = r->is_complete = false;
	r->n_children = r->n_ticks = r->n_sizes = 0;
}

static bool is_usable(void *ctx, int64_t *offset)
{
	const struct heap_reader *h = ctx;

	(void)offset;
	return h->cpu.is_complete;
}

static bool finish(void *ctx, int64_t offset)
{
	struct heap_reader *h = ctx;
	struct cpu_reader *r = &h->cpu;

	if (r->n_sizes == 0)
		return error_set(r->err, ERR_FORMAT, offset, "the heap profile has no nodes");
	cpu_frames_done(r);
	/* The root ended last. */
	heap_order_pass(r, r->sizes[r->n_sizes - 1].slot, h->samples, h->n_samples);
	if (cpu_builder_end(r->b, r->hints->pid, r->hints->tid, r->err))
		return true;
	if (r->err->offset < 0)
		r->err->offset = offset;
	return false;
}

static void drop(void *ctx)
{
	struct heap_reader *h = ctx;

	cpu_builder_drop(h->cpu.b);
}

static int heapprofile_sniff(const struct outline *outline)
{
	if (outline_has(outline, "traceEvents", '[') || outline_has_list(outline, "nodes", "{"))
		return 0;
	return outline_has(outline, "head.selfSize", 0) || outline_has(outline, "head.callFrame", 0)
		? 85
		: 0;
}

static bool heapprofile_read(struct scan *s, struct builder *b, const struct file_hints *hints,
			     struct error *err)
{
	struct heap_reader h = {
		.cpu = { .s = s, .b = b, .err = err, .hints = hints, .is_heap = true }
	};
	const struct documents documents = { .s = s,
					     .b = b,
					     .err = &h.cpu.err,
					     .ctx = &h,
					     .noun = "heap profile",
					     .members = members,
					     .is_found = is_found,
					     .begin = begin,
					     .is_usable = is_usable,
					     .finish = finish,
					     .drop = drop };
	bool ok;

	/* Allocations are put in order when all are known. */
	builder_no_subset(b);
	cpu_reader_init(&h.cpu);
	ok = documents_read(&documents);
	cpu_reader_done(&h.cpu);
	free(h.samples);
	return ok;
}

const struct reader reader_heapprofile = {
	"heapprofile",
	"V8 heap profile (.heapprofile of Node.js --heap-prof, DevTools): bytes by call",
	heapprofile_sniff,
	heapprofile_read,
	NULL,
	NULL,
};

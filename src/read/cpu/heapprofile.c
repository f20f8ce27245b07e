/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Heap profiles of V8 (.heapprofile): `head`, a nested call tree with the bytes that each node
 * allocated itself, and `samples`, the sampled allocations, in any order. documents.c walks the
 * file, cpuprofile.c reads the tree; "heap order" below makes samples of a lane of both.
 *
 * A profile that is cut off is kept if its tree is complete. */
#include "config.h"

#include "base/json/json_read.h"
#include "base/sort.h"
#include "read/cpu/cpuprofile.h"
#include "read/documents.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>

/* ==== heap order ====
 *
 * A heap profile tells the size of each node twice: as selfSize, and as the sizes of its samples.
 * V8 scales both up from what it sampled, and rounds each number, so their sums differ a little.
 * selfSize counts. The samples of a node share it in proportion to their sizes:
 *
 * 1. The parts of a node's samples add up to its selfSize exactly: the k-th one gets what the first
 *    k get together, rounded down, without what the others before it have.
 * 2. A node without samples has its size at the end of the order.
 * 3. If no node has a size, those of the samples count. */

/* A sampled allocation: an element of `samples`. */
struct heap_sample {
	uint32_t slot;   /* of its node; SLOT_NONE: it names none */
	int64_t size;    /* bytes; not below 0 */
	int64_t ordinal; /* what the order is by */
};

/* A node with its size. */
struct sized {
	uint32_t slot, node;
	int64_t size;    /* selfSize */
	int64_t sampled; /* sum of its samples, */
	int64_t passed;  /* of those so far, */
	int64_t given;   /* and what these got of `size` */
};

struct order {
	struct cpu_reader *r;
	struct sized *nodes; /* by slot */
	size_t n;
	uint32_t root, own; /* slots: the root's size goes to `own` */
	int64_t t;          /* end of what was passed */
};

static int64_t add_clamped(int64_t a, int64_t b)
{
	return a > PROFILE_TIME_MAX - b ? PROFILE_TIME_MAX : a + b;
}

SORT_BEFORE(by_slot, struct sized, x->slot < y->slot)

SORT_BEFORE(by_ordinal, struct heap_sample, x->ordinal < y->ordinal)

/* The nodes by slot, each slot once. Sizes are clamped so that their sum fits. */
static void collect_nodes(struct order *o)
{
	const struct cpu_reader *r = o->r;
	int64_t all = 0;
	size_t n = 0;

	o->nodes = xcalloc(r->n_sizes + 1, sizeof *o->nodes);
	for (size_t i = 0; i < r->n_sizes; i++) {
		int64_t size = r->sizes[i].size, room = PROFILE_TIME_MAX - all;

		if (size > room) {
			builder_warn(r->b, WARN_TIME_RANGE, -1);
			size = room;
		}
		all += size;
		o->nodes[i] = (struct sized){ .slot = r->sizes[i].slot,
					      .node = r->sizes[i].node,
					      .size = size };
	}
	sort_stable(o->nodes, r->n_sizes, sizeof *o->nodes, by_slot, NULL);
	for (size_t i = 0; i < r->n_sizes; i++) {
		if (n && o->nodes[n - 1].slot == o->nodes[i].slot)
			o->nodes[n - 1].size += o->nodes[i].size;
		else
			o->nodes[n++] = o->nodes[i];
	}
	o->n = n;
}

static struct sized *find(const struct order *o, uint32_t slot)
{
	size_t from = 0;

	SORT_BISECT(from, o->n, mid, o->nodes[mid].slot < slot);
	return from < o->n && o->nodes[from].slot == slot ? &o->nodes[from] : NULL;
}

/* Sum the samples of each node, by rule 3 instead of sizes. Returns whether any sample has bytes of
 * a node that exists. */
static bool sum_samples(struct order *o, const struct heap_sample *samples, size_t n)
{
	bool has_size = false, has_sample = false;
	uint64_t n_unknown = 0;
	int64_t all = 0;

	for (size_t i = 0; i < n; i++) {
		struct sized *node = find(o, samples[i].slot);

		if (!node) {
			n_unknown++;
			continue;
		}
		has_sample |= samples[i].size > 0;
		node->sampled = add_clamped(node->sampled, samples[i].size);
	}
	for (size_t i = 0; i < o->n; i++)
		has_size |= o->nodes[i].size > 0;
	for (size_t i = 0; i < o->n && !has_size; i++) {
		int64_t room = PROFILE_TIME_MAX - all;

		o->nodes[i].size = o->nodes[i].sampled < room ? o->nodes[i].sampled : room;
		all += o->nodes[i].size;
	}
	if (n_unknown)
		builder_input_note(o->r->b, false,
				   "%" PRIu64 " samples of nodes that are not in the tree, whose "
				   "sizes count: not in the allocation order",
				   n_unknown);
	return has_sample;
}

static void pass(struct order *o, uint32_t slot, int64_t size)
{
	struct builder *b = o->r->b;
	uint32_t at = slot == o->root ? o->own : slot;

	if (size <= 0)
		return;
	cpu_builder_samples(b, &at, 1);
	cpu_builder_timestamps(b, &o->t, 1);
	o->t += size;
}

/* What the first samples of a node get, which have `passed` of `sampled`. */
static int64_t part_of(const struct sized *node)
{
	double part;

	if (node->passed >= node->sampled)
		return node->size;
	part = (double)node->size * ((double)node->passed / (double)node->sampled);
	if (part >= (double)node->size)
		return node->size;
	return (int64_t)part > node->given ? (int64_t)part : node->given;
}

/* The root has no time of its own in a lane: what it has gets a node below it, unless it is a
 * function. */
static void add_own(struct order *o)
{
	static const char id[] = "own size of the root";
	struct builder *b = o->r->b;
	struct sized *root = find(o, o->root);
	uint32_t frame;

	o->own = o->root;
	if (!root || root->size <= 0 || cpu_builder_is_function(b, root->node))
		return;
	frame = cpu_builder_named(b, "(unknown)", 9);
	o->own = cpu_builder_slot_text(b, id, sizeof id - 1);
	root->node = cpu_builder_node(b, o->own, frame, -1);
	cpu_builder_parent(b, root->node, o->root);
}

/* Pass the sizes of nodes (r->sizes) to the builder: as samples in the order of the allocations, or
 * as sums of nodes if there are no samples. `root` is the slot of the root, which has no size of
 * its own: another node gets it. `samples` are sorted. */
static void heap_order_pass(struct cpu_reader *r, uint32_t root, struct heap_sample *samples,
			    size_t n)
{
	struct cpu_value value = { .type = "space",
				   .type_len = 5,
				   .unit = "bytes",
				   .unit_len = 5,
				   .unit_ns = 1 };
	struct order o = { .r = r, .root = root };
	bool has_order;

	collect_nodes(&o);
	has_order = sum_samples(&o, samples, n);
	add_own(&o);
	value.is_sums = !has_order;
	cpu_builder_value(r->b, &value);
	if (!has_order) {
		for (size_t i = 0; i < o.n; i++)
			cpu_builder_sum(r->b, o.nodes[i].node, o.nodes[i].size);
	} else {
		int64_t before;

		cpu_builder_form(r->b, CPU_AS_RECORDED);
		sort_stable(samples, n, sizeof *samples, by_ordinal, NULL);
		for (size_t i = 0; i < n; i++) {
			struct sized *node = find(&o, samples[i].slot);
			int64_t part;

			if (!node)
				continue;
			node->passed = add_clamped(node->passed, samples[i].size);
			part = part_of(node);
			pass(&o, node->slot, part - node->given);
			node->given = part;
		}
		/* Pass what no sample has. */
		before = o.t;
		for (size_t i = 0; i < o.n; i++)
			pass(&o, o.nodes[i].slot, o.nodes[i].size - o.nodes[i].given);
		if (o.t > before)
			builder_input_note(o.r->b, false,
					   "%" PRId64
					   " bytes of nodes without samples: at the end of the "
					   "allocation order",
					   o.t - before);
		if (o.t > 0)
			cpu_builder_timestamps(r->b, &o.t, 1);
	}
	free(o.nodes);
}

/* ==== heapprofile ==== */

struct heap_reader {
	struct cpu_reader cpu; /* first: cpu_reader_identity() */
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
	cpu_builder_clear(r->b, CPU_NODES);
	cpu_frames_done(r);
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
	*ARRAY_ADD(h->samples, h->n_samples, h->cap_samples) = sample;
	return true;
}

static const struct document_member members[] = {
	{ "head", .read = read_head },
	{ "samples", .element = read_sample, .n = offsetof(struct heap_reader, n_samples) },
	{ "flametty", .read = cpu_reader_identity },
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

	cpu_builder_clock(r->b, CPU_CLOCK_OWN);
	cpu_builder_begin(r->b);
	cpu_frames_done(r);
	r->has_nodes = r->is_complete = false;
	r->n_children = r->n_ticks = r->n_sizes = 0;
}

static bool is_usable(void *ctx)
{
	const struct heap_reader *h = ctx;

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
	return outline_has_any(outline, "head.selfSize head.callFrame") ? 85 : 0;
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
	.name = "heapprofile",
	.help = "V8 heap profile (.heapprofile of Node.js --heap-prof, DevTools): bytes by call",
	.members = "head.selfSize head.callFrame",
	.sniff = heapprofile_sniff,
	.read = heapprofile_read,
};

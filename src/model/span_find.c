/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One look into `owner` tells whether a sample is in a wanted span. `owner` is filled in preorder:
 * a parent comes before its children, so each node copies from its parent. `shared` tells which
 * samples belong to one span. */
#include "config.h"

#include "model/span_find.h"

#include "base/alloc.h"
#include "model/blocks.h"

static void spread(struct span_find *seek)
{
	const struct calltree *tree = &seek->lane->tree;

	for (node_id i = 1; i < tree->n; i++)
		if (seek->owner[tree->parent[i]] != NODE_ROOT)
			seek->owner[i] = seek->owner[tree->parent[i]];
}

/* Returns false when there is no memory for `owner`: the seek is then about nothing. */
static bool init(struct span_find *seek, const struct lane *lane)
{
	size_t n = lane->tree.n;

	*seek = (struct span_find){ 0 };
	if (!reserve_has_room(n * sizeof *seek->owner))
		return false;
	seek->lane = lane;
	seek->owner = xcalloc(n, sizeof *seek->owner);
	return true;
}

void span_find_init_frame(struct span_find *seek, const struct lane *lane, frame_id frame)
{
	if (!init(seek, lane))
		return;
	for (node_id i = 1; i < lane->tree.n; i++)
		if (lane->tree.frame[i] == frame)
			seek->owner[i] = i;
	spread(seek);
}

void span_find_init_nodes(struct span_find *seek, const struct lane *lane, const node_id *nodes,
			  uint32_t n)
{
	if (!init(seek, lane))
		return;
	for (uint32_t i = 0; i < n; i++)
		seek->owner[nodes[i]] = nodes[i];
	spread(seek);
}

void span_find_init_set(struct span_find *seek, const struct lane *lane, const uint8_t *is_wanted)
{
	if (!init(seek, lane))
		return;
	for (node_id i = 1; i < lane->tree.n; i++)
		if (is_wanted[i])
			seek->owner[i] = i;
	spread(seek);
}

bool span_find_at(const struct span_find *seek, size_t i, struct span *out)
{
	const struct lane *lane = seek->lane;
	node_id owner;

	if (!lane || i >= lane->samples.n)
		return false;
	owner = seek->owner[samples_leaf(&lane->samples, i)];
	return owner != NODE_ROOT &&
		span_of_sample(&lane->samples, &lane->tree, i, lane->tree.rows[owner] - 1, out);
}

bool span_find_next(const struct span_find *seek, size_t from, struct span *out)
{
	const struct samples *s;

	if (!seek->lane)
		return false;
	s = &seek->lane->samples;
	for (size_t i = from; i < s->n; i++)
		if (seek->owner[samples_leaf(s, i)] != NODE_ROOT)
			return span_find_at(seek, i, out);
	return false;
}

bool span_find_before(const struct span_find *seek, size_t before, struct span *out)
{
	const struct samples *s;

	if (!seek->lane)
		return false;
	s = &seek->lane->samples;
	for (size_t i = before < s->n ? before : s->n; i-- > 0;)
		if (seek->owner[samples_leaf(s, i)] != NODE_ROOT)
			return span_find_at(seek, i, out);
	return false;
}

#define NEAR 8 /* samples that are looked at one by one: most runs are short */

/* The last sample of the run that begins at i and has `rows` rows in common. */
static size_t run_last(const struct samples *s, size_t i, size_t end, unsigned rows)
{
	size_t stop = s->folded ? i : i + NEAR; /* samples_run_end() does so, too */

	for (; i < stop; i++)
		if (i + 1 >= end || samples_shared(s, i) < rows)
			return i;
	i = samples_run_end(s, i, rows);
	return i < end ? i : end - 1;
}

static int64_t part_inside(const struct samples *s, size_t first, size_t last, int64_t t0,
			   int64_t t1)
{
	int64_t a = samples_time(s, first) > t0 ? samples_time(s, first) : t0,
		b = samples_time(s, last + 1) < t1 ? samples_time(s, last + 1) : t1;

	return b > a ? b - a : 0;
}

/* The part of the time of samples [first, last] in [t0, t1) that has one of the nodes as its leaf.
 */
static int64_t leaf_part(const struct samples *s, const uint8_t *is_leaf, size_t first, size_t last,
			 int64_t t0, int64_t t1)
{
	int64_t ns = 0;

	for (size_t i = first; i <= last; i++)
		if (is_leaf[samples_leaf(s, i)])
			ns += part_inside(s, i, i, t0, t1);
	return ns;
}

/* The outermost wanted node of sample i, which has none in the rows that it shares with the sample
 * before; first: there is none before it. */
static node_id owner_of(const struct span_find *seek, size_t i, size_t first)
{
	const struct calltree *tree = &seek->lane->tree;
	const struct samples *s = &seek->lane->samples;
	node_id leaf = samples_leaf(s, i), owner = NODE_ROOT;
	unsigned shared;

	if (seek->owner)
		return seek->owner[leaf];
	shared = i > first ? samples_shared(s, i - 1) : 0;
	for (node_id node = leaf; tree->rows[node] > shared; node = tree->parent[node])
		if (seek->is_wanted ? seek->is_wanted[node] : tree->frame[node] == seek->frame)
			owner = node;
	return owner;
}

bool span_find_heaviest(const struct span_find *seek, const uint8_t *is_leaf, int64_t t0,
			int64_t t1, struct span *out)
{
	const struct samples *s;
	size_t first, end, best = SIZE_MAX;
	int64_t longest = -1, most = -1;
	unsigned rows = 0;

	if (!seek->lane)
		return false;
	s = &seek->lane->samples;
	samples_range(s, t0, t1, &first, &end);
	for (size_t i = first; i < end; i++) {
		/* A run ends where less than the rows of its owner are shared. */
		node_id owner = owner_of(seek, i, first);
		int64_t ns, length;
		size_t last;

		if (owner == NODE_ROOT)
			continue;
		last = run_last(s, i, end, seek->lane->tree.rows[owner]);
		ns = is_leaf ? leaf_part(s, is_leaf, i, last, t0, t1) : 0;
		length = part_inside(s, i, last, t0, t1);
		if (ns > most || (ns == most && length > longest)) {
			most = ns;
			longest = length;
			best = i;
			rows = seek->lane->tree.rows[owner];
		}
		i = last;
	}
	return best != SIZE_MAX && span_of_sample(s, &seek->lane->tree, best, (int)rows - 1, out);
}

bool span_find_callee(const struct lane *lane, const struct span *span, int64_t t0, int64_t t1,
		      struct span *out)
{
	const struct samples *s = &lane->samples;
	unsigned rows = span ? (unsigned)span->depth + 2 : 1;
	size_t first, end, best = SIZE_MAX;
	int64_t longest = -1;

	samples_range(s, t0, t1, &first, &end);
	if (span && first < span->first)
		first = span->first;
	if (span && end > span->end)
		end = span->end;
	for (size_t i = first; i < end; i++) {
		int64_t length;
		size_t last;

		if (lane->tree.rows[samples_leaf(s, i)] < rows)
			continue;
		last = run_last(s, i, end, rows);
		length = part_inside(s, i, last, t0, t1);
		if (length > longest) {
			longest = length;
			best = i;
		}
		i = last;
	}
	return best != SIZE_MAX && span_of_sample(s, &lane->tree, best, (int)rows - 1, out);
}

/* ---- self time ---- */

struct own {
	node_id node;
	int64_t ns;
};

static void add_own(void *ctx, node_id leaf, int64_t ns)
{
	struct own *own = ctx;

	if (leaf == own->node)
		own->ns += ns;
}

BLOCKS_MANY(add_owns, add_own)

/* What is covered; what is over begins where the span ends. */
static void add_own_time(void *ctx, node_id node, int64_t self_ns, int64_t total_ns)
{
	if (total_ns == 0)
		add_own(ctx, node, self_ns);
}

int64_t span_find_self_ns(const struct lane *lane, const struct span *span)
{
	struct own own = { span->node, 0 };
	const struct blocks_visitor visitor = { &own, add_owns, add_own, NULL };

	blocks_each(&lane->samples, span->t0, span->t1, &visitor);
	slice_time_each(lane->slice_time, span->t0, span->t1, add_own_time, &own);
	return own.ns + slice_time_self_over(lane->slice_time, span->node, span->t1);
}

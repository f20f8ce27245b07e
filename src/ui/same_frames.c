/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions are looked for among the names of the same way as those that were taken. Where the
 * profile shows its other way, what was found there is marked here by other_names_find(). */
#include "config.h"

#include "ui/same_frames.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/sort.h"
#include "model/profile.h"
#include "model/span_find.h"

#include <stdlib.h>
#include <string.h>

/* ==== same frames ==== */

uint64_t same_frames_hash(const struct profile *p, const struct frame *f, bool has_place)
{
	str_id place = f->url ? f->url : f->script;
	const uint64_t parts[] = {
		hash_bytes(intern_text(&p->strings, f->name), intern_len(&p->strings, f->name)),
		hash_bytes(intern_text(&p->strings, place), intern_len(&p->strings, place)),
		has_place ? (uint64_t)(uint32_t)f->line << 32 | (uint32_t)f->column : 0,
		hash_bytes(intern_text(&p->strings, f->event), intern_len(&p->strings, f->event))
	};

	return hash_bytes(parts, sizeof(parts));
}

static uint64_t identity(const struct profile *p, const struct frame *f)
{
	return same_frames_hash(p, f, true);
}

static uint64_t id_of(const struct profile *profile, frame_id frame, bool has_place)
{
	return same_frames_hash(profile, profile_frame(profile, frame), has_place);
}

SORT_BEFORE(id_before, uint64_t, *x < *y)

void same_frames_take(const struct profile *profile, const uint8_t *is, struct same_frames *same)
{
	uint32_t n = 0;

	for (frame_id i = 1; i < profile->frames.n; i++)
		n += is[i] != 0;
	*same = (struct same_frames){ xmalloc(((size_t)n + 1) * sizeof(*same->ids)), 0,
				      other_names_shows_source(profile) };
	for (frame_id i = 1; i < profile->frames.n; i++)
		if (is[i])
			same->ids[same->n++] = identity(profile, &profile->frames.frames[i]);
	sort_stable(same->ids, same->n, sizeof(*same->ids), id_before, NULL);
}

void same_frames_list(const struct profile *profile, const frame_id *list, uint32_t n,
		      struct same_frames *same)
{
	*same = (struct same_frames){ xmalloc(((size_t)n + 1) * sizeof(*same->ids)), n,
				      other_names_shows_source(profile) };
	for (uint32_t i = 0; i < n; i++)
		same->ids[i] = identity(profile, profile_frame(profile, list[i]));
}

/* The first of n elements, which begin with an id and are in the order of it, that is not before
 * `id`. */
static uint32_t first_of(const void *list, uint32_t n, size_t size, uint64_t id)
{
	size_t low = 0;

	SORT_BISECT(low, n, mid, id_before((const char *)list + mid * size, &id, NULL));
	return (uint32_t)low;
}

uint32_t same_frames_find(const struct profile *profile, const struct same_frames *same,
			  uint8_t *is)
{
	ALLOC_LOCAL uint64_t *ids = xmalloc(((size_t)same->n + 1) * sizeof(*ids));
	bool is_other = profile->other && other_names_shows_source(profile) != same->is_source;
	const struct frame_table *table = is_other ? &profile->other->frames : &profile->frames;
	uint8_t *found = is_other ? xcalloc(table->n, 1) : is;
	uint32_t n = same->n, n_found = 0;

	if (n)
		memcpy(ids, same->ids, n * sizeof(*ids));
	sort_stable(ids, n, sizeof(*ids), id_before, NULL);
	for (frame_id i = 1; n && i < table->n; i++) {
		uint64_t id = identity(profile, &table->frames[i]);
		uint32_t at = first_of(ids, n, sizeof *ids, id);

		found[i] = at < n && ids[at] == id;
	}
	if (is_other) {
		other_names_find(profile, found, is);
		free(found);
	}
	for (frame_id i = 1; i < profile->frames.n; i++)
		n_found += is[i];
	return n_found;
}

frame_id same_frames_first(const struct profile *profile, const struct same_frames *same)
{
	ALLOC_LOCAL uint8_t *is = xcalloc(profile->frames.n, 1);
	frame_id id = 1;

	same_frames_find(profile, same, is);
	while (id < profile->frames.n && !is[id])
		id++;
	return id < profile->frames.n ? id : FRAME_NONE;
}

/* ---- one by one ---- */

/* A function of a list and its place there. */
struct listed_frame {
	uint64_t id; /* first: see first_of() */
	uint32_t at;
};

/* Set the functions of the list that are `id` to `frame`, or to none if they are set already. */
static void set_places(const struct listed_frame *places, uint32_t n, uint64_t id, frame_id frame,
		       frame_id *found, uint8_t *is_several)
{
	for (uint32_t i = first_of(places, n, sizeof *places, id); i < n && places[i].id == id;
	     i++) {
		uint32_t at = places[i].at;

		is_several[at] |= found[at] != FRAME_NONE && found[at] != frame;
		found[at] = is_several[at] ? FRAME_NONE : frame;
	}
}

bool same_frames_each(const struct profile *profile, const struct same_frames *same,
		      frame_id *found)
{
	const struct other_names *other = profile->other;
	bool is_other = other && other_names_shows_source(profile) != same->is_source;
	ALLOC_LOCAL struct listed_frame *places = xmalloc(((size_t)same->n + 1) * sizeof(*places));
	ALLOC_LOCAL uint8_t *is_several = xcalloc((size_t)same->n + 1, 1);
	uint32_t n = is_other ? other->n_scripts : profile->frames.n;
	bool has_all = true;

	for (uint32_t i = 0; i < same->n; i++) {
		places[i] = (struct listed_frame){ same->ids[i], i };
		found[i] = FRAME_NONE;
	}
	sort_stable(places, same->n, sizeof(*places), id_before, NULL);
	/* By the other way, the pairs of a function of a script and its source. */
	for (frame_id i = 1; i < n; i++) {
		frame_id here = !is_other || other->is_source ? i : other->source_of[i];
		const struct frame *f = !is_other ? &profile->frames.frames[i]
			: other->is_source        ? &other->frames.frames[other->source_of[i]]
						  : &other->frames.frames[i];

		set_places(places, same->n, identity(profile, f), here, found, is_several);
	}
	for (uint32_t i = 0; i < same->n; i++)
		has_all &= found[i] != FRAME_NONE;
	return has_all;
}

/* ==== same stack ====
 *
 * A call as a value that refers to no profile: it is known by its stack, and found again in another
 * profile, also where code was changed between the two recordings. */

void same_stack_take(const struct profile *profile, const struct calltree *tree, node_id node,
		     struct same_stack *stack)
{
	uint32_t n = tree->rows[node];

	*stack = (struct same_stack){ xmalloc(((size_t)n + 1) * sizeof *stack->ids),
				      xmalloc(((size_t)n + 1) * sizeof *stack->names), n };
	for (; n > 0; node = tree->parent[node]) {
		n--;
		stack->ids[n] = id_of(profile, tree->frame[node], true);
		stack->names[n] = id_of(profile, tree->frame[node], false);
	}
}

bool same_stack_is(const struct same_stack *stack, const struct profile *profile,
		   const struct calltree *tree, node_id node)
{
	uint32_t n = tree->rows[node];

	if (n != stack->n)
		return false;
	for (; n > 0; node = tree->parent[node])
		if (id_of(profile, tree->frame[node], true) != stack->ids[--n])
			return false;
	return true;
}

/* The callee of `node` that is function i of the stack; NODE_ROOT: there is none. */
static node_id find_callee(const struct same_stack *stack, uint32_t i,
			   const struct profile *profile, const struct calltree *tree, node_id node)
{
	node_id moved = NODE_ROOT;

	for (node_id c = node + 1; c < tree->end[node]; c = tree->end[c]) {
		if (id_of(profile, tree->frame[c], true) == stack->ids[i])
			return c;
		if (moved == NODE_ROOT && id_of(profile, tree->frame[c], false) == stack->names[i])
			moved = c;
	}
	return moved;
}

node_id same_stack_find(const struct same_stack *stack, const struct profile *profile,
			const struct calltree *tree)
{
	node_id node = NODE_ROOT;

	for (uint32_t i = 0; i < stack->n && tree->n; i++) {
		node_id callee = find_callee(stack, i, profile, tree, node);

		if (callee == NODE_ROOT)
			break;
		node = callee;
	}
	return node;
}

/* The distance of a time from a span. */
static int64_t distance(const struct span *span, int64_t t)
{
	return t < span->t0 ? span->t0 - t : t >= span->t1 ? t - span->t1 + 1 : 0;
}

bool same_stack_span(const struct lane *lane, node_id node, int64_t t, struct span *span)
{
	const struct samples *samples = &lane->samples;
	struct span_find seek;
	struct span before;
	bool is_next, is_before;
	size_t i;

	if (!samples->n || node == NODE_ROOT)
		return false;
	i = t < samples_time(samples, 0)                ? 0
		: t < samples_time(samples, samples->n) ? samples_find(samples, t)
							: samples->n - 1;
	span_find_init_nodes(&seek, lane, &node, 1);
	if (!seek.lane)
		return false;
	is_next = span_find_next(&seek, i, span);
	is_before = span_find_before(&seek, i, &before);
	if (is_before && (!is_next || distance(&before, t) < distance(span, t)))
		*span = before;
	span_find_done(&seek);
	return is_next || is_before;
}

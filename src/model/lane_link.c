/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes what follows from the tree, leaves and times of a lane of samples. Samples are processed
 * in chunks, which two threads take in turn; one of them makes the blocks first. A chunk depends on
 * earlier samples only by the number of rows that are open where it begins, and it finds that out
 * itself. */
#include "config.h"

#include "model/lane.h"

#include "base/alloc.h"
#include "base/parallel.h"
#include "model/blocks.h"

#include <stdatomic.h>
#include <stdlib.h>

#define CHUNK 65536u
#define MANY_SAMPLES 200000u /* from here on, a second thread pays */

enum kind { KIND_BUSY, KIND_IDLE, KIND_PROGRAM, KIND_GC, KIND_ROOT, KIND_COUNT };

/* The results of one thread. */
struct found {
	int64_t ns[KIND_COUNT];
	uint64_t n_spans;
	unsigned max_depth;
};

struct link {
	struct lane *lane;
	const uint8_t *kind; /* by node */
	bool has_time;
	uint16_t *high; /* samples.high[0]; each group is inside one chunk */
	struct found found[2];
	atomic_uint n_found;
	atomic_size_t next; /* the sample that the next chunk begins with */
	atomic_flag has_blocks;
};

static uint8_t *kinds_of(const struct calltree *tree, const struct frame *frames)
{
	uint8_t *kind = xmalloc(tree->n);

	kind[NODE_ROOT] = KIND_ROOT;
	for (node_id i = 1; i < tree->n; i++) {
		enum category c = frames[tree->frame[i]].category;

		kind[i] = c == CATEGORY_IDLE    ? KIND_IDLE
			: c == CATEGORY_PROGRAM ? KIND_PROGRAM
			: c == CATEGORY_GC      ? KIND_GC
						: KIND_BUSY;
	}
	return kind;
}

/* Rows that samples i and i + 1 share. */
static unsigned shared_rows(const struct lane *lane, size_t i)
{
	const struct samples *s = &lane->samples;

	if (i + 1 == s->n)
		return 0;
	return lane->tree.rows[s->leaf[i + 1] == s->leaf[i]
				       ? s->leaf[i]
				       : calltree_common(&lane->tree, s->leaf[i], s->leaf[i + 1])];
}

/* Rows that stay open from the last sample with time before sample i. */
static unsigned kept_before(const struct link *link, size_t i)
{
	const struct samples *s = &link->lane->samples;
	unsigned kept = UINT16_MAX;

	while (i > 0) {
		unsigned shared = shared_rows(link->lane, --i);

		kept = shared < kept ? shared : kept;
		if (kept == 0 || s->t[i + 1] > s->t[i] || !link->has_time)
			return kept;
	}
	return 0;
}

/* Compare neighbours: shared rows, spans, time by kind. */
static void link_chunk(const struct link *link, size_t i, size_t end, struct found *found)
{
	struct samples *s = &link->lane->samples;
	const uint16_t *rows = link->lane->tree.rows;
	unsigned kept = kept_before(link, i);

	for (; i < end; i++) {
		node_id leaf = s->leaf[i];
		int64_t ns = s->t[i + 1] - s->t[i];
		unsigned shared = shared_rows(link->lane, i);

		/* A span counts at its first sample that has time; these are the rows that did not
		 * stay open. */
		if (ns > 0 || !link->has_time) {
			found->n_spans += rows[leaf] - kept;
			kept = UINT16_MAX;
		}
		s->shared[i] = (uint16_t)shared;
		if (rows[leaf] > link->high[i / SAMPLES_GROUP])
			link->high[i / SAMPLES_GROUP] = rows[leaf];
		kept = shared < kept ? shared : kept;
		found->max_depth = rows[leaf] > found->max_depth ? rows[leaf] : found->max_depth;
		found->ns[link->kind[leaf]] += ns;
	}
}

static void work(void *ctx)
{
	struct link *link = ctx;
	struct samples *s = &link->lane->samples;
	struct found found = { 0 };
	size_t from;

	if (!atomic_flag_test_and_set(&link->has_blocks))
		s->blocks = blocks_build(s, link->lane->tree.n);
	while ((from = atomic_fetch_add(&link->next, CHUNK)) < s->n)
		link_chunk(link, from, s->n - from > CHUNK ? from + CHUNK : s->n, &found);
	link->found[atomic_fetch_add(&link->n_found, 1)] = found;
}

void lane_link(struct lane *lane, const struct frame *frames)
{
	struct samples *s = &lane->samples;
	uint8_t *kind = kinds_of(&lane->tree, frames);
	struct link link = { .lane = lane,
			     .kind = kind,
			     .has_time = s->n && s->t[s->n] > s->t[0],
			     .has_blocks = ATOMIC_FLAG_INIT };
	int64_t root_ns = 0;

	s->shared = xmalloc(s->n * sizeof *s->shared);
	link.high = xcalloc(s->n / SAMPLES_GROUP + 1, sizeof *link.high);
	if (s->n >= MANY_SAMPLES)
		parallel_run(work, &link);
	else
		work(&link);
	for (unsigned i = 0; i < link.n_found; i++) {
		const struct found *found = &link.found[i];

		lane->n_spans += found->n_spans;
		lane->max_depth = (int)found->max_depth > lane->max_depth ? (int)found->max_depth
									  : lane->max_depth;
		lane->busy_ns += found->ns[KIND_BUSY];
		lane->idle_ns += found->ns[KIND_IDLE];
		lane->program_ns += found->ns[KIND_PROGRAM];
		lane->gc_ns += found->ns[KIND_GC];
		root_ns += found->ns[KIND_ROOT];
	}
	lane->unsampled_ns = lane->t1 - lane->t0 - (s->t[s->n] - s->t[0]) + root_ns;
	samples_index(s, &lane->tree, link.high);
	free(kind);
}

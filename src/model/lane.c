/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is computed from the arrays of a lane once they are complete, so that pictures need not walk
 * over them. */
#include "config.h"

#include "model/lane.h"

#include "base/alloc.h"
#include "base/progress.h"
#include "base/sort.h"
#include "base/thread.h"
#include "model/blocks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* ==== series ====
 *
 * A series of a counter. high[k] is a pyramid of maxima: the maximum over a range looks at whole
 * groups where they fit. */

#define FAN 64

void series_index(struct series *s)
{
	const double *below = s->value;
	size_t n = s->n;

	s->least = s->most = 0;
	for (size_t i = 0; i < n; i++) {
		s->least = s->value[i] < s->least ? s->value[i] : s->least;
		s->most = s->value[i] > s->most ? s->value[i] : s->most;
	}
	while (n > FAN) {
		size_t m = (n + FAN - 1) / FAN;
		double *high = xmalloc(m * sizeof *high);

		for (size_t j = 0; j < m; j++) {
			high[j] = below[j * FAN];
			for (size_t i = j * FAN + 1; i < n && i < (j + 1) * FAN; i++)
				high[j] = below[i] > high[j] ? below[i] : high[j];
		}
		s->high = xrealloc(s->high, (size_t)s->n_high + 1, sizeof *s->high);
		s->high[s->n_high++] = high;
		below = high;
		n = m;
	}
}

size_t series_find(const struct series *s, int64_t t)
{
	size_t lo = 0;

	SORT_BISECT(lo, s->n, mid, s->t[mid] <= t);
	return lo ? lo - 1 : SIZE_MAX;
}

bool series_most(const struct series *s, int64_t t0, int64_t t1, double *most)
{
	size_t i = series_find(s, t0), end = series_find(s, t1 - 1);
	int k = 0;

	if (end == SIZE_MAX)
		return false;
	if (i == SIZE_MAX)
		i = 0;
	*most = s->value[i];
	/* Up while whole groups fit, down again at the end. */
	for (end++; i < end;) {
		const double *v;
		size_t step = 1;

		for (k = 0; k < s->n_high && i % (step * FAN) == 0 && i + step * FAN <= end; k++)
			step *= FAN;
		v = k ? s->high[k - 1] : s->value;
		*most = v[i / step] > *most ? v[i / step] : *most;
		i += step;
	}
	return true;
}

bool series_measure(const struct series *s, int64_t t0, int64_t t1, struct series_part *out)
{
	size_t first = series_find(s, t0), end = series_find(s, t1 > t0 ? t1 - 1 : t0);

	if (end == SIZE_MAX)
		return false;
	first = first == SIZE_MAX ? 0 : first;
	t0 = s->t[first] > t0 ? s->t[first] : t0;
	*out = (struct series_part){ s->value[first], s->value[first], 0, s->value[first],
				     s->value[end] };
	for (size_t i = first; i <= end; i++) {
		int64_t from = i == first ? t0 : s->t[i], to = i == end ? t1 : s->t[i + 1];

		out->least = s->value[i] < out->least ? s->value[i] : out->least;
		out->most = s->value[i] > out->most ? s->value[i] : out->most;
		out->mean += s->value[i] *
			(t1 > t0 ? (double)(to - from) / (double)(t1 - t0) : i == end);
	}
	return true;
}

/* ==== lane ==== */

void lane_forget_nodes(struct lane *lane)
{
	lane->tree = (struct calltree){ 0 };
	lane->samples = (struct samples){ .n = lane->samples.n, .times = lane->samples.times };
	lane->hits = NULL;
	lane->deopt = NULL;
	lane->cats = NULL;
	lane->ticks = NULL;
	lane->n_ticks = 0;
	lane->recorded = NULL;
	lane->breaks = NULL;
	lane->n_breaks = 0;
	lane->slices = (struct slices){ 0 };
	lane->slice_time = NULL;
	lane->max_depth = lane->n_rows = 0;
}

void lane_done(struct lane *lane)
{
	calltree_done(&lane->tree);
	samples_done(&lane->samples);
	free(lane->labels);
	free(lane->counts);
	free(lane->hits);
	free(lane->breaks);
	free(lane->deopt);
	free(lane->cats);
	free(lane->ticks);
	if (lane->recorded) {
		free(lane->recorded->joined);
		free(lane->recorded->gc);
	}
	free(lane->recorded);
	slices_done(&lane->slices);
	slice_time_free(lane->slice_time);
	for (uint32_t i = 0; i < lane->n_series; i++) {
		struct series *s = &lane->series[i];

		for (int k = 0; k < s->n_high; k++)
			free(s->high[k]);
		free(s->high);
		free(s->t);
		free(s->value);
	}
	free(lane->series);
	*lane = (struct lane){ 0 };
}

/* ==== row minima ====
 *
 * A range of nodes is the end of one block, whole blocks, and the beginning of another block. The
 * minima of whole blocks are a sparse table, whose size is small beside the nodes. */

#define ROW_MINIMA_BLOCK 32u /* nodes */
#define ROW_MINIMA_LEVELS 32

/* Begin with a tree, which has nodes, and whose rows are borrowed; add all blocks [0, n_blocks), in
 * any parts; then end. _done() frees everything, and accepts a zeroed struct. */
struct row_minima {
	const uint16_t *rows;
	size_t n, n_blocks;
	uint16_t *until; /* by node: the fewest rows from the start of its block to the node */
	uint16_t *since; /* the fewest rows from the node to the end of its block */
	/* levels[k][j]: the fewest rows of the 2^k blocks from block j on. */
	uint16_t *levels[ROW_MINIMA_LEVELS];
};

/* The fewest rows of the nodes [first, last], first <= last. */
static inline unsigned row_minima_find(const struct row_minima *m, node_id first, node_id last)
{
	size_t a = first / ROW_MINIMA_BLOCK, b = last / ROW_MINIMA_BLOCK;
	unsigned least = m->rows[last];

	if (a == b) {
		for (size_t i = first; i < last; i++)
			least = m->rows[i] < least ? m->rows[i] : least;
		return least;
	}
	least = m->since[first] < m->until[last] ? m->since[first] : m->until[last];
	if (b - a > 1) {
		/* Two ranges of 2^k blocks, which may overlap, are all blocks in between. */
		int k = 31 - __builtin_clz((unsigned)(b - a - 1));
		const uint16_t *level = m->levels[k];
		unsigned x = level[a + 1], y = level[b - ((size_t)1 << k)];

		x = x < y ? x : y;
		least = x < least ? x : least;
	}
	return least;
}

/* The rows that the stacks of two nodes share. Which one is the first has no branch: it cannot be
 * predicted. */
static inline unsigned row_minima_shared(const struct row_minima *m, node_id a, node_id b)
{
	node_id low = a < b ? a : b, high = a < b ? b : a;
	unsigned differ = a != b;

	return row_minima_find(m, low + differ, high) - differ;
}

static void row_minima_begin(struct row_minima *m, const struct calltree *tree)
{
	size_t n = tree->n;

	*m = (struct row_minima){ .rows = tree->rows,
				  .n = n,
				  .n_blocks = (n + ROW_MINIMA_BLOCK - 1) / ROW_MINIMA_BLOCK };
	m->until = xmalloc(n * sizeof *m->until);
	m->since = xmalloc(n * sizeof *m->since);
	m->levels[0] = xmalloc(m->n_blocks * sizeof *m->levels[0]);
}

static void row_minima_add(struct row_minima *m, size_t from, size_t end)
{
	const uint16_t *rows = m->rows;

	for (size_t block = from; block < end; block++) {
		size_t first = block * ROW_MINIMA_BLOCK, last = first + ROW_MINIMA_BLOCK - 1;
		uint16_t least = UINT16_MAX;

		last = last < m->n ? last : m->n - 1;
		for (size_t i = first; i <= last; i++) {
			least = rows[i] < least ? rows[i] : least;
			m->until[i] = least;
		}
		m->levels[0][block] = least;
		least = UINT16_MAX;
		for (size_t i = last + 1; i-- > first;) {
			least = rows[i] < least ? rows[i] : least;
			m->since[i] = least;
		}
	}
}

static void row_minima_end(struct row_minima *m)
{
	for (int k = 1; (size_t)1 << k <= m->n_blocks; k++) {
		size_t half = (size_t)1 << (k - 1), n = m->n_blocks - 2 * half + 1;
		const uint16_t *below = m->levels[k - 1];
		uint16_t *level = xmalloc(n * sizeof *level);

		for (size_t j = 0; j < n; j++)
			level[j] = below[j] < below[j + half] ? below[j] : below[j + half];
		m->levels[k] = level;
	}
}

static void row_minima_done(struct row_minima *m)
{
	free(m->until);
	free(m->since);
	for (int k = 0; k < ROW_MINIMA_LEVELS; k++)
		free(m->levels[k]);
	*m = (struct row_minima){ 0 };
}

/* ==== lane link ====
 *
 * Computes what follows from the tree, leaves and times of a lane of samples. Samples are processed
 * in chunks, which two threads take in turn; the caller's makes the blocks first. Both threads end
 * with each step of the computation: where steps are counted, the caller's takes chunks as long as
 * the other one is at work. A chunk depends on earlier samples only by the number of rows
 * that are open where it begins, and it finds that out itself. */

#define MINIMA_SAMPLES 1024  /* row_minima is for this many or more, */
#define MINIMA_NODES 16      /* and at most this many nodes each */
#define CHUNK BUDGET_STEP    /* a step of work */
#define MANY_SAMPLES 200000u /* from here on, a second thread pays */
#define LINKED_AT_ONCE 64u   /* steps of lane_link_work() between two reports of progress */

enum kind { KIND_BUSY, KIND_IDLE, KIND_PROGRAM, KIND_GC, KIND_ROOT, KIND_COUNT };

/* The results of one thread. */
struct found {
	int64_t ns[KIND_COUNT];
	uint64_t n_spans;
	unsigned max_depth;
};

struct lane_link {
	struct lane *lane;
	const struct frame *frames;
	struct phases phases;
	uint8_t *kind;             /* by node */
	struct row_minima *minima; /* NULL: they would not pay */
	bool has_time;
	uint16_t *high; /* samples.high[0]; each group is inside one chunk */
	struct blocks_work *blocks;
	bool has_blocks;
	pthread_t caller;   /* its thread makes the blocks */
	atomic_size_t next; /* the sample that the next chunk begins with */
	struct found all;
	/* Of the two threads of one call: */
	atomic_uint n_threads, n_ended;
	struct budget budgets[2];
	struct found found[2];
	bool is_spent[2];
};

static size_t begin_kinds(void *ctx)
{
	struct lane_link *link = ctx;

	link->kind = xmalloc(link->lane->tree.n);
	link->kind[NODE_ROOT] = KIND_ROOT;
	return link->lane->tree.n;
}

static void find_kinds(void *ctx, size_t from, size_t end)
{
	struct lane_link *link = ctx;
	const frame_id *frame = link->lane->tree.frame;
	const struct frame *frames = link->frames;
	uint8_t *kind = link->kind;

	for (size_t i = from ? from : 1; i < end; i++) {
		enum category c = frames[frame[i]].category;

		kind[i] = c == CATEGORY_IDLE    ? KIND_IDLE
			: c == CATEGORY_PROGRAM ? KIND_PROGRAM
			: c == CATEGORY_GC      ? KIND_GC
						: KIND_BUSY;
	}
}

/* Minima cost less than they save unless there are few samples, or many nodes for them. */
bool lane_link_follows(const struct lane *lane)
{
	return lane->samples.n < MINIMA_SAMPLES || lane->samples.n < lane->tree.n / MINIMA_NODES;
}

static size_t begin_minima(void *ctx)
{
	struct lane_link *link = ctx;
	const struct lane *lane = link->lane;

	if (lane_link_follows(lane))
		return 0;
	link->minima = xcalloc(1, sizeof *link->minima);
	row_minima_begin(link->minima, &lane->tree);
	return link->minima->n_blocks;
}

static void add_minima(void *ctx, size_t from, size_t end)
{
	struct row_minima *m = ((struct lane_link *)ctx)->minima;

	row_minima_add(m, from, end);
	if (end == m->n_blocks)
		row_minima_end(m);
}

/* The first break that is not before sample i. */
static size_t find_break(const struct lane *lane, size_t i)
{
	size_t lo = 0;

	SORT_BISECT(lo, lane->n_breaks, mid, lane->breaks[mid].sample < i);
	return lo;
}

/* Rows that samples i and i + 1 share. at: find_break() of i. */
static inline unsigned shared_rows(const struct lane_link *link, size_t i, size_t at)
{
	const struct lane *lane = link->lane;
	const struct samples *s = &lane->samples;
	unsigned most, rows;

	if (i + 1 == s->n)
		return 0;
	if (link->minima)
		most = row_minima_shared(link->minima, s->leaf[i], s->leaf[i + 1]);
	else
		most = lane->tree.rows[calltree_common(&lane->tree, s->leaf[i], s->leaf[i + 1])];
	/* Samples as recorded may share fewer rows than the break after sample i says. */
	rows = at < lane->n_breaks && lane->breaks[at].sample == i ? lane->breaks[at].rows
								   : UINT16_MAX;
	return rows < most ? rows : most;
}

/* Rows that stay open from the last sample with time before sample i. */
static unsigned kept_before(const struct lane_link *link, size_t i)
{
	const struct samples *s = &link->lane->samples;
	unsigned kept = UINT16_MAX;

	while (i > 0) {
		unsigned shared = shared_rows(link, i - 1, find_break(link->lane, i - 1));

		i--;
		kept = shared < kept ? shared : kept;
		if (kept == 0 || samples_time(s, i + 1) > samples_time(s, i) || !link->has_time)
			return kept;
	}
	return 0;
}

/* Compare neighbours in a group, or in what is left of one: shared rows, spans, time by kind. kept:
 * the rows that stay open from the last sample with time, before and after. */
static void link_group(const struct lane_link *link, size_t first, size_t end, unsigned *kept,
		       struct found *found)
{
	const struct samples *s = &link->lane->samples;
	const uint16_t *rows = link->lane->tree.rows;
	unsigned open = *kept, most = 0;
	int64_t t[SAMPLES_GROUP + 1] = { 0 };
	uint64_t n_spans = 0;
	const struct lane *lane = link->lane;
	size_t at = find_break(lane, first);

	times_read(&s->times, first, end - first + 1, t);
	for (size_t i = first; i < end; i++) {
		node_id leaf = s->leaf[i];
		unsigned here = rows[leaf], shared = shared_rows(link, i, at);
		int64_t ns = t[i - first + 1] - t[i - first];

		at += at < lane->n_breaks && lane->breaks[at].sample == i;

		/* A span counts at its first sample that has time; these are the rows that did not
		 * stay open. */
		if (ns > 0 || !link->has_time) {
			n_spans += here - open;
			open = UINT16_MAX;
		}
		if (s->shared_byte)
			s->shared_byte[i] = (uint8_t)shared;
		else
			s->shared[i] = (uint16_t)shared;
		open = shared < open ? shared : open;
		most = here > most ? here : most;
		found->ns[link->kind[leaf]] += ns;
	}
	*kept = open;
	found->n_spans += n_spans;
	link->high[first / SAMPLES_GROUP] = (uint16_t)most;
	found->max_depth = most > found->max_depth ? most : found->max_depth;
}

/* Whether the caller's thread goes on because it would only wait for the other one. */
static bool may_help(struct lane_link *link, const struct budget *budget)
{
	return budget_is_counted(budget) && pthread_equal(pthread_self(), link->caller) &&
		atomic_load(&link->n_threads) > 1 && atomic_load(&link->n_ended) == 0;
}

/* The work of one thread until its budget is spent or no chunk is left. */
static void take_chunks(void *ctx)
{
	struct lane_link *link = ctx;
	unsigned thread = atomic_fetch_add(&link->n_threads, 1);
	struct budget *budget = &link->budgets[thread];
	struct found found = { 0 };
	size_t from, n = link->lane->samples.n;
	bool is_spent = false;

	/* Blocks need memory, and a reserve belongs to one thread. */
	if (pthread_equal(pthread_self(), link->caller)) {
		link->has_blocks = blocks_work(link->blocks, budget);
		is_spent = !link->has_blocks;
	}
	while ((!is_spent || may_help(link, budget)) &&
	       (from = atomic_fetch_add(&link->next, CHUNK)) < n) {
		size_t i = from;
		size_t end = n - from > CHUNK ? from + CHUNK : n;
		unsigned kept = kept_before(link, i);

		/* A chunk begins with a group. */
		for (; i < end; i += SAMPLES_GROUP)
			link_group(link, i, end - i > SAMPLES_GROUP ? i + SAMPLES_GROUP : end,
				   &kept, &found);
		is_spent |= budget_use(budget, (uint32_t)(end - from));
	}
	link->found[thread] = found;
	link->is_spent[thread] = is_spent;
	atomic_fetch_add(&link->n_ended, 1);
}

static void add_found(struct found *all, const struct found *found)
{
	for (int i = 0; i < KIND_COUNT; i++)
		all->ns[i] += found->ns[i];
	all->n_spans += found->n_spans;
	if (found->max_depth > all->max_depth)
		all->max_depth = found->max_depth;
}

/* The chunks and the blocks. Each thread gets the whole budget, as they work at the same time. If
 * that is spent with the last chunk, the phase ends with the next call, so that a caller that links
 * many small lanes returns between them. */
static bool work_chunks(void *ctx, struct budget *budget)
{
	struct lane_link *link = ctx;
	size_t n = link->lane->samples.n;
	bool is_spent = false;

	if (!link->blocks) {
		struct samples *s = &link->lane->samples;

		if (samples_is_narrow(&link->lane->tree))
			s->shared_byte = xmalloc(n);
		else
			s->shared = xmalloc(n * sizeof *s->shared);
		link->high = xcalloc(n / SAMPLES_GROUP + 1, sizeof *link->high);
		link->blocks = blocks_work_begin(s, link->lane->tree.n);
	}
	link->n_threads = link->n_ended = 0;
	link->budgets[0] = link->budgets[1] = *budget;
	link->caller = pthread_self();
	if (n >= MANY_SAMPLES)
		parallel_run(take_chunks, link);
	else
		take_chunks(link);
	*budget = link->budgets[0];
	for (unsigned i = 0; i < link->n_threads; i++) {
		add_found(&link->all, &link->found[i]);
		is_spent |= link->is_spent[i];
		if (link->budgets[i].steps < budget->steps)
			*budget = link->budgets[i];
	}
	return link->has_blocks && link->next >= n && !is_spent;
}

/* The rest: sums, and the pyramids over the shared rows. */
static bool finish(void *ctx, struct budget *budget)
{
	struct lane_link *link = ctx;
	struct lane *lane = link->lane;
	struct samples *s = &lane->samples;
	const struct found *all = &link->all;

	(void)budget;
	s->blocks = blocks_work_end(link->blocks);
	link->blocks = NULL;
	lane->max_depth = (int)all->max_depth;
	lane->n_spans = all->n_spans;
	lane->busy_ns = all->ns[KIND_BUSY];
	lane->idle_ns = all->ns[KIND_IDLE];
	lane->program_ns = all->ns[KIND_PROGRAM];
	lane->gc_ns = all->ns[KIND_GC];
	lane->unsampled_ns = lane->t1 - lane->t0 - (samples_time(s, s->n) - samples_time(s, 0)) +
		all->ns[KIND_ROOT];
	samples_index(s, &lane->tree, link->high);
	link->high = NULL;
	return true;
}

static const struct phase phases[] = {
	{ begin_kinds, find_kinds, NULL },
	{ begin_minima, add_minima, NULL },
	{ NULL, NULL, work_chunks },
	{ NULL, NULL, finish },
	{ NULL, NULL, NULL },
};

struct lane_link *lane_link_begin(struct lane *lane, const struct frame *frames)
{
	const struct samples *s = &lane->samples;
	struct lane_link *link = xcalloc(1, sizeof *link);

	link->lane = lane;
	link->frames = frames;
	link->has_time = s->n && samples_time(s, s->n) > samples_time(s, 0);
	return link;
}

bool lane_link_work(struct lane_link *link, struct budget *budget)
{
	return phases_work(&link->phases, phases, link, budget);
}

void lane_link_end(struct lane_link *link)
{
	if (!link)
		return;
	blocks_free(blocks_work_end(link->blocks));
	free(link->high);
	free(link->kind);
	if (link->minima)
		row_minima_done(link->minima);
	free(link->minima);
	free(link);
}

/* About how many of the samples are done, until lane_link_work() has returned true. */
static size_t samples_done_of(const struct lane_link *link)
{
	size_t n = link->lane->samples.n, next = link->next;

	return ((next < n ? next : n) + (link->blocks ? blocks_work_done(link->blocks) : 0)) / 2;
}

void lane_link(struct lane *lane, const struct frame *frames, struct progress *progress)
{
	struct lane_link *link = lane_link_begin(lane, frames);
	struct budget budget;

	progress_step(progress, "making tables", (int64_t)lane->samples.n);
	do {
		progress_step_to(progress, (int64_t)samples_done_of(link));
		budget = progress ? budget_steps(LINKED_AT_ONCE, BUDGET_STEP) : *BUDGET_UNLIMITED;
	} while (!lane_link_work(link, &budget));
	lane_link_end(link);
}

static void add_slice_time(void *ctx, node_id node, int64_t self_ns, int64_t total_ns)
{
	(void)total_ns;
	blocks_add_leaf(ctx, node, self_ns);
}

int64_t *lane_self_times(const struct lane *lane, int64_t t0, int64_t t1, int64_t *covered)
{
	int64_t *self = xcalloc((size_t)lane->tree.n + 1, sizeof *self);
	const struct blocks_visitor sums = blocks_sums(self);

	if (lane->samples.n)
		blocks_each(&lane->samples, t0, t1, &sums);
	self[NODE_ROOT] = 0;
	if (covered)
		*covered = slice_time_lacking(lane->slice_time, t0, t1);
	for (node_id i = 1; covered && i < lane->tree.n; i++)
		*covered += self[i];
	slice_time_each(lane->slice_time, t0, t1, add_slice_time, self);
	return self;
}

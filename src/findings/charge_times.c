/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The times of stacks come from the blocks of the lane, if it has them, by leaf first; samples are
 * then counted by kind. Those of the whole lane are added up once, when its stacks are found. A
 * sample of garbage collection that stands below no stack (raw samples) belongs to the stack of the
 * sample before it, which may lie before the window. */
#include "config.h"

#include "findings/charge_times.h"

#include "base/alloc.h"
#include "base/thread.h"

#include <string.h>

/* ==== charge stacks ====
 *
 * A walk over the blocks of all samples adds up the times of the leaves, which are stacks; then a
 * bit is set for each, and the bits are counted. */

/* Instead of a time: no sample was added. Any time clears the bit. */
#define UNUSED INT64_MIN

void charge_stacks_init(struct charge_stacks *s, const struct lane *lane)
{
	*s = (struct charge_stacks){ .lane = lane };
	s->kind = xcalloc(lane->tree.n, 1);
	s->words = xcalloc((size_t)lane->tree.n / CHARGE_STACKS_WORD + 1, sizeof *s->words);
	s->self = xmalloc(lane->tree.n * sizeof *s->self);
	for (node_id i = 0; i < lane->tree.n; i++)
		s->self[i] = UNUSED;
}

static void add(struct charge_stacks *s, node_id node)
{
	s->words[node / CHARGE_STACKS_WORD].bits |= 1u << node % CHARGE_STACKS_WORD;
}

static void add_leaf(void *self, node_id leaf, int64_t ns)
{
	int64_t *sums = self;

	sums[leaf] = (sums[leaf] & ~UNUSED) + ns;
}

BLOCKS_MANY(add_leaves, add_leaf)

bool charge_stacks_find(struct charge_stacks *s, struct budget *budget)
{
	const struct blocks_visitor visitor = { s->self, add_leaves, add_leaf, NULL };
	size_t n_words = (size_t)s->lane->tree.n / CHARGE_STACKS_WORD + 1;
	uint32_t n = 0;

	if (!s->walk.samples)
		blocks_begin(&s->walk, &s->lane->samples, INT64_MIN, INT64_MAX, &visitor);
	if (!blocks_walk_work(&s->walk, &visitor, budget))
		return false;
	add(s, NODE_ROOT);
	for (node_id i = 0; i < s->lane->tree.n; i++) {
		if (s->self[i] < 0)
			continue;
		add(s, i);
		if (s->kind[i] == CHARGE_GC)
			add(s, charge_stacks_below_gc(s, i));
	}
	for (size_t i = 0; i < n_words; i++) {
		s->words[i].before = s->n;
		s->n += charge_stacks_bits(s->words[i].bits);
	}
	s->node = xmalloc(s->n * sizeof *s->node);
	for (size_t i = 0; i < n_words; i++)
		for (uint32_t bits = s->words[i].bits; bits; bits &= bits - 1)
			s->node[n++] = (node_id)(i * CHARGE_STACKS_WORD) +
				(node_id)__builtin_ctz(bits);
	return true;
}

/* ==== charge times ==== */

node_id charge_times_stack(struct charge_times *t, size_t i)
{
	const struct samples *s = &t->lane->samples;
	node_id stack = NODE_ROOT;

	for (size_t n = i + 1; n > 0 && stack == NODE_ROOT; n--) {
		node_id leaf = s->leaf[n - 1];

		if (n == t->known) {
			stack = t->known_stack;
			break;
		}
		stack = charge_stacks_below_gc(t->stacks, leaf);
		if (t->stacks->kind[leaf] != CHARGE_GC)
			break;
	}
	t->known = i + 1;
	t->known_stack = stack;
	return stack;
}

void charge_times_go_to(struct charge_times *t, size_t from)
{
	t->next = from;
	t->until = 0;
	t->last = from ? charge_times_stack(t, from - 1) : NODE_ROOT;
}

void charge_times_rewind(struct charge_times *t)
{
	const struct samples *s = &t->lane->samples;

	t->next = t->end = t->until = 0;
	if (!s->n || t->t1 <= t->t0)
		return;
	t->end = samples_find(s, t->t1 - 1) + 1;
	charge_times_go_to(t, samples_find(s, t->t0));
}

void charge_times_read(struct charge_times *t, size_t i)
{
	const struct samples *s = &t->lane->samples;

	t->read = i;
	t->until = s->n - i > CHARGE_TIMES_READ ? i + CHARGE_TIMES_READ : s->n;
	times_read(&s->times, i, t->until - i + 1, t->t);
}

/* The sampled part of a window. */
static void clip(const struct lane *lane, int64_t *t0, int64_t *t1)
{
	if (*t0 < lane->sampled_t0)
		*t0 = lane->sampled_t0;
	if (*t1 > lane->sampled_t1)
		*t1 = lane->sampled_t1;
	if (*t1 < *t0)
		*t1 = *t0;
}

void charge_times_init(struct charge_times *t, const struct charge_stacks *stacks, int64_t t0,
		       int64_t t1)
{
	const struct lane *lane = stacks->lane;

	*t = (struct charge_times){ .lane = lane, .stacks = stacks, .t0 = t0, .t1 = t1 };
	clip(lane, &t->t0, &t->t1);
	t->is_one_each = lane->has_timeline;
	t->ns = xcalloc(2 * (size_t)stacks->n, sizeof *t->ns);
	charge_times_rewind(t);
}

bool charge_times_take(struct charge_times *t, int64_t t0, int64_t t1, struct charge_times *out)
{
	bool is_same = false;

	if (t->ns) {
		clip(t->lane, &t0, &t1);
		is_same = t0 == t->t0 && t1 == t->t1;
	}
	if (is_same) {
		*out = *t;
		*t = (struct charge_times){ 0 };
	}
	charge_times_done(t);
	return is_same;
}

/* ---- from blocks ---- */

static bool has_blocks(const struct charge_times *t)
{
	return t->is_one_each && t->lane->samples.blocks;
}

/* Add the times of all leaves. What is raw is added sample by sample. */
static void add_leaf_times(struct charge_times *t, const int64_t *self)
{
	const struct charge_stacks *s = t->stacks;

	for (uint32_t i = 0; i < s->n; i++) {
		node_id leaf = s->node[i], below;
		enum charge_kind kind = (enum charge_kind)s->kind[leaf];

		if (self[leaf] <= 0)
			continue;
		t->kind_ns[kind] += self[leaf];
		below = charge_stacks_below_gc(s, leaf);
		if (kind == CHARGE_GC && below == NODE_ROOT)
			t->raw_gc += self[leaf];
		else if (kind == CHARGE_GC)
			t->ns[CHARGE_KEY(charge_stacks_before(s, below), 1)] += self[leaf];
		else if (charge_times_is_busy(kind))
			t->ns[CHARGE_KEY(i, 0)] += self[leaf];
	}
}

static bool is_whole(const struct charge_times *t)
{
	const struct samples *s = &t->lane->samples;

	return t->t0 <= samples_time(s, 0) && t->t1 >= samples_time(s, s->n);
}

/* Add up the times of a window by leaf. */
static bool add_selves(struct charge_times *t, struct budget *budget)
{
	struct blocks_visitor visitor;

	if (!t->self)
		t->self = xcalloc(t->lane->tree.n, sizeof *t->self);
	visitor = blocks_sums(t->self);
	if (!t->walk.samples)
		blocks_begin(&t->walk, &t->lane->samples, t->t0, t->t1, &visitor);
	return blocks_walk_work(&t->walk, &visitor, budget);
}

static bool add_blocks(void *ctx, struct budget *budget)
{
	struct charge_times *t = ctx;

	if (!has_blocks(t))
		return true;
	if (t->stacks->self && is_whole(t)) {
		add_leaf_times(t, t->stacks->self);
		return true;
	}
	if (!add_selves(t, budget))
		return false;
	add_leaf_times(t, t->self);
	free(t->self);
	t->self = NULL;
	return true;
}

/* A number for each kind, in 8 bits, which CHARGE_TIMES_READ samples do not exceed. */
#define KIND_BITS 8u

_Static_assert(CHARGE_KINDS <= 64 / KIND_BITS && CHARGE_TIMES_READ < 1u << KIND_BITS, "kinds");

/* Counts samples on threads. */
struct count {
	struct charge_times *times;
	pthread_mutex_t lock; /* of its sums */
};

/* Count samples of the window by kind, from t->next + from on. */
static void count_chunk(void *ctx, size_t from, size_t end)
{
	struct count *c = ctx;
	struct charge_times *t = c->times;
	const uint8_t *kinds = t->stacks->kind;
	const node_id *leaf = t->lane->samples.leaf;
	uint64_t count[CHARGE_KINDS] = { 0 };
	int64_t longest = 0, time[CHARGE_TIMES_READ + 1];

	end += t->next;
	for (size_t i = from + t->next, n; i < end; i += n) {
		uint64_t counts = 0;

		n = end - i < CHARGE_TIMES_READ ? end - i : CHARGE_TIMES_READ;
		times_read(&t->lane->samples.times, i, n + 1, time);
		time[0] = time[0] > t->t0 ? time[0] : t->t0;
		time[n] = time[n] < t->t1 ? time[n] : t->t1;
		for (size_t k = 0; k < n; k++) {
			unsigned kind = kinds[leaf[i + k]];
			int64_t ns = time[k + 1] - time[k],
				busy = charge_times_is_busy((enum charge_kind)kind) ? ns : 0;

			counts += (uint64_t)(ns > 0) << kind * KIND_BITS;
			longest = busy > longest ? busy : longest;
		}
		for (unsigned k = 0; k < CHARGE_KINDS; k++)
			count[k] += counts >> k * KIND_BITS & ((1u << KIND_BITS) - 1);
	}
	pthread_mutex_lock(&c->lock);
	for (size_t k = 0; k < CHARGE_KINDS; k++)
		t->kind_count[k] += count[k];
	t->longest = longest > t->longest ? longest : t->longest;
	pthread_mutex_unlock(&c->lock);
}

static bool count_kinds(void *ctx, struct budget *budget)
{
	struct charge_times *t = ctx;
	struct count c = { .times = t, .lock = PTHREAD_MUTEX_INITIALIZER };

	while (has_blocks(t) && t->next < t->end) {
		size_t n = t->end - t->next;

		if (budget_is_unlimited(budget)) {
			parallel_chunks(n, count_chunk, &c);
			t->next = t->end;
			break;
		}
		n = n < budget->step ? n : budget->step;
		count_chunk(&c, 0, n);
		t->next += n;
		if (budget_use(budget, (uint32_t)n))
			return false;
	}
	charge_times_rewind(t);
	return true;
}

/* Raw samples of garbage collection; mostly there is none behind the first ones. */
static bool add_raw_gc(void *ctx, struct budget *budget)
{
	struct charge_times *t = ctx;
	struct charge_sample s;

	while (t->raw_gc > 0 && charge_times_next(t, &s)) {
		if (s.kind == CHARGE_GC &&
		    charge_stacks_below_gc(t->stacks, t->lane->samples.leaf[s.i]) == NODE_ROOT) {
			t->ns[s.key] += s.t1 - s.t0;
			t->raw_gc -= s.t1 - s.t0;
		}
		if (budget_use(budget, CHARGE_TIMES_SAMPLE_WORK))
			return false;
	}
	return true;
}

/* ---- sample by sample ---- */

/* Without a time line, a sample stands for all hits of its stack; where the file has only weights,
 * for one each millisecond. */
static uint32_t count_of(const struct charge_times *t, const struct charge_sample *s)
{
	int64_t ms = (s->t1 - s->t0) / NS_PER_MS;

	if (t->is_one_each)
		return 1;
	if (t->lane->hit_ns) {
		int64_t hits = (s->t1 - s->t0) / t->lane->hit_ns;

		return hits > UINT32_MAX ? UINT32_MAX : (uint32_t)hits;
	}
	if (t->lane->counts)
		return t->lane->counts[s->i];
	if (t->lane->hits)
		return t->lane->hits[t->lane->samples.leaf[s->i]];
	return ms > UINT32_MAX ? UINT32_MAX : ms < 1 ? 1 : (uint32_t)ms;
}

/* Count the samples of each stack, and add their times unless they are known. */
static bool add_samples(struct charge_times *t, bool has_times, struct budget *budget)
{
	struct charge_sample s;

	if (!t->count)
		t->count = xcalloc(2 * (size_t)t->stacks->n, sizeof *t->count);
	while (charge_times_next(t, &s)) {
		uint32_t count = count_of(t, &s);

		if (charge_times_is_busy(s.kind))
			t->count[s.key] += count;
		if (!has_times) {
			t->kind_ns[s.kind] += s.t1 - s.t0;
			t->kind_count[s.kind] += count;
			if (charge_times_is_busy(s.kind))
				t->ns[s.key] += s.t1 - s.t0;
		}
		if (budget_use(budget, CHARGE_TIMES_SAMPLE_WORK))
			return false;
	}
	return true;
}

/* Make the sums, and start again with the first sample. */
static void sum(struct charge_times *t)
{
	t->busy = 0;
	t->n_busy = 0;
	for (enum charge_kind k = 0; k < CHARGE_KINDS; k++) {
		t->busy += charge_times_is_busy(k) ? t->kind_ns[k] : 0;
		t->n_busy += charge_times_is_busy(k) ? t->kind_count[k] : 0;
	}
	t->idle = t->kind_ns[CHARGE_IDLE];
	t->program = t->kind_ns[CHARGE_PROGRAM];
	t->gc = t->kind_ns[CHARGE_GC];
	t->waiting = t->kind_ns[CHARGE_WAITING];
	charge_times_rewind(t);
}

static bool add_all_samples(void *ctx, struct budget *budget)
{
	struct charge_times *t = ctx;

	if (!has_blocks(t) && !add_samples(t, false, budget))
		return false;
	sum(t);
	return true;
}

/* With the longest sample, and one more to be far from any rounding. */
static bool is_sure(const struct charge_times *t)
{
	return (double)t->longest * (CHARGE_SAMPLES_MIN + 1) * 1e6 <=
		(double)t->busy * CHARGE_SHARE_MIN;
}

static bool count_stacks(void *ctx, struct budget *budget)
{
	struct charge_times *t = ctx;

	if (!has_blocks(t) || is_sure(t))
		return true;
	if (!add_samples(t, true, budget))
		return false;
	charge_times_rewind(t);
	return true;
}

bool charge_times_step(struct charge_times *t, struct budget *budget)
{
	static const struct phase phases[] = {
		{ .work = add_blocks },      { .work = count_kinds },  { .work = add_raw_gc },
		{ .work = add_all_samples }, { .work = count_stacks }, { 0 },
	};

	return phases_work(&t->phases, phases, t, budget);
}

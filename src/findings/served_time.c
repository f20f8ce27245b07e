/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For each thread a list of its busy times, each with the request that it runs for, is made once
 * from its samples and the runs that the recording states. A request is cut at the borders of these
 * and of its waits. */
#include "config.h"

#include "findings/served_time.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "base/text.h"
#include "findings/served_index.h"

#include <stdlib.h>

#define OPEN_MAX 1000 /* jobs that are looked back at for one that runs */

/* A run, to be sorted by thread and begin. */
struct thread_run {
	struct served_run run;
	uint32_t thread;
};

/* The connections of an address, or the threads of a process: a range of `sockets`. */
struct pool {
	uint32_t input;
	int64_t pid;
	str_id name; /* 0: threads */
	size_t from, end;
	uint32_t n_sockets, n_busy; /* n_busy: at most, at a time */
	int64_t longest;            /* wait */
};

struct served_time {
	const struct profile *p;
	struct served_thread *threads;
	size_t n_threads, cap_threads;
	struct served_index *index; /* by thread */
	uint32_t *own; /* indices of busy times for requests of the same thread, by request, time */
	size_t *first_own;   /* by request: the first of its `own`; one more than requests */
	uint32_t *thread_of; /* by request */
	uint32_t *waits;     /* indices of waits, by request, then begin */
	uint32_t *first;     /* by request: the first of its waits; one more than requests */
	uint32_t *by_offset; /* requests, by input and offset */
	uint32_t *sockets;   /* indices of waits on sockets and of jobs, by pool, then begin */
	struct pool *pools;
	size_t n_pools, cap_pools;
};

/* ---- busy times ---- */

static void add_busy(struct served_thread *t, int64_t t0, int64_t t1, uint32_t served)
{
	struct served_busy *last = t->n ? &t->busy[t->n - 1] : NULL;

	if (t1 <= t0)
		return;
	if (last && last->t1 == t0 && last->served == served) {
		last->t1 = t1;
		return;
	}
	*ARRAY_ADD(t->busy, t->n, t->cap) = (struct served_busy){ t0, t1, served };
}

/* Add [t0, t1), cut at the runs. *at: the first run that may end after t0. */
static void add_cut(struct served_thread *t, const struct thread_run *runs, size_t n, size_t *at,
		    int64_t t0, int64_t t1)
{
	while (*at < n && runs[*at].run.t1 <= t0)
		++*at;
	for (size_t i = *at; i < n && runs[i].run.t0 < t1; i++) {
		const struct served_run *run = &runs[i].run;
		int64_t from = run->t0 > t0 ? run->t0 : t0, to = run->t1 < t1 ? run->t1 : t1;

		add_busy(t, t0, from, SERVED_NONE);
		add_busy(t, from, to, run->served);
		t0 = to > t0 ? to : t0;
	}
	add_busy(t, t0, t1, SERVED_NONE);
}

static void find_busy(struct served_time *st, struct served_thread *t,
		      const struct thread_run *runs, size_t n)
{
	const struct lane *lane = t->lane;
	size_t at = 0;

	for (size_t i = 0; !lane && i < n; i++) {
		const struct served_run *run = &runs[i].run;
		int64_t until = t->n ? t->busy[t->n - 1].t1 : run->t0;

		/* Of runs that overlap, as in a damaged file, the first one counts. */
		add_busy(t, run->t0 > until ? run->t0 : until, run->t1, run->served);
	}
	for (size_t i = 0; lane && n && i < lane->samples.n; i++) {
		node_id leaf = lane->samples.leaf[i];

		if (leaf != NODE_ROOT &&
		    profile_node_frame(st->p, lane, leaf)->category != CATEGORY_IDLE)
			add_cut(t, runs, n, &at, samples_time(&lane->samples, i),
				samples_time(&lane->samples, i + 1));
	}
}

static int compare_threads(const struct served *x, const struct served *y)
{
	return SORT_BY_3(x->input, y->input, x->pid, y->pid, x->tid, y->tid);
}

static bool thread_is_before(const void *a, const void *b, const void *ctx)
{
	const struct served *all = ctx;

	return compare_threads(&all[*(const uint32_t *)a], &all[*(const uint32_t *)b]) < 0;
}

/* How near the file of a lane is to that of a request. */
static int nearness(const struct profile *p, const struct lane *lane, const struct served *s)
{
	return (lane->input == s->input) +
		(p->inputs[lane->input].argument == p->inputs[s->input].argument);
}

/* The lanes of samples, by process. */
struct sample_lanes {
	const struct lane **all;
	size_t n;
};

static bool lane_is_before(const void *a, const void *b, const void *ctx)
{
	(void)ctx;
	return (*(const struct lane *const *)a)->pid < (*(const struct lane *const *)b)->pid;
}

static void find_lanes(const struct profile *p, struct sample_lanes *lanes)
{
	lanes->all = xmalloc((p->n_lanes + 1) * sizeof *lanes->all);
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		const struct lane *l = &p->lanes[i];

		if (l->kind == LANE_SAMPLES && l->has_timeline && l->samples.n)
			lanes->all[lanes->n++] = l;
	}
	sort_stable(lanes->all, lanes->n, sizeof *lanes->all, lane_is_before, NULL);
}

static void add_thread(struct served_time *st, const struct sample_lanes *lanes,
		       const struct served *s)
{
	size_t i = 0, n = lanes->n;
	struct served_thread *t;

	t = ARRAY_ADD(st->threads, st->n_threads, st->cap_threads);
	*t = (struct served_thread){ .input = s->input, .pid = s->pid, .tid = s->tid };
	/* Profiles may be in other files than requests. Processes of other files may also have the
	 * same ids, as those of containers have, so the own file counts first, then those of its
	 * recording. */
	SORT_BISECT(i, n, mid, lanes->all[mid]->pid < s->pid);
	for (; i < lanes->n && lanes->all[i]->pid == s->pid; i++) {
		const struct lane *l = lanes->all[i];

		if (served_is_of(s, l->pid, l->tid) &&
		    (!t->lane || nearness(st->p, l, s) > nearness(st->p, t->lane, s)))
			t->lane = l;
	}
}

SORT_BEFORE(run_is_before, struct thread_run,
	    SORT_BY_2(x->thread, y->thread, x->run.t0, y->run.t0) < 0)

static void find_threads(struct served_time *st)
{
	const struct served_all *all = &st->p->served;
	struct thread_run *runs = xmalloc((all->n_runs + 1) * sizeof *runs);
	uint32_t *order = xmalloc((all->n + 1) * sizeof *order);
	struct sample_lanes lanes = { 0 };

	find_lanes(st->p, &lanes);
	st->thread_of = xmalloc((all->n + 1) * sizeof *st->thread_of);
	for (uint32_t i = 0; i < all->n; i++)
		order[i] = i;
	sort_stable(order, all->n, sizeof *order, thread_is_before, all->requests);
	for (size_t i = 0; i < all->n; i++) {
		const struct served *s = &all->requests[order[i]];

		if (i == 0 || compare_threads(&all->requests[order[i - 1]], s) != 0)
			add_thread(st, &lanes, s);
		st->thread_of[order[i]] = (uint32_t)st->n_threads - 1;
	}
	for (size_t i = 0; i < all->n_runs; i++)
		runs[i] = (struct thread_run){ all->runs[i], st->thread_of[all->runs[i].served] };
	sort_stable(runs, all->n_runs, sizeof *runs, run_is_before, NULL);
	for (size_t k = 0, from = 0, end = 0; k < st->n_threads; k++, from = end) {
		while (end < all->n_runs && runs[end].thread == k)
			end++;
		st->threads[k].has_owners = end > from;
		find_busy(st, &st->threads[k], runs + from, end - from);
	}
	free(lanes.all);
	free(runs);
	free(order);
}

/* ---- at once ---- */

SORT_ORDER(by_number, int64_t, SORT_BY_1(*x, *y))

/* Set most[c], c < n_columns, to the most of n times that go on at once in [t[c], t[c + 1]). Sorts
 * their begins and ends. Returns the most of all. */
static uint32_t most_at_once(int64_t *begins, int64_t *ends, size_t n, const int64_t *t,
			     size_t n_columns, uint32_t *most)
{
	size_t begun = 0, ended = 0;
	uint32_t most_of_all = 0;

	if (n)
		qsort(begins, n, sizeof *begins, by_number);
	if (n)
		qsort(ends, n, sizeof *ends, by_number);
	for (size_t c = 0; c < n_columns; c++) {
		while (begun < n && begins[begun] <= t[c])
			begun++;
		while (ended < n && ends[ended] <= t[c])
			ended++;
		most[c] = begun > ended ? (uint32_t)(begun - ended) : 0;
		for (; begun < n && begins[begun] < t[c + 1]; begun++) {
			while (ended < n && ends[ended] <= begins[begun])
				ended++;
			if (begun + 1 > ended + most[c])
				most[c] = (uint32_t)(begun + 1 - ended);
		}
		most_of_all = most[c] > most_of_all ? most[c] : most_of_all;
	}
	return most_of_all;
}

uint32_t served_time_in_flight(const struct served_time *st, const int64_t *t, size_t n,
			       uint32_t *most)
{
	const struct served_all *all = &st->p->served;
	int64_t *begins = xmalloc(all->n * 2 * sizeof *begins), *ends = begins + all->n;
	uint32_t most_of_all;

	for (size_t i = 0; i < all->n; i++) {
		begins[i] = all->requests[i].t0;
		ends[i] = all->requests[i].t1;
	}
	most_of_all = most_at_once(begins, ends, all->n, t, n, most);
	free(begins);
	return most_of_all;
}

/* ---- waits ---- */

static bool wait_is_before(const void *a, const void *b, const void *ctx)
{
	const struct served_wait *waits = ctx, *x = &waits[*(const uint32_t *)a],
				 *y = &waits[*(const uint32_t *)b];

	return x->served != y->served ? x->served < y->served : x->t0 < y->t0;
}

static void sort_waits(struct served_time *st)
{
	const struct served_all *all = &st->p->served;
	size_t k = 0;

	st->waits = xmalloc((all->n_waits + 1) * sizeof *st->waits);
	st->first = xmalloc((all->n + 1) * sizeof *st->first);
	for (size_t i = 0; i < all->n_waits; i++)
		st->waits[i] = (uint32_t)i;
	sort_stable(st->waits, all->n_waits, sizeof *st->waits, wait_is_before, all->waits);
	for (size_t i = 0; i <= all->n; i++) {
		while (k < all->n_waits && all->waits[st->waits[k]].served < i)
			k++;
		st->first[i] = (uint32_t)k;
	}
}

/* The pool that a wait is of, within its process. */
static str_id pool_name(const struct served_wait *w)
{
	return w->kind == SERVED_SOCKET ? w->name : 0;
}

static bool socket_is_before(const void *a, const void *b, const void *ctx)
{
	const struct served_wait *waits = ctx, *x = &waits[*(const uint32_t *)a],
				 *y = &waits[*(const uint32_t *)b];

	return SORT_BY_4(x->input, y->input, x->pid, y->pid, pool_name(x), pool_name(y), x->t0,
			 y->t0) < 0;
}

/* The number of different sockets, or of threads. */
static uint32_t count_sockets(const struct served_time *st, const struct pool *pool)
{
	const struct served_wait *first = &st->p->served.waits[st->sockets[pool->from]];
	size_t n = pool->end - pool->from;
	int64_t *number;
	uint32_t found = 0;

	if (first->kind == SERVED_JOB)
		return first->socket > 0 && first->socket < UINT32_MAX ? (uint32_t)first->socket
								       : UINT32_MAX;
	number = xmalloc(n * sizeof *number);
	for (size_t i = 0; i < n; i++)
		number[i] = st->p->served.waits[st->sockets[pool->from + i]].socket;
	qsort(number, n, sizeof *number, by_number);
	for (size_t i = 0; i < n; i++)
		found += i == 0 || number[i] != number[i - 1];
	free(number);
	return found;
}

/* Count those that are busy at most. Of jobs, some of which wait for a thread, at most all threads
 * are; commands may share a socket. */
static void count_busy(const struct served_time *st, struct pool *pool)
{
	static const int64_t all[] = { INT64_MIN, INT64_MAX };
	size_t n = pool->end - pool->from;
	int64_t *begins = xmalloc(n * 2 * sizeof *begins), *ends = begins + n;

	for (size_t i = 0; i < n; i++) {
		const struct served_wait *w = &st->p->served.waits[st->sockets[pool->from + i]];

		begins[i] = w->t0;
		ends[i] = w->t1;
	}
	most_at_once(begins, ends, n, all, 1, &pool->n_busy);
	pool->n_busy = pool->n_busy < pool->n_sockets ? pool->n_busy : pool->n_sockets;
	free(begins);
}

static void find_pools(struct served_time *st)
{
	const struct served_all *all = &st->p->served;
	struct pool *pool = NULL;
	size_t n = 0;

	st->sockets = xmalloc((all->n_waits + 1) * sizeof *st->sockets);
	for (size_t i = 0; i < all->n_waits; i++)
		if (all->waits[i].kind == SERVED_SOCKET || all->waits[i].kind == SERVED_JOB)
			st->sockets[n++] = (uint32_t)i;
	sort_stable(st->sockets, n, sizeof *st->sockets, socket_is_before, all->waits);
	for (size_t i = 0; i < n; i++) {
		const struct served_wait *w = &all->waits[st->sockets[i]];

		if (!pool || pool->input != w->input || pool->pid != w->pid ||
		    pool->name != pool_name(w)) {
			pool = ARRAY_ADD(st->pools, st->n_pools, st->cap_pools);
			*pool = (struct pool){ .input = w->input,
					       .pid = w->pid,
					       .name = pool_name(w),
					       .from = i };
		}
		pool->end = i + 1;
		if (w->t1 - w->t0 > pool->longest)
			pool->longest = w->t1 - w->t0;
	}
	for (size_t i = 0; i < st->n_pools; i++) {
		st->pools[i].n_sockets = count_sockets(st, &st->pools[i]);
		count_busy(st, &st->pools[i]);
	}
}

#define POOL_CELLS 24 /* of one; with less room, its name could not be recognised */

void served_time_tell_pools(const struct served_time *st, const struct lane *lane, int room,
			    const char *at_most, struct buf *out)
{
	bool is_first = true;

	/* Full ones first; of each, the threads of the process come last. */
	for (size_t k = st->n_pools * 2; k-- > 0;) {
		const struct pool *pool = &st->pools[k % st->n_pools];
		BUF_LOCAL text = { 0 }, visible = { 0 };
		int cells;

		if (pool->input != lane->input || pool->pid != lane->pid ||
		    pool->n_sockets == UINT32_MAX ||
		    (pool->n_busy == pool->n_sockets) != (k >= st->n_pools))
			continue;
		buf_addf(&text, "%s%s%u of %u %s", is_first ? " \302\267 " : ", ",
			 !is_first         ? ""
				 : at_most ? at_most
					   : "busy at most: ",
			 pool->n_busy, pool->n_sockets,
			 pool->name ? profile_text(st->p, pool->name) : "threads");
		text_visible(&visible, buf_text(&text), text.len);
		cells = text_cells(buf_text(&visible), visible.len);
		if (cells > room && is_first && room >= POOL_CELLS) {
			buf_clear(&text);
			text_fit(&text, buf_text(&visible), visible.len, room);
			buf_clear(&visible);
			buf_add(&visible, buf_text(&text), text.len);
			cells = room;
		}
		if (cells > room)
			continue;
		buf_add(out, buf_text(&visible), visible.len);
		room -= cells;
		is_first = false;
	}
}

/* Whether all connections or threads are busy at t for others than a request. *other: one of them,
 * for threads the one that waits longest, as that is a job that runs; SERVED_NONE: not known. */
static bool is_full(const struct served_time *st, const struct pool *pool, int64_t t,
		    uint32_t served, uint32_t *other)
{
	const struct served_wait *waits = st->p->served.waits;
	const size_t hi = pool->end;
	size_t lo = pool->from;
	uint32_t n = 0;

	*other = SERVED_NONE;
	if (pool->n_sockets > hi - lo)
		return false;
	SORT_BISECT(lo, hi, mid, waits[st->sockets[mid]].t0 <= t);
	for (size_t i = lo; i > pool->from && (n < pool->n_sockets || !pool->name); i--) {
		const struct served_wait *w = &waits[st->sockets[i - 1]];

		if (w->t0 < t - pool->longest || lo - i > OPEN_MAX)
			break;
		if (w->t1 > t && (w->served != served || w->served == SERVED_NONE)) {
			n++;
			*other = w->served != SERVED_NONE ? w->served : *other;
		}
	}
	return n >= pool->n_sockets;
}

/* ---- the whole ---- */

/* Whether busy time i of a thread is for a request of that thread. */
static bool is_own(const struct served_time *st, size_t thread, size_t i)
{
	uint32_t served = st->threads[thread].busy[i].served;

	return served != SERVED_NONE && st->thread_of[served] == thread;
}

static void find_own(struct served_time *st)
{
	const size_t n = st->p->served.n;
	size_t *first = xcalloc(n + 2, sizeof *first);

	st->first_own = first;
	for (size_t k = 0; k < st->n_threads; k++)
		for (size_t i = 0; i < st->threads[k].n; i++)
			if (is_own(st, k, i))
				first[st->threads[k].busy[i].served + 2]++;
	for (size_t i = 0; i < n; i++)
		first[i + 2] += first[i + 1];
	st->own = xmalloc((first[n + 1] + 1) * sizeof *st->own);
	for (size_t k = 0; k < st->n_threads; k++)
		for (size_t i = 0; i < st->threads[k].n; i++)
			if (is_own(st, k, i))
				st->own[first[st->threads[k].busy[i].served + 1]++] = (uint32_t)i;
}

static bool offset_is_before(const void *a, const void *b, const void *ctx)
{
	const struct served *all = ctx, *x = &all[*(const uint32_t *)a],
			    *y = &all[*(const uint32_t *)b];

	return x->input != y->input ? x->input < y->input : x->offset < y->offset;
}

uint32_t served_time_find(const struct served_time *st, const struct lane *lane,
			  const struct span *span)
{
	const struct served *all = st->p->served.requests;
	int64_t offset = lane->kind == LANE_ASYNC ? slice_event(lane, span) : -1;
	size_t lo = 0, n = offset < 0 ? 0 : st->p->served.n;

	SORT_BISECT(lo, n, mid,
		    all[st->by_offset[mid]].input < lane->input ||
			    (all[st->by_offset[mid]].input == lane->input &&
			     all[st->by_offset[mid]].offset < offset));
	return offset >= 0 && lo < st->p->served.n && all[st->by_offset[lo]].input == lane->input &&
			all[st->by_offset[lo]].offset == offset
		? st->by_offset[lo]
		: SERVED_NONE;
}

struct served_time *served_time_new(const struct profile *profile)
{
	struct served_time *st;

	if (!profile->served.n)
		return NULL;
	st = xcalloc(1, sizeof *st);
	st->p = profile;
	find_threads(st);
	find_own(st);
	st->index = xcalloc(st->n_threads, sizeof *st->index);
	for (size_t i = 0; i < st->n_threads; i++)
		served_index_init(&st->index[i], profile, &st->threads[i]);
	sort_waits(st);
	find_pools(st);
	st->by_offset = xmalloc(profile->served.n * sizeof *st->by_offset);
	for (uint32_t i = 0; i < profile->served.n; i++)
		st->by_offset[i] = i;
	sort_stable(st->by_offset, profile->served.n, sizeof *st->by_offset, offset_is_before,
		    profile->served.requests);
	return st;
}

void served_time_free(struct served_time *st)
{
	if (!st)
		return;
	for (size_t i = 0; i < st->n_threads; i++) {
		free(st->threads[i].busy);
		served_index_done(&st->index[i]);
	}
	free(st->threads);
	free(st->index);
	free(st->own);
	free(st->first_own);
	free(st->thread_of);
	free(st->waits);
	free(st->by_offset);
	free(st->first);
	free(st->sockets);
	free(st->pools);
	free(st);
}

const struct profile *served_time_profile(const struct served_time *st)
{
	return st->p;
}

bool served_time_has_owners(const struct served_time *st, uint32_t served)
{
	return st->threads[st->thread_of[served]].has_owners;
}

const struct lane *served_time_lane(const struct served_time *st, uint32_t served)
{
	return st->threads[st->thread_of[served]].lane;
}

const uint32_t *served_time_waits_of(const struct served_time *st, uint32_t served, size_t *n)
{
	*n = st->first[served + 1] - st->first[served];
	return st->waits + st->first[served];
}

const struct served_thread *served_time_threads(const struct served_time *st, size_t *n)
{
	*n = st->n_threads;
	return st->threads;
}

const struct served_thread *served_time_thread(const struct served_time *st,
					       const struct lane *lane)
{
	for (size_t i = 0; i < st->n_threads; i++) {
		const struct served_thread *t = &st->threads[i];
		const struct served any = { .pid = t->pid, .tid = t->tid };

		if (t->lane && lane_is_of_thread(t->lane, lane))
			return t;
		if (lane->kind == LANE_SLICES && t->input == lane->input &&
		    served_is_of(&any, lane->pid, lane->tid))
			return t;
	}
	return NULL;
}

/* ---- one request ---- */

/* A wait of a request; t1: until when it counts as one. */
struct cut_wait {
	int64_t t0, t1;
	int64_t end; /* of all of it */
	str_id name;
	enum served_wait_kind kind;
};

/* A pool of connections that a request has waits for. */
struct cut_pool {
	uint32_t pool;
	int64_t last; /* begin of the last of these waits */
};

struct cut {
	struct served_time *st;
	const struct served *s;
	const struct served_thread *thread;
	struct served_index *index; /* of the thread */
	uint32_t served;
	struct cut_wait *waits;  /* by begin */
	size_t n_waits, n_begun; /* n_begun: those that begin until now */
	int64_t open_until;      /* the last end of these */
	size_t at_name;          /* of waits, the next look-up of a name */
	const struct cut_wait
		*last; /* of these the one that ends last, but for names; NULL: none */
	const struct cut_wait *name; /* the same of the look-ups of names */
	struct cut_pool *pools;      /* by index */
	size_t n_pools;
	struct served_segments *out; /* NULL: sums are wanted, which `add` takes */
	served_time_add *add;
	void *ctx;
};

static void add_segment(struct cut *c, const struct served_segment *x)
{
	struct served_segments *out = c->out;
	struct served_segment *last = out && out->n ? &out->all[out->n - 1] : NULL;

	if (x->t1 <= x->t0)
		return;
	if (!out) {
		c->add(c->ctx, x, x->t1 - x->t0);
		return;
	}
	if (last && last->part == x->part && last->name == x->name && last->other == x->other) {
		last->t1 = x->t1;
		return;
	}
	*ARRAY_ADD(out->all, out->n, out->cap) = *x;
}

/* The number of the pool of this name in the process of the request; n_pools: there is none. */
static size_t pool_of(const struct cut *c, str_id name)
{
	const struct pool *pools = c->st->pools;
	const struct served *s = c->s;
	size_t lo = 0, n = c->st->n_pools;

	SORT_BISECT(lo, n, mid,
		    SORT_BY_3(pools[mid].input, s->input, pools[mid].pid, s->pid, pools[mid].name,
			      name) < 0);
	return lo < n && pools[lo].input == s->input && pools[lo].pid == s->pid &&
			pools[lo].name == name
		? lo
		: n;
}

static int by_pool(const void *a, const void *b)
{
	const struct cut_pool *x = a, *y = b;

	return SORT_BY_2(x->pool, y->pool, y->last, x->last);
}

/* Find the pools of the waits. */
static void find_cut_pools(struct cut *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n_waits; i++) {
		size_t pool = c->waits[i].name ? pool_of(c, c->waits[i].name) : c->st->n_pools;

		if (pool < c->st->n_pools)
			c->pools[n++] = (struct cut_pool){ (uint32_t)pool, c->waits[i].t0 };
	}
	if (n)
		qsort(c->pools, n, sizeof *c->pools, by_pool);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || c->pools[i].pool != c->pools[c->n_pools - 1].pool)
			c->pools[c->n_pools++] = c->pools[i];
}

/* The pool of connections that the request waits for at t; NULL: none. */
static const struct pool *pool_at(const struct cut *c, int64_t t)
{
	uint32_t other;

	for (size_t i = 0; i < c->n_pools; i++) {
		const struct pool *pool = &c->st->pools[c->pools[i].pool];

		if (c->pools[i].last > t && is_full(c->st, pool, t, c->served, &other))
			return pool;
	}
	return NULL;
}

/* Add [t0, t1), in which no wait counts and the thread is idle. */
static void add_idle(struct cut *c, int64_t t0, int64_t t1)
{
	struct served_segment x = { t0, t1, SERVED_UNKNOWN, 0, SERVED_NONE, 0, 0 };
	int64_t read = c->s->t0 + c->s->unread;
	const struct pool *pool = NULL;

	if (t0 < read && read < t1) {
		add_idle(c, t0, read);
		add_idle(c, read, t1);
		return;
	}
	if (t0 < read)
		x.part = SERVED_UNREAD;
	else
		pool = pool_at(c, t0 + (t1 - t0) / 2);
	if (pool) {
		x.part = SERVED_FREE;
		x.name = pool->name;
		x.n_all = pool->n_sockets;
	}
	add_segment(c, &x);
}

/* Add [t0, t1), in which no wait counts, by the busy times [from, end) of the thread, which are in
 * it at least in part; none is for this request. */
static void add_each(struct cut *c, int64_t t0, int64_t t1, size_t from, size_t end)
{
	for (size_t i = from; i < end; i++) {
		struct served_segment x = served_index_behind(c->index, i);

		x.t0 = x.t0 > t0 ? x.t0 : t0;
		x.t1 = x.t1 < t1 ? x.t1 : t1;
		if (x.t0 > t0)
			add_idle(c, t0, x.t0);
		add_segment(c, &x);
		t0 = x.t1;
	}
	if (t0 < t1)
		add_idle(c, t0, t1);
}

static bool is_full_for_all(const void *ctx, uint32_t pool, int64_t t)
{
	const struct served_time *st = ctx;
	uint32_t other;

	return is_full(st, &st->pools[pool], t, SERVED_NONE, &other);
}

/* Add what is from the begin of busy time `from` to the end of busy time `end` - 1, as sums. The
 * request has no waits in that time, so that a pool that is full is full for it; and it has waits
 * for one pool at most. */
static void add_many(struct cut *c, size_t from, size_t end)
{
	const struct served_busy *busy = c->thread->busy;
	const struct served_gaps *gaps;
	struct served_segment in = { .part = SERVED_FREE, .other = SERVED_NONE };
	size_t mid = from;

	if (c->n_pools == 0) {
		served_index_each(c->index, from, end, NULL, NULL, c->add, c->ctx);
		return;
	}
	gaps = served_index_gaps(c->index, c->pools[0].pool, is_full_for_all, c->st);
	in.name = c->st->pools[c->pools[0].pool].name;
	in.n_all = c->st->pools[c->pools[0].pool].n_sockets;
	/* Gap `mid` is the first one in which it does not wait for the pool any more. */
	SORT_BISECT(mid, end - 1, i,
		    busy[i].t1 + (busy[i + 1].t0 - busy[i].t1) / 2 < c->pools[0].last);
	served_index_each(c->index, from, mid + 1, gaps, &in, c->add, c->ctx);
	if (mid + 1 == end)
		return;
	if (busy[mid].t1 < busy[mid + 1].t0)
		add_idle(c, busy[mid].t1, busy[mid + 1].t0);
	served_index_each(c->index, mid + 1, end, NULL, NULL, c->add, c->ctx);
}

/* Add [t0, t1), in which no wait counts, and the thread does nothing for this request. A request
 * may be open for long, as others beside it are: of these, sums are made at once. */
static void add_rest(struct cut *c, int64_t t0, int64_t t1)
{
	const struct served_thread *t = c->thread;
	size_t from = served_time_after(t, t0), end = from, first;

	SORT_BISECT(end, t->n, mid, t->busy[mid].t0 < t1);
	/* The first and the last busy time may be in it in part. */
	first = from + 1;
	if (c->n_pools)
		SORT_BISECT(first, end, mid, t->busy[mid].t0 < c->open_until);
	if (c->out || c->n_pools > 1 || t0 < c->s->t0 + c->s->unread || end <= first + 1 ||
	    !served_index_is_worth(c->index, end - 1 - first)) {
		add_each(c, t0, t1, from, end);
		return;
	}
	add_each(c, t0, t->busy[first].t0, from, first);
	add_many(c, first, end - 1);
	add_each(c, t->busy[end - 2].t1, t1, end - 1, end);
}

/* Add [t0, t1) of a wait. A job waits for a thread while all are busy with those of others. */
static void add_wait(struct cut *c, int64_t t0, int64_t t1, const struct cut_wait *w)
{
	struct served_segment x = { t0, t1, SERVED_WAITS, w->name, SERVED_NONE, 0, w->kind };
	size_t i = w->kind == SERVED_JOB ? pool_of(c, 0) : c->st->n_pools;

	if (i < c->st->n_pools &&
	    is_full(c->st, &c->st->pools[i], w->t0 + (w->t1 - w->t0) / 2, c->served, &x.other))
		x.n_all = c->st->pools[i].n_sockets;
	if (!x.n_all)
		x.other = SERVED_NONE;
	add_segment(c, &x);
}

/* The begin of the first look-up of a name in (t0, until), or `until`. */
static int64_t next_name(struct cut *c, int64_t t0, int64_t until)
{
	while (c->at_name < c->n_waits &&
	       (c->waits[c->at_name].kind != SERVED_DNS || c->waits[c->at_name].t0 <= t0))
		c->at_name++;
	return c->at_name < c->n_waits && c->waits[c->at_name].t0 < until ? c->waits[c->at_name].t0
									  : until;
}

/* Add [t0, t1), which is none of its own. t0 never goes back. A call waits for its name first. A
 * wait counts until it ends, or until the request runs: then the one that ends last. */
static void add_other(struct cut *c, int64_t t0, int64_t t1)
{
	while (t0 < t1) {
		const struct cut_wait *next, *in;
		int64_t until = t1;

		for (; c->n_begun < c->n_waits && c->waits[c->n_begun].t0 <= t0; c->n_begun++) {
			const struct cut_wait *w = &c->waits[c->n_begun],
					      **last = w->kind == SERVED_DNS ? &c->name : &c->last;

			if (!*last || w->t1 > (*last)->t1)
				*last = w;
			if (w->end > c->open_until)
				c->open_until = w->end;
		}
		next = c->n_begun < c->n_waits ? &c->waits[c->n_begun] : NULL;
		in = c->name && c->name->t1 > t0 ? c->name : c->last;
		if (in && in->t1 > t0) {
			until = in->t1 < until ? in->t1 : until;
			until = next_name(c, t0, until);
			add_wait(c, t0, until, in);
		} else {
			until = next && next->t0 < until ? next->t0 : until;
			add_rest(c, t0, until);
		}
		t0 = until;
	}
}

size_t served_time_after(const struct served_thread *t, int64_t at)
{
	size_t lo = 0;

	SORT_BISECT(lo, t->n, mid, t->busy[mid].t1 <= at);
	return lo;
}

/* Until when a wait counts: until its answer came, or else other work that covers its end comes
 * after it. */
static int64_t end_of_wait(const struct cut *c, const struct served_wait *w)
{
	const struct served_thread *t = c->thread;
	const struct served_time *st = c->st;
	size_t end = served_time_after(t, w->t1), from = served_time_after(t, w->t0);
	size_t own = st->first_own[c->served];
	int64_t covered;

	if (served_wait_end(w) < w->t1)
		return served_wait_end(w);
	/* It may go on after the end of the wait. */
	if (end < t->n && t->busy[end].t0 < w->t1)
		end++;
	if (end <= from || t->busy[end - 1].t1 < w->t1 - SERVED_COVERS_NS)
		return w->t1;
	from = from > c->index->covers[end - 1] ? from : c->index->covers[end - 1];
	SORT_BISECT(own, st->first_own[c->served + 1], mid, st->own[mid] < end);
	if (own > st->first_own[c->served] && st->own[own - 1] >= from)
		from = st->own[own - 1] + 1;
	if (from == end)
		return w->t1;
	covered = t->busy[from].t0 > w->t0 ? t->busy[from].t0 : w->t0;
	return covered < w->t1 - SERVED_COVERS_NS ? covered : w->t1;
}

static void cut(struct cut *c)
{
	struct served_time *st = c->st;
	const struct served_all *all = &st->p->served;
	const struct served *s = &all->requests[c->served];
	int64_t at = s->t0;

	c->s = s;
	c->open_until = INT64_MIN;
	c->thread = &st->threads[st->thread_of[c->served]];
	c->index = &st->index[st->thread_of[c->served]];
	c->waits = xmalloc((st->first[c->served + 1] - st->first[c->served] + 1) *
			   sizeof *c->waits);
	for (uint32_t i = st->first[c->served]; i < st->first[c->served + 1]; i++) {
		const struct served_wait *w = &all->waits[st->waits[i]];

		c->waits[c->n_waits++] = (struct cut_wait){ w->t0, end_of_wait(c, w), w->t1,
							    w->name, w->kind };
	}
	c->pools = xmalloc((c->n_waits + 1) * sizeof *c->pools);
	find_cut_pools(c);
	for (size_t i = st->first_own[c->served]; i < st->first_own[c->served + 1]; i++) {
		const struct served_busy *b = &c->thread->busy[st->own[i]];
		struct served_segment x = { b->t0 > at ? b->t0 : at,
					    b->t1 < s->t1 ? b->t1 : s->t1,
					    SERVED_OWN,
					    0,
					    SERVED_NONE,
					    0,
					    0 };

		if (x.t1 <= x.t0)
			continue;
		add_other(c, at, x.t0);
		add_segment(c, &x);
		at = x.t1;
	}
	add_other(c, at, s->t1);
	free(c->waits);
	free(c->pools);
}

void served_time_cut(struct served_time *st, uint32_t served, struct served_segments *out)
{
	out->n = 0;
	cut(&(struct cut){ .st = st, .served = served, .out = out });
}

void served_time_each(struct served_time *st, uint32_t served, served_time_add *add, void *ctx)
{
	cut(&(struct cut){ .st = st, .served = served, .add = add, .ctx = ctx });
}

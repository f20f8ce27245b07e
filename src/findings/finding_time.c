/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rules about when work happens: tasks, stretches, timers, layout, idle time.
 *
 * One pass over the samples, in time order. A task ends with idle time, (program), an empty stack,
 * another function in row 0, or a function that sleeps. In the first row of what process.nextTick()
 * calls back, there is one function for many callbacks: a task ends after promise jobs, too. It is
 * start-up if Node.js itself or a loader is in row 0, or if half of it is loading before the event
 * loop first called back: modules load in promise jobs, too. */
#include "config.h"

#include "findings/finding_time.h"

#include "base/sort.h"
#include "base/text.h"
#include "findings/finding_name.h"
#include "model/profile.h"

#include <stdlib.h>
#include <string.h>

/* ==== finding tally ====
 *
 * A list of the indices in use goes with the array of sums. */

bool finding_tally_largest(const struct finding_tally *t, uint32_t *index)
{
	if (!t->n)
		return false;
	*index = t->used[0];
	for (size_t i = 1; i < t->n; i++)
		if (t->ns[t->used[i]] > t->ns[*index] ||
		    (t->ns[t->used[i]] == t->ns[*index] && t->used[i] < *index))
			*index = t->used[i];
	return true;
}

/* ==== finding slice ====
 *
 * Names of slices are those of Chromium, which DevTools knows, too. The outermost of nested tasks
 * counts. Layout is forced if it is below a slice that runs JavaScript: the page would have done
 * it once, after the script.
 *
 * Both lanes are walked in the order of time: `next` never goes back. */

#define IN_GC 1u     /* garbage collection */
#define IN_TASK 2u   /* in a task, or one */
#define IN_CALL 4u   /* at or below a slice that runs JavaScript */
#define IS_FORCED 8u /* layout in such a slice, or below */

/* A part of a sample. */
struct finding_piece {
	int64_t t0, t1;
	/* The task that it is in, if is_in_task. */
	bool is_in_task;
	int64_t task_t0, task_t1;
};

static unsigned flags_of(const char *name, unsigned above)
{
	static const char *const calls[] = {
		"FunctionCall", "EvaluateScript",  "RunMicrotasks",
		"v8.run",       "v8.callFunction", "v8.evaluateModule"
	};
	static const char *const layout[] = { "Layout", "UpdateLayoutTree", "RecalculateStyles" };
	unsigned flags = above;

	if (slice_work_is_task(name))
		flags |= IN_TASK;
	if (category_is_gc_slice(name))
		flags |= IN_GC;
	if (text_is_any(name, layout, ARRAY_LEN(layout)) && flags & IN_CALL)
		flags |= IS_FORCED;
	if (text_is_any(name, calls, ARRAY_LEN(calls)))
		flags |= IN_CALL;
	return flags;
}

static unsigned kind_of(const char *name, unsigned above)
{
	enum work work = slice_work_counted(name);

	if (strcmp(name, "RunTimers") == 0)
		return FINDING_WORK_TIMERS;
	if (strcmp(name, "CheckImmediate") == 0 || strcmp(name, "RunAndClearNativeImmediates") == 0)
		return FINDING_WORK_IMMEDIATES;
	if (work != WORK_COUNT)
		return work;
	return above != WORK_IDLE ? above : category_is_gc_slice(name) ? WORK_GC : WORK_SYSTEM;
}

static const struct lane *find_companion(const struct profile *p, const struct lane *lane)
{
	/* Tasks and what is in them may be of several event categories. */
	bool is_split = p->whole && !p->is_borrower;
	const struct lane *lanes = is_split ? p->whole->lanes : p->lanes;
	uint32_t n = is_split ? p->whole->n_lanes : p->n_lanes;

	if (lane->kind == LANE_SLICES)
		return lane;
	for (uint32_t i = 0; i < n && lane_has_times(lane); i++) {
		const struct lane *other = &lanes[i];

		if (other->kind == LANE_SLICES && !other->is_joined && other->tree.n > 1 &&
		    other->samples.n && other->input == lane->input && other->pid == lane->pid &&
		    other->tid == lane->tid && lane->tid != LANE_NO_ID)
			return other;
	}
	return NULL;
}

static void finding_slice_init(struct finding_slices *s, const struct charge *charge)
{
	const struct profile *p = charge->profile;
	const struct calltree *tree;

	*s = (struct finding_slices){ .charge = charge,
				      .lane = find_companion(p, charge->lane),
				      .next = SIZE_MAX };
	if (!s->lane)
		return;
	tree = &s->lane->tree;
	s->flags = xcalloc(tree->n, 1);
	s->kinds = xcalloc(tree->n, 1);
	s->kinds[NODE_ROOT] = WORK_IDLE;
	for (node_id i = 1; i < tree->n; i++) {
		const char *name = profile_text(p, frame_event(&p->frames.frames[tree->frame[i]]));

		s->flags[i] = (uint8_t)flags_of(name, s->flags[tree->parent[i]]);
		s->kinds[i] = (uint8_t)kind_of(name, s->kinds[tree->parent[i]]);
		s->has_tasks |= (s->flags[i] & IN_TASK) != 0;
	}
	finding_tally_init(&s->forced, p->frames.n);
}

/* Go to the stretch at time t, or to the one before it. Returns whether t is in a stretch; *end:
 * until when that holds. */
static bool go_to(struct finding_slices *s, int64_t t, int64_t *end)
{
	const struct samples *at = &s->lane->samples;

	if (s->next == SIZE_MAX)
		s->next = samples_find(at, t);
	while (s->next + 1 < at->n && samples_time(at, s->next + 1) <= t)
		s->next++;
	*end = t < samples_time(at, s->next) ? samples_time(at, s->next)
					     : samples_time(at, s->next + 1);
	if (t >= samples_time(at, s->next + 1))
		*end = INT64_MAX;
	return t >= samples_time(at, s->next) && t < samples_time(at, s->next + 1);
}

static void add(struct finding_slices *s, const struct charge_sample *sample, node_id leaf,
		int64_t ns)
{
	frame_id owner = charge_owner(s->charge, sample->key);

	if (sample->kind == CHARGE_PROGRAM || s->lane == s->charge->lane)
		s->work_ns[s->kinds[leaf]] += ns;
	if (!(s->flags[leaf] & IS_FORCED) || !charge_times_is_busy(sample->kind))
		return;
	s->forced_ns += ns;
	if (owner != FRAME_NONE)
		finding_tally_add(&s->forced, owner, ns);
}

/* Find the slice that the stretch is in: the outermost one with the flag. It stays for many
 * stretches. */
static void find_slice(const struct finding_slices *s, node_id leaf, unsigned flag,
		       struct span *slice)
{
	const struct calltree *tree = &s->lane->tree;

	if (s->next >= slice->first && s->next < slice->end)
		return;
	while (s->flags[tree->parent[leaf]] & flag)
		leaf = tree->parent[leaf];
	span_of_sample(&s->lane->samples, tree, s->next, tree->rows[leaf] - 1, slice);
}

static void find_longest(const struct finding_slices *s, node_id leaf, unsigned flag,
			 struct span *slice, struct span *longest)
{
	find_slice(s, leaf, flag, slice);
	if (slice->t1 - slice->t0 > longest->t1 - longest->t0)
		*longest = *slice;
}

/* The next piece of a sample, and add it to the sums. from: the end of the last piece, or the
 * beginning of the sample. Returns false behind the last one. Samples come in the order of time. */
static bool finding_slice_next(struct finding_slices *s, const struct charge_sample *sample,
			       int64_t from, struct finding_piece *piece)
{
	int64_t end;
	node_id leaf;

	if (from >= sample->t1)
		return false;
	*piece = (struct finding_piece){ .t0 = from, .t1 = sample->t1 };
	if (!go_to(s, from, &end)) {
		piece->t1 = end < sample->t1 ? end : sample->t1;
		return true;
	}
	piece->t1 = end < sample->t1 ? end : sample->t1;
	leaf = s->lane->samples.leaf[s->next];
	add(s, sample, leaf, piece->t1 - from);
	if (s->flags[leaf] & IN_GC)
		find_longest(s, leaf, IN_GC, &s->gc, &s->longest_gc);
	if (s->flags[leaf] & IS_FORCED)
		find_longest(s, leaf, IS_FORCED, &s->layout, &s->longest_forced);
	if (!(s->flags[leaf] & IN_TASK))
		return true;
	find_slice(s, leaf, IN_TASK, &s->task);
	piece->is_in_task = true;
	piece->task_t0 = s->task.t0;
	piece->task_t1 = s->task.t1;
	return true;
}

/* ==== finding task ==== */

void finding_task_init(struct finding_tasks *t, const struct charge *charge, int64_t t0, int64_t t1,
		       bool is_exact)
{
	uint32_t n = charge->profile->frames.n;

	*t = (struct finding_tasks){ .charge = charge,
				     .is_on = charge->has_loop || is_exact,
				     .is_exact = is_exact,
				     .t0 = t0,
				     .t1 = t1 };
	if (!t->is_on)
		return;
	t->most = xcalloc(n, sizeof *t->most);
	finding_tally_init(&t->owners, n);
	finding_tally_init(&t->in_task, n);
	finding_tally_init(&t->in_stretch, n);
}

static bool is_startup(const struct charge *c, const struct finding_task *task)
{
	unsigned flags = c->functions[task->entry].frame.flags;

	if (task->entry == FRAME_NONE)
		return false;
	/* Without the internals that load it, the top level of a module is the outermost call. */
	if (c->is_page)
		return c->has_node && flags & CHARGE_TOP;
	return flags & (CHARGE_BOOT | CHARGE_LOADER | CHARGE_MAIN) ||
		(charge_times_has(task->start_ns, task->t1 - task->t0, 50) &&
		 task->t0 <= c->t_loop);
}

static void set_owner(struct finding_task *task, const struct finding_tally *tally)
{
	uint32_t best = FRAME_NONE;

	finding_tally_largest(tally, &best);
	task->owner = best;
	task->owner_ns = tally->ns[best];
}

static int64_t length(const struct finding_task *task)
{
	return task->t1 - task->t0;
}

static void end_task(struct finding_tasks *t)
{
	struct finding_task *task = &t->task;
	struct finding_tally *in = &t->in_task;

	if (!t->is_in_task)
		return;
	t->is_in_task = false;
	if (t->counts_startup || !is_startup(t->charge, task)) {
		set_owner(task, in);
		if (t->visit)
			t->visit(t->visit_ctx, task);
		for (size_t i = 0; i < in->n; i++) {
			frame_id f = in->used[i];

			if (in->ns[f] > t->most[f])
				t->most[f] = in->ns[f];
			if (length(task) >= FINDING_TASK_LONG)
				finding_tally_add(&t->owners, f, in->ns[f]);
		}
		if (length(task) >= FINDING_TASK_LONG) {
			t->n_long++;
			t->long_ns += t->is_exact ? task->busy_ns : length(task);
		}
		if (length(task) > length(&t->worst))
			t->worst = *task;
		if (length(task) > t->stretch_task)
			t->stretch_task = length(task);
	}
	finding_tally_clear(in);
}

static void end_stretch(struct finding_tasks *t)
{
	if (!t->is_in_stretch)
		return;
	t->is_in_stretch = false;
	/* A slice of a task goes on. */
	if (t->is_exact && t->is_in_task && length(&t->task) > t->stretch_task)
		t->stretch_task = length(&t->task);
	if (length(&t->stretch) > length(&t->busiest)) {
		set_owner(&t->stretch, &t->in_stretch);
		t->busiest = t->stretch;
		t->busiest_task = t->stretch_task;
	}
	finding_tally_clear(&t->in_stretch);
}

/* Add to the stretch without a pause. Returns false if nothing runs; that ends it if it is a
 * pause. */
static bool add_to_stretch(struct finding_tasks *t, enum charge_kind kind, frame_id owner,
			   int64_t t0, int64_t t1)
{
	if (kind == CHARGE_IDLE || kind == CHARGE_EMPTY || kind == CHARGE_WAITING) {
		if (kind != CHARGE_IDLE || t1 - t->stretch.t1 > lane_bridge_ns(t->charge->lane))
			end_stretch(t);
		return false;
	}
	if (!t->is_in_stretch) {
		t->stretch = (struct finding_task){ .t0 = t0 };
		t->stretch_task = 0;
		t->is_in_stretch = true;
	}
	t->stretch.t1 = t1;
	t->stretch.busy_ns += t1 - t0;
	if (owner != FRAME_NONE)
		finding_tally_add(&t->in_stretch, owner, t1 - t0);
	return true;
}

/* Whether promise jobs came before, and callbacks of process.nextTick() begin again: for the next
 * callback of the event loop. */
static bool is_next_round(struct finding_tasks *t, const struct charge_node *n)
{
	bool is_next = t->is_in_jobs && n->flags & CHARGE_IN_TICK && !t->joins_rounds;

	if (n->flags & (CHARGE_IN_TICK | CHARGE_IN_JOBS))
		t->is_in_jobs = (n->flags & CHARGE_IN_JOBS) != 0;
	return is_next;
}

void finding_task_add(struct finding_tasks *t, const struct charge_sample *s)
{
	const struct charge *c = t->charge;
	const struct charge_node *n = charge_of(c, s->key);
	enum charge_kind kind = charge_key_kind(c, s->key);
	frame_id owner = charge_owner(c, s->key);
	int64_t ns = s->t1 - s->t0;

	if (!t->is_on)
		return;
	if (kind == CHARGE_WAITING && t->counts_waiting)
		kind = CHARGE_STACK;
	if (t->is_in_task &&
	    (kind != CHARGE_STACK || n->entry != t->task.entry || is_next_round(t, n)))
		end_task(t);
	if (!add_to_stretch(t, kind, owner, s->t0, s->t1) || kind != CHARGE_STACK)
		return;
	if (!t->is_in_task) {
		t->task = (struct finding_task){ .t0 = s->t0, .entry = n->entry };
		t->is_in_task = true;
		t->is_in_jobs = (n->flags & CHARGE_IN_JOBS) != 0;
	}
	t->task.t1 = s->t1;
	t->task.start_ns += n->flags & (CHARGE_IN_LOAD | CHARGE_IN_BOOT) ? ns : 0;
	if (owner != FRAME_NONE)
		finding_tally_add(&t->in_task, owner, ns);
}

/* A task is the slice that the piece is in, within the window. */
static void finding_task_add_piece(struct finding_tasks *t, const struct charge_sample *s,
				   const struct finding_piece *piece)
{
	frame_id owner = charge_owner(t->charge, s->key);
	int64_t t0 = piece->task_t0 > t->t0 ? piece->task_t0 : t->t0,
		t1 = piece->task_t1 < t->t1 ? piece->task_t1 : t->t1;

	if (t->is_in_task && (!piece->is_in_task || t0 != t->task.t0))
		end_task(t);
	add_to_stretch(t, charge_key_kind(t->charge, s->key), owner, piece->t0, piece->t1);
	if (!piece->is_in_task)
		return;
	if (!t->is_in_task)
		t->task = (struct finding_task){ .t0 = t0, .t1 = t1 };
	t->is_in_task = true;
	if (!charge_times_is_busy(s->kind) || s->kind == CHARGE_WAITING)
		return;
	t->task.busy_ns += piece->t1 - piece->t0;
	if (owner != FRAME_NONE)
		finding_tally_add(&t->in_task, owner, piece->t1 - piece->t0);
}

void finding_task_finish(struct finding_tasks *t)
{
	end_task(t);
	end_stretch(t);
}

/* ==== finding period ====
 *
 * A run begins when a function has been absent for some time. The interval is the median distance
 * of two beginnings; a beat that no sample has hit makes a distance of two or more intervals. */

#define ABSENT (5 * NS_PER_MS)
#define RUNS_MIN 8
#define LONG_RUNS_MIN 4           /* fewer runs of a timer count, */
#define LONG_RUN (20 * NS_PER_MS) /* of this length on average, if they are regular */
#define REGULAR_PERCENT 70        /* of the distances */
#define BEATS_MAX 4               /* intervals that may lie between two runs */
#define INTERVAL_MAX (10 * NS_PER_MIN)

static void finding_period_init(struct finding_periods *p, const struct charge *charge)
{
	bool has_timer = false;

	*p = (struct finding_periods){ .charge = charge };
	for (uint32_t i = 1; lane_has_times(charge->lane) && i < charge->stacks.n && !has_timer;
	     i++)
		has_timer = charge->nodes[i].timer != FRAME_NONE;
	if (has_timer)
		p->of = xcalloc(charge->profile->frames.n, sizeof *p->of);
}

static void finding_period_add(struct finding_periods *p, const struct charge_sample *s)
{
	frame_id f = charge_of(p->charge, s->key)->timer;
	struct finding_runs *r;

	if (!p->of || f == FRAME_NONE || s->kind == CHARGE_IDLE)
		return;
	if (!p->of[f]) {
		*ARRAY_ADD(p->list, p->n, p->cap) = (struct finding_runs){ .function = f,
									   .last = INT64_MIN / 2 };
		p->of[f] = (uint32_t)p->n;
	}
	r = &p->list[p->of[f] - 1];
	if (s->t0 - r->last > ABSENT) {
		*ARRAY_ADD(r->starts, r->n, r->cap) = s->t0;
	}
	r->last = s->t1;
	r->ns += s->t1 - s->t0;
}

SORT_ORDER(by_length, int64_t, SORT_BY_1(*x, *y))

/* Whether a distance is about 1 to BEATS_MAX intervals. */
static bool is_regular(int64_t distance, int64_t interval)
{
	for (int64_t k = 1; k <= BEATS_MAX; k++) {
		int64_t off = distance - k * interval;

		if ((off < 0 ? -off : off) < interval / 5)
			return true;
	}
	return false;
}

/* The interval of the runs, 0: they are not regular. */
static int64_t interval_of(const struct finding_runs *r)
{
	int64_t interval;
	ALLOC_LOCAL int64_t *distances = NULL;
	size_t n = r->n - 1, regular = 0;

	if (r->n < RUNS_MIN && (r->n < LONG_RUNS_MIN || r->ns < (int64_t)r->n * LONG_RUN))
		return 0;
	distances = xcalloc(n, sizeof *distances);
	for (size_t i = 0; i < n; i++)
		distances[i] = r->starts[i + 1] - r->starts[i];
	qsort(distances, n, sizeof *distances, by_length);
	interval = distances[n / 2];
	for (size_t i = 0; i < n && interval <= INTERVAL_MAX; i++)
		regular += is_regular(distances[i], interval);
	return regular * 100 >= n * REGULAR_PERCENT ? interval : 0;
}

/* The function with most time that is called at regular intervals, NULL: none. *ns: the interval.
 */
static const struct finding_runs *finding_period_find(struct finding_periods *p, int64_t *ns)
{
	const struct finding_runs *best = NULL;

	*ns = 0;
	for (size_t i = 0; i < p->n; i++) {
		int64_t interval = interval_of(&p->list[i]);

		if ((p->list[i].n < RUNS_MIN && !interval) || (*ns && !interval) ||
		    (best && !*ns == !interval && p->list[i].ns <= best->ns))
			continue;
		best = &p->list[i];
		*ns = interval;
	}
	return best;
}

/* ==== finding time ==== */

int64_t finding_time_busy(const struct profile *profile, const struct lane *lane, int64_t t0,
			  int64_t t1)
{
	const struct samples *s = &lane->samples;
	int64_t ns = 0;

	if (lane_is_sampled_in(lane, t0, t1))
		return lane_worked_ns(lane);
	for (size_t i = s->n ? samples_find(s, t0) : 0; i < s->n && samples_time(s, i) < t1; i++) {
		int64_t from = samples_time(s, i) > t0 ? samples_time(s, i) : t0,
			end = samples_time(s, i + 1) < t1 ? samples_time(s, i + 1) : t1;
		node_id leaf = s->leaf[i];

		if (leaf != NODE_ROOT && end > from &&
		    profile_node_frame(profile, lane, leaf)->category != CATEGORY_IDLE)
			ns += end - from;
	}
	return ns;
}

void finding_time_init(struct finding_window *w)
{
	finding_slice_init(&w->slices, w->charge);
	finding_task_init(&w->tasks, w->charge, w->times.t0, w->times.t1, w->slices.has_tasks);
	finding_period_init(&w->periods, w->charge);
}

void finding_time_done(struct finding_window *w)
{
	free(w->slices.flags);
	free(w->slices.kinds);
	finding_tally_done(&w->slices.forced);
	finding_task_done(&w->tasks);
	for (size_t i = 0; i < w->periods.n; i++)
		free(w->periods.list[i].starts);
	free(w->periods.list);
	free(w->periods.of);
}

/* Where the trace tells tasks, a sample is cut at their ends. */
static void add_to_tasks(struct finding_window *w, const struct charge_sample *s)
{
	struct finding_piece piece;

	if (!w->slices.has_tasks)
		finding_task_add(&w->tasks, s);
	if (!w->slices.lane)
		return;
	for (int64_t t = s->t0; finding_slice_next(&w->slices, s, t, &piece); t = piece.t1)
		if (w->slices.has_tasks)
			finding_task_add_piece(&w->tasks, s, &piece);
}

bool finding_time_work(struct finding_window *w, struct budget *budget)
{
	struct charge_sample s;

	while ((w->tasks.is_on || w->slices.lane || w->periods.of) &&
	       charge_times_next(&w->times, &s)) {
		if (w->tasks.is_on || w->slices.lane)
			add_to_tasks(w, &s);
		finding_period_add(&w->periods, &s);
		if (budget_use(budget, CHARGE_TIMES_SAMPLE_WORK))
			return false;
	}
	finding_task_finish(&w->tasks);
	return true;
}

/* ==== rules ====
 *
 * Tasks, stretches and periods were collected in the pass over the samples; the place of their
 * findings is known. */

#define IDLE_MIN 5                      /* percent of the window, for periods */
#define STRETCH_PERCENT 10              /* of a stretch, for the function that fills it */
#define REACTION_LONG (200 * NS_PER_MS) /* what web-vitals does not call good */

static void set_place(struct finding_draft *d, const struct finding_task *task)
{
	d->f.t0 = task->t0;
	d->f.t1 = task->t1;
	d->has_place = true;
}

/* What to select of a finding without a function: in a lane of slices, the slice with the flag. */
static void set_slice(struct finding_window *w, struct finding_draft *d, unsigned flag)
{
	struct finding_slices *s = &w->slices;

	if (d->f.function != FRAME_NONE || s->lane != w->charge->lane)
		return;
	s->next = samples_find(&s->lane->samples, d->f.t0);
	d->f.has_span = (s->flags[s->lane->samples.leaf[s->next]] & flag) != 0;
	if (d->f.has_span)
		find_slice(s, s->lane->samples.leaf[s->next], flag, &d->f.span);
}

/* The score is by the owner with most time in all long tasks, if it has half of it. */
static void find_block(struct finding_window *w)
{
	const struct finding_tasks *t = &w->tasks;
	uint32_t owner = FRAME_NONE;
	struct finding_draft *d;
	int64_t owner_ns = 0;

	if (!t->n_long || w->times.busy <= 0)
		return;
	if (finding_tally_largest(&t->owners, &owner))
		owner_ns = t->owners.ns[owner];
	if (!charge_times_has(owner_ns, t->long_ns, 25))
		owner = FRAME_NONE;
	d = finding_window_add(w, FINDING_BLOCK, t->long_ns, 300000);
	if (charge_times_has(owner_ns, t->long_ns, 50))
		d->f.score = (int32_t)((int64_t)finding_window_share(w, owner_ns) * 9 / 10);
	d->f.function = owner;
	d->other = t->worst.entry;
	d->other_ns = owner_ns;
	d->count = t->n_long;
	set_place(d, &t->worst);
	set_slice(w, d, IN_TASK);
}

/* The input delay, if that is worth telling, or all of the reaction. */
static int64_t told_ns(const struct interaction *x)
{
	bool is_rest_short = x->delay >= x->processing || interaction_ns(x) <= REACTION_LONG;

	return x->delay >= FINDING_TASK_LONG && is_rest_short ? x->delay : interaction_ns(x);
}

static void add_input(struct finding_window *w, const struct interaction *x, const char *begin,
		      struct buf *text)
{
	buf_adds(text, begin);
	finding_name_text(w->charge->profile, x->type, text);
	buf_adds(text, told_ns(x) < interaction_ns(x) ? " waited " : " took ");
	finding_tell_length(told_ns(x), text);
}

/* The longest reaction in the window, unless the sentence of the longest task tells it. */
static void find_input(struct finding_window *w)
{
	const struct profile *p = w->charge->profile;
	const struct finding_task *task = &w->tasks.worst;
	const struct interaction *worst = NULL;
	struct finding_draft *d;
	int64_t ns;

	for (size_t i = 0; i < p->n_loads && w->charge->lane->is_page_main; i++) {
		const struct interaction *x = &p->loads[i].worst;

		/* It may begin before the first slice. */
		if (x->type && p->loads[i].input == w->charge->lane->input &&
		    x->t + x->delay >= w->times.t0 && interaction_ns(x) <= w->times.t1 - x->t &&
		    (x->delay >= FINDING_TASK_LONG || interaction_ns(x) > REACTION_LONG) &&
		    (!worst || interaction_ns(x) > interaction_ns(worst)))
			worst = x;
	}
	if (!worst)
		return;
	ns = told_ns(worst);
	d = finding_window_add(w, FINDING_INPUT, ns < w->times.busy ? ns : w->times.busy, 300000);
	d->input = worst;
	set_place(d, &(struct finding_task){ .t0 = worst->t, .t1 = worst->t + ns });
	set_slice(w, d, IN_TASK);
	for (size_t i = 0; i < w->n_drafts; i++)
		if (w->drafts[i].f.kind == FINDING_BLOCK && task->t0 <= worst->t + ns / 2 &&
		    worst->t + ns / 2 < task->t1) {
			w->drafts[i].input = worst;
			w->n_drafts--;
		}
}

static void tell_input(struct finding_window *w, const struct finding_draft *d,
		       struct finding_texts *out)
{
	add_input(w, d->input, "", &out->text);
	finding_tell_both(out, buf_text(&out->text));
	finding_tell_at(w, d->input->t, &out->text);
	if (told_ns(d->input) == interaction_ns(d->input)) {
		buf_adds(&out->text, ", processing ");
		finding_tell_length(d->input->processing, &out->text);
	}
	if (w->slices.lane)
		finding_work_tell_task(w, d, ": ", out);
}

const struct finding_rule finding_input = {
	.name = "input", .find = find_input, .tell = tell_input, .is_of_slices = true
};

static void tell_block(struct finding_window *w, const struct finding_draft *d,
		       struct finding_texts *out)
{
	int64_t worst = d->f.t1 - d->f.t0;

	buf_adds(&out->name, "blocked ");
	finding_tell_length(worst, &out->name);
	buf_adds(&out->label, buf_text(&out->name));
	buf_addf(&out->text, "blocked %s", w->tasks.is_exact ? "" : "at most ");
	finding_tell_length(worst, &out->text);
	finding_tell_at(w, d->f.t0, &out->text);
	buf_addf(&out->text, ": %u task%s of 50 ms or more, ", (unsigned)d->count,
		 d->count == 1 ? "" : "s");
	finding_name_share(w, d->f.ns, &out->text);
	buf_adds(&out->text, " of the busy time");
	if (d->f.function == FRAME_NONE) {
		if (d->other != FRAME_NONE) {
			buf_adds(&out->text, "; the longest begins in ");
			finding_name_label(w, d->other, &out->text);
		}
	} else {
		buf_addf(&out->text, "; %s of that in ",
			 units_share(d->other_ns, d->f.ns, UNITS_ROOM));
		finding_name_label(w, d->f.function, &out->text);
	}
	if (w->tasks.is_exact)
		finding_work_tell_task(w, d, "; the longest is ", out);
	if (d->input)
		add_input(w, d->input, "; ", &out->text);
}

const struct finding_rule finding_block = {
	.name = "block", .find = find_block, .tell = tell_block, .is_of_slices = true
};

static void find_stretch(struct finding_window *w)
{
	const struct finding_tasks *t = &w->tasks;
	int64_t length = t->busiest.t1 - t->busiest.t0;
	struct finding_draft *d;

	/* A stretch that is one long task is not worth a finding of its own. */
	if (length < FINDING_TASK_LONG ||
	    (t->busiest_task >= FINDING_TASK_LONG && charge_times_has(t->busiest_task, length, 80)))
		return;
	d = finding_window_add(w, FINDING_STRETCH, t->busiest.busy_ns, 0);
	d->other_ns = t->busiest.owner_ns;
	d->f.function = charge_times_has(d->other_ns, length, STRETCH_PERCENT) ? t->busiest.owner
									       : FRAME_NONE;
	d->interval = t->busiest_task;
	set_place(d, &t->busiest);
}

static void tell_stretch(struct finding_window *w, const struct finding_draft *d,
			 struct finding_texts *out)
{
	int64_t length = d->f.t1 - d->f.t0, idle = length - d->f.ns;

	finding_tell_both(out, idle > 0 ? "busy stretch" : "busy without a pause");
	buf_adds(&out->text, idle > 0 ? "busy stretch of " : "busy without a pause for ");
	finding_tell_length(length, &out->text);
	finding_tell_at(w, d->f.t0, &out->text);
	if (idle > 0)
		buf_addf(&out->text, " (%s idle in it)",
			 profile_value(w->charge->profile, idle, UNITS_ROOM));
	if (d->f.function != FRAME_NONE) {
		buf_adds(&out->text, ": ");
		finding_name_short(w, d->f.function, &out->text);
		buf_addf(&out->text, " %s", units_share(d->other_ns, length, UNITS_ROOM));
	}
	if (d->interval > 0) {
		buf_addf(&out->text, "; longest task in it %s",
			 w->tasks.is_exact ? "" : "at most ");
		finding_tell_length(d->interval, &out->text);
	}
}

const struct finding_rule finding_stretch = { .name = "stretch",
					      .find = find_stretch,
					      .tell = tell_stretch };

static void find_every(struct finding_window *w)
{
	int64_t interval, ns, length = w->times.t1 - w->times.t0;
	const struct finding_runs *r = finding_period_find(&w->periods, &interval);
	struct finding_draft *d;

	if (r)
		w->result->timer = (struct finding_timer){ r->function, interval, r->ns, r->n };
	if (!r || !charge_times_has(w->times.idle, length, IDLE_MIN) ||
	    !finding_window_is_enough(w, r->ns, w->times.n_busy))
		return;
	d = finding_window_add(w, FINDING_EVERY, r->ns, 500000);
	d->f.function = r->function;
	d->count = (uint32_t)r->n;
	d->interval = interval;
	/* Nodes that a timer's function calls. */
	d->keys.list = arena_alloc(&w->arena, w->keys.n * sizeof *d->keys.list);
	for (size_t i = 0; i < w->keys.n; i++) {
		charge_key key = w->keys.list[i];

		if (charge_of(w->charge, key)->timer == r->function)
			d->keys.list[d->keys.n++] = key;
	}
	/* Many short calls, none of which is much: the timer is the culprit. */
	finding_window_most(w, &d->keys, charge_owner, &ns);
	d->f.is_culprit = !charge_times_has(ns, d->f.ns, 50);
	if (d->f.is_culprit)
		d->f.score = finding_window_share(w, r->ns) + FINDING_TIMER_BONUS;
}

static void tell_every(struct finding_window *w, const struct finding_draft *d,
		       struct finding_texts *out)
{
	buf_adds(&out->name, d->interval ? "every " : "timer");
	if (d->interval)
		finding_tell_length(d->interval, &out->name);
	buf_addf(&out->label, "%s: ", buf_text(&out->name));
	finding_name_label(w, d->f.function, &out->label);
	buf_adds(&out->name, ": ");
	finding_name_short(w, d->f.function, &out->name);
	buf_adds(&out->text, buf_text(&out->label));
	/* Short calls are between samples, most of them. */
	if (d->interval)
		buf_addf(&out->text, ", seen %u times, %.1f ms on average, ", (unsigned)d->count,
			 (double)d->f.ns / d->count / (double)NS_PER_MS);
	else
		buf_addf(&out->text, ", seen %u times, ", (unsigned)d->count);
	finding_name_share(w, d->f.ns, &out->text);
	buf_adds(&out->text, " of the busy time");
}

static bool every_leads(const struct findings_result *r, const struct finding *f)
{
	(void)r;
	return f->is_culprit;
}

const struct finding_rule finding_every = {
	.name = "every", .find = find_every, .tell = tell_every, .leads = every_leads
};

/* The slices of a trace tell it; the samples tell for which function. */
static void find_layout(struct finding_window *w)
{
	const struct finding_slices *s = &w->slices;
	uint32_t owner = FRAME_NONE;
	struct finding_draft *d;

	if (!s->lane || !finding_window_is_enough(w, s->forced_ns, w->times.n_busy))
		return;
	finding_tally_largest(&s->forced, &owner);
	d = finding_window_add(w, FINDING_LAYOUT, s->forced_ns, 900000);
	d->f.function = owner;
	d->f.under = owner;
	d->other_ns = s->forced.ns[owner];
	if (owner == FRAME_NONE) {
		d->has_place = true;
		d->f.t0 = s->longest_forced.t0;
		d->f.t1 = s->longest_forced.t1;
		set_slice(w, d, IS_FORCED);
	}
	for (size_t i = 0; i < w->n_drafts; i++)
		if (w->drafts[i].f.kind == FINDING_OWNER && w->drafts[i].f.function == owner)
			d->keys = w->drafts[i].keys;
}

static void tell_layout(struct finding_window *w, const struct finding_draft *d,
			struct finding_texts *out)
{
	finding_tell_both(out, "forced layout");
	buf_adds(&out->text, "forced layout");
	finding_tell_share(w, d, &out->text);
	finding_tell_under(w, d, true, &out->text);
}

const struct finding_rule finding_layout = { .name = "layout",
					     .find = find_layout,
					     .tell = tell_layout,
					     .is_cause = true,
					     .is_of_slices = true };

/* ---- idle time ----
 *
 * Only lanes that can have enough busy time in the window are summed sample by sample. */

#define BUSY_PERCENT 50 /* of the window */

/* The lane of samples, other than that of the window, with most busy time in the window; *ns: that
 * time. NULL if none is busy for half of the window, or if the lanes have no common clock. */
static const struct lane *find_other_busy(const struct finding_window *w, int64_t *ns)
{
	const struct profile *profile = w->charge->profile;
	const struct lane *best = NULL;
	int64_t t0 = w->times.t0, t1 = w->times.t1, least = units_part(t1 - t0, BUSY_PERCENT, 100);

	*ns = 0;
	if (profile->has_own_zero)
		return NULL;
	for (uint32_t i = 0; i < profile->n_lanes; i++) {
		const struct lane *lane = &profile->lanes[i];
		int64_t busy;

		if (lane == w->charge->lane || lane->kind != LANE_SAMPLES ||
		    !lane_has_times(lane) || !lane->samples.n || lane_worked_ns(lane) <= least)
			continue;
		busy = finding_time_busy(profile, lane, t0, t1);
		if (busy >= least && busy > *ns) {
			*ns = busy;
			best = lane;
		}
	}
	return best;
}

static void find_idle(struct finding_window *w)
{
	struct finding_draft *d;

	if (!finding_window_is_idle(w))
		return;
	d = finding_window_add(w, FINDING_IDLE, w->times.idle, 0);
	d->f.whole = w->times.t1 - w->times.t0;
	d->f.score = 1000000;
}

/* Whether it is a server of Node.js, whose requests were not recorded. */
static bool serves(const struct profile *p)
{
	for (uint32_t i = 0; i < p->frames.n && !p->served.n; i++)
		if (strcmp(profile_text(p, p->frames.frames[i].url), "node:_http_server") == 0)
			return true;
	return false;
}

static void tell_idle(struct finding_window *w, const struct finding_draft *d,
		      struct finding_texts *out)
{
	const struct lane *lane = w->charge->lane, *other;
	int64_t busy;

	buf_adds(&out->name, "idle");
	buf_adds(&out->label, "idle");
	buf_addf(&out->text, "idle %s of %s: ", units_share(d->f.ns, d->f.whole, UNITS_ROOM),
		 units_time(d->f.whole, UNITS_ROOM));
	other = find_other_busy(w, &busy);
	w->result->has_other_busy = other != NULL;
	w->result->has_waits = !other && lane->waits;
	if (w->result->has_waits) {
		buf_adds(&out->text, "waits for ");
		finding_name_text(w->charge->profile, lane->waits, &out->text);
		buf_adds(&out->text, "; record with --requests to see which request waits");
		return;
	}
	if (!other) {
		buf_adds(&out->text, "the processor is not the bottleneck");
		if (serves(w->charge->profile))
			buf_adds(&out->text,
				 "; attach --requests records what its requests wait for");
		return;
	}
	buf_adds(&out->text, "waits; ");
	lane_name(w->charge->profile, other, other->pid != lane->pid, &out->text);
	buf_addf(&out->text, " is busy %s", units_share(busy, d->f.whole, UNITS_ROOM));
}

const struct finding_rule finding_idle = { .name = "idle", .find = find_idle, .tell = tell_idle };

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random lanes, views and ranges, compared with sums over stacks. A sample is a list of frames and
 * the time that it has inside of the range; a transform changes that list; all numbers of views,
 * totals and rows are sums over such lists. Trees are used only to read the lanes. A failure prints
 * the seed.
 *
 * What transforms do to a stack, outermost frame first:
 * - focus: what is outside of the outermost match goes; without a match the stack is dropped.
 * - keep, drop: stacks without a match, or with one, are dropped.
 * - merge: matches are taken out; a stack that has no other frame is dropped.
 * - collapse: what is inside of the outermost match goes.
 * - fold, and grouping: frames are replaced; neighbours that became the same are one.
 * - recursion: a frame that is on the stack already goes back to where it is: what is between goes.
 * The time of an empty stack belongs to no function; it stays empty and does not count as dropped.
 */
#include "config.h"

#include "suite.h"
#include "view_of.h"

#include "analyse/cover.h"
#include "analyse/rows/rows.h"
#include "analyse/totals.h"
#include "base/alloc.h"
#include "model/build/cpu_builder.h"
#include "model/build/track_builder.h"
#include "random_mix.h"
#include "random_transform.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/rows/rows_walk.c"

#define SEEDS 2500
#define VIEWS 3  /* of a profile */
#define RANGES 3 /* of a view: so 22,500 cases */
#define MAX_LANES 8
#define MAX_TRANSFORMS 4
#define MAX_ROWS 64

/* ---- stacks ---- */

struct stack {
	frame_id frame[MAX_ROWS]; /* outermost first */
	uint32_t n;
	bool is_dropped;
};

/* Copies only the rows in use: the test spends most of its time here. */
static void stack_copy(struct stack *to, const struct stack *from)
{
	memcpy(to->frame, from->frame, from->n * sizeof *to->frame);
	to->n = from->n;
	to->is_dropped = from->is_dropped;
}

/* The frames of the profile, then those that replace others. */
struct frames {
	struct frame *list;
	uint32_t n, n_own; /* own: those of the profile */
	uint32_t n_lanes;
};

static void frames_init(struct frames *fs, const struct profile *p)
{
	*fs = (struct frames){ .n = p->frames.n, .n_own = p->frames.n, .n_lanes = p->n_lanes };
	/* A frame has a name for each way to replace it, at most, and so has a lane. */
	fs->list = xmalloc(((size_t)p->frames.n * (2 + GROUP_COUNT) + p->n_lanes) *
			   sizeof *fs->list);
	memcpy(fs->list, p->frames.frames, (size_t)p->frames.n * sizeof *fs->list);
}

static bool is_match(const struct frames *fs, const struct transform *t, frame_id id)
{
	const struct frame *f = &fs->list[id];

	switch (t->by) {
	case BY_FUNCTION:
		return id == t->id;
	case BY_FILE:
		return f->url == t->id;
	case BY_PACKAGE:
		return f->package == t->id;
	case BY_CATEGORY:
		return f->category == (enum category)t->id;
	case BY_ANY_PACKAGE:
		return f->package != 0;
	case BY_OTHERS:
		return f->category != CATEGORY_APP && f->category != CATEGORY_WASM &&
			f->category != CATEGORY_EVAL && f->category <= CATEGORY_EXTENSION;
	case BY_SET:
		return id < fs->n_own && t->set.frames[id];
	case BY_ALL:
		return true;
	case BY_PATH:
		return false;
	}
	return false;
}

/* Index of the outermost match, or the height of the stack if there is none. */
static uint32_t find_match(const struct frames *fs, const struct transform *t,
			   const struct stack *s)
{
	uint32_t i = 0;

	if (t->by == BY_PATH)
		return t->n_path && t->n_path <= s->n &&
				memcmp(s->frame, t->path, t->n_path * sizeof *t->path) == 0
			? t->n_path - 1
			: s->n;
	while (i < s->n && !is_match(fs, t, s->frame[i]))
		i++;
	return i;
}

/* Whether the time of a stack is that of a match: of states, the innermost says. */
static bool is_inside(const struct frames *fs, const struct transform *t, const struct stack *s)
{
	bool of_states = t->by == BY_CATEGORY &&
		(t->id == CATEGORY_IDLE || t->id == CATEGORY_PROGRAM || t->id == CATEGORY_GC);

	for (uint32_t i = s->n; of_states && i-- > 0;) {
		enum category c = fs->list[s->frame[i]].category;

		if (c == CATEGORY_IDLE || c == CATEGORY_PROGRAM || c == CATEGORY_GC)
			return c == (enum category)t->id;
	}
	return find_match(fs, t, s) < s->n;
}

static frame_id found_frame(struct frames *fs, const struct frame *made)
{
	for (frame_id f = fs->n_own; f < fs->n; f++) {
		const struct frame *is = &fs->list[f];

		if (is->name == made->name && is->url == made->url && is->script == made->script &&
		    is->package == made->package && is->category == made->category)
			return f;
	}
	fs->list[fs->n] = *made;
	return fs->n++;
}

static frame_id made_frame(struct frames *fs, str_id name, str_id package, enum category category)
{
	return found_frame(
		fs, &(struct frame){ .name = name, .package = package, .category = category });
}

static frame_id replaced(const struct profile *p, struct frames *fs, frame_id id,
			 enum view_group group)
{
	struct frame f = fs->list[id];
	str_id kind = p->category_names[f.category];

	if (f.category == CATEGORY_IDLE || f.category == CATEGORY_PROGRAM ||
	    f.category == CATEGORY_GC)
		return id;
	switch (group) {
	case GROUP_FILE:
		return made_frame(fs, f.url ? f.url : kind, 0, f.category);
	case GROUP_PACKAGE:
		return made_frame(fs, f.package ? f.package : kind, f.package, f.category);
	case GROUP_CATEGORY:
		return made_frame(fs, kind, 0, f.category);
	case GROUP_ORIGIN:
		return f.origin ? made_frame(fs, f.origin, 0, CATEGORY_APP)
				: made_frame(fs, kind, 0, f.category);
	case GROUP_NAME:
		f.script = f.url ? 0 : f.script;
		return found_frame(fs, &f);
	default:
		return id;
	}
}

/* t: which frames; NULL: all. */
static void replace(const struct profile *p, struct frames *fs, const struct transform *t,
		    enum view_group group, struct stack *s)
{
	struct stack in;
	bool was_new = false;

	stack_copy(&in, s);
	s->n = 0;
	for (uint32_t i = 0; i < in.n; i++) {
		frame_id f = !t || is_match(fs, t, in.frame[i])
			? replaced(p, fs, in.frame[i], group)
			: in.frame[i];
		bool is_new = f != in.frame[i];

		if (group == GROUP_NAME ||
		    !(s->n && s->frame[s->n - 1] == f && (is_new || was_new)))
			s->frame[s->n++] = f;
		was_new = is_new;
	}
}

static void take_out(const struct frames *fs, const struct transform *t, struct stack *s)
{
	struct stack in;

	stack_copy(&in, s);
	s->n = 0;
	for (uint32_t i = 0; i < in.n; i++)
		if (!is_match(fs, t, in.frame[i]))
			s->frame[s->n++] = in.frame[i];
}

static void go_back(const struct frames *fs, const struct transform *t, struct stack *s)
{
	struct stack in;

	stack_copy(&in, s);
	s->n = 0;
	for (uint32_t i = 0; i < in.n; i++) {
		uint32_t at = s->n;

		for (uint32_t k = 0; k < s->n && is_match(fs, t, in.frame[i]); k++)
			if (s->frame[k] == in.frame[i])
				at = k;
		s->frame[at] = in.frame[i];
		s->n = at + 1;
	}
}

static void change(const struct profile *p, struct frames *fs, const struct transform *t,
		   struct stack *s)
{
	uint32_t n = s->n, first = find_match(fs, t, s);

	switch (t->kind) {
	case TRANSFORM_FOCUS:
		s->n = n - first;
		memmove(s->frame, s->frame + first, s->n * sizeof *s->frame);
		s->is_dropped |= s->n == 0;
		break;
	case TRANSFORM_KEEP:
		s->is_dropped |= !is_inside(fs, t, s);
		break;
	case TRANSFORM_DROP:
		s->is_dropped |= is_inside(fs, t, s);
		break;
	case TRANSFORM_MERGE:
		take_out(fs, t, s);
		s->is_dropped |= n > 0 && s->n == 0;
		break;
	case TRANSFORM_COLLAPSE:
		s->n = first < n ? first + 1 : n;
		break;
	case TRANSFORM_FOLD:
		replace(p, fs, t, t->by == BY_CATEGORY ? GROUP_CATEGORY : GROUP_PACKAGE, s);
		break;
	case TRANSFORM_RECURSION:
		go_back(fs, t, s);
		break;
	case TRANSFORM_DURING:
	case TRANSFORM_COUNT:
		break;
	}
}

/* ---- a case ---- */

struct kase {
	struct profile *p;
	const struct lane *lanes[MAX_LANES];
	uint32_t n_lanes;
	struct transform transforms[MAX_TRANSFORMS];
	size_t n_transforms;
	enum view_group group;
	uint8_t *sets[MAX_TRANSFORMS];
	frame_id *paths[MAX_TRANSFORMS];
	struct frames frames;
	frame_id *known; /* by frame of the view: frame here */
	struct view view;
	struct totals totals;
	int64_t t0, t1;
};

static const char *label(const struct kase *k)
{
	static char text[1000];
	struct buf out = { 0 };

	for (size_t i = 0; i < k->n_transforms; i++) {
		transform_describe(k->p, &k->transforms[i], &out);
		buf_adds(&out, ", ");
	}
	snprintf(text, sizeof text, "seed %d: %u lanes, %s by %s, [%" PRId64 ", %" PRId64 ")", seed,
		 k->n_lanes, out.data ? out.data : "", view_group_word(k->group), k->t0, k->t1);
	buf_done(&out);
	return text;
}

#define SAME(kase, what, is, expected)                                                             \
	do {                                                                                       \
		int64_t is_ = (int64_t)(is), expected_ = (int64_t)(expected);                      \
		if (is_ != expected_)                                                              \
			ck_abort_msg("%s: %s is %" PRId64 ", by stacks %" PRId64, label(kase),     \
				     what, is_, expected_);                                        \
	} while (0)

/* All frames but idle time, program and garbage collection are their thread or track. */
static void replace_by_lane(struct kase *k, const struct lane *l, struct stack *s)
{
	struct stack in;

	while (l > k->p->lanes && l->is_joined && l[-1].kind == l->kind)
		l--;
	stack_copy(&in, s);
	s->n = 0;
	for (uint32_t i = 0; i < in.n; i++) {
		enum category category = k->frames.list[in.frame[i]].category;
		bool is_pseudo = category == CATEGORY_IDLE || category == CATEGORY_PROGRAM ||
			category == CATEGORY_GC;
		frame_id f = is_pseudo ? in.frame[i]
				       : made_frame(&k->frames, l->name, 0, CATEGORY_LANE);

		if (is_pseudo || s->n == 0 || s->frame[s->n - 1] != f)
			s->frame[s->n++] = f;
	}
}

static void all_changes(struct kase *k, const struct lane *l, struct stack *s)
{
	for (size_t i = 0; i < k->n_transforms; i++)
		change(k->p, &k->frames, &k->transforms[i], s);
	if (k->group == GROUP_LANE)
		replace_by_lane(k, l, s);
	else if (k->group != GROUP_FUNCTION)
		replace(k->p, &k->frames, NULL, k->group, s);
}

/* The stack of a node of a lane, as it is recorded. */
static void stack_of(const struct lane *l, node_id node, struct stack *s)
{
	s->is_dropped = false;
	s->n = l->tree.rows[node];
	if (s->n >= MAX_ROWS)
		ck_abort_msg("seed %d: %u rows", seed, s->n);
	for (uint32_t i = s->n; i-- > 0; node = l->tree.parent[node])
		s->frame[i] = l->tree.frame[node];
}

/* Map the frames of the view to the frames here. */
static void know_frames(struct kase *k)
{
	free(k->known);
	k->known = xmalloc(k->view.n_frames * sizeof *k->known);
	for (frame_id f = 0; f < k->view.n_frames; f++) {
		const struct frame *is = &k->view.frames[f];

		k->known[f] = f < k->p->frames.n ? f : found_frame(&k->frames, is);
		for (frame_id g = k->p->frames.n; g < f; g++)
			if (k->known[g] == k->known[f])
				ck_abort_msg("%s: frames %u and %u are the same", label(k), g, f);
	}
}

/* The path to a random node of the view as it is now; ids are those of the view. */
static void pick_path(struct kase *k, struct transform *t, size_t i)
{
	const struct calltree *tree;
	node_id node;

	view_of(&k->view, k->p, k->lanes, k->n_lanes, k->transforms, i, GROUP_FUNCTION);
	tree = k->view.tree;
	node = tree && tree->n ? (node_id)below(tree->n) : NODE_ROOT;
	t->n_path = tree && tree->n ? tree->rows[node] : 0;
	k->paths[i] = xmalloc((t->n_path + 1) * sizeof *k->paths[i]);
	for (uint32_t row = t->n_path; row-- > 0; node = tree->parent[node])
		k->paths[i][row] = tree->frame[node];
	if (t->n_path && below(8) == 0)
		k->paths[i][below(t->n_path)] = (frame_id)below(k->view.n_frames);
	t->path = k->paths[i];
	view_done(&k->view);
}

static void pick_transform(struct kase *k, size_t i)
{
	struct transform *t = &k->transforms[i];

	random_transform(k->p, t, &k->sets[i]);
	if (t->by == BY_PATH)
		pick_path(k, t, i);
}

static void pick_view(struct kase *k, struct profile *p, bool is_plain)
{
	*k = (struct kase){ .p = p };
	/* Lanes are told apart by their names here, some are more rows of the one before. */
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		char name[24];

		snprintf(name, sizeof name, "lane %u", (unsigned)i);
		p->lanes[i].name = intern_adds(&p->strings, name);
		p->lanes[i].is_joined = i > 0 && below(4) == 0;
		/* Operations overlap; check_slice_overlaps has the time of joined lanes. */
		forget_slice_time(&p->lanes[i]);
	}
	for (uint32_t i = 0; i < p->n_lanes && k->n_lanes < MAX_LANES; i++)
		if (below(4))
			k->lanes[k->n_lanes++] = &p->lanes[i];
	if (!is_plain) {
		size_t n = below(MAX_TRANSFORMS + 1);

		for (; k->n_transforms < n; k->n_transforms++)
			pick_transform(k, k->n_transforms);
		/* check_event_cats has the groups of event categories. */
		k->group = below(2) ? GROUP_FUNCTION : (enum view_group)below(GROUP_EVENT_CAT);
		if (k->group == GROUP_CATEGORY && below(2))
			k->group = GROUP_NAME;
	}
	view_of(&k->view, p, k->lanes, k->n_lanes, k->transforms, k->n_transforms, k->group);
	frames_init(&k->frames, p);
	know_frames(k);
	/* Paths are of the view; stacks want what is known here. Ids stay when transforms come
	 * after. */
	for (size_t i = 0; i < k->n_transforms; i++)
		for (uint32_t row = 0; k->paths[i] && row < k->transforms[i].n_path; row++)
			k->paths[i][row] = k->known[k->paths[i][row]];
	totals_init(&k->totals, &k->view);
}

static void drop_view(struct kase *k)
{
	totals_done(&k->totals);
	view_done(&k->view);
	for (size_t i = 0; i < MAX_TRANSFORMS; i++) {
		free(k->sets[i]);
		free(k->paths[i]);
	}
	free(k->frames.list);
	free(k->known);
}

static void pick_range(struct kase *k, int i)
{
	int64_t len = k->p->t1 + 20;

	k->t0 = (int64_t)below((uint64_t)len) - 10;
	k->t1 = k->t0 + 1 + (int64_t)below((uint64_t)len);
	if (i == 0) {
		k->t0 = below(2) ? 0 : -5;
		k->t1 = below(2) ? k->p->t1 : len;
	} else if (k->n_lanes && below(2)) {
		const struct samples *s = &k->lanes[below(k->n_lanes)]->samples;

		if (s->n) {
			k->t0 = samples_time(s, below(s->n + 1));
			k->t1 = samples_time(s, below(s->n + 1));
		}
	}
	if (k->t1 <= k->t0)
		k->t1 = k->t0 + 1;
}

/* ---- sums over stacks ---- */

/* Times by list of frames, a node each. Node 0 is the empty list. */
struct path {
	uint32_t first, next;
	frame_id frame;
	int64_t self, total;
};

struct paths {
	struct path *list;
	uint32_t n;
	size_t cap;
};

static void paths_init(struct paths *ps)
{
	*ps = (struct paths){ 0 };
	ps->list = xgrow(NULL, &ps->cap, 1, sizeof *ps->list);
	ps->list[0] = (struct path){ 0 };
	ps->n = 1;
}

/* 0: there is none. */
static uint32_t find_path(const struct paths *ps, uint32_t above, frame_id frame)
{
	uint32_t at = ps->list[above].first;

	while (at && ps->list[at].frame != frame)
		at = ps->list[at].next;
	return at;
}

static uint32_t need_path(struct paths *ps, uint32_t above, frame_id frame)
{
	uint32_t at = find_path(ps, above, frame);

	if (at)
		return at;
	ps->list = xgrow(ps->list, &ps->cap, (size_t)ps->n + 1, sizeof *ps->list);
	ps->list[ps->n] = (struct path){ .next = ps->list[above].first, .frame = frame };
	ps->list[above].first = ps->n;
	return ps->n++;
}

struct truth {
	struct paths down, up; /* up: innermost first */
	int64_t *self, *total; /* by frame */
	uint64_t *spans, *self_samples;
	uint8_t *is_used;
	int64_t sampled, root, dropped, all, idle;
};

static void truth_init(struct truth *t, const struct frames *fs)
{
	size_t n = (size_t)fs->n_own * (2 + GROUP_COUNT) + fs->n_lanes;

	*t = (struct truth){ 0 };
	paths_init(&t->down);
	paths_init(&t->up);
	t->self = xcalloc(n, sizeof *t->self);
	t->total = xcalloc(n, sizeof *t->total);
	t->spans = xcalloc(n, sizeof *t->spans);
	t->self_samples = xcalloc(n, sizeof *t->self_samples);
	t->is_used = xcalloc(n, 1);
}

static void truth_done(struct truth *t)
{
	free(t->down.list);
	free(t->up.list);
	free(t->self);
	free(t->total);
	free(t->spans);
	free(t->self_samples);
	free(t->is_used);
}

static bool is_outermost(const struct stack *s, uint32_t at)
{
	for (uint32_t i = 0; i < at; i++)
		if (s->frame[i] == s->frame[at])
			return false;
	return true;
}

/* The time of the function at index `from`, by caller. */
static void add_callers(struct truth *t, const struct stack *s, uint32_t from, int64_t self,
			int64_t total)
{
	for (uint32_t i = from + 1, at = 0; i-- > 0;) {
		at = need_path(&t->up, at, s->frame[i]);
		t->up.list[at].self += self;
		t->up.list[at].total += total;
	}
}

static void count_time(struct truth *t, const struct kase *k, const struct stack *s, int64_t ns)
{
	uint32_t at = 0;
	frame_id top;

	if (s->is_dropped || s->n == 0 || ns == 0)
		return;
	top = s->frame[s->n - 1];
	for (uint32_t i = 0; i < s->n; i++) {
		at = need_path(&t->down, at, s->frame[i]);
		t->down.list[at].total += ns;
		if (is_outermost(s, i)) {
			t->total[s->frame[i]] += ns;
			add_callers(t, s, i, 0, ns);
		}
	}
	t->down.list[at].self += ns;
	add_callers(t, s, s->n - 1, ns, 0);
	t->self[top] += ns;
	t->sampled += ns;
	if (k->frames.list[top].category == CATEGORY_IDLE)
		t->idle += ns;
}

/* Rows that stay open between samples i and i + 1: the two have the same frames there. Where slices
 * of one name touch, what was open on both sides before anything changed must have them, too. */
static uint32_t kept_rows(struct kase *k, const struct lane *l, size_t i, const struct stack *a,
			  const struct stack *b)
{
	struct stack before, after;
	uint32_t n = 0, same = 0;

	if (a->is_dropped || b->is_dropped)
		return 0;
	while (n < a->n && n < b->n && a->frame[n] == b->frame[n])
		n++;
	/* Nodes with one frame and one parent are joined, except siblings of a file. */
	if (l->kind == LANE_SAMPLES && k->view.sources[0].map && !l->has_siblings)
		return n;
	stack_of(l, l->samples.leaf[i], &before);
	stack_of(l, l->samples.leaf[i + 1], &after);
	while (same < before.n && same < after.n && before.frame[same] == after.frame[same])
		same++;
	if (samples_shared(&l->samples, i) < same) {
		before.n = samples_shared(&l->samples, i);
		all_changes(k, l, &before);
		for (same = 0; same < n && same < before.n && before.frame[same] == a->frame[same];
		     same++)
			;
		n = same;
	}
	return n;
}

/* A sample that was made from hit counts stands for its hits. */
static uint64_t hits_of(const struct lane *l, size_t i)
{
	const struct samples *s = &l->samples;

	return l->hit_ns ? (uint64_t)((samples_time(s, i + 1) - samples_time(s, i)) / l->hit_ns)
			 : 1;
}

static void count_lane(struct truth *t, struct kase *k, const struct lane *l)
{
	const struct samples *s = &l->samples;
	bool is_counted[MAX_ROWS] = { false }; /* by row: the span that is open there */
	int64_t t_end = s->n && k->t1 >= samples_time(s, s->n) ? INT64_MAX : k->t1;
	struct stack last = { .n = 0 };

	for (size_t i = 0; i < s->n; i++) {
		int64_t from = samples_time(s, i) > k->t0 ? samples_time(s, i) : k->t0,
			to = samples_time(s, i + 1) < k->t1 ? samples_time(s, i + 1) : k->t1,
			ns = to > from ? to - from : 0;
		bool is_in = samples_time(s, i) < t_end &&
			(samples_time(s, i) >= k->t0 || samples_time(s, i + 1) > k->t0),
		     has_spans;
		struct stack st;

		stack_of(l, s->leaf[i], &st);
		t->all += ns;
		if (st.n == 0)
			t->root += ns;
		all_changes(k, l, &st);
		if (st.is_dropped && s->leaf[i] != NODE_ROOT)
			t->dropped += ns;
		count_time(t, k, &st, ns);
		/* What a trace states counts even if it has no time. */
		has_spans = is_in && !st.is_dropped &&
			(l->kind != LANE_SAMPLES || samples_time(s, i + 1) > samples_time(s, i));
		for (uint32_t row = i ? kept_rows(k, l, i - 1, &last, &st) : 0;
		     row < MAX_ROWS && (row < last.n || row < st.n); row++)
			is_counted[row] = false;
		for (uint32_t row = 0; row < st.n && has_spans; row++) {
			t->spans[st.frame[row]] += !is_counted[row];
			is_counted[row] = true;
		}
		for (uint32_t row = 0; row < st.n && is_in && !st.is_dropped; row++)
			t->is_used[st.frame[row]] = 1;
		if (is_in && !st.is_dropped && st.n)
			t->self_samples[st.frame[st.n - 1]] += hits_of(l, i);
		stack_copy(&last, &st);
	}
}

/* ---- comparing ---- */

static void check_totals(const struct kase *k, const struct truth *t)
{
	const struct totals *totals = &k->totals;
	struct totals_counts counts;
	int64_t self = 0;
	uint32_t used = 0;

	totals_counts(totals, &counts);
	for (frame_id f = 1; f < k->view.n_frames; f++) {
		frame_id g = k->known[f];

		SAME(k, "self of a function", totals->frame_self[f], t->self[g]);
		SAME(k, "total of a function", totals->frame_total[f], t->total[g]);
		SAME(k, "count of spans", counts.spans[f], t->spans[g]);
		SAME(k, "count of samples", counts.self_samples[f], t->self_samples[g]);
		SAME(k, "use", counts.is_used[f], t->is_used[g]);
		self += totals->frame_self[f];
		used += t->total[g] > 0;
	}
	totals_counts_done(&counts);
	SAME(k, "number of functions", totals->n_used, used);
	SAME(k, "time of no function",
	     totals->frame_self[FRAME_NONE] + totals->frame_total[FRAME_NONE], 0);
	SAME(k, "sampled time", totals->sampled_ns, t->sampled);
	SAME(k, "idle time", totals->idle_ns, t->idle);
	SAME(k, "dropped time", totals->dropped_ns, t->dropped);
	SAME(k, "sum", self + totals->dropped_ns + t->root, t->all);
}

static void check_nodes(const struct kase *k, const struct truth *t)
{
	const struct calltree *tree = k->view.tree;
	uint32_t *at, n_found = 0;

	if (!tree)
		return;
	at = xcalloc((size_t)tree->n + 1, sizeof *at);
	for (node_id i = 1; i < tree->n; i++) {
		node_id above = tree->parent[i];
		const struct path *path;

		if (above == NODE_ROOT || at[above])
			at[i] = find_path(&t->down, at[above], k->known[tree->frame[i]]);
		path = &t->down.list[at[i]];
		SAME(k, "self of a node", k->totals.self[i], at[i] ? path->self : 0);
		SAME(k, "total of a node", k->totals.total[i], at[i] ? path->total : 0);
		n_found += at[i] != 0;
	}
	SAME(k, "number of nodes", n_found, t->down.n - 1);
	free(at);
}

/* A walk through all rows gives those of a table in which all are open. is_in_order: the way for
 * deep stacks. */
static void check_walk(const struct kase *k, const struct rows *all, bool is_in_order)
{
	struct rows_walk walk = { 0 };
	const struct row *row;
	struct rows rows;
	uint64_t n_left = 0;
	size_t n = 0;

	rows_init(&rows, &k->totals, all->kind,
		  (enum rows_sort)(all->sort | (all->is_reversed ? ROWS_REVERSED : 0)), FRAME_NONE);
	if (is_in_order && rows.n) {
		rows.order = rows_order_new(&k->totals);
		rows.is_weighed = true;
	}
	for (size_t i = 0; i < rows.n; i++) {
		rows_walk_begin(&walk, &rows, i);
		while ((row = rows_walk_next(&walk))) {
			SAME(k, "frame of a row of the walk", row->frame, all->rows[n].frame);
			SAME(k, "depth of a row of the walk", row->depth, all->rows[n].depth);
			SAME(k, "self of a row of the walk", row->self, all->rows[n].self);
			SAME(k, "total of a row of the walk", row->total, all->rows[n].total);
			n++;
		}
		SAME(k, "rows after the walk", rows_walk_skip(&walk), 0);
	}
	SAME(k, "number of rows of the walk", n, all->n);
	for (size_t i = 0; i < rows.n; i++) {
		rows_walk_begin(&walk, &rows, i);
		for (size_t first = below(4); first > 0 && rows_walk_next(&walk); first--)
			n_left++;
		n_left += rows_walk_skip(&walk);
	}
	SAME(k, "number of rows skipped", n_left, all->n);
	/* A walk that passes over what is below some rows. */
	n = 0;
	for (size_t i = 0; i < rows.n; i++) {
		for (rows_walk_begin(&walk, &rows, i); (row = rows_walk_next(&walk));) {
			SAME(k, "frame of a row passed", row->frame, all->rows[n].frame);
			SAME(k, "depth of a row passed", row->depth, all->rows[n].depth);
			n++;
			if (below(3))
				continue;
			rows_walk_pass(&walk);
			while (n < all->n && all->rows[n].depth > row->depth)
				n++;
		}
	}
	SAME(k, "number of rows with those passed", n, all->n);
	rows_walk_done(&walk);
	rows_done(&rows);
}

/* Rows that are closed and opened again are the same. */
static void check_opened_again(const struct kase *k, struct rows *rows)
{
	struct row *before = xmalloc((rows->n + 1) * sizeof *before);
	size_t n = rows->n, at = n ? below(n) : 0;

	for (size_t i = 0; i < n; i++)
		before[i] = rows->rows[i];
	rows_close(rows, at);
	for (size_t i = at; i < rows->n && (i == at || rows->rows[i].depth > before[at].depth); i++)
		rows_open(rows, i);
	SAME(k, "number of rows opened again", rows->n, n);
	for (size_t i = 0; i < n; i++) {
		SAME(k, "frame of a row opened again", rows->rows[i].frame, before[i].frame);
		SAME(k, "self of a row opened again", rows->rows[i].self, before[i].self);
		SAME(k, "total of a row opened again", rows->rows[i].total, before[i].total);
	}
	free(before);
}

/* Open all rows; each must be in the paths. */
static void check_rows(const struct kase *k, const struct paths *ps, enum rows_kind kind,
		       enum rows_sort sort)
{
	uint32_t at[MAX_ROWS + 1] = { 0 };
	int64_t sum = 0;
	struct rows rows;

	rows_init(&rows, &k->totals, kind, sort, FRAME_NONE);
	for (size_t i = 0; i < rows.n; i++) {
		size_t n = rows.n;
		const struct row *row = &rows.rows[i];
		int depth = row->depth;
		const struct path *path;

		at[depth + 1] = find_path(ps, at[depth], k->known[row->frame]);
		SAME(k, "presence of a row", at[depth + 1] != 0, true);
		path = &ps->list[at[depth + 1]];
		SAME(k, "self of a row", row->self, path->self);
		SAME(k, "total of a row", row->total, path->total);
		SAME(k, "whether a row opens", row->can_open, path->first != 0);
		sum += kind == ROWS_TOPDOWN || depth == 0 ? row->self : 0;
		rows_open(&rows, i);
		SAME(k, "whether a row opened", rows.n > n, path->first != 0);
	}
	SAME(k, "number of rows", rows.n, ps->n - 1);
	SAME(k, "sum of rows", sum, k->totals.sampled_ns);
	check_walk(k, &rows, false);
	if (kind == ROWS_BOTTOMUP && k->view.tree)
		check_walk(k, &rows, true);
	check_opened_again(k, &rows);
	rows_done(&rows);
}

/* Columns of the chart, where the view is as wide as the lanes. */
static void check_cover(const struct kase *k)
{
	int64_t rows[MAX_ROWS] = { 0 };
	const struct calltree *tree = k->view.tree;

	for (node_id i = 1; tree && i < tree->n; i++)
		rows[tree->rows[i] - 1] += k->totals.total[i];
	for (uint32_t i = 0; i < k->n_lanes; i++) {
		struct cover *cover;
		const struct cover_cell *cells;
		int n;

		if (k->lanes[i]->tree.n == 0)
			continue;
		cover = cover_new(k->lanes[i]);
		cells = cover_column(cover, k->t0, k->t1, &n);
		for (int row = 0; row < n; row++)
			rows[row] -= cells[row].all_ns;
		cover_free(cover);
	}
	for (int row = 0; row < MAX_ROWS; row++)
		SAME(k, "difference between chart and totals", rows[row], 0);
}

static void check_range(struct kase *k)
{
	struct truth t;

	truth_init(&t, &k->frames);
	for (uint32_t i = 0; i < k->n_lanes; i++)
		count_lane(&t, k, k->lanes[i]);
	/* At once or step by step; sometimes after another range that is given up half-way. */
	if (below(2)) {
		totals_compute(&k->totals, k->t0, k->t1);
	} else {
		totals_begin(&k->totals, 0, INT64_MAX);
		for (uint64_t i = below(4); i > 0 && !totals_step(&k->totals, a_step()); i--)
			;
		totals_begin(&k->totals, k->t0, k->t1);
		while (!totals_step(&k->totals, a_step()))
			;
	}
	check_totals(k, &t);
	check_nodes(k, &t);
	if (k->view.tree) {
		check_rows(k, &t.down, ROWS_TOPDOWN, (enum rows_sort)below(3));
		check_rows(k, &t.up, ROWS_BOTTOMUP, (enum rows_sort)below(3));
	}
	if (k->n_transforms == 0 && k->group == GROUP_FUNCTION && below(4) == 0)
		check_cover(k);
	truth_done(&t);
}

static void check_profile(struct profile *p)
{
	for (int v = 0; v < VIEWS; v++) {
		struct kase k;

		pick_view(&k, p, v == 0 && below(4) == 0);
		for (int r = 0; r < RANGES; r++) {
			pick_range(&k, r);
			check_range(&k);
		}
		drop_view(&k);
	}
	profile_free(p);
}

START_TEST(random_views)
{
	random_mix_loop(_i, check_profile);
}
END_TEST

START_TEST(random_views_of_blocks)
{
	random_long_mix_loop(_i, check_profile);
}
END_TEST

/* ---- small cases, written by hand ---- */

/* The node of the call at the start of `stack`, up to a blank. p/x is a function of package p. */
static uint32_t add_stack(struct builder *b, const char *stack, uint32_t *n_nodes)
{
	uint32_t above = 1;

	while (*stack && *stack != ' ') {
		size_t len = strcspn(stack, "; ");
		const char *slash = memchr(stack, '/', len);
		char url[80] = "file:///main.js";
		uint32_t frame, node;

		if (slash)
			snprintf(url, sizeof url, "/node_modules/%.*s/index.js",
				 (int)(slash - stack), stack);
		frame = cpu_builder_frame(b,
					  &(struct cpu_frame){ stack, len, url,
							       *stack == '(' ? 0 : strlen(url), "0",
							       1, 0, 0 });
		node = cpu_builder_node(b, cpu_builder_slot(b, ++*n_nodes), frame, -1);
		cpu_builder_parent(b, node, cpu_builder_slot(b, above));
		above = *n_nodes;
		stack += len + (stack[len] == ';');
	}
	return above;
}

/* A lane with these stacks one after the other: `a;b 5 a 3` is 5 ns of b in a, then 3 of a. */
static struct profile *given(const char *stacks)
{
	struct builder *b = builder_new(&(struct builder_options){ .is_raw = true });
	struct error err = ERROR_INIT;
	uint32_t n_nodes = 1;
	int64_t ns = 0;
	struct profile *p;

	builder_input(b, "given");
	cpu_builder_begin(b);
	cpu_builder_form(b, CPU_AS_RECORDED);
	cpu_builder_node(
		b, cpu_builder_slot(b, 1),
		cpu_builder_frame(b, &(struct cpu_frame){ "(root)", 6, "", 0, "0", 1, -1, -1 }),
		-1);
	cpu_builder_start_time(b, 0);
	cpu_builder_deltas(b, &ns, 1);
	while (*stacks) {
		uint32_t slot = cpu_builder_slot(b, add_stack(b, stacks, &n_nodes));
		char *end;

		ns = strtoll(stacks + strcspn(stacks, " "), &end, 10);
		stacks = end + strspn(end, " ");
		cpu_builder_samples(b, &slot, 1);
		cpu_builder_deltas(b, &ns, 1);
	}
	ck_assert(cpu_builder_end(b, 1, 0, &err));
	p = builder_finish(b, &err);
	ck_assert_ptr_nonnull(p);
	return p;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* The stacks of a view in the order of the alphabet, and what was dropped. */
static void check_seen(const struct view *v, const char *expect)
{
	struct buf all = { 0 };
	char lines[20][100];
	size_t n = 0;
	struct totals totals;

	totals_init(&totals, v);
	totals_compute(&totals, 0, INT64_MAX);
	for (node_id i = 1; i < v->tree->n; i++) {
		const char *names_up[MAX_ROWS];
		size_t depth = 0, len = 0;

		if (totals.self[i] == 0)
			continue;
		for (node_id k = i; k != NODE_ROOT; k = v->tree->parent[k])
			names_up[depth++] = profile_text(v->profile,
							 v->frames[v->tree->frame[k]].name);
		while (depth-- > 0)
			len += (size_t)snprintf(lines[n] + len, sizeof lines[n] - len, "%s%c",
						names_up[depth], depth ? ';' : ' ');
		snprintf(lines[n++] + len, sizeof lines[0] - len, "%" PRId64, totals.self[i]);
	}
	qsort(lines, n, sizeof lines[0], by_text);
	for (size_t i = 0; i < n; i++)
		buf_addf(&all, "%s, ", lines[i]);
	buf_addf(&all, "dropped %" PRId64, totals.dropped_ns);
	ck_assert_str_eq(buf_text(&all), expect);
	buf_done(&all);
	totals_done(&totals);
}

/* A frame or a text by name; 0: there is none. */
static uint32_t named(const struct profile *p, enum transform_by by, const char *name)
{
	str_id text = 0;

	while (text < p->strings.n && strcmp(profile_text(p, text), name) != 0)
		text++;
	if (by == BY_PACKAGE || by == BY_FILE)
		return text;
	for (frame_id f = 1; f < p->frames.n; f++)
		if (p->frames.frames[f].name == text)
			return f;
	return FRAME_NONE;
}

struct step_case {
	const char *stacks;
	struct {
		enum transform_kind kind;
		enum transform_by by;
		const char *name;
	} steps[3];
	size_t n;
	enum view_group group;
	const char *expect;
};

static const struct step_case step_cases[] = {
	{ "a;b;c 1 d;b 2 a 4",
	  { { TRANSFORM_FOCUS, BY_FUNCTION, "b" } },
	  1,
	  GROUP_FUNCTION,
	  "b 2, b;c 1, dropped 4" },
	{ "a;b;a;b 1 a 2",
	  { { TRANSFORM_FOCUS, BY_FUNCTION, "b" } },
	  1,
	  GROUP_FUNCTION,
	  "b;a;b 1, dropped 2" },
	{ "a;b 1 a 2 b 4",
	  { { TRANSFORM_FOCUS, BY_FUNCTION, "missing" } },
	  1,
	  GROUP_FUNCTION,
	  "dropped 7" },
	{ "a;b;c 1 d;b 2 a 4",
	  { { TRANSFORM_KEEP, BY_FUNCTION, "b" } },
	  1,
	  GROUP_FUNCTION,
	  "a;b;c 1, d;b 2, dropped 4" },
	{ "a;b;c 1 d;b 2 a 4",
	  { { TRANSFORM_DROP, BY_FUNCTION, "b" } },
	  1,
	  GROUP_FUNCTION,
	  "a 4, dropped 3" },
	{ "a;b 1 (idle) 2 a 4",
	  { { TRANSFORM_DROP, BY_FUNCTION, "(idle)" } },
	  1,
	  GROUP_FUNCTION,
	  "a 4, a;b 1, dropped 2" },
	{ "a;b;c 1 a;c 2 b 4",
	  { { TRANSFORM_MERGE, BY_FUNCTION, "b" } },
	  1,
	  GROUP_FUNCTION,
	  "a;c 3, dropped 4" },
	{ "a;b 1 a 2 b 4", { { TRANSFORM_MERGE, BY_ALL, "" } }, 1, GROUP_FUNCTION, "dropped 7" },
	{ "a;b;c 1 a;c 2 b 4",
	  { { TRANSFORM_COLLAPSE, BY_FUNCTION, "b" } },
	  1,
	  GROUP_FUNCTION,
	  "a;b 1, a;c 2, b 4, dropped 0" },
	{ "a;b;a;c 1 a;a 2",
	  { { TRANSFORM_RECURSION, BY_ALL, "" } },
	  1,
	  GROUP_FUNCTION,
	  "a 2, a;c 1, dropped 0" },
	{ "a;b;a;b;c 1 b;b 2",
	  { { TRANSFORM_RECURSION, BY_FUNCTION, "b" } },
	  1,
	  GROUP_FUNCTION,
	  "a;b;c 1, b 2, dropped 0" },
	/* b stays, where the way back has left it, for what comes after. */
	{ "a;b;a;c 1 a;b;d 2 a;b;a;b 4",
	  { { TRANSFORM_RECURSION, BY_ALL, "" } },
	  1,
	  GROUP_FUNCTION,
	  "a;b 4, a;b;d 2, a;c 1, dropped 0" },
	{ "a;p/x;p/y;q/z 1 a;p/y;a;p/x 2",
	  { { TRANSFORM_FOLD, BY_ANY_PACKAGE, "" } },
	  1,
	  GROUP_FUNCTION,
	  "a;p;a;p 2, a;p;q 1, dropped 0" },
	{ "a;p/x;b;p/y;q/z 1 p/x;a 2 p/y 4 a;b 8",
	  { { TRANSFORM_MERGE, BY_OTHERS, "" } },
	  1,
	  GROUP_FUNCTION,
	  "a 2, a;b 9, dropped 4" },
	{ "p/x;p/y;q/z 1 p/y;p/x 2",
	  { { TRANSFORM_FOLD, BY_FUNCTION, "p/x" }, { TRANSFORM_FOLD, BY_FUNCTION, "p/y" } },
	  2,
	  GROUP_FUNCTION,
	  "p 2, p;q/z 1, dropped 0" },
	{ "a;p/x;p/y 1 b;p/x 2",
	  { { TRANSFORM_COLLAPSE, BY_PACKAGE, "p" } },
	  1,
	  GROUP_FUNCTION,
	  "a;p/x 1, b;p/x 2, dropped 0" },
	{ "a;p/x;p/y;(idle) 1 q/z 2",
	  { { TRANSFORM_COUNT, BY_ALL, "" } },
	  0,
	  GROUP_PACKAGE,
	  "app;p;(idle) 1, q 2, dropped 0" },
	{ "a;p/x;p/y 1 (idle) 2 b;a 4",
	  { { TRANSFORM_DROP, BY_FUNCTION, "p/y" } },
	  1,
	  GROUP_LANE,
	  "(idle) 2, main thread 4, dropped 1" },
	{ "a;p/x;p/y 1 b;q/z 2",
	  { { TRANSFORM_COUNT, BY_ALL, "" } },
	  0,
	  GROUP_CATEGORY,
	  "app;dependency 3, dropped 0" },
	{ "a;a;b 1 b 2",
	  { { TRANSFORM_COUNT, BY_ALL, "" } },
	  0,
	  GROUP_NAME,
	  "a;a;b 1, b 2, dropped 0" },
	{ "a;b;c 1 a;d;c 2",
	  { { TRANSFORM_MERGE, BY_FUNCTION, "b" },
	    { TRANSFORM_MERGE, BY_FUNCTION, "d" },
	    { TRANSFORM_FOCUS, BY_FUNCTION, "c" } },
	  3,
	  GROUP_FUNCTION,
	  "c 3, dropped 0" },
	/* What is dropped first is still there to be called by what is kept. */
	{ "a;b 1 a 2",
	  { { TRANSFORM_KEEP, BY_FUNCTION, "b" }, { TRANSFORM_MERGE, BY_FUNCTION, "b" } },
	  2,
	  GROUP_FUNCTION,
	  "a 1, dropped 2" },
};

START_TEST(step_by_step)
{
	const struct step_case *c = &step_cases[_i];
	struct profile *p = given(c->stacks);
	struct transform transforms[3] = { { 0 } };
	struct view v;

	for (size_t i = 0; i < c->n; i++)
		transforms[i] =
			(struct transform){ .kind = c->steps[i].kind,
					    .by = c->steps[i].by,
					    .id = named(p, c->steps[i].by, c->steps[i].name) };
	view_of(&v, p, &(const struct lane *){ &p->lanes[0] }, 1, transforms, c->n, c->group);
	check_seen(&v, c->expect);
	view_done(&v);
	profile_free(p);
}
END_TEST

static void check_path(struct profile *p, const frame_id *path, uint32_t n, const char *expect)
{
	struct transform t = { .kind = TRANSFORM_FOCUS, .by = BY_PATH, .path = path, .n_path = n };
	struct view v;

	view_of(&v, p, &(const struct lane *){ &p->lanes[0] }, 1, &t, 1, GROUP_FUNCTION);
	check_seen(&v, expect);
	view_done(&v);
}

START_TEST(focus_on_one_call)
{
	struct profile *p = given("a;b;b 1 a;c;b 2 b 4 a;b 8 a;b;c 16");
	frame_id a = named(p, BY_FUNCTION, "a"), b = named(p, BY_FUNCTION, "b");

	check_path(p, (frame_id[]){ a, b }, 2, "b 8, b;b 1, b;c 16, dropped 6");
	check_path(p, (frame_id[]){ a, b, b }, 3, "b 1, dropped 30");
	check_path(p, (frame_id[]){ b, a }, 2, "dropped 31");
	check_path(p, (frame_id[]){ a, FRAME_NONE }, 2, "dropped 31");
	check_path(p, (frame_id[]){ a, 12345 }, 2, "dropped 31");
	check_path(p, NULL, 0, "dropped 31");
	profile_free(p);
}
END_TEST

/* No frame is FRAME_NONE: nothing matches it. */
START_TEST(frame_none_matches_nothing)
{
	static const char *const expect[TRANSFORM_COUNT] = {
		[TRANSFORM_FOCUS] = "dropped 3",
		[TRANSFORM_KEEP] = "dropped 3",
		[TRANSFORM_DROP] = "a 2, a;b 1, dropped 0",
		[TRANSFORM_MERGE] = "a 2, a;b 1, dropped 0",
		[TRANSFORM_COLLAPSE] = "a 2, a;b 1, dropped 0",
		[TRANSFORM_FOLD] = "a 2, a;b 1, dropped 0",
		[TRANSFORM_RECURSION] = "a 2, a;b 1, dropped 0",
	};
	struct profile *p = given("a;b 1 a 2");

	for (int kind = 0; kind < TRANSFORM_COUNT; kind++) {
		struct transform t = { .kind = (enum transform_kind)kind,
				       .by = BY_FUNCTION,
				       .id = FRAME_NONE };
		struct view v;

		view_of(&v, p, &(const struct lane *){ &p->lanes[0] }, 1, &t, 1, GROUP_FUNCTION);
		check_seen(&v, expect[kind]);
		view_done(&v);
	}
	profile_free(p);
}
END_TEST

static void check_nothing(const struct profile *p, uint32_t n_lanes, size_t n_transforms,
			  enum view_group group, int64_t dropped)
{
	static const struct transform drop = { .kind = TRANSFORM_DROP, .by = BY_ALL };
	struct view v;
	struct totals totals;
	struct totals_counts counts;

	view_of(&v, p, &(const struct lane *){ &p->lanes[0] }, n_lanes, &drop, n_transforms, group);
	totals_init(&totals, &v);
	totals_compute(&totals, 0, 100);
	totals_counts(&totals, &counts);
	ck_assert_int_eq(totals.sampled_ns, 0);
	ck_assert_int_eq(totals.dropped_ns, dropped);
	ck_assert_uint_eq(totals.n_used, 0);
	for (frame_id f = 0; f < v.n_frames; f++)
		ck_assert_uint_eq(counts.spans[f] + counts.self_samples[f] + counts.is_used[f], 0);
	for (int kind = ROWS_TOPDOWN; kind <= ROWS_BOTTOMUP; kind++) {
		struct rows rows;

		rows_init(&rows, &totals, (enum rows_kind)kind, ROWS_BY_TOTAL, FRAME_NONE);
		ck_assert_uint_eq(rows.n, 0);
		rows_done(&rows);
	}
	totals_counts_done(&counts);
	totals_done(&totals);
	view_done(&v);
}

/* No lane, one without a tree, one that is dropped as a whole. */
START_TEST(nothing_is_there)
{
	struct builder *b = builder_new(&(struct builder_options){ .is_raw = true });
	struct error err = ERROR_INIT;
	struct profile *counters, *p = given("a;b 1 a 2");
	enum view_group group = (enum view_group)_i;

	builder_input(b, "test");
	track_builder_counter_value(b, track_builder_counter(b, 1, "heap", 4), "used", 4, 5, 1);
	counters = builder_finish(b, &err);
	for (size_t n = 0; n < 2; n++) {
		check_nothing(p, 0, n, group, 0);
		check_nothing(counters, 1, n, group, 0);
	}
	check_nothing(p, 1, 1, group, 3);
	profile_free(counters);
	profile_free(p);
}
END_TEST

/* One stack, grown by a call every 10 ns; f0, f1, ... and f0 again after `n_frames`. */
static struct profile *make_deep(uint32_t rows, uint32_t n_frames)
{
	struct builder *b = builder_new(&(struct builder_options){ .is_raw = true });
	struct error err = ERROR_INIT;
	const int64_t ns = 10;

	builder_input(b, "test");
	cpu_builder_begin(b);
	cpu_builder_node(
		b, cpu_builder_slot(b, 0),
		cpu_builder_frame(b, &(struct cpu_frame){ "(root)", 6, "", 0, "0", 1, -1, -1 }),
		-1);
	cpu_builder_start_time(b, 0);
	for (uint32_t i = 1; i <= rows; i++) {
		char name[16];
		int len = snprintf(name, sizeof name, "f%u", i % n_frames);
		uint32_t slot = cpu_builder_slot(b, i), node;

		node = cpu_builder_node(
			b, slot,
			cpu_builder_frame(
				b,
				&(struct cpu_frame){ name, (size_t)len, "x.js", 4, "1", 1, 1, 1 }),
			-1);
		cpu_builder_parent(b, node, cpu_builder_slot(b, i - 1));
		cpu_builder_samples(b, &slot, 1);
		cpu_builder_deltas(b, &ns, 1);
	}
	ck_assert(cpu_builder_end(b, 1, 0, &err));
	return builder_finish(b, &err);
}

/* The deepest stack, with as many functions as rows or with few: a pass must not visit all callers
 * of each call. If it does, this test takes minutes. */
START_TEST(deep_stacks_take_no_longer)
{
	uint32_t rows = CALLTREE_MAX_ROWS;
	struct profile *p = make_deep(rows, _i ? 3 : rows);
	const struct lane *l = &p->lanes[0];

	for (int i = 0; i < 15 * TRANSFORM_COUNT; i++) {
		struct transform t = { .kind = (enum transform_kind)(i % TRANSFORM_COUNT),
				       .by = BY_ALL,
				       .path = l->tree.frame + 1,
				       .n_path = rows - 9 };
		struct view v;
		struct totals totals;
		struct totals_counts counts;

		if (t.kind == TRANSFORM_FOCUS)
			t.by = BY_PATH;
		view_of(&v, p, &l, 1, &t, 1, i % 2 ? GROUP_FILE : GROUP_FUNCTION);
		totals_init(&totals, &v);
		totals_compute(&totals, 0, INT64_MAX);
		ck_assert_int_eq(totals.sampled_ns + totals.dropped_ns, (int64_t)rows * 10);
		totals_counts(&totals, &counts);
		totals_counts_done(&counts);
		totals_done(&totals);
		view_done(&v);
	}
	profile_free(p);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "view", 120);

	tcase_add_loop_test(t, step_by_step, 0, N(step_cases));
	tcase_add_test(t, focus_on_one_call);
	tcase_add_test(t, frame_none_matches_nothing);
	tcase_add_loop_test(t, nothing_is_there, 0, GROUP_COUNT);
	tcase_add_loop_test(t, deep_stacks_take_no_longer, 0, 2);
	tcase_add_loop_test(t, random_views, 0, SEEDS / RANDOM_SEEDS_A_LOOP);
	tcase_add_loop_test(t, random_views_of_blocks, 0, RANDOM_LONG_LOOPS);
}

int main(void)
{
	return suite_run("view", add_tests);
}

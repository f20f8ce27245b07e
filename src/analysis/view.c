/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The trees of the lanes are laid side by side, and each transform makes a new tree of the one
 * before, in one pass from the root down: a node of the old tree knows the node of the new one
 * that its parent became. Trees are drafts, arrays of parents and frames with parents first,
 * until the last is numbered in preorder. A draft may have several nodes for one call path, of
 * several lanes or of what a transform brought together; they become one then, and not before, as
 * looking for them in every pass would cost more than all else. */
#include "config.h"

#include "analysis/view.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

struct draft {
	uint32_t *parent;
	frame_id *frame;
	uint32_t n;
	bool is_lane;         /* the tree of the only lane, which has the arrays */
};

/* Where a node of the old tree goes: itself, for its children, and its own time. */
struct step {
	uint32_t *node;
	uint32_t *time;
};

static void draft_init(struct draft *d, size_t n)
{
	*d = (struct draft){ .parent = xmalloc(n * sizeof *d->parent), .frame = xmalloc(n * sizeof *d->frame), .n = 1 };
	d->parent[0] = 0;
	d->frame[0] = FRAME_NONE;
}

static void draft_done(struct draft *d)
{
	if (d->is_lane)
		return;
	free(d->parent);
	free(d->frame);
}

/* A child of `parent`. No more nodes come than the old tree has. */
static uint32_t child(struct draft *d, uint32_t parent, frame_id frame)
{
	d->parent[d->n] = parent;
	d->frame[d->n] = frame;
	return d->n++;
}

/* ---- what matches ---- */

static bool matches(const struct view *v, const struct transform *t, frame_id id)
{
	const struct frame *f = &v->frames[id];

	if (id == FRAME_NONE)
		return false;
	switch (t->by) {
	case BY_FUNCTION: return id == t->id;
	case BY_FILE: return f->url == t->id;
	case BY_PACKAGE: return f->package == t->id;
	case BY_CATEGORY: return f->category == (enum category)t->id;
	case BY_ANY_PACKAGE: return f->package != 0;
	case BY_SET: return id < v->profile->frames.n && t->set[id];
	case BY_ALL: return true;
	case BY_PATH: return false;
	}
	return false;
}

static uint8_t *match_frames(const struct view *v, const struct transform *t)
{
	uint8_t *is = xcalloc(v->n_frames, 1);

	for (frame_id f = 1; f < v->n_frames; f++)
		is[f] = matches(v, t, f);
	return is;
}

/* Marks by node: 1 at the end of the path. */
static uint8_t *match_path(const struct draft *d, const struct transform *t)
{
	uint32_t *n_same = xcalloc(d->n, sizeof *n_same);   /* frames from the root on that are those of the path */
	uint8_t *is = xcalloc(d->n, 1);

	for (uint32_t i = 1; i < d->n; i++) {
		uint32_t above = d->parent[i], k = n_same[above];

		if ((above == 0 || k > 0) && k < t->n_path && d->frame[i] == t->path[k]) {
			n_same[i] = k + 1;
			is[i] = k + 1 == t->n_path;
		}
	}
	free(n_same);
	return is;
}

/* ---- the transforms ---- */

static void focus(const struct view *v, const struct transform *t, const struct draft *in, struct draft *out, struct step *step)
{
	uint8_t *is = t->by == BY_PATH ? match_path(in, t) : match_frames(v, t);

	step->node[0] = step->time[0] = VIEW_DROPPED;
	for (uint32_t i = 1; i < in->n; i++) {
		uint32_t above = step->node[in->parent[i]];
		bool begins = is[t->by == BY_PATH ? i : in->frame[i]];

		step->node[i] = above != VIEW_DROPPED ? child(out, above, in->frame[i]) : begins ? child(out, 0, in->frame[i]) : VIEW_DROPPED;
		step->time[i] = step->node[i];
	}
	free(is);
}

/* KEEP and DROP: the tree stays, time on one side of the match goes. */
static void filter(const struct view *v, const struct transform *t, const struct draft *in, struct step *step)
{
	uint8_t *is = match_frames(v, t), *inside = xcalloc(in->n, 1);

	step->node[0] = 0;
	step->time[0] = t->kind == TRANSFORM_KEEP ? VIEW_DROPPED : 0;
	for (uint32_t i = 1; i < in->n; i++) {
		inside[i] = inside[in->parent[i]] | is[in->frame[i]];
		step->node[i] = i;
		step->time[i] = inside[i] == (t->kind == TRANSFORM_KEEP) ? step->node[i] : VIEW_DROPPED;
	}
	free(is);
	free(inside);
}

static void merge(const struct view *v, const struct transform *t, const struct draft *in, struct draft *out, struct step *step)
{
	uint8_t *is = match_frames(v, t);

	step->node[0] = step->time[0] = 0;
	for (uint32_t i = 1; i < in->n; i++) {
		uint32_t above = step->node[in->parent[i]];

		step->node[i] = is[in->frame[i]] ? above : child(out, above, in->frame[i]);
		/* Where nobody called it, there is nobody to have its time. */
		step->time[i] = is[in->frame[i]] && above == 0 ? VIEW_DROPPED : step->node[i];
	}
	free(is);
}

static void collapse(const struct view *v, const struct transform *t, const struct draft *in, struct draft *out, struct step *step)
{
	uint8_t *is = match_frames(v, t), *inside = xcalloc(in->n, 1);

	step->node[0] = step->time[0] = 0;
	for (uint32_t i = 1; i < in->n; i++) {
		uint32_t above = step->node[in->parent[i]];

		inside[i] = inside[in->parent[i]] | is[in->frame[i]];
		step->time[i] = step->node[i] = inside[in->parent[i]] ? above : child(out, above, in->frame[i]);
	}
	free(is);
	free(inside);
}

/* The children of each node as lists, to go through a draft in preorder. */
struct kids {
	uint32_t *first, *next;   /* 0: none */
};

static void kids_init(struct kids *k, const struct draft *d)
{
	k->first = xcalloc(d->n, sizeof *k->first);
	k->next = xmalloc((size_t)d->n * sizeof *k->next);
	for (uint32_t i = d->n; i-- > 1; ) {
		k->next[i] = k->first[d->parent[i]];
		k->first[d->parent[i]] = i;
	}
}

static void kids_done(struct kids *k)
{
	free(k->first);
	free(k->next);
}

/* The way from the root of the new tree to where a walk through the old one is. A function is on it once at
 * most, so it is told by where it came last, if that still is on the way. Going back
 * gives the old state again: a step changes one entry of each array. */
struct way {
	uint32_t *node;           /* by row, the root's is 0 */
	uint32_t *row;            /* by frame: where it came last */
	struct way_step { uint32_t n, node, row; } *back;   /* by node of the old tree: what was before it */
	uint32_t n;               /* rows */
};

/* A function that runs inside of itself, directly or not, is the one outside. */
static void enter(struct way *way, uint32_t i, frame_id f, bool is_match, struct draft *out, struct step *step)
{
	uint32_t row = way->row[f], n = way->n;

	way->back[i] = (struct way_step){ n, 0, row };
	if (is_match && row && row <= n && out->frame[way->node[row]] == f) {
		way->n = row;
	} else {
		uint32_t node = child(out, way->node[n], f);

		way->n = way->row[f] = n + 1;
		way->back[i].node = way->node[n + 1];
		way->node[n + 1] = node;
	}
	step->time[i] = step->node[i] = way->node[way->n];
}

static void leave(struct way *way, uint32_t i, frame_id f)
{
	struct way_step back = way->back[i];

	/* Who went back to an outer row has put nothing in the row after it. */
	if (way->n == back.n + 1)
		way->node[way->n] = back.node;
	way->row[f] = back.row;
	way->n = back.n;
}

static void recursion(const struct view *v, const struct transform *t, const struct draft *in, struct draft *out, struct step *step)
{
	uint8_t *is = match_frames(v, t);
	struct way way = { xcalloc((size_t)in->n + 1, sizeof *way.node), xcalloc(v->n_frames, sizeof *way.row),
		xmalloc((size_t)in->n * sizeof *way.back), 0 };
	struct kids kids;
	uint32_t at;

	kids_init(&kids, in);
	step->node[0] = step->time[0] = 0;
	at = kids.first[0];
	while (at) {
		enter(&way, at, in->frame[at], is[in->frame[at]], out, step);
		if (kids.first[at]) {
			at = kids.first[at];
			continue;
		}
		for (; at && !kids.next[at]; at = in->parent[at])
			leave(&way, at, in->frame[at]);
		if (at) {
			leave(&way, at, in->frame[at]);
			at = kids.next[at];
		}
	}
	kids_done(&kids);
	free(way.node);
	free(way.row);
	free(way.back);
	free(is);
}

/* Frames take the place of others; those in a row that became the same, or what is there already, are one. */
static void replace(const frame_id *by, const struct draft *in, struct draft *out, struct step *step)
{
	step->node[0] = step->time[0] = 0;
	for (uint32_t i = 1; i < in->n; i++) {
		uint32_t above = step->node[in->parent[i]];
		frame_id f = by[in->frame[i]], caller = in->frame[in->parent[i]];
		bool is_new = f != in->frame[i] || by[caller] != caller;

		step->time[i] = step->node[i] = is_new && above && out->frame[above] == f ? above : child(out, above, f);
	}
}

/* ---- frames made here ---- */

/* The frame that stands for a file, a package or a category: the same for the same key,
 * whichever pass made it. */
struct maker {
	struct view *v;
	size_t cap;
	uint32_t *slots;
	size_t n_slots;
};

/* Where the frame of that key stands, or would. */
static size_t maker_slot(const struct maker *m, str_id name, str_id package, enum category category)
{
	const struct frame *frames = m->v->frames;
	size_t at = hash_u64((uint64_t)name << 32 | (uint32_t)category) & (m->n_slots - 1);

	while (m->slots[at] && !(frames[m->slots[at]].name == name && frames[m->slots[at]].package == package &&
	       frames[m->slots[at]].category == category))
		at = (at + 1) & (m->n_slots - 1);
	return at;
}

static void maker_init(struct maker *m, struct view *v)
{
	*m = (struct maker){ .v = v, .n_slots = 64 };
	/* Those that are there, and one more for each at most. */
	while (m->n_slots < (size_t)v->n_frames * 4)
		m->n_slots *= 2;
	m->slots = xcalloc(m->n_slots, sizeof *m->slots);
	if (!v->own_frames) {
		v->own_frames = xgrow(NULL, &m->cap, (size_t)v->n_frames + 16, sizeof *v->own_frames);
		memcpy(v->own_frames, v->frames, (size_t)v->n_frames * sizeof *v->own_frames);
	} else {
		m->cap = v->n_frames;
	}
	v->frames = v->own_frames;
	for (frame_id f = v->profile->frames.n; f < v->n_frames; f++)
		m->slots[maker_slot(m, v->frames[f].name, v->frames[f].package, v->frames[f].category)] = f;
}

static frame_id make(struct maker *m, str_id name, str_id package, enum category category)
{
	struct view *v = m->v;
	size_t at = maker_slot(m, name, package, category);

	if (!m->slots[at]) {
		v->own_frames = xgrow(v->own_frames, &m->cap, (size_t)v->n_frames + 1, sizeof *v->own_frames);
		v->own_frames[v->n_frames] = (struct frame){ .name = name, .package = package, .category = category };
		v->frames = v->own_frames;
		m->slots[at] = v->n_frames++;
	}
	return m->slots[at];
}

static bool is_pseudo(const struct frame *f)
{
	return f->category == CATEGORY_IDLE || f->category == CATEGORY_PROGRAM || f->category == CATEGORY_GC;
}

static frame_id group_of(struct maker *m, frame_id id, enum view_group group)
{
	const struct profile *p = m->v->profile;
	const struct frame f = m->v->frames[id];

	if (is_pseudo(&f))
		return id;
	if (group == GROUP_FILE)
		return make(m, f.url ? f.url : p->category_names[f.category], 0, f.category);
	if (group == GROUP_PACKAGE)
		return make(m, f.package ? f.package : p->category_names[f.category], f.package, f.category);
	return make(m, p->category_names[f.category], 0, f.category);
}

/* New frames for all that match, by package or category. */
static frame_id *fold_frames(struct view *v, const struct transform *t)
{
	uint32_t n = v->n_frames;
	frame_id *by = xmalloc((size_t)n * sizeof *by);
	struct maker m;

	maker_init(&m, v);
	for (frame_id f = 0; f < n; f++)
		by[f] = matches(v, t, f) && !is_pseudo(&v->frames[f]) ? group_of(&m, f, t->by == BY_CATEGORY ? GROUP_CATEGORY : GROUP_PACKAGE) : f;
	free(m.slots);
	return by;
}

static frame_id *group_frames(struct view *v, enum view_group group)
{
	uint32_t n = v->n_frames;
	frame_id *by = xmalloc((size_t)n * sizeof *by);
	struct maker m;

	maker_init(&m, v);
	by[FRAME_NONE] = FRAME_NONE;
	for (frame_id f = 1; f < n; f++)
		by[f] = group_of(&m, f, group);
	free(m.slots);
	return by;
}

/* ---- the view ---- */

static void compose_map(node_id *map, uint32_t n, const uint32_t *to)
{
	for (uint32_t k = 0; k < n; k++)
		if (map[k] != VIEW_DROPPED)
			map[k] = to[map[k]];
}

static void compose(struct view *v, const struct step *step)
{
	for (uint32_t i = 0; i < v->n_sources; i++) {
		struct view_source *source = &v->sources[i];

		compose_map(source->map, source->lane->tree.n, step->time);
		if (source->place)
			compose_map(source->place, source->lane->tree.n, step->node);
	}
}

static void apply(struct view *v, const struct transform *t, const struct draft *in, struct draft *out, struct step *step)
{
	frame_id *by;

	switch (t->kind) {
	case TRANSFORM_FOCUS: focus(v, t, in, out, step); break;
	case TRANSFORM_KEEP: case TRANSFORM_DROP: filter(v, t, in, step); break;
	case TRANSFORM_MERGE: merge(v, t, in, out, step); break;
	case TRANSFORM_COLLAPSE: collapse(v, t, in, out, step); break;
	case TRANSFORM_RECURSION: recursion(v, t, in, out, step); break;
	case TRANSFORM_FOLD:
		by = fold_frames(v, t);
		replace(by, in, out, step);
		free(by);
		break;
	case TRANSFORM_COUNT: break;
	}
}

/* One more pass: a transform, or (NULL) the grouping. */
static void pass(struct view *v, struct draft *d, const struct transform *t, enum view_group group)
{
	struct step step = { xmalloc((size_t)d->n * sizeof *step.node), xmalloc((size_t)d->n * sizeof *step.time) };
	bool is_same = t && (t->kind == TRANSFORM_KEEP || t->kind == TRANSFORM_DROP);
	struct draft out = *d;

	if (!is_same)
		draft_init(&out, d->n);
	if (t) {
		apply(v, t, d, &out, &step);
	} else {
		frame_id *by = group_frames(v, group);

		replace(by, d, &out, &step);
		free(by);
	}
	compose(v, &step);
	free(step.node);
	free(step.time);
	if (!is_same)
		draft_done(d);
	*d = out;
}

static node_id *map_new(uint32_t n, uint32_t shift)
{
	node_id *map = xmalloc((size_t)n * sizeof *map);

	map[NODE_ROOT] = 0;
	for (node_id k = 1; k < n; k++)
		map[k] = k + shift;
	return map;
}

/* All lanes in one draft; the maps say where their nodes are. */
static void lay_together(struct view *v, struct draft *d)
{
	size_t n = 1;

	for (uint32_t i = 0; i < v->n_sources; i++)
		n += v->sources[i].lane->tree.n - 1;
	if (n > INT32_MAX)
		die("more than %d nodes in a view", INT32_MAX);
	if (v->n_sources == 1) {
		const struct calltree *tree = &v->sources[0].lane->tree;

		*d = (struct draft){ .parent = tree->parent, .frame = tree->frame, .n = tree->n, .is_lane = true };
	} else {
		draft_init(d, n);
	}
	for (uint32_t i = 0; i < v->n_sources; i++) {
		struct view_source *source = &v->sources[i];
		const struct calltree *tree = &source->lane->tree;
		uint32_t shift = d->is_lane ? 0 : d->n - 1;

		source->map = map_new(tree->n, shift);
		if (source->lane->kind != LANE_SAMPLES)
			source->place = map_new(tree->n, shift);
		for (node_id k = 1; !d->is_lane && k < tree->n; k++)
			child(d, source->map[tree->parent[k]], tree->frame[k]);
	}
}

static void init(struct view *v, const struct profile *profile, const struct lane *const *lanes, uint32_t n)
{
	*v = (struct view){ .profile = profile, .frames = profile->frames.frames, .n_frames = profile->frames.n };
	v->sources = xcalloc(n, sizeof *v->sources);
	for (uint32_t i = 0; i < n; i++)
		if (lanes[i]->tree.n)
			v->sources[v->n_sources++].lane = lanes[i];
}

/* The tree of what init() found, with the transforms. */
static void complete(struct view *v, const struct transform *transforms, size_t n_transforms, enum view_group group)
{
	struct draft d;
	node_id *order;

	lay_together(v, &d);
	for (size_t i = 0; i < n_transforms; i++)
		pass(v, &d, &transforms[i], GROUP_FUNCTION);
	if (group != GROUP_FUNCTION)
		pass(v, &d, NULL, group);
	if (d.is_lane) {
		v->tree = &v->sources[0].lane->tree;
		return;
	}
	order = xmalloc((size_t)d.n * sizeof *order);
	calltree_build(&v->own_tree, d.n, d.parent, d.frame, order);
	compose(v, &(struct step){ order, order });
	free(order);
	draft_done(&d);
	v->tree = &v->own_tree;
}

void view_init(struct view *v, const struct profile *profile, const struct lane *const *lanes, uint32_t n,
	       const struct transform *transforms, size_t n_transforms, enum view_group group)
{
	init(v, profile, lanes, n);
	if (v->n_sources == 1 && n_transforms == 0 && group == GROUP_FUNCTION)
		v->tree = &v->sources[0].lane->tree;
	else
		complete(v, transforms, n_transforms, group);
}

void view_init_own(struct view *v, const struct profile *profile, const struct lane *const *lanes, uint32_t n,
		   const struct transform *transforms, size_t n_transforms, enum view_group group)
{
	init(v, profile, lanes, n);
	complete(v, transforms, n_transforms, group);
}

void view_done(struct view *v)
{
	for (uint32_t i = 0; i < v->n_sources; i++) {
		free(v->sources[i].map);
		free(v->sources[i].place);
	}
	free(v->sources);
	calltree_done(&v->own_tree);
	free(v->own_frames);
	*v = (struct view){ 0 };
}

unsigned view_shared(const struct view *v, uint32_t source, size_t i)
{
	const struct lane *lane = v->sources[source].lane;
	const node_id *map = v->sources[source].map, *place = v->sources[source].place;
	const struct samples *s = &lane->samples;
	node_id a, b, both;

	if (!map)
		return s->shared[i];
	if (i + 1 == s->n)
		return 0;
	a = map[s->leaf[i]];
	b = map[s->leaf[i + 1]];
	if (a == VIEW_DROPPED || b == VIEW_DROPPED)
		return 0;
	both = calltree_common(v->tree, a, b);
	/* Where slices of one name touch, the same node is two spans: what stays open is what became of the
	 * stack above them. */
	if (place && s->shared[i] < lane->tree.rows[calltree_common(&lane->tree, s->leaf[i], s->leaf[i + 1])]) {
		node_id above = place[calltree_ancestor(&lane->tree, s->leaf[i], s->shared[i])];

		both = above == VIEW_DROPPED ? NODE_ROOT : calltree_common(v->tree, both, above);
	}
	return v->tree->rows[both];
}

/* ---- names ---- */

const char *view_group_name(enum view_group group)
{
	static const char *const name[GROUP_COUNT] = { "function", "file", "package", "category" };

	return name[group];
}

enum view_group view_group_find(const char *name)
{
	enum view_group g = GROUP_FUNCTION;

	while (g < GROUP_COUNT && strcmp(name, view_group_name(g)) != 0)
		g++;
	return g;
}

static void describe_match(const struct profile *p, const struct transform *t, struct buf *out)
{
	frame_id last = t->by == BY_PATH && t->n_path ? t->path[t->n_path - 1] : t->id;
	const char *text = "";

	switch (t->by) {
	case BY_FUNCTION: case BY_PATH:
		text = last < p->frames.n ? profile_text(p, p->frames.frames[last].name) : "";
		break;
	case BY_FILE: case BY_PACKAGE: text = profile_text(p, t->id); break;
	case BY_CATEGORY: text = category_name((enum category)t->id); break;
	case BY_ANY_PACKAGE: text = "packages"; break;
	case BY_SET: text = t->text ? t->text : ""; break;
	case BY_ALL: break;
	}
	if (t->by == BY_SET)
		buf_addc(out, '/');
	text_visible(out, text, strlen(text));
	if (t->by == BY_SET)
		buf_addc(out, '/');
	if (t->by == BY_PATH)
		buf_adds(out, " (this call)");
}

void transform_describe(const struct profile *profile, const struct transform *t, struct buf *out)
{
	static const char *const verb[TRANSFORM_COUNT] = { "focus", "only", "drop", "merge", "collapse", "fold", "fold recursion" };
	size_t start;

	buf_adds(out, verb[t->kind]);
	start = out->len;
	buf_addc(out, ' ');
	describe_match(profile, t, out);
	if (out->len == start + 1)
		out->data[out->len = start] = '\0';
}

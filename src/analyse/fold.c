/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The elements of runs are nodes of a trie for each caller: a node of it is a path. All paths that
 * begin with one element are one row. The label of the row is the path that at least half of its
 * time takes, and a run of one function keeps its name. */
#include "config.h"

#include "analyse/fold.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "model/blocks.h"
#include "model/calltree.h"
#include "model/profile.h"

#include <stdlib.h>
#include <string.h>

/* A path of a trie: an element after another one. */
struct path {
	uint32_t above; /* 0: the run begins here */
	str_id element; /* in fold.names */
	uint32_t row;   /* node of the folded tree */
	int64_t ns;     /* that goes through it */
};

/* A row of the folded tree that is a run. */
struct run {
	bool has_any;        /* it has functions */
	bool is_lone;        /* it is no run, and stands for one node: rows below it are new */
	frame_id only;       /* its only function; FRAME_NONE: it has several */
	frame_id dependency; /* its first function of a dependency; FRAME_NONE: none */
	uint32_t path;       /* its first one; 0: the row is no run */
	int64_t ns;
};

struct maker {
	struct fold *fold;
	const struct profile *p;
	const struct fold_wish *wish;
	str_id *element_of; /* by str_id of a package, url or name: its element; 0: not known yet */
	/* Of the lane: */
	const struct lane *lane;
	bool has_packages;
	int64_t *self, *ns;   /* by node: self and total time */
	uint8_t *is_leaf;     /* by node */
	uint32_t *at;         /* by node: its path; 0: it does not fold */
	struct node_map rows; /* the folded tree; keys of runs are their paths with RUN_KEY */
	struct run *runs;     /* by row */
	size_t cap_runs;
	struct node_map
		index; /* of paths: by the one above or the row of the caller, and element */
	struct path *paths;
	size_t cap_paths;
};

/* The lane that is being folded: its tree, then its samples. */
struct fold_work {
	struct fold_wish wish; /* found: owned */
	struct maker m;
	uint32_t lane;          /* the one that was begun last */
	node_id *to;            /* by node of it: its row; NULL: none is begun */
	node_id node;           /* the next one to find the row of */
	bool has_tree;          /* all rows are known, and it has its tree */
	struct lane_link *link; /* of a merged view: links its samples */
};

/* ==== trunk ====
 *
 * A span over more than half of the range covers its middle. So all candidates are on the stack of
 * the sample in the middle. */

#define MIN_ROWS 2
#define MAX_ROWS 1000 /* deeper ones are not worth the time */

static bool only_starts_or_schedules(const struct profile *profile, const struct frame *frame)
{
	switch (frame->category) {
	case CATEGORY_NODE:
	case CATEGORY_RUNTIME:
	case CATEGORY_NATIVE:
	case CATEGORY_BUNDLER:
		return true;
	default:
		/* In heap profiles, the script that starts the program has neither name nor place.
		 */
		return trunk_is_module(profile, frame) ||
			(!frame->url && profile_is_anonymous(profile, frame));
	}
}

static bool fills(const struct span *span, int64_t t0, int64_t t1)
{
	int64_t from = span->t0 > t0 ? span->t0 : t0, end = span->t1 < t1 ? span->t1 : t1;

	return end - from >= t1 - t0 - (t1 - t0) / 20;
}

static size_t middle_sample(const struct lane *lane, int64_t t0, int64_t t1)
{
	return samples_find(&lane->samples, t0 + (t1 - t0) / 2);
}

void trunk_span(const struct lane *lane, int64_t t0, int64_t t1, int depth, struct span *out)
{
	span_of_sample(&lane->samples, &lane->tree, middle_sample(lane, t0, t1), depth, out);
}

int trunk_rows(const struct profile *profile, const struct lane *lane, int64_t t0, int64_t t1)
{
	int rows = 0, most;
	struct span span;
	size_t middle;

	if (lane->kind != LANE_SAMPLES || !lane->has_timeline || !lane->samples.n)
		return 0;
	middle = middle_sample(lane, t0, t1);
	most = (int)lane->tree.rows[samples_leaf(&lane->samples, middle)] - 1;
	most = most < MAX_ROWS ? most : MAX_ROWS;
	while (rows < most && span_of_sample(&lane->samples, &lane->tree, middle, rows, &span) &&
	       fills(&span, t0, t1) &&
	       only_starts_or_schedules(profile, profile_node_frame(profile, lane, span.node)))
		rows++;
	return rows < MIN_ROWS ? 0 : rows;
}

/* ==== fold ==== */

#define OWN_MIN 0.15    /* of the busy time, or packages do not fold */
#define ELEMENTS_MAX 4  /* of a label */
#define STRING_BYTES 20 /* for each text */
#define NODE_BYTES 96   /* for each node */
#define ARROW " \342\200\272 "
#define RUN_KEY 0x80000000u

const char *fold_mode_word(unsigned mode)
{
	static const char *const words[] = { "none", "runtime", "packages" };

	return mode < ARRAY_LEN(words) ? words[mode] : NULL;
}

static bool is_own(enum category c)
{
	return c == CATEGORY_APP || c == CATEGORY_WASM || c == CATEGORY_EVAL;
}

bool fold_can(enum category category)
{
	switch (category) {
	case CATEGORY_NODE:
	case CATEGORY_RUNTIME:
	case CATEGORY_BUNDLER:
	case CATEGORY_NATIVE:
	case CATEGORY_REGEXP:
	case CATEGORY_DEPENDENCY:
	case CATEGORY_EXTENSION:
		return true;
	default:
		return false;
	}
}

bool fold_hides(const struct profile *profile, const struct frame *frame, enum fold_mode mode)
{
	if (mode == FOLD_NONE || !fold_can(frame->category))
		return false;
	switch (frame->category) {
	case CATEGORY_NATIVE:
	case CATEGORY_REGEXP:
		return mode == FOLD_PACKAGES;
	case CATEGORY_DEPENDENCY:
	case CATEGORY_EXTENSION:
		return mode == FOLD_PACKAGES || trunk_is_module(profile, frame);
	default:
		return true;
	}
}

static bool folds(const struct maker *m, frame_id id)
{
	return id != m->wish->function && !(m->wish->found && m->wish->found[id]) &&
		fold_hides(m->p, profile_frame(m->p, id),
			   m->has_packages ? FOLD_PACKAGES : FOLD_RUNTIME);
}

/* ---- elements ---- */

/* `node:http` for node:_http_server, `node:modules` for node:internal/modules/cjs/loader. */
static str_id node_element(struct intern *names, const char *url)
{
	const char *from = strncmp(url, "node:", 5) == 0 ? url + 5 : url;
	const char *end = "/.";
	char text[64] = "node:";
	size_t n = 0;

	if (strncmp(from, "internal/", 9) == 0)
		from += 9;
	/* node:_http_server is a part of http. */
	if (*from == '_') {
		from++;
		end = "/._";
	}
	while (from[n] && !strchr(end, from[n]) && n < sizeof text - 6)
		n++;
	memcpy(text + 5, from, n);
	return intern_add(names, text, 5 + n);
}

/* The text of the profile that says which element a function is of. */
static str_id element_key(const struct frame *f)
{
	if (f->category == CATEGORY_NODE && f->url)
		return f->url;
	return f->package ? f->package : f->name;
}

static str_id make_element(const struct profile *p, const struct frame *f, struct intern *names)
{
	str_id key = element_key(f);

	return f->category == CATEGORY_NODE && f->url
		? node_element(names, profile_text(p, key))
		: intern_add(names, profile_text(p, key), intern_len(&p->strings, key));
}

static str_id element(struct maker *m, frame_id id)
{
	const struct frame *f = profile_frame(m->p, id);
	str_id *known = &m->element_of[element_key(f)];

	if (!*known)
		*known = make_element(m->p, f, &m->fold->names);
	return *known;
}

/* ---- times ---- */

static void add_time(void *ctx, node_id leaf, int64_t ns)
{
	struct maker *m = ctx;

	m->self[leaf] += ns;
	m->is_leaf[leaf] = 1;
}

BLOCKS_MANY(add_times, add_time)

static void find_times(struct maker *m)
{
	const struct calltree *tree = &m->lane->tree;
	const struct blocks_visitor visitor = { m, add_times, add_time, NULL };

	m->self = xcalloc(tree->n, sizeof *m->self);
	m->is_leaf = xcalloc(tree->n, 1);
	m->ns = xmalloc(tree->n * sizeof *m->ns);
	blocks_each(&m->lane->samples, INT64_MIN, INT64_MAX, &visitor);
	memcpy(m->ns, m->self, tree->n * sizeof *m->ns);
	for (node_id n = tree->n; n-- > 1;)
		m->ns[tree->parent[n]] += m->ns[n];
}

/* The share of the busy time with a function of own code on the stack; modules as a whole do not
 * count. */
static double own_share(const struct maker *m)
{
	const struct calltree *tree = &m->lane->tree;
	ALLOC_LOCAL uint8_t *has = xcalloc(tree->n, 1);
	int64_t own = 0, busy = 0;

	for (node_id n = 1; n < tree->n; n++) {
		const struct frame *f = profile_frame(m->p, tree->frame[n]);

		has[n] = has[tree->parent[n]] || (is_own(f->category) && !trunk_is_module(m->p, f));
		if (f->category == CATEGORY_IDLE)
			continue;
		busy += m->self[n];
		own += has[n] ? m->self[n] : 0;
	}
	return busy > 0 ? (double)own / (double)busy : 0;
}

/* ---- the folded tree ---- */

/* The row of a key below another one. */
static uint32_t row_below(struct maker *m, uint32_t parent, uint32_t key)
{
	/* The children of a node are different functions, and each path has a key of its own. */
	bool is_new = m->runs[parent].is_lone || key & RUN_KEY;
	uint32_t row = is_new ? node_map_append(&m->rows, parent, key)
			      : node_map_child(&m->rows, parent, key);

	if (row >= m->cap_runs) {
		size_t before = m->cap_runs;

		m->runs = xgrow(m->runs, &m->cap_runs, (size_t)row + 1, sizeof *m->runs);
		memset(m->runs + before, 0, (m->cap_runs - before) * sizeof *m->runs);
	}
	m->runs[row].is_lone = is_new && !(key & RUN_KEY);
	return row;
}

/* The path of an element after another one or, if `above` is 0, at the beginning of a run that the
 * row `caller` calls. */
static uint32_t path_below(struct maker *m, uint32_t above, uint32_t caller, str_id element)
{
	uint32_t parent = above ? above : caller | RUN_KEY;
	struct hash_probe probe;
	uint32_t at = node_map_find(&m->index, parent, element, &probe);
	struct path *path;

	if (at)
		return at;
	at = node_map_add(&m->index, parent, element, &probe);
	m->paths = xgrow(m->paths, &m->cap_paths, (size_t)at + 1, sizeof *m->paths);
	path = &m->paths[at];
	*path = (struct path){ .above = above, .element = element };
	path->row = above ? m->paths[above].row : row_below(m, caller, RUN_KEY | at);
	if (!above)
		m->runs[path->row].path = at;
	return at;
}

/* Whether a run ends between two elements, as one of them is to have a row of its own. */
static bool is_apart(const struct maker *m, str_id a, str_id b)
{
	const char *own = m->wish->package ? profile_text(m->p, m->wish->package) : NULL;

	return own && a != b &&
		(strcmp(intern_text(&m->fold->names, a), own) == 0 ||
		 strcmp(intern_text(&m->fold->names, b), own) == 0);
}

/* The path of a node that folds: `up` is that of its parent, `caller` the row of that. */
static uint32_t find_path(struct maker *m, frame_id id, uint32_t up, uint32_t caller)
{
	str_id e = element(m, id);

	if (!up || is_apart(m, e, m->paths[up].element)) {
		if (up && m->paths[up].element == e)
			return up;
		return path_below(m, 0, caller, e);
	}
	return m->paths[up].element == e ? up
					 : path_below(m, up, m->rows.parent[m->paths[up].row], e);
}

/* Find the rows of nodes; to[]: by node. */
static void find_rows(struct maker *m, node_id from, node_id end, uint32_t *to)
{
	const struct calltree *tree = &m->lane->tree;

	for (node_id n = from; n < end; n++) {
		frame_id id = tree->frame[n];
		node_id up = tree->parent[n];
		struct run *run;

		if (!folds(m, id)) {
			to[n] = row_below(m, to[up], id);
			continue;
		}
		m->at[n] = find_path(m, id, m->at[up], to[up]);
		to[n] = m->paths[m->at[n]].row;
		if (m->at[n] != m->at[up])
			m->paths[m->at[n]].ns += m->ns[n];
		run = &m->runs[to[n]];
		run->only = run->has_any && run->only != id ? FRAME_NONE : id;
		run->has_any = true;
		if (!run->dependency && profile_frame(m->p, id)->category == CATEGORY_DEPENDENCY)
			run->dependency = id;
		if (to[n] != to[up])
			m->runs[to[n]].ns += m->ns[n];
	}
}

/* ---- labels ---- */

/* Modules of Node.js that only pass calls on. */
static bool is_quiet(const char *text)
{
	return strcmp(text, "node:main") == 0 || strcmp(text, "node:events") == 0;
}

struct run_label {
	const struct intern *names;
	str_id elements[ELEMENTS_MAX];
	int n;
};

static bool is_node(const struct run_label *label, str_id element)
{
	return strncmp(intern_text(label->names, element), "node:", 5) == 0;
}

/* Modules of Node.js beside each other count once. */
static void add_element(struct run_label *label, str_id element)
{
	str_id *last = label->n ? &label->elements[label->n - 1] : NULL;

	for (int i = 0; i < label->n; i++)
		if (label->elements[i] == element)
			return;
	if (last && is_node(label, element) && is_node(label, *last)) {
		if (is_quiet(intern_text(label->names, *last)))
			*last = element;
		return;
	}
	if (label->n < ELEMENTS_MAX)
		label->elements[label->n++] = element;
}

static void add_label(const struct run_label *label, struct buf *out)
{
	for (int i = 0; i < label->n; i++) {
		buf_adds(out, i ? ARROW : "");
		buf_adds(out, intern_text(label->names, label->elements[i]));
	}
}

void fold_add_name(const struct profile *profile, const struct frame *frames, const frame_id *calls,
		   uint32_t n, struct buf *out)
{
	struct intern names;
	struct run_label label = { .names = &names };

	intern_init(&names);
	for (uint32_t i = 0; i < n; i++)
		add_element(&label, make_element(profile, &frames[calls[i]], &names));
	add_label(&label, out);
	intern_done(&names);
}

/* The paths below each path. */
struct branches {
	uint32_t *first, *next; /* by path; 0: none */
};

/* The name of a run. */
static str_id name_run(struct maker *m, const struct branches *b, const struct run *run)
{
	struct run_label label = { .names = &m->fold->names };
	BUF_LOCAL text = { 0 };

	for (uint32_t at = run->path; at;) {
		uint32_t best = 0;

		add_element(&label, m->paths[at].element);
		for (uint32_t k = b->first[at]; k; k = b->next[k])
			if (!best || m->paths[k].ns > m->paths[best].ns)
				best = k;
		at = best && m->paths[best].ns >= run->ns - run->ns / 2 ? best : 0;
	}
	add_label(&label, &text);
	return intern_add(&m->fold->names, buf_text(&text), text.len);
}

/* The frame of a run, added to those of the folded profile if there is no equal one. Its hue is
 * that of its first package, so it has that of its first function of a dependency. */
static frame_id frame_of_run(struct maker *m, const struct branches *b, const struct run *run,
			     enum category first)
{
	struct frame_table *table = &m->fold->profile.frames;
	struct frame frame = {
		.name = (str_id)m->p->strings.n + name_run(m, b, run),
		.category = run->dependency ? CATEGORY_DEPENDENCY : first,
		.package = run->dependency ? profile_frame(m->p, run->dependency)->package : 0,
	};
	uint64_t hash = hash_u64((uint64_t)frame.name << 32 | (uint64_t)frame.package << 5 |
				 (unsigned)frame.category);
	struct hash_probe probe = hash_probe(hash);

	while (hash_table_next(&table->index, &probe)) {
		const struct frame *other = &table->frames[probe.index];

		if (other->name == frame.name && other->category == frame.category &&
		    other->package == frame.package)
			return probe.index;
	}
	hash_table_add(&table->index, hash, table->n);
	*ARRAY_ADD(table->frames, table->n, table->cap) = frame;
	return table->n - 1;
}

/* Give the rows of runs their frames. */
static void name_rows(struct maker *m, const uint32_t *to)
{
	const struct calltree *tree = &m->lane->tree;
	struct branches b = { xcalloc(m->index.n, sizeof *b.first),
			      xcalloc(m->index.n, sizeof *b.next) };

	for (uint32_t i = m->index.n; i-- > 1;)
		if (m->paths[i].above) {
			b.next[i] = b.first[m->paths[i].above];
			b.first[m->paths[i].above] = i;
		}
	for (node_id n = 1; n < tree->n; n++) {
		uint32_t row = to[n];
		struct run *run = &m->runs[row];

		if (!run->path || !(m->rows.frame[row] & RUN_KEY))
			continue;
		m->rows.frame[row] = run->only
			? run->only
			: frame_of_run(m, &b, run, profile_frame(m->p, tree->frame[n])->category);
	}
	free(b.first);
	free(b.next);
}

/* ---- the lane ---- */

/* The folded lane has the samples of the lane, on its own tree. */
static void fold_samples(const struct maker *m, struct fold_lane *out, struct lane *lane)
{
	const struct lane *from = m->lane;

	out->samples = (struct samples_folded){ .of = &from->samples,
						.of_tree = &from->tree,
						.tree = &lane->tree,
						.to = out->to,
						.has_siblings = from->has_siblings };
	lane->samples.folded = &out->samples;
	for (node_id n = 0; n < from->tree.n; n++)
		if (m->is_leaf[n] && lane->tree.rows[out->to[n]] > lane->max_depth)
			lane->max_depth = lane->tree.rows[out->to[n]];
}

/* ---- merged views ---- */

struct child {
	node_id node;
	int64_t total;
};

SORT_ORDER(by_total, struct child, SORT_BY_2(y->total, x->total, x->node, y->node))

/* The places of the nodes of a folded tree: each after its heavier siblings, and its self time
 * after its children. */
struct merging {
	const struct calltree *tree;
	int64_t *self, *total;  /* by node */
	struct child *children; /* of all nodes, by parent */
	uint32_t *begin;        /* by node: its first child */
	int64_t *t;
	node_id *leaf;
	size_t n;
	size_t *first;
};

static void find_children(struct merging *g)
{
	const struct calltree *tree = g->tree;
	ALLOC_LOCAL uint32_t *next = NULL;

	g->begin = xcalloc((size_t)tree->n + 1, sizeof *g->begin);
	g->children = xmalloc((size_t)tree->n * sizeof *g->children);
	for (node_id n = 1; n < tree->n; n++)
		g->begin[tree->parent[n] + 1]++;
	for (node_id n = 0; n < tree->n; n++)
		g->begin[n + 1] += g->begin[n];
	next = xmalloc((size_t)tree->n * sizeof *next);
	memcpy(next, g->begin, (size_t)tree->n * sizeof *next);
	for (node_id n = 1; n < tree->n; n++)
		g->children[next[tree->parent[n]]++] = (struct child){ n, g->total[n] };
	for (node_id n = 0; n < tree->n; n++)
		qsort(g->children + g->begin[n], g->begin[n + 1] - g->begin[n], sizeof *g->children,
		      by_total);
}

/* Walk through the tree. Nodes of no time have no sample. */
static void place_nodes(struct merging *g, int64_t now)
{
	const struct calltree *tree = g->tree;
	ALLOC_LOCAL uint32_t *next = xmalloc((size_t)tree->n * sizeof *next);
	node_id at = NODE_ROOT;

	memcpy(next, g->begin, (size_t)tree->n * sizeof *next);
	g->first[NODE_ROOT] = 0;
	for (;;) {
		if (next[at] < g->begin[at + 1]) {
			at = g->children[next[at]++].node;
			g->first[at] = g->n;
			continue;
		}
		if (g->self[at] > 0) {
			g->leaf[g->n] = at;
			g->t[g->n++] = now;
			now += g->self[at];
		}
		if (at == NODE_ROOT)
			break;
		at = tree->parent[at];
	}
	g->t[g->n] = now;
}

/* Give the folded lane of a merged view samples of its own. */
static void merge_rows(struct maker *m, struct fold_lane *out, struct lane *lane)
{
	const struct calltree *tree = &lane->tree;
	const struct samples *s = &m->lane->samples;
	struct merging g = { .tree = tree };

	g.self = xcalloc(tree->n, sizeof *g.self);
	g.total = xmalloc((size_t)tree->n * sizeof *g.total);
	out->from = xcalloc(tree->n, sizeof *out->from);
	for (node_id n = 0; n < m->lane->tree.n; n++) {
		node_id row = out->to[n];

		g.self[row] += m->self[n];
		if (n &&
		    (!out->from[row] ||
		     (out->to[m->lane->tree.parent[n]] != row && m->ns[n] > m->ns[out->from[row]])))
			out->from[row] = n;
	}
	memcpy(g.total, g.self, (size_t)tree->n * sizeof *g.total);
	for (node_id n = tree->n; n-- > 1;)
		g.total[tree->parent[n]] += g.total[n];
	find_children(&g);
	g.t = xmalloc(((size_t)tree->n + 1) * sizeof *g.t);
	g.leaf = xmalloc(((size_t)tree->n + 1) * sizeof *g.leaf);
	g.first = out->first = xcalloc(tree->n, sizeof *g.first);
	place_nodes(&g, samples_time(s, 0));
	lane->samples = (struct samples){ .n = g.n, .leaf = g.leaf };
	times_pack(&lane->samples.times, g.t, g.n + 1, 0);
	lane->labels = NULL;
	lane->counts = NULL;
	free(g.self);
	free(g.total);
	free(g.begin);
	free(g.children);
}

/* Make the tree of a lane and, of a merged view, its samples. */
static void make_tree(struct maker *m, uint32_t at, const uint32_t *to)
{
	const struct lane *from = m->lane;
	struct fold_lane *out = &m->fold->lanes[at];
	struct lane *lane = &m->fold->profile.lanes[at];
	ALLOC_LOCAL node_id *parent = xmalloc(m->rows.n * sizeof *parent);
	ALLOC_LOCAL node_id *order = xmalloc(m->rows.n * sizeof *order);

	lane_forget_nodes(lane);
	memcpy(parent, m->rows.parent, m->rows.n * sizeof *parent);
	calltree_build(&lane->tree, m->rows.n, parent, m->rows.frame, order);
	out->to = xmalloc(from->tree.n * sizeof *out->to);
	for (node_id n = 0; n < from->tree.n; n++)
		out->to[n] = order[to[n]];
	out->has_packages = m->has_packages;
	out->is_run = xcalloc(lane->tree.n, 1);
	for (node_id n = 1; n < from->tree.n; n++)
		out->is_run[out->to[n]] = m->runs[to[n]].path != 0;
	if (m->wish->is_merged)
		merge_rows(m, out, lane);
	else
		fold_samples(m, out, lane);
}

/* Link the samples of a merged view, whose tree is made. */
static bool link_samples(struct fold_work *work, struct budget *budget)
{
	struct profile *p = &work->m.fold->profile;

	if (!work->wish.is_merged)
		return true;
	if (!work->link)
		work->link = lane_link_begin(&p->lanes[work->lane], p->frames.frames);
	return lane_link_work(work->link, budget);
}

static bool has_any(const struct maker *m)
{
	const struct calltree *tree = &m->lane->tree;

	for (node_id n = 1; n < tree->n; n++)
		if (folds(m, tree->frame[n]))
			return true;
	return false;
}

/* Free what is needed only while a lane is folded. */
static void end_lane(struct fold_work *work)
{
	struct maker *m = &work->m;

	lane_link_end(work->link);
	free(work->to);
	free(m->at);
	free(m->self);
	free(m->ns);
	free(m->is_leaf);
	free(m->runs);
	free(m->paths);
	node_map_done(&m->rows);
	node_map_done(&m->index);
	*m = (struct maker){ .fold = m->fold,
			     .p = m->p,
			     .wish = m->wish,
			     .element_of = m->element_of };
	work->to = NULL;
	work->has_tree = false;
	work->link = NULL;
}

/* Begin a lane, if something folds in it. */
static void begin_lane(struct fold_work *work, uint32_t lane)
{
	struct maker *m = &work->m;

	work->lane = lane;
	m->lane = &m->p->lanes[lane];
	if (!(m->lane->kind == LANE_SAMPLES && m->lane->has_timeline && m->lane->samples.n &&
	      reserve_has_room((size_t)m->lane->tree.n * NODE_BYTES)))
		return;
	find_times(m);
	m->has_packages = m->wish->mode == FOLD_PACKAGES && own_share(m) >= OWN_MIN;
	if (!has_any(m))
		return;
	m->at = xcalloc(m->lane->tree.n, sizeof *m->at);
	work->to = xcalloc(m->lane->tree.n, sizeof *work->to);
	work->node = 1;
	node_map_init(&m->rows);
	node_map_init(&m->index);
	m->cap_runs = 1;
	m->runs = xcalloc(m->cap_runs, sizeof *m->runs);
	m->runs[0].is_lone = true;
}

static bool work_tree(struct fold_work *work, struct budget *budget)
{
	node_id n = work->m.lane->tree.n;

	while (work->node < n) {
		node_id from = work->node, left = n - from;

		work->node += left < budget->step ? left : budget->step;
		find_rows(&work->m, from, work->node, work->to);
		if (budget_use(budget, work->node - from))
			return false;
	}
	name_rows(&work->m, work->to);
	make_tree(&work->m, work->lane, work->to);
	intern_join(&work->m.fold->profile.strings, &work->m.p->strings, &work->m.fold->names);
	work->has_tree = true;
	return !budget_use(budget, n);
}

/* Make a folded lane as it was before. */
static void free_lane(struct fold *fold, uint32_t at)
{
	struct fold_lane *l = &fold->lanes[at];
	struct lane *lane = &fold->profile.lanes[at];

	if (!l->to)
		return;
	if (!l->first)
		lane->samples.times = (struct times){ 0 };
	samples_done(&lane->samples);
	calltree_done(&lane->tree);
	free(l->to);
	free(l->is_run);
	free(l->first);
	free(l->from);
	*l = (struct fold_lane){ 0 };
	*lane = fold->of->lanes[at];
}

bool fold_make(struct fold *fold, int lane, struct budget *budget)
{
	struct fold_work *work = fold->work;
	struct fold_lane *l = &fold->lanes[lane];
	bool is_begun = work->to && work->lane == (uint32_t)lane;

	if (l->is_made)
		return true;
	/* Of another lane that is not complete, nothing is of use. */
	if (work->to && !is_begun) {
		end_lane(work);
		free_lane(fold, work->lane);
	}
	if (!is_begun)
		begin_lane(work, (uint32_t)lane);
	if (work->to && !work->has_tree && !work_tree(work, budget))
		return false;
	if (work->to && !link_samples(work, budget))
		return false;
	end_lane(work);
	l->is_made = true;
	return true;
}

/* ---- the profile ---- */

/* Borrow everything, with room for frames of runs. */
static struct fold *borrow(const struct profile *profile)
{
	struct fold *fold = xcalloc(1, sizeof *fold);
	struct frame_table *table = &fold->profile.frames;

	fold->of = profile;
	fold->profile = *profile;
	fold->lanes = xcalloc(profile->n_lanes, sizeof *fold->lanes);
	fold->profile.lanes = xmalloc(profile->n_lanes * sizeof *profile->lanes);
	memcpy(fold->profile.lanes, profile->lanes, profile->n_lanes * sizeof *profile->lanes);
	*table = (struct frame_table){ .n = profile->frames.n, .cap = profile->frames.n };
	table->frames = xmalloc(table->n * sizeof *table->frames);
	memcpy(table->frames, profile->frames.frames, table->n * sizeof *table->frames);
	intern_init(&fold->names);
	fold->profile.strings = (struct intern){ 0 };
	intern_join(&fold->profile.strings, &profile->strings, &fold->names);
	return fold;
}

/* Whether a function of the profile may fold. */
static bool has_candidate(const struct profile *profile)
{
	frame_id f = 1;

	while (f < profile->frames.n && !fold_can(profile_frame(profile, f)->category))
		f++;
	return f < profile->frames.n;
}

struct fold *fold_new(const struct profile *profile, const struct fold_wish *wish)
{
	struct fold *fold;
	struct fold_work *work;

	if (wish->mode == FOLD_NONE || !has_candidate(profile) ||
	    !reserve_has_room((size_t)profile->frames.n * sizeof *profile->frames.frames +
			      profile->strings.n * (size_t)STRING_BYTES))
		return NULL;
	fold = borrow(profile);
	fold->work = work = xcalloc(1, sizeof *work);
	work->wish = *wish;
	if (wish->found)
		work->wish.found = memcpy(xmalloc(profile->frames.n), wish->found,
					  profile->frames.n);
	work->m = (struct maker){ .p = profile, .wish = &work->wish, .fold = fold };
	work->m.element_of = xcalloc(profile->strings.n, sizeof *work->m.element_of);
	return fold;
}

void fold_free(struct fold *fold)
{
	if (!fold)
		return;
	end_lane(fold->work);
	free(fold->work->m.element_of);
	free(fold->work->wish.found);
	free(fold->work);
	for (uint32_t i = 0; i < fold->profile.n_lanes; i++)
		free_lane(fold, i);
	free(fold->lanes);
	free(fold->profile.lanes);
	frame_table_done(&fold->profile.frames);
	intern_leave(&fold->profile.strings);
	intern_done(&fold->names);
	free(fold);
}

/* ---- spans ---- */

void fold_close_span(const struct fold *fold, int lane, const struct span *span, struct span *out)
{
	const struct lane *folded = &fold->profile.lanes[lane];
	node_id node = fold->lanes[lane].to[span->node];
	int depth = (int)folded->tree.rows[node] - 1;
	const size_t *first = fold->lanes[lane].first;

	/* Nothing folds into the root, and a span of the lane has a sample. */
	if (!span_of_sample(&folded->samples, &folded->tree, first ? first[node] : span->first,
			    depth, out))
		*out = *span;
}

/* A sample of the lane as it is that a span of the folded lane stands for. */
static size_t first_sample(const struct fold *fold, int lane, const struct span *span)
{
	const struct lane *of = &fold->of->lanes[lane];
	size_t i = 0;

	if (!fold->lanes[lane].first)
		return span->first;
	while (i + 1 < of->samples.n &&
	       !calltree_is_below(&of->tree, of->samples.leaf[i],
				  fold->lanes[lane].from[span->node]))
		i++;
	return i;
}

void fold_open_span(const struct fold *fold, int lane, const struct span *span, struct span *out)
{
	const struct lane *of = &fold->of->lanes[lane];
	const node_id *to = fold->lanes[lane].to;
	size_t at = first_sample(fold, lane, span);
	node_id leaf = of->samples.leaf[at], node = leaf;

	/* The outermost ancestor that it stands for: rows of its callers stand for others. */
	for (node_id n = leaf; n != NODE_ROOT; n = of->tree.parent[n])
		if (to[n] == span->node)
			node = n;
	if (!span_of_sample(&of->samples, &of->tree, at, (int)of->tree.rows[node] - 1, out))
		*out = *span;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Groups (match_file.h) come one after the other. Each is compared with the classes of all groups
 * before it:
 *
 * 1. A frame that a group before has keeps its class.
 * 2. The new URLs of the group are paired with files that the group lacks.
 * 3. The new frames of the group are paired with classes that it lacks, of the same file and name;
 *    those without a pair begin a class.
 *
 * Two frames of one group are thus never one class. Frames without a URL have the number of their
 * script, which each run gives anew: for them, each run is a group, in a pass of its own. */
#include "config.h"

#include "analyse/compare/match.h"

#include "analyse/compare/compare_run.h"
#include "analyse/compare/match_file.h"
#include "base/alloc.h"
#include "base/hash.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ==== match align ====
 *
 * Pairs the functions of two lists that have one name, in the order of their lines.
 *
 * Dynamic programming over the prefixes of both lists: the least cost of a prefix of `a` and one of
 * `b` follows from that of the prefixes that lack their last functions. A function without a pair
 * costs more than all differences of lines together. */

struct match_place {
	int32_t line, column;
	uint64_t callers; /* a bit for each function that has a name and calls it, by hashes;
			     functions without a common bit are no pair */
};

/* Cells of the table; longer lists are paired one by one in their order. */
#define CELLS_MAX ((uint64_t)4 << 20)

#define SINGLE ((int64_t)1 << 40)

enum { SKIP_A, SKIP_B, PAIR };

static bool can_pair(const struct match_place *a, const struct match_place *b, bool is_exact)
{
	if (is_exact)
		return a->line == b->line && a->column == b->column;
	return (a->callers & b->callers) != 0;
}

/* Columns decide between functions of one line. */
static int64_t distance(const struct match_place *a, const struct match_place *b)
{
	int64_t lines = (int64_t)a->line - b->line, columns = (int64_t)a->column - b->column;

	lines = lines < 0 ? -lines : lines;
	columns = columns < 0 ? -columns : columns;
	return lines > 100000 ? 100000 * 16 : lines * 16 + (columns > 15 ? 15 : columns);
}

static void align_in_order(const struct match_place *a, uint32_t n_a, const struct match_place *b,
			   uint32_t n_b, bool is_exact, uint32_t *of)
{
	for (uint32_t i = 0; i < n_a; i++)
		of[i] = i < n_b && can_pair(&a[i], &b[i], is_exact) ? i : UINT32_MAX;
}

/* The choices for one more function of `a`. `cost`: by length of the prefix of b; that of the
 * prefix before becomes that of the next one. */
static void add_row(const struct match_place *a, const struct match_place *b, uint32_t n_b,
		    bool is_exact, int64_t *cost, uint8_t *choice)
{
	int64_t diagonal = cost[0];

	cost[0] += SINGLE;
	for (uint32_t k = 0; k < n_b; k++) {
		int64_t best = cost[k + 1] + SINGLE, across = diagonal;

		choice[k] = SKIP_A;
		if (cost[k] + SINGLE < best) {
			best = cost[k] + SINGLE;
			choice[k] = SKIP_B;
		}
		if (can_pair(a, &b[k], is_exact) && across + distance(a, &b[k]) <= best) {
			best = across + distance(a, &b[k]);
			choice[k] = PAIR;
		}
		diagonal = cost[k + 1];
		cost[k + 1] = best;
	}
}

/* Set of[i] to the index in `b` of the function that a[i] is, or UINT32_MAX. Both lists are in the
 * order of lines. Pairs do not cross; there are as many as possible, and the sum of the differences
 * of their lines is the least. is_exact: only functions with equal line and column are pairs. */
static void match_align(const struct match_place *a, uint32_t n_a, const struct match_place *b,
			uint32_t n_b, bool is_exact, uint32_t *of)
{
	uint8_t *choice;
	int64_t *cost;

	memset(of, 0xFF, n_a * sizeof *of);
	if (n_a == 0 || n_b == 0)
		return;
	if ((uint64_t)n_a * n_b > CELLS_MAX) {
		align_in_order(a, n_a, b, n_b, is_exact, of);
		return;
	}
	choice = xmalloc((size_t)n_a * n_b);
	cost = xmalloc(((size_t)n_b + 1) * sizeof *cost);
	for (uint32_t k = 0; k <= n_b; k++)
		cost[k] = k * SINGLE;
	for (uint32_t i = 0; i < n_a; i++)
		add_row(&a[i], b, n_b, is_exact, cost, choice + (size_t)i * n_b);
	for (uint32_t i = n_a, k = n_b; i > 0 && k > 0;) {
		uint8_t what = choice[(size_t)(i - 1) * n_b + k - 1];

		if (what == PAIR)
			of[i - 1] = k - 1;
		i -= what != SKIP_B;
		k -= what != SKIP_A;
	}
	free(choice);
	free(cost);
}

/* ==== match ==== */

/* A function that is to be paired: a class of the groups before, or a new frame. */
struct entry {
	str_id file; /* the URL that stands for the file; 0: none */
	str_id name;
	int32_t line, column;
	frame_id frame;
	bool is_new;
};

struct matching {
	const struct profile *p;
	const struct compare_run *runs;
	uint32_t n_runs;
	enum match_kind kind;
	frame_id *match;
	bool is_nowhere;   /* the pass is about frames without a URL */
	uint32_t *group;   /* by run: the first run of its group */
	uint8_t *is_here;  /* by frame: the current group has it */
	uint8_t *is_known; /* by frame: a group before had it */
	uint64_t *callers; /* by frame: struct match_place */
	str_id *file;      /* by URL: the URL that stands for its file; 0: not known yet */
	uint8_t *is_here_url, *is_here_file; /* by URL */
	struct entry *entries;
	uint32_t n_entries;
};

const char *match_word(unsigned i)
{
	static const char *const word[MATCH_COUNT] = { "file", "location", "stack", "name" };

	return i < MATCH_COUNT ? word[i] : NULL;
}

/* ---- groups ---- */

static uint32_t find_root(const uint32_t *root, uint32_t i)
{
	while (root[i] != i)
		i = root[i];
	return i;
}

/* Call `each` for the frames of all nodes of a run's lanes. */
static void each_frame(struct matching *m, uint32_t run,
		       void (*each)(struct matching *m, uint32_t run, frame_id frame))
{
	for (uint32_t i = 0; i < m->p->n_lanes; i++) {
		const struct calltree *tree = &m->p->lanes[i].tree;

		for (node_id k = 1; m->runs[run].is_lane[i] && k < tree->n; k++)
			each(m, run, tree->frame[k]);
	}
}

/* The URL of a frame; 0: it has none. */
static str_id url_of(const struct matching *m, const struct frame *f)
{
	return m->kind == MATCH_FILES ? f->name : f->url;
}

/* The files of the runtime are in all programs. */
static bool is_of_program(const struct matching *m, const struct frame *f)
{
	return url_of(m, f) && f->category != CATEGORY_NODE && f->category != CATEGORY_RUNTIME &&
		strchr(profile_text(m->p, url_of(m, f)), '/');
}

/* While groups are found, `file` is by URL the run that has it, counted from 1. */
static void join_run(struct matching *m, uint32_t run, frame_id frame)
{
	const struct frame *f = &m->p->frames.frames[frame];
	str_id url = url_of(m, f);
	uint32_t a, b;

	if (!is_of_program(m, f))
		return;
	if (!m->file[url])
		m->file[url] = run + 1;
	a = find_root(m->group, run);
	b = find_root(m->group, m->file[url] - 1);
	if (a < b)
		m->group[b] = a;
	else
		m->group[a] = b;
}

/* The groups of one side. */
static void find_groups(struct matching *m, bool is_after)
{
	memset(m->file, 0, m->p->strings.n * sizeof *m->file);
	for (uint32_t i = 0; i < m->n_runs; i++)
		if (m->runs[i].is_after == is_after)
			each_frame(m, i, join_run);
	memset(m->file, 0, m->p->strings.n * sizeof *m->file);
}

static void mark_frame(struct matching *m, uint32_t run, frame_id frame)
{
	str_id url = url_of(m, &m->p->frames.frames[frame]);

	(void)run;
	if ((url == 0) != m->is_nowhere)
		return;
	m->is_here[frame] = 1;
	m->is_here_url[url] = 1;
}

static void mark_group(struct matching *m, uint32_t group)
{
	memset(m->is_here, 0, m->p->frames.n);
	memset(m->is_here_url, 0, m->p->strings.n);
	memset(m->is_here_file, 0, m->p->strings.n);
	for (uint32_t i = group; i < m->n_runs; i++)
		if (find_root(m->group, i) == group)
			each_frame(m, i, mark_frame);
	m->is_here[FRAME_NONE] = 0;
}

/* ---- callers of anonymous functions ---- */

static void find_callers_of(struct matching *m, const struct calltree *tree)
{
	uint64_t *above = xmalloc((size_t)tree->n * sizeof *above);

	above[NODE_ROOT] = 1;
	for (node_id i = 1; i < tree->n; i++) {
		const struct frame *f = &m->p->frames.frames[tree->frame[i]];

		above[i] = above[tree->parent[i]];
		m->callers[tree->frame[i]] |= above[i];
		if (!profile_is_anonymous(m->p, f))
			above[i] = UINT64_C(1) << (hash_u64(f->name) & 63);
	}
	free(above);
}

static void find_callers(struct matching *m)
{
	for (uint32_t i = 0; i < m->p->n_lanes; i++) {
		bool is_used = false;

		for (uint32_t run = 0; run < m->n_runs; run++)
			is_used |= m->runs[run].is_lane[i];
		if (is_used && m->p->lanes[i].tree.n)
			find_callers_of(m, &m->p->lanes[i].tree);
	}
	/* Of functions with a name the callers do not matter. */
	for (frame_id f = 0; f < m->p->frames.n; f++)
		if (!profile_is_anonymous(m->p, &m->p->frames.frames[f]))
			m->callers[f] = UINT64_MAX;
}

/* ---- files ---- */

/* Give the new URLs of the group a file. */
static void match_files(struct matching *m)
{
	const struct profile *p = m->p;
	struct match_url *old = xmalloc(p->strings.n * sizeof *old),
			 *new = xmalloc(p->strings.n * sizeof *new);
	uint32_t *of = xmalloc(p->strings.n * sizeof *of), n_old = 0, n_new = 0;

	for (str_id url = 1; url < p->strings.n; url++)
		if (m->is_here_url[url] && m->file[url])
			m->is_here_file[m->file[url]] = 1;
	for (str_id url = 1; url < p->strings.n; url++) {
		struct match_url u = { url, profile_text(p, url) };

		if (m->file[url] == url && !m->is_here_file[url])
			old[n_old++] = u;
		else if (m->is_here_url[url] && !m->file[url])
			new[n_new++] = u;
	}
	for (uint32_t i = 0; i < n_new; i++)
		m->file[new[i].url] = new[i].url;
	match_file_pair(old, n_old, new, n_new, of);
	for (uint32_t i = 0; i < n_old; i++)
		if (of[i] != UINT32_MAX)
			m->file[new[of[i]].url] = old[i].url;
	free(old);
	free(new);
	free(of);
}

/* ---- functions ---- */

static int compare_keys(const struct entry *a, const struct entry *b)
{
	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

static int compare_entries(const void *x, const void *y)
{
	const struct entry *a = x, *b = y;
	int c = compare_keys(a, b);

	if (c)
		return c;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	if (a->column != b->column)
		return a->column < b->column ? -1 : 1;
	return a->frame < b->frame ? -1 : a->frame > b->frame;
}

static void add_entry(struct matching *m, frame_id frame, bool is_new)
{
	const struct frame *f = &m->p->frames.frames[frame];
	bool has_place = m->kind == MATCH_LOCATION && f->url && f->line > 0;

	has_place |= m->kind == MATCH_FILES;
	m->entries[m->n_entries++] = (struct entry){ .file = m->file[url_of(m, f)],
						     .name = has_place ? 0 : f->name,
						     .line = f->line,
						     .column = f->column,
						     .frame = frame,
						     .is_new = is_new };
}

/* The classes that the group lacks, and its new frames. */
static void collect(struct matching *m)
{
	uint8_t *is_here_class = xcalloc(m->p->frames.n, 1);

	m->n_entries = 0;
	for (frame_id f = 1; f < m->p->frames.n; f++)
		if (m->is_here[f] && m->is_known[f])
			is_here_class[m->match[f]] = 1;
	for (frame_id f = 1; f < m->p->frames.n; f++) {
		if (m->is_known[f] && m->match[f] == f && !is_here_class[f])
			add_entry(m, f, false);
		else if (m->is_here[f] && !m->is_known[f])
			add_entry(m, f, true);
	}
	free(is_here_class);
}

/* Pair the entries of one file and name. */
static void match_entries(struct matching *m, const struct entry *entries, uint32_t n)
{
	struct match_place *old = xmalloc(n * sizeof *old), *new = xmalloc(n * sizeof *new);
	frame_id *old_frame = xmalloc(n * sizeof *old_frame),
		 *new_frame = xmalloc(n * sizeof *new_frame);
	uint32_t *of = xmalloc(n * sizeof *of), n_old = 0, n_new = 0;
	bool is_exact = m->kind == MATCH_LOCATION && entries->name == 0;

	for (uint32_t i = 0; i < n; i++) {
		const struct entry *e = &entries[i];
		struct match_place place = { e->line, e->column, m->callers[e->frame] };

		if (e->is_new) {
			new[n_new] = place;
			new_frame[n_new++] = e->frame;
		} else {
			old[n_old] = place;
			old_frame[n_old++] = e->frame;
		}
	}
	match_align(old, n_old, new, n_new, is_exact, of);
	for (uint32_t i = 0; i < n_old; i++)
		if (of[i] != UINT32_MAX)
			m->match[new_frame[of[i]]] = old_frame[i];
	free(old);
	free(new);
	free(old_frame);
	free(new_frame);
	free(of);
}

static void match_group(struct matching *m, uint32_t group)
{
	mark_group(m, group);
	match_files(m);
	collect(m);
	if (m->n_entries)
		qsort(m->entries, m->n_entries, sizeof *m->entries, compare_entries);
	for (uint32_t i = 0, end; i < m->n_entries; i = end) {
		end = i + 1;
		while (end < m->n_entries && compare_keys(&m->entries[i], &m->entries[end]) == 0)
			end++;
		if (end - i > 1)
			match_entries(m, m->entries + i, end - i);
	}
	for (frame_id f = 1; f < m->p->frames.n; f++)
		m->is_known[f] |= m->is_here[f];
}

static void match_side(struct matching *m, bool is_after)
{
	for (uint32_t i = 0; i < m->n_runs; i++)
		if (m->runs[i].is_after == is_after && find_root(m->group, i) == i)
			match_group(m, i);
}

/* ---- names alone ---- */

/* What the frames of each side are called. */
struct unique_names {
	frame_id *of[2];   /* by name: the first class on the side; FRAME_NONE: none */
	uint8_t *has_more; /* by name: a side has two classes */
};

static void add_name(const struct matching *m, struct unique_names *n, uint32_t run, frame_id frame)
{
	const struct frame *f = &m->p->frames.frames[frame];
	frame_id class = m->match[frame], *of = &n->of[m->runs[run].is_after][f->name];

	if (*of == FRAME_NONE)
		*of = class;
	n->has_more[f->name] |= *of != class;
}

/* Join the classes of a name that each side has once. */
static void match_names(struct matching *m)
{
	const struct frame_table *frames = &m->p->frames;
	size_t n_names = m->p->strings.n;
	struct unique_names n = { { xcalloc(n_names, sizeof **n.of),
				    xcalloc(n_names, sizeof **n.of) },
				  xcalloc(n_names, 1) };

	for (uint32_t run = 0; run < m->n_runs; run++)
		for (uint32_t i = 0; i < m->p->n_lanes; i++) {
			const struct calltree *tree = &m->p->lanes[i].tree;

			for (node_id k = 1; m->runs[run].is_lane[i] && k < tree->n; k++)
				add_name(m, &n, run, tree->frame[k]);
		}
	for (frame_id f = 1; f < frames->n; f++) {
		str_id name = frames->frames[f].name;
		frame_id before = n.of[0][name], after = n.of[1][name];

		if (before && after && !n.has_more[name] && m->match[f] == after &&
		    !profile_is_anonymous(m->p, &frames->frames[f]))
			m->match[f] = before;
	}
	free(n.of[0]);
	free(n.of[1]);
	free(n.has_more);
}

/* Tell which URL stands for the file of each. */
static void tell_files(const struct matching *m, str_id *files)
{
	for (str_id s = 0; s < m->p->strings.n; s++)
		files[s] = m->file[s] ? m->file[s] : s;
}

void match_frames(const struct profile *p, const struct compare_run *runs, uint32_t n_runs,
		  enum match_kind kind, frame_id *match, str_id *files)
{
	struct matching m = {
		.p = p,
		.runs = runs,
		.n_runs = n_runs,
		.kind = kind,
		.match = match,
		.group = xmalloc(n_runs * sizeof *m.group),
		.is_here = xcalloc(p->frames.n, 1),
		.is_known = xcalloc(p->frames.n, 1),
		.callers = xcalloc(p->frames.n, sizeof *m.callers),
		.file = xcalloc(p->strings.n, sizeof *m.file),
		.is_here_url = xcalloc(p->strings.n, 1),
		.is_here_file = xcalloc(p->strings.n, 1),
		.entries = xmalloc((size_t)p->frames.n * sizeof *m.entries),
	};

	for (frame_id f = 0; f < p->frames.n; f++)
		match[f] = f;
	for (uint32_t i = 0; i < n_runs; i++)
		m.group[i] = i;
	find_callers(&m);
	find_groups(&m, false);
	find_groups(&m, true);
	match_side(&m, false);
	match_side(&m, true);
	if (files)
		tell_files(&m, files);
	m.is_nowhere = true;
	for (uint32_t i = 0; i < n_runs; i++)
		m.group[i] = i;
	match_side(&m, false);
	match_side(&m, true);
	if (kind == MATCH_NAME)
		match_names(&m);
	free(m.group);
	free(m.is_here);
	free(m.is_known);
	free(m.callers);
	free(m.file);
	free(m.is_here_url);
	free(m.is_here_file);
	free(m.entries);
}

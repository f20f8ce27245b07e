/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Groups ("match file" below) come one after the other. Each is compared with the classes of all
 * groups before it:
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
#include "base/alloc.h"
#include "base/hash.h"
#include "base/sort.h"
#include "base/str.h"
#include "model/file_key.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ==== match file ====
 *
 * Which URLs of several runs are the same file.
 *
 * Group: runs of one side that share files; its URLs are those of one program at one place. Two
 * URLs of one group are two files. A URL is the same file in all groups. The URLs that only one of
 * two groups has are the same file
 *
 * 1. if they are equal without version, hash and query, and no other URL of either group is; or
 * 2. if they are equal below two directories, to which more files of the groups point than to any
 *    other two, such as `/app/a/` and `/home/u/`. Files that could be two others stay apart.
 *
 * Three passes, the strictest first: equal keys; equal keys within a package; equal ends of paths.
 * The last one collects moves. A move is a directory of each group; each two files with one name
 * vote for the move that makes their paths equal. The moves with the most votes go first, of these
 * the one with the longest equal end; files that moves of one rank send to several places stay
 * apart. */

#define PAIRS_MAX 10000u /* of a name of files; names that are more frequent do not vote */
#define MOVES_MAX 1000u  /* that count */

/* ---- files ---- */

struct file {
	char *key;
	const char *name;    /* the last segment of the key */
	const char *package; /* the key from the package on; NULL: not in node_modules */
	uint32_t mate;       /* the file of the other group; UINT32_MAX: none */
	bool is_internal;    /* of the runtime: it is nowhere else */
	bool is_taken;       /* has a mate, or could have several */
};

struct pairing {
	struct file *a, *b;
	uint32_t n_a, n_b;
};

static bool is_internal(const char *url)
{
	static const char *const schemes[] = { "node:",     "ext:",    "deno:", "bun:",
					       "internal/", "native ", "wasm:" };

	for (size_t i = 0; i < ARRAY_LEN(schemes); i++)
		if (strncmp(url, schemes[i], strlen(schemes[i])) == 0)
			return true;
	return !strchr(url, '/') && !strchr(url, '\\');
}

static struct file *find_files(const struct profile *p, const str_id *urls, uint32_t n)
{
	static const char modules[] = "node_modules/";
	struct file *files = xcalloc(n, sizeof *files);

	for (uint32_t i = 0; i < n; i++) {
		const char *url = profile_text(p, urls[i]), *slash;
		struct file *f = &files[i];
		BUF_LOCAL key = { 0 };

		file_key_add(url, &key);
		f->key = xstrdup(buf_text(&key));
		slash = strrchr(f->key, '/');
		f->name = slash ? slash + 1 : f->key;
		f->mate = UINT32_MAX;
		f->is_internal = is_internal(url);
		for (const char *at = f->key; (at = strstr(at, modules)) != NULL; f->package = at)
			at += sizeof modules - 1;
	}
	return files;
}

static void mate(struct pairing *w, uint32_t i, uint32_t k)
{
	w->a[i].mate = k;
	w->b[k].mate = i;
	w->a[i].is_taken = w->b[k].is_taken = true;
}

/* ---- equal texts ---- */

static const char *key_of(const struct file *f)
{
	return f->key;
}

static const char *package_of(const struct file *f)
{
	return f->package;
}

/* The only file of a list with that text that is not taken; UINT32_MAX: there are none or several.
 */
static uint32_t find_only(const struct hash_table *index, const struct file *files,
			  const char *(*text_of)(const struct file *), const char *text)
{
	struct hash_probe probe = hash_probe(hash_bytes(text, strlen(text)));
	uint32_t found = UINT32_MAX;

	while (hash_table_next(index, &probe)) {
		const char *other = text_of(&files[probe.index]);

		if (!other || files[probe.index].is_taken || strcmp(other, text) != 0)
			continue;
		if (found != UINT32_MAX)
			return UINT32_MAX;
		found = probe.index;
	}
	return found;
}

static void index_files(struct hash_table *index, const struct file *files, uint32_t n,
			const char *(*text_of)(const struct file *))
{
	for (uint32_t i = 0; i < n; i++) {
		const char *text = text_of(&files[i]);

		if (text)
			hash_table_add(index, hash_bytes(text, strlen(text)), i);
	}
}

static void pair_equal(struct pairing *w, const char *(*text_of)(const struct file *))
{
	struct hash_table in_a = { 0 }, in_b = { 0 };

	index_files(&in_a, w->a, w->n_a, text_of);
	index_files(&in_b, w->b, w->n_b, text_of);
	for (uint32_t i = 0; i < w->n_a; i++) {
		const char *text = text_of(&w->a[i]);
		uint32_t k;

		if (!text || w->a[i].is_taken || find_only(&in_a, w->a, text_of, text) != i)
			continue;
		k = find_only(&in_b, w->b, text_of, text);
		if (k != UINT32_MAX)
			mate(w, i, k);
	}
	hash_table_done(&in_a);
	hash_table_done(&in_b);
}

/* ---- moves ---- */

struct move {
	const char *a, *b; /* directories: the beginnings of two keys, */
	size_t len_a, len_b;
	uint32_t n_votes;
	uint32_t n_equal; /* segments at the ends of the keys */
};

struct moves {
	struct move *list;
	size_t n, cap;
	struct hash_table index;
};

/* Names that most directories have say nothing by themselves. */
static bool is_common_name(const char *name)
{
	static const char *const names[] = { "index", "main", "mod" };

	return STR_IN(((struct str){ name, strcspn(name, ".") }), names);
}

static uint64_t move_hash(const struct move *m)
{
	return hash_bytes(m->a, m->len_a) ^ hash_u64(hash_bytes(m->b, m->len_b));
}

/* The move that makes the keys of two files with one name equal. */
static struct move find_move(const char *a, const char *b)
{
	size_t len_a = strlen(a), len_b = strlen(b), cut = 0;
	struct move move = { .a = a, .b = b, .n_votes = 1 };

	for (size_t n = 0; n < len_a && n < len_b && a[len_a - 1 - n] == b[len_b - 1 - n];) {
		n++;
		if ((n == len_a || a[len_a - 1 - n] == '/') &&
		    (n == len_b || b[len_b - 1 - n] == '/')) {
			cut = n;
			move.n_equal++;
		}
	}
	move.len_a = len_a - cut;
	move.len_b = len_b - cut;
	return move;
}

static void vote(struct moves *moves, const struct move *move)
{
	struct hash_probe probe = hash_probe(move_hash(move));

	while (moves->n > 0 && hash_table_next(&moves->index, &probe)) {
		struct move *m = &moves->list[probe.index];

		if (m->len_a != move->len_a || m->len_b != move->len_b ||
		    memcmp(m->a, move->a, m->len_a) != 0 || memcmp(m->b, move->b, m->len_b) != 0)
			continue;
		m->n_votes++;
		m->n_equal = move->n_equal > m->n_equal ? move->n_equal : m->n_equal;
		return;
	}
	moves->list = xgrow(moves->list, &moves->cap, moves->n + 1, sizeof *moves->list);
	moves->list[moves->n] = *move;
	hash_table_add(&moves->index, move_hash(move), (uint32_t)moves->n++);
}

static bool can_move(const struct file *f)
{
	return !f->is_taken && !f->is_internal;
}

static const char *name_of(const struct file *f)
{
	return can_move(f) ? f->name : NULL;
}

/* How many files of a list have that name. */
static uint32_t count_names(const struct hash_table *index, const struct file *files,
			    const char *name)
{
	struct hash_probe probe = hash_probe(hash_bytes(name, strlen(name)));
	uint32_t n = 0;

	while (hash_table_next(index, &probe))
		n += strcmp(files[probe.index].name, name) == 0;
	return n;
}

static void collect_votes(const struct pairing *w, struct moves *moves)
{
	struct hash_table in_a = { 0 }, in_b = { 0 };

	index_files(&in_a, w->a, w->n_a, name_of);
	index_files(&in_b, w->b, w->n_b, name_of);
	for (uint32_t i = 0; i < w->n_a; i++) {
		const char *name = name_of(&w->a[i]);
		struct hash_probe probe;

		if (!name ||
		    (uint64_t)count_names(&in_a, w->a, name) * count_names(&in_b, w->b, name) >
			    PAIRS_MAX)
			continue;
		probe = hash_probe(hash_bytes(name, strlen(name)));
		while (hash_table_next(&in_b, &probe)) {
			struct move move = find_move(w->a[i].key, w->b[probe.index].key);

			if (strcmp(w->b[probe.index].name, name) == 0)
				vote(moves, &move);
		}
	}
	hash_table_done(&in_a);
	hash_table_done(&in_b);
}

SORT_ORDER(compare_moves, struct move, SORT_BY_2(y->n_votes, x->n_votes, y->n_equal, x->n_equal))

/* Where a file could go: a claim is the other file, or SEVERAL. */
#define SEVERAL (UINT32_MAX - 1)

static void claim(uint32_t *claims, uint32_t i, uint32_t k)
{
	claims[i] = claims[i] == UINT32_MAX || claims[i] == k ? k : SEVERAL;
}

struct claims {
	uint32_t *a, *b;
	struct hash_table index; /* of the keys of b */
};

static void claim_by(const struct pairing *w, const struct move *m, struct claims *claims)
{
	BUF_LOCAL image = { 0 };

	if (m->n_votes == 1 && m->n_equal == 1 && is_common_name(m->a + m->len_a))
		return;
	for (uint32_t i = 0; i < w->n_a; i++) {
		uint32_t k;

		if (!can_move(&w->a[i]) || strncmp(w->a[i].key, m->a, m->len_a) != 0)
			continue;
		buf_clear(&image);
		buf_add(&image, m->b, m->len_b);
		buf_adds(&image, w->a[i].key + m->len_a);
		k = find_only(&claims->index, w->b, key_of, buf_text(&image));
		if (k == UINT32_MAX || !can_move(&w->b[k]))
			continue;
		claim(claims->a, i, k);
		claim(claims->b, k, i);
	}
}

/* Pair what the moves of one rank agree on; the rest of what they claim stays apart. */
static void settle(struct pairing *w, struct claims *claims)
{
	for (uint32_t i = 0; i < w->n_a; i++) {
		uint32_t k = claims->a[i];

		claims->a[i] = UINT32_MAX;
		if (k < SEVERAL && claims->b[k] == i)
			mate(w, i, k);
		w->a[i].is_taken |= k != UINT32_MAX;
	}
	for (uint32_t k = 0; k < w->n_b; k++) {
		w->b[k].is_taken |= claims->b[k] != UINT32_MAX;
		claims->b[k] = UINT32_MAX;
	}
}

static uint32_t *no_claims(uint32_t n)
{
	uint32_t *claims = xmalloc(n * sizeof *claims);

	memset(claims, 0xFF, n * sizeof *claims);
	return claims;
}

static void pair_moved(struct pairing *w)
{
	struct moves moves = { 0 };
	struct claims claims = { .a = no_claims(w->n_a), .b = no_claims(w->n_b) };

	collect_votes(w, &moves);
	index_files(&claims.index, w->b, w->n_b, key_of);
	if (moves.n)
		qsort(moves.list, moves.n, sizeof *moves.list, compare_moves);
	for (size_t i = 0; i < moves.n && i < MOVES_MAX; i++) {
		claim_by(w, &moves.list[i], &claims);
		if (i + 1 == moves.n || compare_moves(&moves.list[i], &moves.list[i + 1]) != 0)
			settle(w, &claims);
	}
	hash_table_done(&claims.index);
	hash_table_done(&moves.index);
	free(claims.a);
	free(claims.b);
	free(moves.list);
}

/* ---- the whole ---- */

static void free_files(struct file *files, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		free(files[i].key);
	free(files);
}

/* Pair the files that are only in one of two groups: of[i]: the index in `b` of the file that a[i]
 * is; UINT32_MAX: none. */
static void match_file_pair(const struct profile *p, const str_id *a, uint32_t n_a, const str_id *b,
			    uint32_t n_b, uint32_t *of)
{
	struct pairing w = { find_files(p, a, n_a), find_files(p, b, n_b), n_a, n_b };

	pair_equal(&w, key_of);
	pair_equal(&w, package_of);
	pair_moved(&w);
	for (uint32_t i = 0; i < n_a; i++)
		of[i] = w.a[i].mate;
	free_files(w.a, n_a);
	free_files(w.b, n_b);
}

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
	ALLOC_LOCAL uint8_t *choice = NULL;
	ALLOC_LOCAL int64_t *cost = NULL;

	memset(of, 0xFF, n_a * sizeof *of);
	if (n_a == 0 || n_b == 0)
		return;
	if ((uint64_t)n_a * n_b > CELLS_MAX) {
		for (uint32_t i = 0; i < n_a && i < n_b; i++)
			of[i] = can_pair(&a[i], &b[i], is_exact) ? i : UINT32_MAX;
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
}

/* ==== match ==== */

/* What the frames of each side are called. */
struct unique_names {
	frame_id *of[2];   /* by name: the first class on the side; FRAME_NONE: none */
	uint8_t *has_more; /* by name: a side has two classes */
};

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
	struct unique_names names; /* while names are joined */
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

/* ---- callers of anonymous functions ---- */

static void find_callers_of(struct matching *m, const struct calltree *tree)
{
	ALLOC_LOCAL uint64_t *above = xmalloc((size_t)tree->n * sizeof *above);

	above[NODE_ROOT] = 1;
	for (node_id i = 1; i < tree->n; i++) {
		const struct frame *f = &m->p->frames.frames[tree->frame[i]];

		above[i] = above[tree->parent[i]];
		m->callers[tree->frame[i]] |= above[i];
		if (!profile_is_anonymous(m->p, f))
			above[i] = UINT64_C(1) << (hash_u64(f->name) & 63);
	}
}

/* ---- files ---- */

/* Give the new URLs of the group a file. */
static void match_files(struct matching *m)
{
	const struct profile *p = m->p;
	ALLOC_LOCAL str_id *old = xmalloc(p->strings.n * sizeof *old),
			   *new = xmalloc(p->strings.n * sizeof *new);
	uint32_t n_old = 0, n_new = 0;
	ALLOC_LOCAL uint32_t *of = xmalloc(p->strings.n * sizeof *of);

	for (str_id url = 1; url < p->strings.n; url++)
		if (m->is_here_url[url] && m->file[url])
			m->is_here_file[m->file[url]] = 1;
	for (str_id url = 1; url < p->strings.n; url++) {
		if (m->file[url] == url && !m->is_here_file[url])
			old[n_old++] = url;
		else if (m->is_here_url[url] && !m->file[url])
			new[n_new++] = url;
	}
	for (uint32_t i = 0; i < n_new; i++)
		m->file[new[i]] = new[i];
	match_file_pair(p, old, n_old, new, n_new, of);
	for (uint32_t i = 0; i < n_old; i++)
		if (of[i] != UINT32_MAX)
			m->file[new[of[i]]] = old[i];
}

/* ---- functions ---- */

static int compare_keys(const struct entry *a, const struct entry *b)
{
	return SORT_BY_2(a->file, b->file, a->name, b->name);
}

SORT_ORDER(compare_entries, struct entry,
	   SORT_BY_5(x->file, y->file, x->name, y->name, x->line, y->line, x->column, y->column,
		     x->frame, y->frame))

static void add_entry(struct matching *m, frame_id frame, bool is_new)
{
	const struct frame *f = &m->p->frames.frames[frame];
	bool has_place = m->kind == MATCH_LOCATION && f->url && f->line > 0;

	has_place |= m->kind == MATCH_FILES;
	m->entries[m->n_entries++] = (struct entry){ .file = m->file[url_of(m, f)],
						     .name = has_place ? f->event : f->name,
						     .line = f->line,
						     .column = f->column,
						     .frame = frame,
						     .is_new = is_new };
}

/* The classes that the group lacks, and its new frames. */
static void collect(struct matching *m)
{
	ALLOC_LOCAL uint8_t *is_here_class = xcalloc(m->p->frames.n, 1);

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
}

/* Pair the entries of one file and name. */
static void match_entries(struct matching *m, const struct entry *entries, uint32_t n)
{
	ALLOC_LOCAL struct match_place *old = xmalloc(n * sizeof *old),
				       *new = xmalloc(n * sizeof *new);
	ALLOC_LOCAL frame_id *old_frame = xmalloc(n * sizeof *old_frame),
			     *new_frame = xmalloc(n * sizeof *new_frame);
	uint32_t n_old = 0, n_new = 0;
	ALLOC_LOCAL uint32_t *of = xmalloc(n * sizeof *of);
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
}

static void match_group(struct matching *m, uint32_t group)
{
	memset(m->is_here, 0, m->p->frames.n);
	memset(m->is_here_url, 0, m->p->strings.n);
	memset(m->is_here_file, 0, m->p->strings.n);
	for (uint32_t i = group; i < m->n_runs; i++)
		if (find_root(m->group, i) == group)
			each_frame(m, i, mark_frame);
	m->is_here[FRAME_NONE] = 0;
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

static void add_name(struct matching *m, uint32_t run, frame_id frame)
{
	struct unique_names *n = &m->names;
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
	struct unique_names *n = &m->names;

	n->of[0] = xcalloc(n_names, sizeof *n->of[0]);
	n->of[1] = xcalloc(n_names, sizeof *n->of[1]);
	n->has_more = xcalloc(n_names, sizeof *n->has_more);
	for (uint32_t run = 0; run < m->n_runs; run++)
		each_frame(m, run, add_name);
	for (frame_id f = 1; f < frames->n; f++) {
		str_id name = frames->frames[f].name;
		frame_id before = n->of[0][name], after = n->of[1][name];

		if (before && after && !n->has_more[name] && m->match[f] == after &&
		    !profile_is_anonymous(m->p, &frames->frames[f]))
			m->match[f] = before;
	}
	free(n->of[0]);
	free(n->of[1]);
	free(n->has_more);
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
	for (uint32_t i = 0; i < m.p->n_lanes; i++) {
		bool is_used = false;

		for (uint32_t run = 0; run < m.n_runs; run++)
			is_used |= m.runs[run].is_lane[i];
		if (is_used && m.p->lanes[i].tree.n)
			find_callers_of(&m, &m.p->lanes[i].tree);
	}
	/* Of functions with a name the callers do not matter. */
	for (frame_id f = 0; f < m.p->frames.n; f++)
		if (!profile_is_anonymous(m.p, &m.p->frames.frames[f]))
			m.callers[f] = UINT64_MAX;
	find_groups(&m, false);
	find_groups(&m, true);
	match_side(&m, false);
	match_side(&m, true);
	for (str_id s = 0; files && s < p->strings.n; s++)
		files[s] = m.file[s] ? m.file[s] : s;
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

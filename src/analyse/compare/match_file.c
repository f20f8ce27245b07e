/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Three passes, the strictest first: equal keys; equal keys within a package; equal ends of paths.
 * The last one collects moves. A move is a directory of each group; each two files with one name
 * vote for the move that makes their paths equal. The moves with the most votes go first, of these
 * the one with the longest equal end; files that moves of one rank send to several places stay
 * apart. */
#include "config.h"

#include "analyse/compare/match_file.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Names of files that are too frequent do not vote: as many pairs. */
#define PAIRS_MAX 10000u

/* As many moves count. */
#define MOVES_MAX 1000u

/* ---- keys ---- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Whether text is a version, `1.2.3` and what follows it. */
static bool is_version(const char *p, size_t n)
{
	int dots = 0;

	if (n == 0 || !is_digit(*p))
		return false;
	for (size_t i = 0; i < n && (is_digit(p[i]) || p[i] == '.'); i++)
		dots += p[i] == '.' && i + 1 < n && is_digit(p[i + 1]);
	return dots >= 2;
}

/* A directory, or the name of a package: up to the @ of a version. */
static void add_segment(const char *p, size_t n, struct buf *out)
{
	if (is_version(p, n)) {
		buf_addc(out, '*');
		return;
	}
	for (size_t i = 1; i + 1 < n; i++) {
		bool is_at = p[i] == '@' && (is_digit(p[i + 1]) || strchr("^~=v", p[i + 1]));

		if (is_at || (n - i > 5 && memcmp(p + i, "-npm-", 5) == 0)) {
			n = i;
			break;
		}
	}
	buf_add(out, p, n);
}

/* Whether a part of a file's name is a hash of its content: at least six characters, with a digit,
 * hexadecimal or of both cases. */
static bool is_hash(const char *p, size_t n)
{
	size_t n_digits = 0, n_upper = 0, n_lower = 0, n_hex = 0;

	for (size_t i = 0; i < n; i++) {
		n_digits += is_digit(p[i]);
		n_upper += p[i] >= 'A' && p[i] <= 'Z';
		n_lower += p[i] >= 'a' && p[i] <= 'z';
		n_hex += is_digit(p[i]) || (p[i] >= 'a' && p[i] <= 'f');
	}
	return n >= 6 && n_digits > 0 && n_digits < n &&
		(n_hex == n || (n_upper > 0 && n_lower > 0));
}

/* The name of a file, with a * for each hash in it. */
static void add_file(const char *p, size_t n, struct buf *out)
{
	size_t i = 0;

	while (i < n) {
		size_t k = i;

		while (k < n && is_word(p[k]))
			k++;
		/* The first part is the name itself. */
		if (i > 0 && (p[i - 1] == '-' || p[i - 1] == '.') && is_hash(p + i, k - i))
			buf_addc(out, '*');
		else
			buf_add(out, p + i, k - i);
		if (k < n)
			buf_addc(out, p[k++]);
		i = k;
	}
}

/* The text behind scheme and host, where these say only which machine has the file. */
static const char *skip_host(const char *url)
{
	static const char *const schemes[] = { "file://", "http://", "https://" };

	for (size_t i = 0; i < ARRAY_LEN(schemes); i++) {
		size_t n = strlen(schemes[i]);

		if (strncmp(url, schemes[i], n) == 0)
			return url + n + strcspn(url + n, "/");
	}
	return url;
}

/* Append a URL without what differs between two builds of one file: the query, the host, versions
 * of packages (`/node_modules/.pnpm/x@1.2.3/...`), hashes in the name of the file
 * (`index-4f3a2b.js`). */
static void match_file_key(const char *url, struct buf *out)
{
	const char *p = skip_host(url), *end = p + strcspn(p, "?#");

	while (p < end) {
		size_t n = 0;

		while (p + n < end && p[n] != '/' && p[n] != '\\')
			n++;
		if (p + n == end) {
			add_file(p, n, out);
			break;
		}
		add_segment(p, n, out);
		buf_addc(out, '/');
		p += n + 1;
	}
}

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

static struct file *find_files(const struct match_url *urls, uint32_t n)
{
	static const char modules[] = "node_modules/";
	struct file *files = xcalloc(n, sizeof *files);

	for (uint32_t i = 0; i < n; i++) {
		struct file *f = &files[i];
		struct buf key = { 0 };
		const char *slash;

		match_file_key(urls[i].text, &key);
		f->key = xstrdup(buf_text(&key));
		slash = strrchr(f->key, '/');
		f->name = slash ? slash + 1 : f->key;
		f->mate = UINT32_MAX;
		f->is_internal = is_internal(urls[i].text);
		for (const char *p = f->key; (p = strstr(p, modules)) != NULL; f->package = p)
			p += sizeof modules - 1;
		buf_done(&key);
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
	size_t n = strcspn(name, ".");

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (n == strlen(names[i]) && memcmp(name, names[i], n) == 0)
			return true;
	return false;
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

static int compare_moves(const void *x, const void *y)
{
	const struct move *a = x, *b = y;

	if (a->n_votes != b->n_votes)
		return a->n_votes > b->n_votes ? -1 : 1;
	return a->n_equal > b->n_equal ? -1 : a->n_equal < b->n_equal;
}

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
	struct buf image = { 0 };

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
	buf_done(&image);
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

void match_file_pair(const struct match_url *a, uint32_t n_a, const struct match_url *b,
		     uint32_t n_b, uint32_t *of)
{
	struct pairing w = { find_files(a, n_a), find_files(b, n_b), n_a, n_b };

	pair_equal(&w, key_of);
	pair_equal(&w, package_of);
	pair_moved(&w);
	for (uint32_t i = 0; i < n_a; i++)
		of[i] = w.a[i].mate;
	free_files(w.a, n_a);
	free_files(w.b, n_b);
}

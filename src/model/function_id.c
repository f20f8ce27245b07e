/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/function_id.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/sort.h"
#include "model/file_key.h"

#include <stdlib.h>
#include <string.h>

#define ID_BITS (5 * FUNCTION_ID_DIGITS)
#define LISTED_MAX 5

static const char digits[] = "0123456789abcdefghjkmnpqrstvwxyz";

static uint64_t add_string(uint64_t hash, const struct profile *p, str_id id)
{
	return hash_text(hash, profile_text(p, id), id ? intern_len(&p->strings, id) : 0);
}

/* The script of a function without a url, whose file it is then. */
static str_id file_script(const struct frame *f)
{
	return f->url ? 0 : f->script;
}

/* In the order of files, and of their lines. What has one place is ordered by its text: the order
 * of frames in a recording says nothing. */
static bool is_before(const void *a, const void *b, const void *ctx)
{
	const struct profile *p = ctx;
	const struct frame *x = profile_frame(p, *(const frame_id *)a),
			   *y = profile_frame(p, *(const frame_id *)b);
	int order = SORT_BY_1(x->url, y->url);

	if (!order && file_script(x) != file_script(y))
		order = strcmp(profile_text(p, x->script), profile_text(p, y->script));
	if (!order)
		order = SORT_BY_2(x->line, y->line, x->column, y->column);
	if (!order && x->name != y->name)
		order = strcmp(profile_text(p, x->name), profile_text(p, y->name));
	return order < 0;
}

struct seen {
	struct hash_table table;
	uint64_t *hashes;
	uint32_t *counts;
	size_t n, cap_hashes, cap_counts;
};

/* How many had this hash before. */
static uint32_t count(struct seen *seen, uint64_t hash)
{
	struct hash_probe probe = hash_probe(hash_u64(hash));

	while (seen->hashes && hash_table_next(&seen->table, &probe))
		if (seen->hashes[probe.index] == hash)
			return ++seen->counts[probe.index];
	hash_table_add_missing(&seen->table, &probe, (uint32_t)seen->n);
	seen->hashes = xgrow(seen->hashes, &seen->cap_hashes, seen->n + 1, sizeof *seen->hashes);
	seen->counts = xgrow(seen->counts, &seen->cap_counts, seen->n + 1, sizeof *seen->counts);
	seen->hashes[seen->n] = hash;
	seen->counts[seen->n++] = 0;
	return 0;
}

uint64_t *function_id_all(const struct profile *p)
{
	uint32_t n = p->frames.n;
	uint64_t *ids = xcalloc(n ? n : 1, sizeof *ids), file = HASH_TEXT_BEGIN;
	ALLOC_LOCAL frame_id *order = xcalloc(n ? n : 1, sizeof *order);
	struct seen seen = { 0 };
	str_id url = 0, script = 0, parent = 0;

	for (frame_id i = 0; i < n; i++)
		order[i] = i;
	sort_stable(order, n, sizeof *order, is_before, p);
	for (uint32_t i = 0; i < n; i++) {
		const struct frame *f = profile_frame(p, order[i]);
		bool has_name = !profile_is_anonymous(p, f);
		uint64_t hash;
		uint32_t before;

		if (i == 0 || f->url != url || file_script(f) != script) {
			BUF_LOCAL key = { 0 };

			file_key_add(profile_text(p, f->url), &key);
			file = hash_text(HASH_TEXT_BEGIN, buf_text(&key), key.len);
			url = f->url;
			script = file_script(f);
			parent = 0;
		}
		hash = add_string(file, p, f->name);
		hash = has_name ? hash : add_string(hash, p, parent);
		parent = has_name && f->line > 0 ? f->name : parent;
		before = count(&seen, hash);
		ids[order[i]] = hash_u64(before ? hash_u64(hash) + before : hash) >> (64 - ID_BITS);
	}
	hash_table_done(&seen.table);
	free(seen.hashes);
	free(seen.counts);
	return ids;
}

void function_id_format(uint64_t id, char text[FUNCTION_ID_ROOM])
{
	memcpy(text, "f:", 2);
	for (int i = 0; i < FUNCTION_ID_DIGITS; i++)
		text[2 + i] = digits[id >> (ID_BITS - 5 - 5 * i) & 31];
	text[2 + FUNCTION_ID_DIGITS] = '\0';
}

bool function_id_is(const char *text)
{
	size_t n;

	if (strncmp(text, "f:", 2) != 0)
		return false;
	n = strspn(text + 2, digits);
	return n > 0 && n <= FUNCTION_ID_DIGITS && !text[2 + n];
}

frame_id function_id_find(const struct profile *p, const char *text, struct error *err)
{
	ALLOC_LOCAL uint64_t *ids = function_id_all(p);
	frame_id found = FRAME_NONE;
	size_t n = 0, len = strlen(text);
	BUF_LOCAL list = { 0 };

	for (frame_id i = 1; i < p->frames.n; i++) {
		char id[FUNCTION_ID_ROOM];

		function_id_format(ids[i], id);
		if (strncmp(id, text, len) != 0)
			continue;
		found = i;
		if (n++ < LISTED_MAX) {
			buf_addf(&list, "%s%s ", n == 1 ? "" : ", ", id);
			profile_add_name(p, profile_frame(p, i), &list);
		}
	}
	if (n == 0)
		error_set(err, ERR_NOTHING, -1, "no function has the id %s", text);
	else if (n > 1)
		error_set(err, ERR_USAGE, -1, "%s is the beginning of %zu ids: %s%s", text, n,
			  buf_text(&list), n > LISTED_MAX ? ", \342\200\246" : "");
	return n == 1 ? found : FRAME_NONE;
}

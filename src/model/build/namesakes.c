/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inputs are sorted by their paths read from the end: the input that shares most of its end with
 * another one is then its neighbour.
 *
 * Lanes are named up to three times: plainly; then with the ids of their threads, where lanes of
 * several threads have one name; then with their files, where lanes of several files still do. */
#include "config.h"

#include "model/build/namesakes.h"

#include "base/alloc.h"
#include "model/lane_name.h"

#include <stdlib.h>
#include <string.h>

/* ---- inputs ---- */

struct tail {
	const char *path;
	size_t len;
	uint32_t input;
};

/* The number of bytes that two paths have in common at their ends. */
static size_t common_end(const struct tail *a, const struct tail *b)
{
	size_t n = 0;

	while (n < a->len && n < b->len && a->path[a->len - 1 - n] == b->path[b->len - 1 - n])
		n++;
	return n;
}

static int by_end(const void *a, const void *b)
{
	const struct tail *x = a, *y = b;
	size_t n = common_end(x, y);

	if (n < x->len && n < y->len)
		return (unsigned char)x->path[x->len - 1 - n] <
				(unsigned char)y->path[y->len - 1 - n]
			? -1
			: 1;
	if (x->len != y->len)
		return x->len < y->len ? -1 : 1;
	return x->input < y->input ? -1 : x->input > y->input;
}

/* The last part of a path that is longer than `common` bytes, or the whole path. */
static const char *tail_of(const struct tail *tail, size_t common)
{
	size_t at = tail->len;

	/* A slash at the very end ends no part. */
	while (at > 0 && tail->path[at - 1] == '/')
		at--;
	while (at > 0 && (tail->path[at - 1] != '/' || tail->len - at <= common))
		at--;
	return tail->path + at;
}

static void name_inputs(struct profile *p)
{
	struct tail *tails = xcalloc(p->n_inputs, sizeof *tails);

	for (uint32_t i = 0; i < p->n_inputs; i++)
		tails[i] = (struct tail){ profile_text(p, p->inputs[i].path),
					  intern_len(&p->strings, p->inputs[i].path), i };
	qsort(tails, p->n_inputs, sizeof *tails, by_end);
	for (uint32_t i = 0; i < p->n_inputs; i++) {
		const struct tail *tail = &tails[i];
		size_t before = i ? common_end(tail, tail - 1) : 0,
		       after = i + 1 < p->n_inputs ? common_end(tail, tail + 1) : 0;
		/* A file that was given twice has one name. */
		size_t common = before > after ? before : after;
		char *name = xstrdup(tail_of(tail, common < tail->len ? common : 0));

		p->inputs[tail->input].name = intern_adds(&p->strings, name);
		free(name);
	}
	free(tails);
}

/* ---- lanes ---- */

struct named {
	str_id name; /* of a table for one round */
	struct lane *lane;
};

static int by_name(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	if (x->name != y->name)
		return x->name < y->name ? -1 : 1;
	return x->lane < y->lane ? -1 : x->lane > y->lane;
}

/* The lanes that have a title, by name. Returns their number. */
static uint32_t sort_lanes(const struct profile *p, struct named *list)
{
	struct intern names;
	struct buf text = { 0 };
	uint32_t n = 0;

	intern_init(&names);
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		if (p->lanes[i].is_joined)
			continue;
		buf_clear(&text);
		lane_name(p, &p->lanes[i], true, &text);
		list[n++] = (struct named){ intern_add(&names, buf_text(&text), text.len),
					    &p->lanes[i] };
	}
	qsort(list, n, sizeof *list, by_name);
	intern_done(&names);
	buf_done(&text);
	return n;
}

/* Let lanes of one name show the ids of their threads, or else their files, if these differ. */
static void tell_apart(struct named *list, uint32_t n, bool by_file)
{
	for (uint32_t i = 0, end; i < n; i = end) {
		bool differs = false;

		for (end = i; end < n && list[end].name == list[i].name; end++)
			differs |= by_file ? list[end].lane->input != list[i].lane->input
					   : list[end].lane->tid != list[i].lane->tid;
		for (uint32_t k = i; differs && k < end; k++) {
			list[k].lane->shows_file |= by_file;
			list[k].lane->shows_tid |= !by_file && list[k].lane->tid != LANE_NO_ID;
		}
	}
}

static void name_lanes(struct profile *p)
{
	struct named *list = xcalloc(p->n_lanes, sizeof *list);
	struct buf name = { 0 };
	bool has_processes = false;

	tell_apart(list, sort_lanes(p, list), false);
	if (p->n_inputs > 1)
		tell_apart(list, sort_lanes(p, list), true);
	for (uint32_t i = 1; i < p->n_lanes; i++)
		has_processes |= p->lanes[i].pid != p->lanes[0].pid;
	for (uint32_t i = 0; i < p->n_lanes; i++)
		p->lanes[i].shows_file |= p->lanes[i].is_twin;
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		struct lane *lane = &p->lanes[i];

		if (i && lane->is_joined) {
			lane->shows_tid = lane[-1].shows_tid;
			lane->shows_file = lane[-1].shows_file;
		}
		buf_clear(&name);
		lane_name(p, lane, has_processes, &name);
		lane->name = intern_add(&p->strings, buf_text(&name), name.len);
	}
	buf_done(&name);
	free(list);
}

void namesakes_resolve(struct profile *p)
{
	name_inputs(p);
	lane_name_prepare(p->lanes, p->n_lanes);
	name_lanes(p);
}

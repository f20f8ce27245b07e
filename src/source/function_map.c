/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All forms become lists of stretches, by start; stretches nest, or follow each other. The last one
 * that begins at or before a place is the innermost candidate; if it has ended, the one around it
 * is the next. A list of places without ends is a list of stretches that never end, of which the
 * last one counts. */
#include "config.h"

#include "source/function_map.h"

#include "base/alloc.h"
#include "base/json/json_read.h"
#include "base/sort.h"
#include "source/raw_list.h"
#include "source/vlq.h"

#include <stdlib.h>

#define NONE UINT32_MAX
#define SCOPES_MAX 20000000u

struct stretch {
	uint64_t t0, t1;  /* line and column: see place_of() */
	struct str name;  /* JSON string; p is NULL: none */
	uint32_t outer;   /* the stretch around it; NONE: there is none */
	bool is_function; /* otherwise, a block */
};

struct function_list {
	struct stretch *list;
	size_t n, cap;
	struct str raw; /* what the list is to be read from; p is NULL: it is read, or empty */
};

/* A text of numbers. */
struct digits {
	struct str text;
	uint32_t at;
	bool is_bad;
};

static uint64_t place_of(int64_t line, int64_t column)
{
	line = line < 0 ? 0 : line > INT32_MAX ? INT32_MAX : line;
	column = column < 0 ? 0 : column > INT32_MAX ? INT32_MAX : column;
	return (uint64_t)line << 32 | (uint64_t)column;
}

/* ---- numbers ---- */

static struct digits digits_of(struct str raw)
{
	struct digits d = { { "", 0 }, 0, false };

	if (raw_list_is_string(raw) && raw.len < NONE)
		d.text = (struct str){ raw.p + 1, raw.len - 2 };
	return d;
}

static bool is_at_end(const struct digits *d)
{
	return d->is_bad || d->at >= d->text.len;
}

/* Whether another number of the item follows. */
static bool has_number(const struct digits *d)
{
	return !is_at_end(d) && d->text.p[d->at] != ',' && d->text.p[d->at] != ';';
}

static uint32_t unsigned_of(struct digits *d)
{
	uint32_t bits = 0;

	if (is_at_end(d) || vlq_pass(&d->text, &d->at, &bits))
		d->is_bad = true;
	return d->is_bad ? 0 : bits;
}

static int64_t signed_of(struct digits *d)
{
	return vlq_signed(unsigned_of(d));
}

/* Pass what is left of an item, and its comma. */
static void end_item(struct digits *d)
{
	while (has_number(d))
		unsigned_of(d);
	if (!is_at_end(d))
		d->at++;
}

/* A sum of differences stays in a range in which it cannot overflow. */
static int64_t sum(int64_t a, int64_t b)
{
	int64_t is = a + b;

	return is > INT32_MAX ? INT32_MAX : is < -INT32_MAX ? -INT32_MAX : is;
}

static struct str name_of(const struct function_names *names, int64_t i)
{
	const struct str none = { 0 };

	return i >= 0 && i < names->n ? names->list[i] : none;
}

/* ---- stretches ---- */

static struct stretch *add(struct function_list *to)
{
	to->list = xgrow(to->list, &to->cap, to->n + 1, sizeof(*to->list));
	to->list[to->n] = (struct stretch){ .outer = NONE };
	return &to->list[to->n++];
}

SORT_BEFORE(stretch_before, struct stretch, x->t0 != y->t0 ? x->t0 < y->t0 : x->t1 > y->t1)

/* Put the stretches in order, and find those around each. */
static void finish(struct function_list *to)
{
	uint32_t open = NONE;

	sort_stable(to->list, to->n, sizeof(*to->list), stretch_before, NULL);
	for (uint32_t i = 0; i < to->n; i++) {
		while (open != NONE && to->list[open].t1 <= to->list[i].t0)
			open = to->list[open].outer;
		to->list[i].outer = open;
		open = i;
	}
}

/* ---- the forms ---- */

/* Read the trees of all sources: the n-th tree is that of the n-th source, an item without numbers
 * is a source without a tree. */
static void read_scopes(struct function_map *map, const struct function_names *names)
{
	struct digits d = digits_of(map->scopes);
	int64_t line = 0, column = 0, name = 0, flags;
	uint32_t source = 0, *open = NULL;
	size_t n_open = 0, cap_open = 0, n = 0;

	while (!is_at_end(&d) && source < map->n_lists && n++ < SCOPES_MAX) {
		struct function_list *to = &map->lists[source];
		uint32_t tag = has_number(&d) ? unsigned_of(&d) : 0;

		if (tag == 0 && !n_open)
			source++;
		if (tag == 1 || tag == 2) {
			int64_t lines, columns;

			flags = tag == 1 ? unsigned_of(&d) : 0;
			lines = unsigned_of(&d);
			columns = unsigned_of(&d);
			line = sum(line, lines);
			column = lines ? columns : sum(column, columns);
			if (d.is_bad)
				break;
			if (tag == 1) {
				struct stretch *s = add(to);

				s->t0 = s->t1 = place_of(line, column);
				s->is_function = flags & 4;
				if (flags & 1)
					name = sum(name, signed_of(&d));
				if (flags & 1)
					s->name = name_of(names, name);
				open = xgrow(open, &cap_open, n_open + 1, sizeof(*open));
				open[n_open++] = (uint32_t)to->n - 1;
			} else if (n_open) {
				to->list[open[--n_open]].t1 = place_of(line, column);
			}
			if (!n_open) {
				line = column = 0;
				source++;
			}
		}
		end_item(&d);
	}
	free(open);
	for (uint32_t i = 0; i < map->n_lists; i++)
		finish(&map->lists[i]);
}

static void read_original(struct function_list *to, const struct function_names *names)
{
	struct digits d = digits_of(to->raw);
	ALLOC_LOCAL uint32_t *open = NULL;
	size_t n_open = 0, cap_open = 0;
	int64_t line = 0, column;

	while (!is_at_end(&d)) {
		line = sum(line, signed_of(&d));
		column = signed_of(&d);
		if (has_number(&d)) {
			struct str kind = name_of(names, signed_of(&d));
			struct stretch *s = add(to);

			s->t0 = s->t1 = place_of(line, column);
			s->is_function = str_is(kind, "\"function\"");
			if (has_number(&d) && signed_of(&d) & 1)
				s->name = name_of(names, signed_of(&d));
			open = xgrow(open, &cap_open, n_open + 1, sizeof(*open));
			open[n_open++] = (uint32_t)to->n - 1;
		} else if (n_open) {
			to->list[open[--n_open]].t1 = place_of(line, column);
		}
		end_item(&d);
	}
}

/* Five numbers for each function: name, start, end. */
static void read_ranges(struct function_list *to, const struct function_names *names)
{
	struct digits d = digits_of(to->raw);
	int64_t is[5] = { 0 };

	while (!is_at_end(&d)) {
		struct stretch *s;

		for (int i = 0; i < 5; i++)
			is[i] = sum(is[i], signed_of(&d));
		if (d.is_bad)
			break;
		s = add(to);
		s->t0 = place_of(is[1], is[2]);
		s->t1 = place_of(is[3], is[4]);
		s->name = name_of(names, is[0]);
		s->is_function = true;
		end_item(&d);
	}
}

/* The first element of the list is an object with names of its own, and places. */
static void read_points(struct function_list *to)
{
	struct raw_list list = raw_list_of(to->raw), own;
	struct str object, raw, *names = NULL;
	size_t n_names = 0, cap = 0;
	struct function_names all;
	int64_t line = 0, column = 0, name = 0;
	struct digits d;

	if (!raw_list_next(&list, &object))
		return;
	if (cursor_find(object, "names", &raw))
		for (own = raw_list_of(raw); raw_list_next(&own, &raw);) {
			names = xgrow(names, &cap, n_names + 1, sizeof(*names));
			names[n_names++] = raw;
		}
	all = (struct function_names){ names, (uint32_t)n_names };
	d = digits_of(cursor_find(object, "mappings", &raw) ? raw : (struct str){ 0 });
	while (!is_at_end(&d)) {
		struct stretch *s;

		if (!has_number(&d)) {
			column = d.text.p[d.at++] == ';' ? 0 : column;
			continue;
		}
		column = sum(column, signed_of(&d));
		name = sum(name, signed_of(&d));
		if (has_number(&d))
			line = sum(line, signed_of(&d));
		if (d.is_bad)
			break;
		s = add(to);
		s->t0 = place_of(line, column);
		s->t1 = UINT64_MAX;
		s->name = name_of(&all, name);
		s->is_function = true;
		while (has_number(&d))
			unsigned_of(&d);
	}
	free(names);
}

/* ---- searches ---- */

static void begin(struct function_map *map, uint32_t n_sources, const struct function_names *names)
{
	struct raw_list list = raw_list_of(map->original.p         ? map->original
						   : map->ranges.p ? map->ranges
								   : map->points);

	map->n_lists = n_sources;
	map->lists = xcalloc((size_t)n_sources + 1, sizeof(*map->lists));
	if (map->scopes.p)
		read_scopes(map, names);
	else
		for (uint32_t i = 0; i < n_sources && raw_list_next(&list, &map->lists[i].raw); i++)
			;
}

/* The innermost function; NONE: there is none. */
static uint32_t find(const struct function_list *in, uint64_t place)
{
	const struct stretch key = { .t0 = place };
	size_t n = sort_search(in->list, in->n, sizeof(*in->list), stretch_before, &key);
	uint32_t i = n ? (uint32_t)n - 1 : NONE;

	while (i != NONE && (in->list[i].t1 <= place || !in->list[i].is_function))
		i = in->list[i].outer;
	return i;
}

bool function_map_find(struct function_map *map, uint32_t n_sources,
		       const struct function_names *names, uint32_t source, uint32_t line,
		       uint32_t column, struct buf *out)
{
	struct str name;
	size_t from = out->len;
	uint32_t i;

	if (!map->scopes.p && !map->original.p && !map->ranges.p && !map->points.p)
		return false;
	if (!map->lists)
		begin(map, n_sources, names);
	if (source >= map->n_lists)
		return false;
	if (map->lists[source].raw.p) {
		if (map->original.p)
			read_original(&map->lists[source], names);
		else if (map->ranges.p)
			read_ranges(&map->lists[source], names);
		else
			read_points(&map->lists[source]);
		map->lists[source].raw = (struct str){ 0 };
		finish(&map->lists[source]);
	}
	i = find(&map->lists[source], place_of(line, column));
	if (i == NONE)
		return false;
	name = map->lists[source].list[i].name;
	/* The code outside of all functions has no name. */
	if (str_is(name, "\"<global>\"") || str_is(name, "\"<toplevel>\"") ||
	    str_is(name, "\"<top-level>\""))
		return false;
	if (!raw_list_is_string(name) || name.len == 2 || str_is(name, "\"<anonymous>\""))
		buf_adds(out, "(anonymous)");
	else if (!json_tree_decode(name.p, name.len, out))
		return false;
	return out->len > from;
}

void function_map_done(struct function_map *map)
{
	for (uint32_t i = 0; i < map->n_lists; i++)
		free(map->lists[i].list);
	free(map->lists);
	*map = (struct function_map){ 0 };
}

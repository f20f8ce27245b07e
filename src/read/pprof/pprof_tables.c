/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Locations, functions, mappings and strings. Of two things with one id the first counts. */
#include "config.h"

#include "read/pprof/pprof.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

/* Ids below this have a place in a list. Most files count from 1. */
#define SMALL_IDS ((uint64_t)1 << 16)

/* ---- ids ---- */

static void ids_done(struct pprof_ids *ids)
{
	free(ids->small);
	free(ids->id);
	hash_table_done(&ids->index);
}

static uint32_t ids_add(struct pprof_ids *ids, uint64_t id)
{
	ids->id = xgrow(ids->id, &ids->cap, (size_t)ids->n + 1, sizeof *ids->id);
	ids->id[ids->n] = id;
	return ids->n++;
}

/* The number of an id, which is added if it is new; PPROF_NONE: there are too many. */
static uint32_t ids_find(struct pprof_ids *ids, uint64_t id)
{
	struct hash_probe probe;

	if (ids->n >= HASH_TABLE_INDEX_MAX)
		return PPROF_NONE;
	if (id < SMALL_IDS) {
		if (!ids->small)
			ids->small = xcalloc(SMALL_IDS, sizeof *ids->small);
		if (!ids->small[id])
			ids->small[id] = ids_add(ids, id) + 1;
		return ids->small[id] - 1;
	}
	probe = hash_probe(hash_u64(id));
	while (hash_table_next(&ids->index, &probe))
		if (ids->id[probe.index] == id)
			return probe.index;
	hash_table_add_missing(&ids->index, &probe, ids->n);
	return ids_add(ids, id);
}

void pprof_tables_done(struct pprof_tables *t)
{
	ids_done(&t->location_ids);
	ids_done(&t->function_ids);
	ids_done(&t->mapping_ids);
	free(t->locations);
	free(t->functions);
	free(t->mappings);
	free(t->lines);
	free(t->string_end);
	buf_done(&t->text);
}

/* Make room for the thing with number `at` in a list. What is new is zeroed. */
static void *reach(void *list, size_t *cap, uint32_t at, size_t size)
{
	size_t before = *cap;

	if (at < before)
		return list;
	list = xgrow(list, cap, (size_t)at + 1, size);
	memset((char *)list + before * size, 0, (*cap - before) * size);
	return list;
}

uint32_t pprof_tables_location(struct pprof_tables *t, uint64_t id)
{
	uint32_t at = ids_find(&t->location_ids, id);

	if (at != PPROF_NONE)
		t->locations = reach(t->locations, &t->cap_locations, at, sizeof *t->locations);
	return at;
}

static uint32_t function_number(struct pprof_tables *t, uint64_t id)
{
	uint32_t at = id ? ids_find(&t->function_ids, id) : PPROF_NONE;

	if (at != PPROF_NONE)
		t->functions = reach(t->functions, &t->cap_functions, at, sizeof *t->functions);
	return at;
}

static uint32_t mapping_number(struct pprof_tables *t, uint64_t id)
{
	uint32_t at = id ? ids_find(&t->mapping_ids, id) : PPROF_NONE;

	if (at != PPROF_NONE)
		t->mappings = reach(t->mappings, &t->cap_mappings, at, sizeof *t->mappings);
	return at;
}

/* ---- messages ---- */

/* Read a message that has numbers only, by field, up to n - 1; members of other fields or types are
 * skipped. */
static bool read_numbers(struct wire *w, uint64_t *number, uint32_t n)
{
	struct wire_field f;

	while (wire_next(w, &f))
		if (f.type == WIRE_NUMBER && f.number < n)
			number[f.number] = f.value;
	return !w->wrong;
}

/* Note a second thing with the id of another. */
static void warn_twice(struct pprof *r, const struct wire *w, const char *what)
{
	builder_warn_text(r->b, WARN_ODD_INDEX, wire_offset(w), what);
}

static bool add_line(struct pprof *r, struct wire *w)
{
	enum { FUNCTION = 1, LINE, COLUMN, FIELDS };
	uint64_t number[FIELDS] = { 0 };
	struct pprof_tables *t = &r->tables;

	if (!read_numbers(w, number, FIELDS))
		return false;
	t->lines = xgrow(t->lines, &t->cap_lines, t->n_lines + 1, sizeof *t->lines);
	t->lines[t->n_lines++] =
		(struct pprof_line){ .function = function_number(t, number[FUNCTION]),
				     .line = (int64_t)number[LINE],
				     .column = (int64_t)number[COLUMN] };
	return true;
}

bool pprof_tables_add_location(struct pprof *r, struct wire *w)
{
	enum { ID = 1, MAPPING, ADDRESS, LINE };
	struct pprof_tables *t = &r->tables;
	struct pprof_location location = { .first_line = t->n_lines, .is_defined = true };
	uint64_t id = 0, mapping = 0;
	struct wire_field f;
	uint32_t at;

	while (wire_next(w, &f)) {
		struct wire line;

		if (f.number == ID && f.type == WIRE_NUMBER)
			id = f.value;
		else if (f.number == MAPPING && f.type == WIRE_NUMBER)
			mapping = f.value;
		else if (f.number == ADDRESS && f.type == WIRE_NUMBER)
			location.address = f.value;
		if (f.number != LINE || f.type != WIRE_BYTES)
			continue;
		wire_inner(&line, w, &f);
		if (!add_line(r, &line)) {
			*w = line;
			return false;
		}
		location.n_lines++;
	}
	if (w->wrong)
		return false;
	at = pprof_tables_location(t, id);
	if (at == PPROF_NONE)
		return true;
	location.mapping = mapping_number(t, mapping);
	if (t->locations[at].is_defined)
		warn_twice(r, w, "two locations with one id; the first counts");
	else
		t->locations[at] = location;
	return true;
}

bool pprof_tables_add_function(struct pprof *r, struct wire *w)
{
	enum { ID = 1, NAME, SYSTEM_NAME, FILE_NAME, LINE, FIELDS };
	uint64_t number[FIELDS] = { 0 };
	struct pprof_tables *t = &r->tables;
	uint32_t at;

	if (!read_numbers(w, number, FIELDS))
		return false;
	at = function_number(t, number[ID]);
	if (at == PPROF_NONE)
		return true;
	if (t->functions[at].is_defined) {
		warn_twice(r, w, "two functions with one id; the first counts");
		return true;
	}
	t->functions[at] = (struct pprof_function){ .name = number[NAME],
						    .system_name = number[SYSTEM_NAME],
						    .file = number[FILE_NAME],
						    .line = (int64_t)number[LINE],
						    .is_defined = true };
	return true;
}

bool pprof_tables_add_mapping(struct pprof *r, struct wire *w)
{
	enum { ID = 1, FILE_NAME = 5, FIELDS };
	uint64_t number[FIELDS] = { 0 };
	struct pprof_tables *t = &r->tables;
	uint32_t at;

	if (!read_numbers(w, number, FIELDS))
		return false;
	at = mapping_number(t, number[ID]);
	if (at == PPROF_NONE)
		return true;
	if (t->mappings[at].is_defined)
		warn_twice(r, w, "two mappings with one id; the first counts");
	else
		t->mappings[at] = (struct pprof_mapping){ number[FILE_NAME], true };
	return true;
}

void pprof_tables_add_string(struct pprof_tables *t, struct str text)
{
	buf_add(&t->text, text.p, text.len);
	t->string_end = xgrow(t->string_end, &t->cap_strings, t->n_strings + 1,
			      sizeof *t->string_end);
	t->string_end[t->n_strings++] = t->text.len;
}

struct str pprof_tables_text(struct pprof *r, uint64_t index)
{
	const struct pprof_tables *t = &r->tables;
	size_t from;

	if (index == 0)
		return (struct str){ "", 0 };
	if (index >= t->n_strings) {
		builder_warn_text(r->b, WARN_ODD_INDEX, -1,
				  "number of a string that does not exist; taken as empty");
		return (struct str){ "", 0 };
	}
	from = t->string_end[index - 1];
	return (struct str){ buf_text(&t->text) + from, t->string_end[index] - from };
}

void pprof_tables_end(struct pprof_tables *t)
{
	for (size_t i = 0; i < t->n_lines; i++) {
		const struct pprof_line *l = &t->lines[i];
		struct pprof_function *f = l->function == PPROF_NONE ? NULL
								     : &t->functions[l->function];

		if (f && l->line > 0 && l->line != f->line)
			f->has_lines = true;
		/* Functions have no column; a line that is the first of its function has it. */
		if (f && f->is_defined && f->line > 0 && f->line == l->line && l->column > 0 &&
		    (f->column == 0 || l->column < f->column))
			f->column = l->column;
	}
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Locations, functions, mappings and strings. Of two things with one id the first counts. */
#include "config.h"

#include "read/pprof/pprof_tables.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/str.h"
#include "base/units.h"
#include "read/pprof/pprof.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ==== wire ====
 *
 * A number (varint) has 7 bits in each byte, the lowest first; the highest bit of a byte says that
 * another byte follows. Ten bytes hold 64 bits. A member begins with a number: the field, times 8,
 * plus the type. p only moves past whole members. */

#define NUMBER_BYTES 10
#define FIELD_MAX ((1u << 29) - 1)

void wire_init(struct wire *w, struct str memory, int64_t base)
{
	const unsigned char *start = (const unsigned char *)(memory.p ? memory.p : "");

	*w = (struct wire){ .start = start, .p = start, .end = start + memory.len, .base = base };
}

void wire_inner(struct wire *w, const struct wire *outer, const struct wire_field *field)
{
	/* A field of another kind has no bytes: an empty message. */
	const unsigned char *p = field->bytes.p ? (const unsigned char *)field->bytes.p : outer->p;

	*w = (struct wire){ .start = outer->start,
			    .p = p,
			    .end = p + field->bytes.len,
			    .base = outer->base };
}

int64_t wire_offset(const struct wire *w)
{
	return w->base + (w->p - w->start);
}

static bool fail(struct wire *w, const char *wrong)
{
	w->wrong = wrong;
	return false;
}

/* The memory ends within a member that needs `more` bytes from `at` on. */
static bool fail_short(struct wire *w, const unsigned char *at, uint64_t more)
{
	uint64_t before = (uint64_t)(at - w->start);

	w->is_short = true;
	w->need = more > UINT64_MAX - before ? UINT64_MAX : before + more;
	return fail(w, "ends within a member");
}

/* Read a number at *p, and move *p past it. */
static bool number_at(struct wire *w, const unsigned char **p, uint64_t *value)
{
	const unsigned char *at = *p;
	uint64_t v = 0;

	for (int i = 0; i < NUMBER_BYTES; i++) {
		if (at == w->end)
			return fail_short(w, at, 1);
		v |= (uint64_t)(*at & 0x7F) << (7 * i);
		if (*at++ < 0x80) {
			*p = at;
			*value = v;
			return true;
		}
	}
	return fail(w, "has a number of more than 10 bytes");
}

bool wire_number(struct wire *w, uint64_t *value)
{
	if (w->p < w->end && *w->p < 0x80) {
		*value = *w->p++;
		return true;
	}
	return w->p < w->end && number_at(w, &w->p, value);
}

/* The value of a fixed type, which is little-endian. */
static bool fixed_at(struct wire *w, const unsigned char **p, unsigned size, uint64_t *value)
{
	if ((size_t)(w->end - *p) < size)
		return fail_short(w, *p, size);
	*value = 0;
	for (unsigned i = 0; i < size; i++)
		*value |= (uint64_t)(*p)[i] << (8 * i);
	*p += size;
	return true;
}

static bool bytes_at(struct wire *w, const unsigned char **p, struct str *bytes)
{
	uint64_t len = 0;

	if (!number_at(w, p, &len))
		return false;
	if ((uint64_t)(w->end - *p) < len)
		return fail_short(w, *p, len);
	*bytes = (struct str){ (const char *)*p, (size_t)len };
	*p += len;
	return true;
}

bool wire_next(struct wire *w, struct wire_field *field)
{
	const unsigned char *p = w->p;
	uint64_t tag;
	bool ok;

	if (p == w->end || !number_at(w, &p, &tag))
		return false;
	if (tag >> 3 == 0 || tag >> 3 > FIELD_MAX)
		return fail(w, "has a member without a valid field number");
	field->number = (uint32_t)(tag >> 3);
	field->value = 0;
	field->bytes = (struct str){ NULL, 0 };
	switch (tag & 7) {
	case WIRE_NUMBER:
		ok = number_at(w, &p, &field->value);
		break;
	case WIRE_FIXED64:
		ok = fixed_at(w, &p, 8, &field->value);
		break;
	case WIRE_BYTES:
		ok = bytes_at(w, &p, &field->bytes);
		break;
	case WIRE_FIXED32:
		ok = fixed_at(w, &p, 4, &field->value);
		break;
	default:
		return fail(w, "has a member of a type that is not read");
	}
	if (!ok)
		return false;
	field->type = (enum wire_type)(tag & 7);
	w->p = p;
	return true;
}

/* ==== pprof type ====
 *
 * Which of the sample types is shown, and what its values are worth. A time becomes ns. Any other
 * value is stored as a length: a byte as a nanosecond, and 1 of everything else as a
 * microsecond. */

static const struct {
	const char *name;
	int64_t ns;
	bool is_time;
} units[] = {
	{ "nanoseconds", 1, true },
	{ "nanosecond", 1, true },
	{ "ns", 1, true },
	{ "microseconds", NS_PER_US, true },
	{ "microsecond", NS_PER_US, true },
	{ "us", NS_PER_US, true },
	{ "milliseconds", NS_PER_MS, true },
	{ "millisecond", NS_PER_MS, true },
	{ "ms", NS_PER_MS, true },
	{ "seconds", NS_PER_S, true },
	{ "second", NS_PER_S, true },
	{ "s", NS_PER_S, true },
	{ "minutes", NS_PER_MIN, true },
	{ "hours", 60 * NS_PER_MIN, true },
	{ "bytes", 1, false },
	{ "byte", 1, false },
};

static bool is_count(struct str unit)
{
	return str_is(unit, "count") || str_is(unit, "");
}

/* What one unit is worth in ns, and whether that is a time. */
static int64_t find_unit(struct str unit, bool *is_time)
{
	for (size_t i = 0; i < ARRAY_LEN(units); i++) {
		if (!str_is(unit, units[i].name))
			continue;
		*is_time = units[i].is_time;
		return units[i].ns;
	}
	*is_time = false;
	return NS_PER_US;
}

/* Append `cpu/nanoseconds`. */
static void add_type(struct pprof *r, size_t i, struct buf *out)
{
	struct str type = pprof_tables_text(r, r->types[i].type),
		   unit = pprof_tables_text(r, r->types[i].unit);

	buf_add(out, type.p, type.len);
	if (unit.len)
		buf_addc(out, '/');
	buf_add(out, unit.p, unit.len);
}

/* Append all types but one; SIZE_MAX: all. */
static void add_types(struct pprof *r, size_t but, struct buf *out)
{
	bool is_first = true;

	for (size_t i = 0; i < r->n_types; i++) {
		if (i == but)
			continue;
		if (!is_first)
			buf_adds(out, ", ");
		add_type(r, i, out);
		is_first = false;
	}
}

/* The type that `name` names, alone or with its unit; SIZE_MAX: there is none. */
static size_t find_type(struct pprof *r, struct str name)
{
	struct buf text = { 0 };
	size_t found = SIZE_MAX;

	for (size_t i = 0; i < r->n_types && found == SIZE_MAX; i++) {
		struct str type = pprof_tables_text(r, r->types[i].type);

		buf_clear(&text);
		add_type(r, i, &text);
		if ((type.len == name.len && memcmp(type.p, name.p, name.len) == 0) ||
		    (text.len == name.len && memcmp(buf_text(&text), name.p, name.len) == 0))
			found = i;
	}
	buf_done(&text);
	return found;
}

static bool fail_no_type(struct pprof *r, const char *wanted)
{
	struct buf types = { 0 };

	add_types(r, SIZE_MAX, &types);
	error_set(r->err, ERR_FORMAT, -1, "no sample type %s; it has %s", wanted, buf_text(&types));
	buf_done(&types);
	return false;
}

static bool choose(struct pprof *r, struct pprof_chosen *chosen)
{
	const char *wanted = builder_sample_type(r->b);
	struct str usual = pprof_tables_text(r, r->default_type);

	if (r->n_types == 0)
		return error_set(r->err, ERR_FORMAT, -1, "the pprof profile has no sample types");
	if (wanted) {
		chosen->type = find_type(r, (struct str){ wanted, strlen(wanted) });
		return chosen->type != SIZE_MAX || fail_no_type(r, wanted);
	}
	chosen->type = usual.len ? find_type(r, usual) : SIZE_MAX;
	if (chosen->type == SIZE_MAX)
		chosen->type = r->n_types - 1;
	return true;
}

/* The type that counts what another one measures: writers put them in pairs. */
static size_t find_count(struct pprof *r, size_t type)
{
	for (size_t i = type + 1; i-- > 0;)
		if (is_count(pprof_tables_text(r, r->types[i].unit)))
			return i;
	return SIZE_MAX;
}

/* Notes are lines on the screen. */
#define NOTE_MAX 200
#define COMMENTS_MAX 16u

static void note_text(struct pprof *r, const char *what, uint64_t index)
{
	struct str text = pprof_tables_text(r, index);

	if (text.len)
		builder_input_note(r->b, false, "%s: %.*s", what,
				   (int)(text.len < NOTE_MAX ? text.len : NOTE_MAX), text.p);
}

static void note_period(struct pprof *r, int64_t ns)
{
	struct str type = pprof_tables_text(r, r->period_type.type);
	char time[UNITS_MAX];

	units_time(ns, time);
	builder_input_note(r->b, false, "a sample for each %s of %.*s", time,
			   (int)(type.len < NOTE_MAX ? type.len : NOTE_MAX), type.p);
}

void pprof_type_notes(struct pprof *r, const struct pprof_chosen *chosen, bool has_times)
{
	struct buf shown = { 0 }, others = { 0 };
	char time[UNITS_MAX];
	bool is_time;
	int64_t ns = find_unit(pprof_tables_text(r, r->period_type.unit), &is_time);

	if (is_time && r->period > 0 && r->period < NS_PER_MIN / ns)
		note_period(r, r->period * ns);
	add_type(r, chosen->type, &shown);
	add_types(r, chosen->type, &others);
	builder_input_note(r->b, false,
			   has_times ? "times of samples from end_timestamp_ns, lengths from %s"
				     : "no times of samples: sums of %s",
			   buf_text(&shown));
	if (r->n_types > 1)
		builder_input_note(r->b, false, "other sample types, for --sample-type: %s",
				   buf_text(&others));
	if (r->duration_ns > 0) {
		units_time(r->duration_ns, time);
		builder_input_note(r->b, false, "recorded for %s", time);
	}
	note_text(r, "frames that pprof leaves out (drop_frames), shown", r->drop_frames);
	note_text(r, "frames that pprof keeps (keep_frames)", r->keep_frames);
	for (size_t i = 0; i < r->n_comments && i < COMMENTS_MAX; i++)
		note_text(r, "comment", r->comments[i]);
	buf_done(&shown);
	buf_done(&others);
}

bool pprof_type_choose(struct pprof *r, struct pprof_chosen *chosen)
{
	*chosen = (struct pprof_chosen){ 0 };
	if (!choose(r, chosen))
		return false;
	chosen->count = find_count(r, chosen->type);
	chosen->ns = find_unit(pprof_tables_text(r, r->types[chosen->type].unit), &chosen->is_time);
	if (r->time_ns > 0)
		builder_input_date(r->b, r->time_ns / NS_PER_S, true);
	return true;
}

/* ==== pprof tables ==== */

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

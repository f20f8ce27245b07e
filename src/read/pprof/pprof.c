/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Profiles of pprof: one message of profile.proto (https://github.com/google/pprof,
 * proto/profile.proto). Its members are read one at a time, and the text is not kept: a stack
 * becomes a node, and what remains of a sample are its node, values and labels. The form has no
 * times of samples, so the lanes have sums by node instead of samples, unless a label has the time.
 */
#include "config.h"

#include "read/pprof/pprof.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/intern.h"
#include "base/str.h"
#include "base/units.h"
#include "model/build/cpu_builder.h"
#include "model/calltree.h"
#include "read/reader.h"

#include <inttypes.h>
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

/* Begin with the bytes of a member of the message `outer`. */
static void wire_inner(struct wire *w, const struct wire *outer, const struct wire_field *field)
{
	/* A field of another kind has no bytes: an empty message. */
	const unsigned char *p = field->bytes.p ? (const unsigned char *)field->bytes.p : outer->p;

	*w = (struct wire){ .start = outer->start,
			    .p = p,
			    .end = p + field->bytes.len,
			    .base = outer->base };
}

/* The offset in the document of the next member, or of the damage. */
static int64_t wire_offset(const struct wire *w)
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

/* Pass a number that stands alone, as the elements of a packed list do. As wire_next(). */
static bool wire_number(struct wire *w, uint64_t *value)
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
static void add_sample_type(struct pprof *r, size_t i, struct buf *out)
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
		add_sample_type(r, i, out);
		is_first = false;
	}
}

/* The type that `name` names, alone or with its unit; SIZE_MAX: there is none. */
static size_t find_type(struct pprof *r, struct str name)
{
	BUF_LOCAL text = { 0 };
	size_t found = SIZE_MAX;

	for (size_t i = 0; i < r->n_types && found == SIZE_MAX; i++) {
		struct str type = pprof_tables_text(r, r->types[i].type);

		buf_clear(&text);
		add_sample_type(r, i, &text);
		if ((type.len == name.len && memcmp(type.p, name.p, name.len) == 0) ||
		    (text.len == name.len && memcmp(buf_text(&text), name.p, name.len) == 0))
			found = i;
	}
	return found;
}

static bool choose(struct pprof *r, struct pprof_chosen *chosen)
{
	const char *wanted = builder_options(r->b)->sample_type;
	struct str usual = pprof_tables_text(r, r->default_type);
	BUF_LOCAL types = { 0 };

	if (r->n_types == 0)
		return error_set(r->err, ERR_FORMAT, -1, "the pprof profile has no sample types");
	if (wanted) {
		chosen->type = find_type(r, (struct str){ wanted, strlen(wanted) });
		if (chosen->type != SIZE_MAX)
			return true;
		add_types(r, SIZE_MAX, &types);
		error_set(r->err, ERR_FORMAT, -1, "no sample type %s; it has %s", wanted,
			  buf_text(&types));
		return false;
	}
	chosen->type = usual.len ? find_type(r, usual) : SIZE_MAX;
	if (chosen->type == SIZE_MAX)
		chosen->type = r->n_types - 1;
	return true;
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

void pprof_type_notes(struct pprof *r, const struct pprof_chosen *chosen, bool has_times)
{
	BUF_LOCAL others = { 0 }, shown = { 0 };
	bool is_time;
	int64_t ns = find_unit(pprof_tables_text(r, r->period_type.unit), &is_time);

	if (is_time && r->period > 0 && r->period < NS_PER_MIN / ns) {
		struct str type = pprof_tables_text(r, r->period_type.type);

		builder_input_note(r->b, false, "a sample for each %s of %.*s",
				   units_time(r->period * ns, UNITS_ROOM),
				   (int)(type.len < NOTE_MAX ? type.len : NOTE_MAX), type.p);
	}
	add_sample_type(r, chosen->type, &shown);
	add_types(r, chosen->type, &others);
	builder_input_note(r->b, false,
			   has_times ? "times of samples from end_timestamp_ns, lengths from %s"
				     : "no times of samples: sums of %s",
			   buf_text(&shown));
	if (r->n_types > 1)
		builder_input_note(r->b, false, "other sample types, for --sample-type: %s",
				   buf_text(&others));
	if (r->duration_ns > 0)
		builder_input_note(r->b, false, "recorded for %s",
				   units_time(r->duration_ns, UNITS_ROOM));
	note_text(r, "frames that pprof leaves out (drop_frames), shown", r->drop_frames);
	note_text(r, "frames that pprof keeps (keep_frames)", r->keep_frames);
	for (size_t i = 0; i < r->n_comments && i < COMMENTS_MAX; i++)
		note_text(r, "comment", r->comments[i]);
}

/* Find the sample type that the user or the file wants. Fails when there is none of the name, or no
 * type at all. */
static bool pprof_type_choose(struct pprof *r, struct pprof_chosen *chosen)
{
	*chosen = (struct pprof_chosen){ .count = SIZE_MAX };
	if (!choose(r, chosen))
		return false;
	/* The type that counts what another one measures: writers put them in pairs. */
	for (size_t i = chosen->type + 1; chosen->count == SIZE_MAX && i-- > 0;) {
		struct str unit = pprof_tables_text(r, r->types[i].unit);

		if (unit.len == 0 || str_is(unit, "count"))
			chosen->count = i;
	}
	chosen->ns = find_unit(pprof_tables_text(r, r->types[chosen->type].unit), &chosen->is_time);
	if (r->time_ns > 0)
		builder_input_date(r->b, r->time_ns / NS_PER_S, true);
	return true;
}

/* ==== pprof tables ====
 *
 * Locations, functions, mappings and strings. Of two things with one id the first counts. */

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
	*ARRAY_ADD(ids->id, ids->n, ids->cap) = id;
	return ids->n - 1;
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

/* The number of a location, which may not be defined yet; PPROF_NONE: there are too many. */
static uint32_t pprof_tables_location(struct pprof_tables *t, uint64_t id)
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
	*ARRAY_ADD(t->lines, t->n_lines, t->cap_lines) =
		(struct pprof_line){ .function = function_number(t, number[FUNCTION]),
				     .line = (int64_t)number[LINE],
				     .column = (int64_t)number[COLUMN] };
	return true;
}

/* Add the message of a location, a function, a mapping or a string. Returns false when it is
 * damaged: then w->wrong is set. */
static bool pprof_tables_add_location(struct pprof *r, struct wire *w)
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

static bool pprof_tables_add_function(struct pprof *r, struct wire *w)
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

static bool pprof_tables_add_mapping(struct pprof *r, struct wire *w)
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

/* After the last message: find the columns and lines of functions. */
static void pprof_tables_end(struct pprof_tables *t)
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

/* ==== pprof sample ====
 *
 * A stack becomes a node at once. Values and labels are kept as they are: which of them count is
 * known when all texts are. A list of labels is stored once, however many samples have it. */

static void add_value(struct pprof *r, uint64_t value)
{
	*ARRAY_ADD(r->values, r->n_values, r->cap_values) = (int64_t)value;
}

static void add_id(struct pprof *r, size_t *n, uint64_t id)
{
	r->scratch = xgrow(r->scratch, &r->cap_scratch, *n + 1, sizeof *r->scratch);
	r->scratch[(*n)++] = id;
}

/* Read the members of a sample: locations to r->scratch, *n of them, values to r->values, labels to
 * r->label_scratch. Lists of numbers are packed, or a member for each number. */
static bool read_members(struct pprof *r, struct wire *w, size_t *n)
{
	enum { LOCATIONS = 1, VALUES, LABELS };
	struct wire_field f;

	while (wire_next(w, &f)) {
		struct wire list;
		uint64_t value;

		if (f.number == LABELS && f.type == WIRE_BYTES) {
			uint32_t len = (uint32_t)f.bytes.len;

			buf_add(&r->label_scratch, (const char *)&len, sizeof len);
			buf_add(&r->label_scratch, f.bytes.p, f.bytes.len);
		} else if (f.type == WIRE_NUMBER && f.number == LOCATIONS) {
			add_id(r, n, f.value);
		} else if (f.type == WIRE_NUMBER && f.number == VALUES) {
			add_value(r, f.value);
		} else if (f.type == WIRE_BYTES && (f.number == LOCATIONS || f.number == VALUES)) {
			wire_inner(&list, w, &f);
			while (wire_number(&list, &value))
				if (f.number == LOCATIONS)
					add_id(r, n, value);
				else
					add_value(r, value);
			if (list.wrong) {
				*w = list;
				return false;
			}
		}
	}
	return !w->wrong;
}

/* The node of the stack whose locations are in r->scratch, innermost first. */
static bool find_node(struct pprof *r, size_t n, uint32_t *node)
{
	*node = 0;
	while (n-- > 0) {
		uint32_t location = pprof_tables_location(&r->tables, r->scratch[n]);

		if (location == PPROF_NONE || r->stacks.n >= CPU_NODES_MAX)
			return error_set(r->err, ERR_LIMIT, -1, "more than %u nodes",
					 CPU_NODES_MAX);
		*node = node_map_child(&r->stacks, *node, location);
	}
	return true;
}

/* Add the message of a sample. Returns false when it is damaged (w->wrong is set), or when there
 * are too many (the error is set). */
static bool pprof_sample_add(struct pprof *r, struct wire *w)
{
	struct pprof_sample sample = { .first = r->n_values };
	size_t n = 0;

	buf_clear(&r->label_scratch);
	if (!read_members(r, w, &n) || !find_node(r, n, &sample.node))
		return false;
	if (r->n_samples >= UINT32_MAX)
		return error_set(r->err, ERR_LIMIT, -1, "more than %u samples", UINT32_MAX);
	sample.labels = intern_add(&r->labels, r->label_scratch.data, r->label_scratch.len);
	*ARRAY_ADD(r->samples, r->n_samples, r->cap_samples) = sample;
	return true;
}

/* ==== pprof ==== */

#define HEAD_BYTES ((size_t)32) /* enough for field, type and length of a member */
#define MEMBER_MAX ((uint64_t)256 << 20)

/* Fields of the message Profile. */
enum {
	SAMPLE_TYPE = 1,
	SAMPLE,
	MAPPING,
	LOCATION,
	FUNCTION,
	STRING,
	DROP_FRAMES,
	KEEP_FRAMES,
	TIME_NANOS,
	DURATION_NANOS,
	PERIOD_TYPE,
	PERIOD,
	COMMENT,
	DEFAULT_TYPE,
	FIELDS
};

/* ---- members ---- */

static bool read_type(struct wire *w, struct pprof_type *type)
{
	enum { TYPE = 1, UNIT, TYPE_FIELDS };
	uint64_t number[TYPE_FIELDS] = { 0 };
	bool ok = read_numbers(w, number, TYPE_FIELDS);

	*type = (struct pprof_type){ number[TYPE], number[UNIT] };
	return ok;
}

static bool read_sample_type(struct pprof *r, struct wire *w)
{
	return read_type(w, ARRAY_ADD(r->types, r->n_types, r->cap_types));
}

static bool read_period_type(struct pprof *r, struct wire *w)
{
	return read_type(w, &r->period_type);
}

static void add_comment(struct pprof *r, uint64_t text)
{
	*ARRAY_ADD(r->comments, r->n_comments, r->cap_comments) = text;
}

/* In the packed form. */
static bool read_comments(struct pprof *r, struct wire *w)
{
	uint64_t text;

	while (wire_number(w, &text))
		add_comment(r, text);
	return !w->wrong;
}

#define ANY (-1) /* written in any form, and skipped in others than the known one */

/* The members of the profile, by field. */
static const struct member {
	int type;                                      /* how it is written */
	bool (*read)(struct pprof *r, struct wire *w); /* of bytes; NULL: they are skipped */
	const char *name;                              /* of one that is damaged */
	size_t number; /* where the 64 bits of a number go in struct pprof; 0: nowhere */
} members[FIELDS] = {
	[0] = { ANY, NULL, "the profile", 0 },
	[SAMPLE_TYPE] = { WIRE_BYTES, read_sample_type, "a sample type", 0 },
	[SAMPLE] = { WIRE_BYTES, pprof_sample_add, "a sample", 0 },
	[MAPPING] = { WIRE_BYTES, pprof_tables_add_mapping, "a mapping", 0 },
	[LOCATION] = { WIRE_BYTES, pprof_tables_add_location, "a location", 0 },
	[FUNCTION] = { WIRE_BYTES, pprof_tables_add_function, "a function", 0 },
	[STRING] = { WIRE_BYTES, NULL, NULL, 0 },
	[DROP_FRAMES] = { WIRE_NUMBER, NULL, NULL, offsetof(struct pprof, drop_frames) },
	[KEEP_FRAMES] = { WIRE_NUMBER, NULL, NULL, offsetof(struct pprof, keep_frames) },
	[TIME_NANOS] = { WIRE_NUMBER, NULL, NULL, offsetof(struct pprof, time_ns) },
	[DURATION_NANOS] = { WIRE_NUMBER, NULL, NULL, offsetof(struct pprof, duration_ns) },
	[PERIOD_TYPE] = { WIRE_BYTES, read_period_type, "the type of the period", 0 },
	[PERIOD] = { WIRE_NUMBER, NULL, NULL, offsetof(struct pprof, period) },
	[COMMENT] = { ANY, read_comments, "the comment", 0 },
	[DEFAULT_TYPE] = { WIRE_NUMBER, NULL, NULL, offsetof(struct pprof, default_type) },
};

static const struct member *member_of(uint32_t field)
{
	return &members[field < FIELDS ? field : 0];
}

static bool fail_damaged(struct pprof *r, const struct wire *w, const char *what)
{
	return error_set(r->err, ERR_FORMAT, wire_offset(w), "%s %s", what,
			 w->wrong ? w->wrong : "has a member of the wrong type");
}

static bool take_member(struct pprof *r, const struct wire *w, const struct wire_field *f)
{
	const struct member *m = member_of(f->number);
	struct pprof_tables *t = &r->tables;
	struct wire inner;

	if (m->type != ANY && m->type != (int)f->type)
		return fail_damaged(r, w, members->name);
	if (f->number == STRING) {
		buf_add(&t->text, f->bytes.p, f->bytes.len);
		*ARRAY_ADD(t->string_end, t->n_strings, t->cap_strings) = t->text.len;
	} else if (m->number) {
		memcpy((char *)r + m->number, &f->value, sizeof f->value);
	} else if (f->number == COMMENT && f->type == WIRE_NUMBER) {
		add_comment(r, f->value);
	} else if (m->read && f->type == WIRE_BYTES) {
		wire_inner(&inner, w, f);
		if (!m->read(r, &inner))
			return r->err->kind == ERR_NONE && fail_damaged(r, &inner, m->name);
	}
	return true;
}

/* ---- the document ---- */

/* Get the next member whole into the window of the scanner. Returns false at the end, and on
 * failure. */
static bool next_member(struct pprof *r, struct wire *w, struct wire_field *f)
{
	size_t size = HEAD_BYTES;

	for (;;) {
		struct str window;

		if (!scan_window(r->s, size, &window) || window.len == 0)
			return false;
		wire_init(w, window, scan_offset(r->s));
		if (wire_next(w, f))
			return true;
		if (!w->is_short)
			return fail_damaged(r, w, members->name);
		if (w->need > MEMBER_MAX)
			return error_set(r->err, ERR_LIMIT, wire_offset(w),
					 "a member of the profile has %" PRIu64 " bytes", w->need);
		if (window.len < size) {
			const char *damage = stream_facts(r->s->stream).damage;

			return error_set(r->err, ERR_SYNTAX,
					 scan_offset(r->s) + (int64_t)window.len,
					 "the file ends within a member of the profile%s%s",
					 damage ? ": " : "", damage ? damage : "");
		}
		size = (size_t)w->need;
	}
}

static bool read_profile(struct pprof *r)
{
	const char *damage;
	struct pprof_chosen chosen;
	struct wire_field f;
	struct wire w;

	while (next_member(r, &w, &f)) {
		if (!take_member(r, &w, &f))
			return false;
		r->s->p += w.p - w.start;
	}
	if (r->err->kind != ERR_NONE)
		return false;
	damage = stream_facts(r->s->stream).damage;
	if (damage && r->tables.n_strings == 0)
		return error_set(r->err, ERR_SYNTAX, scan_offset(r->s), "the file has no texts: %s",
				 damage);
	pprof_tables_end(&r->tables);
	return pprof_type_choose(r, &chosen) && pprof_lane_all(r, &chosen) &&
		intern_fits(&r->labels, r->err);
}

static void done(struct pprof *r)
{
	struct pprof_tables *t = &r->tables;

	ids_done(&t->location_ids);
	ids_done(&t->function_ids);
	ids_done(&t->mapping_ids);
	free(t->locations);
	free(t->functions);
	free(t->mappings);
	free(t->lines);
	free(t->string_end);
	buf_done(&t->text);
	node_map_done(&r->stacks);
	intern_done(&r->labels);
	buf_done(&r->label_scratch);
	free(r->types);
	free(r->samples);
	free(r->values);
	free(r->scratch);
	free(r->comments);
}

static bool pprof_read(struct scan *s, struct builder *b, const struct file_hints *hints,
		       struct error *err)
{
	struct pprof r = { .s = s, .b = b, .err = err, .hints = hints };
	bool ok;

	node_map_init(&r.stacks);
	intern_init(&r.labels);
	ok = read_profile(&r);
	done(&r);
	return ok;
}

/* ---- recognition ---- */

/* Whether a message has only numbers, each of a field up to `most`. */
static bool has_numbers(struct wire w, uint32_t most)
{
	struct wire_field f;

	while (wire_next(&w, &f))
		if (f.type != WIRE_NUMBER || f.number > most)
			return false;
	return !w.wrong;
}

/* The members of the beginning are those of a profile, and a sample type is among them. Text fails
 * at once: a sample type would be a line feed, a control character, and numbers. */
static int pprof_sniff(const struct outline *outline)
{
	struct wire_field f;
	struct wire w, inner;
	int n_types = 0;

	wire_init(&w, (struct str){ outline->text, outline->len }, 0);
	while (wire_next(&w, &f)) {
		int type = member_of(f.number)->type;

		if (f.number >= FIELDS || (type != ANY && type != (int)f.type))
			return 0;
		wire_inner(&inner, &w, &f);
		if (f.number == SAMPLE_TYPE && !has_numbers(inner, 2))
			return 0;
		n_types += f.number == SAMPLE_TYPE;
	}
	if (w.wrong && (!w.is_short || w.need > MEMBER_MAX))
		return 0;
	return n_types > 0 ? 90 : 0;
}

const struct reader reader_pprof = {
	.name = "pprof",
	.help = "profiles of pprof (profile.proto), plain or packed; sums, or by time with "
		"end_timestamp_ns",
	.is_not_json = true,
	.sniff = pprof_sniff,
	.read = pprof_read,
};

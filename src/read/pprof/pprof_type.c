/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which of the sample types is shown, and what its values are worth. A time becomes ns. Any other
 * value is stored as a length: a byte as a nanosecond, and 1 of everything else as a
 * microsecond. */
#include "config.h"

#include "read/pprof/pprof.h"

#include "base/alloc.h"
#include "base/units.h"

#include <string.h>

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
#define NOTE_MOST 200
#define COMMENTS_MOST 16u

static void note_text(struct pprof *r, const char *what, uint64_t index)
{
	struct str text = pprof_tables_text(r, index);

	if (text.len)
		builder_input_note(r->b, false, "%s: %.*s", what,
				   (int)(text.len < NOTE_MOST ? text.len : NOTE_MOST), text.p);
}

static void note_period(struct pprof *r, int64_t ns)
{
	struct str type = pprof_tables_text(r, r->period_type.type);
	char time[UNITS_MAX];

	units_time(ns, time);
	builder_input_note(r->b, false, "a sample for each %s of %.*s", time,
			   (int)(type.len < NOTE_MOST ? type.len : NOTE_MOST), type.p);
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
	for (size_t i = 0; i < r->n_comments && i < COMMENTS_MOST; i++)
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

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
#include "model/build/cpu_builder.h"
#include "model/node_map.h"
#include "read/pprof/pprof_tables.h"
#include "read/reader.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ==== pprof sample ====
 *
 * A stack becomes a node at once. Values and labels are kept as they are: which of them count is
 * known when all texts are. A list of labels is stored once, however many samples have it. */

static void add_value(struct pprof *r, uint64_t value)
{
	r->values = xgrow(r->values, &r->cap_values, r->n_values + 1, sizeof *r->values);
	r->values[r->n_values++] = (int64_t)value;
}

static void add_id(struct pprof *r, size_t *n, uint64_t id)
{
	r->scratch = xgrow(r->scratch, &r->cap_scratch, *n + 1, sizeof *r->scratch);
	r->scratch[(*n)++] = id;
}

static void add_label(struct pprof *r, struct str bytes)
{
	uint32_t len = (uint32_t)bytes.len;

	buf_add(&r->label_scratch, (const char *)&len, sizeof len);
	buf_add(&r->label_scratch, bytes.p, bytes.len);
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
			add_label(r, f.bytes);
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
	r->samples = xgrow(r->samples, &r->cap_samples, r->n_samples + 1, sizeof *r->samples);
	r->samples[r->n_samples++] = sample;
	return true;
}

/* The number of values of a sample. */
static size_t pprof_sample_count(const struct pprof *r, size_t sample)
{
	size_t end = sample + 1 < r->n_samples ? r->samples[sample + 1].first : r->n_values;

	return end - r->samples[sample].first;
}

int64_t pprof_sample_value(const struct pprof *r, size_t sample, size_t type)
{
	return type < pprof_sample_count(r, sample) ? r->values[r->samples[sample].first + type]
						    : 0;
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
	struct wire_field f;

	*type = (struct pprof_type){ 0 };
	while (wire_next(w, &f))
		if (f.type == WIRE_NUMBER && f.number == 1)
			type->type = f.value;
		else if (f.type == WIRE_NUMBER && f.number == 2)
			type->unit = f.value;
	return !w->wrong;
}

static bool add_type(struct pprof *r, struct wire *w)
{
	struct pprof_type type;

	if (!read_type(w, &type))
		return false;
	r->types = xgrow(r->types, &r->cap_types, r->n_types + 1, sizeof *r->types);
	r->types[r->n_types++] = type;
	return true;
}

static void add_comment(struct pprof *r, uint64_t text)
{
	r->comments = xgrow(r->comments, &r->cap_comments, r->n_comments + 1, sizeof *r->comments);
	r->comments[r->n_comments++] = text;
}

/* Comments in the packed form. */
static bool add_comments(struct pprof *r, struct wire *w)
{
	uint64_t text;

	while (wire_number(w, &text))
		add_comment(r, text);
	return !w->wrong;
}

static void take_number(struct pprof *r, const struct wire_field *f)
{
	switch (f->number) {
	case DROP_FRAMES:
		r->drop_frames = f->value;
		break;
	case KEEP_FRAMES:
		r->keep_frames = f->value;
		break;
	case TIME_NANOS:
		r->time_ns = (int64_t)f->value;
		break;
	case DURATION_NANOS:
		r->duration_ns = (int64_t)f->value;
		break;
	case PERIOD:
		r->period = (int64_t)f->value;
		break;
	case COMMENT:
		add_comment(r, f->value);
		break;
	case DEFAULT_TYPE:
		r->default_type = f->value;
		break;
	}
}

static bool take_message(struct pprof *r, uint32_t field, struct wire *w)
{
	switch (field) {
	case SAMPLE_TYPE:
		return add_type(r, w);
	case SAMPLE:
		return pprof_sample_add(r, w);
	case MAPPING:
		return pprof_tables_add_mapping(r, w);
	case LOCATION:
		return pprof_tables_add_location(r, w);
	case FUNCTION:
		return pprof_tables_add_function(r, w);
	case PERIOD_TYPE:
		return read_type(w, &r->period_type);
	case COMMENT:
		return add_comments(r, w);
	}
	return true;
}

/* How a member of the profile is written; -1: in any form, it is skipped. */
static int type_of(uint32_t field)
{
	static const signed char types[FIELDS] = {
		[0] = -1,
		[SAMPLE_TYPE] = WIRE_BYTES,
		[SAMPLE] = WIRE_BYTES,
		[MAPPING] = WIRE_BYTES,
		[LOCATION] = WIRE_BYTES,
		[FUNCTION] = WIRE_BYTES,
		[STRING] = WIRE_BYTES,
		[PERIOD_TYPE] = WIRE_BYTES,
		[COMMENT] = -1,
	};

	return field < FIELDS ? types[field] : -1;
}

static bool fail_damaged(struct pprof *r, const struct wire *w, const char *what)
{
	return error_set(r->err, ERR_FORMAT, wire_offset(w), "%s %s", what,
			 w->wrong ? w->wrong : "has a member of the wrong type");
}

static const char *name_of(uint32_t field)
{
	static const char *const names[FIELDS] = {
		[SAMPLE_TYPE] = "a sample type", [SAMPLE] = "a sample",
		[MAPPING] = "a mapping",         [LOCATION] = "a location",
		[FUNCTION] = "a function",       [PERIOD_TYPE] = "the type of the period",
		[COMMENT] = "the comment",
	};

	return field < FIELDS && names[field] ? names[field] : "the profile";
}

static bool take_member(struct pprof *r, const struct wire *w, const struct wire_field *f)
{
	struct wire inner;

	if (type_of(f->number) >= 0 && type_of(f->number) != (int)f->type)
		return fail_damaged(r, w, name_of(0));
	if (f->number == STRING) {
		pprof_tables_add_string(&r->tables, f->bytes);
		return true;
	}
	if (f->type == WIRE_NUMBER)
		take_number(r, f);
	if (f->type != WIRE_BYTES)
		return true;
	wire_inner(&inner, w, f);
	if (take_message(r, f->number, &inner))
		return true;
	return r->err->kind == ERR_NONE ? fail_damaged(r, &inner, name_of(f->number)) : false;
}

/* ---- the document ---- */

static bool fail_cut(struct pprof *r, const struct str *window)
{
	const char *damage = stream_damage(r->s->stream);

	return error_set(r->err, ERR_SYNTAX, scan_offset(r->s) + (int64_t)window->len,
			 "the file ends within a member of the profile%s%s", damage ? ": " : "",
			 damage ? damage : "");
}

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
			return fail_damaged(r, w, name_of(0));
		if (w->need > MEMBER_MAX)
			return error_set(r->err, ERR_LIMIT, wire_offset(w),
					 "a member of the profile has %" PRIu64 " bytes", w->need);
		if (window.len < size)
			return fail_cut(r, &window);
		size = (size_t)w->need;
	}
}

static bool read_members_pprof(struct pprof *r)
{
	struct wire_field f;
	struct wire w;

	while (next_member(r, &w, &f)) {
		if (!take_member(r, &w, &f))
			return false;
		r->s->p += w.p - w.start;
	}
	return r->err->kind == ERR_NONE;
}

static bool make_lanes(struct pprof *r)
{
	struct pprof_chosen chosen;
	const char *damage = stream_damage(r->s->stream);

	if (damage && r->tables.n_strings == 0)
		return error_set(r->err, ERR_SYNTAX, scan_offset(r->s), "the file has no texts: %s",
				 damage);
	pprof_tables_end(&r->tables);
	return pprof_type_choose(r, &chosen) && pprof_lane_all(r, &chosen) &&
		intern_fits(&r->labels, r->err);
}

static void done(struct pprof *r)
{
	pprof_tables_done(&r->tables);
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
	ok = read_members_pprof(&r) && make_lanes(&r);
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
		int type = type_of(f.number);

		if (f.number >= FIELDS || (type >= 0 && type != (int)f.type))
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
	"pprof",
	"profiles of pprof (profile.proto), plain or packed; sums, or by time with end_timestamp_ns",
	pprof_sniff,
	pprof_read,
	NULL,
	NULL,
};

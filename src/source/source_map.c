/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A map is read with one cursor over its text. The members of a section may come in any order, and
 * `mappings` needs the numbers of sources and names: the members are noted first, and taken in
 * order at the end of the object. */
#include "config.h"

#include "source/source_map.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/json/cursor.h"
#include "base/json/json_read.h"
#include "base/sort.h"
#include "base/str.h"
#include "source/function_map.h"
#include "source/raw_list.h"
#include "source/vlq.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* The members of a map, as they are in the text; p is NULL: absent. */
struct members {
	struct str version, root, sources, contents, names, mappings, sections, ignored;
	struct function_map functions;
};

struct reading {
	struct source_map *map;
	const char *text;
	size_t n_urls; /* sections that are files */
};

/* Where a section is in the generated script, and where what is around it ends. */
struct section_place {
	uint32_t line, column;
	uint64_t end; /* place_key() */
	unsigned depth;
};

static void add_map(struct reading *r, const struct members *m, const struct section_place *place);

/* ==== mappings ====
 *
 * `struct mappings_state` reads the text, for the first pass and for searches alike. The state is a
 * value: a mark is a copy of one.
 *
 * A mark stands in front of a segment, with the column of that segment, or at the beginning of a
 * line, with column 0. The last mark before a position leads to the segments at or before the
 * position: what stands in front of the mark is farther away than the segment behind it. */

/* A segment with its numbers as they are. */
struct mapping {
	uint32_t line, column; /* in the generated script; columns in UTF-16 code units */
	uint32_t source;       /* MAPPING_NONE: this stretch of the script has no source; then the
				  next three are MAPPING_NONE, too */
	uint32_t source_line, source_column;
	uint32_t name; /* MAPPING_NONE: none */
};

/* The state of the reader: the offset, and what was read before. */
struct mappings_state {
	uint32_t at; /* offset in the text */
	uint32_t line;
	/* The numbers to which the differences of the segment are added. */
	int32_t column, source, source_line, source_column, name;
};

struct mappings_mark {
	struct mappings_state state;
	uint32_t column; /* of the segment behind it; 0 at the beginning of a line */
};

struct mappings {
	struct str text; /* borrowed */
	uint32_t n_sources, n_names;
	struct mappings_mark *marks; /* by line, then column, except on unordered
					lines */
	size_t n_marks, cap_marks;
	uint64_t n;       /* segments */
	uint64_t n_bad;   /* segments that count as if they had no source: 2, 3 or more than 5
			     numbers, or a source, line, column or name that does not exist */
	uint32_t n_lines; /* of the generated script, as far as the text goes */
	/* Where reading stopped because the text is broken; NULL: it did not. The segments in front
	 * of it count. */
	const char *why; /* static text */
	size_t bad_at;   /* offset in the text */
	/* Lines whose segments are not ordered by column, ascending. The one that was asked for
	 * last is kept in order. */
	uint32_t *unordered;
	size_t n_unordered, cap_unordered;
	struct mapping *ordered;
	size_t n_ordered, cap_ordered;
	uint32_t ordered_line; /* MAPPING_NONE: none is kept */
};

/* The mappings of a section, or of a map without sections. */
struct source_map_part {
	uint32_t line, column; /* of the generated script where the part begins, from 0 */
	struct mappings mappings;
	struct function_map functions;
	uint32_t first_source, first_name;
};

/* Longest text. */
#define MAPPINGS_TEXT_MAX ((size_t)1 << 31)
#define MARK_BYTES 256u
#define FIELDS_MAX 5

/* Pass a number. Returns NULL, or why it is none. */
static const char *pass_number(const struct str *text, uint32_t *at, int64_t *value)
{
	uint32_t bits;
	const char *why = vlq_pass(text, at, &bits);

	if (!why)
		*value = vlq_signed(bits);
	return why;
}

/* Pass one separator. Returns whether a line begins behind it. */
static bool pass_separator(const struct str *text, struct mappings_state *s)
{
	if (text->p[s->at++] != ';')
		return false;
	s->line++;
	s->column = 0;
	return true;
}

static bool is_separator(const struct str *text, uint32_t at)
{
	return text->p[at] == ',' || text->p[at] == ';';
}

/* Add a difference. Returns whether the sum is a number that the format allows. */
static bool add_to(int32_t *sum, int64_t difference)
{
	int64_t is = *sum + difference;

	if (is > INT32_MAX || is < -INT32_MAX)
		is = -1;
	*sum = (int32_t)is;
	return is >= 0;
}

/* Pass the segment at the state. Of one that is bad, only line and column are kept. Returns NULL,
 * or why the text cannot be read on; then s->at is where. */
static const char *pass_segment(const struct mappings *m, struct mappings_state *s,
				struct mapping *segment, bool *is_bad)
{
	int64_t field[FIELDS_MAX] = { 0 }, rest;
	bool is_good;
	int n = 0;

	for (; s->at < m->text.len && !is_separator(&m->text, s->at); n++) {
		const char *why = pass_number(&m->text, &s->at, n < FIELDS_MAX ? &field[n] : &rest);
		if (why)
			return why;
	}
	is_good = n == 1 || n == 4 || n == 5;
	if (!add_to(&s->column, field[0])) {
		is_good = false;
		s->column = 0;
	}
	*segment = (struct mapping){ s->line,      (uint32_t)s->column, MAPPING_NONE,
				     MAPPING_NONE, MAPPING_NONE,        MAPPING_NONE };
	if (n >= 4) {
		/* All sums are made, whatever is wrong with one of them. */
		is_good &= add_to(&s->source, field[1]) && (uint32_t)s->source < m->n_sources;
		is_good &= add_to(&s->source_line, field[2]);
		is_good &= add_to(&s->source_column, field[3]);
	}
	if (n >= 5)
		is_good &= add_to(&s->name, field[4]) && (uint32_t)s->name < m->n_names;
	*is_bad = !is_good;
	if (!is_good || n == 1)
		return NULL;
	segment->source = (uint32_t)s->source;
	segment->source_line = (uint32_t)s->source_line;
	segment->source_column = (uint32_t)s->source_column;
	if (n == 5)
		segment->name = (uint32_t)s->name;
	return NULL;
}

/* ---- the first pass ---- */

static void add_mark(struct mappings *m, const struct mappings_state *before, uint32_t column)
{
	if (m->n_marks && before->at - m->marks[m->n_marks - 1].state.at < MARK_BYTES)
		return;
	m->marks = xgrow(m->marks, &m->cap_marks, m->n_marks + 1, sizeof(*m->marks));
	m->marks[m->n_marks++] = (struct mappings_mark){ *before, column };
}

/* Pass through a text. It must stay as long as `m` is used. n_sources, n_names: how many there are
 * in the map. m needs mappings_done(). */
static void mappings_init(struct mappings *m, struct str text, uint32_t n_sources, uint32_t n_names)
{
	struct mappings_state s = { 0 }, before;
	uint32_t line = MAPPING_NONE, column = 0;
	struct mapping segment;
	bool is_bad;

	*m = (struct mappings){ .text = text,
				.n_sources = n_sources,
				.n_names = n_names,
				.ordered_line = MAPPING_NONE };
	if (text.len > MAPPINGS_TEXT_MAX) {
		m->why = "longer than 2 GB";
		m->text.len = 0;
	}
	while (s.at < m->text.len) {
		if (is_separator(&text, s.at)) {
			if (pass_separator(&text, &s))
				add_mark(m, &s, 0);
			continue;
		}
		before = s;
		m->why = pass_segment(m, &s, &segment, &is_bad);
		if (m->why) {
			m->bad_at = s.at;
			m->text.len = before.at;
			break;
		}
		m->n++;
		m->n_bad += is_bad;
		if (segment.line == line && segment.column < column &&
		    !(m->n_unordered && m->unordered[m->n_unordered - 1] == line)) {
			m->unordered = xgrow(m->unordered, &m->cap_unordered, m->n_unordered + 1,
					     sizeof(*m->unordered));
			m->unordered[m->n_unordered++] = line;
		}
		line = segment.line;
		column = segment.column;
		add_mark(m, &before, column);
	}
	m->n_lines = s.line + 1;
}

static void mappings_done(struct mappings *m)
{
	free(m->marks);
	free(m->unordered);
	free(m->ordered);
	*m = (struct mappings){ .ordered_line = MAPPING_NONE };
}

/* ---- searches ---- */

/* The index of the last mark in front of the position, or 0. */
static size_t mark_before(const struct mappings *m, uint32_t line, uint32_t column)
{
	size_t low = 0;

	SORT_BISECT(
		low, m->n_marks, middle,
		m->marks[middle].state.line < line ||
			(m->marks[middle].state.line == line && m->marks[middle].column < column));
	return low ? low - 1 : 0;
}

/* Get the next segment that is not behind `line`. */
static bool next_segment(const struct mappings *m, struct mappings_state *s, uint32_t line,
			 struct mapping *segment)
{
	bool is_bad;

	while (s->at < m->text.len && is_separator(&m->text, s->at) && s->line <= line)
		pass_separator(&m->text, s);
	return s->at < m->text.len && s->line <= line && !pass_segment(m, s, segment, &is_bad);
}

static bool is_unordered(const struct mappings *m, uint32_t line)
{
	size_t low = 0;

	SORT_BISECT(low, m->n_unordered, middle, m->unordered[middle] < line);
	return low < m->n_unordered && m->unordered[low] == line;
}

SORT_BEFORE(column_before, struct mapping, x->column < y->column)

/* Keep the segments of the line by column; those of one column stay in the order of the text. */
static void order_line(struct mappings *m, uint32_t line)
{
	struct mappings_state s;
	struct mapping segment;

	if (m->ordered_line == line)
		return;
	m->ordered_line = line;
	m->n_ordered = 0;
	s = m->marks[mark_before(m, line, 0)].state;
	while (next_segment(m, &s, line, &segment)) {
		if (segment.line < line)
			continue;
		m->ordered = xgrow(m->ordered, &m->cap_ordered, m->n_ordered + 1,
				   sizeof(*m->ordered));
		m->ordered[m->n_ordered++] = segment;
	}
	sort_stable(m->ordered, m->n_ordered, sizeof(*m->ordered), column_before, NULL);
}

static bool find_ordered(const struct mappings *m, uint32_t column, bool is_last,
			 struct mapping *found)
{
	const struct mapping key = { .column = column };
	size_t at = sort_search(m->ordered, m->n_ordered, sizeof(*m->ordered), column_before, &key);

	if (!at)
		return false;
	at--;
	while (!is_last && at && m->ordered[at].column == column &&
	       m->ordered[at - 1].column == column)
		at--;
	*found = m->ordered[at];
	return true;
}

/* Find the segment to which a position of the generated script belongs: the last one of its line at
 * or before the column; of several at that very column, the first, unless is_last. Returns false
 * when there is none; a segment without a source is found like any other.
 *
 * Fast for searches in any order, except on unordered lines, which are sorted when the line
 * changes. */
static bool mappings_find(struct mappings *m, uint32_t line, uint32_t column, bool is_last,
			  struct mapping *found)
{
	struct mappings_state s;
	struct mapping segment;
	bool is_found = false;

	if (!m->n_marks)
		return false;
	if (is_unordered(m, line)) {
		order_line(m, line);
		return find_ordered(m, column, is_last, found);
	}
	s = m->marks[mark_before(m, line, column)].state;
	while (next_segment(m, &s, line, &segment)) {
		if (segment.line == line && segment.column > column)
			break;
		if (segment.line < line)
			continue;
		*found = segment;
		is_found = true;
		if (segment.column == column && !is_last)
			break;
	}
	return is_found;
}

/* The first segment of a line. False: the line has none. */
static bool mappings_first(struct mappings *m, uint32_t line, struct mapping *found)
{
	struct mappings_state s;

	if (!m->n_marks)
		return false;
	if (is_unordered(m, line)) {
		order_line(m, line);
		if (m->n_ordered)
			*found = m->ordered[0];
		return m->n_ordered > 0;
	}
	s = m->marks[mark_before(m, line, 0)].state;
	while (next_segment(m, &s, line, found))
		if (found->line == line)
			return true;
	return false;
}

/* ==== source map ==== */

#define DEPTH_MAX 8
#define PARTS_MAX 100000u

/* Of more, memory would be many times the text. */
#define SOURCES_MAX 1000000u
#define NAMES_MAX 8000000u

static void problem(struct source_map *map, const char *what)
{
	if (map->problems.len)
		buf_adds(&map->problems, "; ");
	buf_adds(&map->problems, what);
}

/* A whole number of at most nine digits; otherwise, `absent`. */
static uint32_t number_of(struct str raw, uint32_t absent)
{
	uint32_t value = 0;

	if (!raw.p || !raw.len || raw.len > 9)
		return absent;
	for (size_t i = 0; i < raw.len; i++) {
		if (raw.p[i] < '0' || raw.p[i] > '9')
			return absent;
		value = value * 10 + (uint32_t)(raw.p[i] - '0');
	}
	return value;
}

/* ---- the members ---- */

static void note_member(struct members *m, struct str key, struct str value)
{
	const struct {
		const char *name;
		struct str *to;
	} table[] = {
		{ "version", &m->version },
		{ "sourceRoot", &m->root },
		{ "sources", &m->sources },
		{ "sourcesContent", &m->contents },
		{ "names", &m->names },
		{ "mappings", &m->mappings },
		{ "sections", &m->sections },
		{ "scopes", &m->functions.scopes },
		{ "originalScopes", &m->functions.original },
		{ "x_com_bloomberg_sourcesFunctionMappings", &m->functions.ranges },
		{ "x_facebook_sources", &m->functions.points },
		{ "ignoreList", &m->ignored },
		{ "x_google_ignoreList", &m->ignored },
	};
	const struct str none = { 0 };

	/* The old name does not count beside the new one. */
	if (str_is(key, "x_google_ignoreList") && m->ignored.p)
		return;
	for (size_t i = 0; i < ARRAY_LEN(table); i++)
		if (str_is(key, table[i].name))
			*table[i].to = value.p[0] == 'n' ? none : value;
}

/* Note the members of an object. Returns false when it is no object, or broken. */
static bool read_members(struct cursor *c, struct members *m)
{
	bool is_first = true;
	struct str key, value;

	*m = (struct members){ 0 };
	if (cursor_peek(c) != '{')
		return cursor_fail(c, "no object");
	c->p++;
	while (cursor_key(c, &is_first, &key)) {
		if (!cursor_raw(c, &value))
			return false;
		note_member(m, key, value);
	}
	return !c->is_cut && !c->why;
}

/* ---- sources and names ---- */

/* The path is sourceRoot, a slash unless it ends with one, and the source. */
static char *path_of(struct str root, struct str source)
{
	BUF_LOCAL path = { 0 };
	char *result;

	if (raw_list_is_string(root) && json_tree_decode(root.p, root.len, &path) && path.len &&
	    path.data[path.len - 1] != '/')
		buf_addc(&path, '/');
	json_tree_decode(source.p, source.len, &path);
	result = xstrndup(buf_text(&path), path.len);
	return result;
}

static void add_sources(struct source_map *map, const struct members *m)
{
	struct raw_list list = raw_list_of(m->sources), contents = raw_list_of(m->contents);
	struct raw_list ignored = raw_list_of(m->ignored);
	size_t first = map->n_sources;
	struct str raw;

	while (map->n_sources < SOURCES_MAX && raw_list_next(&list, &raw)) {
		struct source_map_source *source;

		map->sources = xgrow(map->sources, &map->cap_sources, map->n_sources + 1,
				     sizeof(*map->sources));
		source = &map->sources[map->n_sources++];
		*source = (struct source_map_source){
			.path = raw_list_is_string(raw) ? path_of(m->root, raw) : NULL,
		};
		if (raw_list_next(&contents, &raw) && raw_list_is_string(raw))
			source->content = raw;
	}
	if (map->n_sources >= SOURCES_MAX && raw_list_next(&list, &raw))
		problem(map, "only the first 1,000,000 sources are used");
	while (raw_list_next(&ignored, &raw)) {
		size_t i = number_of(raw, UINT32_MAX);

		if (i < map->n_sources - first)
			map->sources[first + i].is_ignored = true;
	}
}

/* ---- parts ---- */

static void note_mappings(struct reading *r, const struct mappings *mappings, size_t offset)
{
	char text[160];

	if (mappings->why) {
		snprintf(text, sizeof text, "mappings are broken at byte %zu: %s",
			 offset + mappings->bad_at, mappings->why);
		problem(r->map, text);
	}
	if (mappings->n_bad) {
		snprintf(text, sizeof text,
			 "%" PRIu64 " of %" PRIu64 " segments point to what the map does not have",
			 mappings->n_bad, mappings->n);
		problem(r->map, text);
	}
}

static void add_part(struct reading *r, const struct members *m, uint32_t line, uint32_t column)
{
	struct source_map *map = r->map;
	struct source_map_part *part;
	struct str text = { "", 0 };
	struct str names;
	struct raw_list list;
	struct str raw;

	map->parts = xgrow(map->parts, &map->cap_parts, map->n_parts + 1, sizeof(*map->parts));
	part = &map->parts[map->n_parts++];
	*part = (struct source_map_part){ .line = line,
					  .column = column,
					  .first_source = (uint32_t)map->n_sources,
					  .first_name = (uint32_t)map->n_names };
	add_sources(map, m);
	names = m->names;
	list = raw_list_of(names);
	while (map->n_names < NAMES_MAX && raw_list_next(&list, &raw)) {
		map->names = xgrow(map->names, &map->cap_names, map->n_names + 1,
				   sizeof(*map->names));
		map->names[map->n_names++] = raw;
	}
	if (raw_list_is_string(m->mappings))
		text = (struct str){ m->mappings.p + 1, m->mappings.len - 2 };
	mappings_init(&part->mappings, text, (uint32_t)map->n_sources - part->first_source,
		      (uint32_t)map->n_names - part->first_name);
	note_mappings(r, &part->mappings, (size_t)(text.p - r->text));
	part->functions = m->functions;
}

static uint64_t place_key(uint32_t line, uint32_t column)
{
	return (uint64_t)line << 32 | column;
}

/* The offset of a section counts from the map around it. */
static bool section_place(struct str raw, const struct section_place *around,
			  struct section_place *place)
{
	struct str offset, value;
	uint32_t line, column;

	if (!cursor_find(raw, "offset", &offset))
		return false;
	line = cursor_find(offset, "line", &value) ? number_of(value, 0) : 0;
	column = cursor_find(offset, "column", &value) ? number_of(value, 0) : 0;
	*place = (struct section_place){ around->line + line,
					 line ? column : around->column + column, around->end,
					 around->depth + 1 };
	return true;
}

static void add_section(struct reading *r, struct str raw, const struct section_place *place)
{
	struct members members;
	struct str value;
	struct cursor c;

	if (cursor_find(raw, "url", &value)) {
		r->n_urls++;
		return;
	}
	if (!cursor_find(raw, "map", &value)) {
		problem(r->map, "a section has no map");
		return;
	}
	c = cursor_of(value);
	if (!read_members(&c, &members))
		problem(r->map, "the map of a section is no object");
	else if (r->map->n_parts < PARTS_MAX && place_key(place->line, place->column) < place->end)
		add_map(r, &members, place);
}

/* A section ends where the next one begins. */
static void add_sections(struct reading *r, struct str sections, const struct section_place *around)
{
	struct raw_list list = raw_list_of(sections);
	struct section_place place, next;
	struct str raw, next_raw;
	bool has_place, is_more = raw_list_next(&list, &raw);

	has_place = is_more && section_place(raw, around, &place);
	while (is_more) {
		bool has_next;

		is_more = raw_list_next(&list, &next_raw);
		has_next = is_more && section_place(next_raw, around, &next);
		if (has_place && has_next && place_key(next.line, next.column) < place.end)
			place.end = place_key(next.line, next.column);
		if (has_place)
			add_section(r, raw, &place);
		else
			problem(r->map, "a section has no offset");
		raw = next_raw;
		place = next;
		has_place = has_next;
	}
}

static void add_map(struct reading *r, const struct members *m, const struct section_place *place)
{
	if (!m->sections.p)
		add_part(r, m, place->line, place->column);
	else if (place->depth >= DEPTH_MAX)
		problem(r->map, "sections nest too deeply");
	else
		add_sections(r, m->sections, place);
}

SORT_BEFORE(part_before, struct source_map_part,
	    x->line != y->line ? x->line < y->line : x->column < y->column)

/* ---- reading ---- */

/* Maps may begin with a line that keeps them from being run as a script. */
static struct str without_guard(struct str text)
{
	const char *end;

	if (text.len < 4 || memcmp(text.p, ")]}'", 4) != 0)
		return text;
	end = memchr(text.p, '\n', text.len);
	if (!end)
		end = text.p + text.len - 1;
	return (struct str){ end + 1, text.len - (size_t)(end + 1 - text.p) };
}

struct source_map *source_map_read(struct str text, struct error *err)
{
	struct reading r = { .text = text.p };
	struct cursor c = cursor_of(without_guard(text));
	const struct section_place whole = { 0, 0, UINT64_MAX, 0 };
	struct members members;

	if (!read_members(&c, &members)) {
		error_set(err, ERR_SYNTAX, (const char *)c.p - text.p, "%s",
			  c.why ? c.why : "the text ends inside a value");
		return NULL;
	}
	if (!raw_list_is_string(members.mappings) &&
	    !(members.sections.p && members.sections.p[0] == '[')) {
		error_set(err, ERR_FORMAT, 0, "no source map: there are no mappings");
		return NULL;
	}
	if (number_of(members.version, 0) != 3) {
		error_set(err, ERR_FORMAT, 0, "a source map of another version than 3");
		return NULL;
	}
	r.map = xcalloc(1, sizeof(*r.map));
	add_map(&r, &members, &whole);
	if (r.n_urls)
		problem(r.map, "sections that are files of their own are not read");
	sort_stable(r.map->parts, r.map->n_parts, sizeof(*r.map->parts), part_before, NULL);
	return r.map;
}

void source_map_free(struct source_map *map)
{
	if (!map)
		return;
	for (size_t i = 0; i < map->n_parts; i++) {
		mappings_done(&map->parts[i].mappings);
		function_map_done(&map->parts[i].functions);
	}
	for (size_t i = 0; i < map->n_sources; i++)
		free(map->sources[i].path);
	free(map->parts);
	free(map->sources);
	free(map->names);
	buf_done(&map->problems);
	free(map);
}

/* ---- searches ---- */

/* The number of parts that begin at or before the position. */
static size_t parts_before(const struct source_map *map, uint32_t line, uint32_t column)
{
	const struct source_map_part key = { .line = line, .column = column };

	return sort_search(map->parts, map->n_parts, sizeof(*map->parts), part_before, &key);
}

bool source_map_find(struct source_map *map, uint32_t line, uint32_t column,
		     struct source_place *place)
{
	struct mapping found;
	bool is_last = false;

	/* A part ends where the next one begins. Where it has nothing in front of the position on
	 * this line, the line's segments of the part before it count. */
	for (size_t i = parts_before(map, line, column); i--;) {
		struct source_map_part *part = &map->parts[i];
		bool is_first_line = part->line == line;

		if (mappings_find(&part->mappings, line - part->line,
				  is_first_line ? column - part->column : column, is_last,
				  &found)) {
			*place = (struct source_place){ found.source + part->first_source,
							found.source_line, found.source_column,
							found.name };
			if (found.name != MAPPING_NONE)
				place->name += part->first_name;
			return found.source != MAPPING_NONE;
		}
		if (!is_first_line || !part->column)
			break;
		column = part->column - 1;
		is_last = true;
	}
	return false;
}

bool source_map_find_line(struct source_map *map, uint32_t line, struct source_place *place)
{
	struct source_place last;
	struct mapping first;

	for (size_t i = parts_before(map, line, UINT32_MAX); i--;) {
		struct source_map_part *part = &map->parts[i];

		if (part->line <= line &&
		    mappings_first(&part->mappings, line - part->line, &first) &&
		    first.source != MAPPING_NONE) {
			*place = (struct source_place){ first.source + part->first_source,
							first.source_line, first.source_column,
							MAPPING_NONE };
			return source_map_find(map, line, INT32_MAX, &last) &&
				last.source == place->source && last.line == place->line;
		}
		if (part->line < line)
			break;
	}
	return false;
}

bool source_map_name(const struct source_map *map, uint32_t name, struct buf *out)
{
	return name < map->n_names && raw_list_is_string(map->names[name]) &&
		json_tree_decode(map->names[name].p, map->names[name].len, out);
}

bool source_map_content(const struct source_map *map, uint32_t source, struct buf *out)
{
	struct str content;

	if (source >= map->n_sources || !map->sources[source].content.p)
		return false;
	content = map->sources[source].content;
	return json_tree_decode(content.p, content.len, out);
}

bool source_map_function(struct source_map *map, const struct source_place *place, struct buf *out)
{
	/* The parts of a map take sources and names one after another. */
	for (size_t i = 0; i < map->n_parts; i++) {
		struct source_map_part *part = &map->parts[i];
		uint32_t n = part->mappings.n_sources, source = place->source - part->first_source;
		const struct function_names names = { map->names ? map->names + part->first_name
								 : NULL,
						      part->mappings.n_names };

		if (place->source >= part->first_source && source < n)
			return function_map_find(&part->functions, n, &names, source, place->line,
						 place->column, out);
	}
	return false;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `struct mappings_state` reads the text, for the first pass and for searches alike. The state is a
 * value: a mark is a copy of one.
 *
 * A mark stands in front of a segment, with the column of that segment, or at the beginning of a
 * line, with column 0. The last mark before a position leads to the segments at or before the
 * position: what stands in front of the mark is farther away than the segment behind it. */
#include "config.h"

#include "source/mappings.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "source/vlq.h"

#include <stdlib.h>

#define MARK_BYTES 256u
#define FIELDS_MOST 5
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
static bool add(int32_t *sum, int64_t difference)
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
	int64_t field[FIELDS_MOST] = { 0 }, rest;
	bool is_good;
	int n = 0;

	for (; s->at < m->text.len && !is_separator(&m->text, s->at); n++) {
		const char *why = pass_number(&m->text, &s->at,
					      n < FIELDS_MOST ? &field[n] : &rest);
		if (why)
			return why;
	}
	is_good = n == 1 || n == 4 || n == 5;
	if (!add(&s->column, field[0])) {
		is_good = false;
		s->column = 0;
	}
	*segment = (struct mapping){ s->line,      (uint32_t)s->column, MAPPING_NONE,
				     MAPPING_NONE, MAPPING_NONE,        MAPPING_NONE };
	if (n >= 4) {
		/* All sums are made, whatever is wrong with one of them. */
		is_good &= add(&s->source, field[1]) && (uint32_t)s->source < m->n_sources;
		is_good &= add(&s->source_line, field[2]);
		is_good &= add(&s->source_column, field[3]);
	}
	if (n >= 5)
		is_good &= add(&s->name, field[4]) && (uint32_t)s->name < m->n_names;
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

static void add_unordered(struct mappings *m, uint32_t line)
{
	if (m->n_unordered && m->unordered[m->n_unordered - 1] == line)
		return;
	m->unordered = xgrow(m->unordered, &m->cap_unordered, m->n_unordered + 1,
			     sizeof(*m->unordered));
	m->unordered[m->n_unordered++] = line;
}

void mappings_init(struct mappings *m, struct str text, uint32_t n_sources, uint32_t n_names)
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
		if (segment.line == line && segment.column < column)
			add_unordered(m, line);
		line = segment.line;
		column = segment.column;
		add_mark(m, &before, column);
	}
	m->n_lines = s.line + 1;
}

void mappings_done(struct mappings *m)
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
	size_t low = 0, high = m->n_marks;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct mappings_mark *mark = &m->marks[middle];

		if (mark->state.line < line || (mark->state.line == line && mark->column < column))
			low = middle + 1;
		else
			high = middle;
	}
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
	size_t low = 0, high = m->n_unordered;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (m->unordered[middle] < line)
			low = middle + 1;
		else
			high = middle;
	}
	return low < m->n_unordered && m->unordered[low] == line;
}

static bool column_before(const void *a, const void *b, const void *ctx)
{
	(void)ctx;
	return ((const struct mapping *)a)->column < ((const struct mapping *)b)->column;
}

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
	size_t low = 0, high = m->n_ordered;

	/* The first one behind the column. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (m->ordered[middle].column <= column)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return false;
	low--;
	while (!is_last && low && m->ordered[low].column == column &&
	       m->ordered[low - 1].column == column)
		low--;
	*found = m->ordered[low];
	return true;
}

bool mappings_find(struct mappings *m, uint32_t line, uint32_t column, bool is_last,
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

bool mappings_first(struct mappings *m, uint32_t line, struct mapping *found)
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

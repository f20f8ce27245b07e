/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Marks stand at most MARK_BYTES and a token apart, so that a line in the middle of a long file, or
 * the middle of a long line, is highlighted after a look at little more than itself. */
#include "config.h"

#include "model/source_text.h"

#include "base/alloc.h"
#include "model/input_place.h"
#include "model/other_names.h"

#include <stdlib.h>
#include <string.h>

#define MARK_BYTES 4096u

void source_text_done(struct source_text *text)
{
	buf_done(&text->bytes);
	buf_done(&text->from);
	buf_done(&text->said);
	free(text->lines);
	free(text->marks);
	*text = (struct source_text){ 0 };
}

/* ---- lines ---- */

/* Bytes of the line break at `at`; 0: there is none. */
static size_t break_at(const char *text, size_t at, size_t len)
{
	if (text[at] == '\n')
		return 1;
	if (text[at] == '\r')
		return at + 1 < len && text[at + 1] == '\n' ? 2 : 1;
	/* U+2028 and U+2029. */
	return len - at >= 3 && (unsigned char)text[at] == 0xE2 &&
			(unsigned char)text[at + 1] == 0x80 &&
			((unsigned char)text[at + 2] & 0xFE) == 0xA8
		? 3
		: 0;
}

static void add_line(struct source_text *text, size_t at)
{
	text->lines = xgrow(text->lines, &text->cap_lines, text->n_lines + 1, sizeof *text->lines);
	text->lines[text->n_lines++] = (uint32_t)at;
}

static void index_lines(struct source_text *text)
{
	const char *bytes = buf_text(&text->bytes);
	size_t len = text->bytes.len;

	add_line(text, 0);
	for (size_t at = 0; at < len;) {
		size_t n = 0;

		/* Almost all bytes are others. */
		if (bytes[at] == '\n' || bytes[at] == '\r' || (unsigned char)bytes[at] == 0xE2)
			n = break_at(bytes, at, len);
		at += n ? n : 1;
		/* A last line without a byte is none. */
		if (n && at < len)
			add_line(text, at);
	}
}

static void index_marks(struct source_text *text)
{
	const char *bytes = buf_text(&text->bytes);
	struct source_lex lex = { 0 };
	size_t next = 0;

	for (size_t at = 0; at < text->bytes.len || text->n_marks == 0;) {
		enum source_kind kind;

		if (at >= next) {
			text->marks = xgrow(text->marks, &text->cap_marks, text->n_marks + 1,
					    sizeof *text->marks);
			text->marks[text->n_marks++] = (struct source_mark){ (uint32_t)at, lex };
			next = at + MARK_BYTES;
		}
		if (at < text->bytes.len)
			at = source_lex_next(&lex, bytes, at, text->bytes.len, &kind);
	}
}

void source_text_index(struct source_text *text, bool has_highlight)
{
	index_lines(text);
	if (has_highlight)
		index_marks(text);
}

struct str source_text_line(const struct source_text *text, size_t line)
{
	const char *bytes = buf_text(&text->bytes);
	size_t from, end;

	if (line >= text->n_lines)
		return (struct str){ bytes, 0 };
	from = text->lines[line];
	end = line + 1 < text->n_lines ? text->lines[line + 1] : text->bytes.len;
	while (end > from && (bytes[end - 1] == '\n' || bytes[end - 1] == '\r'))
		end--;
	if (end - from >= 3 && break_at(bytes, end - 3, end) == 3)
		end -= 3;
	return (struct str){ bytes + from, end - from };
}

size_t source_text_byte(struct str line, uint32_t column)
{
	size_t at = 0;

	for (uint32_t units = 0; at < line.len && units < column;) {
		unsigned char c = (unsigned char)line.p[at++];

		/* Four bytes of UTF-8 are two units of UTF-16. */
		units += c >= 0xF0 ? 2 : 1;
		while (at < line.len && ((unsigned char)line.p[at] & 0xC0) == 0x80)
			at++;
	}
	return at;
}

size_t source_text_lex(const struct source_text *text, size_t from, struct source_lex *lex)
{
	size_t low = 0, high = text->n_marks;

	/* The last mark that is not behind `from`. */
	while (high - low > 1) {
		size_t mid = (low + high) / 2;

		if (text->marks[mid].at <= from)
			low = mid;
		else
			high = mid;
	}
	*lex = text->marks[low].lex;
	return text->marks[low].at;
}

/* ---- what is wanted ---- */

/* Note where one of the inputs has the map of a script; that of the function comes first. */
static void find_map(const struct profile *profile, str_id script, uint32_t input,
		     struct source_wanted *wanted)
{
	for (uint32_t i = 0; i <= profile->n_inputs && !wanted->map_path; i++) {
		uint32_t n = i ? i - 1 : input;
		const struct input *in = n < profile->n_inputs ? &profile->inputs[n] : NULL;

		for (size_t k = 0; in && k < in->n_maps && !wanted->map_path; k++) {
			struct input_place place;

			if (in->maps[k].url != script)
				continue;
			place = input_place_at(in, in->maps[k].offset);
			wanted->map_path = profile_text(profile, place.path);
			wanted->map_print = place.print;
			wanted->map_offset = place.offset;
		}
	}
}

bool source_text_wanted(const struct profile *profile, frame_id id, uint32_t input,
			struct source_wanted *wanted)
{
	const struct frame *frame = profile_frame(profile, id);
	const struct frame *other = other_names_of(profile, id);

	if (!frame->url)
		return false;
	*wanted = (struct source_wanted){ .url = profile_text(profile, frame->url),
					  .length_s = profile->t1 / NS_PER_S };
	if (input < profile->n_inputs) {
		const struct input *in = &profile->inputs[input];

		wanted->input = profile_text(profile, in->path);
		wanted->has_date = in->has_date;
		wanted->is_utc = in->is_utc;
		wanted->date_s = in->date_s;
		wanted->changed_s = in->print.is_known ? in->print.changed_s : 0;
	}
	if (other && other->url && profile->other && !profile->other->is_source) {
		wanted->script = profile_text(profile, other->url);
		find_map(profile, other->url, input, wanted);
	}
	return true;
}

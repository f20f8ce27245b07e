/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Everything that is shown or written passes through text_next(), so that no function here can emit
 * ill-formed UTF-8. */
#include "config.h"

#include "base/text.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

uint32_t text_next(const char **p, const char *end)
{
	const unsigned char *s = (const unsigned char *)*p, *e = (const unsigned char *)end;
	uint32_t cp;
	unsigned lo = 0x80, hi = 0xBF;
	int more;

	if (*s < 0x80) {
		*p += 1;
		return *s;
	}
	if (*s >= 0xC2 && *s <= 0xDF) {
		more = 1;
		cp = *s & 0x1Fu;
	} else if (*s >= 0xE0 && *s <= 0xEF) {
		more = 2;
		cp = *s & 0x0Fu;
		if (*s == 0xE0)
			lo = 0xA0;
		else if (*s == 0xED)
			hi = 0x9F;
	} else if (*s >= 0xF0 && *s <= 0xF4) {
		more = 3;
		cp = *s & 0x07u;
		if (*s == 0xF0)
			lo = 0x90;
		else if (*s == 0xF4)
			hi = 0x8F;
	} else {
		*p += 1;
		return TEXT_REPLACEMENT;
	}
	for (s++; more > 0; more--, s++) {
		if (s >= e || *s < lo || *s > hi) {
			*p = (const char *)s;
			return TEXT_REPLACEMENT;
		}
		cp = cp << 6 | (*s & 0x3Fu);
		lo = 0x80;
		hi = 0xBF;
	}
	*p = (const char *)s;
	return cp;
}

bool text_is_control(uint32_t cp)
{
	if (cp < 0x20 || (cp >= 0x7F && cp < 0xA0))
		return true;
	if (cp < 0x2000)
		return cp == 0xAD || cp == 0x61C || cp == 0x180E;
	return (cp >= 0x200B && cp <= 0x200F) || (cp >= 0x2028 && cp <= 0x202E) ||
		(cp >= 0x2060 && cp <= 0x206F) || cp == 0xFEFF || (cp >= 0xFFF0 && cp <= 0xFFFB) ||
		(cp >= 0xE0000 && cp <= 0xE0FFF) || (cp & 0xFFFE) == 0xFFFE;
}

void text_control(uint32_t cp, char out[12])
{
	if (cp < 0x20)
		snprintf(out, 12, "^%c", (int)(cp + 0x40));
	else if (cp == 0x7F)
		snprintf(out, 12, "^?");
	else
		snprintf(out, 12, "<%02X>", (unsigned)cp);
}

void text_visible(struct buf *out, const char *text, size_t len)
{
	const char *p = text, *end = text + len;

	while (p < end) {
		const char *from = p;
		char seen[12];
		uint32_t cp;

		while (p < end && *p >= 0x20 && *p < 0x7F)
			p++;
		buf_add(out, from, (size_t)(p - from));
		if (p == end)
			break;
		cp = text_next(&p, end);
		if (text_is_control(cp)) {
			text_control(cp, seen);
			buf_adds(out, seen);
		} else {
			buf_add_utf8(out, cp);
		}
	}
}

/* Bytes of text that are looked at for each cell. No code point is longer than 4 bytes; the rest is
 * for combining marks, which have no width. */
#define CELL_BYTES 16

/* Bytes at the end of a text in which its last `width` cells are looked for. */
static size_t tail_bytes(int width)
{
	return CELL_BYTES * (size_t)width + 64;
}

static int cells_of(uint32_t cp)
{
	char seen[12];

	if (cp >= ' ' && cp < 0x7F)
		return 1;

	if (!text_is_control(cp))
		return text_width(cp);
	text_control(cp, seen);
	return (int)strlen(seen);
}

/* Number of cells of a text, or `most` or somewhat more if it has more. */
static int count_cells(const char *text, size_t len, int most)
{
	const char *p = text, *end = text + len;
	int cells = 0;

	while (p < end && cells < most)
		cells += cells_of(text_next(&p, end));
	return cells;
}

int text_cells(const char *text, size_t len)
{
	/* A name can have megabytes, and it is measured for each picture. */
	if (len > TEXT_CELLS_MOST * CELL_BYTES)
		return TEXT_CELLS_MOST;
	return count_cells(text, len, TEXT_CELLS_MOST);
}

void text_add_ends(struct buf *out, const char *text, size_t len)
{
	/* tail_start() looks at the bytes of one code point more. */
	const size_t most = tail_bytes(TEXT_CELLS_MOST) + 4;

	if (len <= 2 * most) {
		buf_add(out, text, len);
		return;
	}
	buf_add(out, text, most);
	buf_add(out, text + len - most, most);
}

/* Number of bytes from the start of `text` that fit into `width` cells. */
static size_t head_bytes(const char *text, size_t len, int width, int *used)
{
	const char *p = text, *end = text + len;
	int cells = 0;

	while (p < end && (size_t)(p - text) <= CELL_BYTES * (size_t)width) {
		const char *q = p;
		int w = cells_of(text_next(&q, end));

		if (cells + w > width)
			break;
		cells += w;
		p = q;
	}
	*used = cells;
	return (size_t)(p - text);
}

/* Offset of the last `width` cells of `text`. */
static size_t tail_start(const char *text, size_t len, int width, int *used)
{
	const char *p, *end = text + len, *from = text;
	int cells;

	if (len > tail_bytes(width))
		from = end - tail_bytes(width);
	for (int i = 0; i < 3 && from > text && ((unsigned char)*from & 0xC0) == 0x80; i++)
		from--;
	cells = count_cells(from, (size_t)(end - from), INT_MAX);
	for (p = from; p < end && cells > width;)
		cells -= cells_of(text_next(&p, end));
	/* Do not begin with combining marks: they belong to the character before. */
	while (p > from && p < end) {
		const char *q = p;

		if (cells_of(text_next(&q, end)) != 0)
			break;
		p = q;
	}
	*used = cells;
	return (size_t)(p - text);
}

int text_fit(struct buf *out, const char *text, size_t len, int width)
{
	int head_cells, tail_cells, room;
	size_t head, tail;

	if (width <= 0)
		return 0;
	if (len <= (size_t)width * CELL_BYTES) {
		int cells = text_cells(text, len);

		if (cells <= width) {
			text_visible(out, text, len);
			return cells;
		}
	}
	room = width - 1;
	head = head_bytes(text, len, room - room / 2, &head_cells);
	tail = tail_start(text, len, room / 2, &tail_cells);
	text_visible(out, text, head);
	buf_adds(out, "\342\200\246");
	if (room / 2 > 0)
		text_visible(out, text + tail, len - tail);
	return head_cells + 1 + (room / 2 > 0 ? tail_cells : 0);
}

int text_fit_start(struct buf *out, const char *text, size_t len, int width)
{
	int cells = 0;

	if (width > 0)
		text_visible(out, text, head_bytes(text, len, width, &cells));
	return cells;
}

int text_fit_end(struct buf *out, const char *text, size_t len, int width)
{
	int cells;
	size_t tail;

	if (width <= 0)
		return 0;
	if (len <= (size_t)width * CELL_BYTES && (cells = text_cells(text, len)) <= width) {
		text_visible(out, text, len);
		return cells;
	}
	tail = tail_start(text, len, width - 1, &cells);
	buf_adds(out, "\342\200\246");
	text_visible(out, text + tail, len - tail);
	return cells + 1;
}

void text_json(struct buf *out, const char *text, size_t len)
{
	const char *p = text, *end = text + len;

	while (p < end) {
		uint32_t cp = text_next(&p, end);

		if (cp == '"' || cp == '\\')
			buf_addc(out, '\\');
		if (cp == '\n')
			buf_adds(out, "\\n");
		else if (cp == '\t')
			buf_adds(out, "\\t");
		else if (text_is_control(cp) && cp >= 0x10000)
			buf_addf(out, "\\u%04x\\u%04x", 0xD800u + ((cp - 0x10000) >> 10),
				 0xDC00u + ((cp - 0x10000) & 0x3FF));
		else if (text_is_control(cp))
			buf_addf(out, "\\u%04x", (unsigned)cp);
		else
			buf_add_utf8(out, cp);
	}
}

bool text_repair(struct buf *out, const char *text, size_t len)
{
	const char *p = text, *end = text + len;

	while (p < end && (unsigned char)*p < 0x80)
		p++;
	while (p < end) {
		const char *q = p;
		uint32_t cp = text_next(&q, end);

		if (text_is_ill_formed(cp, p, q))
			break;
		p = q;
	}
	if (p == end)
		return false;
	for (p = text; p < end;)
		buf_add_utf8(out, text_next(&p, end));
	return true;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

int text_hex_pair(const char *p)
{
	return hex_digit(p[0]) < 0 || hex_digit(p[1]) < 0 ? -1
							  : hex_digit(p[0]) * 16 + hex_digit(p[1]);
}

void text_shell(struct buf *out, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "%+,-./:=@_";

	if (*word && strspn(word, plain) == strlen(word)) {
		buf_adds(out, word);
		return;
	}
	buf_addc(out, '\'');
	for (; *word; word++)
		if (*word == '\'')
			buf_adds(out, "'\\''");
		else
			buf_addc(out, *word);
	buf_addc(out, '\'');
}

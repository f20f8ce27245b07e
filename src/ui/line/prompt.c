/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Invariants: the text is well-formed UTF-8, as it consists of keys; the cursor is between
 * characters. A combining mark counts as a character of its own. */
#include "config.h"

#include "ui/line/prompt.h"

#include "base/alloc.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* ---- history ---- */

void prompt_history_add(struct prompt_history *h, const char *text)
{
	int most = h->most > 0 ? h->most : PROMPT_HISTORY, at = 0;

	while (at < h->n && strcmp(h->texts[at], text) != 0)
		at++;
	if (at == h->n && h->n == most)
		at = 0;
	if (at < h->n) {
		free(h->texts[at]);
		h->n--;
		memmove(h->texts + at, h->texts + at + 1, (size_t)(h->n - at) * sizeof h->texts[0]);
	}
	h->texts = xrealloc(h->texts, (size_t)h->n + 1, sizeof h->texts[0]);
	h->texts[h->n++] = xstrdup(text);
}

/* The history of the kind of text that is being typed; NULL: none is kept. */
static struct prompt_history *history_of(struct prompt *p)
{
	return p->kind == PROMPT_COMMAND ? p->commands : &p->patterns;
}

/* ---- opening and closing ---- */

void prompt_copy(struct prompt *to, const struct prompt *from)
{
	struct prompt_history *commands = to->commands;

	prompt_done(to);
	to->commands = commands;
	to->is_plain = from->is_plain;
	for (int i = 0; i < from->patterns.n; i++)
		prompt_history_add(&to->patterns, from->patterns.texts[i]);
}

static void set_text(struct prompt *p, const char *text)
{
	buf_clear(&p->text);
	buf_adds(&p->text, text);
	p->cursor = p->text.len;
}

void prompt_open(struct prompt *p, enum prompt_kind kind, const char *text)
{
	const struct prompt_history *h;

	p->kind = kind;
	h = history_of(p);
	p->at = h ? h->n : 0;
	set_text(p, text ? text : "");
}

void prompt_close(struct prompt *p, bool is_kept)
{
	struct prompt_history *h = history_of(p);

	if (is_kept && p->text.len > 0 && h)
		prompt_history_add(h, buf_text(&p->text));
	p->kind = PROMPT_NONE;
}

/* ---- editing ---- */

/* Remove the bytes [from, end). */
static bool cut(struct prompt *p, size_t from, size_t end)
{
	if (from >= end)
		return false;
	memmove(p->text.data + from, p->text.data + end, p->text.len - end + 1);
	p->text.len -= end - from;
	p->cursor = from;
	return true;
}

bool prompt_insert(struct prompt *p, key_code key)
{
	char bytes[4];
	size_t n;

	if (key < ' ' || key >= KEYC_SPECIAL || text_is_control(key) ||
	    p->text.len + sizeof bytes > PROMPT_MAX)
		return false;
	n = buf_encode_utf8(key, bytes);
	buf_add(&p->text, bytes, n);
	memmove(p->text.data + p->cursor + n, p->text.data + p->cursor,
		p->text.len - n - p->cursor);
	memcpy(p->text.data + p->cursor, bytes, n);
	p->cursor += n;
	return true;
}

static bool is_inside_character(const struct prompt *p, size_t at)
{
	return ((unsigned char)p->text.data[at] & 0xC0) == 0x80;
}

/* The byte of a place. */
static size_t find(const struct prompt *p, enum prompt_place place)
{
	size_t at = p->cursor;

	switch (place) {
	case PROMPT_LEFT:
		while (at > 0 && is_inside_character(p, --at))
			;
		return at;
	case PROMPT_RIGHT:
		while (at < p->text.len && is_inside_character(p, ++at))
			;
		return at;
	case PROMPT_WORD:
		while (at > 0 && p->text.data[at - 1] == ' ')
			at--;
		while (at > 0 && p->text.data[at - 1] != ' ')
			at--;
		return at;
	case PROMPT_START:
		return 0;
	case PROMPT_END:
		break;
	}
	return p->text.len;
}

void prompt_move(struct prompt *p, enum prompt_place to)
{
	p->cursor = find(p, to);
}

bool prompt_erase(struct prompt *p, enum prompt_place to)
{
	size_t at = find(p, to);

	return at < p->cursor ? cut(p, at, p->cursor) : cut(p, p->cursor, at);
}

bool prompt_replace(struct prompt *p, size_t from, const char *text)
{
	size_t n = strlen(text), rest = p->text.len - p->cursor;

	if (from > p->cursor || from + n + rest > PROMPT_MAX)
		return false;
	cut(p, from, p->cursor);
	buf_add(&p->text, text, n);
	memmove(p->text.data + from + n, p->text.data + from, rest);
	memcpy(p->text.data + from, text, n);
	p->cursor = from + n;
	return true;
}

bool prompt_older(struct prompt *p)
{
	const struct prompt_history *h = history_of(p);

	if (!h || p->at == 0)
		return false;
	if (p->at == h->n) {
		buf_clear(&p->typed);
		buf_adds(&p->typed, buf_text(&p->text));
	}
	set_text(p, h->texts[--p->at]);
	return true;
}

bool prompt_newer(struct prompt *p)
{
	const struct prompt_history *h = history_of(p);

	if (!h || p->at >= h->n)
		return false;
	p->at++;
	set_text(p, p->at == h->n ? buf_text(&p->typed) : h->texts[p->at]);
	return true;
}

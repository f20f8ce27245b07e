/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Invariants: the text is well-formed UTF-8, as it consists of keys; the cursor is between
 * characters. A combining mark counts as a character of its own. */
#include "config.h"

#include "ui/search/prompt.h"

#include "base/alloc.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

void prompt_done(struct prompt *p)
{
	for (int i = 0; i < p->n_history; i++)
		free(p->history[i]);
	buf_done(&p->text);
	buf_done(&p->typed);
	*p = (struct prompt){ 0 };
}

void prompt_copy(struct prompt *to, const struct prompt *from)
{
	prompt_done(to);
	to->is_plain = from->is_plain;
	for (; to->n_history < from->n_history; to->n_history++)
		to->history[to->n_history] = xstrdup(from->history[to->n_history]);
}

static void set_text(struct prompt *p, const char *text)
{
	buf_clear(&p->text);
	buf_adds(&p->text, text);
	p->cursor = p->text.len;
}

void prompt_open(struct prompt *p, enum prompt_kind kind, const char *text)
{
	p->kind = kind;
	p->at = p->n_history;
	set_text(p, text ? text : "");
}

/* Add the text to the history; an equal older text is removed. */
static void keep(struct prompt *p)
{
	int at = 0;

	while (at < p->n_history && strcmp(p->history[at], buf_text(&p->text)) != 0)
		at++;
	if (at == p->n_history && p->n_history == PROMPT_HISTORY)
		at = 0;
	if (at < p->n_history) {
		free(p->history[at]);
		p->n_history--;
		memmove(p->history + at, p->history + at + 1,
			(size_t)(p->n_history - at) * sizeof p->history[0]);
	}
	p->history[p->n_history++] = xstrdup(buf_text(&p->text));
}

void prompt_close(struct prompt *p, bool is_kept)
{
	if (is_kept && p->text.len > 0)
		keep(p);
	p->kind = PROMPT_NONE;
}

const char *prompt_last(const struct prompt *p)
{
	return p->n_history ? p->history[p->n_history - 1] : NULL;
}

/* ---- editing ---- */

static size_t before(const struct prompt *p, size_t at)
{
	while (at > 0 && ((unsigned char)p->text.data[--at] & 0xC0) == 0x80)
		;
	return at;
}

static size_t after(const struct prompt *p, size_t at)
{
	while (at < p->text.len && ((unsigned char)p->text.data[++at] & 0xC0) == 0x80)
		;
	return at;
}

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
	    p->text.len + sizeof bytes > PROMPT_MOST)
		return false;
	n = buf_encode_utf8(key, bytes);
	buf_add(&p->text, bytes, n);
	memmove(p->text.data + p->cursor + n, p->text.data + p->cursor,
		p->text.len - n - p->cursor);
	memcpy(p->text.data + p->cursor, bytes, n);
	p->cursor += n;
	return true;
}

bool prompt_erase(struct prompt *p)
{
	return p->cursor > 0 && cut(p, before(p, p->cursor), p->cursor);
}

bool prompt_delete(struct prompt *p)
{
	return p->cursor < p->text.len && cut(p, p->cursor, after(p, p->cursor));
}

bool prompt_erase_word(struct prompt *p)
{
	size_t from = p->cursor;

	while (from > 0 && p->text.data[from - 1] == ' ')
		from--;
	while (from > 0 && p->text.data[from - 1] != ' ')
		from--;
	return cut(p, from, p->cursor);
}

bool prompt_erase_line(struct prompt *p)
{
	return cut(p, 0, p->cursor);
}

bool prompt_older(struct prompt *p)
{
	if (p->at == 0)
		return false;
	if (p->at == p->n_history) {
		buf_clear(&p->typed);
		buf_adds(&p->typed, buf_text(&p->text));
	}
	set_text(p, p->history[--p->at]);
	return true;
}

bool prompt_newer(struct prompt *p)
{
	if (p->at >= p->n_history)
		return false;
	p->at++;
	set_text(p, p->at == p->n_history ? buf_text(&p->typed) : p->history[p->at]);
	return true;
}

void prompt_left(struct prompt *p)
{
	p->cursor = before(p, p->cursor);
}

void prompt_right(struct prompt *p)
{
	p->cursor = after(p, p->cursor);
}

void prompt_start(struct prompt *p)
{
	p->cursor = 0;
}

void prompt_end(struct prompt *p)
{
	p->cursor = p->text.len;
}

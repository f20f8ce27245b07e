/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The name of a thread may have blanks, so that a head is found by its time: the first word of
 * digits, a point, digits and a colon. The words before it are the name of the thread, its number,
 * and sometimes the processor. Symbols and modules may have blanks and parentheses; the module is
 * between the last parenthesis and the one that belongs to it. */
#include "config.h"

#include "read/perf/perf_line.h"

#include "base/str.h"
#include "base/units.h"
#include "model/lane.h"
#include "read/text_line.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define NUMBER_MAX ((int64_t)1 << 60)

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool perf_line_number(struct str text, int64_t *value)
{
	*value = 0;
	for (size_t i = 0; i < text.len; i++) {
		if (!is_digit(text.p[i]) || *value > NUMBER_MAX / 10 - 1)
			return false;
		*value = *value * 10 + (text.p[i] - '0');
	}
	return text.len > 0;
}

/* Take the first word. Empty: there is none. */
static struct str take_word(struct str *text)
{
	struct str word;

	while (text->len && text_line_is_blank(*text->p)) {
		text->p++;
		text->len--;
	}
	word = (struct str){ text->p, 0 };
	while (word.len < text->len && !text_line_is_blank(text->p[word.len]))
		word.len++;
	text->p += word.len;
	text->len -= word.len;
	return word;
}

/* Take the last word. */
static struct str take_last_word(struct str *text)
{
	size_t len, at;

	*text = text_line_trimmed(*text);
	len = at = text->len;
	while (at > 0 && !text_line_is_blank(text->p[at - 1]))
		at--;
	text->len = at;
	return (struct str){ text->p + at, len - at };
}

/* ---- the beginning of heads ---- */

/* Where the time of a head is: its point, its first byte, and its colon. */
struct time_place {
	size_t point, from, colon;
};

/* Read `12.345678:`, a word, around its point. */
static bool read_time(struct str line, struct time_place *at, int64_t *ns)
{
	int64_t seconds, part;
	size_t n;

	at->from = at->point;
	while (at->from > 0 && is_digit(line.p[at->from - 1]))
		at->from--;
	at->colon = at->point + 1;
	while (at->colon < line.len && is_digit(line.p[at->colon]))
		at->colon++;
	n = at->colon - at->point - 1;
	if (n == 0 || n > 9 || at->colon == line.len || line.p[at->colon] != ':' ||
	    (at->colon + 1 < line.len && !text_line_is_blank(line.p[at->colon + 1])) ||
	    (at->from > 0 && !text_line_is_blank(line.p[at->from - 1])))
		return false;
	if (!perf_line_number((struct str){ line.p + at->from, at->point - at->from }, &seconds) ||
	    !perf_line_number((struct str){ line.p + at->point + 1, n }, &part) ||
	    seconds > NUMBER_MAX / NS_PER_S)
		return false;
	for (; n < 9; n++)
		part *= 10;
	*ns = seconds * NS_PER_S + part;
	return true;
}

/* An id of a process or thread. -1 is that of records of the kernel. */
static bool read_id(struct str text, int64_t *id)
{
	bool is_negative = text.len && *text.p == '-';

	if (!perf_line_number((struct str){ text.p + is_negative, text.len - is_negative }, id))
		return false;
	*id = is_negative ? -*id : *id;
	return true;
}

/* Read `4711` or `4710/4711`: the thread, or the process and the thread. */
static bool read_thread(struct str word, struct perf_head *head)
{
	const char *slash = memchr(word.p, '/', word.len);
	size_t n = slash ? (size_t)(slash - word.p) : 0;

	head->pid = LANE_NO_ID;
	if (slash && !read_id((struct str){ word.p, n }, &head->pid))
		return false;
	if (slash)
		n++;
	return read_id((struct str){ word.p + n, word.len - n }, &head->tid);
}

/* Read what is before the time. */
static bool read_task(struct str text, struct perf_head *head)
{
	struct str word = take_last_word(&text);

	head->cpu = -1;
	if (word.len > 2 && word.p[0] == '[' && word.p[word.len - 1] == ']') {
		if (!perf_line_number((struct str){ word.p + 1, word.len - 2 }, &head->cpu))
			return false;
		word = take_last_word(&text);
	}
	head->comm = text_line_trimmed(text);
	return head->comm.len && read_thread(word, head);
}

/* ---- frames ---- */

static bool read_hex(struct str word, uint64_t *value)
{
	*value = 0;
	if (word.len == 0 || word.len > 16)
		return false;
	for (size_t i = 0; i < word.len; i++) {
		char c = word.p[i];

		if (!is_digit(c) && !(c >= 'a' && c <= 'f'))
			return false;
		*value = *value << 4 | (uint64_t)(is_digit(c) ? c - '0' : c - 'a' + 10);
	}
	return true;
}

static bool is_opening(struct str text, size_t at)
{
	return text.p[at] == '(' && (at == 0 || text_line_is_blank(text.p[at - 1]));
}

/* The parenthesis that belongs to the last one of the text, if it is after a blank; otherwise the
 * last one after a blank. text.len: there is none. */
static size_t find_opening(struct str text)
{
	size_t depth = 0, at;

	for (at = text.len; at-- > 0;) {
		depth += text.p[at] == ')';
		if (text.p[at] == '(' && --depth == 0)
			break;
	}
	if (at < text.len && is_opening(text, at))
		return at;
	for (at = text.len; at-- > 0;)
		if (is_opening(text, at))
			return at;
	return text.len;
}

/* Take ` (module)` from the end. */
static void take_module(struct str *text, struct str *module)
{
	static const char deleted[] = " (deleted)";
	size_t at;

	*module = (struct str){ text->p, 0 };
	if (!str_ends(*text, ")"))
		return;
	at = find_opening(*text);
	if (at == text->len)
		return;
	*module = (struct str){ text->p + at + 1, text->len - at - 2 };
	if (str_ends(*module, deleted))
		module->len -= strlen(deleted);
	text->len = at;
	*text = text_line_trimmed(*text);
}

bool perf_line_symbol(struct str line, struct perf_symbol *symbol)
{
	size_t at;
	uint64_t offset;

	if (!read_hex(take_word(&line), &symbol->address))
		return false;
	line = text_line_trimmed(line);
	take_module(&line, &symbol->module);
	/* Remove `+0x1f` from the end. */
	at = line.len;
	while (at > 0 && line.p[at - 1] != '+' && line.p[at - 1] != ' ')
		at--;
	if (at > 0 && line.p[at - 1] == '+' && line.len - at > 2 &&
	    memcmp(line.p + at, "0x", 2) == 0 &&
	    read_hex((struct str){ line.p + at + 2, line.len - at - 2 }, &offset))
		line.len = at - 1;
	symbol->name = line;
	return true;
}

/* ---- the rest of heads ---- */

/* Read what is after the time: the period, the event, and what the event prints or a frame. */
static bool read_event(struct str text, struct perf_head *head)
{
	struct str rest = text, word = take_word(&rest);
	struct perf_symbol symbol;

	head->period = 0;
	if (perf_line_number(word, &head->period))
		word = take_word(&rest);
	else
		head->period = 0;
	head->is_record = str_begins(word, "PERF_RECORD_");
	head->rest = text_line_trimmed(rest);
	head->event = word;
	if (word.len == 0 || head->is_record)
		return true;
	while (head->event.len && head->event.p[head->event.len - 1] == ':')
		head->event.len--;
	if (head->event.len && head->event.len < word.len)
		return true;
	/* `perf script -F` may leave out the event. */
	head->period = 0;
	head->event.len = 0;
	head->rest = text_line_trimmed(text);
	return perf_line_symbol(head->rest, &symbol) && symbol.module.len;
}

bool perf_line_head(struct str line, struct perf_head *head)
{
	struct time_place at = { 0 };
	const char *point;

	for (;; at.point++) {
		point = memchr(line.p + at.point, '.', line.len - at.point);
		if (!point)
			return false;
		at.point = (size_t)(point - line.p);
		if (read_time(line, &at, &head->t) &&
		    read_task((struct str){ line.p, at.from }, head))
			break;
	}
	at.colon++;
	return read_event((struct str){ line.p + at.colon, line.len - at.colon }, head);
}

/* ---- other lines ---- */

/* `0x401136/0x401126/P/-/-/0`, with symbols instead of addresses, or with modules after them. */
static bool is_branch(struct str word)
{
	size_t n = 0;

	for (size_t i = 0; i + 2 < word.len; i++)
		n += word.p[i] == '/' && memchr("PMN-", word.p[i + 1], 4) && word.p[i + 2] == '/';
	return n > 0 &&
		((word.len > 2 && memcmp(word.p, "0x", 2) == 0) ||
		 memmem(word.p, word.len, "+0x", 3));
}

size_t perf_line_branches(struct str line)
{
	size_t n = 0;

	for (struct str word = take_word(&line); word.len; word = take_word(&line))
		n += is_branch(word);
	return n;
}

bool perf_line_is_source(struct str line)
{
	static const char inlined[] = " (inlined)";
	size_t digits = 0;

	if (line.len < 3 || memcmp(line.p, "  ", 2) != 0 || line.p[2] == ' ')
		return false;
	line = text_line_trimmed(line);
	if (str_ends(line, inlined))
		line.len -= strlen(inlined);
	while (digits < line.len && is_digit(line.p[line.len - 1 - digits]))
		digits++;
	if (digits)
		return line.len > digits + 1 && line.p[line.len - 1 - digits] == ':';
	/* What is not known is printed as `libc.so.6[27249]`. */
	return str_ends(line, "]") && memchr(line.p, '[', line.len) && line.p[0] != '[';
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The converted text is as long as the text, so that a place of the one is a place of the other:
 * events that are read again, and messages, state the place in the file. What an escape is shorter
 * is filled with blanks, which JSON allows before a string and after it, but not inside: there the
 * missing bytes are counted (n_blank) and follow the string. Newlines outside of strings become
 * blanks, too, because the file has none there.
 *
 * A string within a string is decoded by another struct, which reads what the first one gives.
 *
 * Of the escapes only those of ASCII characters that are printed are decoded. In a string of the
 * document the others mean the same there. */
#include "config.h"

#include "base/quoted.h"

#include "base/alloc.h"
#include "base/str.h"

#include <stdlib.h>
#include <string.h>

#define RAW_SIZE ((size_t)64 << 10)
#define PREFIX_MAX 256 /* bytes of a line before a document */
#define HEAD_FIRST ((size_t)4096)
#define READ_MIN 4   /* bytes that a source must have room for */
#define ESCAPE_MAX 6 /* bytes of an escape */
#define DEPTH_MAX 4  /* objects around a string */
#define LEVELS_MAX 3 /* strings, one in another */

/* ---- where the document is ---- */

enum answer { NO, YES, MORE }; /* MORE: the text ends before that is known */

/* What is known of the beginning of a text; p moves through it. */
struct head {
	const char *from, *p, *end;
	size_t n_open;
	char quote;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void pass_blanks(struct head *h)
{
	while (h->p < h->end && is_blank(*h->p))
		h->p++;
}

/* The same where blanks may be escapes, in a string with `quote` (0: in no string). */
static const char *after_blanks(const struct head *h, const char *p, char quote)
{
	while (p < h->end) {
		if (is_blank(*p))
			p++;
		else if (quote && *p == '\\' && h->end - p > 1 && memchr("nrt", p[1], 3))
			p += 2;
		else
			break;
	}
	return p;
}

/* Whether a document of JSON begins at p: an object or a list, and the beginning of a member or
 * element. */
static enum answer is_document(const struct head *h, const char *p, char quote)
{
	char open;

	p = after_blanks(h, p, quote);
	if (p == h->end)
		return MORE;
	open = *p;
	if (open != '{' && open != '[')
		return NO;
	p = after_blanks(h, p + 1, quote);
	if (p == h->end)
		return MORE;
	if (open == '[' && *p == '{') {
		p = after_blanks(h, p + 1, quote);
		if (p == h->end)
			return MORE;
	} else if (open == '[') {
		return *p == '[' ? YES : NO;
	}
	if (*p == '}')
		return YES;
	if (quote != '"')
		return *p == '"' ? YES : NO;
	if (*p != '\\')
		return NO;
	return h->end - p < 2 ? MORE : p[1] == '"' || p[1] == 'u' ? YES : NO;
}

/* Whether a string that has a document begins behind the quote before p, in a string. */
static enum answer is_string_inside(const struct head *h, const char *p)
{
	for (int i = 1; i < LEVELS_MAX; i++) {
		p = after_blanks(h, p, '"');
		if (p < h->end && *p != '\\')
			return NO;
		while (p < h->end && *p == '\\')
			p++;
		if (h->end - p < ESCAPE_MAX)
			return MORE;
		if (*p != '"' && memcmp(p, "u0022", 5) != 0)
			return NO;
		p = after_blanks(h, p + (*p == '"' ? 1 : 5), '"');
		if (p == h->end)
			return MORE;
		if (*p == '{' || *p == '[')
			return YES;
	}
	return NO;
}

/* The same for a string that begins at h->p. */
static enum answer is_string(struct head *h)
{
	enum answer answer = is_document(h, h->p + 1, *h->p);

	if (answer == NO)
		answer = is_string_inside(h, h->p + 1);

	if (answer == YES)
		h->quote = *h->p;
	return answer;
}

static enum answer begins_here(struct head *h)
{
	return *h->p == '"' || *h->p == '\'' ? is_string(h) : is_document(h, h->p, 0);
}

/* Look for a document behind other text, on the same line. */
static enum answer look_on_line(struct head *h)
{
	const char *first = h->p;
	int depth = 0;

	if (h->end - first > 1 && *first == '/' && (first[1] == '/' || first[1] == '*'))
		return NO;
	for (; h->p < h->end && h->p - first <= PREFIX_MAX; h->p++) {
		char c = *h->p;
		enum answer answer = NO;

		if ((unsigned char)c < 0x20 && c != '\t')
			return NO;
		if (c == 0x7F || c == ';')
			return NO;
		/* `[vite] {...}`, but no element of a list. */
		if (*first == '[' && depth == 1 && c == ']')
			depth = 0;
		else if (*first == '[' && (h->p == first || depth > 0))
			depth += c == '[' ? 1 : c == ']' ? -1 : 0;
		else if (strchr("{[\"'", c) && h->p > first && strchr(" \t=:(", h->p[-1]))
			answer = begins_here(h);
		if (answer != NO)
			return answer;
	}
	return h->p < h->end ? NO : MORE;
}

/* Pass a string without looking at it. */
static bool pass_string(struct head *h)
{
	for (h->p++; h->p < h->end && *h->p != '"'; h->p++)
		if (*h->p == '\\')
			h->p++;
	if (h->p >= h->end)
		return false;
	h->p++;
	return true;
}

/* Pass a value. */
static bool pass_value(struct head *h)
{
	size_t depth = 0;

	do {
		pass_blanks(h);
		if (h->p == h->end)
			return false;
		if (*h->p == '"') {
			if (!pass_string(h))
				return false;
			continue;
		}
		if (*h->p == '{' || *h->p == '[')
			depth++;
		else if (*h->p == '}' || *h->p == ']')
			depth -= depth > 0;
		else
			while (h->p + 1 < h->end && !strchr(",:[]{}\" \t\r\n", h->p[1]))
				h->p++;
		h->p++;
	} while (depth > 0);
	return h->p < h->end;
}

/* Whether a member of a reply with this name may have the document. */
static bool is_reply(struct str key)
{
	static const char *const names[] = { "profile", "result", "cpuProfile", "trace",  "payload",
					     "value",   "body",   "data",       "content" };

	return STR_IN(key, names);
}

/* Whether what is there of the string at h->p has a key of a document: a member of a profile or
 * trace may have JSON as a text, too. Quotes inside of the string are escaped, that at its end is
 * not. */
static bool has_document_key(const struct head *h)
{
	static const char *const keys[] = { "nodes",  "traceEvents", "callFrame", "samples",
					    "stacks", "frames",      "profiles",  "head",
					    "ph",     "method",      "profile" };

	for (const char *p = h->p + 1; (p = memchr(p, '"', (size_t)(h->end - p))); p++) {
		size_t n_escapes = 0;

		while (p - n_escapes > h->p + 1 && p[-1 - (ptrdiff_t)n_escapes] == '\\')
			n_escapes++;
		if (n_escapes % 2 == 0)
			return false;
		for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
			size_t len = strlen(keys[i]);

			if ((size_t)(h->end - p) > len + 1 && memcmp(p + 1, keys[i], len) == 0 &&
			    p[1 + len] == '\\')
				return true;
		}
	}
	return false;
}

/* Pass a key and its colon, up to the value. */
static enum answer pass_key(struct head *h, struct str *key)
{
	const char *from;

	pass_blanks(h);
	if (h->p == h->end)
		return MORE;
	if (*h->p != '"')
		return NO;
	from = h->p + 1;
	if (!pass_string(h))
		return MORE;
	*key = (struct str){ from, (size_t)(h->p - 1 - from) };
	pass_blanks(h);
	if (h->p == h->end)
		return MORE;
	if (*h->p++ != ':')
		return NO;
	pass_blanks(h);
	return h->p == h->end ? MORE : YES;
}

/* Look for a string in a member of an object, before any list. */
static enum answer look_in_object(struct head *h)
{
	struct str key;

	for (h->p++, h->n_open = 1;;) {
		enum answer answer = pass_key(h, &key);

		if (answer != YES)
			return answer;
		if (*h->p == '[')
			return NO;
		if (*h->p == '{' && is_reply(key) && h->n_open < DEPTH_MAX) {
			h->p++;
			h->n_open++;
			continue;
		}
		answer = *h->p == '"' && is_reply(key) ? is_string(h) : NO;
		if (answer == MORE || (answer == YES && has_document_key(h)))
			return answer;
		h->quote = 0;
		if (!pass_value(h))
			return MORE;
		for (pass_blanks(h); h->p < h->end && *h->p == '}'; pass_blanks(h)) {
			h->p++;
			if (--h->n_open == 0)
				return NO;
		}
		if (h->p == h->end)
			return MORE;
		if (*h->p++ != ',')
			return NO;
	}
}

/* Whether a member of a profile or trace has this name. */
static bool is_document_key(struct str key)
{
	static const char *const names[] = { "nodes",    "head",        "samples", "timeDeltas",
					     "profile",  "cpuProfile",  "stacks",  "frames",
					     "profiles", "traceEvents", "ph",      "shared" };

	return STR_IN(key, names);
}

/* Whether a member of a message of the DevTools protocol begins at `at`. */
static bool is_of_message(const struct head *at, struct str key, bool has_id)
{
	static const char tracing[] = "\"Tracing.", profiler[] = "\"Profiler.";
	size_t left = (size_t)(at->end - at->p);

	if (str_is(key, "result"))
		return has_id && *at->p == '{';
	return str_is(key, "method") &&
		((left >= sizeof tracing - 1 && memcmp(at->p, tracing, sizeof tracing - 1) == 0) ||
		 (left >= sizeof profiler - 1 &&
		  memcmp(at->p, profiler, sizeof profiler - 1) == 0));
}

/* Whether the object at `at`, or the first one of a list, has a member of a profile or trace: logs
 * have other objects. */
static enum answer has_member(struct head at)
{
	bool has_id = false;
	struct str key;

	for (pass_blanks(&at); at.p < at.end && *at.p == '['; pass_blanks(&at))
		at.p++;
	if (at.p == at.end)
		return MORE;
	if (*at.p++ != '{')
		return NO;
	for (;;) {
		enum answer answer = pass_key(&at, &key);

		if (answer != YES)
			return answer;
		if (is_document_key(key) || is_of_message(&at, key, has_id))
			return YES;
		has_id |= str_is(key, "id");
		if (!pass_value(&at))
			return MORE;
		pass_blanks(&at);
		if (at.p == at.end)
			return MORE;
		if (*at.p++ != ',')
			return NO;
	}
}

/* Whether a document, or a string that has one, is at h->p, behind other lines. */
static enum answer is_behind_lines(struct head *h)
{
	enum answer answer = begins_here(h);

	if (answer == YES && h->quote == '"')
		return has_document_key(h) ? YES : NO;
	if (answer == YES)
		answer = has_member((struct head){ .p = h->p + (h->quote != 0), .end = h->end });
	return answer;
}

/* Pass `file:line ` or `file:line:column ` at the beginning of a line. False: there is none. */
static bool pass_place(struct head *h)
{
	const char *first = h->p;
	bool has_number = false;

	for (; h->p < h->end && h->p - first <= PREFIX_MAX && *h->p != '\n'; h->p++) {
		if (*h->p == ':')
			has_number = h->p + 1 < h->end && h->p[1] >= '0' && h->p[1] <= '9';
		else if (has_number && (*h->p == ' ' || *h->p == '\t'))
			return true;
		else if (*h->p < '0' || *h->p > '9')
			has_number = false;
	}
	return false;
}

/* Look for a document that begins a line, or stands there behind a place. */
static enum answer look_on_lines(struct head *h)
{
	while ((h->p = memchr(h->p, '\n', (size_t)(h->end - h->p)))) {
		const char *line;
		enum answer answer;

		h->p++;
		pass_blanks(h);
		line = h->p;
		if (h->p < h->end && !strchr("{[\"'", *h->p) && !pass_place(h)) {
			h->p = line;
			continue;
		}
		pass_blanks(h);
		if (h->p == h->end)
			return MORE;
		answer = *h->p && strchr("{[\"'", *h->p) ? is_behind_lines(h) : NO;
		if (answer != NO)
			return answer;
		h->quote = 0;
		h->p = line;
	}
	h->p = h->end;
	return MORE;
}

static enum answer look(struct head *h)
{
	enum answer answer = NO;
	const char *first;

	pass_blanks(h);
	if (h->p == h->end)
		return MORE;
	first = h->p;
	if (*first == '<')
		return NO;
	if (*first == '{')
		return look_in_object(h);
	if (*first == '[') {
		const char *end = memchr(first, '\n', (size_t)(h->end - first));

		answer = is_document(h, first, 0);
		/* A list, which may be no document. */
		if (answer != NO || (end && !memchr(first, ']', (size_t)(end - first))))
			return answer == MORE ? MORE : NO;
	}
	if (*first == '"' || *first == '\'')
		answer = is_string(h);
	if (answer == NO)
		answer = look_on_line(h);
	if (answer != NO)
		return answer;
	h->p = first;
	return look_on_lines(h);
}

/* ---- the text ---- */

void quoted_done(struct quoted *q)
{
	if (q->inner)
		quoted_done(q->inner);
	free(q->inner);
	free(q->raw);
	*q = (struct quoted){ 0 };
}

bool quoted_is_needed(const void *head, size_t len)
{
	struct head h = { head, head, (const char *)head + len, 0, 0 };

	return look(&h) == YES;
}

/* Note what a read of the source gave. Returns the number of bytes. */
static size_t note_read(struct quoted *q, ptrdiff_t n)
{
	q->is_end = n <= 0;
	return n > 0 ? (size_t)n : 0;
}

/* Read more text after that which is not converted yet, up to `most` bytes in all. */
static void fill(struct quoted *q, size_t most)
{
	memmove(q->raw, q->raw + q->at, q->len - q->at);
	q->len -= q->at;
	q->at = 0;
	q->len += note_read(q, byte_source_read(&q->from, q->raw + q->len, most - q->len, &q->err));
}

/* Read the beginning, as much as decides. */
static void find(struct quoted *q)
{
	struct head h = { 0 };
	enum answer answer = MORE;
	size_t looked = 0;

	q->raw = xmalloc(RAW_SIZE);
	do {
		/* A few bytes decide about most texts. */
		fill(q, q->len + READ_MIN <= HEAD_FIRST ? HEAD_FIRST : QUOTED_HEAD);
		/* The source may give few bytes at a time: do not begin again for each of them. */
		if (!q->is_end && q->len - looked <= looked / 8 && q->len <= QUOTED_HEAD - READ_MIN)
			continue;
		looked = q->len;
		h = (struct head){ .from = (char *)q->raw,
				   .p = (char *)q->raw,
				   .end = (char *)q->raw + q->len };
		answer = look(&h);
	} while (answer == MORE && !q->is_end && q->len <= QUOTED_HEAD - READ_MIN);
	q->is_begun = true;
	if (answer == YES) {
		/* Blank what is before the document. */
		q->n_before = (size_t)(h.p - h.from);
		q->quote = h.quote;
		q->n_open = h.quote ? h.n_open : 0;
		for (size_t i = 0; i < q->n_before + (q->quote ? 1 : 0); i++)
			if (!is_blank((char)q->raw[i]))
				q->raw[i] = ' ';
		q->is_plain = !q->quote;
		q->n_copied = q->n_before + 1;
	} else {
		q->is_plain = true;
	}
}

/* ---- what is in the string ---- */

/* The number of a \u escape if it is a printed character of ASCII; 0: it is not. */
static char unicode_of(const unsigned char *digits)
{
	char text[5] = { (char)digits[0], (char)digits[1], (char)digits[2], (char)digits[3], '\0' };
	char *end;
	unsigned long n;

	if (strspn(text, "0123456789abcdefABCDEF") != 4)
		return '\0';
	n = strtoul(text, &end, 16);
	return n >= 0x20 && n < 0x7F ? (char)n : '\0';
}

/* The character at q->at, and in *len the bytes that it has there. It is 0 for an escape that stays
 * as it is. *len is 0 when the text ends within it. */
static char next_char(const struct quoted *q, size_t *len)
{
	const unsigned char *p = q->raw + q->at;
	size_t left = q->len - q->at;
	char c;

	*len = 1;
	if (*p != '\\' || (left < 2 && q->is_end))
		return (char)*p;
	*len = left < 2 || (p[1] == 'u' && left < ESCAPE_MAX) ? 0 : p[1] == 'u' ? ESCAPE_MAX : 2;
	if (*len == 0 && q->is_end)
		*len = left;
	if (*len == ESCAPE_MAX && (c = unicode_of(p + 2)) != '\0')
		return c;
	return *len == 2 && strchr("\"\\/'", p[1]) ? (char)p[1] : '\0';
}

/* Note what the character means for the string of the document that it is in, or begins or ends. */
static void follow(struct quoted *q, char c)
{
	if (q->is_escaped)
		q->is_escaped = false;
	else if (c == '\\')
		q->is_escaped = q->in_string;
	else if (c == '"')
		q->in_string = !q->in_string;
}

/* Convert the next character. Returns how many bytes it is, at most ESCAPE_MAX. */
static size_t put_char(struct quoted *q, unsigned char *out)
{
	bool was_in_string = q->in_string;
	size_t len, n = 0;
	char c = next_char(q, &len);

	if (len == 1 && c == q->quote) {
		q->is_after = true;
		q->in_string = q->is_escaped = false;
		out[n++] = ' ';
	} else if (c == '\0' && len > 1) {
		bool is_space = len == 2 && memchr("nrt", q->raw[q->at + 1], 3);

		/* Give out an escape of `len` bytes that is none of a printed character. */
		if (!q->in_string && is_space)
			memset(out, ' ', len);
		else
			memcpy(out, q->raw + q->at, len);
		q->is_escaped = false;
		n = len;
	} else if (len > 0) {
		follow(q, c);
		if (!was_in_string)
			for (; n + 1 < len; n++)
				out[n] = ' ';
		else
			q->n_blank += len - 1;
		out[n++] = (unsigned char)c;
	}
	q->at += len;
	return n;
}

/* Convert the next byte behind the string: brackets that close what is around it, and what is
 * between them, become blanks. */
static size_t put_after(struct quoted *q, unsigned char *out)
{
	char c = (char)q->raw[q->at++];

	*out = (unsigned char)(q->n_open && !is_blank(c) ? ' ' : c);
	if (q->n_open) {
		if (!q->in_string && (c == '{' || c == '['))
			q->n_open++;
		else if (!q->in_string && (c == '}' || c == ']'))
			q->n_open--;
		follow(q, c);
	}
	return 1;
}

/* Give out text as it is. */
static size_t copy(struct quoted *q, unsigned char *out, size_t most)
{
	size_t n = q->len - q->at < most ? q->len - q->at : most;

	memcpy(out, q->raw + q->at, n);
	q->at += n;
	return n;
}

/* Give out what means nothing to put_char(). */
static size_t copy_ordinary(struct quoted *q, unsigned char *out, size_t most)
{
	size_t n = 0, left = q->len - q->at;
	const unsigned char *p = q->raw + q->at;

	if (q->is_after || q->is_escaped)
		return 0;
	most = left < most ? left : most;
	while (n < most && p[n] != '\\' && p[n] != '"' && p[n] != '\'')
		n++;
	return copy(q, out, n);
}

/* Give out what there is of the string and of what follows it. Returns the number of bytes. */
static size_t convert(struct quoted *q, unsigned char *out, size_t size)
{
	size_t n = 0, at;

	while (n < size) {
		if (q->ready_at < q->n_ready) {
			out[n++] = q->ready[q->ready_at++];
			continue;
		}
		if (q->n_blank && !q->in_string) {
			out[n++] = ' ';
			q->n_blank--;
			continue;
		}
		n += copy_ordinary(q, out + n, size - n);
		at = q->at;
		if (n == size || at == q->len)
			break;
		q->ready_at = 0;
		q->n_ready = q->is_after ? put_after(q, q->ready) : put_char(q, q->ready);
		if (q->at == at)
			break;
	}
	return n;
}

/* Give out what there is. */
static size_t put(struct quoted *q, unsigned char *out, size_t size)
{
	size_t n;

	if (q->is_plain) {
		n = copy(q, out, size);
		if (n < size && !q->is_end)
			n += note_read(q, byte_source_read(&q->from, out + n, size - n, &q->err));
		return n;
	}
	if (q->n_copied == 0)
		return convert(q, out, size);
	n = copy(q, out, size < q->n_copied ? size : q->n_copied);
	q->n_copied -= n;
	return n;
}

/* Give out what this struct makes of its source. */
static ptrdiff_t read_own(void *ctx, void *out, size_t size, struct error *err)
{
	struct quoted *q = ctx;
	size_t n;

	if (q->is_passed)
		return byte_source_read(&q->from, out, size, err);
	while ((n = put(q, out, size)) == 0 && !q->is_end)
		fill(q, RAW_SIZE);
	q->is_passed = q->is_plain && q->at == q->len && !q->is_end;
	if (n > 0 || q->err.kind == ERR_NONE)
		return (ptrdiff_t)n;
	*err = q->err;
	return -1;
}

ptrdiff_t quoted_read(struct quoted *q, void *out, size_t size, struct error *err)
{
	if (!q->is_begun) {
		find(q);
		if (q->quote && q->level + 1 < LEVELS_MAX) {
			q->inner = xmalloc(sizeof *q->inner);
			quoted_init(q->inner, (struct byte_source){ read_own, q });
			q->inner->level = q->level + 1;
		}
	}
	return q->inner ? quoted_read(q->inner, out, size, err) : read_own(q, out, size, err);
}

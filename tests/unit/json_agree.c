/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What we read is put into a tree of json-c's own objects, so that a key that comes twice means the
 * same in both. Numbers stand in it as whole numbers times 10^scale, with their kind as user data.
 * A text is read in two ways: by the scanner alone, and as traces are, where the scanner gives out
 * values and the cursor walks those that are objects. */
#include "config.h"

#include "json_agree.h"

#include "base/alloc.h"
#include "base/json/cursor.h"
#include "base/json/json_read.h"
#include "base/json/scan.h"
#include "base/quoted.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What lies deeper is not compared: values are walked by recursion. */
#define DEPTH_MAX 2500
/* Where the stretches of a stream in memory end. */
#define STRETCH ((size_t)1 << 18)

/* One way through a text, and what came of it. */
struct walk {
	struct scan s;
	struct error err;
	int scale;       /* numbers are times 10^scale */
	bool has_cursor; /* objects within are for the cursor */
	bool is_deep;
	int64_t cursor_bad; /* where the cursor failed; -1: it did not */
	struct json_object *tree;
	bool ok;
	int64_t end;   /* behind the document */
	char *blanked; /* a copy of the text: forgiven commas become blanks in it; NULL: not wanted
			*/
};

static const enum number_kind kinds[] = { NUMBER_INTEGER, NUMBER_ROUNDED, NUMBER_HUGE,
					  NUMBER_NONE };

static bool walk_value(struct walk *w, struct scan *s, int depth, struct json_object **out);
static bool cursor_value(struct walk *w, struct cursor *c, int depth, struct json_object **out);

static struct json_object *number_new(int64_t value, enum number_kind kind)
{
	struct json_object *o = json_object_new_int64(value);

	json_object_set_userdata(o, (void *)(uintptr_t)&kinds[kind], NULL);
	return o;
}

static bool is_deep(struct walk *w, int depth)
{
	w->is_deep |= depth >= DEPTH_MAX - 1;
	return w->is_deep;
}

static void add_member(struct json_object *object, const char *key, size_t len,
		       struct json_object *value)
{
	char *name = xstrndup(key, len);

	json_object_object_add(object, name, value);
	free(name);
}

static bool word(struct str raw, struct json_object **out)
{
	if (raw.p[0] == 't' || raw.p[0] == 'f')
		*out = json_object_new_boolean(raw.p[0] == 't');
	return true;
}

/* raw: with its quotes. */
static bool string(struct str raw, struct json_object **out)
{
	struct buf text = { 0 };
	bool ok = json_tree_decode(raw.p, raw.len, &text);

	if (ok)
		*out = json_object_new_string_len(buf_text(&text), (int)text.len);
	buf_done(&text);
	return ok;
}

/* ---- the scanner ---- */

/* The bracket that was passed last had a comma before it. */
static void blank_comma(const struct walk *w, const struct scan *s)
{
	int64_t at = scan_offset(s) - 2;

	if (!w->blanked || s != &w->s)
		return;
	while (w->blanked[at] != ',')
		at--;
	w->blanked[at] = ' ';
}

static bool walk_array(struct walk *w, struct scan *s, int depth, struct json_object *array)
{
	uint64_t n_trailing;
	bool is_first = true;
	int64_t integers[3];
	size_t n;

	if (!scan_open(s, '['))
		return false;
	for (;;) {
		struct json_object *value = NULL;

		while (!(depth >= DEPTH_MAX - 1) &&
		       (n = scan_number_list(s, w->scale, integers, ARRAY_LEN(integers),
					     &is_first)) > 0)
			for (size_t i = 0; i < n; i++)
				json_object_array_add(array,
						      number_new(integers[i], NUMBER_INTEGER));
		n_trailing = s->n_trailing;
		if (!scan_element(s, &is_first))
			break;
		if (is_deep(w, depth) || !walk_value(w, s, depth + 1, &value))
			return false;
		json_object_array_add(array, value);
	}
	if (s->err->kind == ERR_NONE && s->n_trailing > n_trailing)
		blank_comma(w, s);
	return s->err->kind == ERR_NONE;
}

static bool walk_object(struct walk *w, struct scan *s, int depth, struct json_object *object)
{
	uint64_t n_trailing;
	bool is_first = true;
	struct str key;

	if (!scan_open(s, '{'))
		return false;
	while (n_trailing = s->n_trailing, scan_key(s, &is_first, &key)) {
		struct json_object *value = NULL;
		char *name = xstrndup(key.p, key.len);
		bool ok = !is_deep(w, depth) && walk_value(w, s, depth + 1, &value);

		if (ok)
			json_object_object_add(object, name, value);
		free(name);
		if (!ok)
			return false;
	}
	if (s->err->kind == ERR_NONE && s->n_trailing > n_trailing)
		blank_comma(w, s);
	return s->err->kind == ERR_NONE;
}

static bool walk_number(struct walk *w, struct scan *s, struct json_object **out)
{
	enum number_kind kind;
	int64_t value;
	bool is_text;

	if (!scan_number(s, w->scale, &value, &kind, &is_text))
		return false;
	*out = number_new(value, kind);
	return true;
}

/* A value that the scanner gives out as it stands. */
static bool walk_raw(struct walk *w, struct scan *s, int depth, struct json_object **out)
{
	struct str raw;
	struct cursor c;
	bool ok;

	if (!scan_raw(s, SIZE_MAX, &raw))
		return false;
	if (raw.p[0] == '"')
		return string(raw, out) ||
			error_set(s->err, ERR_SYNTAX, scan_offset(s) - (int64_t)raw.len,
				  "a bad string");
	if (raw.p[0] != '{')
		return word(raw, out);
	c = cursor_of(raw);
	ok = cursor_value(w, &c, depth, out);
	if (!ok && !w->is_deep)
		error_set(s->err, ERR_SYNTAX,
			  scan_offset(s) - (int64_t)raw.len + ((const char *)c.p - raw.p), "%s",
			  c.why              ? c.why
				  : c.is_cut ? "cut"
					     : "a bad string");
	return ok;
}

static bool walk_value(struct walk *w, struct scan *s, int depth, struct json_object **out)
{
	int c = scan_peek(s);

	*out = NULL;
	if (c == '[') {
		*out = json_object_new_array();
		if (walk_array(w, s, depth, *out))
			return true;
	} else if (c == '{' && !(w->has_cursor && depth > 0)) {
		*out = json_object_new_object();
		if (walk_object(w, s, depth, *out))
			return true;
	} else if (c == '-' || (c >= '0' && c <= '9')) {
		return walk_number(w, s, out);
	} else if (walk_raw(w, s, depth, out)) {
		return true;
	}
	json_object_put(*out);
	*out = NULL;
	return false;
}

/* ---- the cursor ---- */

static bool cursor_object(struct walk *w, struct cursor *c, int depth, struct json_object *object)
{
	bool is_first = true;
	struct str key;

	c->p++;
	while (cursor_key(c, &is_first, &key)) {
		struct json_object *value = NULL;
		struct buf name = { 0 };
		bool ok = json_tree_decode(key.p - 1, key.len + 2, &name) && !is_deep(w, depth) &&
			cursor_value(w, c, depth + 1, &value);

		if (ok)
			add_member(object, buf_text(&name), name.len, value);
		buf_done(&name);
		if (!ok)
			return false;
	}
	return !c->why && !c->is_cut;
}

/* Arrays within what a cursor walks are for a scanner over that piece. */
static bool cursor_array(struct walk *w, struct cursor *c, int depth, struct json_object **out)
{
	struct error err = ERROR_INIT;
	struct scan s = { 0 };
	struct str raw;
	bool ok = cursor_raw(c, &raw);

	if (ok) {
		scan_over(&s, raw.p, raw.len, 0, &err);
		ok = walk_value(w, &s, depth, out);
	}
	scan_done(&s);
	return ok;
}

static bool cursor_value(struct walk *w, struct cursor *c, int depth, struct json_object **out)
{
	int b = cursor_peek(c);
	enum number_kind kind;
	bool is_text, has_escape;
	struct str raw;
	int64_t value;

	*out = NULL;
	if (b == '{') {
		*out = json_object_new_object();
		if (cursor_object(w, c, depth, *out))
			return true;
		json_object_put(*out);
		*out = NULL;
		return false;
	}
	if (b == '[')
		return cursor_array(w, c, depth, out);
	if (b == '"')
		return cursor_string(c, &raw, &has_escape) &&
			string((struct str){ raw.p - 1, raw.len + 2 }, out);
	if (b == '-' || (b >= '0' && b <= '9')) {
		if (!cursor_number(c, w->scale, &value, &kind, &is_text))
			return false;
		*out = number_new(value, kind);
		return true;
	}
	return cursor_raw(c, &raw) && word(raw, out);
}

/* ---- json-c ---- */

struct theirs {
	struct json_object *tree;
	enum json_tokener_error error;
	size_t end;
};

static struct theirs ask_json_c(const char *text, size_t len, int flags)
{
	struct json_tokener *tok = json_tokener_new_ex(DEPTH_MAX);
	struct theirs t;

	json_tokener_set_flags(tok, flags);
	t.tree = json_tokener_parse_ex(tok, text, (int)len);
	t.error = json_tokener_get_error(tok);
	t.end = json_tokener_get_parse_end(tok);
	json_tokener_free(tok);
	return t;
}

/* ---- comparing ---- */

static bool differ(struct buf *why, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool differ(struct buf *why, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	buf_adds(why, text);
	return false;
}

static bool same_number(struct json_object *ours, struct json_object *theirs, int scale)
{
	int64_t value = json_object_get_int64(ours), factor = 1, v;
	enum number_kind kind = *(const enum number_kind *)json_object_get_userdata(ours);
	long double exact;

	for (int i = 0; i < scale; i++)
		factor *= 10;
	if (json_object_is_type(theirs, json_type_int)) {
		v = json_object_get_int64(theirs);
		/* json-c stops at the ends of its range, too. */
		if (v > INT64_MAX / factor || v < -(INT64_MAX / factor))
			return kind == NUMBER_HUGE && value == (v > 0 ? INT64_MAX : -INT64_MAX);
		if (v == INT64_MAX)
			return value == v;
		return kind == NUMBER_INTEGER && value == v * factor;
	}
	exact = (long double)json_object_get_double(theirs) * (long double)factor;
	if (kind == NUMBER_HUGE)
		return value == (exact > 0 ? INT64_MAX : -INT64_MAX) &&
			fabsl(exact) > 9.2233720368547e18L;
	/* Theirs is a double: the nearest that there is. */
	return kind != NUMBER_NONE &&
		fabsl((long double)value - exact) <= 0.5L + fabsl(exact) * 3e-16L;
}

static bool same_value(struct json_object *ours, struct json_object *theirs, int scale,
		       struct buf *why);

static bool same_members(struct json_object *ours, struct json_object *theirs, int scale,
			 struct buf *why)
{
	struct json_object_iterator a = json_object_iter_begin(ours),
				    b = json_object_iter_begin(theirs),
				    end = json_object_iter_end(ours);

	if (json_object_object_length(ours) != json_object_object_length(theirs))
		return differ(why, "%d keys, json-c has %d", json_object_object_length(ours),
			      json_object_object_length(theirs));
	while (!json_object_iter_equal(&a, &end)) {
		const char *ka = json_object_iter_peek_name(&a),
			   *kb = json_object_iter_peek_name(&b);

		if (strcmp(ka, kb) != 0)
			return differ(why, "key '%.100s', json-c has '%.100s'", ka, kb);
		if (!same_value(json_object_iter_peek_value(&a), json_object_iter_peek_value(&b),
				scale, why))
			return false;
		json_object_iter_next(&a);
		json_object_iter_next(&b);
	}
	return true;
}

static bool same_value(struct json_object *ours, struct json_object *theirs, int scale,
		       struct buf *why)
{
	enum json_type type = json_object_get_type(theirs);

	if (type == json_type_double || type == json_type_int) {
		if (json_object_is_type(ours, json_type_int) && same_number(ours, theirs, scale))
			return true;
		return differ(why, "number %.100s times 10^%d, json-c has %.100s",
			      json_object_get_string(ours), scale, json_object_get_string(theirs));
	}
	if (!json_object_is_type(ours, type))
		return differ(why, "type %s, json-c has %s",
			      json_type_to_name(json_object_get_type(ours)),
			      json_type_to_name(type));
	if (type == json_type_object)
		return same_members(ours, theirs, scale, why);
	if (type == json_type_array) {
		if (json_object_array_length(ours) != json_object_array_length(theirs))
			return differ(why, "%zu elements, json-c has %zu",
				      json_object_array_length(ours),
				      json_object_array_length(theirs));
		for (size_t i = 0; i < json_object_array_length(ours); i++)
			if (!same_value(json_object_array_get_idx(ours, i),
					json_object_array_get_idx(theirs, i), scale, why))
				return false;
		return true;
	}
	return json_object_equal(ours, theirs) ||
		differ(why, "'%.100s', json-c has '%.100s'", json_object_get_string(ours),
		       json_object_get_string(theirs));
}

/* ---- a text ---- */

static bool is_blank(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* Read a text that has `pad` blanks before it. */
static void walk_text(struct walk *w, const char *text, size_t len, size_t pad)
{
	char *padded = xmalloc(pad + len);
	struct stream *stream;

	memset(padded, ' ', pad);
	memcpy(padded + pad, text, len);
	stream = stream_open_memory(padded, pad + len, SIZE_MAX);
	w->err = (struct error)ERROR_INIT;
	w->tree = NULL;
	w->is_deep = false;
	scan_init(&w->s, stream, &w->err);
	w->ok = walk_value(w, &w->s, 0, &w->tree);
	/* json-c passes the blanks behind a document, too. */
	if (w->ok)
		scan_peek(&w->s);
	w->end = w->is_deep ? 0 : (w->ok ? scan_offset(&w->s) : w->err.offset) - (int64_t)pad;
	stream_close(stream);
	free(padded);
}

static void walk_done(struct walk *w)
{
	json_object_put(w->tree);
	scan_done(&w->s);
}

static size_t word_end(const char *text, size_t len, size_t at)
{
	while (at < len && !is_blank(text[at]) && !strchr(",]}:", text[at]))
		at++;
	return at;
}

/* The end of the string or bare word that begins at `at`, or right behind the quote before it. */
static size_t token_end(const char *text, size_t len, size_t at)
{
	if (text[at] == '"' || (at > 0 && text[at - 1] == '"')) {
		for (at += text[at] == '"'; at < len && text[at] != '"'; at++)
			at += text[at] == '\\';
		return at + 1;
	}
	return word_end(text, len, at);
}

/* Whether it is what json-c takes for a number or key, and RFC 8259 does not: rule 2. */
static bool is_odd_token(const char *text, size_t len)
{
	if (len > 0 && *text == '\'')
		return true;
	if (len > 0 &&
	    (*text == 'N' || *text == 'I' || (*text == '-' && len > 1 && text[1] == 'I')))
		return true;
	return len > 0 && (*text == '-' || (*text >= '0' && *text <= '9')) &&
		!json_number_is(text, len) && strspn(text, "-+.eE0123456789") >= len;
}

/* Whether only the rest of a string, and blanks, lie between its byte `bad` and `at`: rules 3
 * and 4. */
static bool is_string_before(const char *text, size_t len, size_t bad, size_t at)
{
	while (bad < len && text[bad] != '"')
		bad += text[bad] == '\\' ? 2 : 1;
	for (bad++; bad < at && is_blank(text[bad]); bad++)
		;
	return bad >= at;
}

/* Both refuse, where? */
static bool same_refusal(const struct walk *w, const char *text, size_t len, const struct theirs *t,
			 struct buf *why)
{
	size_t at = (size_t)w->end, end;

	if (w->end < 0 || at > len)
		return differ(why, "offset %" PRId64 " of %zu", w->end, len);
	if (w->s.is_cut) {
		if (at != len)
			return differ(why, "cut at %zu of %zu", at, len);
		if (t->error == json_tokener_continue)
			return true;
		if (t->error != json_tokener_success && token_end(text, len, t->end) >= len)
			return true;
		/* Within a number, a quote does not begin a string. */
		if (t->error == json_tokener_error_parse_number &&
		    word_end(text, len, t->end) >= len)
			return true;
		if (t->error == json_tokener_error_parse_string &&
		    is_string_before(text, len, t->end, at))
			return true;
		return differ(why, "cut, json-c says '%s' at %zu",
			      json_tokener_error_desc(t->error), t->end);
	}
	end = token_end(text, len, at);
	if (is_odd_token(text + at, end - at))
		return true;
	if (t->error == json_tokener_success || t->error == json_tokener_continue)
		return differ(why, "refused at %zu (%s), json-c says '%s'", at, w->err.text,
			      json_tokener_error_desc(t->error));
	if (t->error == json_tokener_error_parse_string && t->end < at &&
	    is_string_before(text, len, t->end, at))
		return true;
	if (t->end != at && (t->end < at || t->end > end))
		return differ(why, "refused at %zu (%s), by json-c at %zu (%s)", at, w->err.text,
			      t->end, json_tokener_error_desc(t->error));
	return true;
}

static bool same_result(const struct walk *w, const struct theirs *t, struct buf *why)
{
	if (t->error != json_tokener_success)
		return differ(why, "taken, json-c says '%s' at %zu",
			      json_tokener_error_desc(t->error), t->end);
	if ((size_t)w->end != t->end)
		return differ(why, "ends at %" PRId64 ", for json-c at %zu", w->end, t->end);
	return same_value(w->tree, t->tree, w->scale, why);
}

/* json-c when strict, of the text without its forgiven commas; those it refuses. */
static bool against_json_c(const struct walk *w, const char *text, size_t len, struct theirs *t,
			   struct buf *why)
{
	const int strict = JSON_TOKENER_STRICT | JSON_TOKENER_ALLOW_TRAILING_CHARS;

	if (w->s.n_trailing > 0) {
		*t = ask_json_c(text, len, strict);
		if (t->error == json_tokener_success || t->end != (size_t)w->s.first_trailing)
			return differ(
				why,
				"comma before a bracket at %" PRId64 ", json-c says '%s' at %zu",
				w->s.first_trailing, json_tokener_error_desc(t->error), t->end);
		json_object_put(t->tree);
	}
	*t = ask_json_c(w->blanked, len, strict);
	if (w->ok && t->error == json_tokener_error_parse_string && t->end < len &&
	    (unsigned char)text[t->end] < ' ')
		*t = ask_json_c(w->blanked, len, JSON_TOKENER_ALLOW_TRAILING_CHARS);
	if (w->is_deep || t->error == json_tokener_error_depth)
		return true;
	return w->ok ? same_result(w, t, why) : same_refusal(w, w->blanked, len, t, why);
}

/* The same text, the end of a stretch of the stream at its byte `edge`: all must be as before. */
static bool same_with_edge(const struct walk *w, const char *text, size_t len, size_t edge,
			   struct buf *why)
{
	struct walk other = { .scale = w->scale, .has_cursor = w->has_cursor };
	size_t pad = STRETCH - edge % STRETCH;
	bool ok;

	walk_text(&other, text, len, pad);
	ok = other.ok == w->ok && other.end == w->end && other.is_deep == w->is_deep &&
		other.s.is_cut == w->s.is_cut && other.s.n_trailing == w->s.n_trailing &&
		strcmp(other.err.text, w->err.text) == 0 && json_object_equal(other.tree, w->tree);
	if (!ok)
		differ(why, "with an edge at %zu: %s at %" PRId64 ", else %s at %" PRId64, edge,
		       other.ok ? "taken" : other.err.text, other.end,
		       w->ok ? "taken" : w->err.text, w->end);
	walk_done(&other);
	return ok;
}

/* Passing the document over must come to the same end, if not to the same complaint: it looks less
 * closely. */
static bool same_when_passed(const struct walk *w, const char *text, size_t len, struct buf *why)
{
	struct stream *stream = stream_open_memory(text, len, SIZE_MAX);
	struct error err = ERROR_INIT;
	struct str raw = { NULL, 0 };
	struct scan s;
	bool ok, is_same = true;

	scan_init(&s, stream, &err);
	ok = scan_raw(&s, SIZE_MAX, &raw);
	if (ok && memcmp(raw.p, text + scan_offset(&s) - (int64_t)raw.len, raw.len) != 0)
		is_same = differ(why, "other bytes are given out");
	else if (ok)
		scan_peek(&s);
	if (w->ok && (!ok || scan_offset(&s) != w->end))
		is_same = differ(why, "passed over to %" PRId64 " (%s), read to %" PRId64,
				 scan_offset(&s), ok ? "well" : err.text, w->end);
	else if (!ok && (err.offset < 0 || err.offset > (int64_t)len))
		is_same = differ(why, "passed over: offset %" PRId64, err.offset);
	scan_done(&s);
	stream_close(stream);
	return is_same;
}

/* What the cursor makes of it: the same, if it may refuse it at another byte. */
static bool same_with_cursor(const struct walk *w, const struct walk *c, size_t len,
			     const struct theirs *t, struct buf *why)
{
	if (c->ok != w->ok)
		return differ(why, "cursor: %s at %" PRId64 ", scanner: %s at %" PRId64,
			      c->ok ? "taken" : c->err.text, c->end, w->ok ? "taken" : w->err.text,
			      w->end);
	if (c->end < 0 || c->end > (int64_t)len)
		return differ(why, "cursor: offset %" PRId64, c->end);
	return !w->ok || !t->tree || same_result(c, t, why) || differ(why, " (with the cursor)");
}

/* w: by the scanner; c: with the cursor, and in thousandths. */
static bool agree(struct walk *w, struct walk *c, const char *text, size_t len, int n_edges,
		  struct buf *why)
{
	struct theirs t = { 0 };
	bool ok = true;

	walk_text(w, text, len, 0);
	walk_text(c, text, len, 0);
	if (!memchr(text, '\0', len))
		ok = against_json_c(w, text, len, &t, why) &&
			(w->is_deep || same_with_cursor(w, c, len, &t, why));
	ok = ok && same_when_passed(w, text, len, why);
	for (int i = 0; ok && i < n_edges; i++) {
		size_t edge = len * (size_t)(i + 1) / (size_t)(n_edges + 1);

		ok = same_with_edge(w, text, len, edge, why) &&
			same_with_edge(c, text, len, edge, why);
	}
	json_object_put(t.tree);
	return ok;
}

bool json_agree(const char *text, size_t len, int n_edges, enum json_outcome *outcome,
		struct buf *why)
{
	struct walk w = { .blanked = xmalloc(len + 1) }, c = { .scale = 3, .has_cursor = true };
	size_t at = 0;
	bool ok = true;

	memcpy(w.blanked, text, len);
	w.blanked[len] = '\0';
	while (at < len && is_blank(text[at]))
		at++;
	*outcome = JSON_NO_DOCUMENT;
	/* With a NUL at the start it would be taken for UTF-16. */
	if (at < len && (text[at] == '{' || text[at] == '[') &&
	    !memchr(text, '\0', len < 4 ? len : 4) && !quoted_is_needed(text, len)) {
		ok = agree(&w, &c, text, len, n_edges, why);
		*outcome = w.is_deep ? JSON_TOO_DEEP : w.ok ? JSON_TAKEN : JSON_REFUSED;
		walk_done(&w);
		walk_done(&c);
	}
	free(w.blanked);
	return ok;
}

bool json_agree_with(const char *ours, const char *theirs, struct buf *why)
{
	struct walk w = { 0 };
	struct theirs t = ask_json_c(theirs, strlen(theirs), JSON_TOKENER_STRICT);
	bool ok;

	walk_text(&w, ours, strlen(ours), 0);
	w.end = (int64_t)t.end;
	ok = same_result(&w, &t, why);
	walk_done(&w);
	json_object_put(t.tree);
	return ok;
}

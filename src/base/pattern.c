/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The only file that knows PCRE2. Patterns that cannot be compiled to machine code are interpreted.
 *
 * PCRE2 cannot be interrupted, so a long text is matched in pieces: a call tries only some of the
 * places where a match may start, and sees the text from its beginning to `reach` bytes behind the
 * first of them. If PCRE2 wants to see more (a partial match), the reach grows, and the call is
 * repeated from that place on. So the result is that of the whole text. Only a match for which
 * REACH_MAX is too little is given up. */
#include "config.h"

#include "base/pattern.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/text.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <stdlib.h>
#include <string.h>

/* Limit of the matcher's steps on one text: far more than any name needs, and less than a
 * millisecond. */
#define MATCH_LIMIT 20000
#define DEPTH_LIMIT 2000
#define HEAP_LIMIT 4096 /* KiB */

#define LONG_TEXT ((size_t)8 << 10) /* bytes of the longest text that is matched in one call */
#define REACH ((size_t)64 << 10)
#define REACH_MAX ((size_t)4 << 20)
#define PIECE_STARTS ((size_t)1024)  /* that a call tries with the smallest reach */
#define PIECE_WORK (BUDGET_STEP / 4) /* units of work of a call */

/* A long text while it is matched. All members but `reach` are offsets in the text, or about it. */
struct pieces {
	const char *of; /* as given by the caller; NULL: there is no text */
	size_t of_len;
	const char *text;
	size_t len;
	struct buf good; /* the text with U+FFFD for ill-formed bytes; empty: it has none */
	size_t at;       /* the next start to be tried */
	size_t until;    /* the last start for which the text is seen up to `end` */
	size_t end, reach;
	bool is_checked; /* the text is valid UTF-8 up to `end` */
};

struct pattern {
	pcre2_code *code;
	pcre2_code *long_code; /* the same for pieces; NULL: not needed yet */
	char *source;
	size_t source_len;
	bool is_plain;
	struct pieces pieces; /* of pattern_look() */
	pcre2_match_data *data;
	pcre2_match_context *context;
	size_t n_failures;
};

static void *allocate(size_t size, void *ctx)
{
	(void)ctx;
	return xmalloc(size);
}

static void release(void *p, void *ctx)
{
	(void)ctx;
	free(p);
}

/* What PCRE2 makes with this context allocates like everything else. It keeps a copy of the
 * functions, so the caller frees the context when it likes. */
static pcre2_general_context *memory_context(void)
{
	return alloc_checked(pcre2_general_context_create(allocate, release, NULL));
}

/* A letter after a backslash is not a letter of the pattern: `\S` does not ask for capitals. */
static bool has_capital(const char *text, size_t len, bool is_plain, pcre2_general_context *memory)
{
	static const char capital[] = "[\\p{Lu}\\p{Lt}]";
	BUF_LOCAL letters = { 0 };
	pcre2_compile_context *context = pcre2_compile_context_create(memory);
	pcre2_match_data *data;
	pcre2_code *code;
	PCRE2_SIZE at;
	bool has;
	int why;

	for (size_t i = 0; i < len; i++) {
		if (!is_plain && text[i] == '\\' && i + 1 < len) {
			i++;
			/* `\p{Lu}`, `\x{C4}` */
			if (i + 1 < len && text[i + 1] == '{')
				while (i < len && text[i] != '}')
					i++;
			continue;
		}
		buf_addc(&letters, text[i]);
	}
	code = pcre2_compile((PCRE2_SPTR)capital, PCRE2_ZERO_TERMINATED, PCRE2_UTF, &why, &at,
			     context);
	data = pcre2_match_data_create(1, memory);
	has = code && data &&
		pcre2_match(code, (PCRE2_SPTR)buf_text(&letters), letters.len, 0, 0, data, NULL) >=
			0;
	pcre2_match_data_free(data);
	pcre2_code_free(code);
	pcre2_compile_context_free(context);
	return has;
}

static pcre2_code *compile(const char *text, size_t len, bool is_plain, uint32_t more,
			   struct error *err)
{
	pcre2_general_context *memory = memory_context();
	pcre2_compile_context *context = pcre2_compile_context_create(memory);
	uint32_t options = PCRE2_UTF | more |
		(has_capital(text, len, is_plain, memory) ? 0 : PCRE2_CASELESS);
	pcre2_code *code;
	PCRE2_UCHAR why_text[128];
	PCRE2_SIZE at = 0;
	int why = 0;

	/* A user types a pattern in one line; deeper nesting is an accident. */
	pcre2_set_parens_nest_limit(context, 100);
	code = pcre2_compile(
		(PCRE2_SPTR)text, len,
		options | (is_plain ? PCRE2_LITERAL : PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C), &why,
		&at, context);
	pcre2_compile_context_free(context);
	pcre2_general_context_free(memory);
	if (!code) {
		if (pcre2_get_error_message(why, why_text, sizeof(why_text)) < 0)
			why_text[0] = '\0';
		error_set(err, ERR_SYNTAX, (int64_t)at, "%s",
			  why_text[0] ? (const char *)why_text : "bad pattern");
	}
	return code;
}

enum pattern_subject pattern_subject(const char *text, size_t len, size_t *skip)
{
	static const struct {
		const char *word;
		enum pattern_subject subject;
	} subjects[] = { { "cat:", PATTERN_CAT },
			 { "file:", PATTERN_FILE },
			 { "pkg:", PATTERN_PACKAGE },
			 { "arg:", PATTERN_ARG },
			 { "url:", PATTERN_URL },
			 { "id:", PATTERN_ID },
			 { "status:", PATTERN_STATUS },
			 { "trace:", PATTERN_TRACE },
			 { PATTERN_LABEL_WORD, PATTERN_LABEL } };
	const char *equals;

	for (size_t i = 0; i < ARRAY_LEN(subjects); i++) {
		*skip = strlen(subjects[i].word);
		if (len < *skip || memcmp(text, subjects[i].word, *skip) != 0)
			continue;
		if (len == *skip && subjects[i].subject != PATTERN_LABEL)
			continue;
		equals = memchr(text, '=', len);
		if (subjects[i].subject == PATTERN_LABEL)
			*skip = equals ? (size_t)(equals - text) + 1 : len;
		return subjects[i].subject;
	}
	*skip = 0;
	return PATTERN_ANY;
}

char *pattern_label_key(const char *text, size_t skip)
{
	const size_t word = sizeof PATTERN_LABEL_WORD - 1;

	return xstrndup(text + word, skip - word - (skip > word && text[skip - 1] == '='));
}

void pattern_library(struct buf *out)
{
	char text[64] = "";

	pcre2_config(PCRE2_CONFIG_VERSION, text);
	buf_addf(out, "pcre2 %.*s", (int)strcspn(text, " "), text);
}

struct pattern *pattern_new(const char *text, size_t len, bool is_plain, struct error *err)
{
	pcre2_code *code = compile(text, len, is_plain, 0, err);
	pcre2_general_context *memory;
	struct pattern *p;

	if (!code)
		return NULL;
	p = xcalloc(1, sizeof(*p));
	p->code = code;
	p->is_plain = is_plain;
	p->source = xmalloc(len + 1);
	memcpy(p->source, text, len);
	p->source_len = len;
	memory = memory_context();
	p->data = pcre2_match_data_create_from_pattern(code, memory);
	p->context = pcre2_match_context_create(memory);
	pcre2_general_context_free(memory);
	pcre2_set_match_limit(p->context, MATCH_LIMIT);
	pcre2_set_depth_limit(p->context, DEPTH_LIMIT);
	pcre2_set_heap_limit(p->context, HEAP_LIMIT);
	/* If this fails, the pattern is interpreted. */
	(void)pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
	return p;
}

void pattern_quote(const char *text, struct buf *out)
{
	for (; *text; text++) {
		if (strchr("\\^$.|?*+()[]{}#", *text))
			buf_addc(out, '\\');
		buf_addc(out, *text);
	}
}

bool pattern_has_case(const struct pattern *p)
{
	uint32_t options = 0;

	return pcre2_pattern_info(p->code, PCRE2_INFO_ARGOPTIONS, &options) == 0 &&
		!(options & PCRE2_CASELESS);
}

void pattern_free(struct pattern *p)
{
	if (!p)
		return;
	pcre2_match_context_free(p->context);
	pcre2_match_data_free(p->data);
	pcre2_code_free(p->code);
	pcre2_code_free(p->long_code);
	buf_done(&p->pieces.good);
	free(p->source);
	free(p);
}

static bool is_bad_text(int result)
{
	return result <= PCRE2_ERROR_UTF8_ERR1 && result >= PCRE2_ERROR_UTF8_ERR21;
}

/* ---- long texts ---- */

static bool is_inside_character(const struct pieces *s, size_t at)
{
	return at < s->len && ((unsigned char)s->text[at] & 0xC0) == 0x80;
}

/* Let the next calls see the text up to the reach. */
static void begin_block(struct pieces *s)
{
	s->is_checked = false;
	s->end = s->len - s->at > s->reach ? s->at + s->reach : s->len;
	while (is_inside_character(s, s->end))
		s->end--;
	s->until = s->end == s->len ? s->len : s->at + (s->reach > REACH ? 0 : REACH / 2);
}

static void begin_text(struct pieces *s, const char *text, size_t len)
{
	s->text = text;
	s->len = len;
	s->at = 0;
	s->reach = REACH;
	begin_block(s);
}

/* The last start that a call tries. What a start costs grows with the reach. */
static size_t last_start(const struct pieces *s)
{
	size_t n = PIECE_STARTS / (s->reach / REACH), last;

	last = s->at + (n ? n - 1 : 0);
	return s->reach > REACH && s->until < s->len ? last : last < s->until ? last : s->until;
}

static int match_piece(struct pattern *p, const struct pieces *s, size_t last)
{
	uint32_t options = s->is_checked ? PCRE2_NO_UTF_CHECK : 0;

	pcre2_set_offset_limit(p->context, last);
	pcre2_set_match_limit(p->context, (uint32_t)(MATCH_LIMIT / (s->reach / REACH)));
	return pcre2_match(p->long_code, (PCRE2_SPTR)s->text, s->end, s->at,
			   options | (s->end < s->len ? PCRE2_PARTIAL_HARD : 0), p->data,
			   p->context);
}

/* Go on behind the start `last`. Returns whether there are more starts. */
static bool go_on(struct pieces *s, size_t last)
{
	if (last >= s->len)
		return false;
	s->at = last + 1;
	while (is_inside_character(s, s->at))
		s->at++;
	if (s->at <= s->until)
		return true;
	s->reach = s->reach > REACH ? s->reach / 2 : REACH;
	begin_block(s);
	return true;
}

/* Match a piece of a long text. */
static enum pattern_result look(struct pattern *p, struct pieces *s)
{
	size_t last = last_start(s);
	int result = match_piece(p, s, last);

	if (is_bad_text(result) && !s->good.len) {
		text_repair(&s->good, s->text, s->len);
		begin_text(s, buf_text(&s->good), s->good.len);
		return PATTERN_BUSY;
	}
	s->is_checked = true;
	if (result >= 0)
		return PATTERN_YES;
	if (result == PCRE2_ERROR_NOMATCH)
		return go_on(s, last) ? PATTERN_BUSY : PATTERN_NO;
	if (result == PCRE2_ERROR_PARTIAL && s->reach < REACH_MAX) {
		size_t start = pcre2_get_ovector_pointer(p->data)[0];

		s->at = start > s->at ? start : s->at;
		s->reach *= 2;
		begin_block(s);
		return PATTERN_BUSY;
	}
	p->n_failures++;
	return PATTERN_NO;
}

static void need_long_code(struct pattern *p)
{
	struct error err = ERROR_INIT;

	if (p->long_code)
		return;
	/* It was compiled before, so it can be compiled again. */
	p->long_code = alloc_checked(
		compile(p->source, p->source_len, p->is_plain, PCRE2_USE_OFFSET_LIMIT, &err));
	(void)pcre2_jit_compile(p->long_code, PCRE2_JIT_COMPLETE | PCRE2_JIT_PARTIAL_HARD);
}

/* The context is shared with short texts. */
static void end_pieces(struct pattern *p, struct pieces *s)
{
	buf_done(&s->good);
	*s = (struct pieces){ 0 };
	pcre2_set_offset_limit(p->context, PCRE2_UNSET);
	pcre2_set_match_limit(p->context, MATCH_LIMIT);
}

enum pattern_result pattern_look(struct pattern *p, const char *text, size_t len,
				 struct budget *budget)
{
	struct pieces *s = &p->pieces;
	enum pattern_result result;

	if (len <= LONG_TEXT)
		return pattern_find(p, text, len, NULL, NULL) ? PATTERN_YES : PATTERN_NO;
	need_long_code(p);
	if (s->of != text || s->of_len != len) {
		end_pieces(p, s);
		s->of = text;
		s->of_len = len;
		begin_text(s, text, len);
	}
	while ((result = look(p, s)) == PATTERN_BUSY)
		if (budget_use(budget, PIECE_WORK))
			break;
	if (result != PATTERN_BUSY)
		end_pieces(p, s);
	return result;
}

/* ---- any text ---- */

static int match(struct pattern *p, const char *text, size_t len)
{
	if (len > LONG_TEXT) {
		struct pieces s = { 0 };
		enum pattern_result result;

		/* Match a long text to its end. */
		need_long_code(p);
		begin_text(&s, text, len);
		while ((result = look(p, &s)) == PATTERN_BUSY)
			;
		end_pieces(p, &s);
		return result == PATTERN_YES ? 1 : PCRE2_ERROR_NOMATCH;
	}
	return pcre2_match(p->code, (PCRE2_SPTR)text, len, 0, 0, p->data, p->context);
}

bool pattern_find(struct pattern *p, const char *text, size_t len, size_t *from, size_t *end)
{
	int result = match(p, text, len);
	const PCRE2_SIZE *at;

	if (is_bad_text(result)) {
		BUF_LOCAL good = { 0 };

		text_repair(&good, text, len);
		result = match(p, buf_text(&good), good.len);
	}
	if (result < 0) {
		p->n_failures += result != PCRE2_ERROR_NOMATCH;
		return false;
	}
	at = pcre2_get_ovector_pointer(p->data);
	/* Offsets in repaired text are not those of the original, and \K may reverse them. */
	if (from)
		*from = at[0] < len ? at[0] : len;
	if (end)
		*end = at[1] < at[0] ? at[0] < len ? at[0] : len : at[1] < len ? at[1] : len;
	return true;
}

size_t pattern_failures(const struct pattern *p)
{
	return p->n_failures;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The only file that knows PCRE2. Patterns that cannot be compiled to machine code are interpreted.
 */
#include "config.h"

#include "analysis/pattern.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/text.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <stdlib.h>

/* Limit of the matcher's steps on one text: far more than any name needs, and less than a
 * millisecond. */
#define MATCH_LIMIT 20000
#define DEPTH_LIMIT 2000
#define HEAP_LIMIT 4096 /* KiB */

struct pattern {
	pcre2_code *code;
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
	struct buf letters = { 0 };
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
	buf_done(&letters);
	return has;
}

static pcre2_code *compile(const char *text, size_t len, bool is_plain, struct error *err)
{
	pcre2_general_context *memory = memory_context();
	pcre2_compile_context *context = pcre2_compile_context_create(memory);
	uint32_t options = PCRE2_UTF |
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

struct pattern *pattern_new(const char *text, size_t len, bool is_plain, struct error *err)
{
	pcre2_code *code = compile(text, len, is_plain, err);
	pcre2_general_context *memory;
	struct pattern *p;

	if (!code)
		return NULL;
	p = xcalloc(1, sizeof(*p));
	p->code = code;
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

void pattern_free(struct pattern *p)
{
	if (!p)
		return;
	pcre2_match_context_free(p->context);
	pcre2_match_data_free(p->data);
	pcre2_code_free(p->code);
	free(p);
}

static bool is_bad_text(int result)
{
	return result <= PCRE2_ERROR_UTF8_ERR1 && result >= PCRE2_ERROR_UTF8_ERR21;
}

bool pattern_find(struct pattern *p, const char *text, size_t len, size_t *from, size_t *end)
{
	int result = pcre2_match(p->code, (PCRE2_SPTR)text, len, 0, 0, p->data, p->context);
	const PCRE2_SIZE *at;

	if (is_bad_text(result)) {
		struct buf good = { 0 };

		text_repair(&good, text, len);
		result = pcre2_match(p->code, (PCRE2_SPTR)buf_text(&good), good.len, 0, 0, p->data,
				     p->context);
		buf_done(&good);
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

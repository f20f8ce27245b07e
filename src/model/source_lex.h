/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tokens of JavaScript and TypeScript, for a quiet highlight: comments, strings with templates and
 * regular expressions, keywords. This is no parser: where only a parser could tell what a token is,
 * it is plain, and each line begins without the strings of the line before. */
#ifndef FLAMETTY_MODEL_SOURCE_LEX_H
#define FLAMETTY_MODEL_SOURCE_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum source_kind { SOURCE_PLAIN, SOURCE_COMMENT, SOURCE_STRING, SOURCE_KEYWORD };

/* Templates inside templates that are told apart. */
#define SOURCE_LEX_TEMPLATES 5

/* What the tokens before a position say about the next one. A zeroed struct is that of the
 * beginning of a file. */
struct source_lex {
	uint8_t mode;                         /* inside what the next byte is */
	bool has_value;                       /* a value ends here: `/` divides */
	uint8_t n_templates;                  /* templates whose `${` is open, */
	uint8_t braces[SOURCE_LEX_TEMPLATES]; /* and the braces that are open in each */
};

/* Read a token that begins at `at` < len: returns where it ends, and sets its kind. No token has
 * more than SOURCE_LEX_MOST bytes or a line break inside: longer ones come in parts. A line break
 * is the last byte of its token. */
#define SOURCE_LEX_MOST ((size_t)4096)
size_t source_lex_next(struct source_lex *lex, const char *text, size_t at, size_t len,
		       enum source_kind *kind);

#endif

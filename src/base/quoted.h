/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes a document out of the text in which a program printed it:
 *
 *	main.js:9 {"nodes":[]}                 a line of a console: text before the document
 *	"{\"nodes\":[]}"   '{"nodes":[]}'      a string that contains the document
 *	{"id":1,"body":"{\"nodes\":[]}"}       such a string as a member of a reply
 *	log text\n main.js:9 {"nodes":[]}      the same, or the document alone, on a later line
 *	"\"{\\\"nodes\\\":[]}\""                a string within a string
 *
 * Blanks replace what does not belong to the document, and escapes in a string are decoded as the
 * text is read. All other texts pass unchanged. */
#ifndef FLAMETTY_BASE_QUOTED_H
#define FLAMETTY_BASE_QUOTED_H

#include "base/stream/byte_source.h"

#include <stdbool.h>
#include <stddef.h>

/* The bytes at the beginning of a text that decide. */
#define QUOTED_HEAD ((size_t)64 << 10)

/* Embedded; initialised by quoted_init(). For others to read, once text was read: where the
 * document begins, or its string; 0: at the beginning of the text. What the quotes of the string
 * are; 0: it is in no string. */
struct quoted {
	size_t n_before;
	char quote;

	struct byte_source from;
	bool is_begun, is_plain, is_end;
	bool is_passed;     /* what the source gives is given out */
	struct error err;   /* of the source; reported when the text before it was given out */
	unsigned char *raw; /* text that is not converted yet: [at, len) */
	size_t at, len;
	size_t n_copied;        /* bytes to give out as they are */
	size_t n_blank;         /* blanks to give out */
	unsigned char ready[6]; /* converted: [ready_at, n_ready) */
	size_t ready_at, n_ready;
	size_t n_open;        /* brackets around the string that are not closed yet */
	bool is_after;        /* the string has ended */
	bool in_string;       /* of the document, or of what is around it */
	bool is_escaped;      /* after a backslash in such a string */
	int level;            /* strings around the text */
	struct quoted *inner; /* takes the document out of what this one gives; NULL: no need */
};

/* Whether the text that begins with these bytes is changed. QUOTED_HEAD bytes are enough. */
bool quoted_is_needed(const void *head, size_t len);

static inline void quoted_init(struct quoted *q, struct byte_source from)
{
	*q = (struct quoted){ .from = from, .err = ERROR_INIT };
}

void quoted_done(struct quoted *q);

/* Read up to `size` bytes, size >= 4. Returns how many; 0 at the end; -1 and err when the source
 * fails. */
ptrdiff_t quoted_read(struct quoted *q, void *out, size_t size, struct error *err) MUST_USE;

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of a source file, with an index of its lines, and who can get one.
 *
 * Lines end as in JavaScript: with a line feed, a carriage return, both, or U+2028 and U+2029.
 * Columns count UTF-16 code units, as V8 and source maps do. */
#ifndef FLAMETTY_MODEL_SOURCE_TEXT_H
#define FLAMETTY_MODEL_SOURCE_TEXT_H

#include "base/buf.h"
#include "base/str.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum source_kind { SOURCE_PLAIN, SOURCE_COMMENT, SOURCE_STRING, SOURCE_KEYWORD };

/* Whether a byte can be in a name of JavaScript; all bytes of characters beyond ASCII can. */
static inline bool source_is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

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

size_t source_lex_next(struct source_lex *lex, const char *text, size_t at, size_t len,
		       enum source_kind *kind);

/* The largest text. */
#define SOURCE_TEXT_MAX ((size_t)64 << 20)

/* What the highlight needs to begin at a byte of the text. */
struct source_mark {
	uint32_t at;
	struct source_lex lex;
};

struct source_text {
	struct buf bytes; /* empty: there is no text */
	uint32_t *lines;  /* where each line begins */
	size_t n_lines, cap_lines;
	struct source_mark *marks; /* in their order; the first is at 0. NULL: no highlight */
	size_t n_marks, cap_marks;
	struct buf from; /* the path of the file, or what it was taken from; in visible form */
	struct buf said; /* without a text: why, a line for each place that was looked at */
	/* The path of a file that is there, and that is read only if the user allows it; empty:
	 * there is none. Of what is below the second one all could be allowed; empty: none. */
	struct buf ask, ask_below;
	bool is_found;
	/* The file was changed after the recording, which ended at this time: seconds since 1970 in
	 * the time zone of this machine. */
	bool is_newer;
	int64_t recorded_s;
};

static inline void source_text_done(struct source_text *text)
{
	buf_done(&text->bytes);
	buf_done(&text->from);
	buf_done(&text->said);
	buf_done(&text->ask);
	buf_done(&text->ask_below);
	free(text->lines);
	free(text->marks);
	*text = (struct source_text){ 0 };
}

/* Make the index of text->bytes, of at most SOURCE_TEXT_MAX bytes. has_highlight: it is
 * JavaScript. */
void source_text_index(struct source_text *text, bool has_highlight);

/* A line, counted from 0, without its end; empty for lines that the text does not have. */
struct str source_text_line(const struct source_text *text, size_t line);

/* The byte of a line, from its beginning on, at a column counted from 0: at most its length. */
size_t source_text_byte(struct str line, uint32_t column);

/* Read tokens from byte `from` of the text on. Call source_lex_next() with *lex from the result
 * on; tokens that end before `from` are to be ignored. Requires marks. */
size_t source_text_lex(const struct source_text *text, size_t from, struct source_lex *lex);

/* ---- who gets texts ---- */

/* What a text is wanted of. All borrowed. */
struct source_wanted {
	const char *url;    /* of the source, or of the script if that has no source map */
	const char *script; /* the script whose source map has the source; NULL: none */
	/* Where the profile itself has the map of that script: a file, what it was when it was
	 * loaded, and the byte of its text. NULL: it has none. */
	const char *map_path;
	const struct fingerprint *map_print;
	int64_t map_offset;
	const char *input; /* the path of the profile's file; NULL: it has none */
	bool has_date;     /* when the recording began is known by the name of that file: */
	bool is_utc;
	int64_t date_s;
	int64_t changed_s; /* when that file was changed; 0: not known */
	int64_t length_s;  /* of the recording */
	bool is_plain;     /* no highlight is needed */
};

/* The text that is wanted of a function, by a lane of input `input` (an index). False: it is of no
 * file. */
bool source_text_wanted(const struct profile *profile, frame_id frame, uint32_t input,
			struct source_wanted *wanted);

/* What the user says about a folder with files that are read only if the user allows it. */
enum source_answer {
	SOURCE_FILES, /* read the files in it */
	SOURCE_BELOW, /* read all below it, also at the next start */
	SOURCE_NEVER  /* read nothing below it, and do not ask again */
};

struct source_host {
	/* Get a text. NULL: it is still being read; ask again later. It belongs to the host, until
	 * forget() or, if more is asked for, a few texts later. is_found is false if there is none.
	 * NULL as a function: there are no texts. */
	const struct source_text *(*read)(void *ctx, const struct source_wanted *wanted);
	/* The texts that were asked for are not needed any more: their files may have changed when
	 * they are asked for again. */
	void (*forget)(void *ctx);
	void *ctx;
};

#endif

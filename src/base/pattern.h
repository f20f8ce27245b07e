/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A pattern that a user types: a Perl-compatible regular expression, or plain text. Case matters
 * only if the pattern has a capital letter. No pattern can hang the program: if a match takes too
 * long, or has to see more than 4 MiB of a text behind its start, the text counts as not
 * matching. */
#ifndef FLAMETTY_BASE_PATTERN_H
#define FLAMETTY_BASE_PATTERN_H

#include "base/budget.h"
#include "base/buf.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct pattern;

/* Append the name and version of the library that matches. */
void pattern_library(struct buf *out);

/* What a pattern for functions is about, by the word before it: name, url or package; for `file:`
 * the url, for `pkg:` the package, for `cat:` the event categories of slices, for `label:KEY=` the
 * values of a label of samples. For `arg:`, `url:` and `id:` it is about events, which are in the
 * file: only searches and filters of the interface know them; `url:` is as `file:`, too. For
 * `status:` and `trace:` it is about requests: their status, or the id of the trace they are of. */
enum pattern_subject {
	PATTERN_ANY,
	PATTERN_FILE,
	PATTERN_PACKAGE,
	PATTERN_CAT,
	PATTERN_LABEL,
	PATTERN_ARG,
	PATTERN_URL,
	PATTERN_ID,
	PATTERN_STATUS,
	PATTERN_TRACE
};

static inline bool pattern_is_of_events(enum pattern_subject subject)
{
	return subject >= PATTERN_ARG;
}

/* Whether such events must be read. */
static inline bool pattern_is_of_files(enum pattern_subject subject)
{
	return pattern_is_of_events(subject) && subject < PATTERN_STATUS;
}

#define PATTERN_LABEL_WORD "label:"

/* *skip: the length of that word; of a label, with its key and the first `=` behind it. Without
 * `=`, the pattern is empty: any value matches. A word with nothing behind it is a pattern itself,
 * but for labels. */
enum pattern_subject pattern_subject(const char *text, size_t len, size_t *skip);

/* The key in such a text about labels, with that *skip; the caller frees it. */
char *pattern_label_key(const char *text, size_t skip);

/* is_plain: the text is taken literally. Returns NULL with err set: kind ERR_SYNTAX; the offset is
 * the byte of the pattern where the error was found. */
struct pattern *pattern_new(const char *text, size_t len, bool is_plain,
			    struct error *err) MUST_USE;
void pattern_free(struct pattern *pattern);

/* Append a pattern that matches this text. */
void pattern_quote(const char *text, struct buf *out);

/* Whether `text` has a match; sets the bytes [*from, *end) of the first one. Both may be NULL.
 * Invalid UTF-8 counts as U+FFFD. */
bool pattern_find(struct pattern *pattern, const char *text, size_t len, size_t *from, size_t *end);

/* The same in steps, without the place: call it again with the same text while it is busy. The text
 * must stay until then, or until another text is given. Texts of a few kilobytes take one step. */
enum pattern_result { PATTERN_NO, PATTERN_YES, PATTERN_BUSY };
enum pattern_result pattern_look(struct pattern *pattern, const char *text, size_t len,
				 struct budget *budget);

/* Whether capitals count: the pattern has one itself. */
bool pattern_has_case(const struct pattern *pattern);

/* The number of texts on which matching was given up. */
size_t pattern_failures(const struct pattern *pattern);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The skeleton of readers of JSON files. A file holds documents: one object, an array of objects,
 * objects one after another, or items of an envelope of Sentry. A reader describes what it does
 * with one document; the skeleton walks the file and follows the same rules for all formats:
 *
 * 1. Of a member that comes twice, the last one counts. A function `read` empties what the first
 *    one filled; a list is emptied by the skeleton.
 * 2. Where the file is cut off, the document is kept if is_usable() says so, with WARN_CUT_OFF.
 * 3. Once one document is good, what follows cannot make the file fail: a later document that is
 *    damaged or of another kind is a warning. Errors of reading and limits still fail.
 * 4. Text after the documents is skipped, with WARN_TRAILING.
 * 5. Members of wrapper objects (outline.h) count as the document's own.
 *
 * The errors of a reader go to *documents.err. It points to the caller's error, except while the
 * skeleton reads what may fail (rule 3). */
#ifndef FLAMETTY_READ_DOCUMENTS_H
#define FLAMETTY_READ_DOCUMENTS_H

#include "base/intern.h"
#include "read/reader.h"

#include <stdbool.h>
#include <stdint.h>

#define DOCUMENTS_WRAPPER_DEPTH 8 /* objects around a document */

/* A function of the reader; ctx is documents.ctx. False: failed, with the error set. */
typedef bool document_fn(void *ctx);

/* A member of the document: one value, or a list of which each element is read in the same way. The
 * functions are called with the scanner before the value or element, of any kind, and pass it. */
struct document_member {
	const char *name;
	char open; /* the value must begin with it, or counts as that of another member; 0: any */
	document_fn *read;    /* of one value; NULL: it is a list */
	document_fn *element; /* of a list; a value that is no list is skipped */

	/* Of a list: offsetof() in what ctx points to. */
	size_t n;           /* a size_t: the skeleton sets it to 0 before each document and list;
			       `element` counts there what it keeps */
	size_t is_complete; /* a bool: the list was read to its end. 0: not wanted */
};

struct documents {
	struct scan *s;
	struct builder *b;  /* that is told of warnings; NULL: the file was read before */
	struct error **err; /* where the reader, too, finds the error that it sets */
	void *ctx;

	const char *noun; /* what one document is, for error messages: "profile" */
	/* The members that are read, ended by a row without a name. */
	const struct document_member *members;
	/* Pass the value of any other member. NULL: it is skipped. */
	bool (*other)(void *ctx, struct str key);
	/* Whether the document was found, so that further wrappers are not followed. NULL: all
	 * wrappers are followed. */
	bool (*is_found)(void *ctx);
	/* Forget the previous document. NULL: there is nothing to forget. */
	void (*begin)(void *ctx);
	/* The file ends within the document: whether what was read of it is worth keeping. NULL: it
	 * is if a list of `members` has elements. */
	bool (*is_usable)(void *ctx);
	const int64_t *good_end; /* where the file counts as cut off then; NULL: where it ends */
	/* Make lanes of the document that begins at `offset`. NULL: the reader does so after the
	 * last one. */
	bool (*finish)(void *ctx, int64_t offset);
	/* The document failed: drop what the builder has of it. NULL: there is nothing to drop. */
	void (*drop)(void *ctx);

	/* If set, an array is not a list of documents but one document, which this reads from the
	 * byte after its bracket on. is_bare: the file has its elements without the brackets. */
	bool (*list)(void *ctx, bool is_bare);
	bool is_bare;
	/* Documents after the first one continue it, and are no reason for a warning. */
	bool is_joined;
};

/* Read the whole file. */
bool documents_read(const struct documents *d);

/* Read the document at the scanner, and nothing behind it. False: it failed, with the error set. */
bool documents_read_one(const struct documents *d);

/* ---- sentry envelope ----
 *
 * The form in which Sentry sends files: lines with the header of an item, each before its item. */

/* Whether a text that begins so is an envelope. */
bool sentry_envelope_is(const struct outline *o);

/* Read the envelope at the scanner, each profile as one document of `d`. problem: why the first
 * profile failed that did, unless it has an error already. False, with *d->err set: reading cannot
 * go on. */
bool sentry_envelope_read(const struct documents *d, struct error *problem);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Errors as values. A function that can fail returns bool (or NULL) and fills the struct error of
 * its caller, which is its last parameter. A struct keeps the first error that it gets. */
#ifndef FLAMETTY_BASE_ERROR_H
#define FLAMETTY_BASE_ERROR_H

#include <stdbool.h>
#include <stdint.h>

enum error_kind {
	ERR_NONE,
	ERR_IO,        /* the system reported an error */
	ERR_SYNTAX,    /* the bytes are not JSON, or the JSON is cut off */
	ERR_UNKNOWN,   /* no reader recognises the format */
	ERR_FORMAT,    /* valid JSON, but not a usable profile */
	ERR_LIMIT,     /* too large, too deep */
	ERR_CANCELLED, /* the user asked to stop */
	ERR_USAGE,     /* an option that makes no sense for this profile */
	ERR_NOTHING    /* nothing in the profile is what was asked for */
};

struct error {
	enum error_kind kind;
	int64_t offset; /* byte in the uncompressed stream; -1: none */
	char text[512];
};

#define ERROR_INIT                                                                                 \
	{                                                                                          \
		.kind = ERR_NONE, .offset = -1                                                     \
	}

#if defined(__GNUC__)
#define ERROR_PRINTF(f, a) __attribute__((format(printf, f, a)))
/* For a function whose result its caller must check. Functions that are called in a row, with one
 * check of the error at the end, do not have it. */
#define MUST_USE __attribute__((warn_unused_result))
#else
#define ERROR_PRINTF(f, a)
#define MUST_USE
#endif

/* Fill `err` unless it already holds an error. offset: as in struct error. Always returns false,
 * for `return error_set(...)`. */
bool error_set(struct error *err, enum error_kind kind, int64_t offset, const char *format, ...)
	ERROR_PRINTF(4, 5);

/* Like error_set(), with ERR_IO and the system's description of `errnum` after the text.
 * ERROR_SANDBOX: it is the sandbox that forbids this. */
#define ERROR_SANDBOX (-1)
bool error_errno(struct error *err, int errnum, const char *format, ...) ERROR_PRINTF(3, 4);

#endif

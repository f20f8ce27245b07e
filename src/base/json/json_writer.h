/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes JSON into a buffer, which may be that of a sink. The writer sets commas, colons, quotation
 * marks and escapes. The caller names items, in their order: where objects and lists begin and end,
 * and the values between:
 *
 *     json_put(w, json_begin("place", "{"), json_string("url", url),
 *              json_if(line, json_integer("line", line)), json_end("}"));
 *
 * Items with a value take its key: NULL in a list and for the outermost value. Keys are written as
 * they are. Texts are borrowed until they are written. */
#ifndef FLAMETTY_BASE_JSON_JSON_WRITER_H
#define FLAMETTY_BASE_JSON_JSON_WRITER_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct json_writer {
	struct buf *out; /* borrowed */
	bool has_blanks; /* a blank after each comma and colon */
	bool is_later;   /* the next member or element follows another one; kept by the writer */
};

/* In this order: no value, plain text, others. */
enum json_kind {
	JSON_ITEM_NOTHING,
	JSON_ITEM_LINE,
	JSON_ITEM_BEGIN,
	JSON_ITEM_END,
	JSON_ITEM_COPY,
	JSON_ITEM_TEXT,
	JSON_ITEM_INTEGER,
	JSON_ITEM_US,
	JSON_ITEM_NUMBER,
	JSON_ITEM_DECIMALS
};

struct json_item {
	enum json_kind kind;
	int digits;                /* of a number; blanks of a line */
	const char *key, *key_end; /* key_end: NULL, or what follows in the key */
	size_t key_len;
	union {
		struct {
			const char *text;
			size_t len;
		};
		int64_t integer;
		double number;
	};
};

/* Write items in their order. */
#define json_put(w, ...)                                                                           \
	json_put_items(w, (const struct json_item[]){ __VA_ARGS__ },                               \
		       sizeof((const struct json_item[]){ __VA_ARGS__ }) /                         \
			       sizeof(struct json_item))

void json_put_items(struct json_writer *w, const struct json_item *items, size_t n);

/* For the functions below, which make items. */
#define JSON_KEY(text) .key = (text), .key_len = (text) ? strlen(text) : 0

/* A value that is JSON already: null, true, a number, an object. */
static inline struct json_item json_copy(const char *key, const char *value, size_t len)
{
	return (struct json_item){ JSON_ITEM_COPY, JSON_KEY(key), .text = value, .len = len };
}

static inline struct json_item json_raw(const char *key, const char *value)
{
	return json_copy(key, value, strlen(value));
}

/* A list or an object begins; open: "[" or "{". It ends; close: "]", "}", or several brackets, the
 * innermost first. Both may have blanks. */
static inline struct json_item json_begin(const char *key, const char *open)
{
	return (struct json_item){ JSON_ITEM_BEGIN, JSON_KEY(key), .text = open,
				   .len = strlen(open) };
}

static inline struct json_item json_end(const char *close)
{
	return (struct json_item){ JSON_ITEM_END, .text = close, .len = strlen(close) };
}

/* A line begins in front of the next member or element, with `indent` blanks. */
static inline struct json_item json_line(int indent)
{
	return (struct json_item){ JSON_ITEM_LINE, .digits = indent };
}

/* A text of any bytes, which text_json() escapes. json_string(): NULL is written as null. */
static inline struct json_item json_text(const char *key, const char *text, size_t len)
{
	return (struct json_item){ JSON_ITEM_TEXT, JSON_KEY(key), .text = text, .len = len };
}

static inline struct json_item json_string(const char *key, const char *text)
{
	return text ? json_text(key, text, strlen(text)) : json_raw(key, "null");
}

static inline struct json_item json_boolean(const char *key, bool is)
{
	return json_raw(key, is ? "true" : "false");
}

/* A whole number. json_known(): null if it is not known. json_us(): nanoseconds, in microseconds
 * with a fraction of three digits unless that is 0. */
static inline struct json_item json_integer(const char *key, int64_t value)
{
	return (struct json_item){ JSON_ITEM_INTEGER, JSON_KEY(key), .integer = value };
}

static inline struct json_item json_known(const char *key, int64_t value, bool is_known)
{
	return is_known ? json_integer(key, value) : json_raw(key, "null");
}

static inline struct json_item json_us(const char *key, int64_t ns)
{
	return (struct json_item){ JSON_ITEM_US, JSON_KEY(key), .integer = ns };
}

/* The item if the condition holds. */
static inline struct json_item json_if(bool holds, struct json_item item)
{
	return holds ? item : (struct json_item){ 0 };
}

/* A number: its first digits, as %g prints them, or null for NAN; with decimals, as %f. */
static inline struct json_item json_number(const char *key, double value, int digits)
{
	return (struct json_item){ JSON_ITEM_NUMBER, digits, JSON_KEY(key), .number = value };
}

static inline struct json_item json_decimals(const char *key, double value, int decimals)
{
	return (struct json_item){ JSON_ITEM_DECIMALS, decimals, JSON_KEY(key), .number = value };
}

#endif

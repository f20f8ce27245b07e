/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small pieces of JSON through json-c: one string, one flat object at a time. */
#ifndef FLAMETTY_JSON_JSON_TEXT_H
#define FLAMETTY_JSON_JSON_TEXT_H

#include "base/buf.h"

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

/* Deepest nesting of what is given to json-c. */
#define JSON_TEXT_DEPTH 64

/* Append the text of the string `raw` (with its quotes) to `out`. False when it is not
 * valid JSON. */
bool json_text_decode(const char *raw, size_t len, struct buf *out);

/* Parse one complete value. Returns NULL, with *bad_at the offset in `raw`, when it is not
 * valid; *why is static text. The value "null" gives NULL with *why NULL. The
 * result is to be put with json_object_put(). tok is reused from call to call. */
struct json_object *json_text_parse(struct json_tokener *tok, const char *raw, size_t len,
				    size_t *bad_at, const char **why);

/* Text of a member that is a string or number; false for any other. Borrowed from
 * the object. */
bool json_text_member(struct json_object *object, const char *key, const char **text, size_t *len);

/* A member that is a number, or a string that holds one, cut to a whole number. */
bool json_text_integer(struct json_object *object, const char *key, int64_t *value);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small pieces of JSON parsed by json-c: one string or one flat object at a time. */
#ifndef FLAMETTY_JSON_JSON_TEXT_H
#define FLAMETTY_JSON_JSON_TEXT_H

#include "base/buf.h"

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

/* Deepest nesting that json-c may see. */
#define JSON_TEXT_DEPTH 64

/* Append the text of the string `raw`, which includes its quotes, to `out`. Returns false when it
 * is not valid JSON. */
bool json_text_decode(const char *raw, size_t len, struct buf *out);

/* Parse one complete value. Returns NULL when it is not valid JSON: then *why is static text and
 * *bad_at the offset in `raw`. The value "null" also gives NULL, with *why NULL. The caller
 * releases the result with json_object_put(). tok is reused from call to call. */
struct json_object *json_text_parse(struct json_tokener *tok, const char *raw, size_t len,
				    size_t *bad_at, const char **why);

/* Get the text of a member that is a string or a number. Returns false for any other value. The
 * text is borrowed from the object. */
bool json_text_member(struct json_object *object, const char *key, const char **text, size_t *len);

/* Get a member that is a number, or a string that contains one, truncated to a whole number.
 * Returns false for any other value. */
bool json_text_integer(struct json_object *object, const char *key, int64_t *value);

#endif

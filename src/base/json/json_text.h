/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values parsed by json-c, which can also print them. */
#ifndef FLAMETTY_JSON_JSON_TEXT_H
#define FLAMETTY_JSON_JSON_TEXT_H

#include "base/buf.h"

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

/* Deepest nesting that json-c may see. */
#define JSON_TEXT_DEPTH 64

/* The version of json-c. Static. */
const char *json_text_library(void);

/* Parse one complete value. Returns NULL when it is not valid JSON: then *why is static text and
 * *bad_at the offset in `raw`. The value "null" also gives NULL, with *why NULL. The caller
 * releases the result with json_object_put(). tok is reused from call to call. */
struct json_object *json_text_parse(struct json_tokener *tok, const char *raw, size_t len,
				    size_t *bad_at, const char **why);

#endif

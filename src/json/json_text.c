/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pitfalls of json-c that are handled here: a number at the end of the input is "not finished"
 * until a NUL follows; NULL is the value null as well as a failure; the length is an int. */
#include "config.h"

#include "json/json_text.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct json_object *json_text_parse(struct json_tokener *tok, const char *raw, size_t len,
				    size_t *bad_at, const char **why)
{
	struct json_object *o;
	enum json_tokener_error e;

	*why = NULL;
	*bad_at = 0;
	if (len > INT_MAX) {
		*why = "value too large";
		return NULL;
	}
	json_tokener_reset(tok);
	o = json_tokener_parse_ex(tok, raw, (int)len);
	e = json_tokener_get_error(tok);
	if (e == json_tokener_continue) {
		o = json_tokener_parse_ex(tok, "", 1);
		e = json_tokener_get_error(tok);
	}
	if (e != json_tokener_success) {
		*why = json_tokener_error_desc(e);
		*bad_at = json_tokener_get_parse_end(tok) < len ? json_tokener_get_parse_end(tok)
								: len;
	}
	return o;
}

bool json_text_decode(const char *raw, size_t len, struct buf *out)
{
	struct json_tokener *tok = json_tokener_new_ex(JSON_TEXT_DEPTH);
	struct json_object *o;
	const char *why;
	size_t bad_at;

	o = json_text_parse(tok, raw, len, &bad_at, &why);
	if (!why && o)
		buf_add(out, json_object_get_string(o), (size_t)json_object_get_string_len(o));
	json_object_put(o);
	json_tokener_free(tok);
	return !why;
}

bool json_text_member(struct json_object *object, const char *key, const char **text, size_t *len)
{
	struct json_object *o;

	*text = "";
	*len = 0;
	if (!json_object_object_get_ex(object, key, &o))
		return false;
	if (json_object_is_type(o, json_type_string)) {
		*text = json_object_get_string(o);
		*len = (size_t)json_object_get_string_len(o);
		return true;
	}
	if (json_object_is_type(o, json_type_int) || json_object_is_type(o, json_type_double)) {
		*text = json_object_get_string(o);
		*len = strlen(*text);
		return true;
	}
	return false;
}

bool json_text_integer(struct json_object *object, const char *key, int64_t *value)
{
	struct json_object *o;
	const char *text;
	char *end;
	double v;

	if (!json_object_object_get_ex(object, key, &o))
		return false;
	if (json_object_is_type(o, json_type_int)) {
		*value = json_object_get_int64(o);
		return true;
	}
	if (json_object_is_type(o, json_type_double)) {
		v = json_object_get_double(o);
	} else if (json_object_is_type(o, json_type_string)) {
		text = json_object_get_string(o);
		v = strtod(text, &end);
		if (end == text || *end)
			return false;
	} else {
		return false;
	}
	if (!isfinite(v) || fabs(v) > 9e18)
		return false;
	*value = (int64_t)v;
	return true;
}

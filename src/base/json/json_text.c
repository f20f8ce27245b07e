/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pitfalls of json-c that are handled here: a number at the end of the input is "not finished"
 * until a NUL follows; NULL is the value null as well as a failure; the length is an int. */
#include "config.h"

#include "base/json/json_text.h"

#include <limits.h>
#include <string.h>

/* Whether the value is written as null, after blanks. */
static bool is_null(const char *raw, size_t len)
{
	while (len > 0 && *raw && strchr(" \t\r\n", *raw)) {
		raw++;
		len--;
	}
	/* json-c takes the word in capitals, too. */
	return len > 0 && (*raw == 'n' || *raw == 'N');
}

const char *json_text_library(void)
{
	return json_c_version();
}

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
	/* Versions before 0.17 call this a success. */
	if (e == json_tokener_success && !o && !is_null(raw, len)) {
		*why = "no memory";
	} else if (e != json_tokener_success) {
		*why = json_tokener_error_desc(e);
		*bad_at = json_tokener_get_parse_end(tok) < len ? json_tokener_get_parse_end(tok)
								: len;
	}
	return o;
}

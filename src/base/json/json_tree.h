/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small pieces of JSON as trees: one string, or one value such as a call frame or the `args` of an
 * event. What documents hold by the million is read by scan.h and cursor.h instead.
 *
 * A struct json_tree owns the values of the text that was parsed last. */
#ifndef FLAMETTY_JSON_JSON_TREE_H
#define FLAMETTY_JSON_JSON_TREE_H

#include "base/buf.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Deepest nesting of values. */
#define JSON_TREE_DEPTH 64

enum json_tree_type { JSON_NULL, JSON_BOOLEAN, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

struct json_value {
	enum json_tree_type type;
	struct str key; /* of a member of an object: decoded */
	struct str
		text; /* of a string: decoded; of a number or boolean: as written; NUL-terminated */
	const struct json_value
		*first; /* of an array or object: the first value in it; NULL: none */
	const struct json_value *next; /* in the same array or object */
};

/* A zeroed struct is empty. */
struct json_tree {
	char *text;
	size_t cap_text;
	struct json_value *values;
	size_t n, cap;
};

void json_tree_done(struct json_tree *tree);

/* Parse one complete value. Returns NULL when the text is not valid JSON: then *why is static text
 * and *bad_at the offset in `raw`. The result is valid until the tree parses another text. */
const struct json_value *json_tree_parse(struct json_tree *tree, struct str raw, size_t *bad_at,
					 const char **why);

/* The member of an object; of two with one name, the last. NULL: there is none, or `object` is NULL
 * or no object. json_tree_member() wants a value of this type, too. */
const struct json_value *json_tree_find(const struct json_value *object, const char *name);
const struct json_value *json_tree_member(const struct json_value *object, const char *name,
					  enum json_tree_type type);

/* Get the text of a member that is a string or a number. Returns false for any other value; then
 * *text is "". The text is borrowed from the tree. */
bool json_tree_text(const struct json_value *object, const char *name, const char **text,
		    size_t *len);

/* Get a number, or a string that contains one, truncated to a whole number. Returns false for any
 * other value, and for NULL. json_tree_integer() gets that of a member. */
bool json_tree_is_integer(const struct json_value *v, int64_t *value);
bool json_tree_integer(const struct json_value *object, const char *name, int64_t *value);

/* Append the text of the string `raw`, which includes its quotes, to `out`. Returns false when it
 * has an escape that JSON does not know. */
bool json_tree_decode(const char *raw, size_t len, struct buf *out);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of JSON documents, read with the scanner: texts, indices, positions, objects by their
 * members, arrays by their elements. For formats that are small enough to be read one value at a
 * time.
 *
 * All functions pass exactly one value, of whatever type it is. They return false when the document
 * cannot be read on; the scanner's error then says why. A value of an unexpected type is no
 * failure: it is passed, and the result says that it was not usable. */
#ifndef FLAMETTY_BASE_JSON_JSON_READ_H
#define FLAMETTY_BASE_JSON_JSON_READ_H

#include "base/buf.h"
#include "base/intern.h"
#include "base/json/scan.h"
#include "base/str.h"

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The longest text that is read, with its quotes. */
#define JSON_READ_TEXT_MAX ((size_t)256 << 20)

/* What json_read_index() gives where the document states no index. */
enum { JSON_INDEX_ABSENT = -1, JSON_INDEX_BAD = -2 };

/* Read a string into `texts`. *id: 0, the empty text, for a value that is no string or has an
 * invalid escape. Fails with ERR_LIMIT when the string is longer than JSON_READ_TEXT_MAX. */
bool json_read_text(struct scan *s, struct intern *texts, str_id *id);

/* Read a whole number that is not negative, as a number or in quotes. *index: JSON_INDEX_BAD for
 * any other value. */
bool json_read_index(struct scan *s, int64_t *index);

/* Read a line or column number, which count from 1. *position: 0 for any other value. */
bool json_read_position(struct scan *s, int64_t *position);

/* Read an id, which is a text or a number; 7 and "7" are equal. *id: 0 for any other value. */
bool json_read_id(struct scan *s, struct intern *texts, str_id *id);

struct json_read_number {
	int64_t offset; /* in the document */
	int64_t value;  /* times 10^scale; 0 when it is not usable */
	bool is_usable; /* a number, or a string that holds one, within the limit */
	bool is_text;   /* it stood in quotes */
};

/* Read a number times 10^scale, 0 <= scale <= 9, of at most `limit` on either side of 0. */
bool json_read_number(struct scan *s, int scale, int64_t limit, struct json_read_number *number);

/* Called by json_read_object() in front of the value of a member, and by json_read_list() in front
 * of an element; must pass it. Returns false when reading must not go on: then it has set the
 * scanner's error. key: valid until the scanner is used. */
typedef bool json_read_member(void *ctx, struct str key);

typedef bool json_read_element(void *ctx);

/* Call `member` for each member of an object. Any other value is skipped. */
bool json_read_object(struct scan *s, json_read_member *member, void *ctx);

/* Call `element` for each element of an array. Any other value is skipped. */
bool json_read_list(struct scan *s, json_read_element *element, void *ctx);

/* ---- objects as structs ---- */

enum json_field_kind {
	JSON_FIELD_TEXT,     /* str_id, by json_read_text() */
	JSON_FIELD_ID,       /* str_id, by json_read_id() */
	JSON_FIELD_INDEX,    /* int64_t, by json_read_index() */
	JSON_FIELD_POSITION, /* int64_t, by json_read_position() */
	JSON_FIELD_FLAG,     /* char: 't' or 'f', as it begins; 0: it is neither */
	JSON_FIELD_NUMBER,   /* struct json_read_number, of at most JSON_FIELD_LIMIT */
	JSON_FIELD_US = JSON_FIELD_NUMBER + 3, /* the same, times 1,000, */
	JSON_FIELD_MS = JSON_FIELD_NUMBER + 6  /* and times 1,000,000 */
};

#define JSON_FIELD_LIMIT (INT64_MAX / 4)

/* A member of an object, and the place in a struct where its value goes. */
struct json_field {
	const char *name;
	enum json_field_kind kind;
	size_t offset; /* offsetof() */
};

/* Read an object into the struct at `out`, by a table of n fields. The caller fills the struct with
 * the values of members that are absent. Of a member that comes twice, the last one counts. Other
 * members are skipped, and so is any other value. texts: for JSON_FIELD_TEXT. */
bool json_read_fields(struct scan *s, const struct json_field *fields, size_t n,
		      struct intern *texts, void *out);

/* Deepest nesting of values. */
#define JSON_TREE_DEPTH 64

enum json_tree_type { JSON_NULL, JSON_BOOLEAN, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

struct json_value {
	enum json_tree_type type;
	struct str key; /* of a member of an object: decoded */
	/* Of a string: decoded; of a number or boolean: as written; NUL-terminated. */
	struct str text;
	/* Of an array or object: the first value in it; NULL: none. */
	const struct json_value *first;
	const struct json_value *next; /* in the same array or object */
};

/* A zeroed struct is empty. */
struct json_tree {
	char *text;
	size_t cap_text;
	struct json_value *values;
	size_t n, cap;
};

static inline void json_tree_done(struct json_tree *tree)
{
	free(tree->text);
	free(tree->values);
	*tree = (struct json_tree){ 0 };
}

/* Parse one complete value. Returns NULL when the text is not valid JSON: then *why is static text
 * and *bad_at the offset in `raw`. The result is valid until the tree parses another text. */
const struct json_value *json_tree_parse(struct json_tree *tree, struct str raw, size_t *bad_at,
					 const char **why);

/* The member of an object; of two with one name, the last. NULL: there is none, or `object` is NULL
 * or no object. json_tree_member() wants a value of this type, too. */
const struct json_value *json_tree_find(const struct json_value *object, const char *name);

static inline const struct json_value *json_tree_member(const struct json_value *object,
							const char *name, enum json_tree_type type)
{
	const struct json_value *v = json_tree_find(object, name);

	return v && v->type == type ? v : NULL;
}

/* Get the text of a member that is a string or a number. Returns false for any other value; then
 * *text is "". The text is borrowed from the tree. */
bool json_tree_text(const struct json_value *object, const char *name, const char **text,
		    size_t *len);

/* Get a number, or a string that contains one, truncated to a whole number. Returns false for any
 * other value, and for NULL. json_tree_integer() gets that of a member. */
bool json_tree_is_integer(const struct json_value *v, int64_t *value);

static inline bool json_tree_integer(const struct json_value *object, const char *name,
				     int64_t *value)
{
	return json_tree_is_integer(json_tree_find(object, name), value);
}

/* Append the text of the string `raw`, which includes its quotes, to `out`. Returns false when it
 * has an escape that JSON does not know. */
bool json_tree_decode(const char *raw, size_t len, struct buf *out);

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

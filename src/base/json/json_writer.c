/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One bit is all that must be known of the nesting: whether the next member or element follows
 * another one. It is false after a bracket that opens, and at the beginning of a line, whose comma
 * is written already; it is true after any value, so also after a bracket that closes.
 *
 * Digits are made by hand: an export writes millions of numbers, and printf() is slower. */
#include "config.h"

#include "base/json/json_writer.h"

#include "base/alloc.h"
#include "base/text.h"

#include <math.h>

/* ==== json ==== */

#define NUMBER_MAX 32 /* bytes of a whole number, its fraction, and the punctuation around it */

/* Room for `len` bytes at the end of a buffer. */
static char *room(struct buf *b, size_t len)
{
	if (b->cap - b->len <= len)
		b->data = xgrow(b->data, &b->cap, b->len + len + 1, 1);
	return b->data + b->len;
}

/* The text ends at `end`, in that room. */
static void end_at(struct buf *b, char *end)
{
	b->len = (size_t)(end - b->data);
	*end = '\0';
}

static char *put(char *at, const char *text, size_t len)
{
	memcpy(at, text, len);
	return at + len;
}

static char *put_integer(char *at, int64_t value)
{
	char digits[20];
	size_t from = sizeof digits;
	uint64_t rest = value < 0 ? (uint64_t)0 - (uint64_t)value : (uint64_t)value;

	if (value < 0)
		*at++ = '-';
	do
		digits[--from] = (char)('0' + rest % 10);
	while ((rest /= 10) > 0);
	return put(at, digits + from, sizeof digits - from);
}

static char *put_us(char *at, int64_t ns)
{
	int rest = (int)(ns % 1000) * (ns < 0 ? -1 : 1);

	if (ns < 0 && ns > -1000)
		*at++ = '-';
	at = put_integer(at, ns / 1000);
	if (rest == 0)
		return at;
	*at++ = '.';
	*at++ = (char)('0' + rest / 100);
	*at++ = (char)('0' + rest / 10 % 10);
	*at++ = (char)('0' + rest % 10);
	return at;
}

/* The comma and the key of an item that has them. */
static char *put_key(const struct json_writer *w, const struct json_item *item, char *at)
{
	if (w->is_later) {
		*at++ = ',';
		if (w->has_blanks)
			*at++ = ' ';
	}
	if (!item->key)
		return at;
	*at++ = '"';
	at = put(at, item->key, item->key_len);
	if (item->key_end)
		at = put(at, item->key_end, strlen(item->key_end));
	*at++ = '"';
	*at++ = ':';
	if (w->has_blanks)
		*at++ = ' ';
	return at;
}

static void put_item(struct json_writer *w, const struct json_item *item)
{
	struct buf *out = w->out;
	bool is_plain = item->kind <= JSON_ITEM_COPY;
	char *at = room(out,
			item->key_len + (item->key_end ? strlen(item->key_end) : 0) +
				(is_plain ? item->len : 0) + NUMBER_MAX);

	if (item->kind != JSON_ITEM_END)
		at = put_key(w, item, at);
	w->is_later = item->kind != JSON_ITEM_BEGIN;
	if (is_plain)
		at = put(at, item->text, item->len);
	else if (item->kind == JSON_ITEM_INTEGER)
		at = put_integer(at, item->integer);
	else if (item->kind == JSON_ITEM_US)
		at = put_us(at, item->integer);
	else if (item->kind == JSON_ITEM_TEXT)
		*at++ = '"';
	end_at(out, at);
	if (item->kind == JSON_ITEM_TEXT) {
		text_json(out, item->text, item->len);
		buf_addc(out, '"');
	} else if (item->kind == JSON_ITEM_NUMBER && isnan(item->number)) {
		buf_adds(out, "null");
	} else if (item->kind == JSON_ITEM_NUMBER) {
		buf_addf(out, "%.*g", item->digits, item->number);
	} else if (item->kind == JSON_ITEM_DECIMALS) {
		buf_addf(out, "%.*f", item->digits, item->number);
	}
}

void json_put_items(struct json_writer *w, const struct json_item *items, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (items[i].kind > JSON_ITEM_LINE) {
			put_item(w, &items[i]);
		} else if (items[i].kind == JSON_ITEM_LINE) {
			size_t indent = (size_t)items[i].digits;
			char *at = room(w->out, indent + 2);

			at = w->is_later ? put(at, ",\n", 2) : put(at, "\n", 1);
			memset(at, ' ', indent);
			end_at(w->out, at + indent);
			w->is_later = false;
		}
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "text_out.h"

#include <string.h>

#define DIGITS 20u

void text_open(struct text_out *out, const char *path)
{
	out->file = fopen(path, "wb");
	out->bytes = 0;
	out->n = 0;
}

static void flush(struct text_out *out)
{
	if (out->file)
		fwrite(out->data, 1, out->n, out->file);
	out->n = 0;
}

bool text_close(struct text_out *out)
{
	bool ok;

	if (!out->file)
		return false;
	flush(out);
	ok = !ferror(out->file);
	return fclose(out->file) == 0 && ok;
}

static void put(struct text_out *out, const char *text, size_t len)
{
	if (out->n + len > sizeof out->data)
		flush(out);
	memcpy(out->data + out->n, text, len);
	out->n += len;
	out->bytes += len;
}

void text_put(struct text_out *out, const char *text)
{
	put(out, text, strlen(text));
}

void text_number(struct text_out *out, uint64_t number)
{
	char digits[DIGITS];
	size_t at = DIGITS;

	do {
		digits[--at] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	put(out, digits + at, DIGITS - at);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/file_key.h"

#include "base/alloc.h"

#include <stdbool.h>
#include <string.h>

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Whether text is a version, `1.2.3` and what follows it. */
static bool is_version(const char *p, size_t n)
{
	int dots = 0;

	if (n == 0 || !is_digit(*p))
		return false;
	for (size_t i = 0; i < n && (is_digit(p[i]) || p[i] == '.'); i++)
		dots += p[i] == '.' && i + 1 < n && is_digit(p[i + 1]);
	return dots >= 2;
}

/* A directory, or the name of a package: up to the @ of a version, and with a * for a version at
 * its end, as in `app-1.4.0` or `v1.4.0`. */
static void add_segment(const char *p, size_t n, struct buf *out)
{
	for (size_t i = 0; i < n; i++) {
		bool is_begin = i == 0 || strchr("-_", p[i - 1]) ||
			(p[i - 1] == 'v' && (i == 1 || strchr("-_", p[i - 2])));
		bool is_at = i > 0 && i + 1 < n && p[i] == '@' &&
			(is_digit(p[i + 1]) || strchr("^~=v", p[i + 1]));

		if (is_begin && is_version(p + i, n - i)) {
			buf_add(out, p, i);
			buf_addc(out, '*');
			return;
		}
		if (is_at || (i > 0 && n - i > 5 && memcmp(p + i, "-npm-", 5) == 0)) {
			n = i;
			break;
		}
	}
	buf_add(out, p, n);
}

/* Whether a part of a file's name is a hash of its content: at least six characters, with a digit,
 * hexadecimal or of both cases. */
static bool is_hash(const char *p, size_t n)
{
	size_t n_digits = 0, n_upper = 0, n_lower = 0, n_hex = 0;

	for (size_t i = 0; i < n; i++) {
		n_digits += is_digit(p[i]);
		n_upper += p[i] >= 'A' && p[i] <= 'Z';
		n_lower += p[i] >= 'a' && p[i] <= 'z';
		n_hex += is_digit(p[i]) || (p[i] >= 'a' && p[i] <= 'f');
	}
	return n >= 6 && n_digits > 0 && n_digits < n &&
		(n_hex == n || (n_upper > 0 && n_lower > 0));
}

/* The name of a file, with a * for each hash in it. */
static void add_file(const char *p, size_t n, struct buf *out)
{
	size_t i = 0;

	while (i < n) {
		size_t k = i;

		while (k < n && is_word(p[k]))
			k++;
		/* The first part is the name itself. */
		if (i > 0 && (p[i - 1] == '-' || p[i - 1] == '.') && is_hash(p + i, k - i))
			buf_addc(out, '*');
		else
			buf_add(out, p + i, k - i);
		if (k < n)
			buf_addc(out, p[k++]);
		i = k;
	}
}

/* The text behind scheme and host, where these say only which machine has the file. */
static const char *skip_host(const char *url)
{
	static const char *const schemes[] = { "file://", "http://", "https://" };

	for (size_t i = 0; i < ARRAY_LEN(schemes); i++) {
		size_t n = strlen(schemes[i]);

		if (strncmp(url, schemes[i], n) == 0)
			return url + n + strcspn(url + n, "/");
	}
	return url;
}

void file_key_add(const char *url, struct buf *out)
{
	const char *p = skip_host(url), *end = p + strcspn(p, "?#");

	while (p < end) {
		size_t n = 0;

		while (p + n < end && p[n] != '/' && p[n] != '\\')
			n++;
		if (p + n == end) {
			add_file(p, n, out);
			break;
		}
		add_segment(p, n, out);
		buf_addc(out, '/');
		p += n + 1;
	}
}

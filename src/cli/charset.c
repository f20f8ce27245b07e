/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ssh passes the names of locales on to servers that lack them, and small systems have no locales
 * at all: the name says what the terminal can show, whether or not the server knows more about it.
 */
#include "config.h"

#include "cli/charset.h"

#include "base/alloc.h"

#include <langinfo.h>
#include <locale.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *wanted_locale(void)
{
	static const char *const variables[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < ARRAY_LEN(variables); i++) {
		const char *value = getenv(variables[i]);

		if (value && *value)
			return value;
	}
	return "C";
}

/* The character set in `de_DE.UTF-8@euro` and in `UTF-8`, which macOS uses; NULL: the name tells
 * none. */
static const char *charset_of(const char *locale, size_t *len)
{
	const char *dot = strchr(locale, '.');
	const char *from = dot ? dot + 1 : locale;

	*len = strcspn(from, "@");
	if (!dot && strncasecmp(from, "utf", 3) != 0)
		return NULL;
	return from;
}

static bool is_utf8(const char *charset, size_t len)
{
	return (len == 5 && strncasecmp(charset, "utf-8", len) == 0) ||
		(len == 4 && strncasecmp(charset, "utf8", len) == 0);
}

static bool has_utf8(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

static enum charset find_other(void)
{
	static const char *const others[] = { "C.UTF-8", "C.utf8", "en_US.UTF-8" };

	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		if (setlocale(LC_CTYPE, others[i]) && has_utf8())
			return CHARSET_UTF8;
	setlocale(LC_CTYPE, "C");
	return CHARSET_OWN_UTF8;
}

enum charset charset_set_locale(void)
{
	const char *locale = wanted_locale(), *charset;
	size_t len;
	bool is_known;

	/* The C library may take them for another locale: musl knows UTF-8 only. */
	if (strcmp(locale, "C") == 0 || strcmp(locale, "POSIX") == 0) {
		setlocale(LC_ALL, "C");
		return CHARSET_ASCII;
	}
	/* Only these: numbers have a decimal point in every locale, and each further category is a
	 * file to read. LC_MESSAGES: of the system, why a file cannot be read. */
	is_known = setlocale(LC_CTYPE, "") != NULL;
	setlocale(LC_MESSAGES, "");
	charset = charset_of(locale, &len);
	if (charset && !is_utf8(charset, len))
		return CHARSET_ASCII;
	if (is_known && has_utf8())
		return CHARSET_UTF8;
	return charset ? find_other() : CHARSET_ASCII;
}

enum charset charset_force_utf8(void)
{
	return has_utf8() ? CHARSET_UTF8 : find_other();
}

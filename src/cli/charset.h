/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether the interface may draw more than ASCII, by the locale of the environment. */
#ifndef FLAMETTY_CHARSET_H
#define FLAMETTY_CHARSET_H

enum charset {
	CHARSET_ASCII,
	CHARSET_UTF8,    /* the C library decodes it, in the locale that is set now */
	CHARSET_OWN_UTF8 /* UTF-8 although no locale here has it: the program must decode it itself
			  */
};

/* Set the locale of the process, with a decimal point in numbers. The first one of LC_ALL, LC_CTYPE
 * and LANG that is not empty counts. If it names UTF-8 and this machine has no such locale, one of
 * other locales with UTF-8 is used, or none: CHARSET_OWN_UTF8. C, POSIX, and no name, are ASCII,
 * with every C library. Call this before there are threads. */
enum charset charset_set_locale(void);

/* The same, of a user who says that the terminal takes UTF-8, whatever the environment names. */
enum charset charset_force_utf8(void);

#endif

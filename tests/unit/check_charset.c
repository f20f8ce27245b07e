/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which characters the interface may draw, by the variables of the environment. */
#include "config.h"

#include "cli/run.h"

#include "suite.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

static void set(const char *all, const char *ctype, const char *lang)
{
	setenv("LC_ALL", all, 1);
	setenv("LC_CTYPE", ctype, 1);
	setenv("LANG", lang, 1);
}

static enum charset found(const char *all, const char *ctype, const char *lang)
{
	set(all, ctype, lang);
	return charset_set_locale();
}

START_TEST(c_and_posix_are_ascii_and_no_name_is_not_known)
{
	ck_assert_int_eq(found("", "", ""), CHARSET_UNKNOWN);
	ck_assert_int_eq(found("C", "C.UTF-8", "C.UTF-8"), CHARSET_ASCII);
	ck_assert_int_eq(found("", "POSIX", "C.UTF-8"), CHARSET_ASCII);
	unsetenv("LC_ALL");
	unsetenv("LC_CTYPE");
	unsetenv("LANG");
	ck_assert_int_eq(charset_set_locale(), CHARSET_UNKNOWN);
}
END_TEST

START_TEST(locale_that_is_missing_is_utf_8_by_its_name)
{
	ck_assert_int_ne(found("", "", "xx_YY.UTF-8"), CHARSET_ASCII);
	ck_assert_int_ne(found("", "", "xx_YY.utf8@euro"), CHARSET_ASCII);
	ck_assert_int_ne(found("", "UTF-8", "C"), CHARSET_ASCII);
	ck_assert_int_ne(found("xx_YY.UTF-8", "C", "C"), CHARSET_ASCII);
}
END_TEST

START_TEST(locale_of_another_character_set_is_ascii)
{
	ck_assert_int_eq(found("", "", "de_DE.ISO-8859-1"), CHARSET_ASCII);
	ck_assert_int_eq(found("xx_YY.KOI8-R", "", "C.UTF-8"), CHARSET_ASCII);
	ck_assert_int_eq(found("", "", "xx_YY"), CHARSET_ASCII);
}
END_TEST

START_TEST(utf_8_is_decoded_by_the_c_library_where_it_can)
{
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		return;
	ck_assert_int_eq(found("", "", "C.UTF-8"), CHARSET_UTF8);
	ck_assert_int_eq(found("", "", "xx_YY.UTF-8"), CHARSET_UTF8);
	ck_assert_str_eq(nl_langinfo(CODESET), "UTF-8");
	ck_assert_str_eq(nl_langinfo(RADIXCHAR), ".");
	ck_assert_int_eq(found("C", "", ""), CHARSET_ASCII);
	ck_assert_int_eq(charset_force_utf8(), CHARSET_UTF8);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *t = suite_case(suite, "charset", SUITE_SECONDS);

	tcase_add_test(t, c_and_posix_are_ascii_and_no_name_is_not_known);
	tcase_add_test(t, locale_that_is_missing_is_utf_8_by_its_name);
	tcase_add_test(t, locale_of_another_character_set_is_ascii);
	tcase_add_test(t, utf_8_is_decoded_by_the_c_library_where_it_can);
}

int main(void)
{
	return suite_run("charset", add_tests);
}

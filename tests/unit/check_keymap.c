/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of commands and keys agree with each other. */
#include "config.h"

#include "suite.h"

#include "ui/keymap.h"

#include "base/alloc.h"

#include <check.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

START_TEST(commands_have_rows)
{
	for (enum command_id id = CMD_NONE + 1; id < COMMAND_COUNT; id++) {
		const struct command *command = command_get(id);

		ck_assert(command->name && *command->name && command->help && *command->help);
		for (const char *p = command->name; *p; p++)
			ck_assert_msg(islower((unsigned char)*p) || *p == '-', "%s", command->name);
		ck_assert_msg(command->help[strlen(command->help) - 1] != '.', "%s", command->name);
		for (enum command_id other = CMD_NONE + 1; other < id; other++)
			ck_assert_str_ne(command->name, command_get(other)->name);
	}
}
END_TEST

START_TEST(commands_have_keys)
{
	struct buf keys = { 0 };

	for (enum command_id id = CMD_NONE + 1; id < COMMAND_COUNT; id++) {
		int n = 0;

		for (int context = 0; context < KEYMAP_CONTEXTS; context++)
			n += keymap_keys(NULL, (enum keymap_context)context, id, &keys);
		ck_assert_msg(n > 0 || keymap_is_for_line(id), "%s has no key",
			      command_get(id)->name);
	}
	buf_done(&keys);
}
END_TEST

/* The keys of a row; returns how many. */
static int parse(const char *keys, key_code out[2])
{
	char copy[64];
	int n = 0;

	snprintf(copy, sizeof copy, "%s", keys);
	for (char *name = strtok(copy, " "); name; name = strtok(NULL, " ")) {
		ck_assert_int_lt(n, 2);
		out[n] = key_from_name(name);
		ck_assert_msg(out[n] != KEYC_NONE, "%s is no key", name);
		n++;
	}
	ck_assert_int_gt(n, 0);
	return n;
}

START_TEST(keys_are_found)
{
	const struct binding *b;

	for (size_t i = 0; (b = keymap_row(NULL, i)); i++) {
		key_code keys[2] = { KEYC_NONE, KEYC_NONE };
		int n = parse(b->keys, keys);
		bool is_prefix;
		enum command_id found;

		if (n == 2) {
			ck_assert_int_eq(
				keymap_find(NULL, b->context, KEYC_NONE, keys[0], &is_prefix),
				CMD_NONE);
			ck_assert_msg(is_prefix, "%s", b->keys);
		}
		found = keymap_find(NULL, b->context, n == 2 ? keys[0] : KEYC_NONE, keys[n - 1],
				    &is_prefix);
		ck_assert(!is_prefix);
		ck_assert_msg(found == b->command, "%s is bound twice in its context", b->keys);
	}
}
END_TEST

/* A key of one place must not hide a key that works everywhere. While a range is selected, some do:
 * they are about what is open; in
 * the heat map and the grid of a fleet, about its columns. */
START_TEST(nothing_is_hidden)
{
	const struct binding *a, *b;

	for (size_t i = 0; (a = keymap_row(NULL, i)); i++)
		for (size_t j = 0; (b = keymap_row(NULL, j)); j++) {
			key_code x[2] = { KEYC_NONE, KEYC_NONE }, y[2] = { KEYC_NONE, KEYC_NONE };

			if (a->context != KEYMAP_ANY || b->context == KEYMAP_ANY ||
			    b->context == KEYMAP_HELP || b->context == KEYMAP_PROMPT ||
			    b->context == KEYMAP_RANGE || b->context == KEYMAP_HEAT ||
			    b->context == KEYMAP_FLEET)
				continue;
			parse(a->keys, x);
			parse(b->keys, y);
			ck_assert_msg(x[0] != y[0] || x[1] != y[1], "%s", a->keys);
			ck_assert_msg(x[0] != y[0] || (x[1] != KEYC_NONE) == (y[1] != KEYC_NONE),
				      "%s", a->keys);
		}
}
END_TEST

START_TEST(listing_has_all)
{
	struct buf text = { 0 };

	keymap_format(NULL, &text);
	for (enum command_id id = CMD_NONE + 1; id < COMMAND_COUNT; id++)
		ck_assert_msg(strstr(text.data, command_get(id)->help), "%s",
			      command_get(id)->name);
	for (int context = 0; context < KEYMAP_CONTEXTS; context++)
		ck_assert(strstr(text.data, keymap_title((enum keymap_context)context)));
	buf_done(&text);
}
END_TEST

/* Keys, names and texts stand in columns, except where a command has very many keys. */
START_TEST(listing_has_columns)
{
	struct buf text = { 0 };
	int n = 0, n_wide = 0;

	keymap_format(NULL, &text);
	ck_assert_ptr_nonnull(strstr(text.data, "In the chart:\n  h Left              previous "));
	ck_assert_ptr_nonnull(strstr(text.data, "\n  Q ZZ C-c            quit  "));
	for (char *line = strtok(text.data, "\n"); line; line = strtok(NULL, "\n")) {
		if (line[0] != ' ')
			continue;
		n++;
		if (line[21] == ' ' && line[22] != ' ' && line[41] == ' ' && line[42] != ' ')
			continue;
		n_wide++;
	}
	ck_assert_int_ge(n, COMMAND_COUNT - 1);
	ck_assert_int_le(n_wide, 1);
	buf_done(&text);
}
END_TEST

/* Flags do not contradict each other. */
START_TEST(flags_make_sense)
{
	for (enum command_id id = CMD_NONE + 1; id < COMMAND_COUNT; id++) {
		const struct command *command = command_get(id);
		bool is_prompt = strncmp(command->name, "prompt-", 7) == 0;

		ck_assert_msg(!(command->flags & COMMAND_EDITS) == !is_prompt, "%s", command->name);
		/* What needs all of the file changes what is shown. */
		ck_assert_msg(
			!(command->flags & COMMAND_NEEDS_ALL && command->flags & COMMAND_PASSIVE),
			"%s", command->name);
		ck_assert_msg(!(command->flags & COMMAND_NO_STEP && command->flags & COMMAND_JUMPS),
			      "%s", command->name);
	}
}
END_TEST

START_TEST(continuations_are_shown)
{
	const char *key, *text;
	bool has_color = false;
	size_t n = 0;

	for (; keymap_continuation(NULL, KEYMAP_CHART, 'o', n, &key, &text); n++)
		has_color |= strcmp(key, "c") == 0 && strcmp(text, "colour by") == 0;
	ck_assert(has_color);
	ck_assert_uint_gt(n, 3);
	ck_assert(!keymap_continuation(NULL, KEYMAP_CHART, 'h', 0, &key, &text));
}
END_TEST

/* Every character that can be typed has a form that is read as the same key. */
START_TEST(a_key_is_read_from_its_own_form)
{
	for (key_code key = 0x20; key < 0x110000; key++) {
		bool is_character = (key < 0x7F || key >= 0xA0) && !(key >= 0xD800 && key < 0xE000);
		char out[16];

		if (!is_character || (key > 0x3000 && key < 0x10FF00 && key % 97))
			continue;
		key_format(key, out);
		ck_assert_msg(key_from_name(out) == key, "U+%04X: %s", (unsigned)key, out);
	}
}
END_TEST

static const struct {
	const char *text;
	key_code key;
} characters[] = {
	{ " ", ' ' },
	{ "~", '~' },
	{ "\xC2\xA0", 0xA0 },
	{ "\xDF\xBF", 0x7FF },
	{ "\xE0\xA0\x80", 0x800 },
	{ "\xED\x9F\xBF", 0xD7FF },
	{ "\xEE\x80\x80", 0xE000 },
	{ "\xEF\xBF\xBF", 0xFFFF },
	{ "\xF0\x90\x80\x80", 0x10000 },
	{ "\xF4\x8F\xBF\xBF", 0x10FFFF },
};

START_TEST(a_character_is_its_own_key)
{
	key_code key = KEYC_NONE;

	ck_assert_uint_eq(key_parse(characters[_i].text, &key), strlen(characters[_i].text));
	ck_assert_uint_eq(key, characters[_i].key);
}
END_TEST

static const char *const no_keys[] = {
	"",         "\xC3",     "\xC3(",    "\xE2\x82", "\xED\xA0\x80", "\xF4\x90\x80\x80",
	"\xC0\xAF", "\xC2\x80", "\xC2\x9F", "\x1F",     "\x7F",         "\xED\xBF\xBF",
	"\xFF",     "<none>",   "<C-",      "<",
};

START_TEST(what_is_no_key_is_not_read)
{
	key_code key;

	ck_assert_uint_eq(key_parse(no_keys[_i], &key), 0);
}
END_TEST

static const struct {
	const char *letter, *layouts, *key;
} places[] = {
	{ "\320\271", "ru", "q" },
	{ "\320\231", "ru", "Q" },
	{ "\321\205", "ru", "[" },
	{ "\320\245", "ru", "{" },
	{ "\321\221", "ru", "`" },
	{ "\320\226", "el,ru", ":" },
	{ "\317\201", "ru,el", "r" },
	{ "\316\241", "ru,el", "R" },
	{ "\327\251", "el,he", "a" },
	/* Another key has it on each of them. */
	{ "\321\203", "bg,ru", "w" },
	{ "\321\203", "ru,bg", "e" },
	{ "\321\226", "uk", "s" },
	/* On none of them, in ASCII, no layout. */
	{ "\320\271", "el,he", "\320\271" },
	{ "q", "ru", "q" },
	{ ".", "ru", "." },
	{ "\320\271", "none", "\320\271" },
	{ "\320\271", "", "\320\271" },
	{ "\320\271", "r,rus,,ru", "q" },
	{ "Left", "ru", "Left" },
};

START_TEST(a_letter_is_the_key_of_its_place)
{
	ck_assert_uint_eq(key_by_place(key_from_name(places[_i].letter), places[_i].layouts),
			  key_from_name(places[_i].key));
}
END_TEST

/* No letter of a layout has two places, or it would run another command. */
START_TEST(a_place_has_one_letter_of_a_layout)
{
	const char *name;

	for (unsigned i = 1; (name = key_layout_name(i)); i++) {
		int n_of[0x80] = { 0 }, n = 0;

		for (key_code letter = 0x80; letter < 0x1100; letter++) {
			key_code key = key_by_place(letter, name);

			if (key == letter)
				continue;
			ck_assert_uint_lt(key, 0x80);
			ck_assert_msg(n_of[key]++ == 0, "%s: two letters for %c", name, (char)key);
			n++;
		}
		ck_assert_msg(strcmp(name, "ka") == 0 || n >= 26, "%s: %d letters", name, n);
	}
	ck_assert_str_eq(key_layout_name(0), "none");
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tcase = suite_case(suite, "tables", SUITE_SECONDS);

	tcase_add_test(tcase, commands_have_rows);
	tcase_add_test(tcase, commands_have_keys);
	tcase_add_test(tcase, a_key_is_read_from_its_own_form);
	tcase_add_loop_test(tcase, a_character_is_its_own_key, 0, N(characters));
	tcase_add_loop_test(tcase, what_is_no_key_is_not_read, 0, N(no_keys));
	tcase_add_loop_test(tcase, a_letter_is_the_key_of_its_place, 0, N(places));
	tcase_add_test(tcase, a_place_has_one_letter_of_a_layout);
	tcase_add_test(tcase, keys_are_found);
	tcase_add_test(tcase, nothing_is_hidden);
	tcase_add_test(tcase, listing_has_all);
	tcase_add_test(tcase, listing_has_columns);
	tcase_add_test(tcase, flags_make_sense);
	tcase_add_test(tcase, continuations_are_shown);
}

int main(void)
{
	return suite_run("keymap", add_tests);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of the user, and rules of the command line. The first byte tells what the rest is:
 *
 * `c` a file of settings: what it sets is written again and read to the same; `t` a theme: each
 * colour mode has a paint for each role; `m` lines for --map: `PREFIX=DIR`, and the last line is
 * the url of a script, whose path on this machine is below the folder of its rule. */
#include "config.h"

#include "base/alloc.h"
#include "cli/user_file.c"
#include "draw/grid.h"
#include "fuzz.h"
#include "source/maps.h"
#include "ui/command.h"

#include <stdio.h>

static const struct option_words words[] = { { "color", palette_color_word },
					     { "group", view_group_word },
					     { "theme", palette_theme_word },
					     { 0 } };

/* ---- settings ---- */

static void parse(struct buf *text, struct options *options, struct preferences *preferences)
{
	char program[] = "flametty", file[] = "file", *argv[] = { program, file, NULL };
	struct error err = ERROR_INIT;

	if (!options_parse(options, words, 2, argv, &err))
		fuzz_found("no options: %s", err.text);
	user_config_parse("config", text, options, words, preferences);
}

/* What was set since the start is in the file that is written, whatever was there before. */
static void check_settings(const char *bytes, size_t size)
{
	struct buf text = { 0 }, before = { 0 }, after = { 0 };
	struct preferences set = { 0 }, again = { 0 };
	struct options options = { 0 }, other = { 0 };

	buf_add(&text, bytes, size);
	buf_add(&before, bytes, size);
	parse(&text, &options, &set);
	for (size_t i = 0; i < set.n_set; i++)
		set.set[i].is_new = true;
	user_config_rewrite(&before, &set, &after);
	parse(&after, &other, &again);
	for (size_t i = 0; i < set.n_set; i++) {
		const struct preference *s = &set.set[i];
		const char *value = s->is_bind ? s->value : preferences_get(&again, s->name);

		if (!value || strcmp(value, s->value) != 0)
			fuzz_found("%s is %s, and after it was written %s", s->name, s->value,
				   value ? value : "not set");
	}
	options_done(&options);
	options_done(&other);
	preferences_done(&set);
	preferences_done(&again);
	buf_done(&text);
	buf_done(&before);
	buf_done(&after);
}

/* ---- theme ---- */

static void check_theme(const char *bytes, size_t size)
{
	static struct palette palette;
	struct theme theme;
	struct error err = ERROR_INIT;

	if (!theme_file_parse(bytes, size, &theme, &err)) {
		if (err.kind == ERR_NONE || !*err.text)
			fuzz_found("a theme is refused without a word");
		return;
	}
	for (unsigned mode = PALETTE_MONO; mode <= PALETTE_DIRECT; mode++) {
		palette_init(&palette, (enum palette_mode)mode, &theme,
			     size % 2 ? -1 : (int32_t)(size * 65793 % 0x1000000));
		for (unsigned role = 0; role < ROLE_COUNT; role++) {
			struct paint paint = palette_lookup(&palette, role, ROLE_COUNT - 1 - role,
							    (unsigned)size % 64);

			if (paint.fg < PAINT_DEFAULT || paint.bg < PAINT_DEFAULT ||
			    paint.fg > 0xffffff || paint.bg > 0xffffff)
				fuzz_found("role %u has colours %d and %d", role, (int)paint.fg,
					   (int)paint.bg);
		}
	}
}

/* ---- maps ---- */

/* One line after the other is a rule, the last one is the url. */
static void check_rules(const char *bytes, size_t size)
{
	const char *moves[16];
	struct maps_options options = { .moves = moves };
	char *text = xcalloc(size + 1, 1), *at = text, *eol;
	struct buf path = { 0 }, resolved = { 0 }, again = { 0 };

	memcpy(text, bytes, size);
	while ((eol = strchr(at, '\n')) && options.n_moves < ARRAY_LEN(moves)) {
		*eol = '\0';
		if (strchr(at, '='))
			moves[options.n_moves++] = at;
		at = eol + 1;
	}
	if (maps_local(&options, at, &path) && path.len == 0)
		fuzz_found("a path without a name");
	map_path_resolve("https://a.example/b/c.js", at, &resolved);
	map_path_resolve("", buf_text(&resolved), &again);
	if (strcmp(buf_text(&resolved), buf_text(&again)) != 0)
		fuzz_found("%s, resolved again: %s", buf_text(&resolved), buf_text(&again));
	buf_clear(&path);
	map_path_below("/srv", at, &path);
	if (strncmp(buf_text(&path), "/srv/", 5) != 0 || strstr(buf_text(&path), "/../"))
		fuzz_found("%s is not below /srv", buf_text(&path));
	buf_done(&path);
	buf_done(&resolved);
	buf_done(&again);
	free(text);
}

/* ---- the whole ---- */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *bytes = (const char *)data + 1;

	if (size == 0)
		return 0;
	if (data[0] == 'c')
		check_settings(bytes, size - 1);
	else if (data[0] == 't')
		check_theme(bytes, size - 1);
	else if (data[0] == 'm')
		check_rules(bytes, size - 1);
	return 0;
}

/* ---- mutation ---- */

/* Half of the changes of settings insert a line. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	size_t at = size, n = 0;
	const struct setting *s;
	char text[160];

	if (size == 0 || data[0] != 'c' || seed % 2)
		return LLVMFuzzerMutate(data, size, max_size);
	while (at > 1 && data[at - 1] != '\n')
		at--;
	while (setting_row(n))
		n++;
	s = setting_row((seed >> 8) % n);
	if (seed % 4 == 2)
		snprintf(text, sizeof text, "set %s %s\n", s->name,
			 s->words          ? s->words[0]
				 : s->word ? s->word(0)
					   : "x");
	else
		snprintf(text, sizeof text, "bind %c %s\n", 'A' + (int)(seed >> 4 & 63),
			 command_get((enum command_id)(1 + (seed >> 10) % (COMMAND_COUNT - 1)))
				 ->name);
	return fuzz_insert(data, size, max_size, at, text);
}

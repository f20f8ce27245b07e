/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The folder of themes is flametty/themes in XDG_CONFIG_HOME or, if that is not set, in .config of
 * the home folder. It comes first, so a file that happens to be in the current folder changes
 * nothing. */
#include "config.h"

#include "theme_option.h"

#include "base/buf.h"
#include "base/text.h"
#include "term/theme_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_MOST (64 * 1024)

static bool make_path(const char *name, struct buf *path)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	if (config && *config)
		buf_addf(path, "%s/flametty/themes/%s", config, name);
	else if (home && *home)
		buf_addf(path, "%s/.config/flametty/themes/%s", home, name);
	return path->len > 0;
}

/* Errors name the file: "PATH:3: no role 'x'". */
static bool read_theme(FILE *file, const char *path, struct theme *theme, struct error *err)
{
	struct error why = ERROR_INIT;
	char *text = malloc(FILE_MOST + 1);
	size_t n = text ? fread(text, 1, FILE_MOST + 1, file) : 0;
	struct buf name = { 0 };
	bool ok;

	text_visible(&name, path, strlen(path));
	if (!text || ferror(file))
		ok = error_set(err, ERR_IO, -1, "%s: %s", buf_text(&name), strerror(errno));
	else if (n > FILE_MOST)
		ok = error_set(err, ERR_LIMIT, -1, "%s: too long for a theme", buf_text(&name));
	else
		ok = theme_file_parse(text, n, theme, &why) ||
			error_set(err, ERR_SYNTAX, -1, "%s:%s", buf_text(&name), why.text);
	buf_done(&name);
	free(text);
	return ok;
}

static bool complain(const char *name, struct error *err)
{
	struct buf words = { 0 }, visible = { 0 };

	for (unsigned i = 0; palette_theme_word(i); i++)
		buf_addf(&words, "%s%s", i ? ", " : "", palette_theme_word(i));
	text_visible(&visible, name, strlen(name));
	error_set(err, ERR_IO, -1, "--theme wants %s or a file, not '%s'", buf_text(&words),
		  buf_text(&visible));
	buf_done(&words);
	buf_done(&visible);
	return false;
}

bool theme_option_find(const char *name, enum palette_theme *word, struct theme *theme,
		       bool *has_file, struct error *err)
{
	struct buf path = { 0 };
	FILE *file = NULL;
	bool ok;

	*has_file = false;
	for (unsigned i = 0; palette_theme_word(i); i++) {
		if (!strcmp(name, palette_theme_word(i))) {
			*word = (enum palette_theme)i;
			return true;
		}
	}
	if (!strchr(name, '/') && make_path(name, &path))
		file = fopen(buf_text(&path), "r");
	if (!file) {
		buf_clear(&path);
		buf_adds(&path, name);
		file = fopen(name, "r");
	}
	if (!file) {
		ok = complain(name, err);
	} else {
		ok = *has_file = read_theme(file, buf_text(&path), theme, err);
		fclose(file);
	}
	buf_done(&path);
	return ok;
}

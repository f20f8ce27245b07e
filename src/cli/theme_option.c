/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The folder of themes is flametty/themes in XDG_CONFIG_HOME or, if that is not set, in .config of
 * the home folder. It comes first, so a file that happens to be in the current folder changes
 * nothing. */
#include "config.h"

#include "cli/theme_option.h"

#include "base/buf.h"
#include "base/text.h"
#include "term/theme_file.h"
#include "cli/user_file.h"

#include <string.h>

#define FILE_MOST (64 * 1024)

/* Errors name the file: "PATH:3: no role 'x'". */
static enum user_file_result read_theme(const char *path, struct theme *theme, struct error *err)
{
	struct error why = ERROR_INIT;
	struct buf name = { 0 }, text = { 0 };
	enum user_file_result result = user_file_read(path, FILE_MOST, false, &text, &why);

	text_visible(&name, path, strlen(path));
	if (result == USER_FILE_FAILED) {
		error_set(err, why.kind, -1, "%s: %s", buf_text(&name), why.text);
	} else if (result == USER_FILE_READ &&
		   !theme_file_parse(buf_text(&text), text.len, theme, &why)) {
		error_set(err, ERR_SYNTAX, -1, "%s:%s", buf_text(&name), why.text);
		result = USER_FILE_FAILED;
	}
	buf_done(&name);
	buf_done(&text);
	return result;
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
	enum user_file_result result = USER_FILE_MISSING;
	struct buf own = { 0 }, path = { 0 };

	*has_file = false;
	for (unsigned i = 0; palette_theme_word(i); i++) {
		if (!strcmp(name, palette_theme_word(i))) {
			*word = (enum palette_theme)i;
			return true;
		}
	}
	buf_addf(&own, "themes/%s", name);
	if (!strchr(name, '/') && user_file_config(buf_text(&own), &path))
		result = read_theme(buf_text(&path), theme, err);
	if (result == USER_FILE_MISSING)
		result = read_theme(name, theme, err);
	if (result == USER_FILE_MISSING)
		complain(name, err);
	*has_file = result == USER_FILE_READ;
	buf_done(&own);
	buf_done(&path);
	return *has_file;
}

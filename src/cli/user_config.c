/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A setting is checked when its line is read, but applied to each app (ui/line/setting.h). The
 * theme is an option, whether a line sets it as an option or as a setting. */
#include "config.h"

#include "cli/user_config.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/options.h"
#include "cli/user_file.h"
#include "term/palette.h"
#include "term/theme.h"
#include "ui/line/setting.h"

#include <stdlib.h>
#include <string.h>

/* ==== theme option ====
 *
 * The folder of themes is flametty/themes in XDG_CONFIG_HOME or, if that is not set, in .config of
 * the home folder. It comes first, so a file that happens to be in the current folder changes
 * nothing. */

#define FILE_MAX (64 * 1024)

/* Errors name the file: "PATH:3: no role 'x'". */
static enum user_file_result read_theme(const char *path, struct theme *theme, struct error *err)
{
	struct error why = ERROR_INIT;
	struct buf name = { 0 }, text = { 0 };
	enum user_file_result result = user_file_read(path, FILE_MAX, false, &text, &why);

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

/* ==== user config ==== */

#define CONFIG_FILE_MAX ((size_t)64 << 10)
#define CONFIG_LINE_MAX 1000
#define WARNINGS_MAX 20

static const char blanks[] = " \t\r";

/* What the lines of a file are taken into. */
struct reading {
	const char *name;
	struct options *options;
	const struct option_words *words;
	struct preferences *preferences;
	unsigned line, n_warnings;
};

static void warn(struct reading *r, const char *text)
{
	struct buf *out = &r->preferences->warnings;

	if (r->n_warnings++ == WARNINGS_MAX)
		buf_addf(out, "%s: and more\n", r->name);
	if (r->n_warnings > WARNINGS_MAX)
		return;
	/* Errors of options begin as those of the command line do. */
	buf_addf(out, "%s:%u: %s\n", r->name, r->line,
		 strncmp(text, "--", 2) == 0 ? text + 2 : text);
}

/* The next word of a line, which is cut off, and moves past it. */
static char *next_word(char **line)
{
	char *word = *line + strspn(*line, blanks), *end = word + strcspn(word, blanks);

	*line = end + strspn(end, blanks);
	*end = '\0';
	return word;
}

/* ---- options ---- */

static void take_option(struct reading *r, const char *name, const char *value)
{
	struct error err = ERROR_INIT;
	enum palette_theme word;
	struct theme theme;
	bool has_file;

	/* options_set() does not know the themes. */
	if ((value && strcmp(name, "theme") == 0 &&
	     !theme_option_find(value, &word, &theme, &has_file, &err)) ||
	    !options_set(r->options, r->words, name, value, &err))
		warn(r, err.text);
}

/* ---- lines ---- */

/* What settings and commands were called before. Returns the name of now, with a note. */
static const char *name_of_now(struct reading *r, const char *name)
{
	if (strcmp(name, "trunk") != 0)
		return name;
	warn(r, "trunk is called fold now: none, runtime, or packages");
	return "fold";
}

static void take_set(struct reading *r, char *line)
{
	struct error err = ERROR_INIT;
	const char *before = next_word(&line), *name = name_of_now(r, before);
	const struct setting *s = setting_find((struct str){ name, strlen(name) }, &err);
	const char *value = strcmp(before, "trunk") != 0 ? line
		: strcmp(line, "off") == 0               ? "none"
		: strcmp(line, "on") == 0                ? "packages"
							 : line;

	if (s && !*line)
		error_set(&err, ERR_FORMAT, -1, "set wants a name and a value");
	if (!s || err.kind != ERR_NONE || !setting_check(s, value, &err)) {
		warn(r, err.text);
		return;
	}
	if (strcmp(s->name, "theme") == 0)
		take_option(r, "theme", line);
	/* Not the option of the same name that is about something else: color. */
	else if (strcmp(s->name, "color") == 0 || !options_is_given(r->options, s->name))
		preferences_set(r->preferences, s->name, value, false);
}

static void take_bind(struct reading *r, char *line)
{
	struct error err = ERROR_INIT;
	const char *keys = next_word(&line);

	if (!*line)
		warn(r, "bind wants keys and a command");
	else if (!preferences_bind(r->preferences, keys, name_of_now(r, line), false, &err))
		warn(r, err.text);
}

/* `name = value`, or `name`. */
static void take_plain(struct reading *r, char *line)
{
	char *equal = strchr(line, '='), *rest = line;
	const char *name, *value = NULL;

	if (equal) {
		*equal = '\0';
		value = equal + 1 + strspn(equal + 1, blanks);
	}
	name = next_word(&rest);
	if (*rest || !*name)
		warn(r, "neither `name = value`, `set`, `bind` nor a comment");
	else
		take_option(r, name, value);
}

static void take_line(struct reading *r, char *line, size_t len)
{
	char *rest = line;
	size_t word;

	for (size_t i = 0; i < len; i++)
		if (((unsigned char)line[i] < ' ' && !strchr(blanks, line[i])) || !line[i] ||
		    line[i] == 0x7F) {
			warn(r, "a control character");
			return;
		}
	if (len > CONFIG_LINE_MAX) {
		warn(r, "the line is too long");
		return;
	}
	while (len && strchr(blanks, line[len - 1]))
		len--;
	line[len] = '\0';
	rest += strspn(rest, blanks);
	word = strcspn(rest, blanks);
	if (!*rest || *rest == '#')
		return;
	if (word == 3 && memcmp(rest, "set", 3) == 0)
		take_set(r, rest + 3);
	else if (word == 4 && memcmp(rest, "bind", 4) == 0)
		take_bind(r, rest + 4);
	else
		take_plain(r, rest);
}

/* Take the settings of a text, which is changed. name: that of the file, for warnings. */
static void user_config_parse(const char *name, struct buf *text, struct options *options,
			      const struct option_words *words, struct preferences *preferences)
{
	struct reading r = { name, options, words, preferences, 0, 0 };
	char *at, *end;

	if (!text->len)
		return;
	at = text->data;
	end = at + text->len;
	if (text->len >= 3 && memcmp(at, "\xEF\xBB\xBF", 3) == 0)
		at += 3;
	while (at < end) {
		char *stop = memchr(at, '\n', (size_t)(end - at));
		char *next = stop ? stop + 1 : end;

		r.line++;
		take_line(&r, at, (size_t)((stop ? stop : end) - at));
		at = next;
	}
}

/* ---- files ---- */

/* The path as warnings show it: the home folder is `~`. */
static void show_path(const char *path, struct buf *out)
{
	const char *home = getenv("HOME");
	size_t n = home ? strlen(home) : 0;

	if (n > 1 && strncmp(path, home, n) == 0 && path[n] == '/') {
		buf_addc(out, '~');
		path += n;
	}
	text_visible(out, path, strlen(path));
}

bool user_config_read(struct user_config *c, bool is_own, struct options *options,
		      const struct option_words *words, struct preferences *preferences,
		      struct error *err)
{
	enum user_file_result result = USER_FILE_MISSING;
	struct error why = ERROR_INIT;
	struct buf name = { 0 };

	if (options->config)
		buf_adds(&c->path, options->config);
	else if (!options->has_no_config)
		user_file_config("config", &c->path);
	if (c->path.len && (options->config || is_own))
		result = user_file_read(buf_text(&c->path), CONFIG_FILE_MAX, false, &c->text, &why);
	show_path(buf_text(&c->path), &name);
	if (result == USER_FILE_MISSING && options->config)
		error_set(err, ERR_IO, -1, "%s: no such file", buf_text(&name));
	else if (result == USER_FILE_FAILED && options->config)
		error_set(err, ERR_IO, -1, "%s: %s", buf_text(&name), why.text);
	else if (result == USER_FILE_FAILED)
		buf_addf(&preferences->warnings, "%s: %s\n", buf_text(&name), why.text);
	else
		user_config_parse(buf_text(&name), &c->text, options, words, preferences);
	buf_done(&name);
	return err->kind == ERR_NONE;
}

/* ---- writing ---- */

/* The word at `*p`, which moves past it and the blanks around it. */
static struct str take_word(const char **p, const char *end)
{
	struct str word;

	while (*p < end && strchr(" \t", **p))
		(*p)++;
	word = (struct str){ *p, 0 };
	while (*p < end && !strchr(" \t=\r", **p))
		(*p)++;
	word.len = (size_t)(*p - word.p);
	while (*p < end && strchr(" \t", **p))
		(*p)++;
	return word;
}

/* The preference that a line is about, if it was changed since the start; n_set: another line. */
static size_t find_changed(const struct preferences *p, const char *line, const char *end)
{
	struct str word = take_word(&line, end), name;
	bool is_bind = str_is(word, "bind"), is_set = str_is(word, "set");
	size_t i = 0;

	if (is_bind || is_set)
		name = take_word(&line, end);
	else if (str_is(word, "theme") && line < end && *line == '=')
		name = word;
	else
		return p->n_set;
	if (str_is(name, "colour"))
		name = (struct str){ "color", 5 };
	while (i < p->n_set &&
	       !(p->set[i].is_new && p->set[i].is_bind == is_bind && str_is(name, p->set[i].name)))
		i++;
	return i;
}

static void add_preference(const struct preference *p, struct buf *out)
{
	buf_addf(out, "%s %s %s\n", p->is_bind ? "bind" : "set", p->name, p->value);
}

/* Append the text with what the user has set since the start: the lines that say the same have the
 * new values, other lines stay, and what no line says comes at the end. */
static void user_config_rewrite(const struct buf *text, const struct preferences *p,
				struct buf *out)
{
	const char *at = buf_text(text), *end = at + text->len;
	bool *is_written = calloc(p->n_set + 1, sizeof *is_written);

	while (is_written && at < end) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		size_t i;

		stop = stop ? stop : end;
		i = find_changed(p, at, stop);
		if (i == p->n_set) {
			buf_add(out, at, (size_t)(stop - at));
			buf_addc(out, '\n');
		} else if (!is_written[i]) {
			add_preference(&p->set[i], out);
			is_written[i] = true;
		}
		at = stop + 1;
	}
	for (size_t i = 0; is_written && i < p->n_set; i++)
		if (p->set[i].is_new && !is_written[i])
			add_preference(&p->set[i], out);
	free(is_written);
}

bool user_config_write(const struct user_config *c, const struct preferences *p, struct buf *said)
{
	struct buf before = { 0 }, after = { 0 };
	struct error err = ERROR_INIT;
	bool ok = true, has_changes = false;

	for (size_t i = 0; i < p->n_set; i++)
		has_changes |= p->set[i].is_new;
	if (!c->path.len)
		ok = error_set(&err, ERR_IO, -1, "there is no file of settings to write");
	else if (!has_changes)
		ok = error_set(&err, ERR_IO, -1, "nothing was set or bound");
	else if (user_file_read(buf_text(&c->path), CONFIG_FILE_MAX, false, &before, &err) ==
		 USER_FILE_FAILED)
		ok = false;
	if (ok) {
		if (!before.len)
			buf_adds(&after,
				 "# Settings of flametty: see CONFIGURATION in flametty(1).\n");
		user_config_rewrite(&before, p, &after);
		ok = user_file_replace(buf_text(&c->path), &after, &err);
	}
	if (ok)
		buf_adds(said, "wrote ");
	if (c->path.len)
		show_path(buf_text(&c->path), said);
	if (!ok)
		buf_addf(said, "%s%s", said->len ? ": " : "", err.text);
	buf_done(&before);
	buf_done(&after);
	return ok;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files are opened without waiting, and what is no regular file is closed again. Variables with a
 * relative path do not count, as the specification says. */
#include "config.h"

#include "cli/user_file.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/sink.h"
#include "base/text.h"
#include "cli/options.h"
#include "term/palette.h"
#include "term/theme.h"
#include "ui/line/prompt.h"
#include "ui/line/setting.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ==== user file ==== */

#define USER_FILE_MAX 1000 /* names that are found */
#define OPEN_FLAGS (O_NONBLOCK | O_CLOEXEC | O_NOCTTY)

static bool make_path(const char *variable, const char *below_home, const char *name,
		      struct buf *path)
{
	const char *folder = getenv(variable), *home = getenv("HOME");

	if (folder && folder[0] == '/')
		buf_addf(path, "%s/flametty/%s", folder, name);
	else if (home && home[0] == '/')
		buf_addf(path, "%s/%s/flametty/%s", home, below_home, name);
	else
		return false;
	return true;
}

/* The same for settings (XDG_CONFIG_HOME, ~/.config). */
static bool user_file_config(const char *name, struct buf *path)
{
	return make_path("XDG_CONFIG_HOME", ".config", name, path);
}

bool user_file_state(const char *name, struct buf *path)
{
	return make_path("XDG_STATE_HOME", ".local/state", name, path);
}

bool user_file_data(const char *name, struct buf *path)
{
	return make_path("XDG_DATA_HOME", ".local/share", name, path);
}

/* Open a regular file. -1, with err: it cannot be opened, or is something else. */
static int open_regular(const char *path, int flags, struct stat *info, struct error *err)
{
	int fd = open(path, flags | OPEN_FLAGS, 0600);

	if (fd < 0 || fstat(fd, info) != 0)
		error_errno(err, errno, "cannot open");
	else if (S_ISREG(info->st_mode))
		return fd;
	else
		error_set(err, ERR_IO, -1, "not a regular file");
	if (fd >= 0)
		close(fd);
	return -1;
}

enum user_file_result user_file_read(const char *path, size_t most, bool may_cut, struct buf *text,
				     struct error *err)
{
	struct stat info;
	int fd;
	bool ok;

	if (access(path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR))
		return USER_FILE_MISSING;
	fd = open_regular(path, O_RDONLY, &info, err);
	if (fd < 0)
		return USER_FILE_FAILED;
	if (info.st_size > (off_t)most && !may_cut)
		ok = error_set(err, ERR_LIMIT, -1, "too long: more than %zu bytes", most);
	else if (info.st_size > (off_t)most && lseek(fd, info.st_size - (off_t)most, SEEK_SET) < 0)
		ok = error_errno(err, errno, "cannot read");
	else
		ok = buf_add_file(text, fd, most) || error_errno(err, errno, "cannot read");
	if (text->len > most)
		text->len = most;
	close(fd);
	return ok ? USER_FILE_READ : USER_FILE_FAILED;
}

/* Make the folders of a file. What fails here fails again when the file is opened. */
static void make_folders(const char *path)
{
	ALLOC_LOCAL char *folder = xstrdup(path);

	for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(folder, 0700) != 0)
			errno = 0;
		*slash = '/';
	}
}

static bool write_all(int fd, const struct buf *text, struct error *err)
{
	size_t done = 0;

	while (done < text->len) {
		ssize_t n = write(fd, text->data + done, text->len - done);

		if (n < 0 && errno != EINTR)
			return error_errno(err, errno, "cannot write");
		done += n > 0 ? (size_t)n : 0;
	}
	/* Some file systems have no modes. */
	if (fchmod(fd, 0600) != 0)
		errno = 0;
	return true;
}

/* Replace the file, or make it and its folders; only the user may read it. If it is a symbolic
 * link, the file that it leads to is replaced. The file is never incomplete. */
static bool user_file_replace(const char *path, const struct buf *text, struct error *err)
{
	struct stat info;
	struct sink *sink;

	if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
		return error_set(err, ERR_IO, -1, "not a regular file");
	make_folders(path);
	sink = sink_open(path, true, err);
	if (!sink)
		return false;
	sink_hide(sink);
	buf_add(sink_buf(sink), text->data, text->len);
	return sink_close(sink, err);
}

/* Append to the file, or make it and its folders; only the user may read it. */
static bool user_file_append(const char *path, const struct buf *text, struct error *err)
{
	struct stat info;
	int fd;
	bool ok;

	make_folders(path);
	fd = open_regular(path, O_WRONLY | O_APPEND | O_CREAT, &info, err);
	if (fd < 0)
		return false;
	ok = write_all(fd, text, err);
	if (close(fd) != 0 && ok)
		ok = error_errno(err, errno, "cannot write");
	return ok;
}

/* ---- paths that the user types ---- */

void user_file_expand(const char *text, struct buf *path)
{
	const char *home = getenv("HOME");

	if (strncmp(text, "~/", 2) == 0 && home)
		buf_addf(path, "%s%s", home, text + 1);
	else
		buf_adds(path, text);
}

void user_file_find(const char *begin, void (*found)(void *ctx, const char *path), void *ctx)
{
	const char *slash = strrchr(begin, '/'), *name = slash ? slash + 1 : begin;
	BUF_LOCAL typed = { 0 }, folder = { 0 }, full = { 0 };
	struct dirent *entry;
	struct stat info;
	bool is_dir;
	int n = 0;
	DIR *dir;

	buf_add(&typed, begin, (size_t)(name - begin));
	user_file_expand(buf_text(&typed), &folder);
	dir = opendir(folder.len ? buf_text(&folder) : ".");
	while (dir && n < USER_FILE_MAX && (entry = readdir(dir)) != NULL) {
		const char *c = entry->d_name;

		while ((unsigned char)*c >= ' ' && *c != 0x7F)
			c++;
		if (strncmp(entry->d_name, name, strlen(name)) != 0 || *c ||
		    (entry->d_name[0] == '.' && name[0] != '.') ||
		    strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		buf_clear(&full);
		buf_addf(&full, "%s%s", buf_text(&folder), entry->d_name);
		is_dir = stat(buf_text(&full), &info) == 0 && S_ISDIR(info.st_mode);
		buf_clear(&full);
		buf_addf(&full, "%s%s%s", buf_text(&typed), entry->d_name, is_dir ? "/" : "");
		found(ctx, buf_text(&full));
		n++;
	}
	if (dir)
		closedir(dir);
}

/* ==== line history ====
 *
 * Lines are appended at once, so that none is lost however the program ends, and several programs
 * share the file. When it is full, it is written anew from the lines in memory, which are each
 * there once. */

#define HISTORY_FILE_MAX ((size_t)1 << 20) /* bytes that are read: the end of the file */

static int most_lines(const struct prompt_history *lines)
{
	return lines->most > 0 ? lines->most : PROMPT_HISTORY;
}

/* Whether the prompt could have made this text. */
static bool is_line(const char *text, size_t len)
{
	const char *end = text + len;

	if (len == 0 || len > PROMPT_MAX)
		return false;
	while (text < end) {
		const char *from = text;
		uint32_t cp = text_next(&text, end);

		if (text_is_control(cp) || text_is_ill_formed(cp, from, text))
			return false;
	}
	return true;
}

/* The beginning of the last `n` lines. */
static const char *last_lines(const char *text, size_t len, int n)
{
	const char *at = text + len;

	if (len && at[-1] == '\n')
		at--;
	while (at > text && !(at[-1] == '\n' && --n == 0))
		at--;
	return at;
}

static void take_lines(struct line_history *h, const struct buf *text, struct prompt_history *lines)
{
	const char *end = buf_text(text) + text->len;
	const char *at = last_lines(buf_text(text), text->len, most_lines(lines));

	h->n_in_file = at > buf_text(text) ? most_lines(lines) : 0;
	for (const char *stop; at < end; at = stop + 1) {
		stop = memchr(at, '\n', (size_t)(end - at));
		stop = stop ? stop : end;
		h->n_in_file += h->n_in_file < most_lines(lines);
		if (is_line(at, (size_t)(stop - at))) {
			char *line = strndup(at, (size_t)(stop - at));

			if (line)
				prompt_history_add(lines, line);
			free(line);
		}
	}
}

bool line_history_open(struct line_history *h, const char *path, struct prompt_history *lines,
		       struct error *err)
{
	BUF_LOCAL text = { 0 };
	bool ok = user_file_read(path, HISTORY_FILE_MAX, true, &text, err) != USER_FILE_FAILED;

	if (ok) {
		take_lines(h, &text, lines);
		buf_adds(&h->path, path);
	}
	return ok;
}

bool line_history_keep(struct line_history *h, const struct prompt_history *lines, const char *line,
		       struct error *err)
{
	BUF_LOCAL text = { 0 };
	bool ok;

	if (!h->path.len)
		return true;
	if (h->n_in_file < most_lines(lines)) {
		buf_addf(&text, "%s\n", line);
		ok = user_file_append(buf_text(&h->path), &text, err);
		h->n_in_file++;
	} else {
		for (int i = 0; i < lines->n; i++)
			buf_addf(&text, "%s\n", lines->texts[i]);
		ok = user_file_replace(buf_text(&h->path), &text, err);
		h->n_in_file = lines->n;
	}
	/* It fails the next time, too. */
	if (!ok)
		buf_clear(&h->path);
	return ok;
}

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
	BUF_LOCAL name = { 0 }, text = { 0 };
	enum user_file_result result = user_file_read(path, FILE_MAX, false, &text, &why);

	text_visible(&name, path, strlen(path));
	if (result == USER_FILE_FAILED) {
		error_set(err, why.kind, -1, "%s: %s", buf_text(&name), why.text);
	} else if (result == USER_FILE_READ &&
		   !theme_file_parse(buf_text(&text), text.len, theme, &why)) {
		error_set(err, ERR_SYNTAX, -1, "%s:%s", buf_text(&name), why.text);
		result = USER_FILE_FAILED;
	}
	return result;
}

static bool complain(const char *name, struct error *err)
{
	BUF_LOCAL words = { 0 }, visible = { 0 };

	for (unsigned i = 0; palette_theme_word(i); i++)
		buf_addf(&words, "%s%s", i ? ", " : "", palette_theme_word(i));
	text_visible(&visible, name, strlen(name));
	return error_set(err, ERR_IO, -1, "--theme wants %s or a file, not '%s'", buf_text(&words),
			 buf_text(&visible));
}

bool theme_option_find(const char *name, enum palette_theme *word, struct theme *theme,
		       bool *has_file, struct error *err)
{
	enum user_file_result result = USER_FILE_MISSING;
	BUF_LOCAL own = { 0 }, path = { 0 };

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
	return *has_file;
}

/* ==== user config ====
 *
 * A setting is checked when its line is read, but applied to each app (ui/line/setting.h). The
 * theme is an option, whether a line sets it as an option or as a setting. */

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

/* What settings and commands were called before. Returns the name of now. */
static const char *name_of_now(const char *name)
{
	return strcmp(name, "trunk") == 0 ? "fold" : name;
}

/* The same, with a note. */
static const char *note_name(struct reading *r, const char *name)
{
	const char *now = name_of_now(name);

	if (now != name)
		warn(r, "trunk is called fold now: none, runtime, or packages");
	return now;
}

static void take_set(struct reading *r, char *line)
{
	struct error err = ERROR_INIT;
	const char *before = next_word(&line), *name = note_name(r, before);
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
	else if (!preferences_bind(r->preferences, keys, note_name(r, line), false, &err))
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
	BUF_LOCAL name = { 0 };

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
	struct str word = take_word(&line, end), of;
	bool is_bind = str_is(word, "bind"), is_set = str_is(word, "set");
	struct error err = ERROR_INIT;
	const struct setting *s;
	BUF_LOCAL text = { 0 };
	const char *name;
	size_t i = 0;

	if (is_bind || is_set)
		of = take_word(&line, end);
	else if (str_is(word, "theme") && line < end && *line == '=')
		of = word;
	else
		return p->n_set;
	buf_add(&text, of.p, of.len);
	name = is_set ? name_of_now(buf_text(&text)) : buf_text(&text);
	s = is_set ? setting_find((struct str){ name, strlen(name) }, &err) : NULL;
	name = s ? s->name : name;
	while (i < p->n_set &&
	       !(p->set[i].is_new && preferences_is_about(&p->set[i], is_bind, name)))
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
	BUF_LOCAL before = { 0 }, after = { 0 };
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
			buf_adds(&after, "# Settings of flametty: see flametty-config(5).\n");
		user_config_rewrite(&before, p, &after);
		ok = user_file_replace(buf_text(&c->path), &after, &err);
	}
	if (ok)
		buf_adds(said, "wrote ");
	if (c->path.len)
		show_path(buf_text(&c->path), said);
	if (!ok)
		buf_addf(said, "%s%s", said->len ? ": " : "", err.text);
	return ok;
}

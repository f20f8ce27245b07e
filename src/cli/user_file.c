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
#include "ui/line/prompt.h"

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

bool user_file_config(const char *name, struct buf *path)
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

static bool read_all(int fd, size_t most, struct buf *text, struct error *err)
{
	char part[4096];
	ssize_t n = 0;

	/* The file may grow meanwhile. */
	while (text->len < most &&
	       ((n = read(fd, part, sizeof part)) > 0 || (n < 0 && errno == EINTR)))
		if (n > 0)
			buf_add(text, part,
				(size_t)n < most - text->len ? (size_t)n : most - text->len);
	return n >= 0 || error_errno(err, errno, "cannot read");
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
		ok = read_all(fd, most, text, err);
	close(fd);
	return ok ? USER_FILE_READ : USER_FILE_FAILED;
}

/* Make the folders of a file. What fails here fails again when the file is opened. */
static void make_folders(const char *path)
{
	char *folder = xstrdup(path);

	for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(folder, 0700) != 0)
			errno = 0;
		*slash = '/';
	}
	free(folder);
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

bool user_file_replace(const char *path, const struct buf *text, struct error *err)
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
	struct buf typed = { 0 }, folder = { 0 }, full = { 0 };
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
	buf_done(&typed);
	buf_done(&folder);
	buf_done(&full);
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
	struct buf text = { 0 };
	bool ok = user_file_read(path, HISTORY_FILE_MAX, true, &text, err) != USER_FILE_FAILED;

	if (ok) {
		take_lines(h, &text, lines);
		buf_adds(&h->path, path);
	}
	buf_done(&text);
	return ok;
}

bool line_history_keep(struct line_history *h, const struct prompt_history *lines, const char *line,
		       struct error *err)
{
	struct buf text = { 0 };
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
	buf_done(&text);
	return ok;
}

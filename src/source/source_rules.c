/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file is opened without being read (O_PATH), then the system tells where it lies, and the same
 * file is opened for reading: what happens to the path meanwhile changes nothing, and nothing but a
 * regular file is ever opened, as opening may have an effect on a device. */
#include "config.h"

#include "source/source_rules.h"

#include "base/alloc.h"
#include "base/text.h"
#include "source/maps.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Of openat2(), for which static builds have no header of Linux. */
#define OPENAT2_NO_MAGICLINKS 0x02
#define OPENAT2_IN_ROOT 0x10

void source_rules_init(struct source_rules *rules)
{
	*rules = (struct source_rules){ 0 };
	pthread_mutex_init(&rules->lock, NULL);
	intern_init(&rules->refused);
}

void source_rules_done(struct source_rules *rules)
{
	for (size_t i = 0; i < rules->n_folders; i++)
		free(rules->folders[i].path);
	free(rules->folders);
	intern_done(&rules->refused);
	pthread_mutex_destroy(&rules->lock);
}

/* ---- paths ----
 *
 * They are absolute, and have no links. */

/* What follows a folder in a path, "" for the folder itself; NULL: the path is not below it. */
static const char *rest_below(const char *path, const char *folder)
{
	size_t n = 0;

	if (!folder[1])
		return path + 1;
	while (folder[n] && path[n] == folder[n])
		n++;
	if (folder[n] || (path[n] != '/' && path[n] != '\0'))
		return NULL;
	return path + n + (path[n] == '/');
}

#ifdef __APPLE__
#define FD_PATH "/dev/fd/%d"
#else
#define FD_PATH "/proc/self/fd/%d"
#endif
#ifndef O_PATH
#define O_PATH (O_RDONLY | O_NONBLOCK | O_NOCTTY)
#endif

/* The length of `/proc/PID/root` at the start of a path, the root directory of a process, as of one
 * in a container; 0: it starts with something else. */
static size_t root_len(const char *path)
{
	size_t n = strlen("/proc/");

	if (strncmp(path, "/proc/", n) != 0)
		return 0;
	n += strspn(path + n, "0123456789");
	if (strncmp(path + n, "/root", 5) != 0 || (path[n + 5] && path[n + 5] != '/'))
		return 0;
	return n + 5;
}

static int open_root(const char *path, size_t len)
{
	ALLOC_LOCAL char *root = xstrndup(path, len);

	return open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* Open a file or a folder without reading it. Below the root directory of a process, links mean
 * files there. */
static int open_place(const char *path)
{
	size_t len = root_len(path);

	if (!len)
		return open(path, O_PATH | O_CLOEXEC);
#ifdef SYS_openat2
	struct {
		uint64_t flags, mode, resolve;
	} how = { O_PATH | O_CLOEXEC, 0, OPENAT2_IN_ROOT | OPENAT2_NO_MAGICLINKS };
	int root = open_root(path, len);
	int fd = (int)syscall(SYS_openat2, root, path[len] ? path + len : "/", &how, sizeof how);
	int errnum = errno;

	if (root >= 0)
		close(root);
	errno = errnum;
	return fd;
#else
	errno = ENOSYS;
	return -1;
#endif
}

static bool read_place(int place, char real[PATH_MAX])
{
#ifdef F_GETPATH
	return fcntl(place, F_GETPATH, real) == 0;
#else
	char link[40];
	ssize_t n;

	snprintf(link, sizeof link, FD_PATH, place);
	n = readlink(link, real, PATH_MAX - 1);
	real[n > 0 ? n : 0] = '\0';
	return real[0] == '/';
#endif
}

/* Where the file lies that is open, and has been opened by this name. One in the root directory of
 * a process stays below that. */
static bool find_place(int place, const char *name, char real[PATH_MAX])
{
	char root[PATH_MAX], inside[PATH_MAX];
	size_t len = root_len(name);
	const char *rest = NULL;
	int fd;

	if (!len)
		return read_place(place, real);
	fd = open_root(name, len);
	if (fd < 0)
		return false;
	if (read_place(fd, root) && read_place(place, inside))
		rest = rest_below(inside, root);
	close(fd);
	return rest &&
		snprintf(real, PATH_MAX, "%.*s%s%s", (int)len, name, *rest ? "/" : "", rest) <
		PATH_MAX;
}

/* Find a folder as the system sees it. */
static bool find_real(const char *folder, char real[PATH_MAX])
{
	int place = folder ? open_place(folder) : -1;
	bool is_found = place >= 0 && find_place(place, folder, real);

	if (place >= 0)
		close(place);
	return is_found;
}

static bool ends_like_script(const char *path)
{
	static const char *const ends[] = { ".js",  ".mjs", ".cjs", ".jsx", ".ts",    ".mts",
					    ".cts", ".tsx", ".map", ".vue", ".svelte" };
	size_t n = strlen(path);

	for (size_t i = 0; i < ARRAY_LEN(ends); i++)
		if (n > strlen(ends[i]) && strcmp(path + n - strlen(ends[i]), ends[i]) == 0)
			return true;
	return false;
}

/* Whether a path below a folder that may be read is hidden there. */
static bool is_hidden_below(const char *rest)
{
	const char *slash = strrchr(rest, '/'), *name = slash ? slash + 1 : rest;

	if (*name == '.')
		return true;
	return (*rest == '.' || strstr(rest, "/.")) && !ends_like_script(name);
}

/* Whether a path is in a dot folder of the home directory. */
static bool is_hidden_at_home(const char *path)
{
	char home[PATH_MAX];
	const char *rest = find_real(getenv("HOME"), home) ? rest_below(path, home) : NULL;

	return rest && *rest == '.';
}

/* ---- folders ---- */

/* A file, and what the folders say of it. */
struct asked {
	const char *path;
	bool is_at_home; /* in a dot folder of it */
	bool is_allowed, is_hidden;
};

static void look_below(struct asked *asked, const char *folder, bool is_named)
{
	const char *rest = rest_below(asked->path, folder);

	if (!rest)
		return;
	if (is_hidden_below(rest) ||
	    (asked->is_at_home && !(is_named && is_hidden_at_home(folder))))
		asked->is_hidden = true;
	else
		asked->is_allowed = true;
}

static void look_in_options(struct asked *asked, const struct maps_options *o)
{
	char real[PATH_MAX];

	if (getcwd(real, sizeof real) && real[0] == '/' && real[1])
		look_below(asked, real, false);
	if (find_real(o->source_root, real))
		look_below(asked, real, true);
	for (size_t i = 0; i < o->n_moves && !asked->is_allowed; i++) {
		const char *equals = strchr(o->moves[i], '=');

		if (equals && find_real(equals + 1, real))
			look_below(asked, real, true);
	}
}

/* Whether a file is directly in a folder. */
static bool is_file_of(const char *path, const char *folder)
{
	const char *rest = rest_below(path, folder);

	return rest && !strchr(rest, '/');
}

static void look_in_answers(struct asked *asked, struct source_rules *rules)
{
	pthread_mutex_lock(&rules->lock);
	for (size_t i = 0; i < rules->n_folders; i++) {
		const struct source_folder *f = &rules->folders[i];

		if (f->answer == SOURCE_BELOW ||
		    (f->answer == SOURCE_FILES && is_file_of(asked->path, f->path)))
			look_below(asked, f->path, false);
	}
	pthread_mutex_unlock(&rules->lock);
}

static void note_refused(struct source_rules *rules, const struct asked *asked)
{
	str_id id;

	pthread_mutex_lock(&rules->lock);
	id = intern_adds(&rules->refused, asked->path);
	if (!rules->outside && !asked->is_hidden)
		rules->outside = id;
	pthread_mutex_unlock(&rules->lock);
}

/* ---- opening ---- */

/* Whether the file that is open at `place` may be read. */
static enum source_opening judge(const struct maps_options *o, const char *real)
{
	struct asked asked = { .path = real };

	asked.is_at_home = is_hidden_at_home(real);
	look_in_options(&asked, o);
	if (!asked.is_allowed && o->rules)
		look_in_answers(&asked, o->rules);
	if (asked.is_allowed)
		return SOURCE_OPENED;
	asked.is_hidden |= asked.is_at_home;
	if (o->rules)
		note_refused(o->rules, &asked);
	return asked.is_hidden ? SOURCE_HIDDEN : SOURCE_OUTSIDE;
}

enum source_opening source_rules_open(const struct maps_options *options, const char *path, int *fd,
				      struct buf *real, struct error *err)
{
	char where[PATH_MAX] = "", link[40];
	enum source_opening opening = SOURCE_FAILED;
	bool is_own = options->rules && options->rules->is_own;
	struct stat st;
	int place;

	if (options->rules && options->rules->is_off)
		return SOURCE_OFF;
	place = open_place(path);
	if (place < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG))
		return SOURCE_MISSING;
	snprintf(link, sizeof link, FD_PATH, place);
	if (place < 0 || fstat(place, &st) < 0)
		error_errno(err, errno, "%s", path);
	else if (!S_ISREG(st.st_mode))
		error_set(err, ERR_IO, -1, "%s: no regular file", path);
	else if (is_own)
		opening = SOURCE_OPENED;
	else if (!find_place(place, path, where))
		error_errno(err, errno, "%s: where it lies is not known", path);
	else
		opening = judge(options, where);
	if (opening == SOURCE_OPENED &&
	    (*fd = open(link, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)) < 0) {
		error_errno(err, errno, "%s", path);
		opening = SOURCE_FAILED;
	}
	if (place >= 0)
		close(place);
	if (opening == SOURCE_OUTSIDE || opening == SOURCE_HIDDEN)
		buf_adds(real, where);
	return opening;
}

/* ---- the user ---- */

/* Cut off the last part of a path. False: it is a folder of the root directory. */
static bool cut_last(struct buf *path)
{
	char *slash = strrchr(path->data, '/');

	if (!slash || slash == path->data)
		return false;
	path->len = (size_t)(slash - path->data);
	*slash = '\0';
	return true;
}

/* Append the folder of the project of a file. */
static void find_project(const char *real, struct buf *folder)
{
	BUF_LOCAL at = { 0 };
	char home[PATH_MAX];
	bool has_home = find_real(getenv("HOME"), home);

	buf_adds(&at, real);
	if (!cut_last(&at))
		return;
	buf_adds(folder, at.data);
	do {
		BUF_LOCAL file = { 0 };

		buf_addf(&file, "%s/package.json", at.data);
		if ((has_home && strcmp(at.data, home) == 0) || strstr(at.data, "/node_modules"))
			continue;
		if (access(file.data, F_OK) != 0)
			continue;
		buf_clear(folder);
		buf_adds(folder, at.data);
		break;
	} while (cut_last(&at));
	if (has_home && strcmp(folder->data, home) == 0)
		buf_clear(folder);
}

bool source_rules_ask(struct source_rules *rules, const char *real, struct buf *folder)
{
	bool is_wanted = rules && rules->may_ask;

	if (!is_wanted)
		return false;
	pthread_mutex_lock(&rules->lock);
	for (size_t i = 0; i < rules->n_folders; i++)
		is_wanted &= rules->folders[i].answer != SOURCE_NEVER ||
			!rest_below(real, rules->folders[i].path);
	pthread_mutex_unlock(&rules->lock);
	if (is_wanted)
		find_project(real, folder);
	return is_wanted;
}

void source_rules_answer(struct source_rules *rules, const char *folder, enum source_answer answer)
{
	pthread_mutex_lock(&rules->lock);
	rules->folders = xrealloc(rules->folders, rules->n_folders + 1, sizeof *rules->folders);
	rules->folders[rules->n_folders++] = (struct source_folder){ xstrdup(folder), answer };
	pthread_mutex_unlock(&rules->lock);
}

/* The folder that an option would have to name. Nothing: none reads the file. */
static void find_option(const struct source_rules *rules, struct buf *folder)
{
	const char *path;

	if (rules->outside) {
		find_project(intern_text(&rules->refused, rules->outside), folder);
		return;
	}
	path = intern_text(&rules->refused, 1);
	if (strrchr(path, '/')[1] != '.')
		buf_add(folder, path, (size_t)(strrchr(path, '/') - path));
}

void source_rules_tell(struct source_rules *rules, struct buf *out)
{
	BUF_LOCAL folder = { 0 };
	size_t n;

	pthread_mutex_lock(&rules->lock);
	n = rules->refused.n - 1;
	if (n)
		find_option(rules, &folder);
	pthread_mutex_unlock(&rules->lock);
	if (!n)
		return;
	buf_addf(out, "%zu source file%s not read: %s %s", n, n == 1 ? " was" : "s were",
		 n == 1 ? "it is" : "they are",
		 rules->outside ? "not below the current directory" : "hidden");
	if (!folder.len)
		return;
	buf_adds(out, "; --source-root=");
	text_visible(out, folder.data, folder.len);
	buf_addf(out, " reads %s", n == 1 ? "it" : "what is below that");
}

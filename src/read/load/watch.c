/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two lists of files are compared: those that were taken, and those of the last look. Both have the
 * order in which the loader reads.
 *
 * In a directory, a file that is no profile, such as a log, may change all the time: only profiles
 * are in the lists. To know them, a file is opened when it has changed since the last look. */
#include "config.h"

#include "read/load/watch.h"

#include "base/alloc.h"
#include "base/fingerprint.h"
#include "read/load/file_set.h"
#include "read/load/sniff.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct entry {
	char *path;
	struct fingerprint print; /* the identity; empty: not there, or no regular file */
	bool is_profile;
	bool is_named;
};

struct list {
	struct entry *entries;
	size_t n, cap;
};

struct watch {
	struct watch_options options;
	struct list taken, now;
	int64_t changed_ns; /* time of the look at which `now` was different */
	char **folders;
	size_t n_folders, cap_folders;
};

static void list_done(struct list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		fingerprint_done(&list->entries[i].print);
		free(list->entries[i].path);
	}
	free(list->entries);
	*list = (struct list){ 0 };
}

static bool is_same_file(const struct entry *a, const struct entry *b)
{
	return a->print.is_known == b->print.is_known && a->print.device == b->print.device &&
		a->print.inode == b->print.inode && a->print.size == b->print.size &&
		a->print.changed_s == b->print.changed_s &&
		a->print.changed_ns == b->print.changed_ns && strcmp(a->path, b->path) == 0;
}

/* The next entry from *at on that is a profile; NULL: there is none. */
static const struct entry *next_profile(const struct list *list, size_t *at)
{
	while (*at < list->n && !list->entries[*at].is_profile)
		++*at;
	return *at < list->n ? &list->entries[(*at)++] : NULL;
}

static bool is_same_list(const struct list *a, const struct list *b)
{
	const struct entry *x, *y;
	size_t i = 0, k = 0;

	do {
		x = next_profile(a, &i);
		y = next_profile(b, &k);
		if ((x == NULL) != (y == NULL) || (x && !is_same_file(x, y)))
			return false;
	} while (x);
	return true;
}

/* ---- folders ---- */

static void add_folder(struct watch *w, const char *path, size_t len)
{
	char *folder = len ? xstrndup(path, len) : xstrdup(*path == '/' ? "/" : ".");

	for (size_t i = 0; i < w->n_folders; i++)
		if (strcmp(w->folders[i], folder) == 0) {
			free(folder);
			return;
		}
	w->folders = xgrow(w->folders, &w->cap_folders, w->n_folders + 1, sizeof *w->folders);
	w->folders[w->n_folders++] = folder;
}

static void add_folder_of(struct watch *w, const char *path)
{
	const char *slash = strrchr(path, '/');

	add_folder(w, path, slash ? (size_t)(slash - path) : 0);
}

/* The directory of a named file, and that of the file to which it is a link. */
static void add_folders_of(struct watch *w, const char *path)
{
	char *real = realpath(path, NULL);
	struct stat st;

	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
		add_folder(w, path, strlen(path));
	} else {
		add_folder_of(w, path);
		if (real)
			add_folder_of(w, real);
	}
	free(real);
}

static void forget_folders(struct watch *w)
{
	for (size_t i = 0; i < w->n_folders; i++)
		free(w->folders[i]);
	w->n_folders = 0;
}

/* ---- looking ---- */

/* Whether a file of a directory is a profile; what was found at the last look counts as long as the
 * file is the same. *near: where that look probably has it. */
static bool is_profile(const struct watch *w, const struct entry *e, size_t *near)
{
	const struct reader *reader;

	if (w->options.has_format)
		return true;
	for (size_t i = 0; i < w->now.n; i++) {
		size_t at = (*near + i) % w->now.n;

		if (!is_same_file(e, &w->now.entries[at]))
			continue;
		*near = at + 1;
		return w->now.entries[at].is_profile;
	}
	return !sniff_file(e->path, &reader) || reader;
}

static void add_entry(const struct watch *w, struct list *list, const char *path, bool is_named,
		      size_t *near)
{
	struct entry *e;
	struct stat st;

	list->entries = xgrow(list->entries, &list->cap, list->n + 1, sizeof *list->entries);
	e = &list->entries[list->n++];
	*e = (struct entry){ .path = xstrdup(path), .is_named = is_named };
	if (stat(path, &st) == 0)
		fingerprint_begin(&e->print, &st);
	e->is_profile = is_named || is_profile(w, e, near);
}

static void look(struct watch *w, struct list *list)
{
	struct file_set set = { .is_recursive = w->options.is_recursive };
	size_t near = 0;

	forget_folders(w);
	for (int i = 0; i < w->options.n_files; i++) {
		struct error err = ERROR_INIT;

		/* A directory that cannot be read is like one that is not there. */
		if (!file_set_add(&set, w->options.files[i], NULL, &err))
			add_entry(w, list, w->options.files[i], true, &near);
		add_folders_of(w, w->options.files[i]);
	}
	for (size_t i = 0; i < set.n; i++) {
		add_entry(w, list, set.files[i].path, set.files[i].folder == 0, &near);
		if (set.files[i].folder)
			add_folder_of(w, set.files[i].path);
	}
	file_set_done(&set);
}

static const struct entry *find_missing(const struct watch *w)
{
	for (size_t i = 0; i < w->now.n; i++)
		if (w->now.entries[i].is_named && !w->now.entries[i].print.is_known)
			return &w->now.entries[i];
	return NULL;
}

/* A file that was just made, or is about to be written again, is empty. */
static bool has_empty(const struct watch *w)
{
	for (size_t i = 0; i < w->now.n; i++)
		if (w->now.entries[i].is_profile && w->now.entries[i].print.size == 0)
			return true;
	return false;
}

enum watch_news watch_look(struct watch *w, int64_t now_ns)
{
	struct list next = { 0 };
	bool is_changed;

	look(w, &next);
	is_changed = !is_same_list(&w->now, &next);
	list_done(&w->now);
	w->now = next;
	if (is_changed)
		w->changed_ns = now_ns;
	if (find_missing(w))
		return WATCH_GONE;
	if (is_same_list(&w->taken, &w->now))
		return WATCH_SAME;
	return has_empty(w) || now_ns - w->changed_ns < WATCH_QUIET_NS ? WATCH_WAIT : WATCH_READY;
}

void watch_take(struct watch *w)
{
	list_done(&w->taken);
	for (size_t i = 0; i < w->now.n; i++) {
		const struct entry *from = &w->now.entries[i];
		struct entry *to;

		w->taken.entries = xgrow(w->taken.entries, &w->taken.cap, w->taken.n + 1,
					 sizeof *w->taken.entries);
		to = &w->taken.entries[w->taken.n++];
		*to = (struct entry){ .path = xstrdup(from->path),
				      .print = fingerprint_identity(&from->print),
				      .is_profile = from->is_profile,
				      .is_named = from->is_named };
	}
}

void watch_missing(const struct watch *w, struct buf *path)
{
	const struct entry *missing = find_missing(w);

	if (missing)
		buf_adds(path, missing->path);
}

const char *const *watch_folders(const struct watch *w, size_t *n)
{
	*n = w->n_folders;
	return (const char *const *)w->folders;
}

struct watch *watch_new(const struct watch_options *options)
{
	struct watch *w = xcalloc(1, sizeof *w);
	struct list first = { 0 };

	w->options = *options;
	look(w, &first);
	w->now = first;
	watch_take(w);
	return w;
}

void watch_free(struct watch *w)
{
	if (!w)
		return;
	list_done(&w->taken);
	list_done(&w->now);
	forget_folders(w);
	free(w->folders);
	free(w);
}

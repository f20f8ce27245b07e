/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The search below a directory goes level by level, in the order of names, so that what it finds
 * does not depend on the file system. Its limits keep it short in a large tree; symbolic links to
 * directories are not followed, as they may lead back. */
#include "config.h"

#include "read/load/folder.h"

#include "base/alloc.h"
#include "base/text.h"
#include "read/load/sniff.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_FOLDERS 200 /* directories that are looked into, */
#define MOST_FILES 1000  /* files, */
#define MOST_NAMED 3     /* and directories in the message */

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

bool folder_names(const char *path, char ***names, size_t *n, struct error *err)
{
	DIR *dir = opendir(path);
	size_t cap = 0;
	struct dirent *entry;

	*names = NULL;
	*n = 0;
	if (!dir)
		return error_errno(err, errno, "cannot read");
	while ((entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		*names = xgrow(*names, &cap, *n + 1, sizeof **names);
		(*names)[(*n)++] = xstrdup(entry->d_name);
	}
	closedir(dir);
	if (*n)
		qsort(*names, *n, sizeof **names, by_name);
	return true;
}

/* DIR/NAME in `full`. */
static const char *join(struct buf *full, const char *path, const char *name)
{
	buf_clear(full);
	buf_addf(full, "%s%s%s", path, path[strlen(path) - 1] == '/' ? "" : "/", name);
	return buf_text(full);
}

static void free_texts(char **texts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(texts[i]);
	free(texts);
}

/* ---- below a directory ---- */

struct below {
	char **paths; /* directories to look into, from `at` on */
	size_t n, cap, at;
	size_t n_files; /* looked at */
};

static void add_path(struct below *b, const char *path)
{
	b->paths = xgrow(b->paths, &b->cap, b->n + 1, sizeof *b->paths);
	b->paths[b->n++] = xstrdup(path);
}

/* Compressed files tell nothing by their first bytes: their name has to. */
static bool is_profile(const char *path)
{
	const struct reader *reader;

	return sniff_file(path, &reader) ? reader != NULL : strstr(path, ".cpuprofile.") != NULL;
}

/* Whether a directory has a profile itself. Adds the directories in it to the list. */
static bool look_into(struct below *b, const char *path)
{
	struct error err = ERROR_INIT;
	struct buf full = { 0 };
	bool has_profile = false;
	struct stat st;
	char **names;
	size_t n;

	if (!folder_names(path, &names, &n, &err))
		return false;
	for (size_t i = 0; i < n; i++) {
		const char *one = join(&full, path, names[i]);

		if (lstat(one, &st) != 0)
			continue;
		if (S_ISDIR(st.st_mode) && b->n < MOST_FOLDERS)
			add_path(b, one);
		else if (S_ISREG(st.st_mode) && !has_profile && b->n_files++ < MOST_FILES)
			has_profile = is_profile(one);
	}
	free_texts(names, n);
	buf_done(&full);
	return has_profile;
}

bool folder_below(const char *path, struct buf *out)
{
	struct below b = { 0 };
	size_t n_found = 0;

	/* The directory itself was read before. */
	for (add_path(&b, path); b.at < b.n; b.at++) {
		if (!look_into(&b, b.paths[b.at]) || b.at == 0)
			continue;
		if (n_found++ < MOST_NAMED) {
			buf_adds(out, n_found > 1 ? ", " : "");
			text_visible(out, b.paths[b.at], strlen(b.paths[b.at]));
		}
	}
	if (n_found > MOST_NAMED)
		buf_addf(out, " and %zu more", n_found - MOST_NAMED);
	free_texts(b.paths, b.n);
	return n_found > 0;
}

/* ---- all files ---- */

static void add_file(struct folder_tree *tree, const char *path)
{
	tree->is_cut = tree->n == FOLDER_TREE_MOST;
	if (tree->is_cut)
		return;
	tree->paths = xgrow(tree->paths, &tree->cap, tree->n + 1, sizeof *tree->paths);
	tree->paths[tree->n++] = xstrdup(path);
}

/* Add the files of one directory to the tree, and the directories in it to the list. */
static bool add_level(struct folder_tree *tree, struct below *b, const char *path,
		      struct error *err)
{
	struct buf full = { 0 };
	struct stat st;
	char **names;
	size_t n;

	if (!folder_names(path, &names, &n, err))
		return false;
	for (size_t i = 0; i < n && !tree->is_cut; i++) {
		const char *one = join(&full, path, names[i]);

		if (lstat(one, &st) != 0)
			continue;
		if (S_ISREG(st.st_mode))
			add_file(tree, one);
		else if (S_ISDIR(st.st_mode) && strcmp(names[i], "node_modules") != 0)
			add_path(b, one);
	}
	free_texts(names, n);
	buf_done(&full);
	return true;
}

bool folder_tree(const char *path, struct progress *progress, struct folder_tree *tree,
		 struct error *err)
{
	struct error below_err = ERROR_INIT;
	struct below b = { 0 };
	bool ok;

	*tree = (struct folder_tree){ 0 };
	ok = add_level(tree, &b, path, err);
	for (; b.at < b.n && !tree->is_cut; b.at++) {
		if (!progress_add(progress, 0))
			break;
		tree->n_unread += !add_level(tree, &b, b.paths[b.at], &below_err);
	}
	free_texts(b.paths, b.n);
	return ok;
}

void folder_tree_done(struct folder_tree *tree)
{
	free_texts(tree->paths, tree->n);
	*tree = (struct folder_tree){ 0 };
}

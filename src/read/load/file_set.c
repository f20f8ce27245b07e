/* SPDX-License-Identifier: GPL-2.0-or-later */
/* There is one progress for the whole set: all sizes are known before the first file is read. */
#include "config.h"

#include "read/load/file_set.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/progress.h"
#include "base/stream/unpack.h"
#include "base/text.h"
#include "model/build/builder.h"
#include "read/load/file_labels.h"
#include "read/load/load_ahead.h"
#include "read/load/load_file.h"
#include "read/load/rotated.h"
#include "read/reader.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ==== folder ====
 *
 * The search below a directory goes level by level, in the order of names, so that what it finds
 * does not depend on the file system. Its limits keep it short in a large tree; symbolic links to
 * directories are not followed, as they may lead back. */

#define MAX_FOLDERS 200 /* directories that are looked into, */
#define MAX_FILES 1000  /* files, */
#define MAX_NAMED 3     /* and directories in the message */

static void free_texts(char **texts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(texts[i]);
	free(texts);
}

/* The names in a directory without those that begin with a dot, sorted. The caller frees each and
 * the array. False: it cannot be read, and there are none. */
static bool folder_names(const char *path, char ***names, size_t *n, struct error *err)
{
	DIR *dir = opendir(path);
	size_t cap = 0;
	struct dirent *entry;
	int error;

	*names = NULL;
	*n = 0;
	if (!dir)
		return error_errno(err, errno, "cannot read");
	while ((errno = 0, entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		*names = xgrow(*names, &cap, *n + 1, sizeof **names);
		(*names)[(*n)++] = xstrdup(entry->d_name);
	}
	error = errno;
	closedir(dir);
	sort_texts(*names, *n);
	if (!error)
		return true;
	free_texts(*names, *n);
	*n = 0;
	return error_errno(err, error, "cannot read");
}

/* DIR/NAME in `full`. */
static const char *join(struct buf *full, const char *path, const char *name)
{
	buf_clear(full);
	buf_addf(full, "%s%s%s", path, path[strlen(path) - 1] == '/' ? "" : "/", name);
	return buf_text(full);
}

/* ---- below a directory ---- */

struct below {
	char **paths; /* directories to look into, from `at` on */
	size_t n, cap, at;
	size_t n_files; /* looked at */
};

static void add_path(struct below *b, const char *path)
{
	*ARRAY_ADD(b->paths, b->n, b->cap) = xstrdup(path);
}

/* Whether a directory has a profile itself. Adds the directories in it to the list. */
static bool look_into(struct below *b, const char *path)
{
	struct error err = ERROR_INIT;
	BUF_LOCAL full = { 0 };
	const struct reader *reader;
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
		if (S_ISDIR(st.st_mode) && b->n < MAX_FOLDERS)
			add_path(b, one);
		else if (S_ISREG(st.st_mode) && !has_profile && b->n_files++ < MAX_FILES)
			/* Compressed files tell nothing by their first bytes: their name has to. */
			has_profile = sniff_file(one, &reader)
				? reader != NULL
				: strstr(one, ".cpuprofile.") != NULL;
	}
	free_texts(names, n);
	return has_profile;
}

/* Append the directories below `path` that have a profile: the first few, and the number of the
 * others. False: there is none, as far as the search goes. */
static bool folder_below(const char *path, struct buf *out)
{
	struct below b = { 0 };
	size_t n_found = 0;

	/* The directory itself was read before. */
	for (add_path(&b, path); b.at < b.n; b.at++) {
		if (!look_into(&b, b.paths[b.at]) || b.at == 0)
			continue;
		if (n_found++ < MAX_NAMED) {
			buf_adds(out, n_found > 1 ? ", " : "");
			text_visible(out, b.paths[b.at], strlen(b.paths[b.at]));
		}
	}
	if (n_found > MAX_NAMED)
		buf_addf(out, " and %zu more", n_found - MAX_NAMED);
	free_texts(b.paths, b.n);
	return n_found > 0;
}

/* ---- all files ---- */

/* The regular files in a directory and in those below it. */
struct folder_tree {
	char **paths;
	size_t n, cap;
	size_t most;     /* files; 0: any number */
	bool is_cut;     /* there are more */
	size_t n_unread; /* files and directories below that cannot be read */
};

/* Add the files of one directory to the tree, and the directories in it to the list. */
static bool add_level(struct folder_tree *tree, struct below *b, const char *path,
		      struct error *err)
{
	BUF_LOCAL full = { 0 };
	struct stat st;
	char **names;
	size_t n;

	if (!folder_names(path, &names, &n, err))
		return false;
	for (size_t i = 0; i < n && !tree->is_cut; i++) {
		const char *one = join(&full, path, names[i]);

		if (lstat(one, &st) != 0) {
			tree->n_unread += errno != ENOENT;
			continue;
		}
		if (S_ISREG(st.st_mode)) {
			tree->is_cut = tree->most && tree->n == tree->most;
			if (tree->is_cut)
				continue;
			*ARRAY_ADD(tree->paths, tree->n, tree->cap) = xstrdup(one);
		} else if (S_ISDIR(st.st_mode) && strcmp(names[i], "node_modules") != 0) {
			add_path(b, one);
		}
	}
	free_texts(names, n);
	return true;
}

/* Find the files in `path` and below, level by level, in the order of names. Names that begin with
 * a dot, directories called node_modules and symbolic links are left out. progress: reports while
 * directories are read, and may stop that; NULL: none. The caller ends the tree with
 * folder_tree_done(), also after false: `path` cannot be read. */
static bool folder_tree(const char *path, struct progress *progress, struct folder_tree *tree,
			struct error *err)
{
	struct error below_err = ERROR_INIT;
	struct below b = { 0 };
	bool ok;

	ok = add_level(tree, &b, path, err);
	for (; b.at < b.n && !tree->is_cut; b.at++) {
		if (!progress_add(progress, 0))
			break;
		tree->n_unread += !add_level(tree, &b, b.paths[b.at], &below_err);
	}
	free_texts(b.paths, b.n);
	return ok;
}

static void folder_tree_done(struct folder_tree *tree)
{
	free_texts(tree->paths, tree->n);
	*tree = (struct folder_tree){ 0 };
}

/* ==== file set ==== */

#define NAMED_OTHERS 200 /* bytes of file names in a message */

static void add_file(struct file_set *set, const char *path, const struct stat *st, size_t folder)
{
	bool is_regular = st && S_ISREG(st->st_mode);
	int64_t size = is_regular ? (int64_t)st->st_size : 0;

	*ARRAY_ADD(set->files, set->n,
		   set->cap) = (struct set_file){ .path = xstrdup(path),
						  .bytes = size,
						  .argument = set->n_arguments - 1,
						  .folder = folder,
						  .n_parts = 1 };
	if (st && !is_regular)
		set->bytes = -1;
	else if (set->bytes >= 0)
		set->bytes += size;
}

/* Begin a directory, to which the files that are added next belong. */
static struct set_folder *begin_folder(struct file_set *set, const char *path)
{
	*ARRAY_ADD(set->folders, set->n_folders,
		   set->cap_folders) = (struct set_folder){ .path = xstrdup(path) };
	return &set->folders[set->n_folders - 1];
}

/* A directory with those below it counts as one directory. */
static bool add_tree(struct file_set *set, const char *path, struct progress *progress,
		     struct error *err)
{
	struct folder_tree tree = { .most = set->has_no_limit ? 0 : FOLDER_TREE_MAX };
	struct set_folder *folder;
	struct stat st;

	if (!folder_tree(path, progress, &tree, err)) {
		folder_tree_done(&tree);
		return false;
	}
	folder = begin_folder(set, path);
	folder->is_cut = tree.is_cut;
	folder->n_unread = tree.n_unread;
	for (size_t i = 0; i < tree.n; i++) {
		if (progress && progress->is_stopped)
			break;
		if (lstat(tree.paths[i], &st) != 0) {
			folder->n_unread += errno != ENOENT;
		} else if (S_ISREG(st.st_mode)) {
			add_file(set, tree.paths[i], &st, set->n_folders);
			folder->n_files++;
		}
		progress_add(progress, 0);
	}
	folder_tree_done(&tree);
	return true;
}

/* Whether a list of stalls names a recording, or the one whose requests a file has. from: where to
 * begin to look, as the files come in the order of the list. */
static bool is_listed(const struct buf *list, const char *name, size_t *from)
{
	const char *text = buf_text(list), *at, *end = strstr(name, ".cpuprofile");
	size_t len;

	end = end ? end : strstr(name, ".requests.trace.json");
	if (!end)
		return false;
	len = (size_t)(end - name);
	at = memmem(text + *from, list->len - *from, name, len);
	at = at ? at : memmem(text, list->len, name, len);
	*from = at ? (size_t)(at - text) : *from;
	return at != NULL;
}

/* Read the list of stalls of a directory, if it has one. */
static bool read_list(const char *path, struct buf *list)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool ok;

	if (fd < 0)
		return false;
	ok = buf_add_file(list, fd, SIZE_MAX);
	close(fd);
	return ok;
}

static bool add_folder(struct file_set *set, const char *path, struct progress *progress,
		       struct error *err)
{
	BUF_LOCAL full = { 0 }, list = { 0 };
	struct set_folder *folder;
	char **names;
	struct stat st;
	size_t n, from = 0;
	bool has_list;

	if (!folder_names(path, &names, &n, err))
		return false;
	folder = begin_folder(set, path);
	has_list = !set->reader && read_list(join(&full, path, READER_STALLS_LIST), &list);
	for (size_t i = 0; i < n; i++) {
		const char *one = join(&full, path, names[i]);

		if (progress && progress->is_stopped)
			break;
		if (stat(one, &st) != 0) {
			folder->n_unread += errno != ENOENT;
		} else if (S_ISREG(st.st_mode) &&
			   !(has_list && is_listed(&list, names[i], &from))) {
			bool is_list = has_list && strcmp(names[i], READER_STALLS_LIST) == 0;

			add_file(set, one, &st, set->n_folders);
			set->files[set->n - 1].is_list = is_list;
			folder->n_beside += has_list && !is_list;
			folder->n_files++;
		}
		progress_add(progress, 0);
	}
	free_texts(names, n);
	return true;
}

bool file_set_add(struct file_set *set, const char *path, struct progress *progress,
		  struct error *err)
{
	bool is_stdin = strcmp(path, "-") == 0;
	struct stat st;

	set->n_arguments++;
	if (is_stdin || stat(path, &st) != 0) {
		/* The error is reported when the file is loaded. */
		add_file(set, path, NULL, 0);
		if (is_stdin)
			set->bytes = -1;
		return true;
	}
	if (S_ISDIR(st.st_mode))
		return (set->is_recursive ? add_tree : add_folder)(set, path, progress, err);
	add_file(set, path, &st, 0);
	return true;
}

void file_set_again(struct file_set *set)
{
	for (size_t i = 0; i < set->n_folders; i++) {
		struct set_folder *folder = &set->folders[i];

		folder->n_loaded = folder->n_failed = folder->n_other = 0;
		buf_clear(&folder->other);
	}
}

void file_set_done(struct file_set *set)
{
	for (size_t i = 0; i < set->n; i++) {
		fingerprint_done(&set->files[i].print);
		free(set->files[i].path);
	}
	for (size_t i = 0; i < set->n_folders; i++) {
		free(set->folders[i].path);
		buf_done(&set->folders[i].other);
	}
	free(set->files);
	free(set->folders);
	file_labels_done(set);
	*set = (struct file_set){ 0 };
}

/* ---- loading ---- */

static void note_other(struct set_folder *folder, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	folder->n_other++;
	if (folder->other.len + strlen(name) > NAMED_OTHERS)
		return;
	if (folder->other.len)
		buf_adds(&folder->other, ", ");
	buf_adds(&folder->other, name);
}

/* Notes about what was left out of a folder. */
static void note_left_out(const struct set_folder *folder, struct builder *b)
{
	const char *s = folder->n_other == 1 ? "" : "s";

	if (folder->n_other)
		builder_input_note(b, true, "%zu file%s of %s left out, no profile%s: %s",
				   folder->n_other, s, folder->path, s, buf_text(&folder->other));
	if (folder->is_cut)
		builder_input_note(b, true, "%s has more than %d files; the others are left out",
				   folder->path, FOLDER_TREE_MAX);
	if (folder->n_unread)
		builder_input_note(b, true, "%zu %s below %s cannot be read", folder->n_unread,
				   folder->n_unread == 1 ? "entry" : "entries", folder->path);
}

/* Report what was left out of a folder, after its last file. Returns 1 if no file of it was
 * loaded and no error was reported yet. */
static size_t end_folder(const struct file_set *set, const struct set_folder *folder,
			 struct builder *b, struct buf *messages)
{
	const char *where = set->is_recursive ? "this directory and those below it"
					      : "this directory";
	struct error err = ERROR_INIT;
	BUF_LOCAL below = { 0 };

	if (folder->n_loaded)
		note_left_out(folder, b);
	if (folder->n_loaded || folder->n_failed)
		return 0;
	if (folder->is_cut)
		error_set(&err, ERR_LIMIT, -1, "no profile in the first %d files below it",
			  FOLDER_TREE_MAX);
	else if (!set->is_recursive && folder_below(folder->path, &below))
		error_set(&err, ERR_FORMAT, -1,
			  "no profile in this directory; below it in %s (-r reads them)",
			  buf_text(&below));
	else if (folder->n_other)
		error_set(&err, ERR_FORMAT, -1, "no profile in %s: %s", where,
			  buf_text(&folder->other));
	else
		error_set(&err, ERR_FORMAT, -1, "no files in %s", where);
	file_error_line(folder->path, NULL, &err, messages);
	return 1;
}

/* Load a file that may have been read ahead. False: it was not, or reading has been stopped. */
static bool load_small(struct file_set *set, size_t i, struct load_ahead *ahead, struct builder *b,
		       struct progress *progress)
{
	struct set_file *file = &set->files[i];

	if (!load_ahead_has(ahead, i) || !progress_add(progress, 0) ||
	    !load_ahead_give(ahead, i, b, file))
		return false;
	progress->done += file->bytes;
	if (file->folder)
		set->folders[file->folder - 1].n_loaded++;
	return true;
}

/* Returns 1 if the file failed. */
static size_t load_one(struct file_set *set, struct set_file *file, struct builder *b,
		       struct progress *progress, struct buf *messages)
{
	struct load_file_order order = { file->path, set->reader, set->limits };
	struct set_folder *folder = file->folder ? &set->folders[file->folder - 1] : NULL;
	bool is_again = file->print.is_known;
	struct error err = ERROR_INIT;

	if (file->is_list)
		order.reader = &reader_stalls;
	else if (folder && !set->reader && sniff_file(file->path, &order.reader) && !order.reader) {
		note_other(folder, file->path);
		progress_add(progress, 0);
		return 0;
	}
	if (load_file(&order, b, progress, &file->print, &err)) {
		if (file->is_list && folder && folder->n_beside)
			builder_input_note(b, true,
					   "rows for other files beside it, read here: %zu",
					   folder->n_beside);
		if (folder)
			folder->n_loaded++;
		return 0;
	}
	if (folder && err.kind == ERR_UNKNOWN) {
		builder_input_drop(b);
		note_other(folder, file->path);
		return 0;
	}
	if (err.kind == ERR_CANCELLED && progress->is_stopped)
		return 0;
	if (folder)
		folder->n_failed++;
	set->has_lost |= is_again && err.kind == ERR_IO;
	file_error_line(file->path, &file->print, &err, messages);
	/* A file that could not be used is no loss to the next reading. */
	if (err.kind != ERR_CANCELLED)
		fingerprint_done(&file->print);
	return 1;
}

/* The same for files that are one trace. Returns the number of those that failed. */
static size_t load_several(struct file_set *set, struct set_file *files, struct builder *b,
			   struct progress *progress, const char **name, struct buf *messages)
{
	struct rotated parts = { .files = files,
				 .n = files->n_parts,
				 .reader = &reader_trace,
				 .limits = set->limits,
				 .name = name,
				 .messages = messages };

	rotated_load(&parts, b, progress);
	set->has_lost |= parts.has_lost;
	if (files->folder) {
		set->folders[files->folder - 1].n_loaded += parts.n_loaded;
		set->folders[files->folder - 1].n_failed += parts.n_failed;
	}
	return parts.n_failed;
}

size_t file_set_load(struct file_set *set, struct builder *b, struct progress *progress,
		     const char **name, struct buf *messages)
{
	bool can_join = !set->is_joined && (!set->reader || set->reader == &reader_trace);
	size_t n_failed = 0, n_folders = 0;
	struct load_ahead *ahead;
	int64_t done = 0;

	/* Find the files that are one trace, once: the next reading must find the same. */
	for (size_t i = 0, end; can_join && i < set->n; i = end) {
		uint32_t first = set->files[i].argument, n = (uint32_t)set->n_together;

		/* The files of two arguments may be one trace, or not. */
		for (end = i + 1; end < set->n; end++) {
			uint32_t other = set->files[end].argument;

			if (set->is_apart && first != other && (first >= n || other >= n))
				break;
		}
		rotated_find(set->files + i, end - i);
	}
	set->is_joined = true;
	progress->is_set = set->n > 1;
	progress->total = set->bytes;
	progress_start(progress, "Loading", set->bytes);
	ahead = load_ahead_start(set, b);
	for (size_t i = 0, next; i < set->n && !progress->is_stopped; i = next) {
		struct set_file *file = &set->files[i];
		bool is_last;

		next = i + file->n_parts;
		is_last = next == set->n || set->files[next].folder != file->folder;
		*name = file->path;
		file_labels_give(set, file, b);
		if (file->n_parts > 1)
			n_failed += load_several(set, file, b, progress, name, messages);
		else if (!load_small(set, i, ahead, b, progress))
			n_failed += load_one(set, file, b, progress, messages);
		for (size_t k = i; k < next; k++)
			done += set->files[k].bytes;
		/* A failed file was not read to its end. */
		if (set->bytes >= 0)
			progress->done = done;
		if (is_last && file->folder)
			n_failed += end_folder(set, &set->folders[file->folder - 1], b, messages);
	}
	load_ahead_stop(ahead);
	for (; n_folders < set->n_folders && !progress->is_stopped; n_folders++)
		if (set->folders[n_folders].n_files == 0)
			n_failed += end_folder(set, &set->folders[n_folders], b, messages);
	return n_failed;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is in a directory, and below it. */
#ifndef FLAMETTY_LOAD_FOLDER_H
#define FLAMETTY_LOAD_FOLDER_H

#include "base/buf.h"
#include "base/error.h"
#include "base/progress.h"

#include <stdbool.h>
#include <stddef.h>

/* The names in a directory without those that begin with a dot, sorted. The caller frees each and
 * the array. False: it cannot be read, and there are none. */
bool folder_names(const char *path, char ***names, size_t *n, struct error *err);

#define FOLDER_TREE_MOST 10000 /* files */

/* The regular files in a directory and in those below it. */
struct folder_tree {
	char **paths;
	size_t n, cap;
	bool is_cut;     /* there are more than FOLDER_TREE_MOST files */
	size_t n_unread; /* directories below that cannot be read */
};

/* Find the files in `path` and below, level by level, in the order of names. Names that begin with
 * a dot, directories called node_modules and symbolic links are left out. progress: reports while
 * directories are read, and may stop that; NULL: none. The caller ends the tree with
 * folder_tree_done(), also after false: `path` cannot be read. */
bool folder_tree(const char *path, struct progress *progress, struct folder_tree *tree,
		 struct error *err);
void folder_tree_done(struct folder_tree *tree);

/* Append the directories below `path` that have a profile: the first few, and the number of the
 * others. False: there is none, as far as the search goes. */
bool folder_below(const char *path, struct buf *out);

#endif

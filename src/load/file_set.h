/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of one command line: directories become the files in them, and all are loaded one
 * after the other into one builder. */
#ifndef FLAMETTY_LOAD_FILE_SET_H
#define FLAMETTY_LOAD_FILE_SET_H

#include "base/buf.h"
#include "reader/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct set_file {
	char *path;
	int64_t bytes; /* 0: unknown */
	size_t folder; /* number of the directory it was found in, from 1; 0: it was named itself */
};

struct set_folder {
	char *path;
	size_t n_files, n_loaded, n_failed;
	size_t n_other;   /* files that are no profiles */
	struct buf other; /* the names of some of them */
};

struct file_set {
	struct set_file *files;
	size_t n, cap;
	struct set_folder *folders;
	size_t n_folders, cap_folders;
	int64_t bytes; /* of all together; -1: one is a pipe */
};

/* Add a file, a directory or "-". A directory gives its regular files in the order of their names,
 * hidden ones left out, and nothing below it. Fails when a directory cannot be read. */
bool file_set_add(struct file_set *set, const char *path, struct error *err);

/* As if none had been loaded. Paths stay. */
void file_set_again(struct file_set *set);
void file_set_done(struct file_set *set);

/* Load them. Files of a directory that no reader takes are left out, and named in a fact. What else
 * fails is said in `messages`, a line each. name: set to the path of the file being read.
 * Returns how many failed; stops early when progress says so. */
size_t file_set_load(struct file_set *set, const struct reader *forced, struct builder *b,
		     struct progress *progress, const char **name, struct buf *messages);

#endif

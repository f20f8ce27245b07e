/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of one command line. A directory stands for the files in it. All files are loaded
 * one after the other into one builder. */
#ifndef FLAMETTY_READ_LOAD_FILE_SET_H
#define FLAMETTY_READ_LOAD_FILE_SET_H

#include "base/buf.h"
#include "base/error.h"
#include "base/fingerprint.h"
#include "base/progress.h"
#include "base/stream/unpack.h"
#include "read/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct beside;
struct builder;
struct file_labels_plan;

struct set_file {
	char *path;
	struct fingerprint print; /* of the last reading; empty before the first one */
	int64_t bytes;            /* 0: unknown */
	uint32_t argument;        /* number of the call of file_set_add() that added it, from 0 */
	size_t folder;            /* number of its directory, from 1; 0: the user named the file */
	bool is_list;             /* a list of stalls, which stands for the files that it names */
	/* How many files, from this one on, are read as one trace; 0: it is not the
	 * first of them. */
	size_t n_parts;
	/* Of these files, if there are several: their number, and where it is in the path. */
	int64_t number;
	size_t number_at, number_len;
};

struct set_folder {
	char *path;
	size_t n_files, n_loaded, n_failed;
	bool is_cut;      /* it has more files than are searched, */
	size_t n_unread;  /* and files and directories below that cannot be read */
	size_t n_other;   /* files that are not profiles */
	struct buf other; /* the names of some of them */
	size_t n_beside;  /* files beside a list of stalls that it does not name */
};

struct file_set {
	/* How to load the files; the user sets them. */
	const struct reader *reader; /* NULL: choose by the content */
	struct unpack_limits limits; /* see stream_set_unpack_limits() */
	bool is_apart;     /* files of several arguments are never read as one trace (rotated), */
	int n_together;    /* except those of the first arguments, as many as this */
	bool is_recursive; /* a directory adds those below it, too: folder_tree(), */
	bool has_no_limit; /* any number of them */
	const struct file_labels_plan *labels; /* NULL: files have none, and all are wanted */
	struct buf note;                       /* of what they left out */
	struct beside *beside;                 /* of file_labels.c */

	struct set_file *files;
	size_t n, cap;
	struct set_folder *folders;
	size_t n_folders, cap_folders;
	uint32_t n_arguments; /* how often file_set_add() was called */
	int64_t bytes;        /* of all files; -1: one is a pipe */
	bool has_lost;        /* a file that was read before could not be read again */
	bool is_joined;       /* rotated_find() was called */
};

/* Add a file, a directory or "-". A directory adds its regular files in the order of their
 * names, without hidden files, and without subdirectories unless is_recursive. Fails when a
 * directory cannot be read. progress: reports while a directory is read, and may stop that; NULL:
 * none. */
bool file_set_add(struct file_set *set, const char *path, struct progress *progress,
		  struct error *err) MUST_USE;

/* Forget what was loaded, but not the paths and the fingerprints: the next file_set_load() must
 * find the same files. */
void file_set_again(struct file_set *set);
void file_set_done(struct file_set *set);

/* Load all files. Files of a directory whose format is unknown are left out, and named in an
 * input note. Other failures are reported in `messages`, one line each. *name is set to the path
 * of the file that is being read. Returns the number of failures. Stops early when progress says
 * so. */
size_t file_set_load(struct file_set *set, struct builder *b, struct progress *progress,
		     const char **name, struct buf *messages);

#define FOLDER_TREE_MAX 10000 /* files */

#endif

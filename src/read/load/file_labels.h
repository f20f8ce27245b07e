/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Labels of files, such as host and version, by what the command line says and by their paths: they
 * are known before a file is read. */
#ifndef FLAMETTY_READ_LOAD_FILE_LABELS_H
#define FLAMETTY_READ_LOAD_FILE_LABELS_H

#include "base/buf.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct builder;
struct file_set;
struct set_file;

#define FILE_LABELS_FROM_MAX 16 /* of a template */

/* Which labels files get, and which files are wanted. All texts are borrowed. Zeroed: none, and
 * all. */
struct file_labels_plan {
	const char *const *texts; /* KEY=VALUE: a later one replaces an earlier one with its key, */
	size_t n_texts;           /* and all replace those of the template */
	/* By argument: how many of the texts stand before it. Those from n_placed on stand behind
	 * all arguments, and are for all, also for files that are no arguments. NULL: all texts are
	 * for all files. */
	const int *n_before;
	size_t n_arguments, n_placed;
	/* A template, which is compared with the start of a path: below a directory that was named,
	 * or as it was named. `{KEY}` is a label, `{}` any text; of one byte or more, up to what
	 * follows in the template, without a slash. NULL: none. */
	const char *from;
	const char *const *where; /* KEY=VALUE: only files for which all of these hold, */
	size_t n_where;
	int64_t from_s, to_s; /* that began in [from_s, to_s), in seconds since 1970; to_s <=
				 from_s: at any time. The label `time` tells, or the name */
};

/* Whether the texts are valid; if not, err tells what is wrong with which option. */
bool file_labels_check(const struct file_labels_plan *plan, struct error *err) MUST_USE;

/* Give the labels of a file to the inputs that are begun next, and the number of its argument. */
void file_labels_give(const struct file_set *set, const struct set_file *file, struct builder *b);

/* Leave out files that are not wanted, and look for flametty.json beside files from here on: its
 * members are labels, which all others replace. Appends a line for each thing that is wrong to
 * `messages`: no file matches the template, or is wanted; if files of several arguments are runs
 * (is_apart): none of an argument. Returns how many lines. */
size_t file_labels_filter(struct file_set *set, struct buf *messages);

/* The set for file_labels_give() on another thread, which ends with file_labels_done(): what files
 * it has is borrowed. */
struct file_set file_labels_for_thread(const struct file_set *set);

/* Free what the set has for labels. */
void file_labels_done(struct file_set *set);

#endif

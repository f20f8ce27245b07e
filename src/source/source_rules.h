/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which files may be read because a profile or a source map names them. A profile names files as it
 * likes, and lines of them are shown.
 *
 * A file may be read if it lies, all links followed, below one of these folders:
 *   - the current directory, if that is not the root directory
 *   - those of --source-root and --map
 *   - those that the user has allowed in the interface
 * and is not hidden. Hidden are, below such a folder, files whose name begins with a dot, and files
 * in folders whose name does, unless their name ends like that of a script: tools write scripts
 * into `.next` and `.pnpm`. Hidden is also all that is in a dot folder of the home directory,
 * unless --source-root or --map name that folder or one below it.
 *
 * A path below the root directory of a process, /proc/PID/root, as --map has for one in a
 * container, means files of the container, where links lead, too. These rules are the same there.
 *
 * Only regular files are opened. All functions are safe on any thread. */
#ifndef FLAMETTY_SOURCE_SOURCE_RULES_H
#define FLAMETTY_SOURCE_SOURCE_RULES_H

#include "base/buf.h"
#include "base/error.h"
#include "base/intern.h"
#include "model/source_text.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct maps_options;

struct source_folder {
	char *path;
	enum source_answer answer;
};

/* What one run of the program knows beside its options. Set those that are not atomic before there
 * are threads. */
struct source_rules {
	bool is_off;  /* nothing is read */
	bool may_ask; /* the interface asks for folders */
	atomic_bool
		is_own; /* all that is shown, the program has recorded: everything may be read */
	pthread_mutex_t lock;
	struct source_folder *folders;
	size_t n_folders;
	struct intern refused; /* paths of files that were not read */
	str_id outside;        /* the first of them that is not hidden; 0: none */
	atomic_bool has_maps;  /* a source map lies beside one of them */
};

void source_rules_init(struct source_rules *rules);
void source_rules_done(struct source_rules *rules);

enum source_opening {
	SOURCE_OPENED,
	SOURCE_MISSING, /* there is no such file */
	SOURCE_FAILED,  /* it cannot be opened, or is no regular file: err says why */
	SOURCE_OUTSIDE, /* in none of the folders */
	SOURCE_HIDDEN,
	SOURCE_OFF /* nothing may be read */
};

/* Open a file for reading. options->rules: NULL: there are no other folders. *fd: set for
 * SOURCE_OPENED; the caller closes it. real: gets the path of a file that is refused, links
 * followed. */
enum source_opening source_rules_open(const struct maps_options *options, const char *path, int *fd,
				      struct buf *real, struct error *err) MUST_USE;

/* Whether the user is to be asked about a file that is outside. folder: gets that of its project:
 * the nearest one above it with a package.json, else its own; never the root or home directory. */
bool source_rules_ask(struct source_rules *rules, const char *real, struct buf *folder);

/* Take an answer about a folder, which is absolute and without links. */
void source_rules_answer(struct source_rules *rules, const char *folder, enum source_answer answer);

/* Append how many files were not read, and which option reads them; nothing if there are none. */
void source_rules_tell(struct source_rules *rules, struct buf *out);

#endif

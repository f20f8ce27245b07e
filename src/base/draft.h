/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file that gets its name only when it is complete. For base/sink.
 *
 * However the program ends before that, no file is left behind, except if it is killed by SIGKILL
 * on a system where files without a name do not exist. */
#ifndef FLAMETTY_BASE_DRAFT_H
#define FLAMETTY_BASE_DRAFT_H

#include "base/error.h"

#include <stdbool.h>

struct draft;

/* Begin a file that shall be called `path`. is_forced: if there is a file of that name, or if the
 * name is a symbolic link to one, that file is replaced; its mode is kept, and its owner as far as
 * that is permitted. Otherwise publishing fails if there is one. Returns NULL and fills err on
 * failure. */
struct draft *draft_open(const char *path, bool is_forced, struct error *err);

/* The file descriptor to write to. It belongs to the draft. */
int draft_fd(const struct draft *d);

/* Give the complete file its name. To be called once. Returns false and fills err on failure: then
 * the file is lost. */
bool draft_publish(struct draft *d, struct error *err);

/* Free the draft; unless it was published, its file is removed. NULL is allowed. */
void draft_drop(struct draft *d);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that the program keeps for the user, in the folders of the XDG Base Directory
 * Specification. Only regular files are read and written, so that nothing waits: a pipe in the
 * place of a file is an error. */
#ifndef FLAMETTY_CLI_USER_FILE_H
#define FLAMETTY_CLI_USER_FILE_H

#include "base/buf.h"
#include "base/error.h"
#include "ui/line/prompt.h"

#include <stdbool.h>

/* Append the path of a file in flametty's folder for settings (XDG_CONFIG_HOME, ~/.config) or for
 * state (XDG_STATE_HOME, ~/.local/state) or for data (XDG_DATA_HOME, ~/.local/share). False: there
 * is no such folder. */
bool user_file_config(const char *name, struct buf *path);
bool user_file_state(const char *name, struct buf *path);
bool user_file_data(const char *name, struct buf *path);

enum user_file_result { USER_FILE_READ, USER_FILE_MISSING, USER_FILE_FAILED };

/* Append the text of a file of at most `most` bytes; of a longer one, its end if may_cut.
 * USER_FILE_FAILED fills err, without the path. */
enum user_file_result user_file_read(const char *path, size_t most, bool may_cut, struct buf *text,
				     struct error *err) MUST_USE;

/* Replace the file, or make it and its folders; only the user may read it. If it is a symbolic
 * link, the file that it leads to is replaced. The file is never incomplete. */
bool user_file_replace(const char *path, const struct buf *text, struct error *err) MUST_USE;

/* Append the path that the user means by a text: `~/` is the home folder. */
void user_file_expand(const char *text, struct buf *path);

/* Find the files whose paths, as the user types them, begin with `begin`, in no order; directories
 * end with '/'. Hidden ones need a dot in `begin`. Names with control characters are left out. */
void user_file_find(const char *begin, void (*found)(void *ctx, const char *path), void *ctx);

/* Zeroed: no file. */
struct line_history {
	struct buf path; /* empty: lines are not written */
	int n_in_file;
};

/* Read the file, and write to it from then on. No file is an empty one. On failure, false and err:
 * it is not written. */
bool line_history_open(struct line_history *history, const char *path, struct prompt_history *lines,
		       struct error *err) MUST_USE;

static inline void line_history_done(struct line_history *h)
{
	buf_done(&h->path);
	*h = (struct line_history){ 0 };
}

/* Append a line, which is the last of `lines`. The file never has more than `lines` keeps. */
bool line_history_keep(struct line_history *history, const struct prompt_history *lines,
		       const char *line, struct error *err);

#endif

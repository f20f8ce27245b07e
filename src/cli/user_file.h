/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that the program keeps for the user, in the folders of the XDG Base Directory
 * Specification. Only regular files are read and written, so that nothing waits: a pipe in the
 * place of a file is an error. */
#ifndef FLAMETTY_CLI_USER_FILE_H
#define FLAMETTY_CLI_USER_FILE_H

#include "base/buf.h"
#include "base/error.h"
#include "cli/options.h"
#include "term/palette.h"
#include "ui/line/prompt.h"
#include "ui/line/setting.h"

#include <stdbool.h>

/* Append the path of a file in flametty's folder for state (XDG_STATE_HOME, ~/.local/state) or for
 * data (XDG_DATA_HOME, ~/.local/share). False: there is no such folder. */
bool user_file_state(const char *name, struct buf *path);
bool user_file_data(const char *name, struct buf *path);

enum user_file_result { USER_FILE_READ, USER_FILE_MISSING, USER_FILE_FAILED };

/* Append the text of a file of at most `most` bytes; of a longer one, its end if may_cut.
 * USER_FILE_FAILED fills err, without the path. */
enum user_file_result user_file_read(const char *path, size_t most, bool may_cut, struct buf *text,
				     struct error *err) MUST_USE;

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

/* ---- user config ----
 *
 * Files of settings: lines of options (`theme = light`), `set NAME VALUE`, `bind KEYS COMMAND` and
 * comments (`#`). What is wrong in a line is a warning in preferences.warnings and stops nothing.
 *
 * The command line is stronger than a file. */

/* Zeroed: no file. */
struct user_config {
	struct buf path; /* of the file, also if there is none yet; empty: none may be used */
	struct buf text; /* options borrow from it */
};

/* Read the file that the options name or, if is_own, the user's one. False, with err: the options
 * name a file that cannot be read. */
bool user_config_read(struct user_config *config, bool is_own, struct options *options,
		      const struct option_words *words, struct preferences *preferences,
		      struct error *err) MUST_USE;

static inline void user_config_done(struct user_config *c)
{
	buf_done(&c->path);
	buf_done(&c->text);
}

/* Write that into the file. Appends a message for the user, also on failure. */
bool user_config_write(const struct user_config *config, const struct preferences *preferences,
		       struct buf *said);

/* Find the theme called `name`: a word of palette_theme_word(), else a file of that path or, for a
 * name without a slash, in the user's folder of themes. has_file: set if `theme` was read from a
 * file. False: there is none, or the file is not a theme. */
bool theme_option_find(const char *name, enum palette_theme *word, struct theme *theme,
		       bool *has_file, struct error *err) MUST_USE;

#endif

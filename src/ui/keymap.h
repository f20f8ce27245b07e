/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which key runs which command, as one table. A key sequence is one key, or a prefix and a key (`o
 * c`). "keymap bind" in keymap.c changes a copy of the table. */
#ifndef FLAMETTY_UI_KEYMAP_H
#define FLAMETTY_UI_KEYMAP_H

#include "base/buf.h"
#include "base/error.h"
#include "ui/command.h"
#include "ui/key.h"

#include <stdbool.h>
#include <stddef.h>

/* Where a key works. The context with the focus comes before KEYMAP_ANY; while a range is selected,
 * KEYMAP_RANGE comes before KEYMAP_CHART, and in the heat map, KEYMAP_HEAT before KEYMAP_PANE, as
 * KEYMAP_FLEET in the grid of a fleet; on the help screen only KEYMAP_HELP counts, while the prompt
 * is open only KEYMAP_PROMPT. */
enum keymap_context {
	KEYMAP_CHART,
	KEYMAP_PANE,
	KEYMAP_ANY,
	KEYMAP_RANGE,
	KEYMAP_HEAT,
	KEYMAP_FLEET,
	KEYMAP_HELP,
	KEYMAP_PROMPT,
	KEYMAP_CONTEXTS
};

struct binding {
	enum keymap_context context;
	const char *keys; /* as key_from_name() reads them, separated by a blank */
	enum command_id command;
};

/* A table. Zeroed, or NULL in its place: the program's own. keymap_bind_done() frees it. */
struct keymap {
	struct binding *rows; /* NULL: those of the program */
	size_t n;
	char **own; /* key sequences of the user's rows */
	size_t n_own;
};

/* Row i of a table; NULL after the last row. Where two rows are in question, the first one counts.
 */
const struct binding *keymap_row(const struct keymap *map, size_t i);

/* Split a sequence into its keys; *second: KEYC_NONE for a single key. */
void keymap_split(const char *keys, key_code *first, key_code *second);

/* The heading of a context, such as `In the chart`. Static. */
const char *keymap_title(enum keymap_context context);

/* The command of `key` in `context`, or CMD_NONE. prefix: the key pressed before, or KEYC_NONE.
 * *is_prefix: set if the key begins a sequence instead. */
enum command_id keymap_find(const struct keymap *map, enum keymap_context context, key_code prefix,
			    key_code key, bool *is_prefix);

/* Append all key sequences of a command in a context, separated by blanks: `h Left`. Returns their
 * number, which may be 0. */
int keymap_keys(const struct keymap *map, enum keymap_context context, enum command_id command,
		struct buf *out);

/* The first key sequence of a command that works in `context`, as the table has it; "": there is
 * none. Borrowed from the table. */
const char *keymap_first(const struct keymap *map, enum keymap_context context,
			 enum command_id command);

/* What the sequences that begin with `prefix` are for, in a word or two: `transform`. Static. */
const char *keymap_prefix_title(key_code prefix);

/* The i-th sequence that `prefix` begins: its second key and a few words of help. Static. False:
 * there are no more. */
bool keymap_continuation(const struct keymap *map, enum keymap_context context, key_code prefix,
			 size_t i, const char **key, const char **text);

/* Whether a command is for the command line, so that it belongs to the section of this title. */
#define KEYMAP_LINE_TITLE "On the command line (:)"

static inline bool keymap_is_for_line(enum command_id id)
{
	return id == CMD_WRITE_CONFIG || command_get(id)->flags & COMMAND_ARGUMENTS;
}

/* Append the whole table as text, for `flametty keys`. */
void keymap_format(const struct keymap *map, struct buf *out);

/* Let keys run a command wherever the program has keys for that command, and everywhere if it has
 * none. keys: one or two keys, as `F2`, `C-d`, `oc`, `<C-d>x`; rows of other keys that begin the
 * same way go. command: a name, or `none`, which only removes rows. False, with err: there is no
 * such key or command, or the keys are reserved. */
bool keymap_bind(struct keymap *map, const char *keys, const char *command,
		 struct error *err) MUST_USE;

/* Whether two texts mean the same keys, as `C-d` and `<C-d>`. False if one means none. */
bool keymap_same_keys(const char *a, const char *b);

static inline void keymap_bind_done(struct keymap *map)
{
	for (size_t i = 0; i < map->n_own; i++)
		free(map->own[i]);
	free(map->own);
	free(map->rows);
	*map = (struct keymap){ 0 };
}

#endif

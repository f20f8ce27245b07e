/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which key runs which command, as one table. A key sequence is one key, or a prefix and a key (`o
 * c`). */
#ifndef FLAMETTY_UI_KEYMAP_H
#define FLAMETTY_UI_KEYMAP_H

#include "base/buf.h"
#include "ui/command.h"
#include "ui/key.h"

#include <stdbool.h>
#include <stddef.h>

/* Where a key works. The context with the focus comes before KEYMAP_ANY; while a range is selected,
 * KEYMAP_RANGE comes before KEYMAP_CHART; on the help screen only KEYMAP_HELP counts, while the
 * prompt is open only KEYMAP_PROMPT. */
enum keymap_context {
	KEYMAP_CHART,
	KEYMAP_PANE,
	KEYMAP_ANY,
	KEYMAP_RANGE,
	KEYMAP_HELP,
	KEYMAP_PROMPT,
	KEYMAP_CONTEXTS
};

struct binding {
	enum keymap_context context;
	const char *keys; /* as key_from_name() reads them, separated by a blank */
	enum command_id command;
};

/* Row i of the table; NULL after the last row. */
const struct binding *keymap_row(size_t i);

/* The heading of a context, such as `In the chart`. Static. */
const char *keymap_title(enum keymap_context context);

/* The command of `key` in `context`, or CMD_NONE. prefix: the key pressed before, or KEYC_NONE.
 * *is_prefix: set if the key begins a sequence instead. */
enum command_id keymap_find(enum keymap_context context, key_code prefix, key_code key,
			    bool *is_prefix);

/* Append all key sequences of a command in a context, separated by blanks: `h Left`. Returns their
 * number, which may be 0. */
int keymap_keys(enum keymap_context context, enum command_id command, struct buf *out);

/* What the sequences that begin with `prefix` are for, in a word or two: `transform`. Static. */
const char *keymap_prefix_title(key_code prefix);

/* The i-th sequence that `prefix` begins: its second key and a few words of help. Static. False:
 * there are no more. */
bool keymap_continuation(enum keymap_context context, key_code prefix, size_t i, const char **key,
			 const char **text);

/* Whether a command takes words, so that it belongs to the section of this title. */
#define KEYMAP_LINE_TITLE "On the command line (:)"
bool keymap_is_for_line(enum command_id command);

/* Append the whole table as text, for `flametty keys`. */
void keymap_format(struct buf *out);

#endif

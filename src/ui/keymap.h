/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which key does what, as one table. A key sequence is one key, or a prefix and a
 * key (`o c`). */
#ifndef FLAMETTY_UI_KEYMAP_H
#define FLAMETTY_UI_KEYMAP_H

#include "base/buf.h"
#include "ui/command.h"
#include "ui/key.h"

#include <stdbool.h>
#include <stddef.h>

/* Where a key works. What has the focus goes before KEYMAP_ANY; on the help screen
 * only KEYMAP_HELP counts, while a line is typed only KEYMAP_PROMPT. */
enum keymap_context {
	KEYMAP_CHART,
	KEYMAP_PANE,
	KEYMAP_ANY,
	KEYMAP_HELP,
	KEYMAP_PROMPT,
	KEYMAP_CONTEXTS
};

struct binding {
	enum keymap_context context;
	const char *keys; /* as key_from_name() reads them, parted by a blank */
	enum command_id command;
};

/* The whole table; NULL behind its end. */
const struct binding *keymap_row(size_t i);

/* `In the chart`: static text. */
const char *keymap_title(enum keymap_context context);

/* What `key` does in `context`. prefix: the key pressed before, or KEYC_NONE.
 * *is_prefix: set when the key begins a sequence instead. CMD_NONE: nothing. */
enum command_id keymap_find(enum keymap_context context, key_code prefix, key_code key,
			    bool *is_prefix);

/* Append all key sequences of a command in a context: `d`, `h Left`. Nothing for a
 * command without any. Returns how many there are. */
int keymap_keys(enum keymap_context context, enum command_id command, struct buf *out);

/* The i-th sequence that `prefix` begins: its second key, and what it does in a few words. False:
 * there are no more. */
bool keymap_continuation(enum keymap_context context, key_code prefix, size_t i, const char **key,
			 const char **text);

/* Append the whole table as text: `flametty keys`. */
void keymap_format(struct buf *out);

#endif

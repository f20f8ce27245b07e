/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes a copied text to a clipboard. Inside tmux it becomes a buffer of tmux, which passes it on
 * to the terminal (`tmux load-buffer -w -`, without a shell). Otherwise the terminal gets it by the
 * control sequence OSC 52 (xterm, "Manipulate Selection Data"), which many terminals obey, some
 * only if they are configured to, without an answer. Unless the terminal has said that it does
 * (struct input_answers), the text is therefore kept for the end of the program. For loop.c; the
 * terminal must be open. */
#ifndef FLAMETTY_TERM_CLIPBOARD_H
#define FLAMETTY_TERM_CLIPBOARD_H

#include "base/buf.h"

#include <stdbool.h>

/* The longest text, after encoding as base64, that is sent by OSC 52: terminals drop longer ones.
 */
#define CLIPBOARD_BYTES_MAX 100000u

/* Copy `len` bytes of text. has_clipboard: the terminal has said that it obeys OSC 52. Returns
 * where the text went, for the user; static text. */
const char *clipboard_put(const char *text, size_t len, bool has_clipboard);

/* The last text, if it is not certain that it reached a clipboard; empty: there is none. The caller
 * prints it after term_close() and frees it with buf_done(). */
void clipboard_take_unsure(struct buf *out);

#endif

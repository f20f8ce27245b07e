/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The arguments as a line to paste into a shell. */
#ifndef FLAMETTY_OPTIONS_SHELL_H
#define FLAMETTY_OPTIONS_SHELL_H

#include "base/buf.h"

/* Append the arguments, without --keys, --render and --roles, so that options may follow. Nothing
 * if one is standard input, which cannot be read again. */
void options_shell_text(int argc, char **argv, struct buf *out);

#endif

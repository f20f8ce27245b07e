/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scripts that complete the command line in shells, from the table of options. `make install` puts
 * them where the shells look for them. */
#ifndef FLAMETTY_CLI_COMPLETION_H
#define FLAMETTY_CLI_COMPLETION_H

#include "cli/options.h"

/* The name of the i-th shell; NULL: i is past the last one. */
const char *completion_word(unsigned i);

/* Append the script for a shell: a number of completion_word(). */
void completion_format(unsigned shell, const struct option_words *words, struct buf *out);

#endif

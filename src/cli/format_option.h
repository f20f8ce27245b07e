/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --format: whether the command has it. */
#ifndef FLAMETTY_FORMAT_OPTION_H
#define FLAMETTY_FORMAT_OPTION_H

#include "cli/run.h"

/* Check the formats of input and output, which options_parse() cannot know: it says which command
 * it is only when it has ended. Says what is wrong and returns false then.
 * format_word: the words of --format of that command; NULL after the last one. */
bool format_option_check(struct run *run, const char *(*format_word)(unsigned i));

#endif

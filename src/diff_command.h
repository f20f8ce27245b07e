/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `flametty diff`: loads the runs of the command line and compares them. */
#ifndef FLAMETTY_DIFF_COMMAND_H
#define FLAMETTY_DIFF_COMMAND_H

#include "run.h"

/* Load, compare and write, by the options. What failed was said. */
void diff_command(struct run *run);

#endif

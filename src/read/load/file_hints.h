/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the name of a file tells about its content: process, thread, start date. */
#ifndef FLAMETTY_LOAD_FILE_HINTS_H
#define FLAMETTY_LOAD_FILE_HINTS_H

#include "read/reader.h"

/* Fill `hints` from the name in `path`: PREFIX.YYYYMMDD.HHMMSS.PID.TID.SEQ[.EXT] of Node.js, or
 * Deno's CPU.MILLISECONDS.PID[.ANY].cpuprofile. Other names give no hints. */
void file_hints_parse(const char *path, struct file_hints *hints);

#endif

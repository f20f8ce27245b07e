/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A short name of a process, by its command line: `npm run build`, `node server.js`, `vite build`.
 */
#ifndef FLAMETTY_BASE_COMMAND_NAME_H
#define FLAMETTY_BASE_COMMAND_NAME_H

#include "base/buf.h"
#include "base/str.h"

/* Append the short form of a command line, whose words are separated by blanks or NUL: programs
 * without their folder; of a runtime of JavaScript, what it runs, without the runtime's own
 * options; programs of packages by the name that users call them by; arguments as far as there is
 * room. At most about 40 bytes. Control characters are as in the command line. */
void command_name(struct buf *out, struct str command);

#endif

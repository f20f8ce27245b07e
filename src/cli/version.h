/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of --version: the version, what it was built with, and what is inside. */
#ifndef FLAMETTY_CLI_VERSION_H
#define FLAMETTY_CLI_VERSION_H

#include "base/buf.h"

/* Append it. The first line is `flametty VERSION`. */
void version_format(struct buf *out);

#endif

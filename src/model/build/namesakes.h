/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of inputs and lanes that differ from each other. */
#ifndef FLAMETTY_BUILD_NAMESAKES_H
#define FLAMETTY_BUILD_NAMESAKES_H

#include "model/profile.h"

/* Set `name` of all inputs, and shows_tid, shows_file and `name` of all lanes, which must be in
 * order. */
void namesakes_resolve(struct profile *profile);

#endif

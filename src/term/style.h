/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The style of each role in each mode: of the theme, or of few colours. Pure. */
#ifndef FLAMETTY_TERM_STYLE_H
#define FLAMETTY_TERM_STYLE_H

#include "term/palette.h"

/* The style of a role (below ROLE_COUNT), without regard to flags. */
struct style style_of(const struct palette *palette, unsigned role);

#endif

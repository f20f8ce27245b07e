/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a file is that no reader takes, for the message that says so. */
#ifndef FLAMETTY_LOAD_NOT_A_PROFILE_H
#define FLAMETTY_LOAD_NOT_A_PROFILE_H

#include "json/outline.h"

#include <stddef.h>

/* A sentence about a document that is JSON; static text. */
const char *not_a_profile_json(const struct outline *outline);

/* The same from the first bytes of what is no JSON; NULL: may be JSON. */
const char *not_a_profile_bytes(const char *text, size_t len);

#endif

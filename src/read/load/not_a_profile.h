/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names files that are not profiles, for the error message. */
#ifndef FLAMETTY_LOAD_NOT_A_PROFILE_H
#define FLAMETTY_LOAD_NOT_A_PROFILE_H

#include "base/json/outline.h"

#include <stddef.h>

/* Describe a JSON document. Static text. */
const char *not_a_profile_json(const struct outline *outline);

/* Describe a file by its first bytes. NULL: it may be JSON. */
const char *not_a_profile_bytes(const char *text, size_t len);

#endif

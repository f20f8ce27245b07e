/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of roles that come from the model. */
#include "config.h"

#include "draw/role.h"

#include "model/frame.h"

#include <assert.h>

static_assert(ROLE_CNAMES == FRAME_COLORS - 1, "each reserved colour has a role");

const char *role_cname(unsigned i)
{
	return frame_color_name(i + 1);
}

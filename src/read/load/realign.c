/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Only the folder build/ changes profiles; this is its door for the program. */
#include "config.h"

#include "read/load/realign.h"

#include "model/build/align.h"

bool realign_is_possible(const struct profile *p, bool is_own, struct error *err)
{
	return align_can_switch(p, is_own, err);
}

bool realign(struct profile *p, bool is_own, struct error *err)
{
	if (!align_can_switch(p, is_own, err))
		return false;
	align_switch(p, is_own);
	return true;
}

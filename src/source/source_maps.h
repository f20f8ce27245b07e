/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gives the functions of a loaded profile the names of their sources, where there are source maps.
 */
#ifndef FLAMETTY_SOURCE_SOURCE_MAPS_H
#define FLAMETTY_SOURCE_SOURCE_MAPS_H

#include "model/profile.h"
#include "source/maps.h"

/* Look for maps, and show the profile by the names of sources if there are any: the other names are
 * in profile->other. What is wrong with maps becomes a warning of the first input, and each map
 * that is used a note. */
void source_maps_use(struct profile *profile, const struct maps_options *options);

#endif

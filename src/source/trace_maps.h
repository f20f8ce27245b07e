/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the source maps that a trace brings with it (`metadata.sourceMaps`), once it is loaded:
 * only those of scripts that are in the profile. */
#ifndef FLAMETTY_LOAD_TRACE_MAPS_H
#define FLAMETTY_LOAD_TRACE_MAPS_H

#include "base/buf.h"
#include "model/profile.h"
#include "source/maps.h"

struct trace_maps {
	struct maps_given *list;
	size_t n, cap;
	size_t n_unused; /* maps of scripts that no function of the profile is from */
};

/* Read the maps of all inputs. messages: a line for each that cannot be read: the input is not
 * there any more, was a pipe, or has more than 256 MB of maps. */
void trace_maps_read(struct trace_maps *maps, const struct profile *profile, struct buf *messages);
void trace_maps_done(struct trace_maps *maps);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A picture of a profile in SVG: a flame chart in time order, or a flame graph of merged calls. It
 * needs no other file and no network. Names are text: what XML does not permit is replaced. */
#ifndef FLAMETTY_WRITE_EXPORT_EXPORT_SVG_H
#define FLAMETTY_WRITE_EXPORT_EXPORT_SVG_H

#include "write/export/export.h"

/* Each line ends with a line break. */
extern const char svg_style[], svg_script[];

struct svg_picture_plan {
	size_t bytes_most; /* limit of its length, about */
	bool is_inside;    /* an element of a page, which brings the script */
};

void svg_picture_write(const struct profile *profile, const struct export_options *options,
		       const struct svg_picture_plan *plan, struct sink *sink);

#endif

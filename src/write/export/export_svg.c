/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The picture as a file of its own, with its script. */
#include "config.h"

#include "write/export/svg_picture.h"

#define BYTES_MOST 9500000

static void svg_write(const struct profile *p, const struct export_options *options,
		      struct sink *sink)
{
	static const struct svg_picture_plan plan = { .bytes_most = BYTES_MOST };

	svg_picture_write(p, options, &plan, sink);
}

const struct export_format export_svg = {
	.name = "svg",
	.help = "a picture: the flame chart, or with --merged a flame graph",
	.opens = "any web browser",
	.write = svg_write,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The style sheet and the script of a picture in SVG. The picture is complete without them. */
#ifndef FLAMETTY_EXPORT_SVG_SCRIPT_H
#define FLAMETTY_EXPORT_SVG_SCRIPT_H

/* Each line ends with a line break. */
extern const char svg_style[], svg_script[];

#endif

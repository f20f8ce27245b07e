/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The style sheet and the script of a page in HTML. The page is complete without them. */
#ifndef FLAMETTY_EXPORT_HTML_SCRIPT_H
#define FLAMETTY_EXPORT_HTML_SCRIPT_H

/* Each line ends with a line break. */
extern const char html_style[], html_script[];

/* The hashes of html_script and svg_script with which the page permits these scripts and no others;
 * tests/valid.py compares them, and prints what they must be. */
#define HTML_SCRIPT_HASH "sha256-kqV1E9NMpb/1oizc0skwkjZri6uKJr/fOFJhfIDcqHA="
#define HTML_SVG_SCRIPT_HASH "sha256-I6JRFHqEyZ4+TaFlyjNNCnJ7DKEOACb0Zb93h5Vjj6E="

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A call tree as nested elements <details>, which open without a script. */
#ifndef FLAMETTY_REPORT_HTML_TREE_H
#define FLAMETTY_REPORT_HTML_TREE_H

#include "write/report/page.h"

/* Append the section: top-down, the calls with their callees; bottom-up, the functions with their
 * callers. Rows of little time are left out, and counted. */
void html_tree(struct page *page, enum rows_kind kind);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the page says about the lanes that its other tables are not about. */
#ifndef FLAMETTY_REPORT_PAGE_SLICES_H
#define FLAMETTY_REPORT_PAGE_SLICES_H

#include "write/report/page.h"

/* `4 of 128 lanes have samples; tables are about them`; nothing if the tables are about all lanes.
 */
void page_slices_note(const struct gathered *gathered, struct buf *out);

/* The slices by thread, if the other tables are about samples; then the number of lanes that are in
 * no table. */
void page_slices(struct page *page);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stands on the page, from its header to the warnings. */
#ifndef FLAMETTY_WRITE_REPORT_PAGE_BODY_H
#define FLAMETTY_WRITE_REPORT_PAGE_BODY_H

#include "write/report/page.h"

/* Gather what the page needs. */
void page_body_gather(struct gathered *gathered, const struct scoped *scoped,
		      const struct report_options *options);
void page_body(struct page *page);

/* Its parts, for a page that has more between them: the header with the findings, of a file without
 * calls all except warnings; and the tables of calls, if there are any. The warnings, which come
 * last, are page_header_warnings(). */
void page_body_begin(struct page *page);
void page_body_tables(struct page *page);

/* `4 of 128 lanes have samples; tables are about them`; nothing if the tables are about all lanes.
 */
void page_slices_note(const struct gathered *gathered, struct buf *out);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the summary pane says about the work of a browser: times by kind of work and by origin. */
#ifndef FLAMETTY_UI_PANE_SUMMARY_WORK_H
#define FLAMETTY_UI_PANE_SUMMARY_WORK_H

#include "ui/pane/summary_page.h"

/* Find page->work: of the thread of the pane, or of the page if there are several. */
void summary_work_find(struct page_text *page);

/* Add one line: `scripting 212 ms 51 %  rendering 9 ms 2 %`, as much of it as there is room for. */
void summary_work_line(struct page_text *page);

/* Add the same as a section with a bar for each kind; a section by origin, if there are several. */
void summary_work_table(struct page_text *page);
void summary_work_origins(struct page_text *page);

/* Add what is known of the pages (standout_pages()), with a heading unless is_brief. */
void summary_work_vitals(struct page_text *page, bool is_brief);

#endif

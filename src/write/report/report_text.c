/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `report`: a page short enough for a message. */
#include "config.h"

#include "write/report/page_body.h"

static uint64_t text_write(const struct scoped *scoped, const struct report_options *options,
			   struct sink *sink)
{
	struct gathered g;
	struct page page = { .g = &g,
			     .unit = scoped->profile->unit,
			     .form = &page_text,
			     .out = sink_buf(sink) };

	page_body_gather(&g, scoped, options);
	page_body(&page);
	gather_done(&g);
	return 0;
}

const struct report report_text = { "text", "a short page for people", text_write };

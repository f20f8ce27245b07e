/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A value that is not known is written as null, never left out. */
#include "config.h"

#include "write/report/json_out.h"

#include "model/profile.h"

/* Functions without a URL are distinguished by their script. */
void json_out_frame(struct json_writer *w, const struct profile *p, const struct frame *f)
{
	json_put(w, json_out_string("name", p, f->name), json_out_string("url", p, f->url),
		 json_out_string("script", p, f->url ? 0 : f->script),
		 json_known("line", f->line, f->line > 0),
		 json_known("column", f->column, f->column > 0),
		 json_string("category", category_name(f->category)),
		 json_out_string("package", p, f->package),
		 json_if(f->event, json_out_string("event", p, f->event)));
}

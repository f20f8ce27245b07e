/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A value that is not known is written as null, never left out. */
#include "config.h"

#include "write/report/json_out.h"

#include "base/text.h"
#include "model/profile.h"

#include <inttypes.h>

void json_out_value(struct buf *out, const struct profile *p, int64_t ns)
{
	uint64_t abs = ns < 0 ? (uint64_t)0 - (uint64_t)ns : (uint64_t)ns;

	if (!amount_is_time(&p->unit)) {
		buf_addf(out, "%" PRId64, amount_number(&p->unit, ns));
		return;
	}
	buf_addf(out, "%s%" PRIu64, ns < 0 ? "-" : "", abs / 1000);
	if (abs % 1000)
		buf_addf(out, ".%03u", (unsigned)(abs % 1000));
}

void json_out_name(struct buf *out, const struct profile *p, const char *name)
{
	/* There may be millions of them. */
	buf_adds(out, name);
	buf_adds(out, amount_member_end(&p->unit));
	buf_adds(out, "\": ");
}

void json_out_member(struct buf *out, const struct profile *p, const char *name, int64_t ns)
{
	json_out_name(out, p, name);
	json_out_value(out, p, ns);
}

void json_out_text(struct buf *out, const char *text, size_t len)
{
	buf_addc(out, '"');
	text_json(out, text, len);
	buf_addc(out, '"');
}

void json_out_string(struct buf *out, const struct profile *p, str_id id)
{
	if (id)
		json_out_text(out, profile_text(p, id), intern_len(&p->strings, id));
	else
		buf_adds(out, "null");
}

void json_out_known(struct buf *out, int64_t value, bool is_known)
{
	if (is_known)
		buf_addf(out, "%" PRId64, value);
	else
		buf_adds(out, "null");
}

void json_out_frame(struct buf *out, const struct profile *p, const struct frame *f)
{
	buf_adds(out, "\"name\": ");
	json_out_string(out, p, f->name);
	buf_adds(out, ", \"url\": ");
	json_out_string(out, p, f->url);
	buf_adds(out, ", \"script\": ");
	/* Functions without a URL are distinguished by their script. */
	json_out_string(out, p, f->url ? 0 : f->script);
	buf_adds(out, ", \"line\": ");
	json_out_known(out, f->line, f->line > 0);
	buf_adds(out, ", \"column\": ");
	json_out_known(out, f->column, f->column > 0);
	buf_addf(out, ", \"category\": \"%s\", \"package\": ", category_name(f->category));
	json_out_string(out, p, f->package);
}

void json_out_in_script(struct buf *out, const struct profile *p, frame_id id)
{
	const struct frame *f = other_names_of(p, id);

	if (!f)
		return;
	buf_adds(out, ", \"in_script\": {\"name\": ");
	json_out_string(out, p, f->name);
	buf_adds(out, ", \"url\": ");
	json_out_string(out, p, f->url);
	buf_adds(out, ", \"line\": ");
	json_out_known(out, f->line, f->line > 0);
	buf_adds(out, ", \"column\": ");
	json_out_known(out, f->column, f->column > 0);
	buf_addc(out, '}');
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of a profile in JSON. A value that is not known is written as null, never left out. */
#ifndef FLAMETTY_WRITE_REPORT_JSON_OUT_H
#define FLAMETTY_WRITE_REPORT_JSON_OUT_H

#include "base/json/json_writer.h"
#include "model/profile.h"

/* A value of the profile: of times, microseconds; of bytes or counts, their number.
 * json_out_member(): the key `self` becomes `self_us` where values are times. */
static inline struct json_item json_out_value(const struct profile *p, const char *key, int64_t ns)
{
	return amount_is_time(&p->unit) ? json_us(key, ns)
					: json_integer(key, amount_number(&p->unit, ns));
}

static inline struct json_item json_out_member(const struct profile *p, const char *key, int64_t ns)
{
	struct json_item item = json_out_value(p, key, ns);

	item.key_end = amount_member_end(&p->unit);
	return item;
}

/* A string of the profile; id 0 is the empty text. json_out_string(): id 0 is written as null. */
static inline struct json_item json_out_text(const char *key, const struct profile *p, str_id id)
{
	return json_text(key, profile_text(p, id), intern_len(&p->strings, id));
}

static inline struct json_item json_out_string(const char *key, const struct profile *p, str_id id)
{
	return id ? json_out_text(key, p, id) : json_raw(key, "null");
}

/* The labels of an input, as an object. */
static inline void json_out_labels(struct json_writer *w, const char *key, const struct profile *p,
				   uint32_t set)
{
	struct label label;

	json_put(w, json_begin(key, "{"));
	for (size_t i = 0; labels_get(&p->labels, set, i, &label); i++)
		json_put(w,
			 json_out_text(profile_text(p, p->labels.keys[label.key].name), p,
				       label.value));
	json_put(w, json_end("}"));
}

/* The members of a function: name, url, script, line, column, category, package. Functions without
 * a URL are distinguished by their script. */
static inline void json_out_frame(struct json_writer *w, const struct profile *p,
				  const struct frame *f)
{
	json_put(w, json_out_string("name", p, f->name), json_out_string("url", p, f->url),
		 json_out_string("script", p, f->url ? 0 : f->script),
		 json_known("line", f->line, f->line > 0),
		 json_known("column", f->column, f->column > 0),
		 json_string("category", category_name(f->category)),
		 json_out_string("package", p, f->package),
		 json_if(f->event, json_out_string("event", p, f->event)));
}

#endif

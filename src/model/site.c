/* SPDX-License-Identifier: GPL-2.0-or-later */
/* There is no list of suffixes: the rule is right for most hosts, and the same in each version. */
#include "config.h"

#include "model/site.h"

#include <ctype.h>

struct str site_host(const char *url)
{
	size_t scheme = strncmp(url, "http://", 7) == 0 ? 7 : strncmp(url, "https://", 8) ? 0 : 8;

	return (struct str){ url + scheme, scheme ? strcspn(url + scheme, "/?#") : 0 };
}

struct str site_of(struct str host)
{
	size_t end = 0, at, before = SIZE_MAX, labels = 0;

	/* An address of version 6 is in brackets; others end with a digit. */
	if (host.len && host.p[0] == '[')
		return host;
	while (end < host.len && host.p[end] != ':')
		end++;
	if (end && isdigit((unsigned char)host.p[end - 1]))
		return (struct str){ host.p, end };
	for (at = end; at > 0; at--) {
		if (host.p[at - 1] != '.')
			continue;
		labels++;
		if (labels == 2 && !(end - before <= 2 && before - 1 - at <= 3))
			break;
		if (labels == 3)
			break;
		before = at;
	}
	return (struct str){ host.p + at, end - at };
}

str_id site_page(const struct profile *p)
{
	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (p->lanes[i].is_page_main && site_host(profile_text(p, p->lanes[i].page)).len)
			return p->lanes[i].page;
	return 0;
}

bool site_is_other(const struct profile *p, str_id page, str_id origin)
{
	struct str a, b;

	if (!page || !origin)
		return false;
	a = site_of(site_host(profile_text(p, page)));
	b = site_of((struct str){ profile_text(p, origin), intern_len(&p->strings, origin) });
	return a.len != b.len || memcmp(a.p, b.p, a.len) != 0;
}

void site_set_origins(struct frame_table *frames, struct intern *strings)
{
	str_id url = 0, origin = 0;

	for (frame_id i = 1; i < frames->n; i++) {
		struct frame *f = &frames->frames[i];
		struct str host;

		/* Most functions have the url of the one before. */
		if (f->url != url) {
			host = site_host(intern_text(strings, f->url));
			origin = host.len ? intern_add(strings, host.p, host.len) : 0;
			url = f->url;
		}
		f->origin = origin;
	}
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sites: whether the code of a url is of the page itself, or of a third party. */
#ifndef FLAMETTY_MODEL_SITE_H
#define FLAMETTY_MODEL_SITE_H

#include "base/str.h"
#include "model/profile.h"

/* The host of a url of the web, with its port: `cdn.shop.example:8080`. Empty: it is none. */
struct str site_host(const char *url);

/* The site that a host belongs to: its last two labels, or three where the last one has two letters
 * and the one before at most three, as `shop.co.uk`. Addresses are sites of their own. */
struct str site_of(struct str host);

/* The url of the page that the profile is about, if it is of the web; 0: there is none. */
str_id site_page(const struct profile *profile);

/* Whether an origin is not of the site of the page. Either may be 0: false. */
bool site_is_other(const struct profile *profile, str_id page, str_id origin);

/* Set the origins of all frames. */
void site_set_origins(struct frame_table *frames, struct intern *strings);

#endif

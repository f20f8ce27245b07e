/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists that are searched linearly: people set a handful of things. */
#include "config.h"

#include "ui/line/preferences.h"

#include "base/alloc.h"
#include "ui/keymap.h"

#include <stdlib.h>
#include <string.h>

void preferences_done(struct preferences *p)
{
	for (size_t i = 0; i < p->n_set; i++) {
		free(p->set[i].name);
		free(p->set[i].value);
	}
	free(p->set);
	prompt_history_done(&p->lines);
	keymap_bind_done(&p->keymap);
	buf_done(&p->warnings);
	*p = (struct preferences){ 0 };
}

static void remember(struct preferences *p, const char *name, const char *value, bool is_bind,
		     bool is_new)
{
	size_t at = 0;

	while (at < p->n_set &&
	       (p->set[at].is_bind != is_bind || strcmp(p->set[at].name, name) != 0))
		at++;
	if (at == p->n_set) {
		p->set = xrealloc(p->set, p->n_set + 1, sizeof *p->set);
		p->set[p->n_set++] = (struct preference){ .name = xstrdup(name),
							  .is_bind = is_bind };
	}
	free(p->set[at].value);
	p->set[at].value = xstrdup(value);
	p->set[at].is_new |= is_new;
}

void preferences_set(struct preferences *p, const char *name, const char *value, bool is_new)
{
	remember(p, name, value, false, is_new);
}

bool preferences_bind(struct preferences *p, const char *keys, const char *command, bool is_new,
		      struct error *err)
{
	if (!keymap_bind(&p->keymap, keys, command, err))
		return false;
	remember(p, keys, command, true, is_new);
	return true;
}

const char *preferences_get(const struct preferences *p, const char *name)
{
	for (size_t i = 0; i < p->n_set; i++)
		if (!p->set[i].is_bind && strcmp(p->set[i].name, name) == 0)
			return p->set[i].value;
	return NULL;
}

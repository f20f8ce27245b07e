/* SPDX-License-Identifier: GPL-2.0-or-later */
/* terminfo does not tell which private modes a terminal knows: the family does, by its name. */
#include "config.h"

#include "term/description.h"

#include "base/alloc.h"
#include "base/text.h"
#include "term/tty.h"

#include <curses.h>
#include <string.h>
#include <term.h>

#define NAME_CELLS 60 /* of a type in messages */

static bool knows_modes(const char *name)
{
	static const char *const families[] = { "xterm",     "tmux",    "screen",  "foot",
						"alacritty", "kitty",   "wezterm", "rxvt",
						"konsole",   "gnome",   "vte",     "iterm",
						"contour",   "ghostty", "mintty",  "st-",
						"putty",     "mlterm" };

	for (size_t i = 0; i < ARRAY_LEN(families); i++)
		if (!strncmp(name, families[i], strlen(families[i])))
			return true;
	return false;
}

/* The name comes from the environment, so it may contain anything. */
static bool complain(const char *before, const char *name, const char *after, struct error *err)
{
	struct buf text = { 0 };

	text_fit(&text, name, strlen(name), NAME_CELLS);
	error_set(err, ERR_IO, -1, "%s \"%s\" (TERM)%s", before, buf_text(&text), after);
	buf_done(&text);
	return false;
}

bool description_find(const char *name, int out_fd, struct description *d, struct error *err)
{
	int found;
	bool can_move;

	if (!name || !*name)
		return error_set(err, ERR_IO, -1,
				 "the type of the terminal is not known: TERM is not set");
	if (setupterm(name, out_fd, &found) == ERR)
		return complain("there is no description of the terminal", name, "", err);
	can_move = tty_has_capability("cup");
	d->can_ask = can_move && !strncmp(tigetstr("cup"), "\033[", 2);
	d->knows_modes = knows_modes(name);
	del_curterm(cur_term);
	return can_move || complain("the terminal", name, " cannot place its cursor", err);
}

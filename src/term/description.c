/* SPDX-License-Identifier: GPL-2.0-or-later */
/* terminfo does not tell which private modes a terminal knows: the family does, by its name.
 *
 * A description inside the program gets the name of the terminal, so TERM can stay as it is. */
#include "config.h"

#include "term/description.h"

#include "base/alloc.h"
#include "base/text.h"
#include "term/builtin.h"
#include "term/tty.h"

#include <curses.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>

#define NAME_CELLS 60 /* of a type in messages, */
#define NOTE_CELLS 30 /* and in a note */

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

/* ---- drawing without curses ---- */

static bool is_text(const char *capability, const char *text)
{
	return tty_has_capability(capability) && !strcmp(tigetstr(capability), text);
}

/* Whether a capability with two numbers gives this text. */
static bool gives(const char *capability, long a, long b, const char *text)
{
	const char *made;

	if (!tty_has_capability(capability))
		return false;
	made = tparm(tigetstr(capability), a, b, 0L, 0L, 0L, 0L, 0L, 0L, 0L);
	return made && !strcmp(made, text);
}

/* Whether a capability gives the sequence `CSI 5 final` for the number 5. from: the number that
 * means the first column or row. */
static bool counts(const char *capability, long from, char final)
{
	char text[] = { '\033', '[', '5', final, '\0' };

	return gives(capability, 5 - from, 0, text);
}

static bool resets_by_sgr(void)
{
	const char *text = tty_has_capability("sgr0") ? tigetstr("sgr0") : "";

	return strstr(text, "\033[m") || strstr(text, "\033[0m");
}

/* Whether the colours of the terminal have the numbers that everybody uses. */
static bool has_usual_colors(int n)
{
	if (n < 8)
		return true;
	if (!is_text("op", "\033[39;49m"))
		return false;
	if (!(gives("setaf", 1, 0, "\033[31m") && gives("setab", 1, 0, "\033[41m")) &&
	    !(gives("setaf", 1, 0, "\033[38;5;1m") && gives("setab", 1, 0, "\033[48;5;1m")))
		return false;
	/* Direct colours are written in more than one way; terminals take all of them. */
	if (n < 16 || n >= 1 << 24)
		return true;
	if (!gives("setaf", 9, 0, "\033[91m") && !gives("setaf", 9, 0, "\033[38;5;9m"))
		return false;
	return n < 256 || gives("setaf", 100, 0, "\033[38;5;100m");
}

static bool has_what_is_needed(void)
{
	return gives("cup", 4, 9, "\033[5;10H") && is_text("ed", "\033[J") && is_text("cr", "\r") &&
		is_text("cud1", "\n") && is_text("cub1", "\b") && resets_by_sgr() &&
		is_text("bold", "\033[1m") && is_text("smul", "\033[4m") &&
		is_text("rev", "\033[7m") && tigetflag("msgr") > 0 &&
		(tigetflag("am") <= 0 || tigetflag("xenl") > 0) && tigetnum("xmc") <= 0 &&
		tigetnum("ncv") <= 0 && has_usual_colors(tigetnum("colors"));
}

/* Many terminals call themselves xterm and do not repeat characters: mosh, those of JetBrains, old
 * ones of others. Curses does not use it for UTF-8, so this does not show elsewhere. */
static bool can_repeat(const char *name)
{
	return strncmp(name, "xterm", 5) != 0 && gives("rep", 'x', 5, "x\033[4b");
}

static struct caps find_caps(const char *name)
{
	struct caps caps = {
		.attrs = PAINT_BOLD | PAINT_UNDERLINE | PAINT_REVERSE,
		.bce = tigetflag("bce") > 0,
		.rep = can_repeat(name),
		.ech = counts("ech", 0, 'X'),
		.el = is_text("el", "\033[K"),
		.cuf = counts("cuf", 0, 'C'),
		.cub = counts("cub", 0, 'D'),
		.hpa = counts("hpa", 1, 'G'),
		.vpa = counts("vpa", 1, 'd'),
		.cuu = counts("cuu", 0, 'A'),
		.cud = counts("cud", 0, 'B'),
		.ri = is_text("ri", "\033M"),
		.ich = counts("ich", 0, '@'),
		.dch = counts("dch", 0, 'P'),
		.il = counts("il", 0, 'L'),
		.dl = counts("dl", 0, 'M'),
	};

	if (is_text("dim", "\033[2m"))
		caps.attrs |= PAINT_DIM;
	return caps;
}

/* ---- the type ---- */

/* The name comes from the environment, so it may contain anything. */
static bool complain(const char *before, const char *name, const char *after, struct error *err)
{
	struct buf text = { 0 };

	text_fit(&text, name, strlen(name), NAME_CELLS);
	error_set(err, ERR_IO, -1, "%s \"%s\" (TERM)%s", before, buf_text(&text), after);
	buf_done(&text);
	return false;
}

/* The user's TERMINFO, while another one is lent. */
static char *terminfo_before;

void description_lend(const struct description *d, const char *name)
{
	const char *before = getenv("TERMINFO");
	struct buf value = { 0 };

	if (!d->builtin)
		return;
	free(terminfo_before);
	terminfo_before = before ? xstrdup(before) : NULL;
	builtin_terminfo(d->builtin, name, &value);
	setenv("TERMINFO", value.data, 1);
	buf_done(&value);
}

void description_take_back(const struct description *d)
{
	if (!d->builtin)
		return;
	if (terminfo_before)
		setenv("TERMINFO", terminfo_before, 1);
	else
		unsetenv("TERMINFO");
	free(terminfo_before);
	terminfo_before = NULL;
}

/* Have curses read the description; it is in cur_term then. */
static bool set_up(const char *name, int out_fd, struct description *d)
{
	int found;
	bool is_good;

	d->builtin = NULL;
	if (setupterm(name, out_fd, &found) != ERR)
		return true;
	d->builtin = builtin_kind(name);
	if (!d->builtin)
		return false;
	description_lend(d, name);
	is_good = setupterm(name, out_fd, &found) != ERR;
	description_take_back(d);
	return is_good;
}

bool description_find(const char *name, int out_fd, bool is_utf8, struct description *d,
		      struct error *err)
{
	bool can_move;

	if (!name || !*name)
		return error_set(err, ERR_IO, -1,
				 "the type of the terminal is not known: TERM is not set");
	if (!set_up(name, out_fd, d))
		return complain("there is no description of the terminal", name,
				"; try TERM=xterm-256color", err);
	can_move = tty_has_capability("cup");
	d->can_ask = can_move && !strncmp(tigetstr("cup"), "\033[", 2);
	d->knows_modes = knows_modes(name);
	d->can_encode = d->knows_modes && is_utf8 && has_what_is_needed();
	d->caps = find_caps(name);
	del_curterm(cur_term);
	return can_move || complain("the terminal", name, " cannot place its cursor", err);
}

void description_note(const struct description *d, const char *name, struct buf *note)
{
	buf_clear(note);
	if (!d->builtin || !name)
		return;
	buf_adds(note, "terminfo has no \"");
	text_fit(note, name, strlen(name), NOTE_CELLS);
	buf_addf(note, "\" (TERM) here; the built-in %s is used", d->builtin);
}

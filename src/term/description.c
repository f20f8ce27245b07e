/* SPDX-License-Identifier: GPL-2.0-or-later */
/* terminfo does not tell which private modes a terminal knows: the family does, by its name.
 *
 * A description inside the program gets the name of the terminal, so TERM can stay as it is. */
#include "config.h"

#include "term/description.h"

#include "base/alloc.h"
#include "base/text.h"
#include "term/input.h"
#include "term/tty.h"

#include <curses.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>

/* ==== builtin ====
 *
 * A description is a list of capabilities by their names, so that a reader can compare it with what
 * infocmp prints. curses says at which place of a compiled entry a capability stands: its tables
 * boolnames, numnames and strnames. Only what drawing and keys need is there. */

#define MAGIC 0432

/* ---- descriptions ---- */

/* Lists end with a zeroed one. */
struct capability {
	const char *name;
	const char *text; /* NULL: a number, or a Boolean that is true */
	int number;
};

/* What all terminals that follow ECMA-48 have. */
static const struct capability ecma_48[] = {
	{ "am", NULL, 1 },
	{ "xenl", NULL, 1 },
	{ "msgr", NULL, 1 },
	{ "cols", NULL, 80 },
	{ "lines", NULL, 24 },
	{ "it", NULL, 8 },
	{ "bel", "\a", 0 },
	{ "cr", "\r", 0 },
	{ "ind", "\n", 0 },
	{ "ht", "\t", 0 },
	{ "cud1", "\n", 0 },
	{ "cub1", "\b", 0 },
	{ "cuf1", "\033[C", 0 },
	{ "cuu1", "\033[A", 0 },
	{ "ri", "\033M", 0 },
	{ "cup", "\033[%i%p1%d;%p2%dH", 0 },
	{ "home", "\033[H", 0 },
	{ "ed", "\033[J", 0 },
	{ "el", "\033[K", 0 },
	{ "cub", "\033[%p1%dD", 0 },
	{ "cuf", "\033[%p1%dC", 0 },
	{ "cuu", "\033[%p1%dA", 0 },
	{ "cud", "\033[%p1%dB", 0 },
	{ "csr", "\033[%i%p1%d;%p2%dr", 0 },
	{ "clear", "\033[H\033[J", 0 },
	{ "bold", "\033[1m", 0 },
	{ "smul", "\033[4m", 0 },
	{ "rmul", "\033[24m", 0 },
	{ "rev", "\033[7m", 0 },
	{ "smso", "\033[7m", 0 },
	{ "rmso", "\033[27m", 0 },
	{ "sc", "\0337", 0 },
	{ "rc", "\0338", 0 },
	{ "kbs", "\177", 0 },
	{ 0 },
};

static const struct capability application_keys[] = {
	{ "smkx", "\033[?1h\033=", 0 },
	{ "rmkx", "\033[?1l\033>", 0 },
	{ "kcuu1", "\033OA", 0 },
	{ "kcud1", "\033OB", 0 },
	{ "kcuf1", "\033OC", 0 },
	{ "kcub1", "\033OD", 0 },
	{ 0 },
};

static const struct capability edit_keys[] = {
	{ "kpp", "\033[5~", 0 },   { "knp", "\033[6~", 0 }, { "kich1", "\033[2~", 0 },
	{ "kdch1", "\033[3~", 0 }, { "kcbt", "\033[Z", 0 }, { 0 },
};

static const struct capability function_keys[] = {
	{ "kf1", "\033OP", 0 },
	{ "kf2", "\033OQ", 0 },
	{ "kf3", "\033OR", 0 },
	{ "kf4", "\033OS", 0 },
	{ "kf5", "\033[15~", 0 },
	{ "kf6", "\033[17~", 0 },
	{ "kf7", "\033[18~", 0 },
	{ "kf8", "\033[19~", 0 },
	{ "kf9", "\033[20~", 0 },
	{ "kf10", "\033[21~", 0 },
	{ "kf11", "\033[23~", 0 },
	{ "kf12", "\033[24~", 0 },
	{ 0 },
};

static const struct capability insert_and_delete[] = {
	{ "ich", "\033[%p1%d@", 0 }, { "dch", "\033[%p1%dP", 0 },
	{ "dch1", "\033[P", 0 },     { "il", "\033[%p1%dL", 0 },
	{ "il1", "\033[L", 0 },      { "dl", "\033[%p1%dM", 0 },
	{ "dl1", "\033[M", 0 },      { 0 },
};

static const struct capability columns_and_rows[] = {
	{ "bce", NULL, 1 },
	{ "ech", "\033[%p1%dX", 0 },
	{ "hpa", "\033[%i%p1%dG", 0 },
	{ "vpa", "\033[%i%p1%dd", 0 },
	{ 0 },
};

static const struct capability window[] = {
	{ "smcup", "\033[?1049h", 0 },
	{ "rmcup", "\033[?1049l", 0 },
	{ "civis", "\033[?25l", 0 },
	{ "cnorm", "\033[?25h", 0 },
	{ "sgr0", "\033[m", 0 },
	{ "dim", "\033[2m", 0 },
	{ 0 },
};

static const struct capability colors_256[] = {
	{ "colors", NULL, 256 },
	{ "pairs", NULL, 32767 },
	{ "op", "\033[39;49m", 0 },
	{ "setaf", "\033[%?%p1%{8}%<%t3%p1%d%e%p1%{16}%<%t9%p1%{8}%-%d%e38;5;%p1%d%;m", 0 },
	{ "setab", "\033[%?%p1%{8}%<%t4%p1%d%e%p1%{16}%<%t10%p1%{8}%-%d%e48;5;%p1%d%;m", 0 },
	{ 0 },
};

static const struct capability xterm_own[] = {
	{ "khome", "\033OH", 0 },
	{ "kend", "\033OF", 0 },
	{ 0 },
};

/* tmux and screen erase in the default background. */
static const struct capability screen_own[] = {
	{ "khome", "\033[1~", 0 },
	{ "kend", "\033[4~", 0 },
	{ 0 },
};

/* The console of Linux: no other screen, few colours, another look of the cursor. */
static const struct capability linux_own[] = {
	{ "colors", NULL, 8 },
	{ "pairs", NULL, 64 },
	{ "ncv", NULL, 18 },
	{ "op", "\033[39;49m", 0 },
	{ "setaf", "\033[3%p1%dm", 0 },
	{ "setab", "\033[4%p1%dm", 0 },
	{ "sgr0", "\033[m\017", 0 },
	{ "civis", "\033[?25l\033[?1c", 0 },
	{ "cnorm", "\033[?25h\033[?0c", 0 },
	{ "kcuu1", "\033[A", 0 },
	{ "kcud1", "\033[B", 0 },
	{ "kcuf1", "\033[C", 0 },
	{ "kcub1", "\033[D", 0 },
	{ "khome", "\033[1~", 0 },
	{ "kend", "\033[4~", 0 },
	{ 0 },
};

static const struct capability vt100_own[] = {
	{ "sgr0", "\033[m\017", 0 },
	{ "rmul", "\033[m", 0 },
	{ "rmso", "\033[m", 0 },
	{ 0 },
};

/* The first list that has a capability counts. A description is that of all terminals whose names
 * begin with one of `terminals`, followed by their end or one of `-`, `.` and `+`. */
static const struct whole {
	const char *name;
	const struct capability *lists[10]; /* up to NULL, as */
	const char *terminals[24];
} wholes[] = {
	{ "xterm-256color",
	  { xterm_own, ecma_48, insert_and_delete, columns_and_rows, window, colors_256,
	    application_keys, edit_keys, function_keys },
	  { "xterm",       "alacritty",  "contour", "foot",    "ghostty", "gnome",
	    "iterm",       "iterm2",     "kitty",   "konsole", "mintty",  "mlterm",
	    "ms-terminal", "nsterm",     "putty",   "rio",     "rxvt",    "st",
	    "stterm",      "terminator", "vte",     "wezterm", "zellij" } },
	{ "screen-256color",
	  { screen_own, ecma_48, insert_and_delete, window, colors_256, application_keys, edit_keys,
	    function_keys },
	  { "tmux", "screen" } },
	{ "linux",
	  { linux_own, ecma_48, insert_and_delete, columns_and_rows, edit_keys },
	  { "linux" } },
	{ "vt100",
	  { vt100_own, ecma_48, application_keys },
	  { "vt100", "vt102", "vt220", "ansi" } },
};

/* ---- terminals ---- */

/* The description that fits a terminal, as `xterm-256color`; NULL: none. Static. */
static const char *builtin_kind(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(wholes); i++)
		for (const char *const *of = wholes[i].terminals; *of; of++)
			if (strncmp(name, *of, strlen(*of)) == 0 &&
			    strchr("-.+", name[strlen(*of)]))
				return wholes[i].name;
	return NULL;
}

void builtin_list(struct buf *out)
{
	for (size_t i = 0; i < ARRAY_LEN(wholes); i++)
		buf_addf(out, "%s%s", i > 0 ? ", " : "", wholes[i].name);
}

/* ---- compiled entries ---- */

static const struct capability *find(const struct whole *of, const char *name)
{
	for (const struct capability *const *list = of->lists; *list; list++)
		for (const struct capability *c = *list; c->name; c++)
			if (strcmp(c->name, name) == 0)
				return c;
	return NULL;
}

static int count_used(const struct whole *of, NCURSES_CONST char *const *names)
{
	int n = 0;

	for (int i = 0; names[i]; i++)
		if (find(of, names[i]))
			n = i + 1;
	return n;
}

/* Two bytes, the lower one first; -1: the capability is absent. */
static void add_short(struct buf *out, int value)
{
	unsigned bits = (unsigned)value & 0xffff;

	buf_addc(out, (char)(bits & 0xff));
	buf_addc(out, (char)(bits >> 8));
}

static void add_entry(const struct whole *of, const char *name, struct buf *out)
{
	int n_flags = count_used(of, boolnames), n_numbers = count_used(of, numnames),
	    n_texts = count_used(of, strnames);
	size_t name_len = strlen(name) + 1;
	BUF_LOCAL texts = { 0 }, offsets = { 0 };

	for (int i = 0; i < n_texts; i++) {
		const struct capability *c = find(of, strnames[i]);

		add_short(&offsets, c ? (int)texts.len : -1);
		if (c)
			buf_add(&texts, c->text, strlen(c->text) + 1);
	}
	add_short(out, MAGIC);
	add_short(out, (int)name_len);
	add_short(out, n_flags);
	add_short(out, n_numbers);
	add_short(out, n_texts);
	add_short(out, (int)texts.len);
	buf_add(out, name, name_len);
	for (int i = 0; i < n_flags; i++)
		buf_addc(out, find(of, boolnames[i]) ? 1 : 0);
	/* Numbers are aligned to two bytes. */
	if ((name_len + (size_t)n_flags) % 2 != 0)
		buf_addc(out, 0);
	for (int i = 0; i < n_numbers; i++) {
		const struct capability *c = find(of, numnames[i]);

		add_short(out, c ? c->number : -1);
	}
	if (offsets.len > 0)
		buf_add(out, offsets.data, offsets.len);
	if (texts.len > 0)
		buf_add(out, texts.data, texts.len);
}

/* Append the value of TERMINFO that gives the terminal `name` a description that builtin_kind() has
 * returned. */
static void builtin_terminfo(const char *kind, const char *name, struct buf *out)
{
	BUF_LOCAL entry = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(wholes); i++)
		if (strcmp(wholes[i].name, kind) == 0)
			add_entry(&wholes[i], name, &entry);
	buf_adds(out, "hex:");
	for (size_t i = 0; i < entry.len; i++)
		buf_addf(out, "%02X", (unsigned)(unsigned char)entry.data[i]);
}

/* ==== description ==== */

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

/* ---- what the terminal can do ---- */

/* Whether a capability with two numbers gives this text. */
static bool gives(const char *capability, long a, long b, const char *text)
{
	bool has_padding = tigetflag("xon") <= 0;
	const char *made;

	if (!tty_has_capability(capability))
		return false;
	made = tparm(tigetstr(capability), a, b, 0L, 0L, 0L, 0L, 0L, 0L, 0L);
	while (made && *made && (*made == *text || !strncmp(made, "$<", 2))) {
		if (*made == *text)
			text++, made++;
		else if (has_padding || !strchr(made, '>'))
			return false;
		else
			made = strchr(made, '>') + 1;
	}
	return made && !*made && !*text;
}

static bool is_text(const char *capability, const char *text)
{
	return gives(capability, 0, 0, text);
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

	return strstr(text, "\033[m") || strstr(text, "\033[0m") || strstr(text, "\033[0;10m");
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

/* For struct caps. Curses leaves the padding out where the terminal needs none. */
static struct buf *added;

static int add_char(int c)
{
	buf_addc(added, (char)c);
	return c;
}

static bool add_capability(const char *capability, int a, int b, struct buf *out)
{
	if (!tty_has_capability(capability))
		return false;
	added = out;
	tputs(tparm(tigetstr(capability), (long)a, (long)b, 0L, 0L, 0L, 0L, 0L, 0L, 0L), 1,
	      add_char);
	return true;
}

/* The bits of `ncv` stand for other attributes than curses has. */
static void find_attributes(struct caps *caps)
{
	static const struct {
		const char *name, *text;
		unsigned bit;
		int uncolored; /* the bit of ncv */
	} attributes[] = { { "bold", "\033[1m", PAINT_BOLD, 32 },
			   { "dim", "\033[2m", PAINT_DIM, 16 },
			   { "smul", "\033[4m", PAINT_UNDERLINE, 2 },
			   { "rev", "\033[7m", PAINT_REVERSE, 4 } };
	int ncv = tigetnum("ncv");

	for (size_t i = 0; i < ARRAY_LEN(attributes); i++) {
		bool is_usual = is_text(attributes[i].name, attributes[i].text);

		if (!tty_has_capability(attributes[i].name))
			continue;
		if (!is_usual && attributes[i].bit != PAINT_DIM)
			caps->text = add_capability;
		if (is_usual || caps->text)
			caps->attrs |= (uint8_t)attributes[i].bit;
		if (ncv > 0 && ncv & attributes[i].uncolored)
			caps->uncolored |= (uint8_t)attributes[i].bit;
	}
	if (tigetnum("xmc") > 0) /* each change takes a cell */
		caps->attrs = 0;
}

/* Whether it has none. */
static bool is_usual(const struct caps *caps)
{
	const unsigned needed = PAINT_BOLD | PAINT_UNDERLINE | PAINT_REVERSE;

	return !caps->text && !caps->by_locale && !caps->wraps && !caps->no_steps &&
		(caps->attrs & needed) == needed && tigetnum("ncv") <= 0;
}

static struct caps find_caps(const char *name)
{
	struct caps caps = {
		.bce = tigetflag("bce") > 0,
		/* Many terminals call themselves xterm and do not repeat characters: mosh, those of
		 * JetBrains, old ones of others. Curses does not use it for UTF-8, so this does not
		 * show elsewhere. */
		.rep = strncmp(name, "xterm", 5) != 0 && gives("rep", 'x', 5, "x\033[4b"),
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
		.wraps = tigetflag("am") > 0 && tigetflag("xenl") <= 0,
		.no_steps = !is_text("cr", "\r") || !is_text("cud1", "\n") ||
			!is_text("cub1", "\b"),
		.no_off = is_text("rmul", "\033[m"),
		.no_msgr = tigetflag("msgr") <= 0,
	};

	caps.cuf &= !caps.no_msgr; /* it is used inside of a stretch of one look */
	if (!gives("cup", 4, 9, "\033[5;10H") || !is_text("ed", "\033[J") || !resets_by_sgr() ||
	    caps.no_msgr || !has_usual_colors(tigetnum("colors")))
		caps.text = add_capability;
	find_attributes(&caps);
	return caps;
}

/* ---- the type ---- */

/* The name comes from the environment, so it may contain anything. */
static bool complain(const char *before, const char *name, const char *after, struct error *err)
{
	BUF_LOCAL text = { 0 };

	text_fit(&text, name, strlen(name), NAME_CELLS);
	error_set(err, ERR_IO, -1, "%s \"%s\" (TERM)%s", before, buf_text(&text), after);
	return false;
}

/* The user's TERMINFO, while another one is lent. */
static char *terminfo_before;

void description_lend(const struct description *d, const char *name)
{
	const char *before = getenv("TERMINFO");
	BUF_LOCAL value = { 0 };

	if (!d->builtin)
		return;
	free(terminfo_before);
	terminfo_before = before ? xstrdup(before) : NULL;
	builtin_terminfo(d->builtin, name, &value);
	setenv("TERMINFO", value.data, 1);
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
	d->caps = find_caps(name);
	d->caps.by_locale = !is_utf8;
	d->is_usual = d->knows_modes && is_usual(&d->caps);
	d->n_colors = tty_has_capability("setaf") && tty_has_capability("setab") &&
			tigetnum("colors") > 0
		? tigetnum("colors")
		: 0;
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

/* ==== utf8 ====
 *
 * A sign takes one column if the terminal has UTF-8, and two or more in every character set in
 * which its bytes are characters. It stands below the first row, where the answer could be a key.
 * Only terminals that know the question are asked. */

#define SIGN_QUESTION "\033[2;1H\342\224\274\033[6n"
#define SIGN_COL 2 /* after the sign */

static struct {
	bool is_asked, is_shown;
	const char *note;
} utf8;

void utf8_ask(const struct description *d)
{
	utf8.is_shown = false;
	utf8.is_asked = d->can_ask;
	if (!utf8.is_asked)
		return;
	tty_write(SIGN_QUESTION, strlen(SIGN_QUESTION));
	input_asked(INPUT_PLACE);
}

bool utf8_is_asked(void)
{
	return utf8.is_asked;
}

bool utf8_is_shown(void)
{
	return utf8.is_shown;
}

const char *utf8_take_note(void)
{
	const char *note = utf8.note;

	utf8.note = NULL;
	return note;
}

bool utf8_take(void)
{
	int col = input_answers()->col;

	if (!utf8.is_asked || (!col && input_due_ns()))
		return false;
	utf8.is_asked = false;
	utf8.is_shown = col == SIGN_COL;
	utf8.note = utf8.is_shown ? NULL
		: col ? "LANG is not set, and the terminal shows no UTF-8: ASCII is drawn"
		      : "LANG is not set, and the terminal does not say whether it has UTF-8: "
			"ASCII is drawn; --utf8";
	return true;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A theme begins as a copy of the dark theme. Each line changes it at once; `base` replaces all of
 * it, so it must come first. */
#include "config.h"

#include "term/theme_file.h"

#include "base/alloc.h"
#include "base/text.h"
#include "term/theme.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define WORD_MAX 32

struct parser {
	struct theme *theme;
	struct error *err;
	int line;
	bool has_colors;     /* a line before this one set a colour */
	const char *p, *end; /* what is left of the line */
};

/* ---- words ---- */

static void skip_blanks(struct parser *parser)
{
	while (parser->p < parser->end && isspace((unsigned char)*parser->p))
		parser->p++;
}

/* The next word, up to a blank or `=`. False: there is none, or it is too long. */
static bool take_name(struct parser *parser, char word[WORD_MAX])
{
	size_t n = 0;

	skip_blanks(parser);
	while (parser->p < parser->end && !isspace((unsigned char)*parser->p) &&
	       *parser->p != '=') {
		if (n + 1 == WORD_MAX)
			return false;
		word[n++] = *parser->p++;
	}
	word[n] = '\0';
	return n > 0;
}

static bool complain(struct parser *parser, const char *what, const char *word)
{
	struct buf text = { 0 };

	text_fit(&text, word, strlen(word), WORD_MAX);
	error_set(parser->err, ERR_SYNTAX, -1, "%d: %s '%s'", parser->line, what, buf_text(&text));
	buf_done(&text);
	return false;
}

static bool parse_color(const char *word, int32_t *rgb)
{
	size_t n = strlen(word), digits = strspn(word + (*word == '#'), "0123456789abcdefABCDEF");
	unsigned long v;
	char *end;

	if (*word == '#' && digits + 1 == n && (n == 7 || n == 4)) {
		v = strtoul(word + 1, NULL, 16);
		*rgb = (int32_t)(n == 7 ? v
					: (v >> 8 & 15) * 0x110000 + (v >> 4 & 15) * 0x1100 +
						 (v & 15) * 0x11);
	} else {
		v = strtoul(word, &end, 10);
		if (!isdigit((unsigned char)*word) || *end || v < 16 || v > 255)
			return false;
		*rgb = color_of_256((int32_t)v);
	}
	/* Direct-colour terminals take smaller ones for numbers. */
	if (*rgb < 8)
		*rgb = STYLE_BLACK;
	return true;
}

/* The colours up to the end of the line, at most `most`; at least one. */
static bool take_colors(struct parser *parser, int32_t *rgb, unsigned most, unsigned *n)
{
	char word[WORD_MAX];

	*n = 0;
	while (skip_blanks(parser), parser->p < parser->end) {
		if (!take_name(parser, word))
			return complain(parser, "no colour", parser->p[0] == '=' ? "=" : word);
		if (*n == most)
			return complain(parser, "one colour too many,", word);
		if (!parse_color(word, &rgb[(*n)++]))
			return complain(parser, "no colour", word);
	}
	return *n > 0 || complain(parser, "no colour", "");
}

/* ---- lines ---- */

static bool take_base(struct parser *parser)
{
	const struct theme *theme;
	char word[WORD_MAX];

	if (parser->has_colors)
		return complain(parser, "this must come before all colours:", "base");
	if (!take_name(parser, word))
		word[0] = '\0';
	for (unsigned i = 0; (theme = theme_nth(i)); i++) {
		if (!strcmp(theme->name, word)) {
			*parser->theme = *theme;
			return true;
		}
	}
	return complain(parser, "no theme", word);
}

static bool take_hues(struct parser *parser, enum theme_owner owner)
{
	unsigned role = owner == THEME_OWN ? ROLE_FRAME : ROLE_DEPENDENCY;
	struct theme_hues hues = { 0 };

	if (!take_colors(parser, hues.rgb, ROLE_HUES, &hues.n))
		return false;
	memset(&parser->theme->is_kept[role], true, ROLE_HUES);
	parser->theme->hues[owner] = parser->theme->direct_hues[owner] = hues;
	return true;
}

/* `TAB_ACTIVE` is written tab-active. */
static bool is_role(const char *role, const char *word)
{
	for (; *role && *word; role++, word++)
		if (*word != (*role == '_' ? '-' : (char)tolower((unsigned char)*role)))
			return false;
	return *role == *word;
}

/* A reserved colour of traces. False: there is none with this name. */
static bool take_cname(struct parser *parser, const char *word, bool *is_ok)
{
	unsigned n;

	for (unsigned i = 0; i < ROLE_CNAMES; i++) {
		if (!is_role(role_cname(i), word))
			continue;
		parser->theme->is_kept[ROLE_CNAME + i] = true;
		*is_ok = take_colors(parser, &parser->theme->cnames[i], 1, &n);
		return true;
	}
	return false;
}

/* `cname = off`, or on. */
static bool take_cnames(struct parser *parser)
{
	char word[WORD_MAX];

	if (!take_name(parser, word))
		word[0] = '\0';
	parser->theme->ignores_cnames = !strcmp(word, "off");
	return parser->theme->ignores_cnames || !strcmp(word, "on") ||
		complain(parser, "on or off, not", word);
}

static bool take_role(struct parser *parser, const char *word)
{
	static const char *const names[ROLE_FRAME] = {
#define NAME(name, letter) [ROLE_##name] = #name,
		ROLE_LIST(NAME)
#undef NAME
	};
	int32_t rgb[2];
	unsigned n, role = 0;
	struct style *style;
	bool is_ok;

	if (take_cname(parser, word, &is_ok))
		return is_ok;
	while (role < ROLE_FRAME && !is_role(names[role], word))
		role++;
	if (role == ROLE_FRAME || role == ROLE_PAGE || role == ROLE_LABEL)
		return complain(parser, "no role", word);
	if (!take_colors(parser, rgb, 2, &n))
		return false;
	style = &parser->theme->styles[role];
	parser->theme->is_kept[role] = true;
	if (role >= ROLE_IDLE || style->ink == style->fill) {
		*style = (struct style){ rgb[0], rgb[0], STYLE_AUTO, style->attrs };
	} else if (style->fill >= 0) {
		style->fill = rgb[0];
		style->on_fill = STYLE_AUTO;
	} else {
		style->ink = rgb[0];
	}
	if (n == 2)
		style->on_fill = rgb[1];
	return true;
}

static bool take_line(struct parser *parser)
{
	char word[WORD_MAX];
	unsigned n;

	skip_blanks(parser);
	if (parser->p == parser->end || *parser->p == '#')
		return true;
	if (!take_name(parser, word))
		return complain(parser, "no role at the start of the line", "");
	skip_blanks(parser);
	if (parser->p == parser->end || *parser->p != '=')
		return complain(parser, "no = after", word);
	parser->p++;
	if (!strcmp(word, "base"))
		return take_base(parser);
	parser->has_colors = true;
	if (!strcmp(word, "page"))
		return take_colors(parser, &parser->theme->page, 1, &n);
	if (!strcmp(word, "own"))
		return take_hues(parser, THEME_OWN);
	if (!strcmp(word, "cname"))
		return take_cnames(parser);
	if (!strcmp(word, "dependency"))
		return take_hues(parser, THEME_DEPENDENCY);
	return take_role(parser, word);
}

bool theme_file_parse(const char *text, size_t len, struct theme *theme, struct error *err)
{
	struct parser parser = { .theme = theme, .err = err };
	const char *end = text + len;

	*theme = *theme_for(false, false);
	for (const char *p = text; p < end; p = parser.end + 1) {
		const char *line_end = memchr(p, '\n', (size_t)(end - p));

		parser.line++;
		parser.p = p;
		parser.end = line_end ? line_end : end;
		if (!take_line(&parser))
			return false;
		skip_blanks(&parser);
		if (parser.p < parser.end && *parser.p != '#')
			return complain(&parser, "not expected:", "text after the value");
	}
	return true;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of keys. A new key is one row; the help screen, the hints and `flametty keys` follow,
 * and tests/man.sh demands an item in the manual. Hints show the first key of a command. The table
 * is short, so it is searched linearly. */
#include "config.h"

#include "ui/keymap.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/text.h"
#include "draw/chart.h"
#include "ui/command.h"
#include "ui/key.h"
#include "ui/line/command_line.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ==== keymap bind ====
 *
 * Esc and C-c are reserved, and so is what a prompt needs (Enter, characters): whatever is bound,
 * the program can be left. The user's row is the first of its context, so hints show its keys. */

/* Keys of the user, as numbers and as the table writes them. */
struct sequence {
	key_code first, second;
	char text[40];
};

/* ---- keys ---- */

static bool is_reserved(key_code key)
{
	return key == KEYC_ESC || key == ('c' | KEYC_CTRL);
}

/* Whether a key is none that a user can press. */
static bool is_no_key(key_code key)
{
	return key == KEYC_NONE || (key >= KEYC_RESIZE && key <= KEYC_LETTER);
}

static bool read_sequence(const char *text, struct sequence *s, struct error *err)
{
	char first[16], second[16];
	BUF_LOCAL shown = { 0 };
	size_t n;
	bool ok;

	s->second = KEYC_NONE;
	s->first = key_from_name(text);
	if (s->first == KEYC_NONE) {
		n = key_parse(text, &s->first);
		n += n > 0 && text[n] ? key_parse(text + n, &s->second) : 0;
		if (!n || text[n])
			s->first = KEYC_NONE;
	}
	ok = !is_no_key(s->first) && (s->second == KEYC_NONE || !is_no_key(s->second));
	if (!ok) {
		text_fit(&shown, text, strlen(text), 30);
		return error_set(err, ERR_FORMAT, -1, "'%s' is not one key or two",
				 buf_text(&shown));
	}
	if (is_reserved(s->first) || is_reserved(s->second))
		return error_set(err, ERR_FORMAT, -1, "Esc and C-c cannot be bound");
	key_format(s->first, first);
	key_format(s->second, second);
	snprintf(s->text, sizeof s->text, s->second == KEYC_NONE ? "%s" : "%s %s", first, second);
	return true;
}

bool keymap_same_keys(const char *a, const char *b)
{
	struct error err = ERROR_INIT;
	struct sequence x, y;

	return read_sequence(a, &x, &err) && read_sequence(b, &y, &err) && x.first == y.first &&
		x.second == y.second;
}

/* ---- commands ---- */

static const char *nth_name(unsigned i)
{
	return i + 1 < COMMAND_COUNT ? command_get((enum command_id)(i + 1))->name : NULL;
}

static enum command_id find_command(const char *name, struct error *err)
{
	for (enum command_id id = CMD_NONE + 1; id < COMMAND_COUNT; id++)
		if (strcmp(command_get(id)->name, name) == 0)
			return id;
	command_parse_refuse("command", (struct str){ name, strlen(name) }, nth_name, err);
	return CMD_NONE;
}

/* The contexts in which the program has keys for a command. */
static unsigned contexts_of(enum command_id id)
{
	const struct binding *b;
	unsigned contexts = 0;

	for (size_t i = 0; (b = keymap_row(NULL, i)); i++)
		if (b->command == id)
			contexts |= 1u << b->context;
	return contexts ? contexts : 1u << KEYMAP_ANY;
}

/* ---- the table ---- */

/* Whether a row cannot stay beside the sequence. */
static bool is_in_the_way(const struct binding *b, const struct sequence *s)
{
	key_code first, second;

	keymap_split(b->keys, &first, &second);
	return first == s->first &&
		(second == s->second || second == KEYC_NONE || s->second == KEYC_NONE);
}

/* Copy the rows that stay; contexts: those in which the sequence is new. */
static void copy_rows(const struct keymap *map, unsigned contexts, const struct sequence *s,
		      struct keymap *to)
{
	const struct binding *b;
	/* What works everywhere must not be hidden by the rows of a place. */
	unsigned cleared = contexts & 1u << KEYMAP_ANY ? contexts | 1u << KEYMAP_CHART |
			1u << KEYMAP_PANE | 1u << KEYMAP_HEAT | 1u << KEYMAP_FLEET
						       : contexts;

	for (size_t i = 0; (b = keymap_row(map, i)); i++)
		if (!(cleared & 1u << b->context && is_in_the_way(b, s)))
			to->rows[to->n++] = *b;
}

bool keymap_bind(struct keymap *map, const char *keys, const char *command, struct error *err)
{
	bool is_none = strcmp(command, "none") == 0;
	struct keymap next = { 0 };
	enum command_id id = CMD_NONE;
	unsigned contexts = 1u << KEYMAP_CHART | 1u << KEYMAP_PANE | 1u << KEYMAP_ANY;
	struct sequence s;
	size_t n = 0;
	char *own;

	if (!read_sequence(keys, &s, err))
		return false;
	if (!is_none) {
		id = find_command(command, err);
		if (id == CMD_NONE)
			return false;
		contexts = contexts_of(id);
		if (contexts & 1u << KEYMAP_PROMPT &&
		    (s.second != KEYC_NONE || s.first < KEYC_SPECIAL || s.first == KEYC_ENTER))
			return error_set(err, ERR_FORMAT, -1, "%s is for typing in a prompt", keys);
		if (command_get(id)->flags & COMMAND_ARGUMENTS && id != CMD_HELP)
			return error_set(err, ERR_FORMAT, -1, "%s needs words", command);
	}
	while (keymap_row(map, n))
		n++;
	next.rows = xcalloc(n + KEYMAP_CONTEXTS, sizeof *next.rows);
	own = xstrdup(s.text);
	for (int c = 0; c < KEYMAP_CONTEXTS && !is_none; c++)
		if (contexts & 1u << c)
			next.rows[next.n++] = (struct binding){ (enum keymap_context)c, own, id };
	copy_rows(map, contexts, &s, &next);
	free(map->rows);
	map->rows = next.rows;
	map->n = next.n;
	map->own = xrealloc(map->own, map->n_own + 1, sizeof *map->own);
	map->own[map->n_own++] = own;
	return true;
}

/* ==== keymap ==== */

static const struct binding bindings[] = {
	{ KEYMAP_CHART, "h", CMD_PREVIOUS },
	{ KEYMAP_CHART, "Left", CMD_PREVIOUS },
	{ KEYMAP_CHART, "l", CMD_NEXT },
	{ KEYMAP_CHART, "Right", CMD_NEXT },
	{ KEYMAP_CHART, "k", CMD_CALLER },
	{ KEYMAP_CHART, "Up", CMD_CALLER },
	{ KEYMAP_CHART, "j", CMD_CALLEE },
	{ KEYMAP_CHART, "Down", CMD_CALLEE },
	{ KEYMAP_CHART, ",", CMD_PREVIOUS_SAME },
	{ KEYMAP_CHART, ".", CMD_NEXT_SAME },
	{ KEYMAP_CHART, "[", CMD_PREVIOUS_LANE },
	{ KEYMAP_CHART, "]", CMD_NEXT_LANE },
	{ KEYMAP_CHART, "Space", CMD_FOLD_LANE },
	{ KEYMAP_CHART, "F", CMD_FOLD_PROCESS },
	{ KEYMAP_CHART, "H", CMD_HIDE_LANE },
	{ KEYMAP_ANY, "L", CMD_PICK_LANE },
	{ KEYMAP_ANY, "t", CMD_PICK_LANE },
	{ KEYMAP_CHART, "{", CMD_FLOW_BACK },
	{ KEYMAP_CHART, "}", CMD_FLOW_NEXT },
	{ KEYMAP_CHART, "r", CMD_ROW_OF_SPAN },
	{ KEYMAP_CHART, "&", CMD_KEEP_MATCHES },
	{ KEYMAP_CHART, "Enter", CMD_ZOOM_SPAN },
	{ KEYMAP_CHART, "^", CMD_TIME_START },
	{ KEYMAP_CHART, "Home", CMD_TIME_START },
	{ KEYMAP_CHART, "$", CMD_TIME_END },
	{ KEYMAP_CHART, "End", CMD_TIME_END },
	{ KEYMAP_CHART, "C-d", CMD_HALF_PAGE_DOWN },
	{ KEYMAP_CHART, "C-u", CMD_HALF_PAGE_UP },
	{ KEYMAP_CHART, "f", CMD_PAGE_DOWN },
	{ KEYMAP_CHART, "C-f", CMD_PAGE_DOWN },
	{ KEYMAP_CHART, "PgDn", CMD_PAGE_DOWN },
	{ KEYMAP_CHART, "b", CMD_PAGE_UP },
	{ KEYMAP_CHART, "C-b", CMD_PAGE_UP },
	{ KEYMAP_CHART, "PgUp", CMD_PAGE_UP },
	{ KEYMAP_CHART, "C-e", CMD_SCROLL_DOWN },
	{ KEYMAP_CHART, "C-y", CMD_SCROLL_UP },
	{ KEYMAP_CHART, "g", CMD_TOP },
	{ KEYMAP_CHART, "G", CMD_BOTTOM },

	{ KEYMAP_PANE, "j", CMD_ROW_DOWN },
	{ KEYMAP_PANE, "Down", CMD_ROW_DOWN },
	{ KEYMAP_PANE, "C-e", CMD_ROW_DOWN },
	{ KEYMAP_PANE, "k", CMD_ROW_UP },
	{ KEYMAP_PANE, "Up", CMD_ROW_UP },
	{ KEYMAP_PANE, "C-y", CMD_ROW_UP },
	{ KEYMAP_PANE, "g", CMD_ROW_FIRST },
	{ KEYMAP_PANE, "^", CMD_ROW_FIRST },
	{ KEYMAP_PANE, "Home", CMD_ROW_FIRST },
	{ KEYMAP_PANE, "G", CMD_ROW_LAST },
	{ KEYMAP_PANE, "$", CMD_ROW_LAST },
	{ KEYMAP_PANE, "End", CMD_ROW_LAST },
	{ KEYMAP_PANE, "f", CMD_ROW_PAGE_DOWN },
	{ KEYMAP_PANE, "C-f", CMD_ROW_PAGE_DOWN },
	{ KEYMAP_PANE, "PgDn", CMD_ROW_PAGE_DOWN },
	{ KEYMAP_PANE, "b", CMD_ROW_PAGE_UP },
	{ KEYMAP_PANE, "C-b", CMD_ROW_PAGE_UP },
	{ KEYMAP_PANE, "PgUp", CMD_ROW_PAGE_UP },
	{ KEYMAP_PANE, "C-d", CMD_ROW_HALF_DOWN },
	{ KEYMAP_PANE, "C-u", CMD_ROW_HALF_UP },
	{ KEYMAP_PANE, "Space", CMD_ROW_TOGGLE },
	{ KEYMAP_PANE, "l", CMD_ROW_OPEN },
	{ KEYMAP_PANE, "Right", CMD_ROW_OPEN },
	{ KEYMAP_PANE, "h", CMD_ROW_CLOSE },
	{ KEYMAP_PANE, "Left", CMD_ROW_CLOSE },
	{ KEYMAP_PANE, "E", CMD_ROW_HOT },
	{ KEYMAP_PANE, "Enter", CMD_ROW_SHOW },
	{ KEYMAP_PANE, "&", CMD_FILTER },
	{ KEYMAP_PANE, ",", CMD_PREVIOUS_HOT },
	{ KEYMAP_PANE, ".", CMD_NEXT_HOT },
	{ KEYMAP_PANE, "[", CMD_TAB_PREVIOUS },
	{ KEYMAP_PANE, "]", CMD_TAB_NEXT },

	{ KEYMAP_ANY, "!", CMD_NEXT_FINDING },
	{ KEYMAP_ANY, "@", CMD_PREVIOUS_FINDING },
	{ KEYMAP_ANY, "w", CMD_ZOOM_IN },
	{ KEYMAP_ANY, "+", CMD_ZOOM_IN },
	{ KEYMAP_ANY, "=", CMD_ZOOM_IN },
	{ KEYMAP_ANY, "s", CMD_ZOOM_OUT },
	{ KEYMAP_ANY, "-", CMD_ZOOM_OUT },
	{ KEYMAP_ANY, "a", CMD_PAN_LEFT },
	{ KEYMAP_ANY, "d", CMD_PAN_RIGHT },
	{ KEYMAP_ANY, "A", CMD_PAN_HALF_LEFT },
	{ KEYMAP_ANY, "D", CMD_PAN_HALF_RIGHT },
	{ KEYMAP_ANY, "0", CMD_WHOLE },
	{ KEYMAP_ANY, "Backspace", CMD_BACK },
	{ KEYMAP_ANY, "(", CMD_OLDER },
	{ KEYMAP_ANY, "C-o", CMD_OLDER },
	{ KEYMAP_ANY, ")", CMD_NEWER },
	{ KEYMAP_ANY, "m a-z", CMD_MARK },
	{ KEYMAP_ANY, "' a-z", CMD_GO_TO_MARK },
	{ KEYMAP_ANY, "' '", CMD_JUMP_BACK },
	{ KEYMAP_ANY, "Esc", CMD_ESCAPE },
	{ KEYMAP_ANY, "Tab", CMD_FOCUS },
	{ KEYMAP_ANY, "S-Tab", CMD_FOCUS },
	{ KEYMAP_ANY, "<", CMD_SORT_LEFT },
	{ KEYMAP_ANY, ">", CMD_SORT_RIGHT },
	{ KEYMAP_ANY, "I", CMD_SORT_REVERSE },
	{ KEYMAP_ANY, "1", CMD_VIEW_TIME },
	{ KEYMAP_ANY, "2", CMD_VIEW_MERGED },
	{ KEYMAP_ANY, "%", CMD_COMPARE },
	{ KEYMAP_ANY, "3", CMD_VIEW_SANDWICH },
	{ KEYMAP_ANY, "v", CMD_SELECT_RANGE },
	{ KEYMAP_ANY, "V", CMD_SELECT_SPAN },
	{ KEYMAP_ANY, "o l", CMD_ALL_LANES },
	{ KEYMAP_ANY, "o k", CMD_SPLIT },
	{ KEYMAP_ANY, "o 2", CMD_HEAT },
	{ KEYMAP_ANY, "x f", CMD_FOCUS_FUNCTION },
	{ KEYMAP_ANY, "x s", CMD_FOCUS_SUBTREE },
	{ KEYMAP_ANY, "x k", CMD_KEEP_FUNCTION },
	{ KEYMAP_ANY, "x m", CMD_MERGE_FUNCTION },
	{ KEYMAP_ANY, "x M", CMD_MERGE_FILE },
	{ KEYMAP_ANY, "x P", CMD_MERGE_PACKAGE },
	{ KEYMAP_ANY, "x O", CMD_MERGE_OTHERS },
	{ KEYMAP_ANY, "x h", CMD_DROP_FUNCTION },
	{ KEYMAP_ANY, "x d", CMD_DURING },
	{ KEYMAP_ANY, "x c", CMD_COLLAPSE_FUNCTION },
	{ KEYMAP_ANY, "x C", CMD_COLLAPSE_PACKAGE },
	{ KEYMAP_ANY, "x r", CMD_COLLAPSE_RECURSION },
	{ KEYMAP_ANY, "x v", CMD_INVERT },
	{ KEYMAP_ANY, "x p", CMD_FOLD_PACKAGES },
	{ KEYMAP_ANY, "x n", CMD_FOLD_NODE },
	{ KEYMAP_ANY, "x i", CMD_DROP_IDLE },
	{ KEYMAP_ANY, "x o", CMD_DROP_PROGRAM },
	{ KEYMAP_ANY, "x g", CMD_DROP_GC },
	{ KEYMAP_ANY, "o g", CMD_RAW_GC },
	{ KEYMAP_ANY, "o p", CMD_RAW_PROGRAM },
	{ KEYMAP_ANY, "o b", CMD_GROUP },
	{ KEYMAP_ANY, "u", CMD_UNDO },
	{ KEYMAP_ANY, "C-r", CMD_REDO },
	{ KEYMAP_ANY, "4", CMD_SUMMARY },
	{ KEYMAP_ANY, "5", CMD_BOTTOM_UP },
	{ KEYMAP_ANY, "6", CMD_TOP_DOWN },
	{ KEYMAP_ANY, "c", CMD_CALLERS },
	{ KEYMAP_ANY, "7", CMD_FUNCTIONS },
	{ KEYMAP_ANY, "8", CMD_DETAILS },
	{ KEYMAP_ANY, "9", CMD_EVENTS },
	{ KEYMAP_ANY, "S", CMD_SOURCE },
	{ KEYMAP_ANY, "W", CMD_ROUTES },
	{ KEYMAP_ANY, "P", CMD_PROCESSES },
	{ KEYMAP_ANY, "z", CMD_MAXIMISE },
	{ KEYMAP_ANY, "/", CMD_SEARCH },
	{ KEYMAP_ANY, "n", CMD_SEARCH_NEXT },
	{ KEYMAP_ANY, "N", CMD_SEARCH_PREVIOUS },
	{ KEYMAP_ANY, "*", CMD_SEARCH_FUNCTION },
	{ KEYMAP_ANY, "#", CMD_SEARCH_FUNCTION_BACK },
	{ KEYMAP_ANY, "y y", CMD_COPY },
	{ KEYMAP_ANY, "y n", CMD_COPY_NAME },
	{ KEYMAP_ANY, "y l", CMD_COPY_LOCATION },
	{ KEYMAP_ANY, "y s", CMD_COPY_STACK },
	{ KEYMAP_ANY, "y f", CMD_COPY_FOLDED },
	{ KEYMAP_ANY, "y t", CMD_COPY_TABLE },
	{ KEYMAP_ANY, "y v", CMD_COPY_VIEW },
	{ KEYMAP_ANY, "e", CMD_EDIT },
	{ KEYMAP_ANY, ":", CMD_COMMAND_LINE },
	{ KEYMAP_ANY, "T", CMD_ABSOLUTE },
	{ KEYMAP_ANY, "o t", CMD_ABSOLUTE },
	{ KEYMAP_ANY, "o w", CMD_WIDTH },
	{ KEYMAP_ANY, "M", CMD_NAMES },
	{ KEYMAP_ANY, "o c", CMD_COLOR },
	{ KEYMAP_ANY, "o f", CMD_FOLD },
	{ KEYMAP_ANY, "o i", CMD_IDLE },
	{ KEYMAP_ANY, "o %", CMD_SHARE },
	{ KEYMAP_ANY, "o G", CMD_GC_COLUMN },
	{ KEYMAP_ANY, "o s", CMD_KINDS },
	{ KEYMAP_ANY, "o e", CMD_EVENT_LENGTH },
	{ KEYMAP_ANY, "o h", CMD_SHOW_LANES },
	{ KEYMAP_ANY, "?", CMD_HELP },
	{ KEYMAP_ANY, "F1", CMD_HELP },
	{ KEYMAP_ANY, "R", CMD_RELOAD },
	{ KEYMAP_ANY, "p", CMD_FREEZE },
	{ KEYMAP_ANY, "q", CMD_CLOSE },
	{ KEYMAP_ANY, "Q", CMD_QUIT },
	{ KEYMAP_ANY, "Z Z", CMD_QUIT },
	{ KEYMAP_ANY, "C-c", CMD_QUIT },
	{ KEYMAP_ANY, "C-z", CMD_SUSPEND },
	{ KEYMAP_ANY, "C-l", CMD_REDRAW },

	{ KEYMAP_RANGE, "o", CMD_RANGE_SWAP },
	{ KEYMAP_RANGE, "Enter", CMD_RANGE_ZOOM },
	{ KEYMAP_RANGE, "v", CMD_RANGE_KEEP },
	{ KEYMAP_RANGE, "Esc", CMD_RANGE_DROP },

	{ KEYMAP_HEAT, "h", CMD_HEAT_LEFT },
	{ KEYMAP_HEAT, "Left", CMD_HEAT_LEFT },
	{ KEYMAP_HEAT, "l", CMD_HEAT_RIGHT },
	{ KEYMAP_HEAT, "Right", CMD_HEAT_RIGHT },
	{ KEYMAP_HEAT, "b", CMD_HEAT_PAGE_LEFT },
	{ KEYMAP_HEAT, "PgUp", CMD_HEAT_PAGE_LEFT },
	{ KEYMAP_HEAT, "f", CMD_HEAT_PAGE_RIGHT },
	{ KEYMAP_HEAT, "PgDn", CMD_HEAT_PAGE_RIGHT },
	{ KEYMAP_HEAT, "Enter", CMD_HEAT_SHOW },
	{ KEYMAP_HEAT, "+", CMD_HEAT_LONGER },
	{ KEYMAP_HEAT, "s", CMD_HEAT_LONGER },
	{ KEYMAP_HEAT, "-", CMD_HEAT_SHORTER },
	{ KEYMAP_HEAT, "w", CMD_HEAT_SHORTER },
	{ KEYMAP_HEAT, "=", CMD_HEAT_FOUND },
	{ KEYMAP_HEAT, "v", CMD_HEAT_RANGE },
	{ KEYMAP_HEAT, "[", CMD_PREVIOUS_LANE },
	{ KEYMAP_HEAT, "]", CMD_NEXT_LANE },

	{ KEYMAP_FLEET, "h", CMD_FLEET_LEFT },
	{ KEYMAP_FLEET, "Left", CMD_FLEET_LEFT },
	{ KEYMAP_FLEET, "l", CMD_FLEET_RIGHT },
	{ KEYMAP_FLEET, "Right", CMD_FLEET_RIGHT },
	{ KEYMAP_FLEET, ".", CMD_FLEET_NEXT },
	{ KEYMAP_FLEET, ",", CMD_FLEET_PREVIOUS },
	{ KEYMAP_FLEET, "Enter", CMD_FLEET_OPEN },
	{ KEYMAP_FLEET, "a", CMD_FLEET_AXIS },
	{ KEYMAP_FLEET, "s", CMD_FLEET_TOTAL },
	{ KEYMAP_FLEET, "+", CMD_FLEET_WIDER },
	{ KEYMAP_FLEET, "-", CMD_FLEET_NARROWER },

	{ KEYMAP_HELP, "j", CMD_HELP_DOWN },
	{ KEYMAP_HELP, "Down", CMD_HELP_DOWN },
	{ KEYMAP_HELP, "C-e", CMD_HELP_DOWN },
	{ KEYMAP_HELP, "k", CMD_HELP_UP },
	{ KEYMAP_HELP, "Up", CMD_HELP_UP },
	{ KEYMAP_HELP, "C-y", CMD_HELP_UP },
	{ KEYMAP_HELP, "Space", CMD_HELP_PAGE_DOWN },
	{ KEYMAP_HELP, "f", CMD_HELP_PAGE_DOWN },
	{ KEYMAP_HELP, "C-f", CMD_HELP_PAGE_DOWN },
	{ KEYMAP_HELP, "PgDn", CMD_HELP_PAGE_DOWN },
	{ KEYMAP_HELP, "b", CMD_HELP_PAGE_UP },
	{ KEYMAP_HELP, "C-b", CMD_HELP_PAGE_UP },
	{ KEYMAP_HELP, "PgUp", CMD_HELP_PAGE_UP },
	{ KEYMAP_HELP, "g", CMD_HELP_FIRST },
	{ KEYMAP_HELP, "Home", CMD_HELP_FIRST },
	{ KEYMAP_HELP, "G", CMD_HELP_LAST },
	{ KEYMAP_HELP, "End", CMD_HELP_LAST },
	{ KEYMAP_HELP, "/", CMD_HELP_FILTER },
	{ KEYMAP_HELP, "q", CMD_HELP_CLOSE },
	{ KEYMAP_HELP, "Esc", CMD_HELP_BACK },
	{ KEYMAP_HELP, "Backspace", CMD_HELP_CLOSE },
	{ KEYMAP_HELP, "?", CMD_HELP_CLOSE },
	{ KEYMAP_HELP, "F1", CMD_HELP_CLOSE },
	{ KEYMAP_HELP, "Enter", CMD_HELP_CLOSE },
	{ KEYMAP_HELP, "Q", CMD_QUIT },
	{ KEYMAP_HELP, "C-c", CMD_QUIT },
	{ KEYMAP_HELP, "C-z", CMD_SUSPEND },
	{ KEYMAP_HELP, "C-l", CMD_REDRAW },

	{ KEYMAP_PROMPT, "Enter", CMD_PROMPT_ACCEPT },
	{ KEYMAP_PROMPT, "Esc", CMD_PROMPT_CANCEL },
	{ KEYMAP_PROMPT, "C-c", CMD_PROMPT_CANCEL },
	{ KEYMAP_PROMPT, "C-t", CMD_PROMPT_PLAIN },
	{ KEYMAP_PROMPT, "Up", CMD_PROMPT_OLDER },
	{ KEYMAP_PROMPT, "C-p", CMD_PROMPT_OLDER },
	{ KEYMAP_PROMPT, "Down", CMD_PROMPT_NEWER },
	{ KEYMAP_PROMPT, "C-n", CMD_PROMPT_NEWER },
	{ KEYMAP_PROMPT, "Tab", CMD_PROMPT_COMPLETE },
	{ KEYMAP_PROMPT, "S-Tab", CMD_PROMPT_COMPLETE_BACK },
	{ KEYMAP_PROMPT, "Left", CMD_PROMPT_LEFT },
	{ KEYMAP_PROMPT, "Right", CMD_PROMPT_RIGHT },
	{ KEYMAP_PROMPT, "Home", CMD_PROMPT_START },
	{ KEYMAP_PROMPT, "C-a", CMD_PROMPT_START },
	{ KEYMAP_PROMPT, "End", CMD_PROMPT_END },
	{ KEYMAP_PROMPT, "C-e", CMD_PROMPT_END },
	{ KEYMAP_PROMPT, "Backspace", CMD_PROMPT_ERASE },
	{ KEYMAP_PROMPT, "Del", CMD_PROMPT_DELETE },
	{ KEYMAP_PROMPT, "C-w", CMD_PROMPT_ERASE_WORD },
	{ KEYMAP_PROMPT, "C-u", CMD_PROMPT_ERASE_LINE },
	{ KEYMAP_PROMPT, "C-z", CMD_SUSPEND },
	{ KEYMAP_PROMPT, "C-l", CMD_REDRAW },
};

static const char *const titles[KEYMAP_CONTEXTS] = {
	[KEYMAP_CHART] = "In the chart",
	[KEYMAP_PANE] = "In a pane",
	[KEYMAP_ANY] = "Everywhere",
	[KEYMAP_HELP] = "In this help",
	[KEYMAP_RANGE] = "While selecting a range",
	[KEYMAP_HEAT] = "In the heat map",
	[KEYMAP_FLEET] = "In the grid of a fleet",
	[KEYMAP_PROMPT] = "While typing",
};

static const struct {
	key_code prefix;
	const char *title;
} prefixes[] = {
	{ 'x', "transform" }, { 'o', "option" },      { 'y', "copy" },
	{ 'm', "set mark" },  { '\'', "go to mark" }, { 'Z', "quit" },
};

const struct binding *keymap_row(const struct keymap *map, size_t i)
{
	if (map && map->rows)
		return i < map->n ? &map->rows[i] : NULL;
	return i < ARRAY_LEN(bindings) ? &bindings[i] : NULL;
}

const char *keymap_title(enum keymap_context context)
{
	return titles[context];
}

void keymap_split(const char *keys, key_code *first, key_code *second)
{
	const char *blank = strchr(keys, ' ');
	char name[16];

	*second = KEYC_NONE;
	if (!blank) {
		*first = key_from_name(keys);
		return;
	}
	memcpy(name, keys, (size_t)(blank - keys));
	name[blank - keys] = '\0';
	*first = key_from_name(name);
	*second = key_from_name(blank + 1);
}

static enum command_id find_in(const struct keymap *map, enum keymap_context context,
			       key_code prefix, key_code key, bool *is_prefix)
{
	const struct binding *b;

	for (size_t i = 0; (b = keymap_row(map, i)); i++) {
		key_code first, second;

		if (b->context != context)
			continue;
		keymap_split(b->keys, &first, &second);
		if (prefix == KEYC_NONE && first == key) {
			*is_prefix = second != KEYC_NONE;
			return *is_prefix ? CMD_NONE : b->command;
		}
		if (prefix != KEYC_NONE && first == prefix &&
		    (second == key || (second == KEYC_LETTER && key_is_letter(key))))
			return b->command;
	}
	return CMD_NONE;
}

/* The context that comes after another one; false: none does. */
static bool next_context(enum keymap_context *context)
{
	if (*context == KEYMAP_RANGE)
		*context = KEYMAP_CHART;
	else if (*context == KEYMAP_HEAT || *context == KEYMAP_FLEET)
		*context = KEYMAP_PANE;
	else if (*context == KEYMAP_CHART || *context == KEYMAP_PANE)
		*context = KEYMAP_ANY;
	else
		return false;
	return true;
}

enum command_id keymap_find(const struct keymap *map, enum keymap_context context, key_code prefix,
			    key_code key, bool *is_prefix)
{
	enum command_id command;

	*is_prefix = false;
	command = find_in(map, context, prefix, key, is_prefix);
	while (command == CMD_NONE && !*is_prefix && next_context(&context))
		command = find_in(map, context, prefix, key, is_prefix);
	return command;
}

int keymap_keys(const struct keymap *map, enum keymap_context context, enum command_id command,
		struct buf *out)
{
	const struct binding *b;
	int n = 0;

	for (size_t i = 0; (b = keymap_row(map, i)); i++) {
		if (b->context != context || b->command != command)
			continue;
		if (n++)
			buf_addc(out, ' ');
		/* Without the blank of a sequence: `oc`, `ZZ`. */
		for (const char *p = b->keys; *p; p++)
			if (*p != ' ')
				buf_addc(out, *p);
	}
	return n;
}

const char *keymap_first(const struct keymap *map, enum keymap_context context,
			 enum command_id command)
{
	const struct binding *b;

	do {
		for (size_t i = 0; (b = keymap_row(map, i)); i++)
			if (b->command == command && b->context == context)
				return b->keys;
	} while (next_context(&context));
	return "";
}

const char *keymap_prefix_title(key_code prefix)
{
	for (size_t i = 0; i < ARRAY_LEN(prefixes); i++)
		if (prefixes[i].prefix == prefix)
			return prefixes[i].title;
	return "";
}

bool keymap_continuation(const struct keymap *map, enum keymap_context context, key_code prefix,
			 size_t i, const char **key, const char **text)
{
	const struct binding *b;

	for (size_t k = 0; (b = keymap_row(map, k)); k++) {
		const struct command *command;
		key_code first, second;

		keymap_split(b->keys, &first, &second);
		if ((b->context != context && b->context != KEYMAP_ANY) || second == KEYC_NONE ||
		    first != prefix || i-- > 0)
			continue;
		command = command_get(b->command);
		*key = strchr(b->keys, ' ') + 1;
		*text = command->hint ? command->hint : command->help;
		return true;
	}
	return false;
}

static void add_command(struct buf *out, size_t start, enum command_id id)
{
	const struct command *command = command_get(id);

	for (int used = text_cells(out->data + start, out->len - start); used < 20; used++)
		buf_addc(out, ' ');
	buf_addf(out, "  %-20s%s\n", command->name, command->help);
}

void keymap_format(const struct keymap *map, struct buf *out)
{
	for (int context = 0; context < KEYMAP_CONTEXTS; context++) {
		buf_addf(out, "%s%s:\n", context ? "\n" : "", titles[context]);
		for (enum command_id id = 1; id < COMMAND_COUNT; id++) {
			size_t start = out->len;

			buf_adds(out, "  ");
			if (!keymap_keys(map, (enum keymap_context)context, id, out)) {
				out->len = start;
				out->data[start] = '\0';
				continue;
			}
			add_command(out, start, id);
		}
	}
	/* Their names are what is typed. */
	buf_addf(out, "\n%s:\n", KEYMAP_LINE_TITLE);
	for (enum command_id id = 1; id < COMMAND_COUNT; id++)
		if (keymap_is_for_line(id))
			add_command(out, out->len, id);
}

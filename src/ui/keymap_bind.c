/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Esc and C-c are reserved, and so is what a prompt needs (Enter, characters): whatever is bound,
 * the program can be left. The user's row is the first of its context, so hints show its keys. */
#include "config.h"

#include "ui/keymap_bind.h"

#include "base/alloc.h"
#include "base/near_word.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Keys of the user, as numbers and as the table writes them. */
struct sequence {
	key_code first, second;
	char text[40];
};

void keymap_bind_done(struct keymap *map)
{
	for (size_t i = 0; i < map->n_own; i++)
		free(map->own[i]);
	free(map->own);
	free(map->rows);
	*map = (struct keymap){ 0 };
}

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
	struct buf shown = { 0 };
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
		error_set(err, ERR_FORMAT, -1, "'%s' is not one key or two", buf_text(&shown));
		buf_done(&shown);
		return false;
	}
	if (is_reserved(s->first) || is_reserved(s->second))
		return error_set(err, ERR_FORMAT, -1, "Esc and C-c cannot be bound");
	key_format(s->first, first);
	key_format(s->second, second);
	snprintf(s->text, sizeof s->text, s->second == KEYC_NONE ? "%s" : "%s %s", first, second);
	return true;
}

static bool is_for_prompt(const struct sequence *s)
{
	return s->second == KEYC_NONE && s->first >= KEYC_SPECIAL && s->first != KEYC_ENTER;
}

/* ---- commands ---- */

static enum command_id find_command(const char *name, struct error *err)
{
	struct near_word near;
	struct buf shown = { 0 };

	near_word_begin(&near, name, strlen(name));
	for (enum command_id id = CMD_NONE + 1; id < COMMAND_COUNT; id++) {
		if (strcmp(command_get(id)->name, name) == 0)
			return id;
		near_word_try(&near, command_get(id)->name);
	}
	text_fit(&shown, name, strlen(name), 40);
	error_set(err, ERR_FORMAT, -1, "no command '%s'%s%s%s", buf_text(&shown),
		  near.best ? "; did you mean " : "", near.best ? near.best : "",
		  near.best ? "?" : "");
	buf_done(&shown);
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
	unsigned cleared = contexts & 1u << KEYMAP_ANY
		? contexts | 1u << KEYMAP_CHART | 1u << KEYMAP_PANE
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
		if (contexts & 1u << KEYMAP_PROMPT && !is_for_prompt(&s))
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

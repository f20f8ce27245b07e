/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line that begins with a digit, a point, a comma or a minus before one of these is a time,
 * unless the first word is a number and another word follows: then it is a count. */
#include "config.h"

#include "ui/line/command_parse.h"

#include "base/alloc.h"
#include "base/text.h"

#define COUNT_MAX 9999
#define SHOWN_CELLS 40 /* of a word in an error */

static const struct {
	const char *name;
	enum command_id id;
} others[] = {
	{ "q", CMD_QUIT },
	{ "h", CMD_HELP },
	{ "colour", CMD_COLOR },
	{ "maximize", CMD_MAXIMISE },
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static struct str trim(struct str s)
{
	while (s.len && is_blank(s.p[0])) {
		s.p++;
		s.len--;
	}
	while (s.len && is_blank(s.p[s.len - 1]))
		s.len--;
	return s;
}

struct str command_parse_word(struct str *text)
{
	struct str rest = trim(*text), word = { rest.p, 0 };

	while (word.len < rest.len && !is_blank(rest.p[word.len]))
		word.len++;
	*text = trim((struct str){ rest.p + word.len, rest.len - word.len });
	return word;
}

static bool is_unit(struct str word)
{
	static const char *const units[] = { "s", "ms", "us", "\302\265s", "ns", "min", "%" };

	for (size_t i = 0; i < ARRAY_LEN(units); i++)
		if (str_is(word, units[i]))
			return true;
	return false;
}

struct str command_parse_time(struct str *text)
{
	struct str line = trim(*text), rest, time, unit;
	const char *comma = line.len ? memchr(line.p, ',', line.len) : NULL;

	rest = (struct str){ line.p, comma ? (size_t)(comma - line.p) : line.len };
	time = command_parse_word(&rest);
	*text = rest;
	unit = command_parse_word(&rest);
	if (is_unit(unit)) {
		time.len = (size_t)(unit.p + unit.len - time.p);
		*text = rest;
	}
	/* With the comma, and what follows it. */
	text->len = (size_t)(line.p + line.len - text->p);
	*text = trim(*text);
	return time;
}

static bool begins_time(struct str line)
{
	return line.len && (line.p[0] == '.' || is_digit(line.p[0]));
}

/* Whether a line that begins with a time, or a comma, is a window. */
static bool is_range(struct str line)
{
	bool is_back = line.p[0] == '-';

	command_parse_time(&line);
	return (is_back && !line.len) ||
		(line.len && (line.p[0] == ',' || line.p[0] == '-' || begins_time(line)));
}

bool command_parse_is_named(enum command_id id)
{
	return id > CMD_NONE && id < COMMAND_COUNT && !(command_get(id)->flags & COMMAND_EDITS);
}

enum command_id command_parse_name(struct str name)
{
	for (enum command_id id = CMD_NONE + 1; id < COMMAND_COUNT; id++)
		if (command_parse_is_named(id) && str_is(name, command_get(id)->name))
			return id;
	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		if (str_is(name, others[i].name))
			return others[i].id;
	return CMD_NONE;
}

void command_parse_refuse(const char *kind, struct str word, const char *(*name)(unsigned i),
			  struct error *err)
{
	struct near_word near;
	struct buf shown = { 0 };

	near_word_begin(&near, word.p, word.len);
	for (unsigned i = 0; name(i); i++)
		near_word_try(&near, name(i));
	text_fit(&shown, word.p, word.len, SHOWN_CELLS);
	error_set(err, ERR_FORMAT, -1, "no %s '%s'%s%s%s", kind, buf_text(&shown),
		  near.best ? "; did you mean " : "", near.best ? near.best : "",
		  near.best ? "?" : "");
	buf_done(&shown);
}

/* The i-th command with a name. */
static const char *nth_name(unsigned i)
{
	for (enum command_id id = CMD_NONE + 1; id < COMMAND_COUNT; id++)
		if (command_parse_is_named(id) && i-- == 0)
			return command_get(id)->name;
	return NULL;
}

/* Take a count from the beginning of the line, if another word follows it. */
static void take_count(struct str *line, int *count)
{
	struct str rest = *line, word = command_parse_word(&rest), after = *line;
	int n = 0;

	for (size_t i = 0; i < word.len; i++) {
		if (!is_digit(word.p[i]))
			return;
		n = n * 10 + (word.p[i] - '0');
		n = n > COUNT_MAX ? COUNT_MAX : n;
	}
	if (!word.len || !rest.len || rest.p[0] == ',' || rest.p[0] == '.' || is_digit(rest.p[0]) ||
	    command_parse_time(&after).len > word.len)
		return;
	*count = n;
	*line = rest;
}

static bool check_use(const struct command_request *r, bool has_count, struct error *err)
{
	const struct command *c = command_get(r->id);

	if (r->args.len && !(c->flags & (COMMAND_ARGUMENTS | COMMAND_PATTERN)))
		return error_set(err, ERR_FORMAT, -1, "%s takes no words", c->name);
	if (has_count && !(c->flags & COMMAND_REPEATS))
		return error_set(err, ERR_FORMAT, -1, "%s takes no count", c->name);
	if (r->is_forced && r->id != CMD_EXPORT && r->id != CMD_SAVE && r->id != CMD_QUIT)
		return error_set(err, ERR_FORMAT, -1, "%s takes no !", c->name);
	return true;
}

bool command_parse(const char *text, struct command_request *r, struct error *err)
{
	struct str line = trim((struct str){ text, strlen(text) }), name;

	while (line.len && line.p[0] == ':')
		line = trim((struct str){ line.p + 1, line.len - 1 });
	*r = (struct command_request){ .args = line };
	take_count(&line, &r->count);
	if (begins_time(line) ||
	    (line.len > 1 && (line.p[0] == ',' || line.p[0] == '-') &&
	     begins_time((struct str){ line.p + 1, line.len - 1 }))) {
		r->id = is_range(line) ? CMD_RANGE : CMD_GOTO;
		r->args = line;
		r->count = 1;
		return true;
	}
	name = command_parse_word(&line);
	if (!name.len)
		return true;
	if (name.len > 1 && name.p[name.len - 1] == '!') {
		r->is_forced = true;
		name.len--;
	}
	r->args = line;
	r->id = command_parse_name(name);
	if (r->id == CMD_NONE) {
		command_parse_refuse("command", name, nth_name, err);
		return false;
	}
	/* Without words, `focus` goes to the other half of the screen. */
	if (r->id == CMD_FOCUS && r->args.len)
		r->id = CMD_FOCUS_FUNCTION;
	if (!check_use(r, r->count > 0, err))
		return false;
	r->count = r->count > 0 ? r->count : 1;
	return true;
}

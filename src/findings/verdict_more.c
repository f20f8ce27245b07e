/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An item is `formatPrice catalogue.js:28 37 %`, its sentence the same with ` (line 30: 50 %)`.
 * What a sentence says beyond the item stands behind the share, which both have. */
#include "config.h"

#include "findings/verdict_more.h"

#include "base/text.h"
#include "base/units.h"
#include "findings/sentence.h"

#include <string.h>

#define GAP "    "
#define GAP_CELLS 4
#define ROOM_LEAST 16 /* of a sentence that is cut */

/* What a sentence says behind the share; NULL: nothing. */
static const char *behind_share(const struct finding *f)
{
	char share[UNITS_MAX];
	const char *rest;

	if (f->whole <= 0)
		return NULL;
	units_share(f->ns, f->whole, share);
	rest = strstr(f->text, share);
	if (!rest)
		return NULL;
	rest += strlen(share);
	/* Where the window is mostly idle, `37 % of 80 ms`. */
	rest += strcspn(rest, ";:,(");
	rest += strspn(rest, ";:, ");
	return *rest ? rest : NULL;
}

/* Behind `in readFileSync (synchronous) 65 %`, which the item says as `in readFileSync`. */
static const char *behind_mechanism(const struct finding *f, const char *item, const char *rest)
{
	const char *end, *line;

	if (!rest || !f->mechanism || !strstr(item, f->mechanism) || strncmp(rest, "in ", 3) != 0)
		return rest;
	end = strstr(rest, "; ");
	line = strstr(rest, " (line ");
	return end ? end + 2 : line ? line + 1 : NULL;
}

/* Behind `blocked 744 ms at 0.54 s: `, which the line says; NULL: the text is about something else.
 * A place by the clock has colons, too. */
static const char *behind_block(const char *text)
{
	const char *rest = strncmp(text, "blocked ", strlen("blocked ")) == 0 ? strstr(text, ": ")
									      : NULL;

	return rest ? rest + strlen(": ") : NULL;
}

static bool has_block(const struct verdict *line)
{
	for (int i = 0; i < line->n; i++)
		if (line->items[i].kind == VERDICT_BLOCK)
			return true;
	return false;
}

/* What a sentence says that its item does not; NULL: nothing. */
static const char *beyond_item(const struct finding *f, const char *item)
{
	if (strstr(item, f->text))
		return NULL;
	switch (f->kind) {
	case FINDING_IDLE:
		return strstr(item, "CPU-bound") ? NULL : behind_share(f);
	case FINDING_BLOCK:
		return behind_block(f->text);
	default:
		return behind_mechanism(f, item, behind_share(f));
	}
}

static bool is_on_line(const struct verdict *line, int finding)
{
	for (int i = 0; i < line->n; i++)
		if (line->items[i].finding == finding)
			return true;
	return false;
}

/* Whether the line, or what stands in the row, says how a sentence begins, up to its share. */
static bool is_said(const struct verdict *line, const struct buf *out, const char *sentence)
{
	const char *share = strchr(sentence, '%');
	size_t len = share ? (size_t)(share - sentence) + 1 : strlen(sentence);
	bool is_said = out->len && memmem(buf_text(out), out->len, sentence, len);

	for (int i = 0; i < line->n; i++)
		is_said |= memmem(line->items[i].text, strlen(line->items[i].text), sentence,
				  len) != NULL;
	return is_said;
}

/* Append the beginning of a sentence that fits, in whole parts. */
static void add_part(struct buf *out, const struct verdict *line, const char *sentence, int room)
{
	int used = out->len ? text_cells(buf_text(out), out->len) + GAP_CELLS : 0;
	struct buf fit = { 0 };

	if (is_said(line, out, sentence))
		return;
	sentence_fit(&fit, sentence, room - used);
	if (room - used >= ROOM_LEAST && (!out->len || sentence_is_whole(buf_text(&fit)))) {
		buf_adds(out, out->len ? GAP : "");
		buf_add(out, buf_text(&fit), fit.len);
	}
	buf_done(&fit);
}

/* `formatPrice line 30: 50 %`, without the parentheses, or `lodash: 70 % of it under list`. */
static void add_rest(const struct finding *f, const struct verdict *line, const char *rest,
		     int room, struct buf *out)
{
	size_t len = strlen(rest);
	bool is_aside = *rest == '(' && rest[len - 1] == ')' && !memchr(rest + 1, '(', len - 1);
	struct buf part = { 0 };

	buf_addf(&part, "%s%s", f->kind == FINDING_BLOCK ? "blocked" : f->name,
		 is_aside ? " " : ": ");
	buf_add(&part, rest + is_aside, len - 2 * is_aside);
	add_part(out, line, buf_text(&part), room);
	buf_done(&part);
}

/* A note is a sentence of its own if it has a share, such as that of another finding about the
 * same; otherwise it is like `recursion, 44 deep`. */
static void add_note(const struct finding *f, const struct verdict *line, const char *note,
		     int room, struct buf *out)
{
	const char *tasks = has_block(line) ? behind_block(note) : NULL;
	struct buf part = { 0 };

	if (tasks || !strchr(note, '%'))
		buf_addf(&part, "%s: ", tasks ? "blocked" : f->name);
	buf_adds(&part, tasks ? tasks : note);
	add_part(out, line, buf_text(&part), room);
	buf_done(&part);
}

static void add_beyond(const struct finding *f, const struct verdict *line, const char *item,
		       int room, struct buf *out)
{
	const char *rest = beyond_item(f, item);

	if (rest)
		add_rest(f, line, rest, room, out);
	for (uint32_t k = 0; k < f->n_notes; k++)
		add_note(f, line, f->notes[k], room, out);
}

void verdict_more(const struct findings_result *result, const struct verdict *line, int room,
		  struct buf *out)
{
	for (int i = 0; i < line->n; i++)
		if (line->items[i].finding >= 0)
			add_beyond(&result->list[line->items[i].finding], line, line->items[i].text,
				   room, out);
	for (int i = 0; i < (int)result->n; i++)
		if (!is_on_line(line, i)) {
			add_part(out, line, result->list[i].text, room);
			return;
		}
}

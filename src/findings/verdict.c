/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each item has a long and a short form. They are all made first; then the line is made to fit in
 * the order of fit_steps. The lead is never dropped. */
#include "config.h"

#include "findings/verdict.h"

#include "base/text.h"
#include "findings/finding_rule.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* ==== sentence ====
 *
 * `f app.js:3 54 %; its GC 22 % (line 1: 92 %)` has three parts. What is in parentheses is one. */

#define ELLIPSIS "\342\200\246"

/* Whether a part may end before `p`, which is not at the beginning. A range ends before `in 28 of
 * 30 lanes`. */
static bool is_end(const char *p)
{
	return *p == '\0' || (*p == ' ' && p[1] == '(') || (strchr(";,:", *p) && p[1] == ' ') ||
		(p[-1] == ')' && strncmp(p, " in ", 4) == 0);
}

/* The length of the longest beginning of whole parts that fits; 0: none does. */
static size_t whole_parts(const char *text, int room)
{
	size_t fits = 0;
	int depth = 0;

	for (size_t i = 0; i == 0 || text[i - 1]; i++) {
		if (i && depth == 0 && is_end(text + i)) {
			if (text_cells(text, i) > room)
				break;
			fits = i;
		}
		depth += text[i] == '(' ? 1 : text[i] == ')' && depth > 0 ? -1 : 0;
	}
	return fits;
}

static size_t word_start(const char *text, size_t len)
{
	while (len && text[len - 1] != ' ')
		len--;
	return len;
}

static size_t without_blanks(const char *text, size_t len)
{
	while (len && text[len - 1] == ' ')
		len--;
	return len;
}

static bool has_digit(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (text[i] >= '0' && text[i] <= '9')
			return true;
	return false;
}

/* The length without the last word, if that has a digit: its end or its unit is missing. What
 * stands before it may be the thousands of the same number. */
static size_t without_number(const char *text, size_t len)
{
	size_t end = without_blanks(text, len), start = word_start(text, end);

	if (!start || !has_digit(text + start, end - start))
		return len;
	for (;;) {
		end = without_blanks(text, start);
		start = word_start(text, end);
		if (!start || strspn(text + start, "0123456789") < end - start)
			return end;
	}
}

bool sentence_fit(struct buf *out, const char *text, int room)
{
	size_t len = strlen(text), fits = whole_parts(text, room);
	BUF_LOCAL cut = { 0 };

	/* One word of several, such as `inside`, says nothing. */
	if (fits == len || (fits && memchr(text, ' ', fits))) {
		text_fit_start(out, text, fits, room);
		return true;
	}
	text_fit_start(&cut, text, len, room - (room > 1));
	text_fit_start(out, buf_text(&cut), without_number(buf_text(&cut), cut.len), room);
	buf_adds(out, room > 1 ? ELLIPSIS : "");
	return room <= 1;
}

/* ==== verdict more ====
 *
 * An item is `formatPrice catalogue.js:28 37 %`, its sentence the same with ` (line 30: 50 % of its
 * self time)`. What a sentence says beyond the item stands behind the share, which both have. */

#define GAP "    "
#define GAP_CELLS 4
#define ROOM_MIN 16 /* of a sentence that is cut */

/* What a sentence says behind the share; NULL: nothing. */
static const char *behind_share(const struct finding *f)
{
	const char *rest;
	const char *share = units_share(f->ns, f->whole, UNITS_ROOM);

	if (f->whole <= 0)
		return NULL;
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

/* Behind the share, and behind what the item has of the sentence. */
static const char *behind_both(const struct finding *f, const char *item)
{
	const char *rest = behind_share(f);
	size_t n = 0;

	while (item[n] && item[n] == f->text[n])
		n++;
	if (!rest || f->text + n <= rest)
		return rest;
	rest = f->text + n + strspn(f->text + n, ";:, ");
	return *rest ? rest : NULL;
}

/* Behind `(24 to 38 %) in 28 of 30 lanes`, which the item may have. */
static const char *behind_range(const struct finding *f, const char *item, const char *rest)
{
	const char *at = f->range && strstr(item, f->range) ? strstr(f->text, f->range) : NULL;

	if (!at)
		return rest;
	at += strlen(f->range);
	at += strspn(at, ";:, ");
	return *at ? at : NULL;
}

/* What a sentence says that its item does not; NULL: nothing. */
static const char *beyond_item(const struct finding *f, const char *item)
{
	if (strstr(item, f->text))
		return NULL;
	switch (f->kind) {
	case FINDING_IDLE:
		return strstr(item, "CPU-bound") ? NULL : behind_both(f, item);
	case FINDING_BLOCK:
		return behind_block(f->text);
	case FINDING_REQUEST:
		return NULL;
	default:
		return behind_range(f, item, behind_mechanism(f, item, behind_share(f)));
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
	BUF_LOCAL fit = { 0 };
	bool is_whole;

	if (is_said(line, out, sentence))
		return;
	is_whole = sentence_fit(&fit, sentence, room - used);
	if (room - used >= ROOM_MIN && (!out->len || is_whole)) {
		buf_adds(out, out->len ? GAP : "");
		buf_add(out, buf_text(&fit), fit.len);
	}
}

/* A note is a sentence of its own if it has a share, such as that of another finding about the
 * same; otherwise it is like `recursion, 44 deep`. */
static void add_note(const struct finding *f, const struct verdict *line, const char *note,
		     int room, struct buf *out)
{
	const char *tasks = has_block(line) ? behind_block(note) : NULL;
	BUF_LOCAL part = { 0 };

	if (tasks || !strchr(note, '%'))
		buf_addf(&part, "%s: ", tasks ? "blocked" : f->name);
	buf_adds(&part, tasks ? tasks : note);
	add_part(out, line, buf_text(&part), room);
}

void verdict_more(const struct findings_result *result, const struct verdict *line, int room,
		  struct buf *out)
{
	for (int i = 0; i < line->n; i++)
		if (line->items[i].finding >= 0) {
			const char *rest = beyond_item(&result->list[line->items[i].finding],
						       line->items[i].text);

			if (rest) {
				/* `formatPrice line 30: 50 % of its self time`, without the
				 * parentheses, or `lodash: 70 % of it under list`. */
				size_t len = strlen(rest);
				bool is_aside = *rest == '(' && rest[len - 1] == ')' &&
					!memchr(rest + 1, '(', len - 1);
				BUF_LOCAL part = { 0 };

				buf_addf(&part, "%s%s",
					 result->list[line->items[i].finding].kind == FINDING_BLOCK
						 ? "blocked"
						 : result->list[line->items[i].finding].name,
					 is_aside ? " " : ": ");
				buf_add(&part, rest + is_aside, len - 2 * is_aside);
				add_part(out, line, buf_text(&part), room);
			}
			for (uint32_t k = 0; k < result->list[line->items[i].finding].n_notes; k++)
				add_note(&result->list[line->items[i].finding], line,
					 result->list[line->items[i].finding].notes[k], room, out);
		}
	for (int i = 0; i < (int)result->n; i++)
		if (!is_on_line(line, i)) {
			add_part(out, line, result->list[i].text, room);
			return;
		}
}

/* ==== verdict ==== */

#define LABEL_CELLS 40
#define NAME_CELLS 24
#define MECHANISM_CELLS 20
#define GAP_WIDE 4
#define GAP_NARROW 3
#define LEAD_SCORE 80000 /* millionths */
#define SECOND_SCORE 100000
#define LEAD_PERCENT 5
#define GC_PERCENT 5
#define GC_SAMPLES 10
#define PROGRAM_PERCENT 50
#define WORK_PERCENT 30 /* of the time whose kinds of work are known */
#define TASK_MIN (50 * NS_PER_MS)

enum rank {
	RANK_LEAD,
	RANK_IDLE,
	RANK_BLOCK,
	RANK_GC_MUCH,
	RANK_PROGRAM,
	RANK_SECOND,
	RANK_GC,
	RANK_PRECISION,
	RANK_REQUEST /* says more than all others */
};

/* An item with both forms. */
struct draft {
	enum verdict_kind kind;
	int finding;
	enum rank rank; /* among short forms and drops */
	bool is_short;
	struct buf longer, shorter;
};

struct drafts {
	struct draft list[VERDICT_ITEMS];
	int n;
};

static struct draft *add(struct drafts *d, enum verdict_kind kind, enum rank rank, int finding)
{
	struct draft *item = &d->list[d->n++];

	*item = (struct draft){ .kind = kind, .rank = rank, .finding = finding };
	return item;
}

static void drop(struct drafts *d, int i)
{
	buf_done(&d->list[i].longer);
	buf_done(&d->list[i].shorter);
	d->n--;
	memmove(&d->list[i], &d->list[i + 1], (size_t)(d->n - i) * sizeof d->list[0]);
}

/* ---- items ---- */

/* Whole parts of what it waited for, or the beginning of the first one. */
static void fit_request(struct buf *out, const struct finding *f, int room)
{
	sentence_fit(out, f->label, room);
	if (out->len <= strlen(f->name)) {
		buf_clear(out);
		text_fit_start(out, f->label, strlen(f->label), room);
	}
}

/* The first two slow requests: what they waited for is what the user looks for, so the first one
 * says as much of it as fits. */
static void add_requests(struct drafts *d, const struct findings_result *r, int room)
{
	for (int i = 0; i < (int)r->n && i < 2 && r->list[i].kind == FINDING_REQUEST; i++) {
		struct draft *item = add(d, VERDICT_REQUEST, i ? RANK_SECOND : RANK_REQUEST, i);

		buf_adds(&item->longer, r->list[i].label);
		if (i)
			buf_adds(&item->shorter, r->list[i].name);
		else
			fit_request(&item->shorter, &r->list[i], room);
	}
}

static void add_idle(struct drafts *d, const struct findings_result *r, int room)
{
	char length[UNITS_MAX];
	struct draft *item;
	const char *share = units_share(r->idle, r->length, UNITS_ROOM);

	if (!r->n || r->list[0].kind != FINDING_IDLE)
		return;
	item = add(d, VERDICT_IDLE, RANK_IDLE, 0);
	units_time(r->length, length);
	if (r->has_other_busy || r->has_waits)
		buf_adds(&item->longer, r->list[0].text);
	else
		buf_addf(&item->longer, "idle %s of %s: not CPU-bound", share, length);
	/* A third of the line is for what else there is to say. */
	if (r->has_waits)
		sentence_fit(&item->shorter, r->list[0].text, room * 2 / 3);
	if (!strstr(buf_text(&item->shorter), "waits")) {
		buf_clear(&item->shorter);
		buf_addf(&item->shorter, "idle %s", share);
	}
}

/* The shares that follow idle time are of another time, which the line says once, before them. */
static void add_base(struct drafts *d, const struct findings_result *r)
{
	struct draft *idle = &d->list[0];
	bool has_share = false;
	const char *busy = units_time(r->busy, UNITS_ROOM);

	for (int i = 1; i < d->n; i++)
		has_share |= d->list[i].kind >= VERDICT_WAITING &&
			d->list[i].kind <= VERDICT_PROGRAM;
	if (!d->n || idle->kind != VERDICT_IDLE || !has_share)
		return;
	buf_addf(&idle->longer, "; of %s busy:", busy);
	buf_addf(&idle->shorter, "; of %s busy:", busy);
}

static int index_of(const struct findings_result *r, enum finding_kind kind)
{
	for (int i = 0; i < (int)r->n; i++)
		if (r->list[i].kind == kind)
			return i;
	return -1;
}

static void add_waiting(struct drafts *d, const struct findings_result *r)
{
	int i = index_of(r, FINDING_WAITING);
	struct draft *item;
	const char *share = units_share(r->waiting, r->busy, UNITS_ROOM);

	if (i < 0 || !charge_times_has(r->waiting, r->busy, FINDING_WAITING_PERCENT))
		return;
	item = add(d, VERDICT_WAITING, RANK_IDLE, i);
	buf_addf(&item->longer, "%s %s", r->list[i].label, share);
	buf_addf(&item->shorter, "%s %s", r->list[i].name, share);
}

/* Shares of the same time say so: `sweep 53 %    of it touch 25 %`, `insert 32 %    ledger.js 69 %
 * in all`. lead: the first finding with a name, -1: this is it. has_twin: the other one has the
 * same name, in another line. */
static void add_name(struct drafts *d, const struct findings_result *r, int i, int lead,
		     bool has_twin)
{
	bool is_lead = lead < 0 && !(d->n && d->list[0].kind == VERDICT_REQUEST);
	struct draft *item = add(d, lead < 0 ? VERDICT_LEAD : VERDICT_SECOND,
				 is_lead ? RANK_LEAD : RANK_SECOND, i);
	const struct finding *f = &r->list[i];
	bool is_part = lead >= 0 && r->list[lead].parts >> i & 1u,
	     is_more = lead >= 0 && f->parts >> lead & 1u;
	const char *share = units_share(f->ns, f->whole, UNITS_ROOM);

	buf_adds(&item->longer, is_part && !is_more ? "of it " : "");
	buf_adds(&item->shorter, is_part && !is_more ? "of it " : "");
	text_fit(&item->longer, f->label, strlen(f->label), LABEL_CELLS);
	/* `f in GC 33 %` would be read as the share of garbage collection, which is an item. */
	if (f->mechanism && strcmp(f->mechanism, "GC") != 0) {
		buf_adds(&item->longer, " in ");
		text_fit(&item->longer, f->mechanism, strlen(f->mechanism), MECHANISM_CELLS);
	}
	buf_addf(&item->longer, " %s%s%s", share, is_more ? " in all" : "",
		 lead >= 0 && f->is_io && f->ns > r->list[lead].ns ? ", mostly I/O" : "");
	if (has_twin)
		text_fit(&item->shorter, f->label, strlen(f->label), LABEL_CELLS);
	else
		text_fit(&item->shorter, f->name, strlen(f->name), NAME_CELLS);
	buf_addf(&item->shorter, " %s%s", share, is_more ? " in all" : "");
	/* Of many lanes, the share is that of those which have it. */
	if (f->range) {
		buf_addf(&item->longer, " %s", f->range);
		buf_addf(&item->shorter, " %s", strstr(f->range, "in "));
	}
}

/* Whether a name goes before the one of the higher score: shares are sorted. Input and output, and
 * what has the other one as a part, come second however much they are, and say so. */
static bool is_larger(const struct findings_result *r, int i, int other)
{
	const struct finding *f = &r->list[i];

	return f->ns > r->list[other].ns && !f->is_io && !(f->parts >> other & 1u);
}

static void add_names(struct drafts *d, const struct findings_result *r)
{
	int found = 0, names[2] = { -1, -1 };
	bool has_twins;

	for (int i = 0; i < (int)r->n; i++) {
		if (r->list[i].kind == FINDING_EVEN) {
			struct draft *item = add(d, VERDICT_LEAD, RANK_LEAD, i);

			buf_adds(&item->longer, r->list[i].label);
			buf_adds(&item->shorter, r->list[i].name);
			return;
		}
	}
	for (int i = 0; i < (int)r->n && found < 2; i++) {
		const struct finding *f = &r->list[i];
		bool (*leads)(const struct findings_result *,
			      const struct finding *) = finding_rules[f->kind]->leads;

		if (!leads || !leads(r, f) || !charge_times_has(f->ns, f->whole, LEAD_PERCENT))
			continue;
		/* What a program does are its parts side by side. */
		if (names[0] >= 0 && r->list[names[0]].kind == FINDING_SPENT &&
		    r->list[names[0]].parts >> i & 1u)
			continue;
		if (f->score >= (found ? SECOND_SCORE : LEAD_SCORE))
			names[found] = i;
		found++;
	}
	if (names[0] >= 0 && names[1] >= 0 && is_larger(r, names[1], names[0])) {
		int first = names[0];

		names[0] = names[1];
		names[1] = first;
	}
	has_twins = names[0] >= 0 && names[1] >= 0 &&
		strcmp(r->list[names[0]].name, r->list[names[1]].name) == 0;
	for (int k = 0; k < 2; k++)
		if (names[k] >= 0)
			add_name(d, r, names[k], k && names[0] >= 0 ? names[0] : -1, has_twins);
}

/* Whether names and garbage collection have more than all, as it is in the names. */
static bool is_gc_in_names(const struct drafts *d, const struct findings_result *r)
{
	int64_t ns = r->gc, gc = 0;

	for (int i = 0; i < d->n; i++) {
		if (d->list[i].kind != VERDICT_LEAD && d->list[i].kind != VERDICT_SECOND)
			continue;
		ns += r->list[d->list[i].finding].ns;
		gc += r->list[d->list[i].finding].gc;
	}
	return ns > r->busy && charge_times_has(gc, r->gc, 50);
}

/* Before the names if it is the first finding. */
static void add_gc(struct drafts *d, const struct findings_result *r, bool is_first)
{
	int i = index_of(r, FINDING_GC);
	struct draft *item;
	const char *share = units_share(r->gc, r->busy, UNITS_ROOM);

	if ((i == 0) != is_first || !charge_times_has(r->gc, r->busy, GC_PERCENT) ||
	    (r->n_gc < GC_SAMPLES && !r->is_of_slices))
		return;
	item = add(d, VERDICT_GC, charge_times_has(r->gc, r->busy, 10) ? RANK_GC_MUCH : RANK_GC, i);
	buf_addf(&item->longer, "%sGC %s", is_gc_in_names(d, r) ? "incl. " : "", share);
	buf_addf(&item->shorter, "GC %s", share);
}

/* Whether kinds of work say what most of a time is that no function has. */
static bool says_work(const struct findings_result *r, int i)
{
	const struct finding *f = &r->list[i];

	return f->kind == FINDING_WORK ||
		(f->is_explained && charge_times_has(f->ns, f->whole, WORK_PERCENT));
}

/* The kinds of work, instead of (program) or of functions. */
static void add_work(struct drafts *d, const struct findings_result *r, int i)
{
	const struct finding *f = &r->list[i];
	struct draft *item = add(d, VERDICT_PROGRAM, RANK_PROGRAM, i);

	sentence_fit(&item->longer, f->label, LABEL_CELLS);
	sentence_fit(&item->shorter, f->label, MECHANISM_CELLS);
}

/* Before the names if it is the first finding that is not about idle time, and kinds of work do not
 * say what it is. */
static void add_program(struct drafts *d, const struct findings_result *r, bool is_first)
{
	int i = index_of(r, FINDING_PROGRAM), first = r->n && r->list[0].kind == FINDING_IDLE;
	char share[UNITS_MAX];
	struct draft *item;

	i = i < 0 ? index_of(r, FINDING_WORK) : i;
	if (i >= 0 && says_work(r, i)) {
		if (!is_first && *r->list[i].label)
			add_work(d, r, i);
		return;
	}
	if (i < 0 || (i == first) != is_first ||
	    !charge_times_has(r->program, r->busy, PROGRAM_PERCENT))
		return;
	item = add(d, VERDICT_PROGRAM, RANK_PROGRAM, i);
	units_share(r->program, r->busy, share);
	buf_addf(&item->longer, "(program) %s", share);
	buf_addf(&item->shorter, "(program) %s", share);
}

static void add_block(struct drafts *d, const struct findings_result *r)
{
	int64_t ns = r->task_t1 - r->task_t0;
	const char *most = r->is_task_exact ? "" : "at most ";
	char place[UNITS_MAX];
	int i = index_of(r, FINDING_BLOCK);
	struct draft *item;
	const char *length = units_time_whole(ns, UNITS_ROOM);

	if (ns < TASK_MIN)
		return;
	item = add(d, VERDICT_BLOCK, RANK_BLOCK, i);
	wall_clock_place(&r->clock, r->task_t0, place);
	buf_addf(&item->longer, "blocked %s%s at %s", most, length, place);
	if (i >= 0 && r->list[i].mechanism)
		buf_addf(&item->longer, " (%s)", r->list[i].mechanism);
	buf_addf(&item->shorter, "blocked %s%s", most, length);
}

static void add_precision(struct drafts *d, const struct findings_result *r)
{
	struct draft *item;
	unsigned percent;

	if (r->n_busy >= UNITS_FEW_SAMPLES || !r->n_busy || r->is_of_slices ||
	    (d->list[0].kind == VERDICT_NOTHING && d->list[0].finding < 0))
		return;
	percent = units_sampling_percent(r->n_busy);
	item = add(d, VERDICT_PRECISION, RANK_PRECISION, -1);
	buf_addf(&item->longer, "%sshares \302\261%u %%",
		 d->list[0].kind == VERDICT_NOTHING ? "" : "few samples: ", percent);
	buf_addf(&item->shorter, "shares \302\261%u %%", percent);
}

/* There are too few samples for a finding, or no function has much. A function may still have much
 * with all that it calls: programs of other languages have no idle time and no (program). */
static void add_nothing(struct drafts *d, const struct findings_result *r)
{
	int few = index_of(r, FINDING_FEW), half = index_of(r, FINDING_HALF);
	char share[UNITS_MAX];
	struct draft *item;

	if (d->n == 1 && d->list[0].kind == VERDICT_PROGRAM && !says_work(r, d->list[0].finding))
		drop(d, 0);
	if (d->n)
		return;
	item = add(d, VERDICT_NOTHING, RANK_LEAD, few);
	if (few >= 0) {
		units_share(r->list[few].ns, r->busy, share);
		buf_addf(&item->longer, "%s %s", r->list[few].label, share);
		buf_addf(&item->shorter, "%s %s", r->list[few].name, share);
		return;
	}
	if (r->is_of_slices) {
		buf_adds(&item->longer, "no task of 50 ms or more");
		buf_adds(&item->shorter, "no long task");
		return;
	}
	if (!r->n_busy) {
		buf_adds(&item->longer, "no work was sampled here");
		buf_adds(&item->shorter, "no work was sampled");
		return;
	}
	if (half >= 0 && !r->program) {
		item->finding = half;
		units_share(r->list[half].ns, r->list[half].whole, share);
		buf_adds(&item->longer, r->list[half].text);
		buf_addf(&item->shorter, "%s %s with all it calls", r->list[half].name, share);
		return;
	}
	units_share(r->program, r->busy, share);
	buf_adds(&item->longer, "no JavaScript of note");
	if (r->program)
		buf_addf(&item->longer, ": (program) %s", share);
	buf_adds(&item->shorter, "no JavaScript of note");
}

/* ---- the line ---- */

static int item_cells(const struct draft *item)
{
	const struct buf *text = item->is_short ? &item->shorter : &item->longer;

	return text_cells(buf_text(text), text->len);
}

/* The cells before an item: a blank behind a colon, else the gap. */
static int gap_before(const struct drafts *d, int i, int gap)
{
	const struct buf *text = i == 0   ? NULL
		: d->list[i - 1].is_short ? &d->list[i - 1].shorter
					  : &d->list[i - 1].longer;

	if (!text)
		return 0;
	return text->len && text->data[text->len - 1] == ':' ? 1 : gap;
}

static int line_cells(const struct drafts *d, int gap)
{
	int cells = 0;

	for (int i = 0; i < d->n; i++)
		cells += item_cells(&d->list[i]) + gap_before(d, i, gap);
	return cells;
}

/* What is done, one after another, while the line is too long. */
static const struct {
	enum rank rank;
	enum { SHORTEN, DROP, DROP_IF_ENOUGH } how;
} fit_steps[] = {
	{ RANK_PRECISION, SHORTEN }, { RANK_SECOND, SHORTEN },  { RANK_BLOCK, SHORTEN },
	{ RANK_GC, SHORTEN },        { RANK_GC_MUCH, SHORTEN }, { RANK_PRECISION, DROP_IF_ENOUGH },
	{ RANK_LEAD, SHORTEN },      { RANK_IDLE, SHORTEN },    { RANK_PRECISION, DROP },
	{ RANK_GC, DROP },           { RANK_SECOND, DROP },     { RANK_GC_MUCH, DROP },
	{ RANK_PROGRAM, DROP },      { RANK_BLOCK, DROP },      { RANK_REQUEST, SHORTEN },
};

/* Returns the gap. */
static int fit_verdict(struct drafts *d, int room)
{
	int gap = line_cells(d, GAP_WIDE) <= room ? GAP_WIDE : GAP_NARROW;

	for (size_t k = 0; k < ARRAY_LEN(fit_steps); k++)
		for (int i = d->n - 1; i >= 0 && line_cells(d, gap) > room; i--) {
			int over = line_cells(d, gap) - room;

			if (d->list[i].rank != fit_steps[k].rank)
				continue;
			if (fit_steps[k].how == SHORTEN)
				d->list[i].is_short = true;
			else if (d->n > 1 &&
				 (fit_steps[k].how == DROP ||
				  item_cells(&d->list[i]) + gap >= over))
				drop(d, i);
		}
	return gap;
}

void verdict_compose(const struct findings_result *r, int room, struct verdict *out)
{
	struct drafts d = { .n = 0 };
	int gap;

	*out = (struct verdict){ 0 };
	add_requests(&d, r, room);
	add_idle(&d, r, room);
	add_waiting(&d, r);
	add_gc(&d, r, true);
	add_program(&d, r, true);
	add_names(&d, r);
	add_gc(&d, r, false);
	add_program(&d, r, false);
	add_block(&d, r);
	add_nothing(&d, r);
	add_precision(&d, r);
	add_base(&d, r);
	gap = fit_verdict(&d, room);
	for (int i = 0; i < d.n; i++) {
		struct verdict_item *item = &out->items[out->n++];
		const struct buf *text = d.list[i].is_short ? &d.list[i].shorter
							    : &d.list[i].longer;
		BUF_LOCAL cut = { 0 };

		out->cells += gap_before(&d, i, gap);
		item->kind = d.list[i].kind;
		item->finding = d.list[i].finding;
		item->col = out->cells;
		item->cells = text_fit(&cut, buf_text(text), text->len, room);
		snprintf(item->text, sizeof item->text, "%s", buf_text(&cut));
		out->cells += item->cells;
	}
	while (d.n)
		drop(&d, d.n - 1);
}

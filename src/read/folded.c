/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Folded stacks: one line for each stack, with its frames from the outermost to the innermost,
 * separated by `;`, then a blank and a count. The file has no times: the lane shows the stacks
 * one after the other, in the order of the file, each as wide as its count. Lines are read one
 * at a time; the text is not kept.
 *
 * Differential stacks have two counts a line, before and after. A frame may end with a number, too,
 * so that only the whole file tells: nearly all lines must have two. Until its end, the first count
 * is a part of the last frame; then the lane is made anew with one of the two. */
#include "config.h"

#include "read/reader.h"

#include "base/alloc.h"
#include "read/stack_lane.h"
#include "read/text_line.h"

#include <stdlib.h>
#include <string.h>

#define LOOK_LINES 50

struct folded_reader {
	struct scan *s;
	struct builder *b;
	struct error *err;
	struct named_stacks lane;
	size_t n_two; /* stacks whose last frame ends with a count */
};

/* Split a line into stack and count. A count of 1 is a microsecond. */
static bool part_line(struct str line, struct str *stack, int64_t *ns)
{
	enum number_kind kind;
	size_t at = line.len;

	while (at > 0 && !text_line_is_blank(line.p[at - 1]))
		at--;
	*stack = text_line_trimmed((struct str){ line.p, at });
	return stack->len > 0 && json_number_parse(line.p + at, line.len - at, 3, ns, &kind) &&
		*ns >= 0;
}

/* Split off the first of two counts. */
static bool part_first(struct str *stack, int64_t *ns)
{
	struct str name;

	if (stack->len < 3 || stack->p[stack->len - 1] < '0' || stack->p[stack->len - 1] > '9')
		return false;
	if (!part_line(*stack, &name, ns) || name.p[name.len - 1] == ';')
		return false;
	*stack = name;
	return true;
}

static bool take_stack(struct folded_reader *r, struct str stack, int64_t ns)
{
	for (size_t from = 0; from <= stack.len;) {
		const char *end = memchr(stack.p + from, ';', stack.len - from);
		size_t to = end ? (size_t)(end - stack.p) : stack.len;

		if (!named_stacks_push(&r->lane,
				       intern_add(&r->lane.names, stack.p + from, to - from),
				       r->err))
			return false;
		from = to + 1;
	}
	named_stacks_add(&r->lane, r->b, scan_offset(r->s), ns);
	r->n_two += part_first(&stack, &ns);
	return true;
}

static bool read_lines(struct folded_reader *r)
{
	struct str line, stack;
	bool is_whole;
	int64_t ns;

	while (text_line_next(r->s, r->err, &line, &is_whole)) {
		struct str text = text_line_trimmed(line);

		/* A `#` begins a comment or the name of a private method. */
		if (text.len == 0 || (text.p[0] == '#' && !part_line(text, &stack, &ns)))
			;
		else if (!part_line(text, &stack, &ns))
			builder_warn(r->b, WARN_ODD_LINE, scan_offset(r->s));
		else if (!take_stack(r, stack, ns))
			return false;
		text_line_pass(r->s, line);
	}
	return r->err->kind == ERR_NONE;
}

/* ---- two counts ---- */

/* Push the frames of a node, the last one without its count. before: set to that count. False, with
 * no error: it has none. */
static bool push_frames(struct folded_reader *r, const struct named_stacks *from, uint32_t node,
			uint32_t *path, int64_t *before)
{
	struct str last;
	size_t n = 0;

	for (; node; node = from->lane.map.parent[node])
		path[n++] = from->lane.map.frame[node];
	if (n == 0)
		return false;
	last = (struct str){ intern_text(&from->names, path[0]),
			     intern_len(&from->names, path[0]) };
	if (!part_first(&last, before))
		return false;
	while (n-- > 0) {
		struct str name = n ? (struct str){ intern_text(&from->names, path[n]),
						    intern_len(&from->names, path[n]) }
				    : last;

		if (!named_stacks_push(&r->lane, intern_add(&r->lane.names, name.p, name.len),
				       r->err))
			return false;
	}
	return true;
}

/* The side of a comparison that is wanted: 0, before; 1, after; -1: this is none. */
static int side_of(const struct builder *b)
{
	return !builder_options(b)->is_two_sided ? -1 : builder_this_input(b)->argument > 0;
}

/* Whether the counts before are to be shown. False, with an error: another name is wanted. */
static bool wants_before(struct folded_reader *r)
{
	const char *wanted = builder_options(r->b)->sample_type;

	if (side_of(r->b) >= 0)
		return side_of(r->b) == 0;
	if (wanted && strcmp(wanted, "before") != 0 && strcmp(wanted, "after") != 0)
		error_set(r->err, ERR_FORMAT, -1, "no sample type %s; it has before, after",
			  wanted);
	return wanted && strcmp(wanted, "before") == 0;
}

/* Make the stacks anew, with one of two counts. */
static bool choose_side(struct folded_reader *r)
{
	struct named_stacks both = r->lane;
	const struct stack_lane *l = &both.lane;
	uint32_t *path = xmalloc(((size_t)l->map.n + 1) * sizeof *path);
	bool is_before = wants_before(r);

	named_stacks_init(&r->lane);
	for (size_t i = 0; i < l->n_samples && r->err->kind == ERR_NONE; i++) {
		int64_t end = i + 1 < l->n_samples ? l->times[i + 1] : l->end_ns, before;

		if (push_frames(r, &both, l->samples[i], path, &before))
			named_stacks_add(&r->lane, r->b, -1,
					 is_before ? before : end - l->times[i]);
		else if (r->err->kind == ERR_NONE)
			builder_warn(r->b, WARN_ODD_LINE, -1);
	}
	free(path);
	named_stacks_done(&both);
	if (r->err->kind == ERR_NONE && side_of(r->b) < 0)
		builder_warn(r->b, WARN_TWO_COUNTS, -1);
	return r->err->kind == ERR_NONE;
}

/* Whether n_two of n stacks with two counts are those of a differential file. */
static bool is_differential(size_t n_two, size_t n)
{
	return n_two > 0 && n - n_two <= n / 20;
}

static bool make_lane(struct folded_reader *r, const struct file_hints *hints)
{
	if (r->lane.n_stacks == 0)
		return error_set(r->err, ERR_FORMAT, -1, "no line is a stack and a count");
	if (is_differential(r->n_two, r->lane.n_stacks)) {
		if (!choose_side(r))
			return false;
	} else if (side_of(r->b) == 0) {
		return error_set(r->err, ERR_FORMAT, -1,
				 "its lines have one count, not one before and one after");
	}
	builder_input_note(r->b, false,
			   "no times in the file: stacks in its order, a count of 1 as 1 µs");
	return named_stacks_end(&r->lane, r->b, hints, r->err);
}

static bool folded_read(struct scan *s, struct builder *b, const struct file_hints *hints,
			struct error *err)
{
	struct folded_reader r = { .s = s, .b = b, .err = err };
	bool ok;

	named_stacks_init(&r.lane);
	ok = read_lines(&r) && make_lane(&r, hints);
	named_stacks_done(&r.lane);
	return ok;
}

/* Whether text begins with a name in angle brackets and nothing else, such as `<anonymous>;`, or
 * with the visible form of a control character, such as `<9B>`. */
static bool is_angle_name(const char *text, size_t len)
{
	static const char hex[] = "0123456789ABCDEF",
			  other[] = "GHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";
	bool is_hex = true;
	size_t i = 1;

	for (; i < len && (memchr(hex, text[i], 16) || memchr(other, text[i], strlen(other))); i++)
		is_hex &= memchr(hex, text[i], 16) != NULL;
	return i > 1 && i + 1 < len && text[i] == '>' && (is_hex || text[i + 1] == ';');
}

/* Whether text may begin a JSON document or HTML. A stack may begin with a bracket, too:
 * `[unknown];main 12`. */
static bool may_be_json(const char *text, size_t len)
{
	size_t i = 1;

	if (text[0] == '<' && is_angle_name(text, len))
		return false;
	if (text[0] != '[')
		return strchr("{\"<", text[0]) != NULL;
	while (i < len && (text_line_is_blank(text[i]) || text[i] == '\n'))
		i++;
	return i == len || strchr("[]{\"-0123456789", text[i]) != NULL;
}

static bool folded_has_sides(const struct outline *outline)
{
	struct str text = { outline->text, outline->len }, line, stack;
	size_t n = 0, n_two = 0;
	int64_t ns;

	while (text_line_take(&text, outline->is_all, &line)) {
		if (part_line(text_line_trimmed(line), &stack, &ns)) {
			n++;
			n_two += part_first(&stack, &ns);
		}
	}
	return is_differential(n_two, n);
}

/* A line of prose may end in a number. In a folded file most of the first lines do, and some of
 * them have a `;`. */
static int folded_sniff(const struct outline *outline)
{
	struct str text = { outline->text, outline->len }, line, stack;
	bool has_semicolon = false;
	int n = 0, n_odd = 0;
	int64_t ns;

	for (; text.len && (text_line_is_blank(*text.p) || *text.p == '\n'); text.len--)
		text.p++;
	if (text.len == 0 || may_be_json(text.p, text.len) || memchr(text.p, 0, text.len))
		return 0;
	for (int i = 0; i < LOOK_LINES && text_line_take(&text, outline->is_all, &line); i++) {
		line = text_line_trimmed(line);
		if (line.len == 0)
			continue;
		if (part_line(line, &stack, &ns)) {
			has_semicolon |= memchr(stack.p, ';', stack.len) != NULL;
			n++;
		} else if (line.p[0] != '#') {
			n_odd++;
		}
	}
	return n > n_odd && has_semicolon ? 50 : 0;
}

const struct reader reader_folded = {
	.name = "folded",
	.help = "folded stacks (a;b;c 12), as flame graph scripts and profilers write them",
	.is_not_json = true,
	.sniff = folded_sniff,
	.read = folded_read,
	.has_sides = folded_has_sides,
};

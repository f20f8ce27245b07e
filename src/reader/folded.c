/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Folded stacks: one line for each stack, with its frames from the outermost to the innermost,
 * separated by `;`, then a blank and a count. The file has no times: the lane shows the stacks
 * one after the other, in the order of the file, each as wide as its count. Lines are read one
 * at a time; the text is not kept. */
#include "config.h"

#include "reader/reader.h"

#include "reader/name_lane.h"
#include "reader/text_line.h"

#include <stdlib.h>
#include <string.h>

#define LOOK_LINES 50

struct folded_reader {
	struct scan *s;
	struct builder *b;
	struct error *err;
	struct name_lane lane;
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

static bool take_stack(struct folded_reader *r, struct str stack, int64_t ns)
{
	for (size_t from = 0; from <= stack.len;) {
		const char *end = memchr(stack.p + from, ';', stack.len - from);
		size_t to = end ? (size_t)(end - stack.p) : stack.len;

		if (!name_lane_push(&r->lane, intern_add(&r->lane.names, stack.p + from, to - from),
				    r->err))
			return false;
		from = to + 1;
	}
	name_lane_add(&r->lane, r->b, scan_offset(r->s), ns);
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

static bool make_lane(struct folded_reader *r, const struct file_hints *hints)
{
	if (r->lane.n_stacks == 0)
		return error_set(r->err, ERR_FORMAT, -1, "no line is a stack and a count");
	builder_input_note(r->b, false,
			   "no times in the file: stacks in its order, a count of 1 as 1 µs");
	return name_lane_end(&r->lane, r->b, hints, r->err);
}

static bool folded_read(struct scan *s, struct builder *b, const struct file_hints *hints,
			struct error *err)
{
	struct folded_reader r = { .s = s, .b = b, .err = err };
	bool ok;

	name_lane_init(&r.lane);
	ok = read_lines(&r) && make_lane(&r, hints);
	name_lane_done(&r.lane);
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

/* A line of prose may end in a number. In a folded file most of the first lines do, and some of
 * them have a `;`. */
static int folded_sniff(const struct outline *outline)
{
	const char *p = outline->text, *end = outline->text + outline->len;
	bool has_semicolon = false;
	int n = 0, n_odd = 0;

	while (p < end && (text_line_is_blank(*p) || *p == '\n'))
		p++;
	if (p == end || may_be_json(p, (size_t)(end - p)))
		return 0;
	for (int i = 0; p < end && i < LOOK_LINES; i++) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		struct str line = { p, (size_t)((stop ? stop : end) - p) }, stack;
		int64_t ns;

		/* The last line may be cut off. */
		if (!stop && !outline->is_all)
			break;
		p = stop ? stop + 1 : end;
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
	"folded",     "folded stacks (a;b;c 12), as flame graph scripts and profilers write them",
	folded_sniff, folded_read,
	NULL,
};

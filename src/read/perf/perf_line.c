/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The name of a thread may have blanks, so that a head is found by its time: the first word of
 * digits, a point, digits and a colon. The words before it are the name of the thread, its number,
 * and sometimes the processor. Symbols and modules may have blanks and parentheses; the module is
 * between the last parenthesis and the one that belongs to it. */
#include "config.h"

#include "read/perf/perf_line.h"

#include "base/alloc.h"
#include "base/str.h"
#include "base/units.h"
#include "model/build/cpu_builder.h"
#include "model/lane.h"
#include "read/perf/perf.h"
#include "read/text_line.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* ==== perf frame ====
 *
 * A frame is interned as its name, a NUL, the kind of its place, and its module. All samples of a
 * function, at whatever offset and as whatever tier, are the same text.
 *
 * V8 names its code in a map of the process: a kind, how it was compiled, the function, and where
 * it begins: `JS:*fib /srv/app.js:3:13`; Node.js up to 18 has no column, and other kinds.
 *
 *	~  interpreted    ^  baseline    +  Maglev    *  TurboFan
 *	o+ o*  entered in the middle of a loop    +' *'  for one context */

enum place_kind {
	PLACE_NONE = '-',   /* no url: the module is not known, or is the map of a process */
	PLACE_JS = 'J',     /* the url is in the name */
	PLACE_MODULE = 'M', /* a program, a library, or the vdso */
	PLACE_KERNEL = 'K', /* the module is that of the kernel; empty: the kernel itself */
	PLACE_JIT = 'C'     /* compiled code that no map names */
};

static bool takes(struct str *text, const char *prefix)
{
	size_t len = strlen(prefix);

	if (text->len < len || memcmp(text->p, prefix, len) != 0)
		return false;
	text->p += len;
	text->len -= len;
	return true;
}

static bool ends(struct str text, const char *end)
{
	size_t len = strlen(end);

	return text.len >= len && memcmp(text.p + text.len - len, end, len) == 0;
}

/* ---- functions of JavaScript ---- */

/* Take how the function was compiled. -1: not stated. */
static int take_tier(struct str *name)
{
	static const char marks[] = "~^+*";
	size_t i = name->len > 1 && name->p[0] == 'o' && strchr("+*", name->p[1]);
	const char *mark;
	int tier = -1;

	if (i < name->len && name->p[i]) {
		mark = strchr(marks, name->p[i]);
		tier = mark ? (int)(mark - marks) : -1;
	}
	if (tier < 0)
		return -1;
	i++;
	i += i < name->len && name->p[i] == '\'';
	name->p += i;
	name->len -= i;
	return tier;
}

static bool take_kind(struct str *name)
{
	static const char *const kinds[] = { "JS:", "LazyCompile:", "Function:", "Script:",
					     "Eval:" };

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (takes(name, kinds[i]))
			return true;
	return false;
}

/* Take `:12` from the end. */
static bool take_last_number(struct str *text, int64_t *value)
{
	size_t at = text->len;

	while (at > 0 && text->p[at - 1] != ':')
		at--;
	if (at == 0 || !perf_line_number((struct str){ text->p + at, text->len - at }, value))
		return false;
	text->len = at - 1;
	return true;
}

/* Where the url begins: with its last word that can begin one, or with the last word. Names and
 * urls may have blanks. */
static size_t find_url(struct str text)
{
	size_t last = 0, found = SIZE_MAX;

	for (size_t i = 0; i <= text.len; i++) {
		struct str word = { text.p + i, 0 };

		if (i > 0 && text.p[i - 1] != ' ')
			continue;
		last = i;
		while (i + word.len < text.len && word.p[word.len] != ' ')
			word.len++;
		if (word.len &&
		    (word.p[0] == '/' || memmem(word.p, word.len, "://", 3) ||
		     takes(&word, "node:") || takes(&word, "file:")))
			found = i;
	}
	return found < SIZE_MAX ? found : last;
}

/* Split `NAME URL:LINE:COLUMN` or `NAME URL:LINE`; both count from 1. */
static void split_place(struct str text, struct str *name, struct str *url, int64_t *line,
			int64_t *column)
{
	size_t at;

	*name = text;
	*url = (struct str){ text.p, 0 };
	*line = *column = 0;
	if (!take_last_number(&text, line))
		return;
	if (take_last_number(&text, column)) {
		int64_t first = *column;

		*column = *line;
		*line = first;
	}
	at = find_url(text);
	*name = text_line_trimmed((struct str){ text.p, at });
	*url = (struct str){ text.p + at, text.len - at };
}

/* ---- other code ---- */

/* `RegExp.< src: 'a+' flags: 'g'` becomes `RegExp: a+`, as in CPU profiles. */
static void add_name(struct buf *out, struct str name)
{
	static const char src[] = " src: '", flags[] = "' flags: '";
	struct str rest = name;
	const char *from, *to = NULL;

	from = takes(&rest, "RegExp.") ? memmem(rest.p, rest.len, src, strlen(src)) : NULL;
	if (from) {
		from += strlen(src);
		for (to = rest.p + rest.len - strlen(flags); to > from; to--)
			if (memcmp(to, flags, strlen(flags)) == 0)
				break;
	}
	if (!from || to < from) {
		buf_add(out, name.p, name.len);
		return;
	}
	buf_adds(out, "RegExp: ");
	buf_add(out, from, (size_t)(to - from));
}

/* Whether the module is the map of a process, or memory without a file, where a compiler puts its
 * code. */
static bool is_jit(struct str module)
{
	struct str rest = module;

	return ends(module, ".map") || takes(&rest, "//anon") || takes(&rest, "[JIT") ||
		takes(&rest, "[anon:") || takes(&rest, "anon_inode:") ||
		memmem(module.p, module.len, "/jitted-", 8) ||
		memmem(module.p, module.len, "jit-cache", 9) ||
		memmem(module.p, module.len, "jit-code-cache", 14);
}

/* Whether the module is of the kernel; it becomes the name of that module, or empty. */
static bool take_kernel(struct str *module, uint64_t address)
{
	static const char *const of_process[] = { "[vdso",  "[vsyscall]", "[vvar",
						  "[heap]", "[stack",     "[uprobes]" };
	static const char *const endings[] = { ".ko", ".ko.xz", ".ko.gz", ".ko.zst" };
	struct str rest = *module;

	if (module->len == 0)
		return address >> 63;
	if (takes(&rest, "[kernel") || takes(&rest, "[guest.kernel") || ends(*module, "/vmlinux")) {
		module->len = 0;
		return true;
	}
	for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
		if (!ends(*module, endings[i]))
			continue;
		module->len -= strlen(endings[i]);
		for (size_t at = module->len; at-- > 0;)
			if (module->p[at] == '/') {
				*module = (struct str){ module->p + at + 1, module->len - at - 1 };
				break;
			}
		return true;
	}
	for (size_t i = 0; i < ARRAY_LEN(of_process); i++)
		if (takes(&rest, of_process[i]))
			return false;
	/* Names of modules have no blanks. */
	if (module->len < 3 || module->p[0] != '[' || !ends(*module, "]") ||
	    memchr(module->p, ' ', module->len))
		return false;
	module->p++;
	module->len -= 2;
	return true;
}

/* ---- frames ---- */

static str_id add_frame(struct perf *r, struct str name, enum place_kind kind, struct str module)
{
	buf_clear(&r->key);
	add_name(&r->key, name);
	buf_addc(&r->key, '\0');
	buf_addc(&r->key, (char)kind);
	buf_add(&r->key, module.p, module.len);
	return intern_add(&r->frames, buf_text(&r->key), r->key.len);
}

struct perf_frame perf_frame_add(struct perf *r, const struct perf_symbol *symbol)
{
	static const struct str none = { "", 0 }, unknown = { "[unknown]", 9 };
	struct perf_frame frame = { .tier = -1 };
	struct str name = symbol->name, module = symbol->module;
	bool has_name = name.len && !str_is(name, unknown.p);

	if (!has_name)
		name = unknown;
	if (str_is(module, "[unknown]") || str_is(module, "inlined"))
		module.len = 0;
	if (is_jit(module) || take_kind(&(struct str){ name.p, name.len })) {
		bool is_js = take_kind(&name);

		frame.is_unnamed = !has_name;
		if (is_js)
			frame.tier = take_tier(&name);
		frame.id = add_frame(r, name,
				     is_js              ? PLACE_JS
					     : has_name ? PLACE_NONE
							: PLACE_JIT,
				     none);
		return frame;
	}
	frame.is_kernel = take_kernel(&module, symbol->address);
	frame.id = add_frame(r, name,
			     frame.is_kernel      ? PLACE_KERNEL
				     : module.len ? PLACE_MODULE
						  : PLACE_NONE,
			     module);
	return frame;
}

str_id perf_frame_idle(struct perf *r)
{
	static const struct str idle = { "(idle)", 6 };

	return add_frame(r, idle, PLACE_NONE, (struct str){ "", 0 });
}

bool perf_frame_is_idle(const struct perf *r, str_id frame)
{
	static const char *const words[] = { "idle", "halt", "mwait" };
	const char *name = intern_text(&r->frames, frame);

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (strstr(name, words[i]))
			return true;
	return false;
}

uint32_t perf_frame_pass(struct perf *r, str_id frame)
{
	const char *text = intern_text(&r->frames, frame);
	size_t len = intern_len(&r->frames, frame);
	/* A name may have NULs; the kind is after the last one. */
	const char *end = memrchr(text, '\0', len);
	struct str name, url = { "", 0 }, script = { "0", 1 };
	int64_t line = 0, column = 0;

	if (!end || end + 1 == text + len)
		return cpu_builder_frame(r->b,
					 &(struct cpu_frame){ text, len, "", 0, "0", 1, -1, -1 });
	name = (struct str){ text, (size_t)(end - text) };
	buf_clear(&r->text);
	switch ((enum place_kind)end[1]) {
	case PLACE_JS:
		split_place(name, &name, &url, &line, &column);
		/* Code of eval() has no url. */
		if (url.len == 0 && line > 0)
			script = (struct str){ "eval", 4 };
		break;
	case PLACE_MODULE:
		buf_addf(&r->text, "native %.*s", (int)(text + len - (end + 2)), end + 2);
		break;
	case PLACE_KERNEL:
		buf_addf(&r->text, "native [kernel]%s%.*s", end + 2 < text + len ? " " : "",
			 (int)(text + len - (end + 2)), end + 2);
		break;
	case PLACE_JIT:
		buf_adds(&r->text, "native compiled code");
		break;
	case PLACE_NONE:
		break;
	}
	if (r->text.len)
		url = (struct str){ buf_text(&r->text), r->text.len };
	return cpu_builder_frame(r->b,
				 &(struct cpu_frame){ name.p, name.len, url.p, url.len, script.p,
						      script.len, line - 1, column - 1 });
}

/* ==== perf line ==== */

#define NUMBER_MAX ((int64_t)1 << 60)

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool perf_line_number(struct str text, int64_t *value)
{
	*value = 0;
	for (size_t i = 0; i < text.len; i++) {
		if (!is_digit(text.p[i]) || *value > NUMBER_MAX / 10 - 1)
			return false;
		*value = *value * 10 + (text.p[i] - '0');
	}
	return text.len > 0;
}

/* Take the first word. Empty: there is none. */
static struct str take_word(struct str *text)
{
	struct str word;

	while (text->len && text_line_is_blank(*text->p)) {
		text->p++;
		text->len--;
	}
	word = (struct str){ text->p, 0 };
	while (word.len < text->len && !text_line_is_blank(text->p[word.len]))
		word.len++;
	text->p += word.len;
	text->len -= word.len;
	return word;
}

/* Take the last word. */
static struct str take_last_word(struct str *text)
{
	size_t len, at;

	*text = text_line_trimmed(*text);
	len = at = text->len;
	while (at > 0 && !text_line_is_blank(text->p[at - 1]))
		at--;
	text->len = at;
	return (struct str){ text->p + at, len - at };
}

/* ---- the beginning of heads ---- */

/* Where the time of a head is: its point, its first byte, and its colon. */
struct time_place {
	size_t point, from, colon;
};

/* Read `12.345678:`, a word, around its point. */
static bool read_time(struct str line, struct time_place *at, int64_t *ns)
{
	int64_t seconds, part;
	size_t n;

	at->from = at->point;
	while (at->from > 0 && is_digit(line.p[at->from - 1]))
		at->from--;
	at->colon = at->point + 1;
	while (at->colon < line.len && is_digit(line.p[at->colon]))
		at->colon++;
	n = at->colon - at->point - 1;
	if (n == 0 || n > 9 || at->colon == line.len || line.p[at->colon] != ':' ||
	    (at->colon + 1 < line.len && !text_line_is_blank(line.p[at->colon + 1])) ||
	    (at->from > 0 && !text_line_is_blank(line.p[at->from - 1])))
		return false;
	if (!perf_line_number((struct str){ line.p + at->from, at->point - at->from }, &seconds) ||
	    !perf_line_number((struct str){ line.p + at->point + 1, n }, &part) ||
	    seconds > NUMBER_MAX / NS_PER_S)
		return false;
	for (; n < 9; n++)
		part *= 10;
	*ns = seconds * NS_PER_S + part;
	return true;
}

/* An id of a process or thread. -1 is that of records of the kernel. */
static bool read_id(struct str text, int64_t *id)
{
	bool is_negative = text.len && *text.p == '-';

	if (!perf_line_number((struct str){ text.p + is_negative, text.len - is_negative }, id))
		return false;
	*id = is_negative ? -*id : *id;
	return true;
}

/* Read `4711` or `4710/4711`: the thread, or the process and the thread. */
static bool read_thread(struct str word, struct perf_head *head)
{
	const char *slash = memchr(word.p, '/', word.len);
	size_t n = slash ? (size_t)(slash - word.p) : 0;

	head->pid = LANE_NO_ID;
	if (slash && !read_id((struct str){ word.p, n }, &head->pid))
		return false;
	if (slash)
		n++;
	return read_id((struct str){ word.p + n, word.len - n }, &head->tid);
}

/* Read what is before the time. */
static bool read_task(struct str text, struct perf_head *head)
{
	struct str word = take_last_word(&text);

	head->cpu = -1;
	if (word.len > 2 && word.p[0] == '[' && word.p[word.len - 1] == ']') {
		if (!perf_line_number((struct str){ word.p + 1, word.len - 2 }, &head->cpu))
			return false;
		word = take_last_word(&text);
	}
	head->comm = text_line_trimmed(text);
	return head->comm.len && read_thread(word, head);
}

/* ---- frames ---- */

static bool read_hex(struct str word, uint64_t *value)
{
	*value = 0;
	if (word.len == 0 || word.len > 16)
		return false;
	for (size_t i = 0; i < word.len; i++) {
		char c = word.p[i];

		if (!is_digit(c) && !(c >= 'a' && c <= 'f'))
			return false;
		*value = *value << 4 | (uint64_t)(is_digit(c) ? c - '0' : c - 'a' + 10);
	}
	return true;
}

static bool ends_line(struct str text, const char *end)
{
	size_t len = strlen(end);

	return text.len >= len && memcmp(text.p + text.len - len, end, len) == 0;
}

static bool is_opening(struct str text, size_t at)
{
	return text.p[at] == '(' && (at == 0 || text_line_is_blank(text.p[at - 1]));
}

/* The parenthesis that belongs to the last one of the text, if it is after a blank; otherwise the
 * last one after a blank. text.len: there is none. */
static size_t find_opening(struct str text)
{
	size_t depth = 0, at;

	for (at = text.len; at-- > 0;) {
		depth += text.p[at] == ')';
		if (text.p[at] == '(' && --depth == 0)
			break;
	}
	if (at < text.len && is_opening(text, at))
		return at;
	for (at = text.len; at-- > 0;)
		if (is_opening(text, at))
			return at;
	return text.len;
}

/* Take ` (module)` from the end. */
static void take_module(struct str *text, struct str *module)
{
	static const char deleted[] = " (deleted)";
	size_t at;

	*module = (struct str){ text->p, 0 };
	if (!ends_line(*text, ")"))
		return;
	at = find_opening(*text);
	if (at == text->len)
		return;
	*module = (struct str){ text->p + at + 1, text->len - at - 2 };
	if (ends_line(*module, deleted))
		module->len -= strlen(deleted);
	text->len = at;
	*text = text_line_trimmed(*text);
}

/* Remove `+0x1f` from the end. */
static void drop_offset(struct str *text)
{
	size_t at = text->len;
	uint64_t offset;

	while (at > 0 && text->p[at - 1] != '+' && text->p[at - 1] != ' ')
		at--;
	if (at > 0 && text->p[at - 1] == '+' && text->len - at > 2 &&
	    memcmp(text->p + at, "0x", 2) == 0 &&
	    read_hex((struct str){ text->p + at + 2, text->len - at - 2 }, &offset))
		text->len = at - 1;
}

bool perf_line_symbol(struct str line, struct perf_symbol *symbol)
{
	if (!read_hex(take_word(&line), &symbol->address))
		return false;
	line = text_line_trimmed(line);
	take_module(&line, &symbol->module);
	drop_offset(&line);
	symbol->name = line;
	return true;
}

/* ---- the rest of heads ---- */

/* Read what is after the time: the period, the event, and what the event prints or a frame. */
static bool read_event(struct str text, struct perf_head *head)
{
	static const char record[] = "PERF_RECORD_";
	struct str rest = text, word = take_word(&rest);
	struct perf_symbol symbol;

	head->period = 0;
	if (perf_line_number(word, &head->period))
		word = take_word(&rest);
	else
		head->period = 0;
	head->is_record = word.len > strlen(record) && memcmp(word.p, record, strlen(record)) == 0;
	head->rest = text_line_trimmed(rest);
	head->event = word;
	if (word.len == 0 || head->is_record)
		return true;
	while (head->event.len && head->event.p[head->event.len - 1] == ':')
		head->event.len--;
	if (head->event.len && head->event.len < word.len)
		return true;
	/* `perf script -F` may leave out the event. */
	head->period = 0;
	head->event.len = 0;
	head->rest = text_line_trimmed(text);
	return perf_line_symbol(head->rest, &symbol) && symbol.module.len;
}

bool perf_line_head(struct str line, struct perf_head *head)
{
	struct time_place at = { 0 };
	const char *point;

	for (;; at.point++) {
		point = memchr(line.p + at.point, '.', line.len - at.point);
		if (!point)
			return false;
		at.point = (size_t)(point - line.p);
		if (read_time(line, &at, &head->t) &&
		    read_task((struct str){ line.p, at.from }, head))
			break;
	}
	at.colon++;
	return read_event((struct str){ line.p + at.colon, line.len - at.colon }, head);
}

/* ---- other lines ---- */

/* `0x401136/0x401126/P/-/-/0`, with symbols instead of addresses, or with modules after them. */
static bool is_branch(struct str word)
{
	size_t n = 0;

	for (size_t i = 0; i + 2 < word.len; i++)
		n += word.p[i] == '/' && memchr("PMN-", word.p[i + 1], 4) && word.p[i + 2] == '/';
	return n > 0 &&
		((word.len > 2 && memcmp(word.p, "0x", 2) == 0) ||
		 memmem(word.p, word.len, "+0x", 3));
}

size_t perf_line_branches(struct str line)
{
	size_t n = 0;

	for (struct str word = take_word(&line); word.len; word = take_word(&line))
		n += is_branch(word);
	return n;
}

bool perf_line_is_source(struct str line)
{
	static const char inlined[] = " (inlined)";
	size_t digits = 0;

	if (line.len < 3 || memcmp(line.p, "  ", 2) != 0 || line.p[2] == ' ')
		return false;
	line = text_line_trimmed(line);
	if (ends_line(line, inlined))
		line.len -= strlen(inlined);
	while (digits < line.len && is_digit(line.p[line.len - 1 - digits]))
		digits++;
	if (digits)
		return line.len > digits + 1 && line.p[line.len - 1 - digits] == ':';
	/* What is not known is printed as `libc.so.6[27249]`. */
	return ends_line(line, "]") && memchr(line.p, '[', line.len) && line.p[0] != '[';
}

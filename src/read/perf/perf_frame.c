/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A frame is interned as its name, a NUL, the kind of its place, and its module. All samples of a
 * function, at whatever offset and as whatever tier, are the same text.
 *
 * V8 names its code in a map of the process: a kind, how it was compiled, the function, and where
 * it begins: `JS:*fib /srv/app.js:3:13`; Node.js up to 18 has no column, and other kinds.
 *
 *	~  interpreted    ^  baseline    +  Maglev    *  TurboFan
 *	o+ o*  entered in the middle of a loop    +' *'  for one context */
#include "config.h"

#include "read/perf/perf.h"

#include "base/alloc.h"
#include "model/build/cpu_builder.h"
#include "read/text_line.h"

#include <string.h>

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

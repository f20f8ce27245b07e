/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Deduplicated frames: an index table over their ids. */
#include "config.h"

#include "model/frame.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "base/str.h"
#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>

/* ==== category ====
 *
 * Category and package from the url of a function. The tests are made in their order in this file;
 * the first that succeeds wins. `\` counts as `/`. */

const char *category_name(enum category category)
{
	static const char *const name[CATEGORY_COUNT] = {
		[CATEGORY_APP] = "app",
		[CATEGORY_DEPENDENCY] = "dependency",
		[CATEGORY_NODE] = "node",
		[CATEGORY_RUNTIME] = "runtime",
		[CATEGORY_NATIVE] = "native",
		[CATEGORY_REGEXP] = "regexp",
		[CATEGORY_WASM] = "wasm",
		[CATEGORY_EVAL] = "eval",
		[CATEGORY_BUNDLER] = "bundler",
		[CATEGORY_EXTENSION] = "extension",
		[CATEGORY_RENDERING] = "rendering",
		[CATEGORY_GC] = "garbage collector",
		[CATEGORY_PROGRAM] = "program",
		[CATEGORY_IDLE] = "idle",
		[CATEGORY_UNKNOWN] = "unknown",
		[CATEGORY_SLICE] = "slice",
		[CATEGORY_MARK] = "mark",
		[CATEGORY_LANE] = "lane",
		[CATEGORY_LABEL] = "label",
	};

	return name[category];
}

static bool starts(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static bool is_sep(char c)
{
	return c == '/' || c == '\\';
}

/* Intern `len` bytes with %xx decoded. */
static str_id decoded(struct intern *strings, const char *text, size_t len)
{
	char *copy = xstrndup(text, len);
	size_t out = 0;
	str_id id;

	for (size_t i = 0; i < len; i++) {
		if (copy[i] == '%' && i + 2 < len && text_hex_pair(copy + i + 1) >= 0) {
			copy[out++] = (char)text_hex_pair(copy + i + 1);
			i += 2;
		} else {
			copy[out++] = is_sep(copy[i]) ? '/' : copy[i];
		}
	}
	id = intern_add(strings, copy, out);
	free(copy);
	return id;
}

static size_t segment(const char *text)
{
	size_t n = 0;

	while (text[n] && !is_sep(text[n]))
		n++;
	return n;
}

/* The text after the last "node_modules/" that begins a path segment; NULL: none. */
static const char *after_node_modules(const char *url)
{
	static const char word[] = "node_modules";
	const char *found = NULL, *p = url;

	while ((p = strstr(p, word)) != NULL) {
		bool begins = p == url || is_sep(p[-1]);

		p += sizeof word - 1;
		if (begins && is_sep(*p))
			found = p + 1;
	}
	return found;
}

static str_id package_of(struct intern *strings, const char *path)
{
	static const char *const store[] = { ".pnpm", ".cache", ".yarn", ".store" };
	size_t len = segment(path);

	if (STR_IN(((struct str){ path, len }), store))
		return 0;
	if (len > 0 && (path[0] == '@' || starts(path, "%40")) && path[len])
		len += 1 + segment(path + len + 1);
	/* The last segment is the name of a file, not of a package, unless it is the only one. */
	return len ? decoded(strings, path, len) : 0;
}

bool category_is_internal(const char *url)
{
	size_t len = strlen(url);

	/* Go calls its own files `internal/reflectlite/swapper.go`. */
	return (starts(url, "internal/") || starts(url, "internal\\")) &&
		!(len > 3 && strcmp(url + len - 3, ".go") == 0);
}

/* `events.js`: the names that Node 4 to 15 gave to their own files. A bundler or a test may call a
 * user's file the same, so the names count only where the whole profile is of an old Node. */
static bool is_old_builtin(const char *url)
{
	/* clang-format off */
	static const char *const files[] = {
		"_debug_agent", "_debugger", "_http_agent", "_http_client", "_http_common",
		"_http_incoming", "_http_outgoing", "_http_server", "_linklist", "_stream_duplex",
		"_stream_passthrough", "_stream_readable", "_stream_transform", "_stream_wrap",
		"_stream_writable", "_tls_common", "_tls_legacy", "_tls_wrap", "assert",
		"async_hooks", "bootstrap_node", "buffer", "child_process", "cluster", "console",
		"constants", "crypto", "dgram", "diagnostics_channel", "dns", "domain", "events",
		"freelist", "fs", "http", "http2", "https", "inspector", "module", "net", "node",
		"os", "path", "perf_hooks", "process", "punycode", "querystring", "readline",
		"repl", "smalloc", "stream", "string_decoder", "sys", "timers", "tls",
		"trace_events", "tty", "url", "util", "v8", "vm", "wasi", "worker_threads", "zlib",
	};
	/* clang-format on */
	size_t len = strlen(url);

	return len > 3 && strcmp(url + len - 3, ".js") == 0 &&
		STR_IN(((struct str){ url, len - 3 }), files);
}

bool category_is_gc_slice(const char *name)
{
	static const char *const names[] = { "GC",
					     "GCEvent",
					     "MajorGC",
					     "MinorGC",
					     "ThreadState::completeSweep",
					     "ThreadState::performIdleLazySweep" };
	static const char *const beginnings[] = { "V8.GC", "BlinkGC.", "CppGC." };

	if (STR_IN(str_of(name), names))
		return true;
	for (size_t i = 0; i < ARRAY_LEN(beginnings); i++)
		if (starts(name, beginnings[i]))
			return true;
	return false;
}

static enum category without_url(const char *name, bool has_script)
{
	/* What flametty run does in a process is no time of the program. */
	if (strcmp(name, "(idle)") == 0 || strcmp(name, "(flametty)") == 0)
		return CATEGORY_IDLE;
	if (strcmp(name, "(program)") == 0)
		return CATEGORY_PROGRAM;
	if (strcmp(name, "(garbage collector)") == 0 || strcmp(name, "(gc)") == 0)
		return CATEGORY_GC;
	if (strcmp(name, "(unknown)") == 0)
		return CATEGORY_UNKNOWN;
	if (strcmp(name, "(style)") == 0 || strcmp(name, "(layout)") == 0 ||
	    strcmp(name, "(paint)") == 0)
		return CATEGORY_RENDERING;
	if (starts(name, "RegExp:"))
		return CATEGORY_REGEXP;
	if (category_is_by_name(name))
		return CATEGORY_WASM;
	return has_script ? CATEGORY_EVAL : CATEGORY_NATIVE;
}

static str_id node_package(struct intern *strings, const char *url)
{
	char text[64] = "node:";
	const char *path = starts(url, "node:") ? url + 5 : url;
	size_t len = segment(path);

	if (path == url && len > 3 && strcmp(path + len - 3, ".js") == 0)
		len -= 3;
	if (len > sizeof text - 6)
		len = sizeof text - 6;
	memcpy(text + 5, path, len);
	return intern_add(strings, text, 5 + len);
}

/* Whether a url is of code that webpack adds: `webpack/runtime/...`, and with the name of the
 * library that is built, as in source maps, `webpack://NAME/webpack/bootstrap`. A folder `webpack`
 * of the user is no such code. */
static bool is_webpack(const char *url)
{
	static const char *const files[] = { "runtime/",      "bootstrap",
					     "startup",       "before-startup",
					     "after-startup", "universalModuleDefinition",
					     "container/",    "sharing/" };

	if (starts(url, "webpack/runtime/") || starts(url, "webpack:///webpack/"))
		return true;
	if (!starts(url, "webpack://"))
		return false;
	url += 10;
	/* The name may be that of a package with a scope, `@scope/name`. */
	if (*url == '@' && url[segment(url)])
		url += segment(url) + 1;
	url += segment(url);
	if (!starts(url, "/webpack/"))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		const char *file = url + 9;
		size_t n = strlen(files[i]);

		if (strncmp(file, files[i], n) == 0 &&
		    (files[i][n - 1] == '/' || !file[n] || file[n] == ' ' || file[n] == '?'))
			return true;
	}
	return false;
}

enum category category_of(struct intern *strings, const struct category_facts *facts,
			  str_id *package)
{
	const char *name = facts->name, *url = facts->url;
	const char *path;

	*package = 0;
	if (!*url)
		return without_url(name, facts->has_script);
	if (starts(url, "native "))
		return CATEGORY_NATIVE;
	if (strcmp(url, "evalmachine.<anonymous>") == 0 || strcmp(url, "[eval]") == 0 ||
	    strcmp(url, "[eval1]") == 0 || strcmp(url, "[worker eval]") == 0)
		return CATEGORY_EVAL;
	if (starts(url, "node:") || category_is_internal(url) ||
	    (facts->is_old_node && is_old_builtin(url))) {
		*package = node_package(strings, url);
		return CATEGORY_NODE;
	}
	if (starts(url, "ext:") || starts(url, "deno:") || starts(url, "bun:") ||
	    strcmp(url, "[native code]") == 0)
		return CATEGORY_RUNTIME;
	if (starts(url, "wasm://") || category_is_by_name(name))
		return CATEGORY_WASM;
	path = after_node_modules(url);
	if (path) {
		*package = package_of(strings, path);
		return CATEGORY_DEPENDENCY;
	}
	path = strstr(url, "/registry.npmjs.org/");
	if (path) {
		*package = package_of(strings, path + strlen("/registry.npmjs.org/"));
		return CATEGORY_DEPENDENCY;
	}
	if (starts(url, "jsr:"))
		return CATEGORY_DEPENDENCY;
	if (starts(url, "chrome-extension:") || starts(url, "extensions:") ||
	    starts(url, "flametty:") || starts(url, "devtools:") || starts(url, "chrome:"))
		return CATEGORY_EXTENSION;
	return is_webpack(url) ? CATEGORY_BUNDLER : CATEGORY_APP;
}

/* ==== frame ==== */

static uint64_t frame_hash(const struct frame *f)
{
	/* If there is a url, the script id is ignored: the same file loaded twice, or in two
	 * threads, has the same functions. Ids are consecutive numbers: they must not be folded
	 * onto each other. */
	uint32_t where = f->url ? f->url : f->script;

	return hash_u64(hash_u64((uint64_t)f->name << 32 | where) ^
			((uint64_t)(uint32_t)f->line << 32 | (uint32_t)f->column));
}

static bool frame_equal(const struct frame *a, const struct frame *b)
{
	return a->name == b->name && a->url == b->url && a->line == b->line &&
		a->column == b->column && (a->url || a->script == b->script) &&
		a->event == b->event &&
		(a->category == CATEGORY_SLICE) == (b->category == CATEGORY_SLICE) &&
		(a->category == CATEGORY_MARK) == (b->category == CATEGORY_MARK);
}

void frame_table_init(struct frame_table *table)
{
	*table = (struct frame_table){ 0 };
	/* FRAME_NONE is not in the index table: no frame equals it. */
	table->frames = xgrow(NULL, &table->cap, 1, sizeof *table->frames);
	table->frames[FRAME_NONE] = (struct frame){ .category = CATEGORY_NATIVE };
	table->n = 1;
}

frame_id frame_table_add(struct frame_table *table, const struct frame *frame)
{
	uint64_t hash = frame_hash(frame);
	struct hash_probe probe = hash_probe(hash);

	while (hash_table_next(&table->index, &probe))
		if (frame_equal(&table->frames[probe.index], frame))
			return probe.index;
	hash_table_add_missing(&table->index, &probe, table->n);
	*ARRAY_ADD(table->frames, table->n, table->cap) = *frame;
	return table->n - 1;
}

SORT_ORDER(by_id, frame_id, SORT_BY_1(*x, *y))

frame_id *frame_ranks(const frame_id *frame, uint32_t n, frame_id *rank, uint32_t *n_ranks)
{
	frame_id *ids = xmalloc((size_t)n * sizeof *ids), *at;
	uint32_t n_ids = 0;

	memcpy(ids, frame, (size_t)n * sizeof *ids);
	qsort(ids, n, sizeof *ids, by_id);
	for (uint32_t i = 0; i < n; i++)
		if (n_ids == 0 || ids[i] != ids[n_ids - 1])
			ids[n_ids++] = ids[i];
	for (uint32_t i = 0; i < n; i++) {
		at = bsearch(&frame[i], ids, n_ids, sizeof *ids, by_id);
		rank[i] = (frame_id)(at - ids);
	}
	*n_ranks = n_ids;
	return ids;
}

const char *frame_color_name(unsigned color)
{
	static const char *const name[FRAME_COLORS] = {
		"",
		"good",
		"bad",
		"terrible",
		"black",
		"grey",
		"white",
		"yellow",
		"olive",
		"generic_work",
		"startup",
		"rail_response",
		"rail_animation",
		"rail_idle",
		"rail_load",
		"thread_state_uninterruptible",
		"thread_state_iowait",
		"thread_state_running",
		"thread_state_runnable",
		"thread_state_sleeping",
		"thread_state_unknown",
		"background_memory_dump",
		"light_memory_dump",
		"detailed_memory_dump",
		"vsync_highlight_color",
		"heap_dump_stack_frame",
		"heap_dump_object_type",
		"heap_dump_child_node_arrow",
		"cq_build_running",
		"cq_build_passed",
		"cq_build_failed",
		"cq_build_abandoned",
		"cq_build_attempt_runnig", /* so the format spells it */
		"cq_build_attempt_passed",
		"cq_build_attempt_failed",
	};

	return name[color];
}

unsigned frame_color_find(const char *name, size_t len)
{
	for (unsigned i = 1; i < FRAME_COLORS; i++)
		if (strlen(frame_color_name(i)) == len &&
		    memcmp(frame_color_name(i), name, len) == 0)
			return i;
	return 0;
}

/* ==== site ====
 *
 * There is no list of suffixes: the rule is right for most hosts, and the same in each version. */

struct str site_host(const char *url)
{
	size_t scheme = strncmp(url, "http://", 7) == 0 ? 7 : strncmp(url, "https://", 8) ? 0 : 8;

	return (struct str){ url + scheme, scheme ? strcspn(url + scheme, "/?#") : 0 };
}

struct str site_of(struct str host)
{
	size_t end = 0, at, before = SIZE_MAX, labels = 0;

	/* An address of version 6 is in brackets; others end with a digit. */
	if (host.len && host.p[0] == '[')
		return host;
	while (end < host.len && host.p[end] != ':')
		end++;
	if (end && isdigit((unsigned char)host.p[end - 1]))
		return (struct str){ host.p, end };
	for (at = end; at > 0; at--) {
		if (host.p[at - 1] != '.')
			continue;
		labels++;
		if (labels == 2 && !(end - before <= 2 && before - 1 - at <= 3))
			break;
		if (labels == 3)
			break;
		before = at;
	}
	return (struct str){ host.p + at, end - at };
}

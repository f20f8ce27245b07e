/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The url decides about internals of Node.js: `node:internal/X/...` counts as module X, also in the
 * form of Node 15 and older, which had no `node:`. */
#include "config.h"

#include "findings/charge_frame.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

#define URL_IS_LONG 1u  /* a function begins far to the right */
#define URL_IS_MIN 2u   /* `.min.` */
#define URL_IS_KNOWN 4u /* the name has been looked at */

static bool starts(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static bool is_any(const char *text, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(text, list[i]) == 0)
			return true;
	return false;
}

const char *charge_frame_sync_name(enum charge_sync sync)
{
	static const char *const name[SYNC_COUNT] = { "", "fs", "zlib", "crypto", "child_process" };

	return name[sync];
}

/* path: the url without `node:`. */
static enum charge_sync sync_of(const char *path, const char *name)
{
	size_t len = strlen(name);

	if (len < 4 || strcmp(name + len - 4, "Sync") != 0)
		return SYNC_NONE;
	if (starts(path, "internal/"))
		path += strlen("internal/");
	for (enum charge_sync i = SYNC_NONE + 1; i < SYNC_COUNT; i++) {
		const char *module = charge_frame_sync_name(i);
		size_t n = strlen(module);

		if (strncmp(path, module, n) == 0 && (!path[n] || path[n] == '/' || path[n] == '.'))
			return i;
	}
	return SYNC_NONE;
}

bool charge_frame_is_io(const char *name)
{
	static const char *const exact[] = { "http",        "net",       "dns",     "tls",
					     "dgram",       "timers",    "process", "async_hooks",
					     "task_queues", "webstreams" };
	static const char *const first[] = { "_http", "_tls", "_stream", "stream", "diagnostics" };

	if (!starts(name, "node:"))
		return false;
	name += strlen("node:");
	for (size_t i = 0; i < ARRAY_LEN(first); i++)
		if (starts(name, first[i]))
			return true;
	return is_any(name, exact, ARRAY_LEN(exact));
}

void charge_frame_modules_done(struct charge_modules *m)
{
	free(m->list);
	hash_table_done(&m->index);
	*m = (struct charge_modules){ 0 };
}

static uint16_t find_module(struct charge_modules *m, struct arena *arena, const char *name,
			    size_t len, const char *scheme)
{
	size_t scheme_len = strlen(scheme);
	uint64_t hash = hash_bytes(name, len) + scheme_len;
	struct hash_probe probe = hash_probe(hash);
	char *text;

	if (!m->n) {
		m->list = xgrow(m->list, &m->cap, 1, sizeof *m->list);
		m->list[m->n++] = (struct charge_module){ .name = "" };
	}
	while (hash_table_next(&m->index, &probe)) {
		const char *known = m->list[probe.index].name;

		if (starts(known, scheme) && strncmp(known + scheme_len, name, len) == 0 &&
		    !known[scheme_len + len])
			return (uint16_t)probe.index;
	}
	if (m->n >= UINT16_MAX)
		return 0;
	text = arena_alloc(arena, scheme_len + len + 1);
	memcpy(text, scheme, scheme_len);
	memcpy(text + scheme_len, name, len);
	m->list = xgrow(m->list, &m->cap, m->n + 1, sizeof *m->list);
	m->list[m->n] = (struct charge_module){ text, charge_frame_is_io(text) };
	hash_table_add(&m->index, hash, (uint32_t)m->n);
	return (uint16_t)m->n++;
}

/* The module of an internal of Node.js. */
static uint16_t module_of(const char *path, struct charge_modules *m, struct arena *arena)
{
	const char *from = starts(path, "internal/") ? path + strlen("internal/") : path;
	size_t len = strcspn(from, "/");

	if (!from[len] && len > 3 && strcmp(from + len - 3, ".js") == 0)
		len -= 3;
	return find_module(m, arena, from, len, "node:");
}

static struct charge_frame node_frame(const char *name, const char *path)
{
	/* Row 0 of what an event loop calls. */
	static const char *const entry[] = {
		"parserOnHeadersComplete",
		"onconnection",
		"onStreamRead",
		"onread",
		"onParserExecute",
		"parserOnBody",
		"parserOnMessageComplete",
		"processTimers",
		"onMessage",
	};
	struct charge_frame f = { .flags = CHARGE_NODE, .sync = (uint8_t)sync_of(path, name) };

	if (starts(path, "internal/modules/"))
		f.flags |= CHARGE_LOADER;
	if (starts(path, "internal/main/"))
		f.flags |= CHARGE_BOOT | CHARGE_MAIN;
	if (starts(path, "internal/bootstrap/") || starts(path, "internal/process/pre_execution"))
		f.flags |= CHARGE_BOOT;
	if (strcmp(name, "processTimers") == 0 || strcmp(name, "listOnTimeout") == 0)
		f.flags |= CHARGE_TIMER;
	if (is_any(name, entry, ARRAY_LEN(entry)) ||
	    starts(path, "internal/per_context/messageport"))
		f.flags |= CHARGE_ENTRY;
	return f;
}

/* Functions that sleep in Atomics.wait(). V8 has no frame for it, so the time is that of its
 * caller, and only the name of the caller tells. `where`: the package, or the beginning of the url;
 * NULL: any file. Other engines have a native frame. */
static bool sleeps(const struct profile *p, const struct frame *f)
{
	static const struct {
		const char *name, *where;
	} known[] = {
		{ "atomicsWaitLoop", NULL }, /* workers of piscina and tinypool, also in bundles */
		{ "waitForWorker", "internal/modules/esm/" },
		{ "#waitForWorker", "internal/modules/esm/" },
		{ "makeSyncRequest", "internal/modules/esm/" },
		{ "syncFn", "synckit" },
		{ "receiveMessageWithId", "synckit" },
		{ "runCallSync", "esbuild" },
		{ "flushSync", "thread-stream" },
		{ "sleep", "atomic-sleep" },
	};
	const char *name = profile_text(p, f->name), *url = profile_text(p, f->url),
		   *package = f->package ? profile_text(p, f->package) : "";

	if (f->category == CATEGORY_NATIVE)
		return !f->url && (strcmp(name, "Atomics.wait") == 0 || strcmp(name, "wait") == 0);
	url += starts(url, "node:") ? strlen("node:") : 0;
	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		const char *where = known[i].where;

		/* Most names differ in the first letter. */
		if (*name == *known[i].name && strcmp(name, known[i].name) == 0 &&
		    (!where || strcmp(package, where) == 0 ||
		     (f->category == CATEGORY_NODE && starts(url, where))))
			return true;
	}
	return false;
}

/* In WebAssembly, columns are offsets. */
bool charge_frame_is_long(const struct frame *f)
{
	return f->url && f->column >= CHARGE_LONG_COLUMN && f->category != CATEGORY_WASM;
}

void charge_frame_note_url(const struct frame *f, uint8_t *urls)
{
	if (charge_frame_is_long(f))
		urls[f->url] = URL_IS_LONG;
}

bool charge_frame_is_minified(const struct profile *p, const struct frame *f, uint8_t *urls)
{
	uint8_t *url = &urls[f->url];

	if (!(*url & URL_IS_KNOWN))
		*url |= URL_IS_KNOWN | (strstr(profile_text(p, f->url), ".min.") ? URL_IS_MIN : 0);
	return *url & URL_IS_LONG || (*url & URL_IS_MIN && f->category != CATEGORY_WASM);
}

/* In WebAssembly, line 1 is all there is. */
static uint16_t top_of(const struct profile *p, const struct frame *f)
{
	const char *name = profile_text(p, f->name);

	return f->url && f->category != CATEGORY_WASM && f->line <= 1 && f->column <= 1 &&
			(!*name || strcmp(name, "(anonymous)") == 0)
		? CHARGE_TOP
		: 0;
}

static struct charge_frame classify(const struct profile *p, const struct frame *frame,
				    struct charge_modules *m, struct arena *arena)
{
	static const char *const writers[] = { "writev", "close", "shutdown", "writeLatin1String" };
	const char *name = profile_text(p, frame->name), *url = profile_text(p, frame->url);
	struct charge_frame f = { 0 };

	switch (frame->category) {
	case CATEGORY_APP:
	case CATEGORY_WASM:
		f.flags = CHARGE_OWN | top_of(p, frame);
		return f;
	case CATEGORY_EVAL:
		/* Without a url, it is made by new Function: its time is its caller's. */
		f.flags = frame->url ? CHARGE_OWN | top_of(p, frame) : 0;
		break;
	case CATEGORY_DEPENDENCY:
		f.flags = CHARGE_DEPENDENCY | top_of(p, frame);
		return f;
	case CATEGORY_NODE:
		url += starts(url, "node:") ? strlen("node:") : 0;
		f = node_frame(name, url);
		/* A frame that stands for a package has no url. */
		if (!frame->url && frame->package)
			url = profile_text(p, frame->package) + strlen("node:");
		f.module = *url ? module_of(url, m, arena)
				: find_module(m, arena, "node", strlen("node"), "");
		if (m->list[f.module].is_io)
			f.flags |= CHARGE_IO;
		return f;
	case CATEGORY_NATIVE:
		if (is_any(name, writers, ARRAY_LEN(writers)))
			f.flags = CHARGE_NATIVE_IO;
		break;
	default:
		break;
	}
	name = category_name(frame->category);
	f.module = find_module(m, arena, name, strlen(name), "");
	return f;
}

struct charge_frame charge_frame_of(const struct profile *p, const struct frame *frame,
				    struct charge_modules *m, struct arena *arena)
{
	struct charge_frame f = classify(p, frame, m, arena);

	if (sleeps(p, frame))
		f.flags |= CHARGE_SLEEPS;
	if (frame->category == CATEGORY_NATIVE && !frame->url &&
	    starts(profile_text(p, frame->name), "[root"))
		f.flags |= CHARGE_BASE;
	return f;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes are in preorder, so one pass over them hands all attributes from a parent to its children;
 * an own frame resets what belongs to a path. Only the attributes of the nodes above the next one
 * are kept, and those of stacks. The pass is made with own code, and again in tool
 * mode if that is needed: the times of the whole lane decide.
 *
 * Each pass is a phase (budget.h): it stops between two nodes when the budget is spent. */
#include "config.h"

#include "findings/charge.h"

#include "base/alloc.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* ==== charge frame ====
 *
 * The url decides about internals of Node.js: `node:internal/X/...` counts as module X, also in the
 * form of Node 15 and older, which had no `node:`. */

#define CHARGE_IO 64u   /* machinery of input and output, which also waits for others */
#define URL_IS_LONG 1u  /* a function begins far to the right */
#define URL_IS_MIN 2u   /* `.min.` */
#define URL_IS_KNOWN 4u /* the name has been looked at */

static bool starts(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
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

/* Whether a module, `node:http`, waits for others or only passes data on. */
static bool charge_frame_is_io(const char *name)
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
	return text_is_any(name, exact, ARRAY_LEN(exact));
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

	if (category_is_loader(path))
		f.flags |= CHARGE_LOADER;
	if (starts(path, "internal/main/"))
		f.flags |= CHARGE_BOOT | CHARGE_MAIN;
	if (starts(path, "internal/bootstrap/") || starts(path, "internal/process/pre_execution"))
		f.flags |= CHARGE_BOOT;
	if (strcmp(name, "processTimers") == 0 || strcmp(name, "listOnTimeout") == 0)
		f.flags |= CHARGE_TIMER;
	if (text_is_any(name, entry, ARRAY_LEN(entry)) ||
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

/* Note in `urls`, by str_id and 0 at first, whether a line of the file of a frame is long. In
 * WebAssembly, columns are offsets. */
static void note_url(const struct frame *f, uint8_t *urls)
{
	if (f->url && f->column >= CHARGE_LONG_COLUMN && f->category != CATEGORY_WASM)
		urls[f->url] = URL_IS_LONG;
}

/* Whether the file of a frame is minified, by its name, or by the lines that all frames tell of. */
static bool is_minified(const struct profile *p, const struct frame *f, uint8_t *urls)
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

static struct charge_frame by_category(const struct profile *p, const struct frame *frame,
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
	case CATEGORY_SLICE:
		/* It has the place of what it runs. */
		f.flags = frame->url && frame->line > 0 && !starts(url, "chrome-extension:")
			? CHARGE_OWN
			: 0;
		break;
	case CATEGORY_NATIVE:
		if (text_is_any(name, writers, ARRAY_LEN(writers)))
			f.flags = CHARGE_NATIVE_IO;
		break;
	default:
		break;
	}
	name = category_name(frame->category);
	f.module = find_module(m, arena, name, strlen(name), "");
	return f;
}

/* Classify a frame, without CHARGE_MINIFIED. Texts of `modules` live in `arena`. */
static struct charge_frame frame_of(const struct profile *p, const struct frame *frame,
				    struct charge_modules *m, struct arena *arena)
{
	struct charge_frame f = by_category(p, frame, m, arena);

	if (sleeps(p, frame))
		f.flags |= CHARGE_SLEEPS;
	if (frame->category == CATEGORY_NATIVE && !frame->url &&
	    starts(profile_text(p, frame->name), "[root"))
		f.flags |= CHARGE_BASE;
	return f;
}

/* ==== charge through ====
 *
 * A router calls other packages, with no own frame on the stack. For the nodes without an owner,
 * the chain of distinct packages is followed from the outermost one inwards, as long as the next
 * one has most of the time; the last one gets the time. Not below an owner: there, the outermost
 * package is the one that the user's code chose. */

#define PASS_PERCENT 70  /* of the time of a package that the next one must have */
#define CHAIN_MAX 256    /* packages of a chain: each node looks through the one above it */
#define OWNED UINT32_MAX /* instead of a chain: the node has an owner */

/* A chain of distinct packages: the last one, and the chain before it. Chain 0 is empty. */
struct link {
	uint32_t above;
	uint32_t package; /* group */
	uint32_t length;  /* packages; those after CHAIN_MAX count for the last one */
	int64_t ns;       /* of this chain and of all that continue it */
	uint32_t best;    /* the one of these with most time; 0: none */
};

struct charge_through {
	struct charge *charge;
	struct phases phases;
	struct link *list;
	size_t n, cap;
	struct hash_table index;
	uint32_t *path; /* by row: the chains of the nodes above the next one */
	uint32_t stack; /* the first one that is not done */
	uint32_t *last; /* by group: the package that gets the time of a package; 0: itself */
};

/* NULL is allowed. */
static void charge_through_end(struct charge_through *t)
{
	if (!t)
		return;
	free(t->list);
	free(t->path);
	free(t->last);
	hash_table_done(&t->index);
	free(t);
}

static bool has_package(const struct charge_through *t, uint32_t chain, uint32_t package)
{
	for (; chain; chain = t->list[chain].above)
		if (t->list[chain].package == package)
			return true;
	return false;
}

static uint32_t find_chain(struct charge_through *t, uint32_t above, uint32_t package)
{
	uint64_t hash = hash_u64((uint64_t)above << 32 | package);
	struct hash_probe probe = hash_probe(hash);

	if (t->list[above].length == CHAIN_MAX || has_package(t, above, package))
		return above;
	while (hash_table_next(&t->index, &probe))
		if (t->list[probe.index].above == above && t->list[probe.index].package == package)
			return probe.index;
	t->list = xgrow(t->list, &t->cap, t->n + 1, sizeof *t->list);
	t->list[t->n] = (struct link){ .above = above,
				       .package = package,
				       .length = t->list[above].length + 1 };
	hash_table_add(&t->index, hash, (uint32_t)t->n);
	return (uint32_t)t->n++;
}

/* Item i of the pass over nodes is node i + 1. */
static size_t begin_chains(void *ctx)
{
	struct charge_through *t = ctx;
	const struct calltree *tree = &t->charge->lane->tree;

	t->path = xcalloc((size_t)tree->max_rows + 1, sizeof *t->path);
	t->stack = 1;
	t->list = xgrow(t->list, &t->cap, 1, sizeof *t->list);
	t->list[t->n++] = (struct link){ 0 };
	return tree->n - 1;
}

static void make_chains(void *ctx, size_t from, size_t end)
{
	struct charge_through *t = ctx;
	const struct charge *c = t->charge;
	const struct charge_stacks *stacks = &c->stacks;

	for (node_id i = (node_id)from + 1; i <= end; i++) {
		const struct charge_function *fn = charge_function(c, i);
		uint32_t *of = &t->path[c->lane->tree.rows[i]];
		bool is_stack = t->stack < stacks->n && stacks->node[t->stack] == i;

		charge_prefetch(c, i);
		*of = fn->is_own ? OWNED : of[-1];
		if (*of != OWNED && fn->frame.flags & CHARGE_DEPENDENCY && fn->package)
			*of = find_chain(t, *of, fn->package);
		if (*of != OWNED && is_stack)
			t->list[*of].ns += charge_stack_ns(c, &c->whole, t->stack);
		t->stack += is_stack;
	}
}

static size_t begin_sums(void *ctx)
{
	const struct charge_through *t = ctx;

	return t->n - 1;
}

/* From the last chain to the first: a chain comes after the one that it continues. */
static void sum_chains(void *ctx, size_t from, size_t end)
{
	struct charge_through *t = ctx;

	for (size_t i = from; i < end; i++) {
		uint32_t chain = (uint32_t)(t->n - 1 - i);
		struct link *above = &t->list[t->list[chain].above];

		above->ns += t->list[chain].ns;
		if (!above->best || t->list[chain].ns >= t->list[above->best].ns)
			above->best = chain;
	}
}

/* The chain that a chain of one package passes its time on to. */
static uint32_t pass_on(const struct charge_through *t, uint32_t chain)
{
	for (;;) {
		uint32_t best = t->list[chain].best;

		if (!best || t->list[best].ns == 0 ||
		    !charge_times_has(t->list[best].ns, t->list[chain].ns, PASS_PERCENT))
			return chain;
		chain = best;
	}
}

static size_t begin_packages(void *ctx)
{
	struct charge_through *t = ctx;

	t->last = xcalloc(t->charge->n_groups, sizeof *t->last);
	return t->n - 1;
}

static void pass_packages(void *ctx, size_t from, size_t end)
{
	struct charge_through *t = ctx;
	struct charge_group *groups = t->charge->groups;
	const struct link *list = t->list;

	for (size_t i = from + 1; i <= end; i++) {
		uint32_t chain;

		if (list[i].above)
			continue;
		chain = pass_on(t, (uint32_t)i);
		t->last[list[i].package] = list[chain].package;
		for (; list[chain].above; chain = list[chain].above)
			groups[list[chain].package].through = list[list[chain].above].package;
	}
}

static size_t begin_stacks(void *ctx)
{
	const struct charge_through *t = ctx;

	return t->charge->stacks.n;
}

static void pass_stacks(void *ctx, size_t from, size_t end)
{
	struct charge_through *t = ctx;
	struct charge_node *nodes = t->charge->nodes;

	for (size_t i = from; i < end; i++)
		if (nodes[i].owner == NODE_ROOT && t->last[nodes[i].package])
			nodes[i].package = t->last[nodes[i].package];
}

/* Replace the packages of nodes without an owner by those that their time is passed on to, in
 * steps: call until it returns true. */
static bool charge_through_work(struct charge_through *t, struct budget *budget)
{
	static const struct phase phases[] = {
		{ .begin = begin_chains, .items = make_chains },
		{ .begin = begin_sums, .items = sum_chains },
		{ .begin = begin_packages, .items = pass_packages },
		{ .begin = begin_stacks, .items = pass_stacks },
		{ 0 },
	};

	return phases_work(&t->phases, phases, t, budget);
}

/* ==== charge ==== */

#define LOOP_MIN 5 /* callbacks */
#define OWN_MIN 10 /* percent of busy time: less is tool mode, if packages have as much */

void charge_done(struct charge *c)
{
	charge_times_done(&c->whole);
	charge_through_end(c->through);
	free(c->urls);
	hash_table_done(&c->places);
	free(c->functions);
	free(c->used);
	free(c->path);
	charge_stacks_done(&c->stacks);
	free(c->nodes);
	free(c->groups);
	free(c->modules.list);
	hash_table_done(&c->modules.index);
	hash_table_done(&c->groups_index);
	arena_done(&c->arena);
	*c = (struct charge){ 0 };
}

/* ---- groups ---- */

static uint32_t find_group(struct charge *c, enum charge_group_kind kind, uint32_t id)
{
	uint64_t hash = hash_u64((uint64_t)kind << 32 | id);
	struct hash_probe probe = hash_probe(hash);

	while (hash_table_next(&c->groups_index, &probe))
		if (c->groups[probe.index].kind == kind && c->groups[probe.index].id == id)
			return probe.index;
	c->n_groups += !c->n_groups;
	c->groups = xgrow(c->groups, &c->groups_cap, (size_t)c->n_groups + 1, sizeof *c->groups);
	c->groups[0] = (struct charge_group){ 0 };
	c->groups[c->n_groups] = (struct charge_group){ .kind = kind, .id = id };
	hash_table_add(&c->groups_index, hash, c->n_groups);
	return c->n_groups++;
}

/* The groups with a fixed number come first: kind and id give their place. */
#define GROUP_GC 1u
#define GROUP_PROGRAM 2u
#define GROUP_WAITING 3u
#define GROUP_LOAD 4u
#define GROUP_BOOT 5u
#define GROUP_SYNC 5u /* + enum charge_sync, which is 1 or more */
#define GROUP_MODULE ((uint32_t)(GROUP_SYNC + SYNC_COUNT - 1)) /* + module, which is 1 or more */

unsigned charge_groups_of(const struct charge *c, charge_key key, uint32_t out[CHARGE_GROUPS])
{
	const struct charge_node *n = charge_of(c, key);
	const struct charge_function *owner = charge_function(c, n->owner);
	enum charge_kind kind = charge_key_kind(c, key);
	bool is_stack = kind == CHARGE_STACK;
	unsigned k = 0;

	if (CHARGE_KEY_IS_GC(key)) {
		out[k++] = GROUP_GC;
	} else if (kind == CHARGE_WAITING) {
		out[0] = GROUP_WAITING;
		return 1;
	} else if (kind == CHARGE_PROGRAM) {
		out[k++] = GROUP_PROGRAM;
	}
	if (n->owner != NODE_ROOT) {
		out[k++] = owner->group;
		if (owner->file)
			out[k++] = owner->file;
		if (c->groups[owner->file].through)
			out[k++] = c->groups[owner->file].through;
	}
	if (n->package)
		out[k++] = n->package;
	else if (n->owner == NODE_ROOT && is_stack && n->module &&
		 !(n->flags & (CHARGE_IN_LOAD | CHARGE_IN_BOOT)))
		out[k++] = GROUP_MODULE + n->module;
	if (n->sync)
		out[k++] = GROUP_SYNC + c->functions[n->sync].frame.sync;
	if (n->flags & CHARGE_IN_LOAD)
		out[k++] = GROUP_LOAD;
	else if (n->flags & CHARGE_IN_BOOT && n->owner == NODE_ROOT)
		out[k++] = GROUP_BOOT;
	if (n->regexp)
		out[k++] = c->functions[n->regexp].group;
	return k;
}

/* ---- attributes ---- */

static enum charge_kind kind_of(const struct frame *f, unsigned flags)
{
	switch (f->category) {
	case CATEGORY_GC:
		return CHARGE_GC;
	case CATEGORY_IDLE:
		return CHARGE_IDLE;
	case CATEGORY_PROGRAM:
		return CHARGE_PROGRAM;
	default:
		return flags & CHARGE_SLEEPS ? CHARGE_WAITING : CHARGE_STACK;
	}
}

static size_t begin_long_urls(void *ctx)
{
	struct charge *c = ctx;

	c->urls = xcalloc(c->profile->strings.n + 1, 1);
	return c->profile->frames.n;
}

static void find_long_urls(void *ctx, size_t from, size_t end)
{
	struct charge *c = ctx;

	for (size_t i = from; i < end; i++) {
		note_url(&c->profile->frames.frames[i], c->urls);
		c->has_node |= c->profile->frames.frames[i].category == CATEGORY_NODE;
	}
}

static size_t begin_classify(void *ctx)
{
	struct charge *c = ctx;

	c->is_page = c->is_names = c->is_evals = true;
	c->t_loop = INT64_MAX;
	c->functions = xcalloc(c->profile->frames.n, sizeof *c->functions);
	c->used = xmalloc(c->profile->frames.n * sizeof *c->used);
	charge_stacks_init(&c->stacks, c->lane);
	c->stacks.kind[NODE_ROOT] = CHARGE_EMPTY;
	return c->lane->tree.n - 1;
}

/* Note the functions of Node.js by which tasks are told apart. */
static void note_loop(struct charge *c, frame_id id)
{
	static const char *const serves[] = { "parserOnIncoming", "onParserExecuteCommon",
					      "resOnFinish" };
	const struct frame *f = &c->profile->frames.frames[id];
	const char *name = profile_text(c->profile, f->name);

	if (f->category == CATEGORY_NATIVE && strcmp(name, "runMicrotasks") == 0)
		c->jobs = id;
	if (f->category != CATEGORY_NODE)
		return;
	if (strcmp(name, "processTicksAndRejections") == 0)
		c->ticks = id;
	c->is_server |= text_is_any(name, serves, ARRAY_LEN(serves));
}

static void classify_frame(struct charge *c, frame_id id)
{
	const struct frame *f = &c->profile->frames.frames[id];
	struct charge_function *fn = &c->functions[id];
	unsigned flags;

	fn->frame = frame_of(c->profile, f, &c->modules, &c->arena);
	fn->frame.flags |= is_minified(c->profile, f, c->urls) ? CHARGE_MINIFIED : 0;
	fn->kind = (uint8_t)kind_of(f, fn->frame.flags);
	if (f->category == CATEGORY_SLICE &&
	    category_is_gc_slice(profile_text(c->profile, frame_event(f))))
		fn->kind = CHARGE_GC;
	fn->is_classified = true;
	note_loop(c, id);
	c->used[c->n_used++] = id;
	flags = fn->frame.flags;
	c->is_page &= !(flags & CHARGE_NODE);
	c->has_entry |= (flags & CHARGE_ENTRY) != 0;
	c->has_base |= (flags & CHARGE_BASE) != 0;
	c->is_evals &= !(flags & (CHARGE_OWN | CHARGE_DEPENDENCY));
	c->is_names &= !f->url;
}

/* Classify the frames of nodes, and find the kinds of the nodes. */
static void classify(void *ctx, size_t from, size_t end)
{
	struct charge *c = ctx;
	const struct calltree *tree = &c->lane->tree;

	for (size_t i = from + 1; i <= end; i++) {
		struct charge_function *fn = &c->functions[tree->frame[i]];

		charge_prefetch(c, (node_id)i);
		if (!fn->is_classified)
			classify_frame(c, tree->frame[i]);
		if (tree->rows[i] > fn->rows)
			fn->rows = tree->rows[i];
		c->stacks.kind[i] = fn->kind;
	}
}

static size_t begin_groups(void *ctx)
{
	struct charge *c = ctx;

	free(c->urls);
	c->urls = NULL;
	find_group(c, CHARGE_BY_GC, 0);
	find_group(c, CHARGE_BY_PROGRAM, 0);
	find_group(c, CHARGE_BY_WAITING, 0);
	find_group(c, CHARGE_BY_LOAD, 0);
	find_group(c, CHARGE_BY_BOOT, 0);
	for (uint32_t i = 1; i < SYNC_COUNT; i++)
		find_group(c, CHARGE_BY_SYNC, i);
	for (uint32_t i = 1; i < c->modules.n; i++)
		find_group(c, CHARGE_BY_MODULE, i);
	return c->n_used;
}

/* Find out whether another function has the same label, file.js:5. */
static void note_twins(struct charge *c, frame_id id)
{
	const struct frame *frames = c->profile->frames.frames, *f = &frames[id];
	uint64_t hash = hash_u64(((uint64_t)f->url << 32 | f->name) ^ hash_u64((uint64_t)f->line));
	struct hash_probe probe = hash_probe(hash);

	while (hash_table_next(&c->places, &probe)) {
		const struct frame *other = &frames[probe.index];
		bool is_twin = !f->event || !other->event || f->column != other->column;

		if (other->line != f->line || other->url != f->url || other->name != f->name)
			continue;
		/* Slices of several events may run one function. */
		c->functions[id].same = is_twin ? 0 : probe.index;
		c->functions[probe.index].frame.flags |= is_twin ? CHARGE_TWIN : 0;
		c->functions[id].frame.flags |= is_twin ? CHARGE_TWIN : 0;
		return;
	}
	hash_table_add(&c->places, hash, id);
}

static void add_groups(void *ctx, size_t from, size_t end)
{
	struct charge *c = ctx;

	for (size_t i = from; i < end; i++) {
		struct charge_function *fn = &c->functions[c->used[i]];
		const struct frame *f = &c->profile->frames.frames[c->used[i]];

		fn->is_regexp = f->category == CATEGORY_REGEXP;
		if (fn->is_regexp)
			fn->group = find_group(c, CHARGE_BY_REGEXP, c->used[i]);
		if (f->package && f->category == CATEGORY_DEPENDENCY)
			fn->package = find_group(c, CHARGE_BY_PACKAGE, f->package);
		if (f->url && f->line > 0)
			note_twins(c, c->used[i]);
	}
	if (end == c->n_used)
		hash_table_done(&c->places);
}

static bool find_stacks(void *ctx, struct budget *budget)
{
	struct charge *c = ctx;

	return charge_stacks_find(&c->stacks, budget);
}

/* The times of the range that decides. */
static bool add_times(void *ctx, struct budget *budget)
{
	struct charge *c = ctx;

	if (!c->whole.ns)
		charge_times_init(&c->whole, &c->stacks, c->t0, c->t1);
	if (!charge_times_step(&c->whole, budget))
		return false;
	free(c->stacks.self);
	c->stacks.self = NULL;
	return true;
}

/* Decide which functions count as own, and give them groups. */
static void set_own(void *ctx, size_t from, size_t end)
{
	struct charge *c = ctx;
	unsigned flags = c->is_tool ? CHARGE_OWN | CHARGE_DEPENDENCY : CHARGE_OWN;

	for (size_t i = from; i < end; i++) {
		struct charge_function *fn = &c->functions[c->used[i]];
		const struct frame *f = &c->profile->frames.frames[c->used[i]];
		uint32_t party;

		fn->is_own = !(fn->frame.flags & (CHARGE_SLEEPS | CHARGE_BASE)) &&
			((fn->frame.flags & flags) ||
			 (c->is_names && f->category == CATEGORY_NATIVE) ||
			 (c->is_evals && f->category == CATEGORY_EVAL));
		if (!fn->is_own || fn->group)
			continue;
		fn->group = find_group(c, CHARGE_BY_OWNER, fn->same ? fn->same : c->used[i]);
		fn->file = f->url ? find_group(c, CHARGE_BY_FILE, f->url) : 0;
		party = f->party == PARTY_THIRD ? find_group(c, CHARGE_BY_PARTY, f->origin) : 0;
		c->groups[fn->file].through = party;
	}
}

/* What a frame that is not own adds to the path. */
static void add_to_path(const struct charge *c, frame_id id, struct charge_node *n)
{
	const struct charge_function *fn = &c->functions[id];
	unsigned flags = fn->frame.flags;

	if (flags & CHARGE_DEPENDENCY) {
		n->inner = id;
		if (!n->package)
			n->package = fn->package;
	}
	if (fn->is_regexp)
		n->regexp = id;
	if (flags & CHARGE_LOADER)
		n->flags |= CHARGE_IN_LOAD;
	if (flags & CHARGE_BOOT)
		n->flags |= CHARGE_IN_BOOT;
	if (flags & CHARGE_TIMER)
		n->flags |= CHARGE_IN_TIMER;
	if (fn->frame.sync && !n->sync && !(n->flags & CHARGE_IN_LOAD))
		n->sync = id;
	if (flags & CHARGE_NODE && !(n->flags & CHARGE_IN_MODULE)) {
		n->module = fn->frame.module;
		n->flags |= CHARGE_IN_MODULE;
	} else if (!(n->flags & CHARGE_IN_MODULE) && fn->frame.module) {
		n->module = fn->frame.module;
	}
}

/* Node `i` is an owner: what its parent handed on ends, except what is about the whole stack. */
static void start_path(const struct charge *c, node_id i, struct charge_node *n)
{
	frame_id id = c->lane->tree.frame[i];

	*n = (struct charge_node){
		.owner = i,
		.inner = id,
		.entry = n->entry,
		.timer = n->timer || !(n->flags & CHARGE_IN_TIMER) ? n->timer : id,
		.flags = n->flags & CHARGE_IN_ROW_0,
		.package = c->is_tool ? c->functions[id].package : 0,
	};
}

/* Item i of the pass over nodes is node i + 1. */
static size_t begin_attributes(void *ctx)
{
	struct charge *c = ctx;

	if (c->has_mode)
		return 0;
	if (!c->nodes) {
		c->nodes = xmalloc(c->stacks.n * sizeof *c->nodes);
		c->path = xmalloc(((size_t)c->lane->tree.max_rows + 1) * sizeof *c->path);
	}
	c->nodes[0] = c->path[0] = (struct charge_node){ 0 };
	c->next_stack = 1;
	c->owned = 0;
	return c->lane->tree.n - 1;
}

static bool is_entry(const struct charge *c, node_id above)
{
	return above == NODE_ROOT ||
		(c->has_base && charge_function(c, above)->frame.flags & CHARGE_BASE);
}

/* Whether row 0 calls the node for process.nextTick(), or runs promise jobs in it. */
static unsigned tick_flags(const struct charge *c, node_id i)
{
	const struct calltree *tree = &c->lane->tree;
	node_id above = tree->parent[i];

	if (c->ticks == FRAME_NONE || tree->frame[above] != c->ticks ||
	    !is_entry(c, tree->parent[above]))
		return 0;
	return tree->frame[i] == c->jobs ? CHARGE_IN_JOBS : CHARGE_IN_TICK;
}

/* Only stacks keep their attributes. */
static void add_attributes(void *ctx, size_t from, size_t end)
{
	struct charge *c = ctx;
	const struct calltree *tree = &c->lane->tree;

	for (node_id i = (node_id)from + 1; i <= end; i++) {
		struct charge_node *n = &c->path[tree->rows[i]];
		const struct charge_function *fn = charge_function(c, i);

		charge_prefetch(c, i);
		*n = n[-1];
		if (is_entry(c, tree->parent[i]))
			n->entry = tree->frame[i];
		n->flags |= (uint8_t)tick_flags(c, i);
		if (fn->is_own)
			start_path(c, i, n);
		else if (fn->kind == CHARGE_STACK || fn->kind == CHARGE_WAITING)
			add_to_path(c, tree->frame[i], n);
		if (c->next_stack == c->stacks.n || c->stacks.node[c->next_stack] != i)
			continue;
		if (n->owner != NODE_ROOT)
			c->owned += charge_stack_ns(c, &c->whole, c->next_stack);
		c->nodes[c->next_stack++] = *n;
	}
}

/* ---- tool mode ---- */

/* Whether own code has enough of the time in the mode that was tried last. */
static bool owns_enough(const struct charge *c)
{
	return charge_times_has(c->owned, c->whole.busy - c->whole.waiting, OWN_MIN);
}

static size_t begin_own(void *ctx)
{
	return ((const struct charge *)ctx)->n_used;
}

static size_t begin_tool(void *ctx)
{
	struct charge *c = ctx;

	c->owned_first = c->owned;
	c->has_mode = owns_enough(c);
	c->is_tool = !c->has_mode;
	return c->has_mode ? 0 : c->n_used;
}

/* Tool mode is left if it does not help. */
static size_t begin_back(void *ctx)
{
	struct charge *c = ctx;

	if (c->has_mode)
		return 0;
	c->is_tool = c->has_mode = owns_enough(c) && c->owned / 2 >= c->owned_first;
	return c->has_mode ? 0 : c->n_used;
}

static bool pass_through(void *ctx, struct budget *budget)
{
	struct charge *c = ctx;

	if (c->is_tool)
		return true;
	free(c->path);
	c->path = NULL;
	if (!c->through) {
		c->through = xcalloc(1, sizeof *c->through);
		c->through->charge = c;
	}
	if (!charge_through_work(c->through, budget))
		return false;
	charge_through_end(c->through);
	c->through = NULL;
	return true;
}

/* ---- the event loop ---- */

static bool find_loop(void *ctx, struct budget *budget)
{
	struct charge *c = ctx;
	struct charge_sample s;

	while (!c->is_page && c->has_entry && c->n_entries < LOOP_MIN &&
	       charge_times_next(&c->whole, &s)) {
		frame_id entry = charge_key_kind(c, s.key) == CHARGE_STACK
			? charge_of(c, s.key)->entry
			: FRAME_NONE;

		if (entry != c->last_entry && c->functions[entry].frame.flags & CHARGE_ENTRY) {
			c->n_entries++;
			if (c->t_loop == INT64_MAX)
				c->t_loop = s.t0;
		}
		c->last_entry = entry;
		if (budget_use(budget, 1))
			return false;
	}
	c->has_loop = lane_has_times(c->lane) && c->lane->kind == LANE_SAMPLES &&
		(c->is_page || c->is_server || c->n_entries >= LOOP_MIN);
	hash_table_done(&c->groups_index);
	charge_times_rewind(&c->whole);
	return true;
}

/* ---- all ---- */

bool charge_work(struct charge *c, struct budget *budget)
{
	static const struct phase phases[] = {
		{ .begin = begin_long_urls, .items = find_long_urls },
		{ .begin = begin_classify, .items = classify },
		{ .begin = begin_groups, .items = add_groups },
		{ .work = find_stacks },
		{ .work = add_times },
		{ .begin = begin_own, .items = set_own },
		{ .begin = begin_attributes, .items = add_attributes },
		{ .begin = begin_tool, .items = set_own },
		{ .begin = begin_attributes, .items = add_attributes },
		{ .begin = begin_back, .items = set_own },
		{ .begin = begin_attributes, .items = add_attributes },
		{ .work = pass_through },
		{ .work = find_loop },
		{ 0 },
	};

	return phases_work(&c->phases, phases, c, budget);
}

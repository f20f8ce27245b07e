/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Charging: whose fault the time of each node of a lane is. Computed once for a lane; it does not
 * depend on the window.
 *
 * An own frame is one of the user's code. The owner of a node is the node itself or its nearest
 * ancestor that has an own frame; the path of a node is the frames below its owner, or all frames
 * if it has none. In tool mode, for compilers and linters, hardly any time has an own frame, and
 * the frames of packages count as own. All time that findings speak of is that of groups: the nodes
 * of one owner, of one file, of one package and so on. Time that a function sleeps is a group of
 * its own, and charged to none. */
#ifndef FLAMETTY_FINDINGS_CHARGE_H
#define FLAMETTY_FINDINGS_CHARGE_H

#include "findings/charge_times.h"

/* The modules of Node.js whose functions ending in `Sync` block. */
enum charge_sync { SYNC_NONE, SYNC_FS, SYNC_ZLIB, SYNC_CRYPTO, SYNC_CHILD_PROCESS, SYNC_COUNT };

#define CHARGE_OWN 1u         /* the user's own code: application, WebAssembly, eval with a url */
#define CHARGE_DEPENDENCY 2u  /* code of a package */
#define CHARGE_LOADER 4u      /* loads modules */
#define CHARGE_BOOT 8u        /* starts Node.js */
#define CHARGE_TIMER 16u      /* calls back timers */
#define CHARGE_ENTRY 32u      /* calls back from an event loop */
#define CHARGE_MAIN 128u      /* below node:internal/main/ */
#define CHARGE_NODE 256u      /* any internal of Node.js */
#define CHARGE_TOP 1024u      /* the top level of a module: no name, at the beginning of a file */
#define CHARGE_NATIVE_IO 512u /* native function that writes or closes a socket */
#define CHARGE_TWIN 16384u    /* another function of the lane has its name, file and line */
#define CHARGE_MINIFIED 8192u /* its file is minified: lines are long, short names say nothing */
#define CHARGE_BASE 4096u     /* stands below all functions of a stack: `[root]` of Hermes */
#define CHARGE_SLEEPS 2048u   /* its own time is that of Atomics.wait(), which has no frame */

struct charge_frame {
	uint16_t flags;
	uint16_t module; /* index into struct charge_modules; 0: none */
	uint8_t sync;    /* enum charge_sync: the function blocks */
};

/* The names of modules, `node:http`, and of kinds of code that has no module, `native`. The first
 * one is none. */
struct charge_module {
	const char *name;
	bool is_io; /* it waits for others or only passes data on */
};

struct charge_modules {
	struct charge_module *list;
	size_t n, cap;
	struct hash_table index; /* by name */
};

/* Minified code has long lines: a function of it begins here or behind. */
#define CHARGE_LONG_COLUMN 200

/* `fs`, `zlib`, ... */
const char *charge_frame_sync_name(enum charge_sync sync);

struct charge_through;

enum charge_group_kind {
	CHARGE_BY_NONE,
	CHARGE_BY_GC,      /* garbage collection */
	CHARGE_BY_PROGRAM, /* (program) */
	CHARGE_BY_WAITING, /* sleeping in Atomics.wait() */
	CHARGE_BY_LOAD,    /* loading modules */
	CHARGE_BY_BOOT,    /* start of Node.js; without an owner */
	CHARGE_BY_SYNC,    /* synchronous calls of a module; id: enum charge_sync */
	CHARGE_BY_MODULE,  /* no owner, no package; id: module */
	CHARGE_BY_REGEXP,  /* id: frame */
	CHARGE_BY_OWNER,   /* id: frame */
	CHARGE_BY_FILE,    /* of owners; id: str_id of the url */
	CHARGE_BY_PACKAGE, /* id: str_id */
	CHARGE_BY_PARTY,   /* of owners of another site than the page; id: str_id of the origin */
};

struct charge_group {
	enum charge_group_kind kind;
	uint32_t id;
	/* A package that is reached through others, which only pass on: the last of them, as a
	 * group; 0: none. A file: its third party. */
	uint32_t through;
};

#define CHARGE_AHEAD 24u    /* nodes that a pass reads ahead */
#define CHARGE_IN_LOAD 1u   /* a loader is in the path */
#define CHARGE_IN_BOOT 2u   /* the start of Node.js is in the path */
#define CHARGE_IN_TIMER 4u  /* a timer is anywhere above */
#define CHARGE_IN_MODULE 8u /* an internal of Node.js is in the path */
#define CHARGE_IN_TICK 16u  /* a callback of process.nextTick(), which row 0 calls */
#define CHARGE_IN_JOBS 32u  /* promise jobs, which row 0 runs after such callbacks */
#define CHARGE_IN_ROW_0 (CHARGE_IN_TIMER | CHARGE_IN_TICK | CHARGE_IN_JOBS) /* of whole stacks */

struct charge_node {
	node_id owner;    /* the node of the owner; NODE_ROOT: none */
	uint32_t package; /* group: the package that own code calls; in tool mode, the owner's; 0 */
	frame_id inner;   /* innermost function of own code or of a package; FRAME_NONE */
	frame_id sync;    /* outermost function of the path that blocks; FRAME_NONE */
	frame_id regexp;  /* innermost regular expression of the path; FRAME_NONE */
	frame_id entry;   /* function in row 0, or above a base; FRAME_NONE for the root */
	frame_id timer;   /* outermost own function below a timer; FRAME_NONE */
	uint16_t module;  /* first module of Node.js of the path, or kind of code; 0 */
	uint8_t flags;
};

/* By frame. */
struct charge_function {
	struct charge_frame frame;
	uint16_t rows;          /* of the deepest node */
	uint32_t group;         /* CHARGE_BY_OWNER, CHARGE_BY_REGEXP; 0: none */
	uint32_t file, package; /* groups; 0: none */
	frame_id same; /* of slices: the first frame of the same function, which slices of another
			  event run; 0: it is the first */
	uint8_t kind;  /* enum charge_kind: of its nodes */
	bool is_own;   /* also a package's, in tool mode */
	bool is_classified; /* `frame` is known */
	bool is_regexp;
};

struct charge {
	const struct profile *profile;
	const struct lane *lane;
	bool is_tool;
	bool is_names; /* no frame has a url: all named functions count as own */
	bool is_evals; /* all code is text that was evaluated: it counts as own, also without a url
			*/
	/* The lane has tasks: its event loop called back at least five times, it served a request,
	 * or it is a page's. */
	bool has_loop;
	bool is_server; /* a function is called for each request of HTTP */
	bool is_page;   /* there are no internals of Node.js, */
	bool has_node;  /* but the profile has some: transforms may have taken them away */
	bool has_entry; /* a function is one that event loops call */
	int64_t t_loop; /* when the event loop first called back; INT64_MAX: never */
	/* What calls back process.nextTick(), and what runs promise jobs; FRAME_NONE: none. */
	frame_id ticks, jobs;
	struct charge_function *functions; /* by frame */
	struct charge_stacks stacks;
	struct charge_node *nodes;   /* by stack */
	struct charge_group *groups; /* 1 to n_groups - 1 */
	uint32_t n_groups;
	struct charge_modules modules;
	/* The state of the computation, and what it needs. */
	struct phases phases;
	frame_id *used; /* the frames of the lane, in the order of their first nodes */
	uint32_t n_used;
	struct charge_node *path; /* by row: the nodes above the next one */
	uint32_t next_stack;      /* the first one that is not done */
	bool has_base;            /* a frame has CHARGE_BASE */
	uint8_t *urls; /* by str_id: what is known of a url; while frames are classified */
	struct hash_table places;   /* frames by name, url and line; while twins are found */
	bool has_mode;              /* is_tool is decided */
	int64_t owned, owned_first; /* time with an owner: in the last mode, without tool mode */
	struct charge_through *through; /* while it is computed */
	int64_t t0, t1;                 /* the range whose times decide */
	struct charge_times whole;      /* its times, until the first window */
	uint32_t n_entries;
	frame_id last_entry;
	size_t groups_cap;
	struct hash_table groups_index;
	struct arena arena;
};

/* Borrows both. The lane must have calls. The times of the whole lane decide what kind of program
 * it is, unless t0 and t1 are set to another range before the first step. */
static inline void charge_init(struct charge *c, const struct profile *p, const struct lane *lane)
{
	*c = (struct charge){ .profile = p, .lane = lane };
	c->t0 = INT64_MIN;
	c->t1 = INT64_MAX;
}

void charge_done(struct charge *charge);

/* Compute the rest, in steps: call until it returns true. */
bool charge_work(struct charge *charge, struct budget *budget);

/* The groups of a key that has time, at most CHARGE_GROUPS. Returns their number. */
#define CHARGE_GROUPS 8

unsigned charge_groups_of(const struct charge *charge, charge_key key, uint32_t out[CHARGE_GROUPS]);

/* What a key is charged to, and its own node: without garbage collection. */
static inline const struct charge_node *charge_of(const struct charge *charge, charge_key key)
{
	return &charge->nodes[CHARGE_KEY_STACK(key)];
}

static inline node_id charge_key_node(const struct charge *charge, charge_key key)
{
	return charge->stacks.node[CHARGE_KEY_STACK(key)];
}

/* The frame and the kind of that node. */
static inline frame_id charge_key_frame(const struct charge *charge, charge_key key)
{
	return charge->lane->tree.frame[charge_key_node(charge, key)];
}

static inline enum charge_kind charge_key_kind(const struct charge *charge, charge_key key)
{
	return (enum charge_kind)charge->stacks.kind[charge_key_node(charge, key)];
}

/* The owner of a key; FRAME_NONE: none. */
static inline frame_id charge_owner(const struct charge *charge, charge_key key)
{
	return charge->lane->tree.frame[charge_of(charge, key)->owner];
}

/* The time of a stack, without time that it sleeps. */
static inline int64_t charge_stack_ns(const struct charge *charge, const struct charge_times *times,
				      uint32_t stack)
{
	int64_t gc = times->ns[CHARGE_KEY(stack, 1)];

	return charge->stacks.kind[charge->stacks.node[stack]] == CHARGE_WAITING
		? gc
		: gc + times->ns[CHARGE_KEY(stack, 0)];
}

/* Read the function of a node that a pass over all nodes will come to soon. */
static inline void charge_prefetch(const struct charge *charge, node_id node)
{
	const struct calltree *tree = &charge->lane->tree;

	if (node + CHARGE_AHEAD < tree->n)
		__builtin_prefetch(&charge->functions[tree->frame[node + CHARGE_AHEAD]]);
}

static inline const struct charge_function *charge_function(const struct charge *charge,
							    node_id node)
{
	return &charge->functions[charge->lane->tree.frame[node]];
}

#endif

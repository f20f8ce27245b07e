/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes are known by their number and namespace alone: one that comes again within a run is
 * counted once. */
#include "config.h"

#include "record/run_tally.h"

#include "base/alloc.h"
#include "base/command_name.h"
#include "base/json/cursor.h"
#include "base/json/json_read.h"
#include "base/json/json_writer.h"
#include "base/sink.h"
#include "base/sort.h"
#include "base/text.h"
#include "cli/user_file.h"
#include "record/recording.h"
#include "record/remote/join.h"
#include "record/request_trace.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NOTE_MAX 65536
#define COMMAND_CELLS 60
#define TOLD_MAX 10 /* processes that are listed individually */

void run_tally_done(struct run_tally *tally)
{
	for (size_t i = 0; i < tally->n; i++) {
		struct run_process *p = &tally->list[i];

		for (size_t k = 0; k < p->n_threads; k++) {
			free(p->threads[k].name);
			free(p->threads[k].failure);
		}
		free(p->threads);
		free(p->command);
	}
	free(tally->list);
	*tally = (struct run_tally){ 0 };
}

/* ---- processes and threads ---- */

void run_tally_begin(struct run_tally *tally, const char *proc)
{
	tally->is_blind = !process_is_own_proc(proc);
	tally->space = tally->is_blind ? 0 : process_space(proc, getpid());
}

/* The name of one of its threads; NULL: it has none. */
static const char *run_tally_thread_name(const struct run_process *p, long tid, int64_t begun_ms)
{
	for (size_t i = 0; i < p->n_threads; i++)
		if (p->threads[i].tid == tid && p->threads[i].begun_ms == begun_ms)
			return p->threads[i].name;
	return NULL;
}

static struct run_process *add_process(struct run_tally *tally, pid_t pid)
{
	*ARRAY_ADD(tally->list, tally->n,
		   tally->cap) = (struct run_process){ .pid = pid, .own_pid = pid, .parent = -1 };
	return &tally->list[tally->n - 1];
}

struct run_process *run_tally_process(struct run_tally *tally, pid_t pid)
{
	for (size_t i = tally->n; i-- > 0;)
		if (tally->list[i].pid == pid && !tally->list[i].is_foreign)
			return &tally->list[i];
	return add_process(tally, pid);
}

/* The process that calls itself so. space: its namespace; 0: not known. It is added if it is new.
 */
static struct run_process *find_own(struct run_tally *tally, pid_t own_pid, uint64_t space)
{
	struct run_process *p;

	for (size_t i = tally->n; i-- > 0;) {
		p = &tally->list[i];
		if (p->own_pid == own_pid && (p->space == space || p->space == 0 || space == 0))
			return p;
	}
	p = add_process(tally, own_pid);
	p->space = space;
	p->is_foreign = space != tally->space && space != 0 && tally->space != 0;
	return p;
}

static bool has_thread(const struct run_process *p, long tid, int64_t begun_ms)
{
	for (size_t i = 0; i < p->n_threads; i++)
		if (p->threads[i].tid == tid && p->threads[i].begun_ms == begun_ms)
			return true;
	return false;
}

static struct run_process *find_key(struct run_tally *tally, pid_t own_pid, long tid,
				    int64_t begun_ms)
{
	for (size_t i = tally->n; i-- > 0;)
		if (tally->list[i].own_pid == own_pid && has_thread(&tally->list[i], tid, begun_ms))
			return &tally->list[i];
	return NULL;
}

/* The entry of the process whose thread has that key, or which calls itself so; added if it is
 * new. */
static struct run_process *run_tally_of_key(struct run_tally *tally, pid_t own_pid, long tid,
					    int64_t begun_ms)
{
	struct run_process *p = find_key(tally, own_pid, tid, begun_ms);

	return p ? p : find_own(tally, own_pid, 0);
}

static struct run_thread *find_thread(struct run_process *p, long tid, int64_t begun_ms)
{
	for (size_t i = 0; i < p->n_threads; i++)
		if (p->threads[i].tid == tid && p->threads[i].begun_ms == begun_ms)
			return &p->threads[i];
	*ARRAY_ADD(p->threads, p->n_threads,
		   p->cap_threads) = (struct run_thread){ .tid = tid, .begun_ms = begun_ms };
	return &p->threads[p->n_threads - 1];
}

/* ---- notes ---- */

/* What a thread says about itself:
 * {"command":"...","parent":12,"name":"...","space":"pid:[4026531836]"} */
struct note {
	char *command; /* owned; NULL: none */
	char *name;    /* the same */
	int64_t parent;
	uint64_t space;
};

static char *take_text(const struct json_value *note, const char *name)
{
	const char *value;
	size_t len;

	return json_tree_text(note, name, &value, &len) && len > 0 ? xstrndup(value, len) : NULL;
}

/* Returns false if there is no such file. */
static bool read_file(int folder, const char *name, struct note *note)
{
	char text[NOTE_MAX];
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct json_tree tree = { 0 };
	const struct json_value *json;
	size_t bad_at;
	const char *why;
	char *space;
	ssize_t n;

	*note = (struct note){ .parent = -1 };
	if (fd < 0)
		return false;
	n = read(fd, text, sizeof text);
	close(fd);
	json = n > 0 ? json_tree_parse(&tree, (struct str){ text, (size_t)n }, &bad_at, &why)
		     : NULL;
	note->command = take_text(json, "command");
	note->name = take_text(json, "name");
	json_tree_integer(json, "parent", &note->parent);
	space = take_text(json, "space");
	note->space = space ? process_space_number(space) : 0;
	free(space);
	json_tree_done(&tree);
	return true;
}

/* A thread that ends renames its note: the name that the folder has listed may be the old one. */
static bool read_note(int folder, const char *key, struct note *note, bool *has_ended)
{
	static const char *const words[] = { "started", "ended" };
	bool is_there = false;

	*has_ended = false;
	for (size_t i = 0; i < ARRAY_LEN(words) && !is_there; i++) {
		BUF_LOCAL name = { 0 };

		buf_addf(&name, "%s.%s", words[i], key);
		is_there = read_file(folder, name.data, note);
		*has_ended = is_there && i == 1;
	}
	return is_there;
}

/* The texts of the note pass to the process and the thread. */
static void apply_note(struct run_process *p, struct run_thread *t, struct note *note)
{
	char *old = p->command;

	/* Workers have the arguments of their own script. */
	if (note->command && (!p->command || t->tid == 0)) {
		p->command = note->command;
		note->command = old;
	}
	t->name = note->name;
	note->name = NULL;
	/* That of a namespace is not the number here. */
	if (p->parent < 0 && !p->is_foreign)
		p->parent = (pid_t)note->parent;
	if (p->space == 0)
		p->space = note->space;
	t->is_read = true;
}

/* The key of `WORD.PID.TID.BEGUN`, and what follows it. */
static bool parse_note(const char *name, const char *word, pid_t *pid, long *tid, int64_t *begun_ms,
		       const char **rest)
{
	size_t len = strlen(word);
	char *end;

	if (strncmp(name, word, len) != 0)
		return false;
	*pid = (pid_t)strtol(name + len, &end, 10);
	if (*pid <= 0 || *end != '.')
		return false;
	*tid = strtol(end + 1, &end, 10);
	if (*tid < 0 || *end != '.')
		return false;
	*begun_ms = strtoll(end + 1, &end, 10);
	*rest = end;
	return true;
}

static void take_note(struct run_tally *tally, int folder, const char *name)
{
	static const char *const words[] = { "started.", "ended.", "failed." };
	struct note note = { 0 };
	bool has_note = false, has_ended = false;
	struct run_process *p;
	struct run_thread *t;
	const char *rest;
	int64_t begun_ms;
	size_t i = 0;
	char *key;
	pid_t pid;
	long tid;

	while (i < ARRAY_LEN(words) && !parse_note(name, words[i], &pid, &tid, &begun_ms, &rest))
		i++;
	if (i == ARRAY_LEN(words) || *rest != (i == 2 ? '.' : '\0'))
		return;
	p = find_key(tally, pid, tid, begun_ms);
	if (!p || !find_thread(p, tid, begun_ms)->is_read) {
		key = xstrndup(name + strlen(words[i]), (size_t)(rest - name) - strlen(words[i]));
		has_note = read_note(folder, key, &note, &has_ended);
		free(key);
	}
	if (!p)
		p = find_own(tally, pid, note.space);
	t = find_thread(p, tid, begun_ms);
	t->has_ended |= i == 1 || has_ended;
	if (i == 2 && !t->failure)
		t->failure = xstrdup(rest + 1);
	if (has_note && !t->is_read)
		apply_note(p, t, &note);
	free(note.command);
	free(note.name);
}

void run_tally_read(struct run_tally *tally, const char *notes)
{
	DIR *folder = opendir(notes);
	struct dirent *entry;

	tally->is_gone = !folder;
	while (folder && (entry = readdir(folder)))
		take_note(tally, dirfd(folder), entry->d_name);
	if (folder)
		closedir(folder);
}

/* ---- files ---- */

/* The process that wrote a file: the number in its name, CPU.DATE.TIME.PID.TID.SEQ.cpuprofile, or
 * CPU.MILLISECONDS.PID.cpuprofile of Deno; or with Heap and heapprofile. 0: it is no such name. */
static pid_t run_tally_pid_of(const char *name)
{
	long part[6] = { 0 };
	int n = 0;

	if (strncmp(name, "CPU.", 4) != 0 && strncmp(name, "Heap.", 5) != 0)
		return 0;
	for (const char *at = strchr(name, '.') + 1; n < 6; n++) {
		char *end;

		part[n] = strtol(at, &end, 10);
		if (end == at || *end != '.')
			break;
		at = end + 1;
	}
	return n == 5 ? (pid_t)part[2] : n == 2 ? (pid_t)part[1] : 0;
}

/* ---- what there is to say ---- */

bool run_tally_is_alive(const struct run_tally *tally, const struct run_process *p,
			const char *proc)
{
	struct error err = ERROR_INIT;
	struct process now;
	bool is_there;

	/* Its number here is not known, or /proc has another process with that number. */
	if (p->is_foreign || tally->is_blind)
		return false;
	is_there = process_read(proc, p->pid, &now, &err) && !now.is_zombie &&
		(p->start_ticks == 0 || p->start_ticks == now.start_ticks);
	process_done(&now);
	return is_there;
}

static const char *failure_of(const struct run_process *p)
{
	for (size_t i = 0; i < p->n_threads; i++)
		if (p->threads[i].failure)
			return p->threads[i].failure;
	return NULL;
}

bool run_tally_has_failed(const struct run_tally *tally)
{
	for (size_t i = 0; i < tally->n; i++)
		if (failure_of(&tally->list[i]))
			return true;
	return false;
}

static const char *failure_text(const char *code)
{
	return strcmp(code, "ENOSPC") == 0    ? "no space is left in TMPDIR"
		: strcmp(code, "EDQUOT") == 0 ? "the quota of the disk is used up"
		: strcmp(code, "EFBIG") == 0  ? "the file would be larger than is permitted"
		: strcmp(code, "ENOENT") == 0 ? "the folder of the recording was removed"
					      : code;
}

/* Whether a word is the option, or the option with a value. */
static bool has_option(const char *command, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = strstr(command, name); at; at = strstr(at + 1, name))
		if (at > command && at[-1] == ' ' && strchr(" =", at[len] ? at[len] : ' '))
			return true;
	return false;
}

static const char *why_omitted(const struct run_process *p, bool is_alive)
{
	static const struct {
		const char *name, *reason;
	} options[] = {
		{ "--watch", "it only starts the program again when files change" },
		{ "--watch-path", "it only starts the program again when files change" },
		{ "--run", "it only runs a command of package.json" },
		{ "--inspect-brk", "it waited for its debugger" },
		{ "--inspect-wait", "it waited for its debugger" },
		{ "--version", "it ran no program" },
		{ "-v", "it ran no program" },
		{ "--help", "it ran no program" },
		{ "--v8-options", "it ran no program" },
		{ "--permission", "the permission model forbids it (--permission)" },
		{ "--experimental-permission", "the permission model forbids it" },
	};

	if (p->omission == RUN_OMISSION_OPTIONS)
		return "its NODE_OPTIONS are its own; where a script sets them, it should keep "
		       "those it got: NODE_OPTIONS=\"$NODE_OPTIONS ...\"";
	if (p->omission == RUN_OMISSION_FOLDER)
		return "its variables lack the FLAMETTY_RUN of this run";
	if (p->omission == RUN_OMISSION_USER)
		return "it is of another user";
	if (p->omission == RUN_OMISSION_ROOT)
		return "it cannot see the folder of the recording: it has a root or mounts of its "
		       "own, as in a container";
	for (size_t i = 0; i < ARRAY_LEN(options) && p->command; i++)
		if (has_option(p->command, options[i].name))
			return options[i].reason;
	return is_alive ? "it was still starting when the command ended, or has options that "
			  "forbid it"
			: "it ended while it started, or has options that forbid it";
}

static const char *why_not(const struct run_tally *tally, const struct run_process *p,
			   const char *proc)
{
	if (p->runtime == RUNTIME_BUN)
		return "Bun writes a profile only when it ends by itself";
	if (p->runtime == RUNTIME_DENO)
		return "Deno writes a profile only as the command itself (deno run), and when it "
		       "ends by itself";
	if (p->n_threads == 0)
		return why_omitted(p, run_tally_is_alive(tally, p, proc));
	if (run_tally_is_alive(tally, p, proc))
		return "it still runs, and no slice was complete";
	return p->threads[0].has_ended
		? "it has no samples"
		: "it was killed before a slice was complete: within 0.25 s, "
		  "or its event loop did not turn";
}

/* What the main thread lacks, of a process that has a profile of it; 0: nothing. */
enum lack { LACK_NONE, LACK_END, LACK_REST };

static enum lack find_lack(const struct run_tally *tally, const struct run_process *p,
			   const char *proc)
{
	for (size_t i = 0; i < p->n_threads; i++)
		if (p->threads[i].tid == 0 && !p->threads[i].has_ended)
			return run_tally_is_alive(tally, p, proc) ? LACK_REST : LACK_END;
	return LACK_NONE;
}

static uint32_t count_silent_workers(const struct run_process *p)
{
	uint32_t n = 0;

	for (size_t i = 0; i < p->n_threads; i++)
		n += p->threads[i].tid != 0 && !p->threads[i].has_written;
	return n;
}

static void warn(const struct run_tally *tally, const struct run_process *p, const char *proc,
		 struct buf *out)
{
	const char *failure = failure_of(p);
	const char *command = p->command ? p->command : "";

	buf_addf(out, "process %d%s", (int)p->pid, p->is_foreign ? " in its PID namespace" : "");
	if (*command) {
		buf_adds(out, " (");
		text_fit(out, command, strlen(command), COMMAND_CELLS);
		buf_adds(out, ")");
	}
	if (failure)
		buf_addf(out, ": its recording could not be written: %s\n", failure_text(failure));
	else if (p->n_files == 0)
		buf_addf(out, " wrote no profile: %s\n", why_not(tally, p, proc));
	else
		buf_addf(out,
			 ": %u of its workers wrote no profile: they ended within 0.25 s, or their "
			 "event loops did not turn\n",
			 count_silent_workers(p));
}

void run_tally_tell(const struct run_tally *tally, const char *proc, struct buf *summary,
		    struct buf *warnings)
{
	uint32_t n_told = 0, n_untold = 0;
	uint32_t n[LACK_REST + 1] = { 0 };
	uint32_t n_files = 0, n_wrote = 0;

	for (size_t i = 0; i < tally->n; i++) {
		n_files += tally->list[i].n_files;
		n_wrote += tally->list[i].n_files > 0;
	}
	if (n_wrote == 0)
		buf_adds(summary, "no process wrote a profile");
	else if (n_wrote < tally->n)
		buf_addf(summary, "%u of %zu processes wrote %u profile%s", n_wrote, tally->n,
			 n_files, n_files == 1 ? "" : "s");
	else
		buf_addf(summary, "%u process%s wrote %u profile%s", n_wrote,
			 n_wrote == 1 ? "" : "es", n_files, n_files == 1 ? "" : "s");
	if (tally->is_gone)
		buf_adds(warnings,
			 "the folder of the recording was removed while the command ran\n");
	for (size_t i = 0; i < tally->n; i++) {
		if ((tally->list[i].n_files > 0 && !failure_of(&tally->list[i]) &&
		     count_silent_workers(&tally->list[i]) == 0) ||
		    (tally->is_gone && tally->list[i].n_files == 0))
			continue;
		if (n_told == TOLD_MAX)
			n_untold++;
		else
			warn(tally, &tally->list[i], proc, warnings);
		n_told += n_told < TOLD_MAX;
	}
	if (n_untold > 0)
		buf_addf(warnings, "%u more processes wrote no profile\n", n_untold);
	/* Processes that were ended by others have no last chunk. */
	for (size_t i = 0; i < tally->n; i++)
		if (tally->list[i].n_files > 0)
			n[find_lack(tally, &tally->list[i], proc)]++;
	if (n[LACK_END] > 0)
		buf_addf(warnings,
			 "%u process%s killed, as by Ctrl-C: the last slice is missing, which is a "
			 "second, or since the event loop turned\n",
			 n[LACK_END], n[LACK_END] == 1 ? " was" : "es were");
	if (n[LACK_REST] > 0)
		buf_addf(warnings, "%u process%s still run%s, and %s recorded no longer\n",
			 n[LACK_REST], n[LACK_REST] == 1 ? "" : "es", n[LACK_REST] == 1 ? "s" : "",
			 n[LACK_REST] == 1 ? "is" : "are");
}

/* ==== run chunks ====
 *
 * Files of chunks are sorted by process, thread, beginning and number: those of a thread follow
 * each other. */

#define FILE_BYTES_MAX ((size_t)1 << 40) /* bytes of a file */
#define NAMES_MAX 1000                   /* that are tried */

/* ---- the files ---- */

struct chunk_file {
	pid_t pid;
	long tid;
	int64_t begun_ms, number;
};

struct chunk_files {
	struct chunk_file *list;
	size_t n, cap;
};

/* PID.TID.BEGUN.NUMBER */
static bool parse_name(const char *name, struct chunk_file *file)
{
	int64_t parts[4];
	const char *at = name;

	for (int i = 0; i < 4; i++) {
		char *end;

		if (*at < '0' || *at > '9')
			return false;
		parts[i] = strtoll(at, &end, 10);
		if (*end != (i < 3 ? '.' : '\0'))
			return false;
		at = end + 1;
	}
	*file = (struct chunk_file){ (pid_t)parts[0], (long)parts[1], parts[2], parts[3] };
	return true;
}

static bool is_same_thread(const struct chunk_file *a, const struct chunk_file *b)
{
	return a->pid == b->pid && a->tid == b->tid && a->begun_ms == b->begun_ms;
}

SORT_BEFORE(is_before, struct chunk_file,
	    x->begun_ms != y->begun_ms ? x->begun_ms < y->begun_ms
		    : x->pid != y->pid ? x->pid < y->pid
		    : x->tid != y->tid ? x->tid < y->tid
				       : x->number < y->number)

/* folder: `chunks` or `requests`. */
static bool read_chunk(const struct run_chunks *s, const char *folder,
		       const struct chunk_file *file, struct buf *text)
{
	static const char pad[CURSOR_PAD] = "";
	struct error err = ERROR_INIT;
	BUF_LOCAL path = { 0 };
	bool is_good;

	buf_addf(&path, "%s/%s/%d.%ld.%" PRId64 ".%" PRId64, s->folder, folder, (int)file->pid,
		 file->tid, file->begun_ms, file->number);
	buf_clear(text);
	is_good = user_file_read(path.data, FILE_BYTES_MAX, false, text, &err) == USER_FILE_READ;
	/* Room that can be read after the text. */
	buf_add(text, pad, CURSOR_PAD);
	text->len -= CURSOR_PAD;
	return is_good;
}

/* ---- what is written ---- */

/* Write a new file: `begin` in the place of the first byte of `text`; empty: the text as it is. */
static bool write_file(struct run_chunks *s, const char *name, const struct buf *begin,
		       const struct buf *text, struct error *err)
{
	struct error own = ERROR_INIT;
	BUF_LOCAL path = { 0 };
	struct sink *sink;

	buf_addf(&path, "%s/%s", s->profiles, name);
	sink = sink_open(path.data, false, &own);
	if (sink) {
		size_t from = begin->len > 0;

		buf_add(sink_buf(sink), begin->data, begin->len);
		buf_add(sink_buf(sink), text->data + from, text->len - from);
		sink_close(sink, &own);
	}
	if (own.kind == ERR_NONE) {
		size_t cap = (size_t)s->n_files;

		*ARRAY_ADD(s->files, s->n_files, cap) = xstrdup(path.data);
	} else {
		error_set(err, own.kind, -1, "%s: %s", path.data, own.text);
	}
	return own.kind == ERR_NONE;
}

/* Processes of several PID namespaces may have one number: then the last number tells them apart.
 */
static void add_name(const struct run_chunks *s, const struct chunk_file *file,
		     const struct run_process *p, bool is_heap, struct buf *name)
{
	BUF_LOCAL path = { 0 };
	int n = 0;

	do {
		buf_clear(name);
		recording_file_name(is_heap, (time_t)(file->begun_ms / 1000), (int)p->pid,
				    file->tid, file->tid + 1 + n, name);
		buf_clear(&path);
		buf_addf(&path, "%s/%s", s->profiles, name->data);
	} while (p->is_foreign && n++ < NAMES_MAX && access(path.data, F_OK) == 0);
}

/* ---- one thread ---- */

/* The joined chunks, or nothing if none of them has a sample. */
static void join_thread(struct run_chunks *s, const struct chunk_file *files, size_t n,
			const char *script, struct buf *out)
{
	struct join *join = join_new();
	BUF_LOCAL text = { 0 };

	for (size_t i = 0; i < n; i++) {
		struct error err = ERROR_INIT;

		if (!read_chunk(s, "chunks", &files[i], &text) ||
		    !join_add(join, (struct str){ text.data, text.len }, &err))
			s->n_damaged++;
	}
	join_cut(join, script, "run_preload.cjs\"");
	if (join_samples(join) > 0)
		join_write(join, out);
	join_free(join);
}

/* The member that names process and thread, from the brace on. */
static void add_identity(struct run_tally *tally, const struct chunk_file *file, struct buf *out)
{
	const struct run_process *p = run_tally_of_key(tally, file->pid, file->tid, file->begun_ms);
	const char *thread = run_tally_thread_name(p, file->tid, file->begun_ms);
	struct json_writer w = { .out = out };
	BUF_LOCAL name = { 0 };

	if (!p->command)
		return;
	command_name(&name, (struct str){ p->command, strlen(p->command) });
	json_put(&w, json_begin(NULL, "{"), json_begin("flametty", "{"),
		 json_text("process", buf_text(&name), name.len),
		 json_if(p->parent >= 0, json_integer("parent", p->parent)),
		 json_if(thread, json_string("thread", thread)), json_end("},"));
}

static bool write_thread(struct run_chunks *s, const struct chunk_file *files, size_t n,
			 struct run_tally *tally, struct error *err)
{
	const char *slash = strrchr(s->folder, '/');
	BUF_LOCAL out = { 0 }, name = { 0 }, script = { 0 }, identity = { 0 };
	bool is_heap, is_good = true;

	/* A heap profile begins with its tree. */
	is_heap = read_chunk(s, "chunks", &files[n - 1], &out) && out.len > 8 &&
		memcmp(out.data, "{\"head\":", 8) == 0;
	if (!is_heap) {
		buf_clear(&out);
		buf_addf(&script, "%s/hook.cjs\"", slash ? slash + 1 : s->folder);
		join_thread(s, files, n, script.data, &out);
	}
	if (out.len > 0) {
		add_name(s, &files[0],
			 run_tally_of_key(tally, files[0].pid, files[0].tid, files[0].begun_ms),
			 is_heap, &name);
		add_identity(tally, &files[0], &identity);
		is_good = write_file(s, name.data, &identity, &out, err);
		if (is_good) {
			struct run_process *p = run_tally_of_key(tally, files[0].pid, files[0].tid,
								 files[0].begun_ms);

			p->n_files++;
			for (size_t i = 0; i < p->n_threads; i++)
				if (p->threads[i].tid == files[0].tid &&
				    p->threads[i].begun_ms == files[0].begun_ms)
					p->threads[i].has_written = true;
		}
	}
	s->n_cut += files[0].number > 0;
	return is_good;
}

/* ---- profiles of Bun and Deno ---- */

static bool copy_others(struct run_chunks *s, struct run_tally *tally, struct error *err)
{
	const struct buf none = { 0 };
	BUF_LOCAL path = { 0 }, text = { 0 };
	struct dirent *entry;
	bool is_good = true;
	DIR *folder;

	buf_addf(&path, "%s/others", s->folder);
	folder = opendir(path.data);
	while (folder && (entry = readdir(folder))) {
		struct error own = ERROR_INIT;
		pid_t pid = run_tally_pid_of(entry->d_name);
		const char *end = strrchr(entry->d_name, '.');

		if (pid == 0 || strcmp(end, ".cpuprofile") != 0)
			continue;
		buf_clear(&path);
		buf_addf(&path, "%s/others/%s", s->folder, entry->d_name);
		buf_clear(&text);
		if (user_file_read(path.data, FILE_BYTES_MAX, false, &text, &own) != USER_FILE_READ)
			s->n_damaged++;
		else if (write_file(s, entry->d_name, &none, &text, err))
			run_tally_of_key(tally, pid, 0, 0)->n_files++;
		else
			is_good = false;
	}
	if (folder)
		closedir(folder);
	return is_good;
}

/* ---- the whole ---- */

/* The files of a folder, sorted. */
static void find_files(const struct run_chunks *s, const char *name, struct chunk_files *files)
{
	BUF_LOCAL path = { 0 };
	struct dirent *entry;
	struct chunk_file file;
	DIR *folder;

	*files = (struct chunk_files){ 0 };
	buf_addf(&path, "%s/%s", s->folder, name);
	folder = opendir(path.data);
	while (folder && (entry = readdir(folder)))
		if (parse_name(entry->d_name, &file))
			*ARRAY_ADD(files->list, files->n, files->cap) = file;
	if (folder)
		closedir(folder);
	if (files->n > 0)
		sort_stable(files->list, files->n, sizeof *files->list, is_before, NULL);
}

bool run_chunks_write(struct run_chunks *s, struct run_tally *tally, struct error *err)
{
	struct chunk_files files;
	bool is_good = true;

	find_files(s, "chunks", &files);
	for (size_t i = 0, n; i < files.n; i += n) {
		n = 1;
		while (i + n < files.n && is_same_thread(&files.list[i], &files.list[i + n]))
			n++;
		is_good &= write_thread(s, &files.list[i], n, tally, err);
	}
	is_good &= copy_others(s, tally, err);
	sort_texts(s->files, (size_t)s->n_files);
	free(files.list);
	return is_good;
}

void run_chunks_requests(struct run_chunks *s, struct run *run, struct run_tally *tally)
{
	struct chunk_files files;
	ALLOC_LOCAL struct request_source *sources = NULL;
	ALLOC_LOCAL struct buf *texts = NULL;
	ALLOC_LOCAL struct buf *names = NULL;
	BUF_LOCAL path = { 0 };
	size_t n = 0, cap = (size_t)s->n_files;

	find_files(s, "requests", &files);
	sources = xcalloc(files.n + 1, sizeof *sources);
	texts = xcalloc(files.n + 1, sizeof *texts);
	names = xcalloc(files.n + 1, sizeof *names);
	for (size_t i = 0; i < files.n; i++) {
		const struct chunk_file *file = &files.list[i];
		const struct run_process *p = run_tally_of_key(tally, file->pid, file->tid,
							       file->begun_ms);
		const char *thread = run_tally_thread_name(p, file->tid, file->begun_ms);

		if (!read_chunk(s, "requests", file, &texts[i])) {
			s->n_damaged++;
			continue;
		}
		if (p->command)
			command_name(&names[i], (struct str){ p->command, strlen(p->command) });
		sources[n++] = (struct request_source){ p->pid,
							file->tid,
							buf_text(&names[i]),
							thread ? thread : "",
							{ texts[i].data, texts[i].len },
							NULL };
	}
	buf_addf(&path, "%s/" RECORDING_REQUESTS, s->profiles);
	if (n && request_trace_save(run, sources, n, path.data))
		*ARRAY_ADD(s->files, s->n_files, cap) = xstrdup(path.data);
	for (size_t i = 0; i < files.n; i++) {
		buf_done(&texts[i]);
		buf_done(&names[i]);
	}
	free(files.list);
}

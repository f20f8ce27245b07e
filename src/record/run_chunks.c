/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of chunks are sorted by process, thread, beginning and number: those of a thread follow
 * each other. */
#include "config.h"

#include "record/run_chunks.h"

#include "base/alloc.h"
#include "base/command_name.h"
#include "base/json/cursor.h"
#include "base/json/json_writer.h"
#include "base/sink.h"
#include "base/sort.h"
#include "cli/user_file.h"
#include "record/recording.h"
#include "record/remote/join.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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

static bool is_before(const void *a, const void *b, const void *ctx)
{
	const struct chunk_file *x = a, *y = b;

	(void)ctx;
	return x->begun_ms != y->begun_ms ? x->begun_ms < y->begun_ms
		: x->pid != y->pid        ? x->pid < y->pid
		: x->tid != y->tid        ? x->tid < y->tid
					  : x->number < y->number;
}

static void list_files(const char *path, struct chunk_files *files)
{
	DIR *folder = opendir(path);
	struct dirent *entry;
	struct chunk_file file;

	while (folder && (entry = readdir(folder)))
		if (parse_name(entry->d_name, &file)) {
			files->list = xgrow(files->list, &files->cap, files->n + 1,
					    sizeof *files->list);
			files->list[files->n++] = file;
		}
	if (folder)
		closedir(folder);
	if (files->n > 0)
		sort_stable(files->list, files->n, sizeof *files->list, is_before, NULL);
}

static bool read_chunk(const struct run_chunks *s, const struct chunk_file *file, struct buf *text)
{
	static const char pad[CURSOR_PAD] = "";
	struct error err = ERROR_INIT;
	struct buf path = { 0 };
	bool is_good;

	buf_addf(&path, "%s/chunks/%d.%ld.%" PRId64 ".%" PRId64, s->folder, (int)file->pid,
		 file->tid, file->begun_ms, file->number);
	buf_clear(text);
	is_good = user_file_read(path.data, FILE_BYTES_MAX, false, text, &err) == USER_FILE_READ;
	/* Room that can be read after the text. */
	buf_add(text, pad, CURSOR_PAD);
	text->len -= CURSOR_PAD;
	buf_done(&path);
	return is_good;
}

/* ---- what is written ---- */

static void add_file(struct run_chunks *s, const char *path)
{
	size_t cap = (size_t)s->n_files;

	s->files = xgrow(s->files, &cap, (size_t)s->n_files + 1, sizeof *s->files);
	s->files[s->n_files++] = xstrdup(path);
}

/* Write a new file: `begin` in the place of the first byte of `text`; empty: the text as it is. */
static bool write_file(struct run_chunks *s, const char *name, const struct buf *begin,
		       const struct buf *text, struct error *err)
{
	struct error own = ERROR_INIT;
	struct buf path = { 0 };
	struct sink *sink;

	buf_addf(&path, "%s/%s", s->profiles, name);
	sink = sink_open(path.data, false, &own);
	if (sink) {
		size_t from = begin->len > 0;

		buf_add(sink_buf(sink), begin->data, begin->len);
		buf_add(sink_buf(sink), text->data + from, text->len - from);
		sink_close(sink, &own);
	}
	if (own.kind == ERR_NONE)
		add_file(s, path.data);
	else
		error_set(err, own.kind, -1, "%s: %s", path.data, own.text);
	buf_done(&path);
	return own.kind == ERR_NONE;
}

/* Processes of several PID namespaces may have one number: then the last number tells them apart.
 */
static void add_name(const struct run_chunks *s, const struct chunk_file *file,
		     const struct run_process *p, bool is_heap, struct buf *name)
{
	struct buf path = { 0 };
	int n = 0;

	do {
		buf_clear(name);
		recording_file_name(is_heap, (time_t)(file->begun_ms / 1000), (int)p->pid,
				    file->tid, file->tid + 1 + n, name);
		buf_clear(&path);
		buf_addf(&path, "%s/%s", s->profiles, name->data);
	} while (p->is_foreign && n++ < NAMES_MAX && access(path.data, F_OK) == 0);
	buf_done(&path);
}

/* ---- one thread ---- */

/* The joined chunks, or nothing if none of them has a sample. */
static void join_thread(struct run_chunks *s, const struct chunk_file *files, size_t n,
			const char *script, struct buf *out)
{
	struct join *join = join_new();
	struct buf text = { 0 };

	for (size_t i = 0; i < n; i++) {
		struct error err = ERROR_INIT;

		if (!read_chunk(s, &files[i], &text) ||
		    !join_add(join, (struct str){ text.data, text.len }, &err))
			s->n_damaged++;
	}
	join_cut(join, script, "run_preload.cjs\"");
	if (join_samples(join) > 0)
		join_write(join, out);
	join_free(join);
	buf_done(&text);
}

static void mark_written(struct run_tally *tally, const struct chunk_file *file)
{
	struct run_process *p = run_tally_of_key(tally, file->pid, file->tid, file->begun_ms);

	p->n_files++;
	for (size_t i = 0; i < p->n_threads; i++)
		if (p->threads[i].tid == file->tid && p->threads[i].begun_ms == file->begun_ms)
			p->threads[i].has_written = true;
}

/* The member that names process and thread, from the brace on. */
static void add_identity(struct run_tally *tally, const struct chunk_file *file, struct buf *out)
{
	const struct run_process *p = run_tally_of_key(tally, file->pid, file->tid, file->begun_ms);
	const char *thread = run_tally_thread_name(p, file->tid, file->begun_ms);
	struct json_writer w = { .out = out };
	struct buf name = { 0 };

	if (!p->command)
		return;
	command_name(&name, (struct str){ p->command, strlen(p->command) });
	json_put(&w, json_begin(NULL, "{"), json_begin("flametty", "{"),
		 json_text("process", buf_text(&name), name.len),
		 json_if(p->parent >= 0, json_integer("parent", p->parent)),
		 json_if(thread, json_string("thread", thread)), json_end("},"));
	buf_done(&name);
}

static bool write_thread(struct run_chunks *s, const struct chunk_file *files, size_t n,
			 struct run_tally *tally, struct error *err)
{
	const char *slash = strrchr(s->folder, '/');
	struct buf out = { 0 }, name = { 0 }, script = { 0 }, identity = { 0 };
	bool is_heap, is_good = true;

	/* A heap profile begins with its tree. */
	is_heap = read_chunk(s, &files[n - 1], &out) && out.len > 8 &&
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
		if (is_good)
			mark_written(tally, &files[0]);
	}
	s->n_cut += files[0].number > 0;
	buf_done(&out);
	buf_done(&name);
	buf_done(&script);
	buf_done(&identity);
	return is_good;
}

/* ---- profiles of Bun and Deno ---- */

static bool copy_others(struct run_chunks *s, struct run_tally *tally, struct error *err)
{
	const struct buf none = { 0 };
	struct buf path = { 0 }, text = { 0 };
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
	buf_done(&path);
	buf_done(&text);
	return is_good;
}

/* ---- the whole ---- */

static int compare_paths(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

bool run_chunks_write(struct run_chunks *s, struct run_tally *tally, struct error *err)
{
	struct chunk_files files = { 0 };
	struct buf path = { 0 };
	bool is_good = true;

	buf_addf(&path, "%s/chunks", s->folder);
	list_files(path.data, &files);
	for (size_t i = 0, n; i < files.n; i += n) {
		n = 1;
		while (i + n < files.n && is_same_thread(&files.list[i], &files.list[i + n]))
			n++;
		is_good &= write_thread(s, &files.list[i], n, tally, err);
	}
	is_good &= copy_others(s, tally, err);
	if (s->n_files > 0)
		qsort(s->files, (size_t)s->n_files, sizeof *s->files, compare_paths);
	free(files.list);
	buf_done(&path);
	return is_good;
}

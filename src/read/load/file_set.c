/* SPDX-License-Identifier: GPL-2.0-or-later */
/* There is one progress for the whole set: all sizes are known before the first file is read. */
#include "config.h"

#include "read/load/file_set.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/json/cursor.h"
#include "base/progress.h"
#include "base/sort.h"
#include "base/stream/stream.h"
#include "base/stream/unpack.h"
#include "base/text.h"
#include "model/build/builder.h"
#include "read/load/file_labels.h"
#include "read/load/load_file.h"
#include "read/reader.h"
#include "read/trace/trace_peek.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ==== rotated ====
 *
 * Finds files that are one trace because Node.js rotated its log: node_trace.1.log and so on, or
 * other names by --trace-event-file-pattern.
 *
 * A name may have several numbers, each of which may be that of the rotation: `${pid}-${rotation}`.
 * They are tried one after another, the last one first. Files with names that differ in that number
 * only are a family. Within a family, in the order of the numbers, each file is compared with the
 * one before it: a process may have written its log over that of an earlier one, which was longer,
 * and so have left its last files.
 *
 * Only files of a family of two or more are opened. */

#define GLANCE ((size_t)32 << 10) /* bytes at each end */
#define NUMBERS 4                 /* of a name, from its end */
#define DIGITS 15                 /* of a number */
#define LISTED 4                  /* numbers in the path of all */

/* A file with one of the numbers in its name. */
struct candidate {
	const char *path;
	size_t file, folder;
	size_t at, len; /* of the number */
	int64_t number;
};

/* ---- names ---- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Find the k-th number of a name, from the end. */
static bool find_number(const struct set_file *file, size_t i, int k, struct candidate *c)
{
	const char *slash = strrchr(file->path, '/'), *name = slash ? slash + 1 : file->path;
	const char *p = name + strlen(name), *end = p;

	for (int n = 0; n <= k; n++) {
		while (p > name && !is_digit(p[-1]))
			p--;
		end = p;
		while (p > name && is_digit(p[-1]))
			p--;
	}
	*c = (struct candidate){ .path = file->path,
				 .file = i,
				 .folder = file->folder,
				 .at = (size_t)(p - file->path),
				 .len = (size_t)(end - p) };
	if (c->len == 0 || c->len > DIGITS)
		return false;
	c->number = strtoll(p, NULL, 10);
	return true;
}

static const char *tail_of(const struct candidate *c)
{
	return c->path + c->at + c->len;
}

/* The order of families. 0: they are of one. */
static int compare_family(const struct candidate *a, const struct candidate *b)
{
	int order;

	if (a->folder != b->folder)
		return a->folder < b->folder ? -1 : 1;
	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	order = memcmp(a->path, b->path, a->at);
	return order ? order : strcmp(tail_of(a), tail_of(b));
}

static int compare(const void *x, const void *y)
{
	const struct candidate *a = x, *b = y;
	int order = compare_family(a, b);

	if (order)
		return order;
	return SORT_BY_2(a->number, b->number, a->file, b->file);
}

/* ---- contents ---- */

/* Look at a file. False: it is not of a trace that may be rotated. Node.js puts the number before
 * the extension .log if the user does not choose; in other names it must be V8 that wrote it. */
static bool look(const struct set_file *file, const char *tail, struct trace_peek *g)
{
	bool is_log = strcmp(tail, ".log") == 0 || strcmp(tail, ".log.gz") == 0 ||
		strcmp(tail, ".log.zst") == 0 || strcmp(tail, ".log.lz4") == 0;
	struct error err = ERROR_INIT;
	struct stream *stream = stream_open(file->path, NULL, &err);
	char *text = xcalloc(1, GLANCE + CURSOR_PAD);
	size_t len = 0;
	ptrdiff_t n;
	bool ok;

	while (stream && len + 4 <= GLANCE &&
	       (n = stream_read(stream, text + len, GLANCE - len, &err)) > 0)
		len += (size_t)n;
	ok = stream && !stream_facts(stream).is_converted &&
		trace_peek_begin((struct str){ text, len }, g) && (is_log || g->is_v8);
	if (ok && !stream_facts(stream).compression) {
		int fd = -1;

		n = (ptrdiff_t)len;
		if (file->bytes > n) {
			fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
			n = fd < 0
				? -1
				: pread(fd, text, GLANCE, (off_t)(file->bytes - (int64_t)GLANCE));
		}
		if (fd >= 0)
			close(fd);
		if (n > 0)
			trace_peek_end((struct str){ text, (size_t)n }, g);
	}
	stream_close(stream);
	free(text);
	return ok;
}

/* ---- families ---- */

/* Take files that belong together; `first` has the number of the first one of each file, + 1. */
static void take(struct set_file *files, size_t *first, const struct candidate *c, size_t n)
{
	size_t least = c[0].file;

	for (size_t i = 1; i < n; i++)
		if (c[i].file < least)
			least = c[i].file;
	for (size_t i = 0; i < n; i++) {
		struct set_file *file = &files[c[i].file];

		first[c[i].file] = least + 1;
		file->n_parts = i == 0 ? n : 0;
		file->number = c[i].number;
		file->number_at = c[i].at;
		file->number_len = c[i].len;
	}
}

/* Divide a family into traces. Its files that are none are left out, and so are other files with a
 * number that another one has. */
static void divide(struct set_file *files, size_t *first, struct candidate *c, size_t n)
{
	struct trace_peek before, now;
	size_t from = 0, end = 0;

	for (size_t i = 0; i < n; i++) {
		if (end > from && c[i].number == c[end - 1].number)
			continue;
		if (!look(&files[c[i].file], tail_of(&c[i]), &now))
			continue;
		if (end > from && !trace_peek_continues(&before, &now)) {
			if (end - from > 1)
				take(files, first, c + from, end - from);
			from = end;
		}
		/* The files of the present trace are c[from, end). */
		c[end++] = c[i];
		before = now;
	}
	if (end - from > 1)
		take(files, first, c + from, end - from);
}

static void find_by(struct set_file *files, size_t n, int k, struct candidate *all, size_t *first)
{
	size_t n_all = 0;

	for (size_t i = 0; i < n; i++)
		if (!first[i] && files[i].bytes > 0 && find_number(&files[i], i, k, &all[n_all]))
			n_all++;
	qsort(all, n_all, sizeof *all, compare);
	for (size_t from = 0, end; from < n_all; from = end) {
		for (end = from + 1; end < n_all && compare_family(&all[from], &all[end]) == 0;)
			end++;
		if (end - from > 1)
			divide(files, first, all + from, end - from);
	}
}

/* A file and the place to which it goes. */
struct move {
	struct set_file file;
	size_t to, from;
};

static int by_place(const void *x, const void *y)
{
	const struct move *a = x, *b = y;

	return SORT_BY_3(a->to, b->to, a->file.number, b->file.number, a->from, b->from);
}

static void order(struct set_file *files, size_t n, const size_t *first)
{
	ALLOC_LOCAL struct move *moves = xcalloc(n, sizeof *moves);

	for (size_t i = 0; i < n; i++)
		moves[i] = (struct move){ .file = files[i],
					  .to = first[i] ? first[i] - 1 : i,
					  .from = i };
	qsort(moves, n, sizeof *moves, by_place);
	for (size_t i = 0; i < n; i++)
		files[i] = moves[i].file;
}

/* Find such files among `n` files, of which n_parts is 1. They are moved to the place of the first
 * of them, and ordered by their numbers. Files belong together if they are of one directory, have
 * names that differ in one number only, are traces that begin as Node.js writes them (or have the
 * extension .log after the number), have a process in common, and follow each other in time. */
static void rotated_find(struct set_file *files, size_t n)
{
	ALLOC_LOCAL struct candidate *all = NULL;
	ALLOC_LOCAL size_t *first = NULL;

	if (n < 2)
		return;
	all = xcalloc(n, sizeof *all);
	first = xcalloc(n, sizeof *first);
	for (int k = 0; k < NUMBERS; k++)
		find_by(files, n, k, all, first);
	order(files, n, first);
}

/* ---- for the user ---- */

static void add_number(const struct set_file *file, struct buf *out)
{
	buf_add(out, file->path + file->number_at, file->number_len);
}

/* Append the path of `n` files that belong together: `node_trace.{1,2,3}.log`. */
static void rotated_path(const struct set_file *files, size_t n, struct buf *out)
{
	const struct set_file *last = &files[n - 1];
	bool is_gapless = last->number - files->number == (int64_t)n - 1;

	buf_add(out, files->path, files->number_at);
	buf_addc(out, '{');
	add_number(files, out);
	for (size_t i = 1; i < n && n <= LISTED; i++) {
		buf_addc(out, ',');
		add_number(&files[i], out);
	}
	if (n > LISTED) {
		buf_adds(out, is_gapless ? ".." : ",...,");
		add_number(last, out);
	}
	buf_addc(out, '}');
	buf_adds(out, files->path + files->number_at + files->number_len);
}

/* The number of files that are missing between a file and the next one, and the name of the first
 * of them, which is appended. */
static uint64_t rotated_missing(const struct set_file *file, struct buf *name)
{
	const char *slash = strrchr(file->path, '/'), *from = slash ? slash + 1 : file->path;
	int64_t n = file[1].number - file->number - 1;

	if (n <= 0)
		return 0;
	buf_add(name, from, (size_t)(file->path + file->number_at - from));
	buf_addf(name, "%0*" PRId64, (int)file->number_len, file->number + 1);
	buf_adds(name, file->path + file->number_at + file->number_len);
	return (uint64_t)n;
}

/* ==== load parts ====
 *
 * The reader asks for one file after another. While it reads, offsets are those in the input:
 * each file has a scanner whose offsets begin where those of the file before end. Messages about a
 * file have the offsets in that file. */

struct load_parts {
	/* What to load; borrowed. */
	struct set_file *files; /* their fingerprints are used and set as load_file() does */
	size_t n;
	const struct reader *reader; /* one with read_files() */
	struct unpack_limits limits; /* see stream_set_unpack_limits() */
	const char **name;           /* set to the path of the file that is being read */
	struct buf *messages;        /* a line for each failure */
	/* The result. */
	size_t n_loaded, n_failed; /* files */
	bool has_lost;             /* a file that was read before could not be read again */
};

#define MISSING_MAX 1000 /* counted at most */

struct reading {
	struct load_parts *parts;
	struct builder *b;
	struct progress *progress;
	struct error err; /* of the reader */
	size_t next;      /* the file to open next */
	size_t n_opened;
	/* The open file, which is the one before `next`. */
	struct stream *stream; /* NULL: none is open */
	struct scan scan;
	int64_t from; /* the offset in the input of its first byte */
	bool is_again;
	/* Of all files so far. */
	int64_t bytes;
	const char *compression;
	bool is_stopped; /* by the user */
	bool is_told;    /* `err` was reported */
};

/* Whether the other files can be read although one of them has this error. */
static bool is_of_file(const struct error *err)
{
	return err->kind != ERR_CANCELLED && err->kind != ERR_LIMIT;
}

/* Report that the current file failed. */
static void fail(struct reading *r)
{
	struct load_parts *parts = r->parts;
	struct set_file *file = &parts->files[r->next - 1];

	if (r->err.offset >= r->from)
		r->err.offset -= r->from;
	parts->has_lost |= r->is_again && r->err.kind == ERR_IO;
	if (r->err.kind == ERR_CANCELLED && r->progress->is_stopped)
		return;
	parts->n_failed++;
	file_error_line(file->path, &file->print, &r->err, parts->messages);
	/* As in file_set.c: a file that could not be used is no loss to the next reading. */
	if (r->err.kind != ERR_CANCELLED)
		fingerprint_done(&file->print);
	if (is_of_file(&r->err))
		r->err = (struct error)ERROR_INIT;
	else
		r->is_told = true;
}

static void end_file(struct reading *r)
{
	struct set_file *file = &r->parts->files[r->next - 1];
	struct stream_facts facts;

	r->is_stopped |= stream_facts(r->stream).is_stopped;
	/* A file that ends because the user stopped is not damaged. */
	if (r->is_stopped && is_of_file(&r->err))
		r->err = (struct error)ERROR_INIT;
	if (r->err.kind == ERR_NONE && stream_compare(r->stream, &r->err))
		load_file_note(r->stream, &r->scan, r->b);
	load_file_fingerprint(r->stream, r->b, &file->print);
	facts = stream_facts(r->stream);
	if (!r->compression)
		r->compression = facts.compression;
	r->bytes += r->err.kind == ERR_NONE ? facts.file_bytes : facts.file_size;
	if (r->err.kind == ERR_NONE)
		r->parts->n_loaded++;
	else
		fail(r);
	r->from = r->scan.base + (r->scan.end - r->scan.buf);
	scan_done(&r->scan);
	stream_close(r->stream);
	r->stream = NULL;
}

static void open_next(struct reading *r)
{
	struct set_file *file = &r->parts->files[r->next++];

	*r->parts->name = file->path;
	r->is_again = file->print.is_known;
	r->stream = r->is_again ? stream_open_again(file->path, &file->print, r->progress, &r->err)
				: stream_open(file->path, r->progress, &r->err);
	if (!r->stream) {
		fail(r);
		return;
	}
	stream_set_unpack_limits(r->stream, &r->parts->limits);
	if (!r->is_again)
		file->print = stream_identity(r->stream);
	r->n_opened++;
	builder_input_part(r->b, file->path, r->from);
	scan_init(&r->scan, r->stream, &r->err);
	r->scan.base = r->from;
}

static struct scan *next_file(void *ctx)
{
	struct reading *r = ctx;

	if (r->stream)
		end_file(r);
	while (!r->stream && r->err.kind == ERR_NONE && r->next < r->parts->n && !r->is_stopped)
		open_next(r);
	return r->stream ? &r->scan : NULL;
}

/* Load the files into `b`. What was read of a file that fails is kept, and so are the files after
 * it, unless reading was given up or there is more than can be counted. */
static void load_parts(struct load_parts *parts, struct builder *b, struct progress *progress)
{
	struct reading r = { .parts = parts, .b = b, .progress = progress, .err = ERROR_INIT };
	const struct reader_files files = { next_file, &r };
	struct buf path = { 0 };
	struct input *in;
	bool ok;
	struct buf name = { 0 };

	rotated_path(parts->files, parts->n, &path);
	builder_input(b, buf_text(&path));
	buf_done(&path);
	for (size_t i = 0; i + 1 < parts->n; i++) {
		uint64_t n;

		buf_clear(&name);
		n = rotated_missing(&parts->files[i], &name);
		for (; n > 0; n = n > MISSING_MAX ? MISSING_MAX - 1 : n - 1)
			builder_warn_text(b, WARN_FILE_MISSING, -1, buf_text(&name));
	}
	buf_done(&name);
	ok = parts->reader->read_files(&files, b, &r.err);
	if (!ok && !r.is_told && !r.is_stopped && parts->n_failed == 0) {
		/* The files are readable, but the whole is not. */
		parts->n_failed++;
		file_error_line(parts->files->path, NULL, &r.err, parts->messages);
	}
	if (r.n_opened == 0) {
		builder_input_drop(b);
		return;
	}
	if (ok && r.is_stopped)
		builder_warn_stopped(b);
	in = builder_this_input(b);
	in->format = parts->reader->name;
	in->compression = r.compression;
	in->bytes = r.bytes;
	builder_input_note(b, false, "%zu rotated files are read as one trace", parts->n_loaded);
}

/* ==== folder ====
 *
 * The search below a directory goes level by level, in the order of names, so that what it finds
 * does not depend on the file system. Its limits keep it short in a large tree; symbolic links to
 * directories are not followed, as they may lead back. */

#define MAX_FOLDERS 200 /* directories that are looked into, */
#define MAX_FILES 1000  /* files, */
#define MAX_NAMED 3     /* and directories in the message */

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names in a directory without those that begin with a dot, sorted. The caller frees each and
 * the array. False: it cannot be read, and there are none. */
static bool folder_names(const char *path, char ***names, size_t *n, struct error *err)
{
	DIR *dir = opendir(path);
	size_t cap = 0;
	struct dirent *entry;

	*names = NULL;
	*n = 0;
	if (!dir)
		return error_errno(err, errno, "cannot read");
	while ((entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		*names = xgrow(*names, &cap, *n + 1, sizeof **names);
		(*names)[(*n)++] = xstrdup(entry->d_name);
	}
	closedir(dir);
	if (*n)
		qsort(*names, *n, sizeof **names, by_name);
	return true;
}

/* DIR/NAME in `full`. */
static const char *join(struct buf *full, const char *path, const char *name)
{
	buf_clear(full);
	buf_addf(full, "%s%s%s", path, path[strlen(path) - 1] == '/' ? "" : "/", name);
	return buf_text(full);
}

static void free_texts(char **texts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(texts[i]);
	free(texts);
}

/* ---- below a directory ---- */

struct below {
	char **paths; /* directories to look into, from `at` on */
	size_t n, cap, at;
	size_t n_files; /* looked at */
};

static void add_path(struct below *b, const char *path)
{
	*ARRAY_ADD(b->paths, b->n, b->cap) = xstrdup(path);
}

/* Whether a directory has a profile itself. Adds the directories in it to the list. */
static bool look_into(struct below *b, const char *path)
{
	struct error err = ERROR_INIT;
	BUF_LOCAL full = { 0 };
	const struct reader *reader;
	bool has_profile = false;
	struct stat st;
	char **names;
	size_t n;

	if (!folder_names(path, &names, &n, &err))
		return false;
	for (size_t i = 0; i < n; i++) {
		const char *one = join(&full, path, names[i]);

		if (lstat(one, &st) != 0)
			continue;
		if (S_ISDIR(st.st_mode) && b->n < MAX_FOLDERS)
			add_path(b, one);
		else if (S_ISREG(st.st_mode) && !has_profile && b->n_files++ < MAX_FILES)
			/* Compressed files tell nothing by their first bytes: their name has to. */
			has_profile = sniff_file(one, &reader)
				? reader != NULL
				: strstr(one, ".cpuprofile.") != NULL;
	}
	free_texts(names, n);
	return has_profile;
}

/* Append the directories below `path` that have a profile: the first few, and the number of the
 * others. False: there is none, as far as the search goes. */
static bool folder_below(const char *path, struct buf *out)
{
	struct below b = { 0 };
	size_t n_found = 0;

	/* The directory itself was read before. */
	for (add_path(&b, path); b.at < b.n; b.at++) {
		if (!look_into(&b, b.paths[b.at]) || b.at == 0)
			continue;
		if (n_found++ < MAX_NAMED) {
			buf_adds(out, n_found > 1 ? ", " : "");
			text_visible(out, b.paths[b.at], strlen(b.paths[b.at]));
		}
	}
	if (n_found > MAX_NAMED)
		buf_addf(out, " and %zu more", n_found - MAX_NAMED);
	free_texts(b.paths, b.n);
	return n_found > 0;
}

/* ---- all files ---- */

/* The regular files in a directory and in those below it. */
struct folder_tree {
	char **paths;
	size_t n, cap;
	bool is_cut;     /* there are more than FOLDER_TREE_MAX files */
	size_t n_unread; /* directories below that cannot be read */
};

/* Add the files of one directory to the tree, and the directories in it to the list. */
static bool add_level(struct folder_tree *tree, struct below *b, const char *path,
		      struct error *err)
{
	BUF_LOCAL full = { 0 };
	struct stat st;
	char **names;
	size_t n;

	if (!folder_names(path, &names, &n, err))
		return false;
	for (size_t i = 0; i < n && !tree->is_cut; i++) {
		const char *one = join(&full, path, names[i]);

		if (lstat(one, &st) != 0)
			continue;
		if (S_ISREG(st.st_mode)) {
			tree->is_cut = tree->n == FOLDER_TREE_MAX;
			if (tree->is_cut)
				continue;
			*ARRAY_ADD(tree->paths, tree->n, tree->cap) = xstrdup(one);
		} else if (S_ISDIR(st.st_mode) && strcmp(names[i], "node_modules") != 0) {
			add_path(b, one);
		}
	}
	free_texts(names, n);
	return true;
}

/* Find the files in `path` and below, level by level, in the order of names. Names that begin with
 * a dot, directories called node_modules and symbolic links are left out. progress: reports while
 * directories are read, and may stop that; NULL: none. The caller ends the tree with
 * folder_tree_done(), also after false: `path` cannot be read. */
static bool folder_tree(const char *path, struct progress *progress, struct folder_tree *tree,
			struct error *err)
{
	struct error below_err = ERROR_INIT;
	struct below b = { 0 };
	bool ok;

	*tree = (struct folder_tree){ 0 };
	ok = add_level(tree, &b, path, err);
	for (; b.at < b.n && !tree->is_cut; b.at++) {
		if (!progress_add(progress, 0))
			break;
		tree->n_unread += !add_level(tree, &b, b.paths[b.at], &below_err);
	}
	free_texts(b.paths, b.n);
	return ok;
}

static void folder_tree_done(struct folder_tree *tree)
{
	free_texts(tree->paths, tree->n);
	*tree = (struct folder_tree){ 0 };
}

/* ==== file set ==== */

#define NAMED_OTHERS 200 /* bytes of file names in a message */

static void add_file(struct file_set *set, const char *path, const struct stat *st, size_t folder)
{
	bool is_regular = st && S_ISREG(st->st_mode);
	int64_t size = is_regular ? (int64_t)st->st_size : 0;

	*ARRAY_ADD(set->files, set->n,
		   set->cap) = (struct set_file){ .path = xstrdup(path),
						  .bytes = size,
						  .argument = set->n_arguments - 1,
						  .folder = folder,
						  .n_parts = 1 };
	if (st && !is_regular)
		set->bytes = -1;
	else if (set->bytes >= 0)
		set->bytes += size;
}

/* Begin a directory, to which the files that are added next belong. */
static struct set_folder *begin_folder(struct file_set *set, const char *path)
{
	*ARRAY_ADD(set->folders, set->n_folders,
		   set->cap_folders) = (struct set_folder){ .path = xstrdup(path) };
	return &set->folders[set->n_folders - 1];
}

/* A directory with those below it counts as one directory. */
static bool add_tree(struct file_set *set, const char *path, struct progress *progress,
		     struct error *err)
{
	struct folder_tree tree;
	struct set_folder *folder;
	struct stat st;

	if (!folder_tree(path, progress, &tree, err)) {
		folder_tree_done(&tree);
		return false;
	}
	folder = begin_folder(set, path);
	folder->is_cut = tree.is_cut;
	folder->n_unread = tree.n_unread;
	for (size_t i = 0; i < tree.n; i++) {
		if (progress && progress->is_stopped)
			break;
		if (lstat(tree.paths[i], &st) == 0 && S_ISREG(st.st_mode)) {
			add_file(set, tree.paths[i], &st, set->n_folders);
			folder->n_files++;
		}
		progress_add(progress, 0);
	}
	folder_tree_done(&tree);
	return true;
}

/* Whether a list of stalls names a recording, or the one whose requests a file has. from: where to
 * begin to look, as the files come in the order of the list. */
static bool is_listed(const struct buf *list, const char *name, size_t *from)
{
	const char *text = buf_text(list), *at, *end = strstr(name, ".cpuprofile");
	size_t len;

	end = end ? end : strstr(name, ".requests.trace.json");
	if (!end)
		return false;
	len = (size_t)(end - name);
	at = memmem(text + *from, list->len - *from, name, len);
	at = at ? at : memmem(text, list->len, name, len);
	*from = at ? (size_t)(at - text) : *from;
	return at != NULL;
}

/* Read the list of stalls of a directory, if it has one. */
static bool read_list(const char *path, struct buf *list)
{
	char part[1 << 14];
	ssize_t n;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return false;
	while ((n = read(fd, part, sizeof part)) > 0)
		buf_add(list, part, (size_t)n);
	close(fd);
	return n == 0;
}

static bool add_folder(struct file_set *set, const char *path, struct progress *progress,
		       struct error *err)
{
	BUF_LOCAL full = { 0 }, list = { 0 };
	struct set_folder *folder;
	char **names;
	struct stat st;
	size_t n, from = 0;
	bool has_list;

	if (!folder_names(path, &names, &n, err))
		return false;
	folder = begin_folder(set, path);
	has_list = !set->reader && read_list(join(&full, path, READER_STALLS_LIST), &list);
	for (size_t i = 0; i < n; i++) {
		const char *one = join(&full, path, names[i]);

		if (!(progress && progress->is_stopped) && stat(one, &st) == 0 &&
		    S_ISREG(st.st_mode) && !(has_list && is_listed(&list, names[i], &from))) {
			bool is_list = has_list && strcmp(names[i], READER_STALLS_LIST) == 0;

			add_file(set, one, &st, set->n_folders);
			set->files[set->n - 1].is_list = is_list;
			folder->n_beside += has_list && !is_list;
		}
		progress_add(progress, 0);
	}
	for (size_t i = set->n; i > 0 && set->files[i - 1].folder == set->n_folders; i--)
		set->folders[set->n_folders - 1].n_files++;
	free_texts(names, n);
	return true;
}

bool file_set_add(struct file_set *set, const char *path, struct progress *progress,
		  struct error *err)
{
	bool is_stdin = strcmp(path, "-") == 0;
	struct stat st;

	set->n_arguments++;
	if (is_stdin || stat(path, &st) != 0) {
		/* The error is reported when the file is loaded. */
		add_file(set, path, NULL, 0);
		if (is_stdin)
			set->bytes = -1;
		return true;
	}
	if (S_ISDIR(st.st_mode))
		return (set->is_recursive ? add_tree : add_folder)(set, path, progress, err);
	add_file(set, path, &st, 0);
	return true;
}

void file_set_again(struct file_set *set)
{
	for (size_t i = 0; i < set->n_folders; i++) {
		struct set_folder *folder = &set->folders[i];

		folder->n_loaded = folder->n_failed = folder->n_other = 0;
		buf_clear(&folder->other);
	}
}

void file_set_done(struct file_set *set)
{
	for (size_t i = 0; i < set->n; i++) {
		fingerprint_done(&set->files[i].print);
		free(set->files[i].path);
	}
	for (size_t i = 0; i < set->n_folders; i++) {
		free(set->folders[i].path);
		buf_done(&set->folders[i].other);
	}
	free(set->files);
	free(set->folders);
	file_labels_done(set);
	*set = (struct file_set){ 0 };
}

/* ---- loading ---- */

static void note_other(struct set_folder *folder, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	folder->n_other++;
	if (folder->other.len + strlen(name) > NAMED_OTHERS)
		return;
	if (folder->other.len)
		buf_adds(&folder->other, ", ");
	buf_adds(&folder->other, name);
}

/* Notes about what was left out of a folder. */
static void note_left_out(const struct set_folder *folder, struct builder *b)
{
	const char *s = folder->n_other == 1 ? "" : "s";

	if (folder->n_other)
		builder_input_note(b, true, "%zu file%s of %s left out, no profile%s: %s",
				   folder->n_other, s, folder->path, s, buf_text(&folder->other));
	if (folder->is_cut)
		builder_input_note(b, true, "%s has more than %d files; the others are left out",
				   folder->path, FOLDER_TREE_MAX);
	if (folder->n_unread)
		builder_input_note(b, true, "%zu director%s below %s cannot be read",
				   folder->n_unread, folder->n_unread == 1 ? "y" : "ies",
				   folder->path);
}

/* Report what was left out of a folder, after its last file. Returns 1 if no file of it was
 * loaded and no error was reported yet. */
static size_t end_folder(const struct file_set *set, const struct set_folder *folder,
			 struct builder *b, struct buf *messages)
{
	const char *where = set->is_recursive ? "this directory and those below it"
					      : "this directory";
	struct error err = ERROR_INIT;
	BUF_LOCAL below = { 0 };

	if (folder->n_loaded)
		note_left_out(folder, b);
	if (folder->n_loaded || folder->n_failed)
		return 0;
	if (folder->is_cut)
		error_set(&err, ERR_LIMIT, -1, "no profile in the first %d files below it",
			  FOLDER_TREE_MAX);
	else if (!set->is_recursive && folder_below(folder->path, &below))
		error_set(&err, ERR_FORMAT, -1,
			  "no profile in this directory; below it in %s (-r reads them)",
			  buf_text(&below));
	else if (folder->n_other)
		error_set(&err, ERR_FORMAT, -1, "no profile in %s: %s", where,
			  buf_text(&folder->other));
	else
		error_set(&err, ERR_FORMAT, -1, "no files in %s", where);
	file_error_line(folder->path, NULL, &err, messages);
	return 1;
}

/* Returns 1 if the file failed. */
static size_t load_one(struct file_set *set, struct set_file *file, struct builder *b,
		       struct progress *progress, struct buf *messages)
{
	struct load_file_order order = { file->path, set->reader, set->limits };
	struct set_folder *folder = file->folder ? &set->folders[file->folder - 1] : NULL;
	bool is_again = file->print.is_known;
	struct error err = ERROR_INIT;

	if (file->is_list)
		order.reader = &reader_stalls;
	else if (folder && !set->reader && sniff_file(file->path, &order.reader) && !order.reader) {
		note_other(folder, file->path);
		progress_add(progress, 0);
		return 0;
	}
	if (load_file(&order, b, progress, &file->print, &err)) {
		if (file->is_list && folder && folder->n_beside)
			builder_input_note(b, true,
					   "rows for other files beside it, read here: %zu",
					   folder->n_beside);
		if (folder)
			folder->n_loaded++;
		return 0;
	}
	if (folder && err.kind == ERR_UNKNOWN) {
		builder_input_drop(b);
		note_other(folder, file->path);
		return 0;
	}
	if (err.kind == ERR_CANCELLED && progress->is_stopped)
		return 0;
	if (folder)
		folder->n_failed++;
	set->has_lost |= is_again && err.kind == ERR_IO;
	file_error_line(file->path, &file->print, &err, messages);
	/* A file that could not be used is no loss to the next reading. */
	if (err.kind != ERR_CANCELLED)
		fingerprint_done(&file->print);
	return 1;
}

/* The same for files that are one trace. Returns the number of those that failed. */
static size_t load_several(struct file_set *set, struct set_file *files, struct builder *b,
			   struct progress *progress, const char **name, struct buf *messages)
{
	struct load_parts parts = { .files = files,
				    .n = files->n_parts,
				    .reader = &reader_trace,
				    .limits = set->limits,
				    .name = name,
				    .messages = messages };

	load_parts(&parts, b, progress);
	set->has_lost |= parts.has_lost;
	if (files->folder) {
		set->folders[files->folder - 1].n_loaded += parts.n_loaded;
		set->folders[files->folder - 1].n_failed += parts.n_failed;
	}
	return parts.n_failed;
}

size_t file_set_load(struct file_set *set, struct builder *b, struct progress *progress,
		     const char **name, struct buf *messages)
{
	bool can_join = !set->is_joined && (!set->reader || set->reader == &reader_trace);
	size_t n_failed = 0, n_folders = 0;
	int64_t done = 0;

	/* Find the files that are one trace, once: the next reading must find the same. */
	for (size_t i = 0, end; can_join && i < set->n; i = end) {
		uint32_t first = set->files[i].argument, n = (uint32_t)set->n_together;

		/* The files of two arguments may be one trace, or not. */
		for (end = i + 1; end < set->n; end++) {
			uint32_t other = set->files[end].argument;

			if (set->is_apart && first != other && (first >= n || other >= n))
				break;
		}
		rotated_find(set->files + i, end - i);
	}
	set->is_joined = true;
	progress->is_set = set->n > 1;
	progress->total = set->bytes;
	progress_start(progress, "Loading", set->bytes);
	for (size_t i = 0, next; i < set->n && !progress->is_stopped; i = next) {
		struct set_file *file = &set->files[i];
		bool is_last;

		next = i + file->n_parts;
		is_last = next == set->n || set->files[next].folder != file->folder;
		*name = file->path;
		file_labels_give(set, file, b);
		n_failed += file->n_parts > 1 ? load_several(set, file, b, progress, name, messages)
					      : load_one(set, file, b, progress, messages);
		for (size_t k = i; k < next; k++)
			done += set->files[k].bytes;
		/* A failed file was not read to its end. */
		if (set->bytes >= 0)
			progress->done = done;
		if (is_last && file->folder)
			n_failed += end_folder(set, &set->folders[file->folder - 1], b, messages);
	}
	for (; n_folders < set->n_folders && !progress->is_stopped; n_folders++)
		if (set->folders[n_folders].n_files == 0)
			n_failed += end_folder(set, &set->folders[n_folders], b, messages);
	return n_failed;
}

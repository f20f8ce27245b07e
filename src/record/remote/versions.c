/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runtimes have their names and versions in texts that they send: Node.js has `node.js/v20.20.2`,
 * which the inspector tells, Deno has `Deno/2.9.6+e518fbd`, its user agent, and Bun has
 * `Bun v1.4.5 (Linux x64)`. What follows the version counts, too: texts of compilers stand side by
 * side without an end, and libraries have similar ones (`OTel-OTLP-Exporter-Deno/0.80.0`).
 *
 * /proc/PID/exe is the program that runs, also where another one has taken its place since. The
 * Node.js of Debian is in a library: the map of the process has its inode. */
#include "config.h"

#include "record/remote/versions.h"

#include "base/alloc.h"
#include "record/remote/process.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define PIECE ((size_t)1 << 20)
#define PROGRAM_MAX ((off_t)512 << 20)
#define VERSION_MAX 32
#define MARK_MAX 96 /* bytes of a mark with the version and what follows */
#define SECTIONS_MAX 200

struct versions_program {
	dev_t device;
	ino_t inode;
	char version[VERSION_MAX];
};

/* ---- marks ---- */

/* The length of `20.20.2` at the beginning of a text; 0: there is none. */
static size_t three_numbers(const char *text)
{
	size_t at = 0;

	for (int i = 0; i < 3; i++) {
		size_t n = strspn(text + at, "0123456789");

		if (n == 0 || n > 5 || (i < 2 && text[at + n] != '.'))
			return 0;
		at += n + (i < 2);
	}
	return at;
}

/* Whether the bytes after a version end it, for each runtime. */
static bool ends_node(const char *text, size_t *len)
{
	size_t tag = strspn(text, "-.0123456789abcdefghijklmnopqrstuvwxyz");

	*len = tag; /* `-nightly20260101abcdef` */
	return text[tag] == '\0' && (tag == 0 || *text == '-');
}

static bool ends_deno(const char *text, size_t *len)
{
	*len = 0;
	return *text == '+' && strspn(text + 1, "0123456789abcdef") >= 7;
}

static bool ends_bun(const char *text, size_t *len)
{
	*len = 0;
	return strncmp(text, " (", 2) == 0;
}

struct mark {
	const char *text;
	bool (*ends)(const char *text, size_t *len);
};

static const struct mark *mark_of(enum process_runtime runtime)
{
	static const struct mark node = { "node.js/v", ends_node }, deno = { "Deno/", ends_deno },
				 bun = { "Bun v", ends_bun };

	return runtime == RUNTIME_NODE    ? &node
		: runtime == RUNTIME_DENO ? &deno
		: runtime == RUNTIME_BUN  ? &bun
					  : NULL;
}

/* Take the version after a mark. text: NUL-terminated, or MARK_MAX bytes and a NUL. */
static bool take_version(const struct mark *mark, const char *text, char out[VERSION_MAX])
{
	size_t len = three_numbers(text), more = 0;

	if (len == 0 || !mark->ends(text + len, &more) || len + more >= VERSION_MAX)
		return false;
	memcpy(out, text, len + more);
	out[len + more] = '\0';
	return true;
}

/* Look for the version in a piece of the program. Marks that begin in the last MARK_MAX bytes are
 * left to the next piece, unless this is the last one. */
static bool search(const struct mark *mark, const char *piece, size_t n, bool is_last,
		   char out[VERSION_MAX])
{
	size_t len = strlen(mark->text);
	const char *end = piece + n, *at = piece;

	while ((at = memmem(at, (size_t)(end - at), mark->text, len))) {
		char text[MARK_MAX + 1] = "";
		size_t left = (size_t)(end - at);

		if (left < MARK_MAX && !is_last)
			return false;
		memcpy(text, at, left < MARK_MAX ? left : MARK_MAX);
		if (take_version(mark, text + len, out))
			return true;
		at += len;
	}
	return false;
}

/* ---- programs ---- */

/* Where the constants of a program begin: 0 if that is not known. */
static off_t constants_of(int fd)
{
	Elf64_Ehdr head;
	Elf64_Shdr sections[SECTIONS_MAX], *names;
	char name[16];

	if (pread(fd, &head, sizeof head, 0) != (ssize_t)sizeof head ||
	    memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64 ||
	    head.e_shentsize != sizeof *sections || head.e_shnum > SECTIONS_MAX ||
	    head.e_shstrndx >= head.e_shnum ||
	    pread(fd, sections, head.e_shnum * sizeof *sections, (off_t)head.e_shoff) !=
		    (ssize_t)(head.e_shnum * sizeof *sections))
		return 0;
	names = &sections[head.e_shstrndx];
	for (int i = 0; i < head.e_shnum; i++)
		if (pread(fd, name, sizeof ".rodata",
			  (off_t)(names->sh_offset + sections[i].sh_name)) ==
			    (ssize_t)sizeof ".rodata" &&
		    memcmp(name, ".rodata", sizeof ".rodata") == 0)
			return (off_t)sections[i].sh_offset;
	return 0;
}

static bool search_file(int fd, const struct mark *mark, char out[VERSION_MAX])
{
	ALLOC_LOCAL char *piece = xmalloc(PIECE);
	off_t at = constants_of(fd);
	bool is_found = false, is_last = false;

	if (at < 0)
		at = 0;
	while (!is_found && !is_last && at < PROGRAM_MAX) {
		ssize_t n = pread(fd, piece, PIECE, at);

		if (n <= 0)
			break;
		is_last = (size_t)n < PIECE;
		is_found = search(mark, piece, (size_t)n, is_last, out);
		at += n - (is_last ? 0 : MARK_MAX);
	}
	return is_found;
}

/* ---- libraries ---- */

/* Whether an open file is that of a line of /proc/PID/maps: after the addresses, the rights and the
 * offset come the device and the inode, as `fe:01 1234`. */
static bool is_mapped(int fd, const char *line)
{
	struct stat st;
	unsigned major, minor;
	char *at;

	for (int i = 0; i < 3 && line; i++)
		line = strchr(line, ' ') ? strchr(line, ' ') + 1 : NULL;
	if (!line || fstat(fd, &st) != 0)
		return false;
	major = (unsigned)strtoul(line, &at, 16);
	minor = *at == ':' ? (unsigned)strtoul(at + 1, &at, 16) : UINT_MAX;
	return st.st_dev == makedev(major, minor) && st.st_ino == strtoull(at, NULL, 10);
}

/* A line of /proc/PID/maps: `7f..-7f.. r-xp 00000000 fe:01 1234    /usr/lib/libnode.so.108`. Open
 * the library that it is about; -1: it is no libnode, or another file is there now. */
static int open_library(const char *proc, pid_t pid, const char *line)
{
	const char *path = strchr(line, '/');
	char file[600];
	int fd;

	if (!path || !strstr(path, "/libnode.so"))
		return -1;
	snprintf(file, sizeof file, "%s/%d/root%.500s", proc, (int)pid, path);
	fd = open(file, O_RDONLY | O_CLOEXEC);
	if (fd >= 0 && !is_mapped(fd, line)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static bool search_libraries(const char *proc, pid_t pid, const struct mark *mark,
			     char out[VERSION_MAX])
{
	char name[PROC_FILE_PATH], line[700];
	bool is_found = false;
	FILE *maps;

	proc_file_path(name, proc, pid, "maps");
	maps = fopen(name, "re");
	while (maps && !is_found && fgets(line, sizeof line, maps)) {
		int fd;

		line[strcspn(line, "\n")] = '\0';
		fd = open_library(proc, pid, line);
		if (fd < 0)
			continue;
		is_found = search_file(fd, mark, out);
		close(fd);
		break;
	}
	if (maps)
		fclose(maps);
	return is_found;
}

/* ---- the whole ---- */

const char *versions_find(struct versions *v, const char *proc, const struct process *process)
{
	const struct mark *mark = mark_of(process->runtime);
	struct versions_program program = { 0 };
	char name[PROC_FILE_PATH];
	struct stat st;
	int fd;

	proc_file_path(name, proc, process->pid, "exe");
	fd = mark ? open(name, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0)
		return "";
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		program.device = st.st_dev;
		program.inode = st.st_ino;
		for (size_t i = 0; i < v->n; i++)
			if (v->list[i].device == st.st_dev && v->list[i].inode == st.st_ino) {
				close(fd);
				return v->list[i].version;
			}
		if (!search_file(fd, mark, program.version) && process->runtime == RUNTIME_NODE)
			search_libraries(proc, process->pid, mark, program.version);
	}
	close(fd);
	v->list = xgrow(v->list, &v->cap, v->n + 1, sizeof *v->list);
	v->list[v->n] = program;
	return v->list[v->n++].version;
}

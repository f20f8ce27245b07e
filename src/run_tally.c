/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes are known by their number alone: one that comes again within a run is counted once. */
#include "config.h"

#include "run_tally.h"

#include "base/alloc.h"
#include "base/text.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COMMAND_MOST 4096
#define COMMAND_CELLS 60
#define TOLD_MOST 10 /* processes that are told one by one */

void run_tally_done(struct run_tally *tally)
{
	for (size_t i = 0; i < tally->n; i++)
		free(tally->list[i].command);
	free(tally->list);
	*tally = (struct run_tally){ 0 };
}

struct run_process *run_tally_process(struct run_tally *tally, pid_t pid)
{
	for (size_t i = tally->n; i-- > 0;)
		if (tally->list[i].pid == pid)
			return &tally->list[i];
	tally->list = xgrow(tally->list, &tally->cap, tally->n + 1, sizeof *tally->list);
	tally->list[tally->n] = (struct run_process){ .pid = pid };
	return &tally->list[tally->n++];
}

/* ---- notes ---- */

static char *read_command(int folder, const char *name)
{
	char text[COMMAND_MOST];
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, text, sizeof text) : 0;

	if (fd >= 0)
		close(fd);
	return xstrndup(text, n > 0 ? (size_t)n : 0);
}

/* The numbers of `WORD.PID.TID`. */
static bool parse_note(const char *name, const char *word, pid_t *pid, long *tid)
{
	size_t len = strlen(word);
	char *end;

	if (strncmp(name, word, len) != 0)
		return false;
	*pid = (pid_t)strtol(name + len, &end, 10);
	if (*pid <= 0 || *end != '.')
		return false;
	*tid = strtol(end + 1, &end, 10);
	return *end == '\0';
}

static void take_note(struct run_tally *tally, int folder, const char *name)
{
	bool has_written = strncmp(name, "wrote.", 6) == 0;
	struct run_process *p;
	pid_t pid;
	long tid;

	if (!parse_note(name, has_written ? "wrote." : "started.", &pid, &tid))
		return;
	p = run_tally_process(tally, pid);
	p->has_note = true;
	if (tid != 0 && !has_written)
		p->n_unwritten++;
	if (!p->command)
		p->command = read_command(folder, name);
}

void run_tally_read(struct run_tally *tally, const char *notes)
{
	DIR *folder = opendir(notes);
	struct dirent *entry;

	for (size_t i = 0; i < tally->n; i++)
		tally->list[i].n_unwritten = 0;
	while (folder && (entry = readdir(folder)))
		take_note(tally, dirfd(folder), entry->d_name);
	if (folder)
		closedir(folder);
}

/* ---- files ---- */

pid_t run_tally_pid_of(const char *name)
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

static const char *why_not(const struct run_process *p, const char *proc)
{
	struct error err = ERROR_INIT;
	struct process now;
	bool is_alive = process_read(proc, p->pid, &now, &err) && !now.is_zombie;

	process_done(&now);
	if (p->runtime == RUNTIME_BUN)
		return "Bun writes a profile only when it ends by itself";
	if (p->runtime == RUNTIME_DENO)
		return "Deno writes a profile only as the command itself (deno run), and when it "
		       "ends by itself";
	if (!p->has_note)
		return "it was not recorded: it has not the NODE_OPTIONS of this run";
	if (p->is_lost)
		return "it did not answer after the signal that ended it, and was killed";
	if (is_alive)
		return "it still runs";
	return "it was killed, or has aborted";
}

static void add_process(const struct run_process *p, struct buf *out)
{
	const char *command = p->command ? p->command : "";

	buf_addf(out, "process %d", (int)p->pid);
	if (*command) {
		buf_adds(out, " (");
		text_fit(out, command, strlen(command), COMMAND_CELLS);
		buf_adds(out, ")");
	}
}

static void warn(const struct run_process *p, const char *proc, struct buf *out)
{
	if (p->n_files == 0) {
		add_process(p, out);
		buf_addf(out, " wrote no profile: %s\n", why_not(p, proc));
	} else if (p->n_unwritten > 0) {
		add_process(p, out);
		buf_addf(out,
			 ": %u of its workers wrote no profile: they were terminated, "
			 "or have variables of their own\n",
			 p->n_unwritten);
	}
}

void run_tally_tell(const struct run_tally *tally, const char *proc, struct buf *summary,
		    struct buf *warnings)
{
	uint32_t n_files = 0, n_wrote = 0, n_told = 0, n_untold = 0;

	for (size_t i = 0; i < tally->n; i++) {
		const struct run_process *p = &tally->list[i];

		n_files += p->n_files;
		n_wrote += p->n_files > 0;
		if (p->n_files > 0 && p->n_unwritten == 0)
			continue;
		if (n_told == TOLD_MOST)
			n_untold++;
		else
			warn(p, proc, warnings);
		n_told += n_told < TOLD_MOST;
	}
	if (n_untold > 0)
		buf_addf(warnings, "%u more processes wrote no profile\n", n_untold);
	if (n_wrote == 0)
		buf_adds(summary, "no process wrote a profile");
	else if (n_wrote < tally->n)
		buf_addf(summary, "%u of %zu processes wrote %u profile%s", n_wrote, tally->n,
			 n_files, n_files == 1 ? "" : "s");
	else
		buf_addf(summary, "%u process%s wrote %u profile%s", n_wrote,
			 n_wrote == 1 ? "" : "es", n_files, n_files == 1 ? "" : "s");
}

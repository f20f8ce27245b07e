/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Both ends of the pipe are descriptors of the process; few other pipes are like that, and none has
 * messages of this form. An end that is opened through /proc is another descriptor of the same
 * pipe; tee() copies without taking anything out. */
#include "config.h"

#include "remote/pending.h"

#include "base/alloc.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define MESSAGES 32 /* the first of them are enough */

/* libuv's. The program must have the word size of this one. */
struct message {
	void *handle;
	int signal;
};

struct end {
	uint64_t inode;
	int fd;
	bool is_read;
};

struct ends {
	struct end *list;
	size_t n, cap;
};

static void add_end(int folder, const char *name, struct ends *ends)
{
	static const char pipe[] = "pipe:[";
	char link[64] = "";
	struct stat st;
	ssize_t n = readlinkat(folder, name, link, sizeof link - 1);

	/* The permissions of the link are those of the descriptor. */
	if (n <= 0 || strncmp(link, pipe, strlen(pipe)) != 0 ||
	    fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return;
	ends->list = xgrow(ends->list, &ends->cap, ends->n + 1, sizeof *ends->list);
	ends->list[ends->n++] = (struct end){ .inode = strtoull(link + strlen(pipe), NULL, 10),
					      .fd = (int)strtol(name, NULL, 10),
					      .is_read = (st.st_mode & S_IRUSR) != 0 };
}

static bool has_writer(const struct ends *ends, uint64_t inode)
{
	for (size_t i = 0; i < ends->n; i++)
		if (ends->list[i].inode == inode && !ends->list[i].is_read)
			return true;
	return false;
}

/* Whether these are messages of libuv, and one is of a signal that ends a program. */
static bool take_messages(const struct message *messages, size_t n, struct pending *pending)
{
	*pending = (struct pending){ 0 };
	for (size_t i = 0; i < n; i++) {
		uint64_t handle = (uint64_t)(uintptr_t)messages[i].handle;
		int number = messages[i].signal;

		if (handle == 0 || handle % sizeof(void *) != 0 || number < 1 || number >= NSIG)
			return false;
		if (number != SIGHUP && number != SIGINT && number != SIGTERM && number != SIGUSR2)
			continue;
		if (pending->signal == 0)
			*pending = (struct pending){ number, handle, false };
		else if (number == pending->signal && handle != pending->handle)
			pending->is_shared = true;
	}
	return pending->signal != 0;
}

/* `copy`: the ends of an empty pipe of our own. */
static bool look(int folder, int fd, const int copy[2], struct pending *pending)
{
	struct message messages[MESSAGES];
	char name[16];
	int in, n_bytes = 0;
	ssize_t n = 0;

	snprintf(name, sizeof name, "%d", fd);
	in = openat(folder, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (in < 0)
		return false;
	if (ioctl(in, FIONREAD, &n_bytes) == 0 && n_bytes > 0 &&
	    (size_t)n_bytes % sizeof *messages == 0 &&
	    tee(in, copy[1], sizeof messages, SPLICE_F_NONBLOCK) > 0)
		n = read(copy[0], messages, sizeof messages);
	close(in);
	return n > 0 && take_messages(messages, (size_t)n / sizeof *messages, pending);
}

static bool look_at_all(int folder, const struct ends *ends, struct pending *pending)
{
	bool is_found = false;
	int copy[2];

	if (pipe2(copy, O_NONBLOCK | O_CLOEXEC) != 0)
		return false;
	for (size_t i = 0; i < ends->n && !is_found; i++)
		if (ends->list[i].is_read && has_writer(ends, ends->list[i].inode))
			is_found = look(folder, ends->list[i].fd, copy, pending);
	close(copy[0]);
	close(copy[1]);
	return is_found;
}

bool pending_read(const char *proc, pid_t pid, struct pending *pending)
{
	char path[512];
	struct ends ends = { 0 };
	struct dirent *entry;
	bool is_found;
	DIR *folder;

	*pending = (struct pending){ 0 };
	snprintf(path, sizeof path, "%s/%d/fd", proc, (int)pid);
	folder = opendir(path);
	if (!folder)
		return false;
	while ((entry = readdir(folder)))
		if (entry->d_name[0] != '.')
			add_end(dirfd(folder), entry->d_name, &ends);
	is_found = look_at_all(dirfd(folder), &ends, pending);
	closedir(folder);
	free(ends.list);
	return is_found;
}

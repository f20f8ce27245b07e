/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A copy is never removed: programs may need it at any time. It is replaced only by one that says
 * something else, in one step. */
#include "config.h"

#include "record/run_place.h"

#include "base/alloc.h"
#include "cli/user_file.h"
#include "run_preload_path.h"

#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define NAME "run_preload.cjs"
#define OF_ROOT "/var/lib/flametty/" NAME
#define VARIABLE "FLAMETTY_HOOK"

static const char *const lines[] = {
#include "run_preload_lines.h"
};

/* ---- who can read and change it ---- */

/* Whether the user is in the file of users with this group, and no other user is. */
static bool is_only_user(const char *users, uid_t uid, gid_t gid, struct buf *name)
{
	FILE *file = fopen(users, "re");
	const struct passwd *user;
	bool is_only = true;

	while (file && (user = fgetpwent(file))) {
		if (user->pw_gid == gid && user->pw_uid != uid)
			is_only = false;
		if (user->pw_gid == gid && user->pw_uid == uid && name->len == 0)
			buf_adds(name, user->pw_name);
	}
	if (file)
		fclose(file);
	return is_only && name->len > 0;
}

/* Whether a group has only one user: it is the user's own, with the same name, it has no other
 * member, and no other user has it as the first group. users, groups: files like /etc/passwd,
 * /etc/group. Users that are only known to a server have no such group here. */
static bool run_place_is_private(const char *users, const char *groups, uid_t uid, gid_t gid)
{
	BUF_LOCAL name = { 0 };
	FILE *file = is_only_user(users, uid, gid, &name) ? fopen(groups, "re") : NULL;
	const struct group *group;
	bool is_private = file != NULL, is_there = false;

	while (file && (group = fgetgrent(file))) {
		if (group->gr_gid != gid)
			continue;
		is_there |= strcmp(group->gr_name, buf_text(&name)) == 0;
		for (char **member = group->gr_mem; *member; member++)
			if (strcmp(*member, buf_text(&name)) != 0)
				is_private = false;
	}
	if (file)
		fclose(file);
	return is_private && is_there;
}

/* One name of the path: a folder, or the file at the end. */
static enum run_place_fault check_name(const char *path, mode_t needed)
{
	struct stat st;

	if (lstat(path, &st) != 0)
		return RUN_PLACE_MISSING;
	/* Whether the group may write, and is not the user alone. With an access list, what stat(2)
	 * tells of the group is about all that are in the list. */
	/* The group of root is that of the system's own folders. */
	if ((st.st_uid != 0 && st.st_uid != geteuid()) || (st.st_mode & S_IWOTH) ||
	    (st.st_uid != 0 &&
	     ((st.st_mode & S_IWGRP) &&
	      (lgetxattr(path, "system.posix_acl_access", NULL, 0) > 0 ||
	       !run_place_is_private("/etc/passwd", "/etc/group", st.st_uid, st.st_gid)))))
		return RUN_PLACE_SHARED;
	return (st.st_mode & needed) == needed ? RUN_PLACE_GOOD : RUN_PLACE_CLOSED;
}

/* Look at an existing path and all folders above it. */
static enum run_place_fault run_place_check(const char *path)
{
	char real[PATH_MAX];
	enum run_place_fault worst, fault;

	if (!realpath(path, real))
		return RUN_PLACE_MISSING;
	worst = check_name(real, S_IROTH);
	for (char *slash = strrchr(real, '/'); slash && worst != RUN_PLACE_SHARED;
	     slash = strrchr(real, '/')) {
		slash[slash == real] = '\0';
		fault = check_name(real, S_IXOTH);
		worst = fault == RUN_PLACE_GOOD ? worst : fault;
		if (slash == real)
			break;
	}
	return worst;
}

/* ---- the file ---- */

static void add_script(struct buf *out)
{
	for (size_t i = 0; i < ARRAY_LEN(lines); i++)
		buf_adds(out, lines[i]);
}

/* Whether the file is there and says what it shall say. */
static bool is_there(const char *path)
{
	BUF_LOCAL wanted = { 0 }, text = { 0 };
	struct error err = ERROR_INIT;

	add_script(&wanted);
	return user_file_read(path, wanted.len, false, &text, &err) == USER_FILE_READ &&
		text.len == wanted.len && memcmp(text.data, wanted.data, wanted.len) == 0;
}

static bool write_file(int fd)
{
	BUF_LOCAL text = { 0 };

	add_script(&text);
	return write(fd, text.data, text.len) == (ssize_t)text.len && fchmod(fd, 0644) == 0 &&
		fsync(fd) == 0;
}

static bool make_file(const char *path, struct error *err)
{
	BUF_LOCAL draft = { 0 };
	bool is_good;
	int fd;
	char *folder = xstrdup(path);

	/* Make the folder of the file, and those above it; new ones can be read by all. */
	for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(folder, 0755) == 0 && chmod(folder, 0755) != 0)
			errno = 0;
		*slash = '/';
	}
	free(folder);
	buf_addf(&draft, "%s.XXXXXX", path);
	fd = mkstemp(draft.data);
	is_good = fd >= 0 && write_file(fd) && rename(draft.data, path) == 0;
	if (!is_good) {
		error_errno(err, errno, "cannot write %s", path);
		if (fd >= 0)
			unlink(draft.data);
	}
	if (fd >= 0)
		close(fd);
	return is_good;
}

/* ---- places ---- */

static bool complain(const char *path, enum run_place_fault fault, struct error *err)
{
	if (fault == RUN_PLACE_SHARED)
		return error_set(err, ERR_IO, -1, "other users can replace %s", path);
	if (fault == RUN_PLACE_CLOSED)
		return error_set(err, ERR_IO, -1, "other users cannot read %s", path);
	return error_errno(err, errno, "cannot look at %s", path);
}

/* A copy, which is made if it is missing. may_close: it is enough that this user can read it. */
static bool try_copy(const char *path, bool may_close, struct error *err)
{
	enum run_place_fault fault;

	if (!is_there(path) && !make_file(path, err))
		return false;
	fault = run_place_check(path);
	return fault == RUN_PLACE_GOOD || (fault == RUN_PLACE_CLOSED && may_close) ||
		complain(path, fault, err);
}

bool run_place_find(struct buf *path, struct error *err)
{
	const char *named = getenv(VARIABLE);

	if (named && *named) {
		/* The folder that the user names may be below one that is for all users, such as
		 * /tmp. */
		buf_addf(path, "%s/%s", named, NAME);
		if (named[0] != '/')
			return error_set(err, ERR_IO, -1,
					 VARIABLE " wants an absolute path, not %s", named);
		if (!is_there(path->data) && !make_file(path->data, err))
			return false;
		for (int i = 0; i < 2; i++) {
			enum run_place_fault fault = check_name(i ? named : path->data, 0);

			if (fault != RUN_PLACE_GOOD)
				return complain(i ? named : path->data, fault, err);
		}
		return true;
	}
	if (is_there(INSTALLED) && run_place_check(INSTALLED) == RUN_PLACE_GOOD) {
		buf_adds(path, INSTALLED);
		return true;
	}
	/* Only root can become another user without a password. */
	if (geteuid() == 0) {
		buf_adds(path, OF_ROOT);
		return try_copy(buf_text(path), false, err);
	}
	if (!user_file_data(NAME, path))
		return error_set(err, ERR_IO, -1, "HOME is not set");
	return try_copy(buf_text(path), true, err);
}

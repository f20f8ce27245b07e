/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Paths are absolute: processes of the command may be anywhere. */
#include "config.h"

#include "record/run_folder.h"

#include "base/alloc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PROFILES "profiles"

static const char *const parts[] = { "notes", "slices", "others", PROFILES };

static bool complain(struct run *run, const char *path, int errnum, const char *what)
{
	struct error err = ERROR_INIT;

	error_errno(&err, errnum, "%s", what);
	run_complain_output(run, path, &err);
	return false;
}

/* mkdtemp() gives it the mode 0700. */
static bool make_own(struct run *run, struct run_command *command)
{
	const char *base = getenv("TMPDIR");
	char absolute[PATH_MAX];
	struct buf path = { 0 };

	buf_addf(&path, "%s/flametty-XXXXXX", base && *base ? base : "/tmp");
	if (!mkdtemp(path.data) || !realpath(path.data, absolute)) {
		complain(run, path.data, errno, "a folder for the recording");
		buf_done(&path);
		return false;
	}
	command->folder = xstrdup(absolute);
	for (size_t i = 0; i < ARRAY_LEN(parts) && run->status == EXIT_OK; i++) {
		buf_clear(&path);
		buf_addf(&path, "%s/%s", command->folder, parts[i]);
		if (mkdir(path.data, 0700) != 0)
			complain(run, path.data, errno, "a folder for the recording");
	}
	buf_done(&path);
	return run->status == EXIT_OK;
}

static bool find_profiles(struct run *run, struct run_command *command)
{
	const char *output = run->options.output;
	char absolute[PATH_MAX] = "";
	struct buf path = { 0 };
	struct stat st;
	bool is_good;

	command->is_own = !output;
	if (output)
		buf_adds(&path, output);
	else
		buf_addf(&path, "%s/" PROFILES, command->folder);
	is_good = mkdir(buf_text(&path), output ? 0777 : 0700) == 0 || errno == EEXIST;
	if (is_good && stat(buf_text(&path), &st) == 0 && !S_ISDIR(st.st_mode)) {
		run_complain_usage(run, "--output wants a folder, not the file ", output, "");
		is_good = false;
	} else if (!is_good || !realpath(buf_text(&path), absolute) ||
		   access(absolute, W_OK | X_OK) != 0) {
		is_good = complain(run, buf_text(&path), errno, "a folder for profiles");
	} else {
		command->profiles = xstrdup(absolute);
	}
	buf_done(&path);
	return is_good;
}

bool run_folder_make(struct run *run, struct run_command *command)
{
	return make_own(run, command) && find_profiles(run, command);
}

static void remove_all(const char *path)
{
	DIR *folder = opendir(path);
	struct dirent *entry;

	while (folder && (entry = readdir(folder)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			unlinkat(dirfd(folder), entry->d_name, 0);
	if (folder)
		closedir(folder);
	rmdir(path);
}

void run_folder_clear(const char *folder, bool is_kept)
{
	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		struct buf path = { 0 };

		buf_addf(&path, "%s/%s", folder, parts[i]);
		if (!is_kept || strcmp(parts[i], PROFILES) != 0)
			remove_all(path.data);
		buf_done(&path);
	}
	remove_all(folder);
}

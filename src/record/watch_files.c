/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "record/watch_files.h"

#include "base/sink.h"
#include "base/units.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define BEGIN "CPU."
#define END ".cpuprofile"

static bool is_profile(const char *name)
{
	size_t len = strlen(name);

	return strncmp(name, BEGIN, strlen(BEGIN)) == 0 && len > strlen(END) &&
		strcmp(name + len - strlen(END), END) == 0;
}

bool watch_files_open(struct watch_files *files, const char *folder, uint32_t most,
		      struct error *err)
{
	const struct dirent *entry;
	DIR *dir;

	*files = (struct watch_files){ .folder = folder, .most = most };
	if (mkdir(folder, 0777) != 0 && errno != EEXIST)
		return error_errno(err, errno, "cannot be made");
	dir = opendir(folder);
	if (!dir)
		return error_errno(err, errno, "cannot be read");
	while ((entry = readdir(dir)))
		files->n += is_profile(entry->d_name);
	closedir(dir);
	if (access(folder, W_OK | X_OK) != 0)
		return error_errno(err, errno, "cannot be written to");
	return true;
}

bool watch_files_name(struct watch_files *files, int64_t wall_ns, int pid, int tid,
		      struct buf *path)
{
	time_t seconds = (time_t)(wall_ns / NS_PER_S);
	struct tm local = { 0 };
	char date[40] = "";
	size_t before = path->len;
	struct stat st;

	if (!files->folder || files->n >= files->most)
		return false;
	localtime_r(&seconds, &local);
	strftime(date, sizeof date, "%Y%m%d.%H%M%S", &local);
	do {
		path->len = before;
		buf_addf(path, "%s%s" BEGIN "%s.%d.%d.%03u" END, files->folder,
			 files->folder[strlen(files->folder) - 1] == '/' ? "" : "/", date, pid, tid,
			 (unsigned)++files->number);
	} while (lstat(path->data, &st) == 0);
	files->n++;
	return true;
}

void watch_files_drop(struct watch_files *files)
{
	files->n--;
}

bool watch_files_write(struct watch_files *files, const char *path, const struct buf *text,
		       struct error *err)
{
	struct sink *sink = sink_open(path, false, err);
	bool is_written = false;

	if (sink) {
		buf_add(sink_buf(sink), buf_text(text), text->len);
		is_written = sink_close(sink, err);
	}
	if (!is_written)
		watch_files_drop(files);
	return is_written;
}

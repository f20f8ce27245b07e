/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Write an export to standard output, to a file, or, of formats that are by lane, into a directory:
 * a file a lane. */
#ifndef FLAMETTY_CLI_EXPORT_FILES_H
#define FLAMETTY_CLI_EXPORT_FILES_H

#include "cli/run.h"
#include "write/export/export.h"

struct export_target {
	const char *path;  /* NULL or "-": standard output. It ends with a slash: a directory, which
			      is made if it is not there */
	bool is_forced;    /* existing files are replaced */
	int64_t max_bytes; /* of formats of stacks; 0: no limit */
	/* As for sink_watch(); NULL: no watch. */
	bool (*watch)(void *ctx, int64_t bytes);
	void *watch_ctx;
};

/* What was written. */
struct export_files {
	uint32_t n;      /* number of files */
	struct buf path; /* the file that failed; otherwise the first one. Empty: standard output */
};

/* Write the profile, which is already as the scope of the options shows it (scoped_init()). Returns
 * false and fills err on failure; files that are complete by then stay. The caller frees
 * files->path. */
bool export_files_write(const struct export_format *format, const struct profile *profile,
			const struct export_options *options, const struct export_target *target,
			struct export_files *files, struct error *err) MUST_USE;

/* flametty export: write the loaded profile as the options say, and what opens it. */
void export_command(struct run *run);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files in a directory have the names that Node.js gives to its profiles:
 *
 *	CPU.20250510.134625.4711.0.001.cpuprofile
 *
 * with date and time (left out if the input has none), process, thread, and a number that makes the
 * name unique: it counts the files of the export. */
#include "config.h"

#include "cli/export_files.h"

#include "base/message.h"
#include "base/units.h"
#include "cli/report_command.h"
#include "read/trace/trace_copy.h"
#include "write/export/boxes.h"
#include "write/export/export_cpuprofile.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_output(const char *path)
{
	return !path || strcmp(path, "-") == 0;
}

static bool is_directory(const char *path)
{
	struct stat info;
	size_t len;

	if (is_output(path))
		return false;
	len = strlen(path);
	return (len && path[len - 1] == '/') || (stat(path, &info) == 0 && S_ISDIR(info.st_mode));
}

/* Check a target before time is spent on the profile. Returns false and fills err if it cannot be
 * written. */
static bool export_files_check(const struct export_format *f, const struct export_target *t,
			       struct error *err)
{
	struct stat info;

	if (is_output(t->path))
		return !f->is_binary || !isatty(STDOUT_FILENO) ||
			error_set(err, ERR_IO, -1,
				  "%s is binary and not for a terminal; -o FILE writes a file",
				  f->name);
	if (is_directory(t->path)) {
		if (!f->is_by_lane)
			return error_set(err, ERR_IO, -1, "is a directory; %s is one file",
					 f->name);
		return true;
	}
	if (!t->is_forced && stat(t->path, &info) == 0 && S_ISREG(info.st_mode))
		return error_set(err, ERR_IO, -1, "exists already; --force replaces it");
	return true;
}

static bool write_one(const struct export_format *f, const struct profile *p,
		      const struct export_options *options, const struct export_target *t,
		      const char *path, struct error *err)
{
	struct sink *sink = sink_open(path, t->is_forced, err);

	if (!sink)
		return false;
	if (t->watch)
		sink_watch(sink, t->watch, t->watch_ctx);
	if (f->is_of_stacks || options->is_slices)
		sink_limit(sink, t->max_bytes);
	f->write(p, options, sink);
	return sink_close(sink, err);
}

/* `directory/CPU.date.time.pid.tid.number.cpuprofile` */
static void make_name(const struct export_format *f, const struct profile *p,
		      const struct lane *lane, const char *directory, uint32_t number,
		      struct buf *out)
{
	const struct input *in = &p->inputs[lane->input];
	size_t len = strlen(directory);

	buf_clear(out);
	buf_add(out, directory, len);
	buf_adds(out, len && directory[len - 1] == '/' ? "CPU." : "/CPU.");
	if (in->has_date) {
		char date[DATE_MAX];

		date_format(in->date_s, '.', date);
		for (const char *c = date; *c; c++)
			if (*c != '-' && *c != ':')
				buf_addc(out, *c);
		buf_addc(out, '.');
	}
	buf_addf(out, "%" PRId64 ".%" PRId64 ".%03" PRIu32 ".%s",
		 lane->pid == LANE_NO_ID ? 0 : lane->pid, lane->tid == LANE_NO_ID ? 0 : lane->tid,
		 number, f->extension);
}

/* The number of lanes that have something in the scope, and the first of them. */
static uint32_t count_lanes(const struct profile *p, const struct scope *scope, uint32_t *first)
{
	uint32_t n = 0;

	for (uint32_t i = p->n_lanes; i-- > 0;) {
		if (!samples_out_is_there(&p->lanes[i], scope))
			continue;
		*first = i;
		n++;
	}
	return n;
}

static bool write_lanes(const struct export_format *f, const struct profile *p,
			struct export_options *options, const struct export_target *t,
			struct export_files *files, struct error *err)
{
	if (mkdir(t->path, 0777) != 0 && errno != EEXIST) {
		error_errno(err, errno, "cannot make the directory");
		buf_adds(&files->path, t->path);
		return false;
	}
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		BUF_LOCAL path = { 0 };
		bool ok;

		if (!samples_out_is_there(&p->lanes[i], &options->scope))
			continue;
		options->lane = i;
		make_name(f, p, &p->lanes[i], t->path, files->n + 1, &path);
		if (files->n == 0)
			buf_add(&files->path, path.data, path.len);
		ok = write_one(f, p, options, t, buf_text(&path), err);
		if (!ok) {
			buf_clear(&files->path);
			buf_add(&files->path, path.data, path.len);
			return false;
		}
		files->n++;
	}
	return true;
}

static bool write_by_lane(const struct export_format *f, const struct profile *p,
			  struct export_options *options, const struct export_target *t,
			  struct export_files *files, struct error *err)
{
	uint32_t n;

	/* The whole profile includes samples of no length at its very end. */
	options->scope.t1 += options->scope.t1 == p->t1;
	n = count_lanes(p, &options->scope, &options->lane);
	if (n == 0)
		return error_set(err, ERR_FORMAT, -1,
				 "no lane has samples there, and %s has nothing else; trace has "
				 "slices, too",
				 f->name);
	if (is_directory(t->path))
		return write_lanes(f, p, options, t, files, err);
	if (n > 1)
		return error_set(err, ERR_FORMAT, -1,
				 "%" PRIu32 " lanes have samples, and %s has one thread a file: "
				 "choose one with --lane, or give a directory, as in -o DIR/",
				 n, f->name);
	files->n = 1;
	return write_one(f, p, options, t, t->path, err);
}

bool export_files_write(const struct export_format *f, const struct profile *p,
			const struct export_options *options, const struct export_target *t,
			struct export_files *files, struct error *err)
{
	struct export_options own = *options;
	bool ok;

	*files = (struct export_files){ 0 };
	/* From when a file is complete, no memory is needed any more: without it, the command would
	 * fail, and the file be there. */
	if (!is_output(t->path) && !(f->is_by_lane && is_directory(t->path)))
		buf_adds(&files->path, t->path);
	if (f->is_of_times && !amount_is_time(&p->unit)) {
		ok = error_set(err, ERR_FORMAT, -1,
			       "%s has only times, but the values of this profile are %s; pprof, "
			       "speedscope, folded, d3, svg and html can have them",
			       f->name, p->unit.kind == AMOUNT_BYTES ? "bytes" : "counts");
	} else if (!export_files_check(f, t, err)) {
		ok = false;
	} else if (f->is_by_lane) {
		ok = write_by_lane(f, p, &own, t, files, err);
	} else {
		files->n = 1;
		ok = write_one(f, p, options, t, t->path, err);
	}
	if (files->path.len == 0 && !is_output(t->path))
		buf_adds(&files->path, t->path);
	return ok;
}

/* ==== export command ==== */

/* Say which inputs would have been copied with the arguments of their events. */
static void warn_of_made_events(const struct run *run, const struct export_options *eo)
{
	const struct profile *p = run->profile;

	if (!eo->copy || export_find(run->options.format) != &export_trace)
		return;
	for (uint32_t i = 0; i < p->n_inputs; i++) {
		const char *path = profile_text(p, p->inputs[i].path);
		bool is_lost = trace_copy_is_lost(&p->inputs[i]);

		if (is_lost || trace_copy_has_other_frames(p, i))
			run_warn("%s: events are written without their arguments, because %s",
				 strcmp(path, "-") == 0 ? "(standard input)" : path,
				 is_lost ? "a pipe cannot be read twice"
					 : "a file before it has stackFrames, too");
	}
}

/* Say what was written, and what opens it. Standard output needs no words. */
static void say_opens(const struct export_format *format, const struct export_files *files)
{
	if (files->path.len == 0)
		return;
	if (files->n > 1)
		message_print("wrote %s and %" PRIu32 " more; opens in %s", buf_text(&files->path),
			      files->n - 1, format->opens);
	else
		message_print("wrote %s; opens in %s", buf_text(&files->path), format->opens);
}

static void write_export(struct run *run, const struct export_format *format,
			 const struct export_options *wanted)
{
	const struct options *o = &run->options;
	struct export_target target = { .path = o->output, .is_forced = o->is_forced };
	struct export_files files = { 0 };
	struct error err = ERROR_INIT;
	struct scoped scoped;
	struct export_options eo = *wanted;
	uint64_t n_lost;

	target.max_bytes = o->max_output < 0 ? export_bytes_most(run->profile) : o->max_output;
	if (!export_files_check(format, &target, &err)) {
		run_complain_output(run, o->output, &err);
		return;
	}
	if (!run_find_scoped(run, &eo.scope, format->is_gathered, &scoped))
		return;
	eo.scoped = &scoped;
	if (export_files_write(format, scoped.profile, &eo, &target, &files, &err)) {
		warn_of_made_events(run, &eo);
		if (export_loses_labels(format, scoped.profile))
			run_warn(
				"%s has no labels of samples: they are left out; -f pprof has them",
				format->name);
		if (strcmp(format->name, "trace") == 0 && scoped.profile->is_transformed &&
		    scoped.profile->served.n_runs)
			run_warn("the trace does not tell any more for which requests threads "
				 "ran: --during and other transforms change lanes");
		n_lost = export_lost_requests(format, scoped.profile, &eo.scope);
		if (n_lost)
			run_warn("%s cannot hold %s request%s: -f trace keeps them", format->name,
				 units_count(n_lost, UNITS_ROOM), n_lost == 1 ? "" : "s");
		say_opens(format, &files);
	} else {
		run_complain_output(run, files.path.len ? buf_text(&files.path) : NULL, &err);
	}
	scoped_done(&scoped);
	buf_done(&files.path);
}

void export_command(struct run *run)
{
	uint64_t n_left = 0;
	struct boxes_cut cut = { 0 };
	char left[BOXES_CUT_MAX];
	struct export_options eo = { .is_slices = run->options.is_slices,
				     .is_counts = run->options.value == 1,
				     .is_merged = run->options.is_merged,
				     .min_width = run->options.min_width,
				     .n_left = &n_left,
				     .cut = &cut };
	struct report_args args;

	report_args_find(run, &args);
	eo.report = &args.options;
	if (run_find_scope(run, &eo.scope)) {
		/* Copied events would not have the transforms. */
		eo.copy = scope_is_plain(&eo.scope) ? trace_copy : NULL;
		eo.copy_members = trace_copy_members;
		write_export(run, export_find(run->options.format), &eo);
		run_warn_of_rows(n_left, args.options.max_rows);
		if (boxes_is_cut(&cut)) {
			boxes_tell_cut(&cut, left);
			run_warn("of the picture, %s; --lane, --focus, --from and --to choose what "
				 "it shows",
				 left);
		}
	}
	scope_done(&eo.scope);
	report_args_done(&args);
}

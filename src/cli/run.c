/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Wrong usage is reported before any file is read, as far as the options alone can tell. */
#include "config.h"

#include "cli/run.h"

#include "analyse/scope.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/json/json_read.h"
#include "base/message.h"
#include "base/pattern.h"
#include "base/sandbox.h"
#include "base/sink.h"
#include "base/stream/unpack.h"
#include "base/units.h"
#include "cli/options.h"
#include "model/profile.h"
#include "read/load/load.h"
#include "read/load/load_file.h"
#include "read/load/split_lanes.h"
#include "source/source_reader.h"
#include "term/description.h"
#include "term/term.h"

#include <zlib.h>

#include <dirent.h>
#include <inttypes.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef HAVE_ZSTD
#include <zstd.h>
#endif
#ifdef HAVE_LZ4
#include <lz4.h>
#endif
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

/* ==== charset ====
 *
 * ssh passes the names of locales on to servers that lack them, and small systems have no locales
 * at all: the name says what the terminal can show, whether or not the server knows more about it.
 */

static const char *wanted_locale(void)
{
	static const char *const variables[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < ARRAY_LEN(variables); i++) {
		const char *value = getenv(variables[i]);

		if (value && *value)
			return value;
	}
	return NULL;
}

/* The character set in `de_DE.UTF-8@euro` and in `UTF-8`, which macOS uses; NULL: the name tells
 * none. */
static const char *charset_of(const char *locale, size_t *len)
{
	const char *dot = strchr(locale, '.');
	const char *from = dot ? dot + 1 : locale;

	*len = strcspn(from, "@");
	if (!dot && strncasecmp(from, "utf", 3) != 0)
		return NULL;
	return from;
}

static bool has_utf8(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

static enum charset find_other(void)
{
	static const char *const others[] = { "C.UTF-8", "C.utf8", "en_US.UTF-8" };

	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		if (setlocale(LC_CTYPE, others[i]) && has_utf8())
			return CHARSET_UTF8;
	setlocale(LC_CTYPE, "C");
	return CHARSET_OWN_UTF8;
}

enum charset charset_set_locale(void)
{
	const char *locale = wanted_locale(), *charset;
	size_t len;
	bool is_known;

	/* The C library may take them for another locale: musl knows UTF-8 only. */
	if (!locale || strcmp(locale, "C") == 0 || strcmp(locale, "POSIX") == 0) {
		setlocale(LC_ALL, "C");
		return locale ? CHARSET_ASCII : CHARSET_UNKNOWN;
	}
	/* Only these: numbers have a decimal point in every locale, and each further category is a
	 * file to read. LC_MESSAGES: of the system, why a file cannot be read. */
	is_known = setlocale(LC_CTYPE, "") != NULL;
	setlocale(LC_MESSAGES, "");
	charset = charset_of(locale, &len);
	if (charset && !(len == 5 && strncasecmp(charset, "utf-8", len) == 0) &&
	    !(len == 4 && strncasecmp(charset, "utf8", len) == 0))
		return CHARSET_ASCII;
	if (is_known && has_utf8())
		return CHARSET_UTF8;
	return charset ? find_other() : CHARSET_ASCII;
}

enum charset charset_force_utf8(void)
{
	return has_utf8() ? CHARSET_UTF8 : find_other();
}

/* ==== version ====
 *
 * Versions of libraries are those that run, except where a library tells only that of its header.
 */

#define TEXT_OF(x) TEXT_OF_TOKEN(x)
#define TEXT_OF_TOKEN(x) #x

void version_format(struct buf *out)
{
	buf_adds(out, "flametty " PACKAGE_VERSION "\n");
	/* The C library and how the program is linked. packaging/static.sh defines STATIC_MUSL as
	 * the version of musl. */
#if defined STATIC_MUSL
	buf_adds(out, "static program: musl " TEXT_OF(STATIC_MUSL));
#elif defined __GLIBC__
	buf_addf(out, "dynamic program: glibc %s", gnu_get_libc_version());
#else
	buf_adds(out, "C library of the system");
#endif
	buf_addf(out, ", %s, json-c %s, ", term_library(), json_text_library());
	pattern_library(out);
	buf_addf(out, ", zlib %s", zlibVersion());
#ifdef HAVE_ZSTD
	buf_addf(out, ", zstd %s", ZSTD_versionString());
#endif
#ifdef HAVE_LZ4
	buf_addf(out, ", lz4 %s", LZ4_versionString());
#endif
	buf_adds(out, "\nbuilt-in terminals: ");
	builtin_list(out);
	buf_addc(out, '\n');
#ifndef HAVE_REMOTE
	buf_adds(out, "without attach\n");
#endif
}

/* ==== run ==== */

#define PREVIEW_NS (20 * NS_PER_MS)
#define PATIENCE_MS 1000
#define MIN_MEMORY ((int64_t)256 << 20) /* the default limit is never below this */

bool run_is_secure(void)
{
	const char *value = getenv("FLAMETTY_SECURE");

	return value && *value && strcmp(value, "0") != 0;
}

bool run_complain(struct run *run, const char *text)
{
	term_close();
	message_parts(text, "", "");
	run->status = EXIT_FAILED;
	return false;
}

bool run_complain_output(struct run *run, const char *path, const struct error *err)
{
	bool is_file = path && strcmp(path, "-") != 0;
	BUF_LOCAL text = { 0 };

	file_error_format(is_file ? path : "(standard output)", NULL, err, &text);
	return run_complain(run, buf_text(&text));
}

void run_warn(const char *format, ...)
{
	va_list args;

	term_close();
	va_start(args, format);
	message_vprint("warning: ", format, args);
	va_end(args);
}

void run_warn_lines(const char *before, const struct buf *lines)
{
	for (const char *line = buf_text(lines), *end; *line; line = end + 1) {
		end = strchr(line, '\n');
		run_warn("%s%.*s", before, (int)(end - line), line);
	}
}

bool run_complain_usage(struct run *run, const char *before, const char *what, const char *after)
{
	term_close();
	message_parts(before, what, after);
	run->status = EXIT_USAGE;
	return false;
}

bool run_complain_error(struct run *run, const char *before, const struct error *err)
{
	return err->kind == ERR_USAGE ? run_complain_usage(run, before, err->text, "")
				      : run_complain(run, err->text);
}

bool run_print(struct run *run, const struct buf *out)
{
	struct error err = ERROR_INIT;

	if (sink_print(STDOUT_FILENO, out, &err))
		return true;
	return run_complain_output(run, NULL, &err);
}

/* ---- the sandbox ----
 *
 * Commands that print read what they are given, what is beside it, and sources; they write the
 * output. In the interface and with --keys, the user may read and write anything, so only the
 * threads that read files are limited; what starts programs is a process of its own, term/helper.h.
 */

/* Files that a directory has only as links. They are read, wherever they are. */
static void allow_links(const struct sandbox *sandbox, const char *path, bool is_recursive)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	BUF_LOCAL full = { 0 };
	struct stat st;

	while (dir && (entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.' || entry->d_type == DT_REG ||
		    (entry->d_type == DT_DIR && !is_recursive))
			continue;
		buf_clear(&full);
		buf_addf(&full, "%s/%s", path, entry->d_name);
		if (lstat(buf_text(&full), &st) != 0)
			continue;
		if (S_ISDIR(st.st_mode) && is_recursive)
			allow_links(sandbox, buf_text(&full), is_recursive);
		else if (S_ISLNK(st.st_mode) && stat(buf_text(&full), &st) == 0 &&
			 S_ISREG(st.st_mode))
			sandbox_allow_read(sandbox, buf_text(&full));
	}
	if (dir)
		closedir(dir);
}

/* A file, and what is beside it: labels, sources, maps. */
static void allow_file(const struct sandbox *sandbox, const char *path)
{
	ALLOC_LOCAL char *folder = strcmp(path, "-") != 0 ? sink_folder(path) : NULL;

	sandbox_allow_read(sandbox, path);
	sandbox_allow_read(sandbox, folder);
}

static void allow_inputs(const struct sandbox *sandbox, const struct options *o)
{
	static const char *const of_system[] = { "/usr", "/proc", "/sys/fs/cgroup",
						 "/etc/localtime" };
	char here[PATH_MAX];

	for (size_t i = 0; i < ARRAY_LEN(of_system); i++)
		sandbox_allow_read(sandbox, of_system[i]);
	/* source_rules.h */
	if (!getcwd(here, sizeof here) || strcmp(here, "/") != 0)
		sandbox_allow_read(sandbox, ".");
	sandbox_allow_read(sandbox, o->source_root);
	for (size_t i = 0; i < o->map_moves.n; i++) {
		const char *equals = strchr(o->map_moves.items[i], '=');

		sandbox_allow_read(sandbox, equals ? equals + 1 : NULL);
	}
	for (size_t i = 0; i < o->source_maps.n; i++)
		allow_file(sandbox, o->source_maps.items[i]);
	for (int i = 0; i < o->n_files; i++) {
		allow_file(sandbox, o->files[i]);
		allow_links(sandbox, o->files[i], o->is_recursive || o->command == COMMAND_FLEET);
	}
}

static void allow_output(const struct sandbox *sandbox, const char *path)
{
	ALLOC_LOCAL char *folder = path && strcmp(path, "-") != 0 ? sink_folder(path) : NULL;

	/* A directory, or a device. */
	sandbox_allow_write(sandbox, path);
	sandbox_allow_write(sandbox, folder);
}

/* Whether the main thread may write any file: the user says which, or those of a recording are
 * removed. */
static bool writes_anything(const struct run *run)
{
	return run->is_interactive || run->options.keys || run->options.command > COMMAND_FLEET;
}

/* Whether files of a container are read, by /proc/PID/root. */
static bool reads_processes(const struct options *o)
{
	bool does = o->command > COMMAND_FLEET ||
		(o->source_root && strncmp(o->source_root, "/proc/", strlen("/proc/")) == 0);

	for (size_t i = 0; i < o->map_moves.n; i++)
		does |= strstr(o->map_moves.items[i], "=/proc/") != NULL;
	return does;
}

/* All options are known, and no file was read. */
static void enter_sandbox(const struct run *run)
{
	const struct options *o = &run->options;
	unsigned parts = SANDBOX_THREADS;
	struct sandbox sandbox;

	if (o->has_no_sandbox || o->command == COMMAND_LIVE)
		return;
	if (!writes_anything(run))
		parts = SANDBOX_READ |
			(o->output || o->export_dir ? SANDBOX_WRITE : SANDBOX_NO_WRITE);
	if (reads_processes(o))
		parts |= SANDBOX_PROCESSES;
	sandbox_begin(&sandbox, parts);
	allow_inputs(&sandbox, o);
	allow_output(&sandbox, o->output);
	allow_output(&sandbox, o->export_dir);
	sandbox_enter(&sandbox);
}

void run_limit_recording(const struct run *run, bool has_network)
{
	struct sandbox sandbox;

	if (run->options.has_no_sandbox)
		return;
	sandbox_begin(&sandbox,
		      SANDBOX_THREADS | SANDBOX_PROCESSES | (has_network ? SANDBOX_SOCKETS : 0));
	sandbox_enter(&sandbox);
}

/* ---- loading ---- */

/* Keys and a profile cannot both come from the terminal. */
static bool is_typed(const struct options *o)
{
	bool has_stdin = false;

	for (int i = 0; i < o->n_files; i++)
		has_stdin |= strcmp(o->files[i], "-") == 0;
	return has_stdin && isatty(STDIN_FILENO);
}

struct maps_options run_maps_options(const struct run *run)
{
	const struct options *o = &run->options;

	return (struct maps_options){ .files = o->source_maps.items,
				      .n_files = o->source_maps.n,
				      .moves = o->map_moves.items,
				      .n_moves = o->map_moves.n,
				      .source_root = o->source_root,
				      .is_off = o->is_unmapped,
				      .rules = run->rules };
}

static struct file_labels_plan labels_plan(const struct options *o)
{
	struct file_labels_plan plan = { .texts = o->labels.items,
					 .n_texts = o->labels.n,
					 .n_placed = o->labels_placed,
					 .from = o->label_from,
					 .where = o->where.items,
					 .n_where = o->where.n };

	/* What is recorded has all of them. */
	if (o->command <= COMMAND_FLEET) {
		plan.n_before = o->labels_before;
		plan.n_arguments = (size_t)o->n_files;
	}
	return plan;
}

bool run_load_options(struct run *run, struct load_options *load)
{
	const struct options *o = &run->options;
	bool is_whole = !o->from && !o->to && !o->lane && !o->lanes && !o->filter && o->group < 0 &&
		!o->n_steps && !o->is_without_idle && !o->has_folded_packages &&
		!o->has_merged_recursion && !o->where.n && !o->labels.n && !o->label_from;
	struct error err = ERROR_INIT;
	int64_t available, bytes;

	if (is_typed(o))
		return run_complain_usage(
			run, "standard input is the terminal: - wants a pipe or a file", "", "");
	if (o->is_two_sided && !load_file_has_sides(o->files[0]))
		return run_complain_usage(run,
					  "no run after the change is given; only folded stacks ",
					  "with two counts a line hold both sides", "");
	*load = (struct load_options){
		.files = o->files,
		.n_files = o->n_files,
		.format_in = o->format_in,
		/* The interface applies it to the samples, and can undo it. */
		.is_raw = o->is_raw && o->command != COMMAND_VIEW && !o->is_opened,
		.is_raw_part = o->is_raw,
		.is_recursive = o->is_recursive,
		.keeps_strays = o->is_whole,
		.has_idle_gaps = o->gaps == LOAD_GAPS_IDLE,
		.sample_type = o->sample_type,
		.is_two_sided = o->is_two_sided,
	};
	load->labels = labels_plan(o);
	if (!file_labels_check(&load->labels, &err))
		return run_complain_usage(run, err.text, "", "");
	load->maps = run_maps_options(run);
	/* No previews of a scope: 40 % of the file's beginning is not 40 % of the file. */
	load->has_previews = is_whole && !o->keys;
	load->preview_ns = PREVIEW_NS;
	load->is_apart = o->command == COMMAND_DIFF;
	/* Each run has its own range and lanes. A part of the runs cannot be compared. */
	if (load->is_apart) {
		load->has_previews = false;
	} else if (o->from || o->to || o->lane) {
		load->choose = scope_options_choose;
		load->choose_ctx = &run->options;
	}
	available = memory_available();
	bytes = o->max_memory;
	if (bytes < 0)
		bytes = available < 0                     ? 0
			: available / 10 * 9 > MIN_MEMORY ? available / 10 * 9
							  : MIN_MEMORY;
	if (bytes > 0)
		memory_limit(bytes);
	load->max_memory = bytes;
	load->limits.max_unpacked = o->max_unpacked < 0 ? UNPACK_MAX : o->max_unpacked;
	/* Who sets a limit for the memory has decided what windows may need. */
	load->limits.has_large_windows = o->max_memory >= 0;
	enter_sandbox(run);
	return true;
}

bool run_take_result(struct run *run, struct load_result *result)
{
	run->profile = result->profile;
	/* A session opens the screen again if there is something to show. */
	if (result->messages.len) {
		term_close();
		message_lines(result->messages.data, result->messages.len);
		run->status = EXIT_FAILED;
	}
	buf_done(&result->messages);
	return run->profile != NULL;
}

/* Make the lanes that the options ask for. */
static bool make_lanes(struct run *run)
{
	const struct label_lanes_of *of = &run->profile->label_lanes;
	struct error err = ERROR_INIT;

	if (!run->options.lanes)
		return true;
	if (!split_lanes(run->profile, run->options.lanes, &err))
		return run_complain_usage(run, "--lanes: ", err.text, "");
	if (of->n_own < of->n_all)
		run_warn(
			"--lanes: the %zu values with most time have a lane each; %s others share one",
			of->n_own, units_count(of->n_all - of->n_own, UNITS_ROOM));
	return true;
}

bool run_load(struct run *run)
{
	struct load_options load;
	struct load_result result;

	if (!run_load_options(run, &load))
		return false;
	/* The thread that reads must not be this one, which may write. */
	if (writes_anything(run)) {
		struct load *there;

		load.has_previews = false;
		there = load_begin(&load);
		while (!load_wait(there, PATIENCE_MS))
			continue;
		load_take(there, &result);
		if (!load_is_reading(there))
			load_free(there);
	} else {
		load_all(&load, &result);
	}
	return run_take_result(run, &result) && make_lanes(run);
}

bool run_find_scope(struct run *run, struct scope *scope)
{
	struct error err = ERROR_INIT;

	return scope_options_find(&run->options, run->profile, scope, &err) ||
		run_complain_scope(run, &err);
}

bool run_complain_scope(struct run *run, const struct error *err)
{
	return err->kind == ERR_NOTHING ? run_complain(run, err->text)
					: run_complain_usage(run, "", err->text, "");
}

bool run_find_scoped(struct run *run, const struct scope *scope, bool is_gathered,
		     struct scoped *scoped)
{
	struct error err = ERROR_INIT;

	if (scoped_init(scoped, run->profile, scope, &err) &&
	    (!is_gathered || view_fits(scoped->profile, &err)))
		return true;
	scoped_done(scoped);
	return run_complain(run, err.text);
}

void run_warn_of_rows(uint64_t n_left, uint64_t most)
{
	if (n_left)
		run_warn("%" PRIu64 " row%s left out (--max-rows=%" PRIu64 ")", n_left,
			 n_left == 1 ? " is" : "s are", most);
}

/* ==== scope options ====
 *
 * Patterns are compiled twice: when they are checked, and when the profile is known. */

static const struct {
	const char *name;
	enum transform_kind kind;
} steps[] = {
	[STEP_FOCUS] = { "--focus", TRANSFORM_FOCUS },
	[STEP_ONLY] = { "--only", TRANSFORM_KEEP },
	[STEP_DROP] = { "--drop", TRANSFORM_DROP },
	[STEP_HIDE] = { "--hide", TRANSFORM_MERGE },
	[STEP_COLLAPSE] = { "--collapse", TRANSFORM_COLLAPSE },
	[STEP_DURING] = { "--during", TRANSFORM_DURING },
};

static bool check_pattern(const char *name, const char *pattern, struct error *err)
{
	struct error why = ERROR_INIT;

	return frame_set_check(pattern, &why) ||
		error_set(err, ERR_FORMAT, -1, "%s: %s", name, why.text);
}

static bool check_lanes(const struct options *o, struct error *err)
{
	if (!o->lanes)
		return true;
	if (!split_lanes_is_word(o->lanes))
		return error_set(err, ERR_FORMAT, -1,
				 "--lanes wants none, cat or label:KEY, not '%s'", o->lanes);
	if (o->command == COMMAND_DIFF)
		return error_set(err, ERR_FORMAT, -1,
				 "--lanes is not for flametty diff, which compares threads");
	return !o->lane ||
		error_set(err, ERR_FORMAT, -1, "--lanes is not possible together with --lane");
}

bool scope_options_check(const struct options *o, struct error *err)
{
	if (!check_lanes(o, err))
		return false;
	for (int i = 0; i < o->n_steps; i++) {
		if (!check_pattern(steps[o->steps[i].kind].name, o->steps[i].pattern, err))
			return false;
		if (o->steps[i].kind == STEP_DURING && o->command == COMMAND_DIFF)
			return error_set(err, ERR_FORMAT, -1,
					 "--during is not for flametty diff: compare what "
					 "flametty export --during writes");
	}
	return !o->filter || check_pattern("--filter", o->filter, err);
}

static bool find_time(const char *text, const struct profile *p, int64_t *t, struct error *err)
{
	return !text || amount_parse(&p->unit, text, p->t1, t) ||
		error_set(err, ERR_FORMAT, -1, "not a %s: '%s' (%s, 40%%)",
			  amount_is_time(&p->unit) ? "time" : "value", text,
			  amount_examples(&p->unit));
}

static bool find_range(const struct options *o, const struct profile *p, struct scope *scope,
		       struct error *err)
{
	if (!o->from && !o->to)
		return true;
	if (!profile_has_timeline(p))
		return error_set(err, ERR_FORMAT, -1,
				 "the input has no time line: --from and --to cannot be used");
	if (!find_time(o->from, p, &scope->t0, err) || !find_time(o->to, p, &scope->t1, err))
		return false;
	if (scope->t0 >= scope->t1 || scope->t0 >= p->t1 || scope->t1 <= 0)
		return error_set(err, ERR_FORMAT, -1, "the range of --from and --to is empty");
	scope->t0 = scope->t0 < 0 ? 0 : scope->t0;
	scope->t1 = scope->t1 > p->t1 ? p->t1 : scope->t1;
	return true;
}

/* The transforms. scope_options_check() has checked the patterns. */
static bool add_transforms(const struct options *o, const struct profile *profile,
			   struct scope *scope, struct error *err)
{
	bool ok = true;

	for (int i = 0; ok && i < o->n_steps; i++)
		ok = scope_add(scope, profile, steps[o->steps[i].kind].kind, o->steps[i].pattern,
			       err);
	/* These come last, because folding makes new functions, which no pattern should match. */
	if (ok && o->is_without_idle)
		ok = scope_add(scope, profile, TRANSFORM_DROP, NULL, err);
	if (ok && o->has_folded_packages)
		ok = scope_add(scope, profile, TRANSFORM_FOLD, NULL, err);
	if (ok && o->has_merged_recursion)
		ok = scope_add(scope, profile, TRANSFORM_RECURSION, NULL, err);
	if (o->group >= 0)
		scope->group = (enum view_group)o->group;
	if (ok && o->group_label) {
		struct error why = ERROR_INIT;

		ok = view_group_find_label(profile, o->group_label, &scope->group, &why) ||
			error_set(err, ERR_FORMAT, -1, "--group: %s", why.text);
	}
	scope->filter = o->filter;
	return ok;
}

/* Try the pattern on all names: it may take too long on one of them. */
static bool try_filter(const struct options *o, const struct profile *p, struct error *err)
{
	uint8_t *is = o->filter ? frame_set_find(p, p->frames.frames, p->frames.n, o->filter, err)
				: NULL;

	free(is);
	return is || !o->filter;
}

static bool find_lanes(const struct options *o, const struct profile *p, struct scope *scope,
		       struct error *err)
{
	struct error why = ERROR_INIT;

	return !o->lane || scope_select(scope, p, o->lane, &why) ||
		error_set(err, ERR_FORMAT, -1, "--lane: %s", why.text);
}

bool scope_options_find(const struct options *o, const struct profile *profile, struct scope *scope,
			struct error *err)
{
	scope_all(scope, profile);
	scope->has_idle = o->has_idle;
	return find_range(o, profile, scope, err) && find_lanes(o, profile, scope, err) &&
		add_transforms(o, profile, scope, err) && try_filter(o, profile, err);
}

bool scope_options_transforms(const struct options *o, const struct profile *profile,
			      struct scope *scope, struct error *err)
{
	scope_all(scope, profile);
	scope->has_idle = o->has_idle;
	return add_transforms(o, profile, scope, err) && try_filter(o, profile, err);
}

/* If slices are not in order, a survey does not know how many lanes they take. */
static bool is_number_known(const struct profile *p, const char *selector)
{
	uint32_t first = 0;

	while (first < p->n_lanes &&
	       (p->lanes[first].kind != LANE_SLICES || p->lanes[first].n_rows))
		first++;
	for (const char *word = selector; *word; word += strcspn(word, ","), word += *word == ',') {
		size_t n = strspn(word, "0123456789");

		if (n > 0 && (word[n] == ',' || word[n] == '\0') &&
		    strtoll(word, NULL, 10) > first + 1 && first < p->n_lanes)
			return false;
	}
	return true;
}

bool scope_options_choose(void *ctx, const struct profile *p, struct load_choice *choice,
			  struct error *err)
{
	const struct options *o = ctx;
	struct error wrong = ERROR_INIT;
	struct scope scope;

	if (o->lane && !is_number_known(p, o->lane))
		return error_set(
			err, ERR_LIMIT, -1,
			"--lane: to load a subset, choose lanes of a trace by PID:TID or RE, not "
			"by number");
	scope_all(&scope, p);
	if (find_range(o, p, &scope, &wrong) && find_lanes(o, p, &scope, &wrong)) {
		choice->t0 = scope.t0;
		choice->t1 = scope.t1;
		choice->is_lane = scope.is_lane;
		scope.is_lane = NULL;
	} else {
		choice->is_lane = xcalloc(p->n_lanes, 1);
	}
	scope_done(&scope);
	return true;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What one run of the program shares between its commands: the options, the profile, and how
 * failures reach the user.
 *
 * Every function that can fail has told the user why before it returns false, and has set `status`:
 * callers only give up. The screen is closed before anything is written to standard error. */
#ifndef FLAMETTY_CLI_RUN_H
#define FLAMETTY_CLI_RUN_H

#include "analyse/scope.h"
#include "analyse/view/scoped.h"
#include "base/buf.h"
#include "base/error.h"
#include "cli/options.h"
#include "cli/user_file.h"
#include "model/profile.h"
#include "read/load/load.h"
#include "source/source_reader.h"
#include "term/term.h"
#include "ui/line/setting.h"

#include <stdbool.h>

enum charset {
	CHARSET_ASCII,
	CHARSET_UNKNOWN, /* the environment names no locale */
	CHARSET_UTF8,    /* the C library decodes it, in the locale that is set now */
	CHARSET_OWN_UTF8 /* UTF-8 although no locale here has it: the program must decode it itself
			  */
};

/* Set the locale of the process, with a decimal point in numbers. The first one of LC_ALL, LC_CTYPE
 * and LANG that is not empty counts. If it names UTF-8 and this machine has no such locale, one of
 * other locales with UTF-8 is used, or none: CHARSET_OWN_UTF8. C and POSIX are ASCII, with every C
 * library; without a name, the locale is C. Call this before there are threads. */
enum charset charset_set_locale(void);

/* The same, of a user who says that the terminal takes UTF-8, whatever the environment names. */
enum charset charset_force_utf8(void);

enum { EXIT_OK, EXIT_FAILED, EXIT_USAGE, EXIT_UNDECIDED };

struct gate_options;
struct fleet_answers;

struct run {
	struct options options;
	struct gate_options *gates; /* those of --fail-if, which borrow from the options */
	struct buf command;         /* the command line, quoted, without keys and pictures */
	struct term_options term;
	struct preferences preferences;
	struct user_config config;
	struct source_rules *rules;        /* borrowed; NULL: those of the options alone */
	const struct fleet_answers *fleet; /* what is shown; borrowed; NULL: no fleet */
	struct profile *profile;           /* owned; NULL: not loaded, or passed on to a session */
	bool is_interactive;
	enum charset charset; /* that the terminal takes; if it is asked, what it does for sure */
	int status;           /* the exit status */
};

/* Whether FLAMETTY_SECURE is set, as LESSSECURE: to let others use the program who may not use the
 * account otherwise. No editor and no export then, and no command that records or writes. */
bool run_is_secure(void);

/* An input or output failed: print "flametty: text". This and the others that set the status
 * return false. */
bool run_complain(struct run *run, const char *text);

/* Writing to `path` failed; NULL or "-": standard output. */
bool run_complain_output(struct run *run, const char *path, const struct error *err);

/* Print "flametty: warning: " and the text. The exit status stays. */
void run_warn(const char *format, ...) ERROR_PRINTF(1, 2);

/* The same for each line of a text, with `before` in front. */
void run_warn_lines(const char *before, const struct buf *lines);

/* The command line is wrong: print before, what and after. `after` may have several lines. */
bool run_complain_usage(struct run *run, const char *before, const char *what, const char *after);

/* The one or the other, by the kind of the error. before: in front of a wrong command line's. */
bool run_complain_error(struct run *run, const char *before, const struct error *err);

/* The scope of the options is not possible: wrong usage, or what they name is not in the profile.
 */
bool run_complain_scope(struct run *run, const struct error *err);

/* Write `out` to standard output. */
bool run_print(struct run *run, const struct buf *out);

/* Where source maps, scripts and sources are, by the options. The result borrows from `run`. */
struct maps_options run_maps_options(const struct run *run);

/* What to load, by the options. The result borrows from `run`. False: wrong usage. */
bool run_load_options(struct run *run, struct load_options *load);

/* Who reads the texts of sources, by the options. The caller frees it. */
static inline struct jobs *run_source_reader(const struct run *run, bool waits)
{
	const struct maps_options options = run_maps_options(run);

	return source_reader_new(&options, waits);
}

/* Take over the profile of a load and print its messages. False: there is no profile. */
bool run_take_result(struct run *run, struct load_result *result);

/* Before what a recorded process sends or writes is read: forbid to start programs, to trace
 * processes, and where it is not needed, networks; threads that read may write no files. */
void run_limit_recording(const struct run *run, bool has_network);

/* Load the profile and wait for it. */
bool run_load(struct run *run);

/* The scope that the options ask for. The caller ends it with scope_done(), also after false: wrong
 * usage. */
bool run_find_scope(struct run *run, struct scope *scope);

/* The profile as the scope shows it. is_gathered: all its lanes will be taken together. Says what
 * is wrong and returns false if it has too many nodes for that. */
bool run_find_scoped(struct run *run, const struct scope *scope, bool is_gathered,
		     struct scoped *scoped);

/* Warn of the rows that --max-rows left out; 0: say nothing. */
void run_warn_of_rows(uint64_t n_left, uint64_t most);

/* Append the text of --version: the version, what it was built with, and what is inside. The first
 * line is `flametty VERSION`. */
void version_format(struct buf *out);

/* ---- scope options ----
 *
 * Turns options into a scope: lanes, range, transforms. */

/* Check the patterns, so that a wrong one is reported before a file is read. */
bool scope_options_check(const struct options *options, struct error *err) MUST_USE;

/* The scope of a profile, which borrows from the options. The caller ends it with scope_done(),
 * also after false: wrong usage. */
bool scope_options_find(const struct options *options, const struct profile *profile,
			struct scope *scope, struct error *err) MUST_USE;

/* The transforms, grouping and filter alone: all lanes, from start to end. As scope_options_find().
 */
bool scope_options_transforms(const struct options *options, const struct profile *profile,
			      struct scope *scope, struct error *err) MUST_USE;

/* load_options.choose: the lanes and the range that the struct options at ctx ask for. Mistakes in
 * the options choose no lane; they are reported later. False: a lane was named by its number, which
 * a survey cannot tell. */
bool scope_options_choose(void *ctx, const struct profile *survey, struct load_choice *choice,
			  struct error *err) MUST_USE;

#endif

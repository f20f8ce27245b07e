/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files change while they are read, and are read while they are written:
 *
 * 1. What the watcher tells last counts. A change during a load leads to another load after it.
 * 2. A profile that is cut off was read too early, unless that on the screen is, too: it is not
 *    shown. The file is read again when it changes; a user who asks a second time gets it as it is.
 * 3. Whatever goes wrong, the profile on the screen stays, and a message says why.
 *
 * All state belongs to the main thread, except what load.h and watcher.h say. */
#include "config.h"

#include "session/session_follow.h"

#include "base/alloc.h"
#include "base/text.h"
#include "base/thread.h"
#include "model/input_place.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Called on the thread that reads. */
static void wake(void *ctx)
{
	wake_up(ctx);
}

void session_follow_init(struct session_follow *f, struct run *run,
			 const struct load_options *options)
{
	*f = (struct session_follow){ .run = run, .options = *options, .wake = { -1, -1 } };
	f->options.has_previews = false;
	f->options.ended = wake;
	f->options.ended_ctx = &f->wake;
}

bool session_follow_can_read(char *const *files, int n_files, struct error *err)
{
	for (int i = 0; i < n_files; i++) {
		const char *file = files[i];
		struct stat st;

		if (strcmp(file, "-") == 0)
			return error_set(err, ERR_IO, -1,
					 "standard input cannot be read a second time");
		if (stat(file, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
			return error_set(err, ERR_IO, -1, "%s cannot be read a second time", file);
	}
	return true;
}

static bool can_read(struct session_follow *f, struct error *err)
{
	if (!session_follow_can_read(f->options.files, f->options.n_files, err))
		return false;
	if (f->is_lost)
		return error_set(err, ERR_LIMIT, -1, "there is not enough memory");
	return f->wake.in >= 0 || wake_open(&f->wake) ||
		error_set(err, ERR_LIMIT, -1, "there are too many open files");
}

bool session_follow_is_same(const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->n_inputs; i++) {
		const struct input *in = &profile->inputs[i];
		struct stat st;

		for (size_t k = 0; k < input_place_files(in); k++) {
			struct input_place place = input_place_file(in, k);

			if (stat(profile_text(profile, place.path), &st) != 0 ||
			    !fingerprint_is_of(place.print, &st))
				return false;
		}
	}
	return true;
}

bool session_follow_watch(struct session_follow *f, bool is_on, const struct profile *profile,
			  struct error *err)
{
	struct file_watch_options wo = { .files = f->options.files,
					 .n_files = f->options.n_files,
					 .is_recursive = f->options.is_recursive,
					 .has_format = f->options.format_in != NULL };

	if (!is_on) {
		watcher_stop(f->watcher);
		f->watcher = NULL;
		return true;
	}
	if (f->watcher)
		return true;
	if (!can_read(f, err))
		return false;
	f->watcher = watcher_start(&wo, &f->wake, false);
	if (profile && !session_follow_is_same(profile))
		f->is_wanted = true;
	return f->watcher ||
		error_set(err, ERR_LIMIT, -1, "no thread can be started to watch the files");
}

bool session_follow_ask(struct session_follow *f, struct error *err)
{
	if (!can_read(f, err))
		return false;
	f->is_wanted = f->is_asked = true;
	return true;
}

/* ---- freeing ---- */

static void *free_there(void *profile)
{
	profile_free(profile);
	memory_give_back();
	return NULL;
}

static void await_cleaner(struct session_follow *f)
{
	if (f->has_cleaner)
		pthread_join(f->cleaner, NULL);
	f->has_cleaner = false;
}

void session_follow_free(struct session_follow *f, struct profile *profile)
{
	await_cleaner(f);
	f->has_cleaner = thread_start_small(&f->cleaner, free_there, profile);
	if (!f->has_cleaner)
		free_there(profile);
}

/* ---- reading ---- */

static void begin(struct session_follow *f, struct buf *said)
{
	/* A profile that was not shown is not needed any more. */
	if (f->ready)
		session_follow_free(f, f->ready);
	f->ready = NULL;
	f->takes_cut = f->is_asked && f->was_cut;
	if (f->is_asked)
		buf_adds(said, "reading the files again ...");
	f->is_wanted = f->is_asked = false;
	f->load = load_begin(&f->options);
}

/* Append the first line of the messages, without the name of the program. */
static void say_first(const struct buf *messages, struct buf *said)
{
	static const char prefix[] = "flametty: ";
	const char *text = buf_text(messages);

	if (strncmp(text, prefix, strlen(prefix)) == 0)
		text += strlen(prefix);
	buf_add(said, text, strcspn(text, "\n"));
}

/* Whether what was read is only the beginning of what is being written. */
static bool is_cut(const struct profile *profile)
{
	return profile_warns(profile, WARN_CUT_OFF) || profile_warns(profile, WARN_COMPRESSION);
}

/* The same for a file that has too little to make a profile of: the readers' message says so. */
static bool is_said_to_be_cut(const struct buf *messages)
{
	return strstr(buf_text(messages), "the file ends ") != NULL;
}

static void say_cut(const struct session_follow *f, struct buf *said)
{
	buf_clear(said);
	buf_adds(said, "the file is cut off, or still being written");
	if (!f->watcher && f->was_cut)
		buf_adds(said, "; R shows what is there");
}

/* Reading has ended. */
static void end(struct session_follow *f, const struct profile *shown, struct buf *said,
		bool *is_warning)
{
	struct load_result result;
	struct load *load = f->load;

	load_take(load, &result);
	f->load = NULL;
	if (load_is_reading(load))
		f->is_lost = true;
	else
		load_free(load);
	buf_clear(said);
	*is_warning = result.messages.len > 0;
	say_first(&result.messages, said);
	f->has_failed = *is_warning;
	f->was_cut = result.profile && is_cut(result.profile) && !f->takes_cut &&
		!(shown && is_cut(shown));
	if (f->was_cut || (!result.profile && is_said_to_be_cut(&result.messages))) {
		*is_warning = true;
		say_cut(f, said);
	} else if (!result.profile) {
		buf_adds(said, "; what is shown was read before");
	}
	buf_done(&result.messages);
	if (f->was_cut)
		session_follow_free(f, result.profile);
	else
		f->ready = result.profile;
}

static void take_news(struct session_follow *f, struct buf *said, bool *is_warning)
{
	struct buf path = { 0 };

	wake_forget(&f->wake);
	if (f->watcher) {
		switch (watcher_take(f->watcher, &path)) {
		case FILE_WATCH_READY:
			f->is_wanted = true;
			break;
		case FILE_WATCH_GONE:
			*is_warning = true;
			text_visible(said, buf_text(&path), path.len);
			buf_adds(said, " is not there any more; what is shown was read before");
			break;
		default:
			break;
		}
	}
	buf_done(&path);
}

struct profile *session_follow_step(struct session_follow *f, const struct profile *shown,
				    bool may_take, struct buf *said, bool *is_warning)
{
	struct profile *profile = NULL;

	*is_warning = false;
	if (f->wake.in < 0)
		return NULL;
	take_news(f, said, is_warning);
	if (f->load && load_wait(f->load, 0))
		end(f, shown, said, is_warning);
	if (f->is_wanted && !f->load && !f->is_lost && !f->is_held)
		begin(f, said);
	if (f->ready && may_take && !f->is_held) {
		profile = f->ready;
		f->ready = NULL;
		if (!f->has_failed)
			buf_adds(said, "read again");
	}
	return profile;
}

bool session_follow_has_news(const struct session_follow *f, bool may_take)
{
	return f->wake.in >= 0 &&
		((f->ready && may_take && !f->is_held) ||
		 (f->is_wanted && !f->load && !f->is_lost && !f->is_held) ||
		 wake_has_news(&f->wake));
}

void session_follow_hold(struct session_follow *f, bool is_held)
{
	f->is_held = is_held;
}

bool session_follow_done(struct session_follow *f)
{
	bool is_reading = f->is_lost || (f->load && load_is_reading(f->load));

	watcher_stop(f->watcher);
	f->watcher = NULL;
	if (is_reading)
		return false;
	await_cleaner(f);
	load_free(f->load);
	profile_free(f->ready);
	wake_close(&f->wake);
	return true;
}

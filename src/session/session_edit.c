/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "session/session_edit.h"

#include "base/text.h"
#include "cli/editor.h"
#include "source/code_file.h"
#include "term/term.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

static void add_visible(struct buf *out, const char *text)
{
	text_visible(out, text, strlen(text));
}

/* Find the first place with a file. False: there is none, and `said` tells where it would be. */
static bool find(const struct run *run, const struct app_edit *request, struct buf *path,
		 struct editor_place *place, struct buf *said)
{
	struct buf looked = { 0 };
	bool is_found = false;

	for (int i = 0; i < request->n_code && !is_found; i++) {
		const struct app_code *code = &request->code[i];
		struct maps_options maps = run_maps_options(run);

		/* It is about sources only. */
		if (!code->is_source)
			maps.source_root = NULL;
		is_found = code_file_find(&maps, code->url, path, &looked);
		if (is_found)
			*place = (struct editor_place){ buf_text(path), code->line, code->column };
	}
	if (!is_found && looked.len) {
		buf_adds(said, "no such file: ");
		add_visible(said, buf_text(&looked));
	} else if (!is_found) {
		buf_adds(said, "no file of this machine: ");
		add_visible(said, request->code[0].url);
	}
	buf_done(&looked);
	return is_found;
}

/* Whether the file has changed after the recording was written. */
static bool is_newer(const char *path, const struct input *input)
{
	struct stat st;

	return input && input->print.is_known && stat(path, &st) == 0 &&
		(int64_t)st.st_mtime > input->print.changed_s;
}

/* Tell how the editor ended. */
static bool tell_end(const char *name, int status, const struct editor_place *place, bool is_newer,
		     struct buf *said)
{
	if (WIFSIGNALED(status)) {
		add_visible(said, name);
		buf_addf(said, " was ended by signal %d (%s)", WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
		return false;
	}
	if (WEXITSTATUS(status)) {
		add_visible(said, name);
		buf_addf(said, " ended with status %d", WEXITSTATUS(status));
		return false;
	}
	add_visible(said, place->path);
	if (place->line > 0)
		buf_addf(said, ":%d", place->line);
	buf_adds(said, ": opened in ");
	add_visible(said, name);
	if (is_newer)
		buf_adds(said, "; the file is newer than the profile: lines may have moved");
	return true;
}

/* The command is the user's choice, or vi, which may be missing. */
static void tell_error(const char *command, const struct error *err, struct buf *said)
{
	if (strcmp(command, "vi") == 0)
		buf_adds(said, "$VISUAL and $EDITOR name no editor: ");
	add_visible(said, err->text);
}

bool session_edit(const struct run *run, const struct app_edit *request, struct buf *said)
{
	const char *command = editor_choose(getenv("VISUAL"), getenv("EDITOR"));
	struct buf path = { 0 };
	struct editor_place place = { 0 };
	struct editor_words words = { 0 };
	struct error err = ERROR_INIT;
	bool ok = false, newer;
	int status;

	if (!find(run, request, &path, &place, said)) {
		buf_done(&path);
		return false;
	}
	if (!term_is_open()) {
		buf_adds(said, "an editor needs a terminal");
	} else {
		newer = is_newer(place.path, request->input);
		if (editor_words_make(command, &place, &words, &err) &&
		    term_run(words.list, &status, &err))
			ok = tell_end(editor_name(words.list[0]), status, &place, newer, said);
		else
			tell_error(command, &err, said);
	}
	editor_words_done(&words);
	buf_done(&path);
	return ok;
}

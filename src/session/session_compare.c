/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A profile is made of all its files at once, so the files before are read again, beside those
 * after. Whatever goes wrong, what is on the screen stays, and a message says why.
 *
 * The comparison has a profile and an app of its own. The files of the session are not followed
 * while it is shown: they are what the user comes back to. */
#include "config.h"

#include "session/session_compare.h"

#include "base/alloc.h"
#include "base/text.h"
#include "cli/diff_command.h"
#include "cli/user_file.h"
#include "ui/line/command_line.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- files ---- */

static void files_done(struct session_compare_files *f)
{
	for (int i = 0; i < f->n; i++)
		free(f->paths[i]);
	free(f->paths);
	*f = (struct session_compare_files){ 0 };
}

static void add_file(struct session_compare_files *f, const char *path)
{
	f->paths = xrealloc(f->paths, (size_t)f->n + 1, sizeof *f->paths);
	f->paths[f->n++] = xstrdup(path);
}

/* Whether a file can be compared. Says why not. */
static bool check_file(const char *path, struct buf *said)
{
	struct stat st;
	const char *why = NULL;

	if (stat(path, &st) != 0)
		why = strerror(errno);
	else if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		why = "neither a file nor a directory";
	if (!why)
		return true;
	buf_adds(said, "diff: ");
	text_visible(said, path, strlen(path));
	/* Only what times have: `50%`, `2s`, `1s-2s`, `200 ms`. */
	if (strchr("0123456789.,-", *path) && strspn(path, "0123456789.,-% hminus") == strlen(path))
		buf_adds(said, ": a window is two times with a comma: diff 1s,2s");
	else
		buf_addf(said, ": %s; two windows are diff 1s,2s 3s,4s", why);
	return false;
}

/* Add the files that the user names: a text that is the name of a file, or several names. */
static bool add_files(struct session_compare_files *f, const char *text, struct buf *said)
{
	struct str rest = { text, strlen(text) };
	BUF_LOCAL name = { 0 }, path = { 0 };
	struct stat st;
	bool ok = true;

	user_file_expand(text, &path);
	if (stat(buf_text(&path), &st) == 0) {
		rest.len = 0;
		ok = check_file(buf_text(&path), said);
		add_file(f, buf_text(&path));
	}
	while (ok && file_words_next(&rest, &name)) {
		buf_clear(&path);
		user_file_expand(buf_text(&name), &path);
		ok = check_file(buf_text(&path), said);
		add_file(f, buf_text(&path));
		buf_clear(&name);
	}
	return ok;
}

/* ---- what the interface asks for ---- */

/* Whether files can be read now. Says why not. */
static bool is_free(const struct session_compare *c, struct buf *said)
{
	if (!c->load && !c->is_lost && !c->is_opened)
		return true;
	buf_adds(said,
		 c->load              ? "files are being read; try again when that has stopped"
			 : c->is_lost ? "there is not enough memory"
				      : "Esc goes back to the list; flametty diff compares files");
	return false;
}

/* Begin to read c->next. n_together: as in struct load_options. */
static void begin(struct session_compare *c, int n_together, bool is_opening)
{
	c->options.files = c->next.paths;
	c->options.n_files = c->next.n;
	c->options.n_together = n_together;
	c->options.is_apart = !is_opening;
	c->is_opening = is_opening;
	c->is_dropped = false;
	c->load = load_begin(&c->options);
}

static bool open_beside(void *ctx, uint32_t input, const char *file, struct buf *said)
{
	const struct session_host *h = ctx;
	struct session_compare *c = h->compare;
	const struct profile *p = h->run->profile;
	const char *list = profile_text(p, p->inputs[input].path), *slash = strrchr(list, '/');
	size_t len = strlen(file), end = strlen(".cpuprofile");
	BUF_LOCAL path = { 0 };
	struct stat st;

	if (!is_free(c, said))
		return false;
	buf_addf(&path, "%.*s%s", slash ? (int)(slash + 1 - list) : 0, list, file);
	if (stat(buf_text(&path), &st) != 0) {
		text_visible(said, buf_text(&path), path.len);
		buf_addf(said, ": %s",
			 errno == ENOENT
				 ? "is not there any more, as newer ones were written (--max)"
				 : strerror(errno));
		return false;
	}
	files_done(&c->next);
	add_file(&c->next, buf_text(&path));
	/* Its requests, if they were recorded. */
	path.len -= len > end ? end : 0;
	path.data[path.len] = '\0';
	buf_adds(&path, ".requests.trace.json");
	if (stat(buf_text(&path), &st) == 0)
		add_file(&c->next, buf_text(&path));
	begin(c, 0, true);
	return true;
}

#define HOUR_SECONDS 3600
#define DAY_SECONDS 86400

/* The recordings are found again, as their labels or their times tell. */
static bool open_group(void *ctx, const struct app_group *group, struct buf *said)
{
	const struct session_host *h = ctx;
	struct session_compare *c = h->compare;
	const struct options *o = &h->run->options;
	const char *key = strcmp(group->axis, "time") == 0 ? o->by : group->axis;

	if (!is_free(c, said))
		return false;
	if (!group->value) {
		buf_addf(said, "recordings without %s cannot be found again", key);
		return false;
	}
	files_done(&c->next);
	for (int i = 0; i < o->n_files; i++)
		add_file(&c->next, o->files[i]);
	buf_clear(&c->where);
	buf_addf(&c->where, "%s=%s", key, group->value);
	c->options.labels.from_s = c->options.labels.to_s = 0;
	if (group->has_time) {
		c->options.labels.from_s = group->at;
		c->options.labels.to_s = group->at +
			(strcmp(o->by, "day") == 0 ? DAY_SECONDS : HOUR_SECONDS);
	}
	buf_clear(&c->search);
	buf_adds(&c->search, group->search);
	for (size_t i = 0; i < o->where.n; i++)
		c->wheres[i] = o->where.items[i];
	c->wheres[o->where.n] = buf_text(&c->where);
	c->options.labels.where = c->wheres;
	c->options.labels.n_where = o->where.n + !group->has_time;
	c->options.is_recursive = true;
	begin(c, 0, true);
	return true;
}

static bool compare(void *ctx, const char *files, struct buf *said)
{
	const struct session_host *h = ctx;
	struct session_compare *c = h->compare;
	struct error err = ERROR_INIT;
	bool ok = true;

	if (!is_free(c, said) || (files && session_host_forbids("other files", said)))
		return false;
	files_done(&c->next);
	if (files) {
		const struct options *o = &c->host->run->options;
		int n = o->command == COMMAND_DIFF ? o->n_before : o->n_files;

		/* Another program may have recorded them. */
		if (h->run->rules)
			atomic_store(&h->run->rules->is_own, false);
		/* The files before: those that are before already, or those of the session. */
		for (int i = 0; i < n; i++)
			add_file(&c->next, o->files[i]);
		c->next.n_before = n;
		ok = add_files(&c->next, files, said);
	} else {
		for (int i = 0; i < c->files.n; i++)
			add_file(&c->next, c->files.paths[i]);
		c->next.n_before = c->files.n_before;
	}
	if (ok && !session_follow_can_read(c->next.paths, c->next.n_before, &err)) {
		text_visible(said, err.text, strlen(err.text));
		ok = false;
	}
	if (ok) {
		const struct profile *open = c->before ? c->before->profile : c->host->run->profile;

		c->is_anew = !session_follow_is_same(open);
		begin(c, c->host->run->options.command == COMMAND_DIFF ? 0 : c->next.n_before,
		      false);
	}
	return ok;
}

static bool comparing(void *ctx, struct progress *progress, const char **name)
{
	const struct session_host *h = ctx;

	if (!h->compare->load || h->compare->is_dropped)
		return false;
	load_progress(h->compare->load, progress, name);
	return true;
}

static void stop_comparing(void *ctx)
{
	const struct session_host *h = ctx;

	if (!h->compare->load)
		return;
	h->compare->is_dropped = true;
	load_stop(h->compare->load);
}

static void end_comparing(void *ctx)
{
	const struct session_host *h = ctx;

	h->compare->has_ended = h->compare->before != NULL;
}

void session_compare_init(struct session_compare *c, struct session_host *host,
			  const struct load_options *load)
{
	*c = (struct session_compare){ .host = host, .options = *load };
	c->options.is_apart = true;
	c->options.has_previews = false;
	c->options.choose = NULL;
	c->options.ended = NULL;
	host->compare = c;
	host->host.compare = compare;
	host->host.open = open_beside;
	if (host->run->fleet)
		host->host.open_group = open_group;
	host->host.comparing = comparing;
	host->host.stop_comparing = stop_comparing;
	host->host.end_comparing = end_comparing;
}

/* ---- the comparison is shown ---- */

/* A large profile takes long: another thread frees it. */
static void free_profile(const struct session_compare *c, struct profile *profile)
{
	if (c->host->follow && profile)
		session_follow_free(c->host->follow, profile);
	else
		profile_free(profile);
}

/* Free what is not shown any more. */
static void free_shown(const struct session_compare *c, struct session_shown *s)
{
	struct profile *profile = s->profile;

	s->profile = NULL;
	session_shown_free(s);
	free_profile(c, profile);
}

/* What the user should know of the files. Returns whether it is a warning. */
static bool tell_files(const struct session_compare *c, const struct session_shown *now,
		       struct buf *said)
{
	int same = diff_command_same(c->files.paths, c->files.n);

	if (same >= 0 && !said->len) {
		text_visible(said, c->files.paths[same], strlen(c->files.paths[same]));
		buf_adds(said, " " DIFF_COMMAND_SAME);
	} else if (c->is_anew && !said->len) {
		buf_adds(said,
			 "files have changed since they were opened: before is what they "
			 "have now");
	} else if (*app_warning(now->app)) {
		/* What could not be kept of the state. */
		buf_addf(said, "%s%s", said->len ? "; " : "", app_warning(now->app));
	}
	return said->len > 0;
}

/* The comparison of c->next. state: of the app before, which knows the unit and the widths. */
static struct chart_diff_what what_of(const struct session_compare *c,
				      const struct app_state *state)
{
	const struct options *o = &c->host->run->options;

	struct chart_diff_what what = { .is_on = true,
					.has_files = true,
					.n_before = (uint32_t)c->next.n_before,
					.n_files = (uint32_t)c->next.n,
					.is_one_before = o->command != COMMAND_DIFF,
					.is_opened = true,
					.is_slices = state->diff.is_slices,
					.match = o->match < 0 ? MATCH_IN_FILE
							      : (enum match_kind)o->match,
					.files = c->next.paths,
					.lane = o->lane,
					.from = o->from,
					.to = o->to,
					.per = state->diff.per,
					.width = state->diff.width };

	memcpy(what.count, state->diff.count, sizeof what.count);
	return what;
}

/* The new app takes the place of `shown`, and c->next that of c->files. what: NULL: no comparison.
 */
static void take_over(struct session_compare *c, struct session_shown *shown,
		      const struct chart_diff_what *what)
{
	struct session_compare_files old = c->files;

	if (c->before)
		free_shown(c, shown);
	else
		c->before = shown;
	c->files = c->next;
	c->next = (struct session_compare_files){ 0 };
	files_done(&old);
	if (what)
		c->what = *what;
	c->host->compared = what ? &c->what : NULL;
	if (c->host->follow)
		session_follow_hold(c->host->follow, true);
}

/* Show a profile of all files. `said`: what went wrong with some of them. */
static struct session_shown *show(struct session_compare *c, struct session_shown *shown,
				  struct profile *profile, const struct event_source *events,
				  struct buf *said)
{
	struct app_state state;
	struct error why = ERROR_INIT;
	struct session_shown *next;
	struct chart_diff_what what;

	app_state_get(shown->app, &state);
	app_state_forget_places(&state);
	what = what_of(c, &state);
	state.diff = what;
	state.view = VIEW_MERGED;
	c->host->compared = &what;
	next = session_shown_new(c->host, profile, events, &state, &why);
	app_state_done(&state);
	if (!next->app) {
		c->host->compared = c->before ? &c->what : NULL;
		c->host->run->profile = shown->profile;
		/* The first message is the reason of the second. */
		if (!said->len)
			text_visible(said, why.text, strlen(why.text));
		app_say(shown->app, true, buf_text(said), said->len);
		free_shown(c, next);
		return shown;
	}
	take_over(c, shown, &what);
	if (tell_files(c, next, said))
		app_say(next->app, true, buf_text(said), said->len);
	return next;
}

/* Show a recording that a list names. The scope of the options is that of the list. */
static struct session_shown *show_opened(struct session_compare *c, struct session_shown *shown,
					 struct profile *profile, const struct event_source *events,
					 const struct buf *said)
{
	struct options *o = &c->host->run->options;
	const struct options before = *o;
	struct error why = ERROR_INIT;
	struct session_shown *next;
	struct app_state state;

	o->from = o->to = o->lane = o->lanes = NULL;
	c->host->is_of_list = true;
	c->host->search = c->search.len ? buf_text(&c->search) : NULL;
	next = session_shown_new(c->host, profile, events, NULL, &why);
	*o = before;
	if (!next->app) {
		c->host->is_of_list = false;
		c->host->run->profile = shown->profile;
		app_say(shown->app, true, why.text, strlen(why.text));
		free_shown(c, next);
		return shown;
	}
	app_state_get(shown->app, &state);
	app_resize(next->app, state.rows, state.cols);
	app_state_done(&state);
	take_over(c, shown, NULL);
	c->is_opened = true;
	if (said->len)
		app_say(next->app, true, said->data, said->len);
	return next;
}

static struct session_shown *go_back(struct session_compare *c, struct session_shown *shown)
{
	static const char text[] = "the comparison has ended";
	struct session_shown *before = c->before;

	c->has_ended = false;
	c->before = NULL;
	c->host->compared = NULL;
	c->host->is_of_list = false;
	c->host->run->profile = before->profile;
	free_shown(c, shown);
	files_done(&c->files);
	if (c->host->follow)
		session_follow_hold(c->host->follow, false);
	if (!c->is_opened)
		app_say(before->app, false, text, sizeof text - 1);
	c->is_opened = false;
	return before;
}

/* Reading has ended. */
static struct session_shown *end(struct session_compare *c, struct session_shown *shown,
				 const struct event_source *events)
{
	struct load *load = c->load;
	struct load_result result;
	BUF_LOCAL said = { 0 };

	load_take(load, &result);
	c->load = NULL;
	if (load_is_reading(load))
		c->is_lost = true;
	else
		load_free(load);
	session_host_add_first(&result.messages, &said);
	buf_done(&result.messages);
	if (c->is_dropped)
		free_profile(c, result.profile);
	else if (result.profile && c->is_opening)
		shown = show_opened(c, shown, result.profile, events, &said);
	else if (result.profile)
		shown = show(c, shown, result.profile, events, &said);
	else
		app_say(shown->app, true, buf_text(&said), said.len);
	files_done(&c->next);
	return shown;
}

struct session_shown *session_compare_step(struct session_compare *c, struct session_shown *shown,
					   const struct event_source *events)
{
	if (c->load && load_wait(c->load, 0))
		shown = end(c, shown, events);
	return c->has_ended ? go_back(c, shown) : shown;
}

void session_compare_done(struct session_compare *c)
{
	load_free(c->load);
	session_shown_free(c->before);
	files_done(&c->files);
	files_done(&c->next);
	buf_done(&c->where);
	buf_done(&c->search);
	*c = (struct session_compare){ 0 };
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A part of a path ends where what follows it in the template comes first: a later place would
 * leave less for the parts behind it, so no other place needs to be tried. */
#include "config.h"

#include "read/load/file_labels.h"

#include "base/alloc.h"
#include "base/json/json_read.h"
#include "base/str.h"
#include "base/text.h"
#include "base/units.h"
#include "model/build/builder.h"
#include "read/load/file_set.h"
#include "read/load/load_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define KEY_MAX 64u /* bytes */
#define LISTED 200u /* bytes of a list in a message */

/* The labels of a file, each key once. */
struct found {
	struct builder_label list[BUILDER_INPUT_LABELS];
	size_t n;
};

static bool is_same(struct str a, struct str b)
{
	return a.len == b.len && memcmp(a.p, b.p, a.len) == 0;
}

static bool is_key(struct str key)
{
	size_t n = 0;

	while (n < key.len && key.p[n] >= ' ' && key.p[n] <= '~' && !strchr(",{}=\"\\", key.p[n]))
		n++;
	return n > 0 && n == key.len && n <= KEY_MAX && key.p[0] != ' ' && key.p[n - 1] != ' ';
}

/* A label that is there before is replaced. */
static void put(struct found *to, struct str key, struct str value)
{
	size_t i = 0;

	while (i < to->n && !is_same(to->list[i].key, key))
		i++;
	if (i == BUILDER_INPUT_LABELS)
		return;
	to->list[i] = (struct builder_label){ .key = key, .value = value };
	to->n += i == to->n;
}

static const struct builder_label *get(const struct found *of, struct str key)
{
	for (size_t i = 0; i < of->n; i++)
		if (is_same(of->list[i].key, key))
			return &of->list[i];
	return NULL;
}

/* ---- the template ---- */

/* The part that follows in a template. */
struct part {
	struct str key;     /* of the braces */
	struct str literal; /* the text behind them, up to the next ones */
};

/* The text before the first braces; *text moves behind it. */
static struct str take_literal(const char **text)
{
	struct str literal = { *text, strcspn(*text, "{") };

	*text += literal.len;
	return literal;
}

/* False: there is no further part. */
static bool take_part(const char **text, struct part *part)
{
	if (**text != '{')
		return false;
	part->key = (struct str){ *text + 1, strcspn(*text + 1, "}") };
	*text += 1 + part->key.len + ((*text)[1 + part->key.len] == '}');
	part->literal = take_literal(text);
	return true;
}

/* Compare the start of a path with a template, and add its labels. */
static bool match(const char *template, const char *path, struct found *out)
{
	struct str literal = take_literal(&template);
	struct found found = { .n = 0 };
	struct part part;

	if (strncmp(path, literal.p, literal.len) != 0)
		return false;
	path += literal.len;
	while (take_part(&template, &part)) {
		size_t all = strcspn(path, "/"), n = 1;

		while (n <= all && part.literal.len &&
		       strncmp(path + n, part.literal.p, part.literal.len) != 0)
			n++;
		if (!part.literal.len)
			n = all;
		if (n > all || n == 0)
			return false;
		if (part.key.len)
			put(&found, part.key, (struct str){ path, n });
		path += n + part.literal.len;
	}
	for (size_t i = 0; i < found.n; i++)
		put(out, found.list[i].key, found.list[i].value);
	return true;
}

/* ---- flametty.json ---- */

#define BESIDE "flametty.json"
#define BESIDE_MAX ((size_t)64 << 10) /* bytes */
#define BESIDE_LABELS 32

/* The labels of a directory, of the file that was looked at last. */
struct beside {
	char *path; /* of flametty.json */
	struct json_tree tree;
	const struct json_value *members; /* NULL: there is no such file, or it is damaged */
	char *damaged;                    /* the first path that is */
};

/* Whether a file of a directory is it, and so is none of its files. */
static bool is_beside(const struct file_set *set, const struct set_file *file)
{
	const char *slash = strrchr(file->path, '/');
	bool is = file->folder && strcmp(slash ? slash + 1 : file->path, BESIDE) == 0;

	if (is)
		set->folders[file->folder - 1].n_files--;
	return is;
}

/* Read it. False: it is there and is no object of JSON. */
static bool read_beside(struct beside *b)
{
	int fd = open(b->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	BUF_LOCAL text = { 0 };
	const char *why;
	size_t bad_at;
	struct stat st;
	bool ok;

	b->members = NULL;
	if (fd < 0)
		return true;
	ok = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size < (off_t)BESIDE_MAX &&
		buf_add_file(&text, fd, BESIDE_MAX);
	close(fd);
	if (ok && text.len)
		b->members = json_tree_parse(&b->tree, (struct str){ text.data, text.len }, &bad_at,
					     &why);
	return b->members && b->members->type == JSON_OBJECT;
}

/* Add the members of flametty.json beside a file that are texts or numbers. */
static void add_beside(struct beside *b, const char *path, struct found *out)
{
	const char *slash = strrchr(path, '/');
	BUF_LOCAL at = { 0 };
	size_t n = 0;

	if (!b || strcmp(path, "-") == 0)
		return;
	buf_add(&at, path, slash ? (size_t)(slash - path) + 1 : 0);
	buf_adds(&at, BESIDE);
	if (!b->path || strcmp(b->path, buf_text(&at)) != 0) {
		free(b->path);
		b->path = xstrdup(buf_text(&at));
		if (!read_beside(b) && !b->damaged)
			b->damaged = xstrdup(b->path);
	}
	for (const struct json_value *v = b->members ? b->members->first : NULL; v; v = v->next)
		if ((v->type == JSON_STRING || v->type == JSON_NUMBER) && is_key(v->key) &&
		    v->text.len > 0 && v->text.len <= LABELS_TEXT_MAX && n++ < BESIDE_LABELS)
			put(out, v->key, v->text);
}

void file_labels_done(struct file_set *set)
{
	if (set->beside) {
		json_tree_done(&set->beside->tree);
		free(set->beside->path);
		free(set->beside->damaged);
	}
	free(set->beside);
	buf_done(&set->note);
}

/* ---- the labels of a file ---- */

static struct str key_of(const char *text)
{
	return (struct str){ text, strcspn(text, "=") };
}

/* The value in KEY=VALUE. */
static struct str value_of(const char *text)
{
	return str_of(text + strcspn(text, "=") + 1);
}

/* The path that is compared with the template. */
static const char *path_below(const struct file_set *set, const struct set_file *file)
{
	const char *path = file->path;

	if (file->folder) {
		const char *folder = set->folders[file->folder - 1].path;
		size_t n = strlen(folder);

		path += strncmp(path, folder, n) == 0 ? n : 0;
		path += strspn(path, "/");
	}
	while (path[0] == '.' && path[1] == '/')
		path += 1 + strspn(path + 1, "/");
	return path;
}

/* Find the labels of a file. False: the template does not match its path. */
static bool find(const struct file_set *set, const struct set_file *file, struct found *out)
{
	const struct file_labels_plan *plan = set->labels;
	bool is_known = file->argument < plan->n_arguments, is_like;

	out->n = 0;
	add_beside(set->beside, file->path, out);
	is_like = !plan->from || match(plan->from, path_below(set, file), out);
	for (size_t i = 0; i < plan->n_texts; i++)
		if (!plan->n_before || i >= plan->n_placed ||
		    (is_known && i < (size_t)plan->n_before[file->argument]))
			put(out, key_of(plan->texts[i]), value_of(plan->texts[i]));
	return is_like;
}

void file_labels_give(const struct file_set *set, const struct set_file *file, struct builder *b)
{
	struct found found = { .n = 0 };

	if (set->labels)
		find(set, file, &found);
	builder_input_labels(b, found.list, found.n);
	builder_input_argument(b, file->argument);
	builder_files_note(b, buf_text(&set->note));
}

struct file_set file_labels_for_thread(const struct file_set *set)
{
	struct file_set out = *set;

	out.note = (struct buf){ 0 };
	out.beside = set->beside ? xcalloc(1, sizeof *out.beside) : NULL;
	return out;
}

/* ---- check ---- */

static bool check_key(const char *option, struct str key, struct error *err)
{
	BUF_LOCAL shown = { 0 };

	if (is_key(key))
		return true;
	text_fit(&shown, key.p, key.len, 40);
	return error_set(err, ERR_USAGE, -1,
			 "%s: '%s' is no key of a label: that is up to %u ASCII characters, "
			 "without , = { } \" \\ and without a blank at its ends",
			 option, buf_text(&shown), KEY_MAX);
}

static bool check_text(const char *option, const char *text, struct error *err)
{
	BUF_LOCAL shown = { 0 };

	text_fit(&shown, text, strlen(text), 40);
	if (!strchr(text, '=') || !strchr(text, '=')[1])
		return error_set(err, ERR_USAGE, -1, "%s wants KEY=VALUE, not '%s'", option,
				 buf_text(&shown));
	if (value_of(text).len > LABELS_TEXT_MAX)
		return error_set(err, ERR_USAGE, -1, "%s: the value of '%s' has more than %u bytes",
				 option, buf_text(&shown), LABELS_TEXT_MAX);
	return check_key(option, key_of(text), err);
}

static bool check_template(const char *template, struct error *err)
{
	const char *at = template;
	struct str keys[FILE_LABELS_FROM_MAX];
	struct str before = take_literal(&at);
	size_t n = 0;
	struct part part;
	const char *wrong = before.len && *before.p == '/' ? "begins with a slash" : NULL;

	while (!wrong && take_part(&at, &part)) {
		bool is_last = *at == '\0', is_again = false;

		for (size_t i = 0; i < n; i++)
			is_again |= is_same(keys[i], part.key);
		if (part.key.p[part.key.len] != '}')
			wrong = "has a { without its }";
		else if (!part.literal.len && !is_last)
			wrong = "has two labels with nothing between them";
		else if (is_again)
			wrong = "has a label twice";
		else if (n == FILE_LABELS_FROM_MAX)
			wrong = "has more than 16 labels";
		else if (part.key.len && !check_key("--label-from", part.key, err))
			return false;
		else if (part.key.len)
			keys[n++] = part.key;
	}
	if (!wrong && !n)
		wrong = "names no label";
	return !wrong ||
		error_set(err, ERR_USAGE, -1,
			  "--label-from: '%.200s' %s; it is a template like '{version}/{host}/'",
			  template, wrong);
}

bool file_labels_check(const struct file_labels_plan *plan, struct error *err)
{
	for (size_t i = 0; i < plan->n_texts; i++)
		if (!check_text("--label", plan->texts[i], err))
			return false;
	for (size_t i = 0; i < plan->n_where; i++)
		if (!check_text("--where", plan->where[i], err))
			return false;
	return !plan->from || check_template(plan->from, err);
}

/* ---- which files are wanted ---- */

static bool holds(const struct found *of, const char *where)
{
	const struct builder_label *label = get(of, key_of(where));

	return label && is_same(label->value, value_of(where));
}

/* Whether a file began in the time that is wanted. */
static bool is_of_time(const struct file_labels_plan *plan, const struct set_file *file,
		       const struct found *of)
{
	const struct builder_label *label = get(of, str_of("time"));
	BUF_LOCAL text = { 0 };
	struct file_hints hints;
	int64_t at;

	if (plan->to_s <= plan->from_s)
		return true;
	if (label)
		buf_add(&text, label->value.p, label->value.len);
	if (!date_parse_short(buf_text(&text), &at)) {
		file_hints_parse(file->path, &hints);
		if (!hints.has_date)
			return false;
		at = hints.date_s;
	}
	return at >= plan->from_s && at < plan->to_s;
}

/* Append a text to a list, unless it is there, or the list is long. */
static void list_add(struct buf *list, const char *text)
{
	size_t n = strlen(text);

	for (const char *p = buf_text(list), *end; *p; p = end + strspn(end, ", ")) {
		end = strstr(p, ", ") ? strstr(p, ", ") : p + strlen(p);
		if ((size_t)(end - p) == n && memcmp(p, text, n) == 0)
			return;
	}
	if (list->len < LISTED)
		buf_addf(list, "%s%s", list->len ? ", " : "", text);
	else if (list->data[list->len - 1] != '.')
		buf_adds(list, ", ...");
}

/* List the labels of all files that have a key of the conditions; is_keys: all keys. */
static void list_labels(const struct file_set *set, bool is_keys, struct buf *out)
{
	const struct file_labels_plan *plan = set->labels;
	struct found found;

	for (size_t i = 0; i < set->n; i++) {
		find(set, &set->files[i], &found);
		for (size_t k = 0; k < found.n; k++) {
			const struct builder_label *label = &found.list[k];
			BUF_LOCAL text = { 0 };
			bool is_asked = is_keys;

			for (size_t w = 0; w < plan->n_where; w++)
				is_asked |= is_same(label->key, key_of(plan->where[w]));
			text_visible(&text, label->key.p, label->key.len);
			buf_adds(&text, is_keys ? "" : "=");
			text_visible(&text, label->value.p, is_keys ? 0 : label->value.len);
			if (is_asked)
				list_add(out, buf_text(&text));
		}
	}
}

/* Say that no file is wanted, and what labels there are. of: the argument that has none; NULL: no
 * argument has any. */
static void say_none(const struct file_set *set, const char *of, struct buf *out)
{
	BUF_LOCAL list = { 0 };

	if (set->labels->to_s > set->labels->from_s) {
		buf_adds(out, "flametty: no file is of this time\n");
		return;
	}
	buf_adds(out, "flametty: --where: no file ");
	if (of) {
		buf_adds(out, "of ");
		text_visible(out, of, strlen(of));
		buf_addc(out, ' ');
	}
	for (size_t k = 0; k < set->labels->n_where; k++) {
		buf_adds(out, k ? " and " : "has ");
		text_visible(out, set->labels->where[k], strlen(set->labels->where[k]));
	}
	list_labels(set, false, &list);
	if (!list.len)
		list_labels(set, true, &list);
	buf_adds(out, list.len ? "; labels are " : "; there are no labels");
	buf_addf(out, "%s\n", buf_text(&list));
}

/* Say that the template matches no path. */
static void say_unlike(const struct file_set *set, struct buf *out)
{
	const char *path = path_below(set, &set->files[0]);

	buf_adds(out, "flametty: --label-from: no path begins like '");
	text_visible(out, set->labels->from, strlen(set->labels->from));
	buf_adds(out, "'; the first is ");
	text_visible(out, path, strlen(path));
	buf_addc(out, '\n');
}

/* Say which arguments have files, and none that is wanted. wanted: by file. */
static size_t say_lacking(const struct file_set *set, const uint8_t *wanted, struct buf *out)
{
	size_t n = 0;

	for (size_t i = 0, end; i < set->n; i = end) {
		bool has_any = wanted[i];

		for (end = i + 1;
		     end < set->n && set->files[end].argument == set->files[i].argument; end++)
			has_any |= wanted[end];
		if (has_any)
			continue;
		say_none(set,
			 set->files[i].folder ? set->folders[set->files[i].folder - 1].path
					      : set->files[i].path,
			 out);
		n++;
	}
	return n;
}

/* Keep the files that are wanted. */
static void keep(struct file_set *set, const uint8_t *wanted)
{
	size_t kept = 0;

	for (size_t i = 0; i < set->n; i++) {
		if (wanted[i]) {
			set->files[kept++] = set->files[i];
			continue;
		}
		if (set->bytes >= 0)
			set->bytes -= set->files[i].bytes;
		free(set->files[i].path);
	}
	set->n = kept;
}

/* Note how many files are left out, and have no labels of the template. */
static void note_left_out(struct file_set *set, size_t n_unwanted, size_t n_unlike)
{
	const char *damaged = set->beside->damaged;
	struct buf *note = &set->note;

	if (n_unwanted && set->labels->to_s > set->labels->from_s)
		buf_addf(note, "%zu of %zu files are of other times", n_unwanted, set->n);
	else if (n_unwanted)
		buf_addf(note, "--where leaves out %zu of %zu files", n_unwanted, set->n);
	if (n_unlike)
		buf_addf(note, "%s%zu of %zu paths %s not begin like the template of --label-from",
			 note->len ? "; " : "", n_unlike, set->n, n_unlike == 1 ? "does" : "do");
	if (damaged)
		buf_addf(note, "%sno labels by %s: it is no object of JSON, or too large",
			 note->len ? "; " : "", damaged);
}

size_t file_labels_filter(struct file_set *set, struct buf *messages)
{
	const struct file_labels_plan *plan = set->labels;
	ALLOC_LOCAL uint8_t *wanted = xcalloc(set->n + 1, 1);
	size_t n_wanted = 0, n_like = 0, n_said = 0;
	struct found found;

	if (!set->beside)
		set->beside = xcalloc(1, sizeof *set->beside);
	for (size_t i = 0; i < set->n; i++)
		wanted[i] = !is_beside(set, &set->files[i]);
	keep(set, wanted);
	for (size_t i = 0; i < set->n; i++) {
		n_like += find(set, &set->files[i], &found);
		wanted[i] = is_of_time(plan, &set->files[i], &found);
		for (size_t k = 0; k < plan->n_where; k++)
			wanted[i] &= holds(&found, plan->where[k]);
		n_wanted += wanted[i];
	}
	if (!set->n)
		return 0;
	if (!n_like) {
		say_unlike(set, messages);
		n_said = 1;
	} else if (!n_wanted) {
		say_none(set, NULL, messages);
		n_said = 1;
	} else if (set->is_apart) {
		n_said = say_lacking(set, wanted, messages);
	}
	if (n_said)
		memset(wanted, 0, set->n);
	else
		note_left_out(set, set->n - n_wanted, set->n - n_like);
	keep(set, wanted);
	return n_said;
}

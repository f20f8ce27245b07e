/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A script below node_modules is a program of a package: npm makes a link of its name in .bin, and
 * the file that the link leads to mostly has the name, too, or is bin, cli, index of the package.
 */
#include "config.h"

#include "base/command_name.h"

#include <string.h>

#define ROOM 40 /* bytes */

/* The next word; empty at the end. */
static struct str next_word(struct str *rest)
{
	size_t begin = 0, end;
	struct str word;

	while (begin < rest->len && (rest->p[begin] == ' ' || rest->p[begin] == '\0'))
		begin++;
	for (end = begin; end < rest->len && rest->p[end] != ' ' && rest->p[end] != '\0';)
		end++;
	word = (struct str){ rest->p + begin, end - begin };
	*rest = (struct str){ rest->p + end, rest->len - end };
	return word;
}

static struct str base_of(struct str path)
{
	const char *slash;

	while (path.len > 1 && path.p[path.len - 1] == '/')
		path.len--;
	slash = memrchr(path.p, '/', path.len);
	if (slash && path.len > 1)
		return (struct str){ slash + 1, (size_t)(path.p + path.len - slash - 1) };
	return path;
}

static struct str folder_of(struct str path)
{
	const char *slash = memrchr(path.p, '/', path.len);

	return (struct str){ path.p, slash ? (size_t)(slash - path.p) : 0 };
}

/* Without an ending such as .js. */
static struct str stem_of(struct str name)
{
	const char *dot = memchr(name.p, '.', name.len);

	if (dot && dot > name.p)
		name.len = (size_t)(dot - name.p);
	return name;
}

static const char *const runtimes[] = { "node", "nodejs", "bun", "deno", NULL };

/* Options of runtimes whose value is the next word, or is the program itself. */
static const char *const options[] = { "-r",         "--require", "--import",
				       "--loader",   "-C",        "--conditions",
				       "--env-file", "--title",   "--experimental-loader",
				       NULL };
static const char *const script_options[] = { "-e", "--eval", "-p", "--print", "-pe", NULL };

static bool is_among(struct str word, const char *const *list)
{
	for (; *list; list++)
		if (str_is(word, *list))
			return true;
	return false;
}

/* The part behind the last `/node_modules/`; empty: there is none. */
static struct str in_packages(struct str path)
{
	static const char folder[] = "node_modules/";
	size_t n = sizeof folder - 1;

	for (size_t at = path.len; at-- > 0;)
		if (at + n <= path.len && memcmp(path.p + at, folder, n) == 0 &&
		    (at == 0 || path.p[at - 1] == '/'))
			return (struct str){ path.p + at + n, path.len - at - n };
	return (struct str){ path.p, 0 };
}

/* The package of a path in node_modules: `vite`, `@scope/tool`. */
static struct str package_of(struct str path)
{
	const char *slash = memchr(path.p, '/', path.len);

	if (slash && path.p[0] == '@')
		slash = memchr(slash + 1, '/', (size_t)(path.p + path.len - slash - 1));
	return slash ? (struct str){ path.p, (size_t)(slash - path.p) } : path;
}

/* What users call a script, if it is a program of a package; else empty. */
static struct str program_of(struct str script)
{
	static const char *const common[] = { "bin", "cli",   "index", "main",
					      "run", "start", "cmd",   NULL };
	struct str path = in_packages(script), name = stem_of(base_of(script));

	if (str_is(name, "npm-cli"))
		return (struct str){ "npm", 3 };
	if (str_is(name, "npx-cli"))
		return (struct str){ "npx", 3 };
	/* A link to a program of a package. */
	if (!memchr(name.p, '.', base_of(script).len) && str_is(base_of(folder_of(script)), "bin"))
		return name;
	if (path.len == 0 || memchr(path.p, '/', path.len) == NULL)
		return (struct str){ script.p, 0 };
	return is_among(name, common) ? package_of(path) : name;
}

/* A script by its file; of one with a common name, with the folder. */
static struct str script_of(struct str path)
{
	struct str name = base_of(path), folder = folder_of(path);

	if (folder.len == 0 || !str_is(stem_of(name), "index"))
		return name;
	folder = base_of(folder);
	return folder.len > 0 && folder.p[0] != '/' && folder.p[0] != '.'
		? (struct str){ folder.p, (size_t)(path.p + path.len - folder.p) }
		: name;
}

/* Append what a runtime runs. False: nothing follows that belongs to the name. */
static bool add_script(struct buf *out, struct str runtime, struct str *rest)
{
	struct str word = next_word(rest), program;

	while (word.len > 0 && word.p[0] == '-') {
		if (is_among(word, script_options)) {
			buf_addf(out, "%.*s %.*s", (int)runtime.len, runtime.p, (int)word.len,
				 word.p);
			return false;
		}
		if (is_among(word, options))
			next_word(rest);
		word = next_word(rest);
	}
	program = word.len > 0 ? program_of(word) : word;
	if (program.len > 0) {
		buf_add(out, program.p, program.len);
		return true;
	}
	buf_add(out, runtime.p, runtime.len);
	if (word.len > 0) {
		word = script_of(word);
		buf_addf(out, " %.*s", (int)word.len, word.p);
	}
	return word.len > 0;
}

void command_name(struct buf *out, struct str command)
{
	size_t begin = out->len;
	struct str name = base_of(next_word(&command)), word;
	bool has_more = true;

	if (is_among(name, runtimes))
		has_more = add_script(out, name, &command);
	else
		buf_add(out, name.p, name.len);
	while (has_more && (word = next_word(&command)).len > 0) {
		/* Paths of a machine say little. */
		if (word.p[0] == '/')
			word = base_of(word);
		if (out->len - begin + word.len + 1 > ROOM)
			break;
		buf_addf(out, " %.*s", (int)word.len, word.p);
	}
	if (out->len - begin > ROOM) {
		/* No incomplete character of UTF-8. */
		out->len = begin + ROOM;
		while (out->len > begin && ((unsigned char)out->data[out->len] & 0xC0) == 0x80)
			out->len--;
		out->data[out->len] = '\0';
	}
}

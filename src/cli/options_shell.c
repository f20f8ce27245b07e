/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "cli/options_shell.h"

#include "base/alloc.h"
#include "base/text.h"

#include <string.h>

/* How many arguments from this one on are about keys and pictures. */
static int count_left_out(const char *arg)
{
	static const char *const names[] = { "--keys", "--render" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		size_t len = strlen(names[i]);

		if (strncmp(arg, names[i], len) == 0 && (!arg[len] || arg[len] == '='))
			return arg[len] ? 1 : 2;
	}
	return strcmp(arg, "--roles") == 0;
}

void options_shell_text(int argc, char **argv, struct buf *out)
{
	struct buf name = { 0 };
	bool is_over = false; /* the options */

	buf_adds(out, "flametty");
	for (int i = 1; i < argc; i++) {
		int left_out = is_over ? 0 : count_left_out(argv[i]);

		if (strcmp(argv[i], "-") == 0) {
			buf_clear(out);
			break;
		}
		if (left_out) {
			i += left_out - 1;
		} else if (!is_over && strcmp(argv[i], "--") == 0) {
			is_over = true;
		} else {
			/* Behind `--` a file may begin with a dash. */
			buf_clear(&name);
			buf_addf(&name, "%s%s", is_over && *argv[i] == '-' ? "./" : "", argv[i]);
			buf_addc(out, ' ');
			text_shell(out, buf_text(&name));
		}
	}
	buf_done(&name);
}

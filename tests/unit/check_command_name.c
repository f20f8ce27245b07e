/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Short names of processes. */
#include "config.h"

#include "suite.h"

#include "base/command_name.h"

static const struct name_case {
	const char *command, *name;
} cases[] = {
	{ "npm run build", "npm run build" },
	{ "node /usr/share/nodejs/npm/bin/npm-cli.js run build", "npm run build" },
	{ "node /usr/lib/node_modules/npm/bin/npx-cli.js vite", "npx vite" },
	{ "node /usr/bin/npm run build", "npm run build" },
	{ "/usr/bin/node server.js", "node server.js" },
	{ "/usr/bin/node --max-old-space-size=99 -r ./a.js /srv/app/server.js -p 80",
	  "node server.js -p 80" },
	{ "node /srv/app/node_modules/.bin/vite build", "vite build" },
	{ "node /srv/app/node_modules/vite/bin/vite.js build", "vite build" },
	{ "node /srv/node_modules/@scope/tool/dist/cli.mjs a", "@scope/tool a" },
	{ "node ./node_modules/webpack/bin/index.js", "webpack" },
	{ "node node_modules/next/dist/bin/next dev", "next dev" },
	{ "node /srv/api/index.js", "node api/index.js" },
	{ "node index.js", "node index.js" },
	{ "node", "node" },
	{ "node -e console.log(1)", "node -e" },
	{ "node --inspect", "node" },
	{ "sh -c node a.js", "sh -c node a.js" },
	{ "deno run -A main.ts", "deno run -A main.ts" },
	{ "node a.js /very/long/path/to/file.json", "node a.js file.json" },
	{ "node a.js 0123456789 0123456789 0123456789", "node a.js 0123456789 0123456789" },
	{ "next-server (v14.1)", "next-server (v14.1)" },
	{ "/", "/" },
	{ "", "" },
	{ "   ", "" },
	{ "node node_modules/", "node node_modules" },
	{ "01234567890123456789012345678901234567\303\251\303\251",
	  "01234567890123456789012345678901234567\303\251" },
};

START_TEST(names_are_short)
{
	const struct name_case *c = &cases[_i];
	struct buf out = { 0 };

	command_name(&out, (struct str){ c->command, strlen(c->command) });
	ck_assert_str_eq(buf_text(&out), c->name);
	buf_done(&out);
}
END_TEST

START_TEST(words_may_end_with_nul)
{
	static const char command[] = "/usr/bin/node\0/srv/server.js\0a b";
	struct buf out = { 0 };

	buf_adds(&out, "x ");
	command_name(&out, (struct str){ command, sizeof command });
	ck_assert_str_eq(buf_text(&out), "x node server.js a b");
	buf_done(&out);
}
END_TEST

static void add_tests(Suite *suite)
{
	TCase *tc = suite_case(suite, "rules", SUITE_SECONDS);

	tcase_add_loop_test(tc, names_are_short, 0, N(cases));
	tcase_add_test(tc, words_may_end_with_nul);
}

int main(void)
{
	return suite_run("command_name", add_tests);
}

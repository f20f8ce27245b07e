/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "source/source_maps.h"

#include "base/alloc.h"
#include "model/other_names.h"
#include "source/source_names.h"
#include "source/trace_maps.h"

#include <string.h>

/* A warning of the first input: the first line of the messages, and how many there are. */
static void warn(struct profile *profile, const struct buf *messages)
{
	struct input *in = &profile->inputs[0];
	struct buf text = { 0 };
	uint64_t n = 0;

	for (size_t i = 0; i < messages->len; i++)
		n += messages->data[i] == '\n';
	if (!n)
		return;
	buf_adds(&text, "source map ");
	buf_add(&text, messages->data, strcspn(messages->data, "\n"));
	in->warnings = xrealloc(in->warnings, in->n_warnings + 1, sizeof(*in->warnings));
	in->warnings[in->n_warnings++] =
		(struct warning){ .kind = WARN_SOURCE_MAP,
				  .text = intern_add(&profile->strings, text.data, text.len),
				  .offset = -1,
				  .count = n };
	buf_done(&text);
}

static void note(struct profile *profile, const struct buf *text)
{
	struct input *in = &profile->inputs[0];

	in->notes = xrealloc(in->notes, in->n_notes + 1, sizeof(*in->notes));
	in->notes[in->n_notes++] = (struct input_note){
		intern_add(&profile->strings, buf_text(text), text->len), false
	};
}

static void note_map(struct profile *profile, const struct script_map *script)
{
	struct buf text = { 0 };

	buf_addf(&text, "source map of %s: %zu source%s", profile_text(profile, script->url),
		 script->map->n_sources, script->map->n_sources == 1 ? "" : "s");
	note(profile, &text);
	buf_done(&text);
}

static void note_beside(struct profile *profile, const struct buf *beside)
{
	const char *line = buf_text(beside);

	for (size_t n; *line; line += n + 1) {
		struct buf text = { 0 };

		n = strcspn(line, "\n");
		buf_addf(&text, "--source-map=%.*s gives the functions their names in the source",
			 (int)n, line);
		note(profile, &text);
		buf_done(&text);
	}
}

static void note_unused(struct profile *profile, size_t n)
{
	struct buf text = { 0 };

	if (!n)
		return;
	buf_addf(&text, "%zu source map%s of scripts without functions here", n, n == 1 ? "" : "s");
	note(profile, &text);
	buf_done(&text);
}

void source_maps_use(struct profile *profile, const struct maps_options *options)
{
	struct buf messages = { 0 };
	struct trace_maps given = { 0 };
	struct maps maps;

	if (!profile->n_inputs)
		return;
	if (!options->is_off)
		trace_maps_read(&given, profile, &messages);
	maps_init(&maps, options, given.list, given.n);
	maps_find(&maps, profile, &messages);
	profile->other = source_names_make(profile, &maps, &messages);
	if (profile->other) {
		other_names_swap(profile);
		for (size_t i = 0; i < maps.n_scripts; i++)
			if (maps.scripts[i]->map)
				note_map(profile, maps.scripts[i]);
	}
	note_beside(profile, &maps.beside);
	note_unused(profile, given.n_unused);
	warn(profile, &messages);
	maps_done(&maps);
	trace_maps_done(&given);
	buf_done(&messages);
}

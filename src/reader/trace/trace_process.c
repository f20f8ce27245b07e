/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The processes of a trace, in a hash table by process id. */
#include "config.h"

#include "reader/trace/trace.h"

#include "base/alloc.h"

#include <stdlib.h>

static uint32_t *widen(uint32_t *slots, size_t *n_slots, size_t need)
{
	if (need * 2 <= *n_slots)
		return slots;
	*n_slots = *n_slots ? *n_slots * 4 : 256;
	free(slots);
	return xcalloc(*n_slots, sizeof *slots);
}

static void widen_processes(struct trace *t)
{
	size_t before = t->n_process_slots;

	t->process_slots = widen(t->process_slots, &t->n_process_slots, t->n_processes + 1);
	if (t->n_process_slots == before)
		return;
	for (size_t i = 0; i < t->n_processes; i++) {
		size_t at = hash_u64((uint64_t)t->processes[i].pid) & (t->n_process_slots - 1);

		while (t->process_slots[at])
			at = (at + 1) & (t->n_process_slots - 1);
		t->process_slots[at] = (uint32_t)i + 1;
	}
}

struct trace_process *trace_process_get(struct trace *t, int64_t pid)
{
	size_t at;

	if (t->last_process < t->n_processes && t->processes[t->last_process].pid == pid)
		return &t->processes[t->last_process];
	widen_processes(t);
	for (at = hash_u64((uint64_t)pid) & (t->n_process_slots - 1); t->process_slots[at];
	     at = (at + 1) & (t->n_process_slots - 1)) {
		struct trace_process *process = &t->processes[t->process_slots[at] - 1];

		if (process->pid == pid) {
			t->last_process = t->process_slots[at] - 1;
			return process;
		}
	}
	t->processes = xgrow(t->processes, &t->cap_processes, t->n_processes + 1,
			     sizeof *t->processes);
	t->processes[t->n_processes] = (struct trace_process){ .pid = pid };
	t->last_process = (uint32_t)t->n_processes++;
	t->process_slots[at] = t->last_process + 1;
	return &t->processes[t->last_process];
}

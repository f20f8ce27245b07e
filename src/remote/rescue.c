/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The script has a function for this. After it, the signal has its default action again. */
#include "config.h"

#include "remote/rescue.h"

#include "remote/evaluate.h"

#include <errno.h>
#include <signal.h>

#define ANSWER_MS 20000 /* a long profile takes some time to write */

/* EVALUATE_PID: there is none for this signal. */
static enum expression expression_of(int signal)
{
	switch (signal) {
	case SIGHUP:
		return EVALUATE_SAVE_HUP;
	case SIGINT:
		return EVALUATE_SAVE_INT;
	case SIGTERM:
		return EVALUATE_SAVE_TERM;
	case SIGUSR2:
		return EVALUATE_SAVE_USR2;
	default:
		return EVALUATE_PID;
	}
}

/* Nothing is left to close then. */
static bool end(struct target *t, int signal, struct error *err)
{
	if (!target_is_alive(t) || kill(t->process.pid, signal) != 0)
		return error_errno(err, errno, "sending the signal again");
	guard_remove(t->options->guard, &t->place);
	t->is_opened = false;
	return true;
}

bool rescue_end(pid_t pid, int signal, const struct target_options *options, struct error *err)
{
	enum expression expression = expression_of(signal);
	struct target target;
	int64_t is_saved = 0;
	bool is_good;

	if (expression == EVALUATE_PID)
		return error_set(err, ERR_UNKNOWN, -1, "the script does not handle signal %d",
				 signal);
	if (!target_open(&target, pid, options, err))
		return false;
	is_good = evaluate_number(&target.inspector, expression, connection_deadline(ANSWER_MS),
				  &is_saved, err);
	if (is_good && !is_saved)
		is_good = error_set(err, ERR_UNKNOWN, -1, "the program handles the signal itself");
	is_good = is_good && end(&target, signal, err);
	target_close(&target);
	return is_good;
}

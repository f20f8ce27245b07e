#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The program for long: tests/soak.py says what is done and what must hold.
#
# usage: soak.sh [--minutes N] [--seed N] [--sanitized] [keys | live | watch]
# Without --minutes: a quarter of one. Without a part: keys.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
needs python3
use_work
unset TMUX NO_COLOR COLORTERM COLORFGBG FLAMETTY_SECURE FLAMETTY_DEBUG
LC_ALL=C.UTF-8 HOME=$work XDG_CONFIG_HOME=$work XDG_STATE_HOME=$work XDG_RUNTIME_DIR=$work TMPDIR=$work
export LC_ALL HOME XDG_CONFIG_HOME XDG_STATE_HOME XDG_RUNTIME_DIR TMPDIR
case " $* " in
*" live "* | *" watch "*)
	[ "${RECORDS_PROCESSES:-yes}" = yes ] || { echo "RECORDS_PROCESSES is no"; exit 77; }
	needs node unshare ip
	"$FLAMETTY" --help | grep -q 'flametty live' || { echo "built without live"; exit 77; }
	unshare -npf --mount-proc ip link set lo up 2>/dev/null || { echo "no namespaces here"; exit 77; }
	# Port 9229 stays free for others meanwhile, and all processes end with the first one.
	unshare -npf --mount-proc sh -c 'ip link set lo up && exec "$@"' sh \
		python3 -B "$top/tests/soak.py" "$FLAMETTY" "$top" "$work" "$@"
	;;
*) python3 -B "$top/tests/soak.py" "$FLAMETTY" "$top" "$work" "$@" ;;
esac || exit
[ $# = 0 ] || exit 0

# The test itself: when the program dies it fails, and leaves no process, which would keep the pipe open.
mkdir "$work/dies" && printf '#!/bin/sh\necho 1 of 1\nexec sleep 1\n' >"$work/ends" && chmod +x "$work/ends" || exit
# shellcheck disable=SC2016
said=$(timeout 60 sh -c 'python3 -B "$@" | tail -n 3' sh "$top/tests/soak.py" "$work/ends" "$top" "$work/dies" --minutes 9) ||
	{ echo "soak.py goes on, or leaves a process, when the program dies"; exit 1; }
case $said in
*'it has ended, status 0'*'0 passed, 1 failed'*) ;;
*) printf '%s\nsoak.py does not see that the program dies\n' "$said"; exit 1 ;;
esac

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Static checks of the sources: format, clang-tidy, cppcheck and, if wanted, gcc -fanalyzer.
#
# usage: lint.sh [STEP...]     run by `make lint`; from a built tree, as config.h is needed
# STEP is format, tidy, cppcheck or analyzer; without one, all but analyzer, which takes
# a minute. A tool that is not installed is skipped, and a line says so; with LINT_MISSING=fail, as
# .ci/run has it, its step fails. Exit status: 0 if no tool that ran complains.
#
# LINT_CFLAGS has the preprocessor flags of the build; CC is used for analyzer. TIDY_NODES is how far
# clang-tidy follows the paths of one function: 225000 is what clang does by itself, and takes three
# times as long.
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
build=$PWD
[ -f "$build/config.h" ] || { echo "lint: no config.h here; run ./configure first" >&2; exit 1; }
cd "$top" || exit 1
flags="-std=gnu11 -pthread -DHAVE_CONFIG_H -I$build -Isrc ${LINT_CFLAGS:-}"
jobs=$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
failed=0 missing=0
[ "${LINT_MISSING:-skip}" != fail ] || missing=1
steps=${*:-format tidy cppcheck}

sources() { find "$@" -name '*.c' | sort; }

# Whether a tool is there; if not, say so, and whether its step is left out.
has() {
	command -v "$1" >/dev/null 2>&1 && return 0
	[ $missing = 1 ] && echo "lint: no $1 here" || echo "lint: no $1 here, its checks are skipped"
	return 1
}

format() {
	has clang-format || return $missing
	find src tests -name '*.[ch]' | sort | xargs clang-format --dry-run -Werror
}

# One file a process: clang-tidy carries state over from one file to the next.
tidy() {
	has clang-tidy || return $missing
	sources src | LINT_FLAGS="$flags -Xclang -analyzer-config -Xclang max-nodes=${TIDY_NODES:-75000}" xargs -P"$jobs" -n1 sh -c '
		# shellcheck disable=SC2086
		said=$(clang-tidy --quiet "$1" -- $LINT_FLAGS 2>/dev/null) && [ -z "$said" ] && exit 0
		printf "%s\n" "$said"
		exit 1' _
}

# Suppressions hold for the whole tree, each with its reason:
#   missingInclude*     headers of the system are not read
#   normalCheckLevel*   a note of newer versions about themselves
#   preprocessorError*  cppcheck cannot expand the lists of rows (COMMAND, ROLE)
#   syntaxError         nor the tables of themes, in theme.c only
cppcheck_all() {
	has cppcheck || return $missing
	# shellcheck disable=SC2086
	cppcheck -q -j"$jobs" --std=c11 --enable=warning,performance,portability --inline-suppr \
		--suppress=missingInclude --suppress=missingIncludeSystem \
		--suppress=normalCheckLevelMaxBranches --suppress=preprocessorErrorDirective \
		--suppress=syntaxError:src/term/theme.c \
		--error-exitcode=1 -DHAVE_CONFIG_H -D__linux__ -D__GNUC__ -I"$build" -Isrc src tests
}

# -fanalyzer follows the paths of one file at a time: gcc takes one with each call.
analyzer() {
	case ${CC:-gcc} in *gcc*) ;; *) echo "lint: -fanalyzer is a switch of gcc"; return 0 ;; esac
	has "${CC:-gcc}" || return $missing
	# shellcheck disable=SC2086
	sources src | xargs -P"$jobs" -n1 "${CC:-gcc}" $flags -O2 -fanalyzer -Werror -c -o /dev/null
}

for step in $steps; do
	case $step in
	format) format ;;
	tidy) tidy ;;
	cppcheck) cppcheck_all ;;
	analyzer) analyzer ;;
	*) echo "usage: lint.sh [format] [tidy] [cppcheck] [analyzer]" >&2; exit 2 ;;
	esac || { echo "lint: $step complains, see above"; failed=1; }
done
[ $failed = 1 ] || echo "lint: nothing to complain about ($steps)"
exit $failed

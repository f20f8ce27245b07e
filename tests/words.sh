#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Words that the sources, the manual and the papers do not use: each has a plainer or more exact one
# (HACKING, 2 GLOSSARY). The list below has the word, as an extended regular expression that matches
# whole words in any case, and what to write.
#
# usage: words.sh [--list]     --list: print the places, but do not fail
set -u
cd "$(dirname "$0")/.." || exit 99
is_list=${1:-}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
LC_ALL=C
export LC_ALL

# Text that people read: sources with their comments, manual, papers, and the tests.
find src man tests data/README README HACKING NEWS CONTRIBUTING -type f \( -name '*.[ch15]' -o -name '*.sh' \
	-o -name README -o -name HACKING -o -name NEWS -o -name CONTRIBUTING \) \
	! -path '*/golden/*' ! -name words.sh | sort >"$work/files"
[ "$(wc -l <"$work/files")" -gt 100 ] || { echo "only $(wc -l <"$work/files") files found"; exit 99; }

while read -r word instead; do
	case $word in '' | '#'*) continue ;; esac
	pattern=$(printf '%s' "$word" | tr '_' ' ')
	xargs grep -n -i -w -E -e "$pattern" <"$work/files" | sed "s/\$/   [$pattern: write $instead]/"
done >"$work/found" <<'END'
whoever         who: the caller, the user, a function by its name
whosoever       the same
somebody        the user, the caller
someone         the user, the caller
nobody          no caller, no other thread
anybody         any caller
so_many         the number, up to N
so_much         the amount, up to N
parted_by       separated by
told_from       distinguished from
not_to_be_had   not available
to_be_had       available
without_more_ado immediately
lest            so that ... not
save_that       except that
relay           pipeline
handover        transfer
lit             highlight
END
n=$(wc -l <"$work/found")
[ "$n" = 0 ] && exit 0
cat "$work/found"
echo "$n places"
[ "$is_list" = --list ]

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The manual says what the program says: options, keys, and no mistake in its markup.
#
# 1. mandoc finds nothing to complain about in man/*.
# 2. The long options in `flametty --help` are those in the manual.
# 3. The keys that `flametty keys` prints are those in the manual: items of sections with
#    KEYS in their name.
# 4. Each of the README's first ten keys is a key of the program: the lines below the
#    heading with "first ten keys" in it, up to the next blank line; the keys come first, then
#    two blanks or more.
# 5. The words that an option takes, as the program names them when it refuses another one, are
#    those in the manual's items of that option (.Cm). The names of CSV tables, of JSON's parts and
#    of export formats are items of their sections, too.
# 6. Each format that `flametty formats` prints is named in flametty-formats(5).
# 7. The kinds of warnings in src/model/warning.c are the items of WARNINGS AND NOTES there.
# 8. The settings that `:set` lists are the items .Cm of THE COMMAND LINE.
# 9. Each page has NAME, SYNOPSIS and SEE ALSO, and is named by the first one. Each .Sx is a section
#    of its page, or of the page that `in .Xr` names behind it, and each page of flametty that .Xr
#    names is there.
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
program=${FLAMETTY:-./flametty}
[ -x "$program" ] || { echo "no program: $program"; exit 99; }
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
LC_ALL=C
export LC_ALL
failed=0
# All pages, but that of input formats, which names options of other programs.
page=$work/pages
for file in "$top"/man/*.[1-9]; do
	[ "${file##*/}" = flametty-formats.5 ] || cat "$file"
done >"$page"

bad() { echo "$*"; failed=1; }

# agree WHAT HERE THERE: two sorted lists are equal.
agree() {
	[ -s "$2" ] || bad "no $1 at all in the program's output"
	only=$(comm -23 "$2" "$3" | tr '\n' ' ')
	[ -z "$only" ] || bad "$1 that the manual lacks: $only"
	only=$(comm -13 "$2" "$3" | tr '\n' ' ')
	[ -z "$only" ] || bad "$1 that only the manual has: $only"
}

# ---- 1 ----
if command -v mandoc >/dev/null; then
	for file in "$top"/man/*.[1-9]; do
		# The date in .Dd and cross references are not ours to judge here.
		mandoc -T lint -W warning "$file" >"$work/lint" 2>&1 || true
		[ ! -s "$work/lint" ] || bad "$(cat "$work/lint")"
	done
else
	echo "mandoc is missing: the markup is not checked"
fi

# ---- 2 ----
"$program" --help | grep -o -E -e '(^|[^[:alnum:]-])--[a-z][a-z0-9-]*' | sed 's/^[^-]*//' | sort -u >"$work/options"
# `Fl -name`, on lines of their own or inside of others.
sed -e 's/\\-/-/g' "$page" | grep -o -E -e 'Fl -[a-z][a-z0-9-]+' | sed 's/^Fl -/--/' | sort -u >"$work/man-options"
# The options of flametty-run(1) are there only with --enable-remote.
if ! "$program" --help | grep -q 'flametty attach'; then
	sed -n '/^\.Sh OPTIONS/,/^\.Sh RUNNING/s/.*Fl -\([a-z][a-z-]*\).*/--\1/p' "$top/man/flametty-run.1" | sort -u >"$work/remote"
	comm -23 "$work/man-options" "$work/remote" >"$work/rest" && mv "$work/rest" "$work/man-options"
fi
agree "options" "$work/options" "$work/man-options"

# ---- 3 ----
"$program" keys --no-config >"$work/keys.txt" || bad "flametty keys fails"
# Two blanks and the keys, as far as two blanks again.
sed -n 's/^  \([^ ].*\)$/\1/p' "$work/keys.txt" | sed 's/   *.*//' | tr ' ' '\n' | sort -u >"$work/keys"
awk '
	/^\.Sh/ { inside = /KEYS/; next }
	inside && /^\.It / {
		for (i = 2; i <= NF; i++) {
			key = $i
			gsub(/^"|"$/, "", key)
			if (key ~ /^(Ic|Cm|Li|Sy|No|Ns|Pq|Xo|Xc)$/) continue
			# mandoc wants \& before what looks like a macro or punctuation.
			gsub(/\\&/, "", key)
			gsub(/\\-/, "-", key); gsub(/\\\(ha/, "^", key); gsub(/\\\(dq/, "\"", key); gsub(/\\\(ti/, "~", key); gsub(/\\e/, "\\", key)
			if (key == "," && $i == ",") continue
			print key
		}
	}' "$page" | sort -u >"$work/man-keys"
agree "keys" "$work/keys" "$work/man-keys"

# ---- 4 ----
awk '
	tolower($0) ~ /first ten keys/ { inside = 1; next }
	inside && /^[[:space:]]*$/ { if (seen) exit; next }
	inside && /^ / { seen = 1; sub(/^ +/, ""); sub(/  .*/, ""); print }
' "$top/README" | tr ' ' '\n' | sort -u >"$work/readme-keys"
[ -s "$work/readme-keys" ] || bad "the README has no list below \"first ten keys\""
only=$(comm -13 "$work/keys" "$work/readme-keys" | tr '\n' ' ')
[ -z "$only" ] || bad "keys in the README that do nothing: $only"
# ---- 5 ----
# refused OPTION ARGUMENT...: the words, a line each.
refused() {
	option=$1
	shift
	"$program" "$@" "--$option=?" x 2>&1 >"$work/out" | sed -n -e 's/.* wants \(.*\), not .*/\1/p' -e 's/.*; it has //p' |
		sed -e "s/ or a file\$//" -e "s/ or /, /" -e 's/ and /, /' -e 's/, /\n/g'
}
# named PATTERN SECTION: the words of .Cm in items of the section that match.
named() {
	awk -v pattern="$1" -v section="$2" '
		/^\.Sh/ { inside = section == "" || index($0, section) }
		/^\.(It|El|S[hs])/ { item = inside && $0 ~ pattern }
		item && sub(/^.*\.?Cm /, "") { gsub(/[|,]/, " "); for (i = 1; i <= NF; i++) if ($i ~ /^[a-z0-9-]+(:KEY)?$/) print $i }
	' "$page" | sort -u
}
for option in color theme sort group table with value; do
	refused "$option" report | sort -u >"$work/words"
	named "Fl -$option " "OPTIONS" >"$work/man-words"
	agree "words of --$option" "$work/words" "$work/man-words"
done
{ refused format report; refused format export; } | sort -u >"$work/words"
named "Fl -format " "OPTIONS" >"$work/man-words"
agree "words of --format" "$work/words" "$work/man-words"
refused table report | sort -u >"$work/words"
named "^.It Cm" "CSV" >"$work/man-words"
agree "CSV tables" "$work/words" "$work/man-words"
refused format export | sort -u >"$work/words"
page=$top/man/flametty-export.1 named "^.It Cm" "DESCRIPTION" >"$work/man-words"
agree "export formats" "$work/words" "$work/man-words"

# ---- 6 ----
for format in $("$program" formats | sed 's/ .*//'); do
	grep -q "^\.It Cm $format\$" "$top/man/flametty-formats.5" ||
		bad "flametty-formats(5) does not name the format $format"
done

# ---- 7 ----
sed -n 's/.*\[WARN_[A-Z_]*\] = { "\([a-z-]*\)".*/\1/p' "$top/src/model/warning.c" | sort >"$work/words"
awk '
	/^\.Sh/ { inside = /WARNINGS AND NOTES/ }
	inside && /^\.It Li / { for (i = 3; i <= NF; i++) if ($i != ",") print $i }
' "$top/man/flametty-formats.5" | sort >"$work/man-words"
agree "kinds of warnings" "$work/words" "$work/man-words"

# ---- 8 ----
"$program" --render=100x60 --keys=':set<Enter>' "$top/tests/input/small.cpuprofile" |
	sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p' | sort >"$work/words"
named "^.It Cm" "THE COMMAND LINE" >"$work/man-words"
agree "settings" "$work/words" "$work/man-words"

# ---- 9 ----
for file in "$top"/man/*.[1-9]; do
	name=${file##*/}
	for section in NAME SYNOPSIS 'SEE ALSO'; do
		grep -q "^\.Sh $section\$" "$file" || bad "$name has no section $section"
	done
	[ "$name" = flametty.1 ] || grep -q "^\.Xr ${name%.*} ${name##*.}" "$top/man/flametty.1" ||
		bad "flametty(1) does not name ${name%.*}"
done
for file in "$top"/man/*.[1-9]; do
	name=${file##*/}
	awk -v page="${name%.*} ${name##*.}" '
		# see PAGE TITLE: without what mdoc has behind the title.
		function see(to, text) { sub(/ [.,;:)]( .*)?$/, "", text); print "see\t" to "\t" text "\t" page }
		/^\.S[hs] / { print "has\t" page "\t" substr($0, 5) }
		{ between = ($0 == "in" || $0 == "of") }
		pending != "" && between { next }
		pending != "" { see($0 ~ /^\.Xr / ? $2 " " $3 : page, pending); pending = "" }
		/(^\.| )Sx / {
			text = $0
			sub(/^.*Sx /, "", text)
			if (match(text, / No in Xr /)) {
				split(substr(text, RSTART + RLENGTH), to, " ")
				see(to[1] " " to[2], substr(text, 1, RSTART - 1))
			} else if ($1 == ".Sx" && text !~ / [.,;:)]$/) pending = text
			else see(page, text)
		}
		{ text = $0; while (match(text, /Xr flametty[a-z-]* [0-9]/)) {
			print "see\t" substr(text, RSTART + 3, RLENGTH - 3) "\tNAME\t" page
			text = substr(text, RSTART + RLENGTH)
		} }
	' "$file"
done >"$work/sections"
[ "$(grep -c '^see' "$work/sections")" -gt 100 ] || bad "the references between pages are not found"
awk -F '\t' '
	$1 == "has" { has[$2, $3] = 1 }
	$1 == "see" { want[$2 FS $3 FS $4] = 1 }
	END { for (key in want) { split(key, at, FS); if (!((at[1], at[2]) in has)) print at[3] " refers to " at[2] " of " at[1] } }
' "$work/sections" | sort >"$work/lost"
[ ! -s "$work/lost" ] || bad "$(cat "$work/lost")"
exit $failed

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# zsh completes commands, options, their words and files from the script that the program writes: in
# an interactive shell, as a user types.
command -v zsh >/dev/null || { echo "zsh is missing"; exit 77; }
program=${FLAMETTY:-./flametty}
case $program in /*) ;; *) program=$PWD/$program ;; esac
work=$(mktemp -d "${TMPDIR:-/tmp}/flametty.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
mkdir functions
"$program" --completion=zsh >functions/_flametty || exit 1
touch other.json
HOME=$work ZDOTDIR=$work LC_ALL=C TERM=dumb
export HOME ZDOTDIR LC_ALL TERM
cat >test.zsh <<'END'
zmodload zsh/zpty || exit 77
failed=0
zpty shell zsh -f -i
# Lines without an editor's sequences; one completion leaves what it completed in a file.
zpty -w shell 'fpath=($PWD/functions $fpath); autoload -U compinit; compinit -u -D; PS1=; stty -echo
show() { print -r -- "$BUFFER" >found; BUFFER=; zle accept-line }; zle -N show; bindkey "^X" show
setopt no_list_beep no_auto_list; print ready >start'
for i in {1..200}; do [[ -s start ]] && break; sleep 0.05; done
check() {
	rm -f found
	zpty -w -n shell "$1"$'\t\x18'
	for i in {1..200}; do [[ -s found ]] && break; sleep 0.05; done
	[[ "$(<found)" == "$2" ]] && return
	print -r -- "after '$1': $(<found), not '$2'"
	failed=1
}
check 'flametty rep' 'flametty report '
check 'flametty --the' 'flametty --theme='
check 'flametty --theme=da' 'flametty --theme=dark '
check 'flametty export -f fol' 'flametty export -f folded '
check 'flametty report --format=js' 'flametty report --format=json '
check 'flametty oth' 'flametty other.json '
check 'flametty schema re' 'flametty schema report '
check 'flametty report --top=3 oth' 'flametty report --top=3 other.json '
zpty -d shell
exit $failed
END
exec zsh -f test.zsh

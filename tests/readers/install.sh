#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Fetch the programs that read exports: packages of npm into FOLDER/node_modules, modules of Python,
# and protoc. Prints what cannot be had; the tests skip without it.
# usage: install.sh FOLDER
set -u
[ $# = 1 ] || { echo "usage: install.sh FOLDER" >&2; exit 2; }
mkdir -p "$1" && cd "$1" || exit 1
limit=
! command -v timeout >/dev/null || limit="timeout 60"
has() { command -v "$1" >/dev/null; }

if [ ! -d node_modules/speedscope ] || [ ! -d node_modules/d3-flame-graph ] ||
	[ ! -d node_modules/@paulirish/trace_engine ]; then
	has npm && $limit npm install --silent --no-audit --no-fund --no-save --ignore-scripts \
		@paulirish/trace_engine@0.0.65 speedscope@1.25.0 d3-flame-graph@5.0.0 d3-scale@4 \
		d3-hierarchy@3 d3-selection@3 d3-transition@3 || echo "no packages of npm"
fi
for module in duckdb chdb; do
	! has python3 || python3 -c "import $module" 2>/dev/null ||
		$limit python3 -m pip install -q --root-user-action=ignore "$module" || echo "no $module"
done
if ! has protoc && has apt-get; then
	DEBIAN_FRONTEND=noninteractive $limit apt-get install -y -q protobuf-compiler >/dev/null ||
		echo "no protoc"
fi
exit 0

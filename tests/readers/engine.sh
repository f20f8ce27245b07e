#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What a trace of a page says of its pages is what DevTools' engine finds in it.
# usage: engine.sh [FILE|FOLDER...]      these instead of data/trace, some of tests/input, and traces of ../shared/corpus
set -u
. "$(dirname "$0")/lib.sh"
read_by engine.py "$@"

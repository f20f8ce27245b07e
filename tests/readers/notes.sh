#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# DevTools' engine finds the calls that notes in an export name.
# usage: notes.sh [FILE|FOLDER...]
set -u
. "$(dirname "$0")/lib.sh"
read_by notes.py "$@"

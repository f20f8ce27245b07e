#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Chromium shows exports as pages: the picture, the tables, the call tree; a click, a search and a key do what they should.
# usage: html.sh [FILE|FOLDER...]
set -u
. "$(dirname "$0")/lib.sh"
read_by html.py "$@"

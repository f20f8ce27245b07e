#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What flametty fleet prints, of fleets whose answers are known, and with hostile names.
. "$(dirname "$0")/lib.sh"
needs python3
exec python3 "$(dirname "$0")/fleet_report.py" "$FLAMETTY"

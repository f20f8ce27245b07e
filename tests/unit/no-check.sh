#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
echo "The unit tests need the library Check, which configure did not find."
exit 77

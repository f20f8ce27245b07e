// SPDX-License-Identifier: GPL-2.0-or-later
// The server, in a program whose main file is an ES module.
import './server.cjs';

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes labels.pb, a profile of pprof as the profiler of Datadog for Node.js writes it: samples
with end_timestamp_ns and the labels of threads, requests and spans.

    python3 labels.py >labels.pb
    python3 labels.py after >labels-after.pb
    python3 labels.py many >labels-many.pb"""
import sys

strings = {"": 0}
functions = []
START = 1_760_000_000_000_000_000  # ns since 1970
MS = 1_000_000


def text(s):
    return strings.setdefault(s, len(strings))


def varint(n):
    n &= (1 << 64) - 1
    out = bytearray()
    while n > 0x7F:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    out.append(n)
    return bytes(out)


def number(field, n):
    return varint(field << 3) + varint(n)


def message(field, data):
    return varint(field << 3 | 2) + varint(len(data)) + data


def function(name, file, line):
    if (name, file, line) not in functions:
        functions.append((name, file, line))
    return functions.index((name, file, line)) + 1


def sample(stack, values, labels):
    """stack: outermost first"""
    ids = b"".join(varint(function(*f)) for f in reversed(stack))
    out = message(1, ids) + message(2, b"".join(map(varint, values)))
    for key, value in labels.items():
        is_text = isinstance(value, str)
        out += message(3, number(1, text(key)) + (number(2, text(value)) if is_text else number(3, value)))
    return message(2, out)


SERVE = ("serve", "/srv/server.js", 10)
QUERY = ("query", "/srv/db.js", 3)
RENDER = ("render", "/srv/view.js", 20)
PARSE = ("parse", "/srv/worker.js", 5)
IDLE = ("(idle)", "", 0)
NATIVE = ("Non JS threads activity", "", 0)
MAIN = {"thread name": "Main Event Loop", "thread id": "0", "os thread id": 4001}
WORKER = {"thread name": "Worker (1)", "thread id": "1", "os thread id": 4002}


def request(endpoint, span, root):
    return {"trace endpoint": endpoint, "span id": span, "local root span id": root}


def write(out, duration):
    """Write what samples refer to behind them"""
    for i, (name, file, line) in enumerate(functions, 1):
        out += message(4, number(1, i) + message(4, number(1, i) + number(2, line)))
        out += message(5, number(1, i) + number(2, text(name)) + number(4, text(file)) + number(5, line))
    out += number(9, START + duration * MS) + number(10, duration * MS)
    out += message(11, number(1, text("wall")) + number(2, text("nanoseconds")))
    out += number(12, 10 * MS) + number(14, text("wall"))
    for s in strings:
        out += message(6, s.encode())
    sys.stdout.buffer.write(out)


def main(is_after):
    out = b"".join(
        message(1, number(1, text(kind)) + number(2, text(unit)))
        for kind, unit in (("sample", "count"), ("wall", "nanoseconds"), ("cpu", "nanoseconds")))
    users, orders = request("GET /users", "11", "1"), request("POST /orders", "22", "2")
    rows = [  # end in ms, stack, wall in ms, cpu in ms, labels
        (10.0, [SERVE], 10, 8, MAIN | users),
        (20.3, [SERVE, QUERY], 10, 9, MAIN | users),
        (29.8, [SERVE, QUERY], 10, 9, MAIN | users | {"span id": "12"}),
        (40.1, [SERVE, RENDER], 10, 10, MAIN | (orders if is_after else users)),
        (50.0, [IDLE], 0, 0, MAIN),
        (60.0, [IDLE], 0, 0, MAIN),
        (70.2, [SERVE, QUERY], 10, 7, MAIN | orders),
        (79.9, [SERVE, RENDER], 10, 10, MAIN | orders),
        (90.0, [SERVE], 10, 4, MAIN),
        (15.0, [PARSE], 10, 10, WORKER),
        (25.2, [PARSE], 10, 10, WORKER),
    ]
    # Writers go through the call tree, so samples are not in the order of time.
    for end, stack, wall, cpu, labels in sorted(rows, key=lambda r: (len(r[1]), r[1][-1], -r[0])):
        when = {"end_timestamp_ns": START + int(end * MS)}
        out += sample(stack, [1, wall * MS, cpu * MS], labels | when)
    out += sample([SERVE, RENDER], [2, 20 * MS, 12 * MS], MAIN)
    out += sample([NATIVE], [1, 0, 30 * MS], {"thread name": "Non-JS threads"})
    write(out, 100)


def many():
    """60 requests of a sample each, one after another"""
    end = 0
    out = b"".join(
        message(1, number(1, text(kind)) + number(2, text(unit)))
        for kind, unit in (("sample", "count"), ("wall", "nanoseconds")))
    for i in range(60):
        end += 1 + i % 7
        labels = request(f"GET /u{i % 4}", str(100 + i), "1") | {"end_timestamp_ns": START + end * MS}
        out += sample([SERVE, QUERY if i % 3 else RENDER], [1, (1 + i % 7) * MS], labels)
    write(out, end)


many() if sys.argv[1:] == ["many"] else main(sys.argv[1:] == ["after"])

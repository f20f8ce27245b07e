#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Every kind of message and of text output, with a name that has control characters: ESC ] 0 ; title
# BEL, C1, a newline, bidirectional controls, DEL. None of them reaches a terminal, and pictures and
# pages stay well-formed.
set -u
# It opens an inspector, as the tests of tests/remote do, which run one after another.
if [ -z "${HAS_PORT:-}" ] && flock --help 2>/dev/null | grep -q -e '--close'; then
	HAS_PORT=yes
	export HAS_PORT
	exec flock --close "${TMPDIR:-/tmp}/flametty-9229.lock" "$0" "$@"
fi
FLAMETTY=${FLAMETTY:-$PWD/flametty}
[ -x "$FLAMETTY" ] || { echo "no program: $FLAMETTY"; exit 99; }
top=$(cd "$(dirname "$0")/.." && pwd)
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
exec python3 - "$FLAMETTY" "$top" <<'END'
import os, re, subprocess, sys, tempfile
import xml.dom.minidom

program, top = sys.argv[1:]
NAME = "a\033]0;x\a\u009bm\nb\u202ec\u2066d\x01\x7f"
LINE = NAME.replace("\n", " ")
HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f]")
failed = 0
work = tempfile.TemporaryDirectory()
os.chdir(work.name)
good, bad = NAME + ".cpuprofile", NAME + ".bad"
with open(top + "/tests/input/small.cpuprofile") as f:
    text = f.read()
with open(good, "w") as f:
    f.write(text)
with open("plain", "w") as f:
    f.write(text)
with open(bad, "w") as f:
    f.write("not json")
os.chmod(good, 0o600)
events = []
for i, name in enumerate(["process_name", "thread_name"]):
    events.append('{"ph":"M","pid":1,"tid":1,"name":"%s","args":{"name":%s}}' % (name, "@"))
for ph in ["X", "i", "C", "b", "e", "N", "D"]:
    events.append('{"ph":"%s","pid":1,"tid":1,"ts":9,"dur":9,"s":"g","id":1,"cat":@,"name":@,'
                  '"args":{"value":1}}' % ph)
import json
with open("trace.json", "w") as f:
    f.write(("[" + ",".join(events) + "]").replace("@", json.dumps(NAME)))
with open("names.folded", "w") as f:
    f.write(LINE + ";b " + "5\n")
for i, body in enumerate(["group = @", "@ = 3", "theme = @", "max-memory = @", "color = @",
                          "lanes = @", "[@]", "map @ zoom-in"]):
    with open("config-%d" % i, "w") as f:
        f.write(body.replace("@", LINE) + "\n")
with open(NAME + ".config", "w") as f:
    f.write("group = x\n")

cases = []
for path in [good, "trace.json", "names.folded"]:
    for form in ["text", "json", "csv", "md"]:
        cases.append(["report", "-f", form, path])
    cases.append(["--render=120x30", path])
    for form in ["svg", "html", "folded", "speedscope", "trace", "d3", "json", "csv", "md"]:
        cases.append(["export", "-f", form, path])
    cases.append(["export", "-f", "svg", "--merged", path])
cases += [["report", bad], ["report", NAME], ["report", good, bad], [NAME], ["repor" + NAME]]
for form in ["text", "md", "json", "csv"]:
    cases.append(["diff", "-f", form, good, good])
    cases.append(["diff", "-f", form, good, "plain"])
cases += [["diff", good, bad], ["diff", good, NAME], ["diff", good],
          ["diff", "--noise", good, good], ["diff", "--before", good, good, "--after", good, good],
          ["diff", good, good, "--fail-if=gc > " + NAME], ["diff", "--match=" + NAME, good, good],
          ["diff", "--per=" + NAME, good, good], ["diff", "--floor=" + NAME, good, good],
          ["diff", "--per=count:(" + NAME, good, good]]
cases += [["export", "-o", NAME + "/x", good], ["export", "-o", good, good],
          ["export", "-o", "out" + NAME, good], ["export", "-f", NAME, good],
          ["export", "-f", "cpuprofile", "-o", "folder" + NAME + "/", good],
          ["export", "-o", "trace" + NAME, "trace.json"]]
options = ["lane", "focus", "only", "drop", "hide", "collapse", "during", "from", "to", "filter", "table", "top",
           "max-memory", "max-unpacked", "max-output", "max-rows", "format-in", "sample-type",
           "source-map", "map", "source-root", "group", "fail-if", "config", "sort", "with", "gaps",
           "format", "color", "theme", "render", "keys", "completion", NAME]
for option in options:
    for value in [NAME, "(" + NAME]:
        cases.append(["report", "--%s=%s" % (option, value), good])
cases += [["report", "--fail-if=total(%s) > 1%%" % NAME, good], ["-" + NAME, good],
          ["--keys=" + NAME, "--render=80x24", good], ["export", "--min-width=" + NAME, good],
          ["export", "--value=" + NAME, good], ["report", "-r", "."]]
cases += [["run", "--", NAME], ["run", "-o", NAME, "--", "./" + NAME],
          ["run", "-o", "runs" + NAME, "--", "true"], ["run", "--interval=" + NAME, "--", "true"],
          ["run", "--duration=" + NAME, "--", "true"], ["run", "-o", good, "--", "true"],
          ["attach", NAME], ["attach", "localhost:" + NAME], ["attach", "-t", NAME, "1"],
          ["attach", "-o", NAME, "1"], ["watch", NAME], ["watch", "-o", good, NAME],
          ["watch", "--stall=" + NAME, "1"], ["watch", "--gc=" + NAME, "1"],
          ["watch", "--busy=" + NAME, "1"], ["watch", "--keep=" + NAME, "1"], ["live", NAME],
          ["live", "--render=80x24", NAME], ["formats", NAME], ["schema", NAME], ["keys", NAME]]
for i in range(8):
    cases.append(["report", "--config=config-%d" % i, good])
cases.append(["report", "--config=" + NAME + ".config", good])

# A live process: its file, its title and a word of its command line have the name.
import shutil
node, target = shutil.which("node"), None
if node and os.path.isdir("/proc/self/fd") and os.environ.get("RECORDS_PROCESSES") != "no":
    script = NAME + ".js"
    with open(script, "w") as f:
        f.write("process.title = %s; setInterval(() => {}, 1000); console.log(1);" % json.dumps(NAME + "!"))
    with open(NAME + "-short.js", "w") as f:
        f.write("process.title = %s;" % json.dumps(NAME))
    target = subprocess.Popen([node, "./" + script], stdout=subprocess.PIPE,
                              stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    target.stdout.readline()
    pid = str(target.pid)
    cases += [["attach"], ["attach", "-t", "1s", "--report", pid], ["attach", "-t", "1s", "-o", NAME + ".d/", pid],
              ["live", "--render=80x24", pid], ["attach", "-t", "1s", "--report", NAME + "!"],
              ["run", "-o", "runs.d", "--", node, "./" + NAME + "-short.js", NAME],
              ["run", "--report", "--", node, "./" + NAME + "-short.js", NAME],
              ["report", "-r", "runs.d"], ["report", "-r", NAME + ".d"]]

for case in cases:
    try:
        r = subprocess.run([program] + case, capture_output=True, timeout=60,
                           stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        print("FAILED: no end:", ascii(case))
        failed = 1
        continue
    for what, out in [("output", r.stdout), ("message", r.stderr)]:
        out = out.decode("utf-8", "surrogateescape")
        if "csv" in case:
            out = out.replace("\r\n", "\n")
        found = sorted(set(HIDDEN.findall(out)))
        if found:
            print("FAILED: %s has %s: %s" % (what, ascii(found), ascii(case)))
            failed = 1
    # A name does not begin a line.
    for line in r.stderr.decode("utf-8", "replace").split("\n"):
        if line.startswith("b") and "c" in line:
            print("FAILED: a name begins a line:", ascii(case))
            failed = 1
    if r.returncode < 0:
        print("FAILED: signal %d: %s" % (-r.returncode, ascii(case)))
        failed = 1
    if case[:1] == ["export"] and "svg" in case:
        xml.dom.minidom.parseString(r.stdout)
    if case[:1] == ["export"] and "html" in case:
        svg = re.search(rb"<svg .*?</svg>", r.stdout, re.S)
        if svg:
            xml.dom.minidom.parseString(svg.group().replace(b"&nbsp;", b" "))
if target:
    if target.poll() is not None:
        print("FAILED: the process that was looked at has ended")
        failed = 1
    target.kill()
    target.wait()
if not failed:
    print("hostile names: %d commands print none" % len(cases))
sys.exit(failed)
END

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The jobs of data/ci and the action of packaging/github-action, run line by line as their services do:
# their gates pass a program that is the same, and fail one that is slower. Needs Node.js, npm, git and
# Python with yaml.
. "$(dirname "$0")/lib.sh"
needs node npm git python3
python3 -c 'import yaml' 2>/dev/null || { echo "skipped: python3 without yaml"; exit 77; }
"$FLAMETTY" --help | grep -q 'flametty run' || { echo "skipped: built without run"; exit 77; }
use_work
mkdir "$work/bin" && ln -s "$FLAMETTY" "$work/bin/flametty"
export PATH=$work/bin:$PATH HOME=$work npm_config_cache=$work/cache npm_config_update_notifier=false \
	npm_config_offline=true npm_config_audit=false GIT_CONFIG_NOSYSTEM=1 \
	GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
passed=0 failed=0

# The commands of a job or an action, a file each, and what the inputs set, as shell assignments.
cat >"$work/lines.py" <<'PY'
import re, shlex, sys, yaml
file, to = sys.argv[1:3]
given = dict(a.split("=", 1) for a in sys.argv[3:])
job = yaml.safe_load(open(file))
inputs = {k: str(v.get("default", "")) for k, v in job.get("inputs", {}).items()}
assert set(given) <= set(inputs), given
inputs.update(given)
value = lambda text: re.sub(r"\$\{\{ inputs\.([a-z-]+) \}\}", lambda m: inputs[m[1]], str(text))
if "runs" in job:
    steps = [s for s in job["runs"]["steps"] if "run" in s]
    assert all(s["shell"] == "bash" for s in steps) and "${{" not in "".join(s["run"] for s in steps)
elif "jobs" in job:
    steps = [s for s in job["jobs"]["profile"]["steps"] if "run" in s]
else:
    steps = [{"run": line} for line in job["profile"]["script"]]
assert steps
for i, step in enumerate(steps):
    with open(f"{to}/{i:02d}.sh", "w") as out:
        for name, text in step.get("env", {}).items():
            out.write(f"export {name}={shlex.quote(value(text))}\n")
        out.write(step["run"] + "\n")
PY

# job FILE INPUT...: its commands, in this folder, until one fails; returns its status.
job() {
	rm -rf "$work/lines" "$work/log"
	mkdir "$work/lines"
	python3 "$work/lines.py" "$1" "$work/lines" "${@:2}" || return 99
	for line in "$work"/lines/*.sh; do
		GITHUB_STEP_SUMMARY=$work/summary bash -eo pipefail "$line" >>"$work/log" 2>&1 || return
	done
}

# expect STATUS WHAT COMMAND...: once more if noise has decided.
expect() {
	local wanted=$1 what=$2 got
	shift 2
	for _ in 1 2; do
		rm -f "$work/summary"
		"$@"
		got=$?
		[ $got != "$wanted" ] || { passed=$((passed + 1)); return; }
	done
	echo "FAILED: $what: status $got, not $wanted"
	tail -n 30 "$work/log"
	failed=$((failed + 1))
}

# program FOLDER ROUNDS: with bench.js, which does that work in src/.
program() {
	mkdir -p "$1/src"
	cat >"$1/src/work.js" <<-EOF
		exports.work = function work() {
			let x = 0;
			for (let i = 0; i < $2 * 1e6; i++) x = (x * 31 + i) | 0;
			return x;
		};
	EOF
	echo "console.log(require('./src/work').work());" >"$1/bench.js"
	echo '{"name":"p","version":"1.0.0","lockfileVersion":3,"requires":true,"packages":{"":{"name":"p","version":"1.0.0"}}}' \
		>"$1/package-lock.json"
	echo '{"name":"p","version":"1.0.0"}' >"$1/package.json"
	printf '%s\n' 'prof' 'base' 'node_modules' >"$1/.gitignore"
}

# ---- data/ci/github-workflow.yml: the commit before is the base ----

pull_request() {
	rm -rf "$work/pull"
	program "$work/pull" 10
	cd "$work/pull" && git init -q . && git add -A && git commit -qm base || return 99
	program "$work/pull" "$1"
	git add -A && git commit -q --allow-empty -m change && job "$top/data/ci/github-workflow.yml"
}
expect 0 "workflow: no change" pull_request 10
grep -q '^|' "$work/summary" || { echo "FAILED: no table in the summary"; failed=$((failed + 1)); }
expect 1 "workflow: slower" pull_request 40
grep -q "file:/src/" "$work/summary" || { echo "FAILED: no gate in the summary"; failed=$((failed + 1)); }

# ---- data/ci/gitlab-job.yml: a limit ----

pipeline() {
	rm -rf "$work/line"
	program "$work/line" "$1"
	cd "$work/line" && job "$top/data/ci/gitlab-job.yml"
}
expect 0 "job: within its limits" pipeline 10
# The limit is 2 s: 300 million rounds took 1.9 to 3.1 s.
expect 1 "job: too slow" pipeline 900

# ---- the action: a stored base ----

action() {
	program "$work/action" "$1"
	cd "$work/action" && rm -rf profiles && job "$top/packaging/github-action/action.yml" \
		'command=node bench.js' 'fail-if=self(file:/src/) > +5%
gc > +5pt'
}
expect 0 "action: no base" action 10
grep -q 'nothing is compared' "$work/log" || { echo "FAILED: no notice"; failed=$((failed + 1)); }
mv "$work/action/profiles" "$work/action/base"
expect 0 "action: no change" action 10
expect 1 "action: slower" action 40
for check in '[ "$(wc -c <flametty-summary.md)" -le 60000 ]' 'grep -q "file:/src/" flametty-summary.md' \
	'grep -q "(flametty.svg)" flametty-summary.md' 'grep -q work flametty.svg' \
	'python3 -c "import xml.dom.minidom as x; x.parse(\"flametty.svg\")"'; do
	if (cd "$work/action" && eval "$check"); then passed=$((passed + 1)); else
		echo "FAILED: $check"
		failed=$((failed + 1))
	fi
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]

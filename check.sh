#!/bin/sh
# The one command that checks everything; `./check.sh lint` leaves the tests out. Needs `make setup` first.
# Every check runs even when an earlier one failed; the exit code is 1 when any did.
set -u
cd "$(dirname "$0")"
python=.venv/bin/python
[ -x "$python" ] || python=python3
export PATH="$PWD/.venv/bin:$PATH"
failed=""

check() {
    name=$1
    shift
    start=$(date +%s)
    if "$@"; then
        printf 'ok      %s (%ss)\n' "$name" "$(($(date +%s) - start))"
    else
        printf 'FAILED  %s: %s\n' "$name" "$*"
        failed="$failed $name"
    fi
}

check format "$python" -m ruff format --check --quiet .
check style "$python" -m ruff check --quiet .
check types "$python" -m mypy --no-error-summary
check floors lint-imports
if [ "${1:-all}" != lint ]; then
    # what belongs to the virtual screen runs beside the rest, but never two at once: it looks at the clock;
    # without a virtual screen those tests fail here instead of being left out
    export AUTOSOLVE_NEED_SCREEN=1
    check tests "$python" -m pytest -q -n 2 --dist loadgroup
fi

if [ -n "$failed" ]; then
    printf 'failed:%s\n' "$failed"
    exit 1
fi
printf 'all good\n'

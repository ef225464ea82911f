#!/bin/sh
# Sets up a checkout: Debian packages where missing, .venv, and the project with its development group.
# Quick when nothing is missing. Exit 3: this machine lacks something that cannot be installed from here.
set -eu
cd "$(dirname "$0")/.."

say() { printf '%s\n' "setup: $*" >&2; }
have() { command -v "$1" > /dev/null 2>&1; }

# ---------------------------------------------------------------- a Python that is new enough
find_python() {
    for name in python3 python3.11 python3.12 python3.13 python3.14; do
        if have "$name" && "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2> /dev/null; then
            printf '%s' "$name"
            return
        fi
    done
}
python=$(find_python)
if [ -z "$python" ]; then
    say "Python 3.11 or newer was not found."
    say "Install it (on Debian 12 or later: apt-get install python3), then run this again."
    exit 3
fi

# ---------------------------------------------------------------- Debian packages
packaged() { dpkg-query -W -f '${db:Status-Status}' "$1" 2> /dev/null | grep -qx installed; }
has_browser() { have chromium || have chromium-browser || have google-chrome || have google-chrome-stable; }

missing=""
need() { missing="$missing $1"; }
have Xvfb || need xvfb
have openbox || need openbox
have xdotool || need xdotool
have xprop && have xmessage || need x11-utils
has_browser || need chromium
# a venv needs the module that puts pip into it, which Debian packs apart
[ -x .venv/bin/python ] || "$python" -c 'import ensurepip, venv' 2> /dev/null || need python3-venv
if have dpkg-query; then
    # the last ones are what Qt needs to open a window (watch --overlay-window)
    for package in fonts-dejavu-core fonts-liberation fonts-noto-core fonts-wine libegl1 libxkbcommon-x11-0 \
        libxcb-cursor0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 libxcb-render-util0 libxcb-xkb1; do
        packaged "$package" || need "$package"
    done
fi

if [ -n "$missing" ]; then
    if ! have apt-get; then
        say "these are missing and this is not a Debian system:$missing"
        say "Install what your system calls them, then run this again."
        exit 3
    fi
    as_root=""
    if [ "$(id -u)" != 0 ]; then
        if have sudo && { sudo -n true 2> /dev/null || [ -t 0 ]; }; then
            as_root="sudo"
        else
            say "these Debian packages are missing:$missing"
            say "Ask an administrator to run: apt-get install --no-install-recommends$missing"
            exit 3
        fi
    fi
    say "installing Debian packages:$missing"
    install() {
        # shellcheck disable=SC2086
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing \
            > "$log" 2>&1 < /dev/null
    }
    log=$(mktemp)
    trap 'rm -f "$log"' EXIT
    $as_root apt-get update -qq > "$log" 2>&1 < /dev/null || true
    # Ubuntu has the browser under its older name
    case "$missing" in
        *chromium*) apt-cache show chromium > /dev/null 2>&1 || missing=$(printf '%s' "$missing" | sed 's/ chromium/ chromium-browser/') ;;
    esac
    if ! install; then
        tail -n 15 "$log" >&2
        say "apt-get could not install:$missing"
        say "Read its words above, mend that, then run this again."
        exit 3
    fi
fi

# ---------------------------------------------------------------- .venv, made anew when pyproject.toml changed
stamp=".venv/made-for"
wanted=$(cat pyproject.toml tools/setup.sh | cksum)
if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ] && .venv/bin/python -c 'import autosolve' 2> /dev/null; then
    exit 0
fi
say "setting up .venv (a minute the first time)"
if [ ! -x .venv/bin/python ] || ! .venv/bin/python -c 'import pip' 2> /dev/null; then
    rm -rf .venv
    "$python" -m venv .venv
fi
pip() { .venv/bin/python -m pip --disable-pip-version-check --no-input -q "$@" < /dev/null; }
# dependency groups came with pip 25.1
if ! pip install --upgrade 'pip>=25.1' || ! pip install --editable . --group dev; then
    say "the Python libraries could not be installed; pip's reason stands above."
    say "Check the network, then run this again."
    exit 3
fi
printf '%s' "$wanted" > "$stamp"

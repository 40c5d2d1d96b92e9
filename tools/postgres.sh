#!/bin/sh
# Prints the directory of PostgreSQL's programs for the tests that read from a server; brings Debian's package where that is allowed.
# Ends with 1 and a reason on the error output where there is none: those tests are skipped then. No server is started here.
set -eu
find_it() {
    for place in ${TACITA_POSTGRES:+"$TACITA_POSTGRES"} $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -t/ -k5,5Vr); do
        if [ -x "$place/initdb" ] && [ -x "$place/postgres" ]; then echo "$place"; return 0; fi
    done
    found=$(command -v initdb 2>/dev/null) || return 1
    place=$(dirname "$(readlink -f "$found")")
    [ -x "$place/postgres" ] && echo "$place"
}
find_it && exit 0
say() { echo "$1; 'apt-get install postgresql' brings it, or TACITA_POSTGRES names its directory of programs" >&2; exit 1; }
[ "${1:-}" != "--find" ] || say "there is no PostgreSQL here"
command -v apt-get >/dev/null 2>&1 || say "there is no PostgreSQL here and no apt-get"
if [ "$(id -u)" = 0 ]; then
    as_root=""
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    as_root="sudo -n"
else
    say "there is no PostgreSQL here, and installing it needs root"
fi
# Debian's package would make and start a server of its own, which nobody asked for.
settings=/etc/postgresql-common/createcluster.d
$as_root mkdir -p "$settings"
[ -e "$settings/tacita-tests.conf" ] || echo "create_main_cluster = false" | $as_root tee "$settings/tacita-tests.conf" >/dev/null
{ $as_root apt-get update -qq && DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends postgresql; } >/dev/null 2>&1 \
    || say "PostgreSQL could not be installed"
find_it || say "PostgreSQL was installed, but its programs are not where Debian has them"

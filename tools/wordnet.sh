#!/bin/sh
# Brings Debian's WordNet for the tests that read it; without it those tests are skipped.
set -eu
[ -f /usr/share/wordnet/data.noun ] && exit 0
skipped="The tests that read WordNet will be skipped; 'apt-get install wordnet-base' brings it."
command -v apt-get >/dev/null 2>&1 || { echo "There is no WordNet here and no apt-get. $skipped"; exit 0; }
if [ "$(id -u)" = 0 ]; then
    as_root=""
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    as_root="sudo -n"
else
    echo "There is no WordNet here, and installing it needs root. $skipped"
    exit 0
fi
echo "Installing Debian's WordNet for the tests that read it"
{ $as_root apt-get update -qq && DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends wordnet-base >/dev/null; } \
    || echo "WordNet could not be installed. $skipped"

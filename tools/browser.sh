#!/bin/sh
# Brings Debian's Chromium for the test that opens the risk-utility map; without it that test is skipped.
set -eu
for name in ${TACITA_BROWSER:-chromium chromium-browser google-chrome}; do
    if command -v "$name" >/dev/null 2>&1; then exit 0; fi
done
skipped="The test of the map in a browser will be skipped; 'apt-get install chromium' brings the browser."
command -v apt-get >/dev/null 2>&1 || { echo "There is no Chromium here and no apt-get. $skipped"; exit 0; }
if [ "$(id -u)" = 0 ]; then
    as_root=""
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    as_root="sudo -n"
else
    echo "There is no Chromium here, and installing it needs root. $skipped"
    exit 0
fi
echo "Installing Debian's Chromium for the test of the map"
{ $as_root apt-get update -qq && DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends chromium fonts-liberation >/dev/null; } \
    || echo "Chromium could not be installed. $skipped"

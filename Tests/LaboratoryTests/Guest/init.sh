#!/bin/sh
# Process 1 of the laboratory's guest: mounts what programs expect, runs one script, halts.
# Arguments: the folder of results, the folder of our programs, the script, its arguments.
out=$1 programs=$2 script=$3
shift 3
export PATH="$programs:$out/tools:/usr/sbin:/usr/bin:/sbin:/bin" HOME=/run TMPDIR=/run LANG=C.UTF-8

mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t configfs config /sys/kernel/config
mount -t devtmpfs dev /dev 2>/dev/null
mkdir -p /dev/pts /dev/shm
mount -t devpts -o ptmxmode=666 pts /dev/pts
mount -t tmpfs run /run
mkdir -p /run/lock
mkdir /run/out
mount -t hostfs -o "$out" out /run/out
ip link set lo up

# Waits until a command succeeds, at most so many seconds.
until_true() {
  seconds=$1 tries=0
  shift
  until "$@" > /dev/null 2>&1; do
    tries=$((tries + 1))
    # Programs start within two seconds; for the rest, a look every other second is enough.
    [ "$tries" -ge 20 ] && sleep 2 || sleep 0.1
    [ "$tries" -lt $((seconds / 2 + 20)) ] || { echo "FAILED: waited $seconds s for: $*"; return 1; }
  done
}

# Whether the tracker's log has a text at least so often.
logged() { [ "$(grep -c "$2" /run/out/log)" -ge "$1" ]; }
# Its exit code says whether it is fit to go; only 2 is a failure.
tracker_status() { trackerctl status --socket /run/control || [ $? -ne 2 ]; }
has_delivered() { trackerctl status --socket /run/control | grep -q ' 0 waiting, 0 set aside'; }

# Ends the session, waits until everything is delivered, ends the tracker.
finish() {
  # The guest's standard input is a terminal, where it would ask.
  trackerctl stop --yes --socket /run/control
  until_true 3000 has_delivered
  tracker_status > /run/out/status
  kill -TERM "$1"
  wait "$1"
}

layer=arcgis/rest/services/TrailWalker/FeatureServer/0
all="query?where=1%3D1&outFields=UUID&returnGeometry=false&f=json"

cd /run || exit
(set -eu; . "$script")
echo $? > /run/out/code
sync
exec "$out/tools/lab" halt

# A computer without a clock of its own: it believes that it is 1970, and the receiver knows better.
# Arguments: the trace.
date -u +%Y > /run/out/before
lab pair /run/gps /run/sky &
until_true 10 test -e /run/sky
# The trace's own times are of no use to a clock of 1970.
while read -r sentence; do
  echo "$sentence"
  case $sentence in *RMC*) sleep 1 ;; esac
done < "$1" > /run/sky &
basecamp --database /run/camp --listen 127.0.0.1:8080 > /run/camp.log 2>&1 &
until_true 10 grep -q http /run/camp.log
trackerd --board "$REPOSITORY/boards/pi-zero-2w-sim7600/board.json5" \
  --config /run/out/settings.json5 2> /run/out/log &
tracker=$!
until_true 300 logged 1 'captured sequence='
until_true 300 logged 1 'outcome="answered'
sleep 20
date -u +%FT%T > /run/out/after
tracker_status > /run/out/status
finish $tracker

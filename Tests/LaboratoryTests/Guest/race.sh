# A whole race in virtual time: a receiver, the tracker and a server, all in the guest.
# Arguments: the trace.
export LD_PRELOAD="$out/tools/fixed-random.so"
lab feed "$1" /run/gps &
feeder=$!
until_true 10 test -e /run/gps
basecamp --database /run/camp --listen 127.0.0.1:8080 > /run/camp.log 2>&1 &
until_true 10 grep -q http /run/camp.log
trackerd --board "$REPOSITORY/boards/pi-zero-2w-sim7600/board.json5" --config /run/out/settings.json5 \
  --record /run/race.recording 2> /run/out/log &
tracker=$!
wait $feeder
# What is still waiting is sent.
sleep 60
tracker_status > /run/out/status
kill -TERM $tracker
wait $tracker
mkdir /run/out/recording
cp /run/race.recording* /run/out/recording/
cp /run/captures.db /run/out/captures.db

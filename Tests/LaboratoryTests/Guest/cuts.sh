# One life between two power cuts: the tracker's store is on one disk, the server's on another.
# Arguments: work, until the power is cut; or finish: send everything, list what has arrived.
for disk in a b; do
  mkdir "/run/$disk"
  mount -t ext4 "/dev/ubd$disk" "/run/$disk"
done
lab walk /run/gps 20 &
basecamp --database /run/b/camp --listen 127.0.0.1:8080 --max-records 100000 > /run/camp.log 2>&1 &
until_true 10 grep -q http /run/camp.log
until_true 10 test -e /run/gps
# The console is this machine's: what is written there is not lost with the guest.
trackerd --board "$REPOSITORY/boards/pi-zero-2w-sim7600/board.json5" \
  --config /run/out/settings.json5 --speed 20 2> /dev/console &
tracker=$!
[ "$1" = finish ] || wait $tracker
until_true 10 test -S /run/control
finish $tracker
curl -sf "http://127.0.0.1:8080/$layer/$all" > /run/out/arrived

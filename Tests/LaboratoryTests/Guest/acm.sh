# A USB modem that is unplugged in the middle of an upload and comes back under another name.
# Two USB ports: the modem is on the first, another device may be on the second.
. "${script%/*}/gadget.sh"

gadget modem 0x9001 modem
gadget other 0x0001 other
modem-terminal sim7600 > /run/out/modem &
until_true 10 test -s /run/out/modem
port=$(head -n 1 /run/out/modem)
while :; do lab relay "$port" /dev/ttyGS0; sleep 0.2; done 2> /dev/null &
plug modem 0
until_true 10 test -c /dev/ttyACM0

lab walk /run/gps 1 &
basecamp --database /run/camp --listen 127.0.0.1:8080 > /run/camp.log 2>&1 &
camp=$!
until_true 10 grep -q http /run/camp.log
trackerd --board "$REPOSITORY/boards/pi-zero-2w-sim7600/board.json5" \
  --config /run/out/settings.json5 2> /run/out/log &
tracker=$!
until_true 600 logged 1 'outcome="answered'

# The server does not answer for now, so the next upload is not over when the modem goes.
kill -STOP $camp
uploads=$(grep -c phase=inUse /run/out/log)
until_true 600 logged $((uploads + 1)) phase=inUse
until_true 60 grep -q HTTPACTION /run/out/modem
sleep 2
unplug modem
echo "unplugged $(ls /dev/ttyACM*)"
sleep 20
tracker_status > /run/out/status.unplugged
kill -CONT $camp
plug other 1
until_true 10 test -c /dev/ttyACM0
plug modem 0
until_true 10 test -c /dev/ttyACM1
echo "modem is ttyACM1: $(cat /sys/class/tty/ttyACM1/device/../idProduct)"
answers=$(grep -c 'outcome="answered' /run/out/log)
until_true 3000 logged $((answers + 2)) 'outcome="answered'
finish $tracker
curl -sf "http://127.0.0.1:8080/$layer/$all" > /run/out/arrived

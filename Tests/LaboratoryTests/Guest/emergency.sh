# A team with an emergency button and a light, on simulated lines. The modem, and all the world
# behind it, is at the other end of the machine's serial line.
. "${script%/*}/gadget.sh"
. "${script%/*}/lines.sh"
button=$lines/sim_gpio21

# libserialport does not open that line, which has no TIOCMGET: the tracker sees it by USB.
gadget modem 0x9001 modem
plug modem 0
until_true 10 test -c /dev/ttyACM0
lab relay /dev/ttyS1 /dev/ttyGS0 &
lab walk /run/gps 1 &
until_true 10 test -e /run/gps
trackerd --board /run/out/board.json5 --config /run/out/settings.json5 2> /run/out/log &
tracker=$!
until_true 60 logged 1 'captured sequence='

lab watch "$light/value" > /run/out/light &
press 1
sleep 0.5
press 2.5
until_true 10 logged 1 'emergency stage=stored'
until_true 120 logged 1 'emergency stage=read'
tracker_status > /run/out/status
# Longer than any blink of a code.
sleep 3
kill -TERM $tracker
wait $tracker
is_dark() { tail -n 1 /run/out/light | grep -q ' 0$'; }
until_true 10 is_dark

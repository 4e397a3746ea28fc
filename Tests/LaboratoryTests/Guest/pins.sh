# A board with a modem's power key and STATUS and a button, on simulated lines. The store is on a
# disk that is stalled in the middle of a pulse.
# Arguments: "stall", "button", "emergency", "guarded", "busy" or "killed".
. "${script%/*}/lines.sh"
key=$lines/sim_gpio6
status=$lines/sim_gpio5
button=$lines/sim_gpio16
[ "$1" != guarded ] || button=$lines/sim_gpio21
edges() { [ "$(wc -l < /run/out/key)" -ge "$1" ]; }

mkdir /run/a
mount -t ext4 /dev/ubda /run/a
lab watch "$key/value" > /run/out/key &
modem-terminal sim7600 "$key/value" "$status/pull" > /run/out/modem &
modem=$!
until_true 10 test -s /run/out/modem
ln -s "$(head -n 1 /run/out/modem)" /run/modem
lab walk /run/gps 1 &
if [ "$1" = busy ]; then
  # Another program has the line of the button. Debian 13's gpiomon wants an option for the chip,
  # and knows no labels.
  gpiomon --help | grep -q -e '--chip' && option=--chip || option=
  gpiomon $option "$(cat $chip/bank/chip_name)" 16 > /dev/null &
  is_busy() { gpioinfo | grep -q gpiomon; }
  until_true 10 is_busy
fi
start() {
  trackerd --board /run/out/board.json5 --config /run/out/settings.json5 2>> /run/out/log &
  tracker=$!
}
start

case $1 in
  stall)
    # On, with the disk stalled from the key's press until long after its release; then off,
    # because the modem does not answer any more.
    until_true 600 edges 2
    fsfreeze --freeze /run/a
    sleep 8
    # The loop is held: it does not even say how it is.
    tracker_status > /run/out/stalled
    ! grep -q 'does not answer' /run/out/stalled || echo "trackerd is stalled"
    fsfreeze --unfreeze /run/a
    until_true 60 logged 1 phase=checkingSIM
    kill -STOP $modem
    until_true 600 edges 5
    kill -CONT $modem
    ;;
  button)
    until_true 600 logged 1 'captured sequence='
    press 0.3
    until_true 10 logged 2 'captured sequence='
    press 4
    until_true 10 logged 1 'session stopped'
    sleep 1
    press 4
    until_true 10 logged 2 'session started'
    until_true 10 logged 4 'captured sequence='
    ;;
  emergency)
    until_true 600 logged 1 'captured sequence='
    lab watch "$light/value" > /run/out/light &
    press 7
    until_true 10 logged 1 'emergency stage=stored'
    # Its code takes 10 s.
    sleep 22
    # A power cut in the midst of it.
    kill -KILL $tracker
    echo restarted >> /run/out/log
    start
    goes_on() { sed '1,/^restarted/d' /run/out/log | grep -q 'captured sequence='; }
    until_true 60 goes_on
    tracker_status > /run/out/status
    ;;
  guarded)
    until_true 600 logged 1 'captured sequence='
    press 1
    sleep 1
    press 3
    until_true 10 logged 1 'emergency stage=stored'
    sleep 1
    press 3
    until_true 10 logged 1 'emergency stage=withdrawn'
    until_true 10 logged 3 'captured sequence='
    ;;
  busy)
    lab watch "$light/value" > /run/out/light &
    until_true 600 logged 1 phase=checkingSIM
    tracker_status > /run/out/status
    ;;
  killed)
    until_true 600 edges 2
    # A real line keeps its level when its owner is gone; this one falls back to its pull.
    echo pull-up > "$key/pull"
    kill -KILL $tracker
    sleep 3
    cat "$key/value" > /run/out/level
    echo restarted >> /run/out/log
    cut -d ' ' -f 1 /proc/uptime > /run/out/restart
    start
    heard() { grep -q ' AT' /run/out/modem; }
    until_true 120 heard
    ;;
esac
kill -TERM $tracker
wait $tracker

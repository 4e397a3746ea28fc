# Debian's ModemManager, with udev, D-Bus and polkit, beside a tracker that commands the modem.
# As ModemManager's rules for SIMCom have it, the commands are on interface 2, so the second port.
# Arguments: what ModemManager does, and the tracker's user. It "probes" the port as soon as it is
# plugged in; "ignores" it, by the package's rule; "holds" it, because somebody has enabled the modem;
# or "shares" it, because that was done while the tracker had it open.
. "${script%/*}/gadget.sh"
mkdir -p /run/dbus /run/udev/rules.d /run/state
chown nobody /run/state
chmod 1777 /run/lock
chmod 644 /run/out/settings.json5
[ "$1" != ignores ] || cp "$REPOSITORY/.ci/debian/60-trailtracker.rules" /run/udev/rules.d/
dbus-daemon --system --nofork --nopidfile 2> /run/dbus.log &
until_true 10 test -S /run/dbus/system_bus_socket
/usr/lib/polkit-1/polkitd --no-debug > /run/polkit.log 2>&1 &
/lib/systemd/systemd-udevd > /run/udev.log 2>&1 &
until_true 10 test -S /run/udev/control
ModemManager --debug --log-file=/run/mm.log 2> /run/mm.errors &

gadget modem 0x9001 diagnosis commands
modem-terminal sim7600 > /run/out/modem &
until_true 10 test -s /run/out/modem
port=$(head -n 1 /run/out/modem)
while :; do lab relay "$port" /dev/ttyGS1; sleep 0.2; done 2> /dev/null &
lab walk /run/gps 1 &
basecamp --database /run/camp --listen 127.0.0.1:8080 > /run/camp.log 2>&1 &
until_true 10 grep -q http /run/camp.log
until_true 10 test -e /run/gps
chown "$2" "$(readlink -f /run/gps)"
plug modem 0
until_true 10 test -c /dev/ttyACM1
udevadm settle
if [ "$1" = holds ]; then
  until_true 60 mmcli -m any
  mmcli -m any --enable
fi

# As its service has it: without rights, and without a view of others' processes.
if [ "$2" = root ]; then
  set --  "$1" env
else
  set --  "$1" unshare -m sh -c 'mount -t proc -o hidepid=invisible proc /proc; exec "$@"' sh \
    setpriv --reuid="$2" --regid=dialout --clear-groups --bounding-set=-all --no-new-privs
fi
case=$1
shift
"$@" trackerd --board "$REPOSITORY/boards/pi-zero-2w-sim7600/board.json5" \
  --config /run/out/settings.json5 2> /run/out/log &
tracker=$!
until_true 10 test -S /run/state/control
ln -s /run/state/control /run/control
case $case in
  holds)
    sleep 60
    tracker_status > /run/out/status.during
    mmcli -m any --disable
    # Within the pause for a modem that does not answer.
    until_true 120 logged 1 'outcome="answered'
    ;;
  shares)
    until_true 600 logged 1 'outcome="answered'
    mmcli -m any --enable
    sleep 60
    tracker_status > /run/out/status.during
    ;;
esac
until_true 600 logged 3 'outcome="answered'
mmcli -L > /run/out/modems
finish $tracker
curl -sf "http://127.0.0.1:8080/$layer/$all" > /run/out/arrived

# One life of a machine that is halted between captures: when its clock starts it again is in
# /run/out/alarm, for whoever keeps it while the machine is off. What is on its disk is kept in
# /run/out/disk; a disk of its own would make virtual time pass while it works.
# Arguments: the trace; the clock.
mkdir -p /run/out/disk
cp -r /run/out/disk /run/disk
# What systemd does, as far as it goes here: it ends the tracker, and this script the machine.
mkdir /run/bin
cat > /run/bin/systemctl <<'EOS'
#!/bin/sh
kill -TERM "$(cat /run/tracker)"
EOS
chmod +x /run/bin/systemctl
export PATH="/run/bin:$PATH"
# The helper is root's, with its socket; the tracker is an ordinary user's, who may neither set
# alarms nor end the machine.
lab serve /run/halt trackerd halt --user nobody 2> /run/helper.log &
chmod 1777 /run /run/lock
cp /run/out/board.json5 /run/out/settings.json5 /run/
chmod 644 /run/board.json5 /run/settings.json5
chown -R nobody /run/disk

basecamp --database /run/disk/camp --listen 127.0.0.1:8080 > /run/camp.log 2>&1 &
camp=$!
until_true 10 grep -q http /run/camp.log
# In the last life nothing of the trace is left: it sends what is waiting.
(
  lab feed "$1" /run/gps
  until_true 3000 has_delivered
  touch /run/over
  tracker_status > /run/out/status
  trackerctl why --socket /run/control > /run/out/why
  kill -TERM "$(cat /run/tracker)"
) &
until_true 10 test -L /run/gps
until_true 10 test -S /run/halt
# Gone already where nothing of the trace is left.
chown nobody "$(readlink -f /run/gps)" || true
setpriv --reuid=nobody --regid=nogroup --clear-groups trackerd --board /run/board.json5 \
  --config /run/settings.json5 --halt-helper /run/halt 2>> /run/out/log &
tracker=$!
echo $tracker > /run/tracker
wait $tracker
cat /run/helper.log >> /run/out/log
if [ -e /run/over ]; then
  curl -sf "http://127.0.0.1:8080/$layer/$all" > /run/out/arrived
else
  cat "/sys/class/rtc/$2/wakealarm" > /run/out/alarm
fi
kill -TERM $camp
wait $camp || true
rm -r /run/out/disk
cp -r /run/disk /run/out/disk

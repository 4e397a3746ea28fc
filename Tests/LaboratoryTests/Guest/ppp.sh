# Uploads over PPP, with one kind of trouble for some minutes. The peer and the server behind it are
# in a network namespace of their own; the tracker starts pppd by network.up.
# Arguments: the trouble; "nodetach" or "updetach": whether up stays or ends; "helped": the tracker
# is nobody, without any right, and root's helper runs network.up, as systemd starts it.
server=10.99.0.1
in_peer() { nsenter -t "$peer" -n "$@"; }
answers() { grep -c 'outcome="answered' /run/out/log || true; }
peers_pppd() { pgrep -f '^pppd /run/line.peer'; }

trouble() {
  case $1 in
    vanishes) touch /run/gone; kill -KILL $(peers_pppd) ;;
    refuses) echo 'require-pap' > /run/peer.options; kill -TERM $(peers_pppd) ;;
    hangs) kill -STOP $(peers_pppd) ;;
    passes-nothing) in_peer ip address delete $server/32 dev lo ;;
    # The link comes up without a DNS server, so that the name is not found.
    no-names) : > /run/hosts; kill -TERM $(peers_pppd) ;;
    # The modem cannot dial: no coverage, or a wrong APN.
    no-carrier) echo 'NO CARRIER' > /run/dialled; kill -TERM $(peers_pppd) ;;
    up-fails | up-hangs) echo "$1" > /run/trouble ;;
  esac
}
cure() {
  rm -f /run/gone /run/trouble
  echo noauth > /run/peer.options
  echo CONNECT > /run/dialled
  echo "$server camp.example" > /run/hosts
  in_peer ip address replace $server/32 dev lo
  kill -CONT $(peers_pppd) 2> /dev/null || true
}

cat > /run/answer <<'EOS'
while :; do
  [ -e /run/gone ] || pppd /run/line.peer nodetach local noccp ip-up-script /bin/true \
    file /run/peer.dial $(cat /run/peer.options) 10.64.64.64:10.64.64.1
  sleep 1
done
EOS
cat > /run/up <<'EOS'
#!/bin/sh
case $(cat /run/trouble 2> /dev/null) in
  up-fails) exit 3 ;;
  up-hangs) exec sleep 100000 ;;
esac
exec pppd file /run/options
EOS
cat > /run/options <<EOS
/run/line
$2
local noauth noccp defaultroute linkname tracker user tracker password wrong
lcp-echo-interval 5 lcp-echo-failure 3 lcp-max-configure 5 ip-up-script /bin/true
EOS
: > /run/peer.dial
# Not where pppd is killed: that would leave its line discipline to chat.
if [ "$1" = no-carrier ]; then
  cat >> /run/options <<'EOS'
connect "/usr/sbin/chat -t 20 ABORT 'NO CARRIER' '' ATD*99# CONNECT"
EOS
  cat > /run/peer.dial <<'EOS'
connect '/usr/sbin/chat -t 3600 ATD*99# "$(cat /run/dialled)"'
EOS
fi
printf '#!/bin/sh\nkill "$(head -n 1 /run/ppp-tracker.pid)"\n' > /run/down
chmod +x /run/up /run/down
# What a peer asks for that requires a password.
(umask 077; echo 'tracker * right *' > /run/secrets)
mount --bind /run/secrets /etc/ppp/pap-secrets
: > /run/hosts
mount --bind /run/hosts /etc/hosts
# As on a machine whose only network is the link.
mount --bind /dev/null /etc/resolv.conf

unshare -n sleep 1000000 &
peer=$!
is_apart() { [ "$(readlink "/proc/$peer/ns/net")" != "$(readlink /proc/self/ns/net)" ]; }
until_true 10 is_apart
in_peer ip link set lo up
cure
# Not by in_peer, whose process would be a shell's.
nsenter -t $peer -n basecamp --database /run/camp --listen 0.0.0.0:8080 > /run/camp.log 2>&1 &
camp=$!
until_true 10 grep -q http /run/camp.log
lab pair /run/line /run/line.peer &
pair=$!
until_true 10 test -e /run/line.peer
nsenter -t $peer -n sh /run/answer > /run/out/peer.log 2>&1 &
answer=$!
modem-terminal sim7600 > /run/out/modem &
until_true 10 test -s /run/out/modem
ln -s "$(head -n 1 /run/out/modem)" /run/modem
lab walk /run/gps 1 &
until_true 10 test -e /run/gps
option='' as=''
if [ "${3-}" = helped ]; then
  chmod 644 /run/out/settings.json5
  chown nobody "$(readlink -f /run/gps)" "$(readlink -f /run/modem)"
  while :; do
    rm -f /run/link
    systemd-socket-activate --listen=/run/link trackerd link \
      --config /run/out/settings.json5 --user nobody --memory /run/link.open &
    until_true 10 test -S /run/link
    # As the socket's unit lets the tracker's group in.
    chmod 666 /run/link
    wait $!
  done > /run/out/helper.log 2>&1 &
  helper=$!
  until_true 10 test -S /run/link
  option='--link-helper /run/link'
  as='setpriv --reuid=nobody --regid=nogroup --clear-groups --bounding-set=-all --no-new-privs'
fi
$as trackerd $option --board "$REPOSITORY/boards/pi-zero-2w-sim7600/board.json5" \
  --config /run/out/settings.json5 > /run/out/up.log 2> /run/out/log &
tracker=$!
until_true 600 logged 1 'outcome="answered'

# While the server does not answer, an upload is under way.
kill -STOP $camp
uploads=$(grep -c phase=inUse /run/out/log)
until_true 600 logged $((uploads + 1)) phase=inUse
sleep 2
trouble "$1"
kill -CONT $camp
sleep 200
tracker_status > /run/out/status.during
before=$(answers)
cure
until_true 3000 logged $((before + 2)) 'outcome="answered'
stat -c %U /proc/$tracker > /run/out/user
finish $tracker
[ -z "$option" ] || kill -KILL $helper
in_peer curl -sf "http://$server:8080/$layer/$all" > /run/out/arrived
# What the tracker has started may not be left.
kill -KILL $answer
kill -KILL $(peers_pppd) || true
ps -e -o pid,ppid,pgid,stat,args > /run/out/processes

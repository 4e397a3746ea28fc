# A battery that discharges, behind a part whose registers the test writes. Then the part goes from
# its bus and comes back.
# Arguments: the driver's name for the part, its address, how many cells are in series.
part=$1 address=$2 cells=$3
insmod "$KERNEL/i2c-stub.ko" chip_addr="$address"
bus=/sys/bus/i2c/devices/i2c-0
# i2cset writes the bytes of a word the other way round than these chips have them.
register() { i2cset -y -f 0 "$address" "$1" $((($2 & 255) << 8 | $2 >> 8)) w; }
# What the part measures at so many millivolts of each cell, and percent.
battery() {
  millivolts=$(($1 * cells))
  case $part in
    # 12 bits of millivolts, on the left of 16, behind a divider of 2.
    ads1015) register 0 $((millivolts / 2 << 4)) ;;
    # 4 mV, from bit 3 on; 1 mA, negative while the battery discharges.
    ina219) register 2 $((millivolts / 4 << 3)); register 4 $((65536 - 310)) ;;
    # 78.125 µV; 1/256 %.
    max17048) register 2 $((millivolts * 64 / 5)); register 4 $(($2 << 8)) ;;
  esac
}
# trackerd measures once a minute.
next() { sleep 61; until_true 10 shows "$1"; }
line() { trackerctl status --socket /run/control | grep '^battery:'; }
shows() { line | grep -q "$1"; }

battery 4000 90
echo "$part" "$address" > $bus/new_device
lab walk /run/gps 1 &
trackerd --board /run/out/board.json5 --config /run/out/settings.json5 2> /run/out/log &
tracker=$!
for figures in '4000 90' '3900 70' '3700 50' '3500 30' '3300 10' '3100 1'; do
  battery $figures
  next " $millivolts mV, "
  line >> /run/out/curve
done
echo "$address" > $bus/delete_device
# A second failure, 5 s later, decides.
sleep 5
next 'not measured'
line > /run/out/gone
battery 3800 60
echo "$part" "$address" > $bus/new_device
next " $millivolts mV, "
line > /run/out/back
kill -TERM $tracker
wait $tracker

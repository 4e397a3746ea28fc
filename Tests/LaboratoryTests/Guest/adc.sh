# A battery that discharges, behind an ADS1015 whose registers the test writes. Then the converter
# goes and comes back.
insmod "$KERNEL/i2c-stub.ko" chip_addr=0x48
bus=/sys/bus/i2c/devices/i2c-0
echo ads1015 0x48 > $bus/new_device
# The register has 12 bits of millivolts, on the left of 16, and i2cset writes its bytes swapped.
battery() {
  register=$(($1 / 2 << 4))
  i2cset -y -f 0 0x48 0 $(((register & 255) << 8 | register >> 8)) w
}
line() { trackerctl status --socket /run/control | grep '^battery:'; }
shows() { line | grep -q "$1"; }

lab walk /run/gps 1 &
battery 4100
trackerd --board /run/out/board.json5 --config /run/out/settings.json5 2> /run/out/log &
tracker=$!
for millivolts in 4100 3900 3700 3500 3300 3100; do
  battery $millivolts
  until_true 120 shows "$millivolts mV"
  line >> /run/out/curve
done
echo 0x48 > $bus/delete_device
until_true 200 shows 'not measured'
line > /run/out/gone
battery 3800
echo ads1015 0x48 > $bus/new_device
until_true 200 shows '3800 mV'
line > /run/out/back
finish $tracker

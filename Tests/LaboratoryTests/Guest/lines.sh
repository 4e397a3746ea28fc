# The chip of a Raspberry Pi's lines, simulated, for scripts that source this. The tests' boards
# have the light on line 20.
chip=/sys/kernel/config/gpio-sim/lab
mkdir -p $chip/bank
echo 28 > $chip/bank/num_lines
echo pinctrl-bcm2835 > $chip/bank/label
echo 1 > $chip/live
lines=/sys/devices/platform/$(cat $chip/dev_name)/$(cat $chip/bank/chip_name)
light=$lines/sim_gpio20
# press SECONDS: holds $button, a line, for so long.
press() {
  echo pull-up > "$button/pull"
  sleep "$1"
  echo pull-down > "$button/pull"
}

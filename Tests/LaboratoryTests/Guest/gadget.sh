# USB devices of serial ports, for scripts that source this. The gadget's ends are /dev/ttyGS0 and so
# on, in the order in which they are made; the host's are /dev/ttyACM*. A port has two interfaces.
# gadget NAME PRODUCT PORT…: makes a device of SIMCom's.
gadget() {
  path=/sys/kernel/config/usb_gadget/$1 product=$2
  mkdir -p "$path/configs/c.1" "$path/strings/0x409"
  echo 0x1e0e > "$path/idVendor"
  echo "$product" > "$path/idProduct"
  shift 2
  for function; do
    mkdir "$path/functions/acm.$function"
    ln -s "$path/functions/acm.$function" "$path/configs/c.1/"
  done
}
plug() { echo "dummy_udc.$2" > "/sys/kernel/config/usb_gadget/$1/UDC"; }
unplug() { echo > "/sys/kernel/config/usb_gadget/$1/UDC"; }

/// A GPIO chip that a board file may name, with the lines that its header has.
struct GPIOChip {
  /// As the kernel shows it: `gpiodetect`.
  var label: String
  var lines: Int
  /// The lines on the 40-pin header; the others are used on the board.
  var header = 0...27

  static let known = [
    GPIOChip(label: "pinctrl-bcm2835", lines: 54),
    GPIOChip(label: "pinctrl-bcm2711", lines: 58),
    GPIOChip(label: "pinctrl-rp1", lines: 54),
  ]
}

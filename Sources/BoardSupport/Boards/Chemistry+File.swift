import TrackerCore
import Wording

extension Chemistry {
  /// The values of `battery.cellType`.
  static let words: [(word: String, choice: Chemistry)] = [
    ("other", .other), ("alkaline", .alkaline), ("lithium", .lithium),
    ("NiMH", .nickelMetalHydride), ("Li-ion", .lithiumIon), ("LiFePO4", .lithiumIronPhosphate),
  ]

  /// Finds the chemistry in a description such as `alkaline AA`; `other` if it names none.
  init(describedAs text: String) {
    let text = text.lowercased()
    // LiFePO4 and Li-ion before the bare word for primary cells.
    let marks: [(Chemistry, [String])] = [
      (.lithiumIronPhosphate, ["lifepo", "lfp", "iron phosphate"]),
      (.lithiumIon, ["li-ion", "liion", "lithium-ion", "lithium ion", "lipo", "li-po"]),
      (.nickelMetalHydride, ["nimh", "ni-mh", "nickel"]),
      (.alkaline, ["alkaline"]),
      (.lithium, ["lithium", "l91"]),
    ]
    self = marks.first { $0.1.contains { text.has($0) } }?.0 ?? .other
  }
}

extension ReceiverUse {
  /// The values of `receiver` in a configuration, and of `receiver.use` in a board file.
  static let words: [(word: String, choice: ReceiverUse)] = [
    ("always", .always), ("dutyCycle", .dutyCycle),
  ]
}

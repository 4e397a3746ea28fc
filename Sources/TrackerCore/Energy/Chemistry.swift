/// What the cells of a battery are made of.
public enum Chemistry: UInt8, Sendable, Equatable {
  /// Unknown, or not one of the others.
  case other
  case alkaline
  /// Primary cells of lithium and iron disulphide, such as the Energizer L91.
  case lithium
  case nickelMetalHydride
  case lithiumIon
  case lithiumIronPhosphate

  /// Resistance of one full cell at 20 degrees Celsius, of a pulse of a tenth of a second or more,
  /// where a board's file does not state it.
  ///
  /// - Alkaline: 107 mV at 500 mA for 100 ms (Energizer, Technical Bulletin Battery Internal
  ///   Resistance, 2005, example).
  /// - Li-ion: a US18650VTC6, from memory, unverified; most other 18650 have two to three times as
  ///   much.
  /// - The others: from memory, unverified. An unknown chemistry has none.
  public var usualMilliohms: Int32 {
    switch self {
    case .other: 0
    case .alkaline: 214
    case .lithium: 150
    case .nickelMetalHydride, .lithiumIronPhosphate: 30
    case .lithiumIon: 25
    }
  }

  /// Resistance at 0 %, 10 %, … 100 % of charge, percent of that of a full cell.
  ///
  /// All assumptions, unverified: that of an alkaline cell rises to twice as much all the way down,
  /// that of the others when they are nearly empty.
  public var resistanceShape: InlineArray<11, Int32> {
    switch self {
    case .other: [100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100]
    case .alkaline: [200, 180, 160, 150, 140, 130, 120, 110, 105, 100, 100]
    case .lithium, .nickelMetalHydride, .lithiumIon, .lithiumIronPhosphate:
      [200, 140, 120, 110, 105, 100, 100, 100, 100, 100, 100]
    }
  }
}

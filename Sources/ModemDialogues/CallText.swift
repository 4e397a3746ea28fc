public import TrackerCore

/// The short message of a team that calls for help, as `PositionText` writes it.
///
///     SOS Els Senglars 42.18220 2.48900 2026-05-02 14:03 UTC 5 m 76% #7K3QXM4F
///     SOS Els Senglars no position #7K3QXM4F
///     SOS over: Els Senglars 42.18220 2.48900 2026-05-02 14:07 UTC #7K3QXM4F
public struct CallText: Sendable, Equatable {
  /// In the alphabet of short messages; empty: it has no name.
  public var team = ""
  /// It no longer wants any.
  public var isOver = false
  public var position: Coordinate?
  /// Of the position, to the minute; `nil`: the tracker knew no trusted time.
  public var taken: UTC?
  /// 0...100
  public var batteryPercent: Int?
  /// `nil`: a person has written it, or an earlier tracker.
  public var code: CallCode?

  /// - Returns: `nil`: the message is something else. One by a person who writes SOS is a call.
  public init?(_ text: String) {
    var words = text.split { $0.isWhitespace }[...]
    guard words.popFirst()?.uppercased() == "SOS" else { return nil }
    if words.first?.lowercased() == "over:" {
      isOver = true
      words.removeFirst()
    }
    code = words.last.flatMap { CallCode($0) }
    if code != nil { words.removeLast() }
    // A name may look like a position; what follows it is one.
    let end = words.indices.last { index in
      index + 1 < words.endIndex
        && (Self.place(words[index...]) != nil || words[index...].starts(with: ["no", "position"]))
    }
    let name = words[..<(end ?? words.endIndex)].joined(separator: " ")
    team = name == PositionText.nameless ? "" : name
    guard let end else { return }
    position = Self.place(words[end...])
    let rest = words[(end + 2)...]
    taken = Self.date(rest)
    if let percent = rest.last, percent.last == "%", let value = Int(percent.dropLast()) {
      batteryPercent = (0...100).contains(value) ? value : nil
    }
  }

  private static func place(_ words: ArraySlice<Substring>) -> Coordinate? {
    guard words.count > 1, let latitude = degrees(words[words.startIndex], within: 90),
      let longitude = degrees(words[words.startIndex + 1], within: 180)
    else { return nil }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  /// Five decimals.
  private static func degrees(_ word: Substring, within limit: Int32) -> Int32? {
    let parts = word.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].utf8.count == 5, let fraction = Int32(parts[1]),
      fraction >= 0, let whole = Int32(parts[0]), (-limit...limit).contains(whole)
    else { return nil }
    let size = Int32(whole.magnitude) * 10_000_000 + fraction * 100
    guard size <= limit * 10_000_000 else { return nil }
    return word.hasPrefix("-") ? -size : size
  }

  /// `2026-05-02 14:03 UTC`
  private static func date(_ words: ArraySlice<Substring>) -> UTC? {
    guard words.count > 2, words[words.startIndex + 2] == "UTC" else { return nil }
    let day = words[words.startIndex].split(separator: "-").compactMap { Int32($0) }
    let time = words[words.startIndex + 1].split(separator: ":").compactMap { Int32($0) }
    guard day.count == 3, time.count == 2,
      let civil = CivilTime(
        year: day[0], month: day[1], day: day[2], hour: time[0], minute: time[1])
    else { return nil }
    return civil.utc
  }
}

import JSONReading

/// A tree of named figures: the content of a report, in its order.
public indirect enum Figure: Sendable, Equatable {
  case text(String)
  case whole(Int64)
  case boolean(Bool)
  /// Printed with a fixed number of decimals.
  case real(Double, decimals: Int)
  /// No value: there was nothing to measure.
  case none
  case list([Figure])
  case object([Member])

  public struct Member: Sendable, Equatable {
    public var name: String
    public var figure: Figure
    public init(_ name: String, _ figure: Figure) {
      self.name = name
      self.figure = figure
    }
  }

  public static func integer(_ value: some BinaryInteger) -> Figure {
    .whole(Int64(clamping: value))
  }

  /// The figure at a dotted path, `delivery.latency_s.p95`.
  public subscript(path path: String) -> Figure? {
    var current = self
    for name in path.split(separator: ".", omittingEmptySubsequences: false) {
      guard case .object(let members) = current,
        let member = members.first(where: { $0.name == name })
      else { return nil }
      current = member.figure
    }
    return current
  }

  /// An object with one member more, at its end.
  public func adding(_ name: String, _ figure: Figure) -> Figure {
    guard case .object(let members) = self else { return self }
    return .object(members + [Member(name, figure)])
  }

  /// Every path that leads to a number or a text.
  public var paths: [String] {
    switch self {
    case .object(let members):
      members.flatMap { member in
        member.figure.paths.map { $0.isEmpty ? member.name : "\(member.name).\($0)" }
      }
    case .list: []
    case .text, .whole, .boolean, .real, .none: [""]
    }
  }
}

// MARK: - JSON

extension Figure {
  /// JSON (RFC 8259), indented by two spaces, with one line for each entry of a list.
  public var json: String {
    var text = ""
    write(into: &text, indentation: 0)
    return text + "\n"
  }

  /// The same on one line, without its end.
  public var line: String {
    var text = ""
    write(into: &text, indentation: -1)
    return text
  }

  private func write(into text: inout String, indentation: Int) {
    switch self {
    case .text(let value): text += value.quotedJSON
    case .whole(let value): text += String(value)
    case .boolean(let value): text += String(value)
    case .real(let value, let decimals): text += Self.fixed(value, decimals)
    case .none: text += "null"
    case .object(let members):
      writeAll(
        members.map { ($0.name.quotedJSON + ": ", $0.figure) }, "{", "}", &text, indentation)
    case .list(let figures):
      writeAll(figures.map { ("", $0) }, "[", "]", &text, indentation, inner: true)
    }
  }

  private func writeAll(
    _ entries: [(String, Figure)], _ open: String, _ close: String, _ text: inout String,
    _ indentation: Int, inner: Bool = false
  ) {
    guard !entries.isEmpty else {
      text += open + close
      return
    }
    let isFlat = indentation < 0
    let step = isFlat ? " " : "\n" + String(repeating: " ", count: indentation + 2)
    text += open
    for (index, entry) in entries.enumerated() {
      if index > 0 { text += "," }
      if !(isFlat && index == 0) { text += step }
      text += entry.0
      entry.1.write(into: &text, indentation: inner || isFlat ? -1 : indentation + 2)
    }
    if !isFlat { text += "\n" + String(repeating: " ", count: indentation) }
    text += close
  }

  /// A decimal number without an exponent, rounded half away from zero; `null` if not finite.
  public static func fixed(_ value: Double, _ decimals: Int) -> String {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (value * scale).rounded(.toNearestOrAwayFromZero)
    guard scaled.isFinite, abs(scaled) < 9e18 else { return "null" }
    let digits = String(Int64(abs(scaled)))
    let sign = scaled < 0 ? "-" : ""
    guard decimals > 0 else { return sign + digits }
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    return sign + padded.dropLast(decimals) + "." + padded.suffix(decimals)
  }
}

import JSONReading
public import Wording

/// Why a text is not a set of figures.
public struct FigureProblem: Error, Equatable {
  /// How many bytes of it are JSON.
  public var offset: Int
}

extension Figure {
  /// Reads figures from JSON.
  ///
  /// - Parameter template: gives the order of the members and the decimals of the numbers, which
  ///   JSON does not keep. Members that it lacks come last, by name.
  public init(parsing bytes: [UInt8], like template: Figure) throws(FigureProblem) {
    do throws(JSONError) {
      self.init(try JSONValue(parsing: bytes), like: template)
    } catch {
      throw FigureProblem(offset: error.offset)
    }
  }

  private init(_ json: JSONValue, like template: Figure) {
    switch json {
    case .text(let text): self = .text(text)
    case .boolean(let value): self = .boolean(value)
    case .null: self = .none
    case .list(let values): self = .list(values.map { Figure($0, like: .none) })
    case .whole(let value):
      if case .real(_, let decimals) = template {
        self = .real(Double(value), decimals: decimals)
      } else {
        self = .whole(value)
      }
    case .real(let value):
      if case .real(_, let decimals) = template {
        self = .real(value, decimals: decimals)
      } else {
        self = .real(value, decimals: 3)
      }
    case .object(let values):
      var known: [Member] = []
      if case .object(let members) = template { known = members }
      let names = known.map(\.name)
      let others = values.keys.filter { !names.contains($0) }.sorted()
      self = .object(
        (names + others).compactMap { name in
          guard let value = values[name] else { return nil }
          let like = known.first { $0.name == name }?.figure ?? .none
          return Member(name, Figure(value, like: like))
        })
    }
  }
}

import JSONReading

/// Reads the GeoJSON of an export: a first line, one line per feature, and a last line. A feature's
/// line may be formatted freely.
struct GeoJSONReader {
  private static let firstLine = Array("{\"type\":\"FeatureCollection\",\"features\":[\n".utf8)
  private static let lastLine = Array("\n]}\n".utf8)

  private let bytes: [UInt8]
  private let decoder = JSONDecoder()

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether the bytes are such a file, or its beginning.
  static func begins(_ bytes: [UInt8]) -> Bool {
    bytes.prefix(firstLine.count).elementsEqual(firstLine.prefix(bytes.count))
  }

  func captures() throws(ImportError) -> [ImportedCapture] {
    // The first and the last line may share a line feed.
    guard bytes.count >= Self.firstLine.count + Self.lastLine.count - 1,
      bytes.suffix(Self.lastLine.count).elementsEqual(Self.lastLine)
    else { throw FilePlace.end(of: bytes).cut("its last line, ]}, is missing") }
    var captures: [ImportedCapture] = []
    var place = FilePlace(line: 2, byte: Self.firstLine.count)
    let end = bytes.count - Self.lastLine.count + 1
    while place.byte < end {
      let stop = bytes[place.byte..<end].firstIndex(of: 0x0A) ?? end
      var line = bytes[place.byte..<stop]
      let isLast = stop + 1 >= end
      if !isLast {
        guard line.popLast() == UInt8(ascii: ",") else {
          throw place.error(
            "the line does not end with a comma; the file was edited, export it again")
        }
      }
      captures.append((try feature(line, at: place), place))
      place = FilePlace(line: place.line + 1, byte: stop + 1)
    }
    return captures
  }

  private func feature(
    _ line: ArraySlice<UInt8>, at place: FilePlace
  ) throws(ImportError) -> ExportedCapture {
    let feature: Feature
    do {
      feature = try decoder.decode(Feature.self, from: Array(line))
    } catch {
      throw place.error(
        "this is not a feature of an export (damaged or edited); copy or export the file again")
    }
    return try feature.row.capture(at: place)
  }
}

/// A feature of an export.
private struct Feature: Decodable {
  var row: CaptureFields

  private struct Geometry: Decodable {
    var type: String
    var coordinates: [Double]
  }

  private enum Value: Decodable {
    case text(String)
    case number(Double)
    case missing

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .missing
      } else if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else {
        self = .text(try container.decode(String.self))
      }
    }
  }

  private static let axes: [ExportColumn] = [.longitude, .latitude, .altitude]

  private enum Key: CodingKey {
    case geometry, properties
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let geometry = try container.decode(Geometry.self, forKey: .geometry)
    row = CaptureFields()
    if geometry.type == "Point" {
      for (column, number) in zip(Self.axes, geometry.coordinates) {
        row.numbers[column] = number
      }
    }
    for (name, value) in try container.decode([String: Value].self, forKey: .properties) {
      guard let column = ExportColumn(rawValue: name), !column.isGeometry else { continue }
      switch value {
      case .text(let text): row.texts[column] = text
      case .number(let number): row.numbers[column] = number
      case .missing: break
      }
    }
  }
}

import Testing
import TrackerCore
import Uplink

/// What the tests of the uplink share.
enum Sample {
  static let device = UniqueID(high: 0x0123_4567_89AB_4DEF, low: 0x8123_4567_89AB_CDEF)
  static let now = UTC(milliseconds: 1_795_000_000_000)
  static let layerURL = "https://gis.example/arcgis/rest/services/TrailWalker/FeatureServer/0"

  static func capture(_ sequence: UInt32, team: StaticString = "Els Senglars") -> Capture {
    var capture = Capture(
      sequence: sequence, utc: UTC(milliseconds: 1_794_999_000_120), isTimeTrusted: true,
      position: Coordinate(latitude: 419_794_000, longitude: 28_214_000),
      team: InlineText(team), trigger: .interval)
    capture.altitudeMillimetres = 75_500
    capture.speedMillimetresPerSecond = 1389
    capture.courseMillidegrees = 120_250
    capture.accuracyMetres = 5
    capture.satellites = 9
    capture.batteryPercent = 80
    capture.batteryMillivolts = 3810
    return capture
  }

  static func captures(_ range: ClosedRange<UInt32>, wereSent: Bool = false) -> [OutgoingCapture] {
    range.map { OutgoingCapture(capture($0), device: device, wasSent: wereSent) }
  }

  /// A layer's description; `extra` are members in front of the fields.
  static func layer(
    _ extra: String = "", without missing: String = "", with more: [(String, String)] = []
  ) -> String {
    let fields =
      [
        ("CodiEquip", "String"), ("Equip", "String"), ("Bateria", "Integer"), ("Entrada", "Date"),
        ("Tipus", "String"), ("UUID", "String"),
      ] + more
    let list = fields.filter { $0.0 != missing }.map {
      #"{"name":"\#($0.0)","type":"esriFieldType\#($0.1)","nullable":true,"editable":true}"#
    }
    return #"{"type":"Feature Layer","geometryType":"esriGeometryPoint","#
      + #""capabilities":"Create,Query","maxRecordCount":1000,\#(extra)"#
      + #""fields":[\#(list.joined(separator: ","))]}"#
  }

  /// What a control room needs of a layer.
  static let controlRoom = [
    ("Motiu", "String"), ("ProperContacte", "Date"), ("Silenci", "String"),
    ("Ordre", "Integer"),
  ]
  static let partial = #""supportsRollbackOnFailureParameter":true,"#
  static let globalIDs =
    partial + #""globalIdField":"GlobalID","supportsApplyEditsWithGlobalIds":true,"#

  static func dialogue(_ credentials: ArcGISCredentials = .none) throws -> ArcGISDialogue {
    var configuration = ArcGISConfiguration(address: try LayerAddress(layerURL))
    configuration.credentials = credentials
    return try ArcGISDialogue(configuration)
  }

  /// A dialogue that knows its layer already.
  static func ready(_ layer: String, _ credentials: ArcGISCredentials = .none) throws
    -> ArcGISDialogue
  {
    var dialogue = try dialogue(credentials)
    _ = try #require(dialogue.begin(.check, at: now).request)
    let step = dialogue.receive(.json(layer), at: now)
    #expect(step.result?.outcome == .ready)
    return dialogue
  }

  /// An answer that adds all.
  static func added(_ captures: [OutgoingCapture], withGlobalIDs: Bool = false) -> String {
    let items = captures.map {
      let id = withGlobalIDs ? #","globalId":"\#($0.id.bracedText)""# : ""
      return #"{"objectId":\#($0.capture.sequence + 600)\#(id),"success":true}"#
    }
    return #"{"addResults":[\#(items.joined(separator: ","))]}"#
  }

  /// A query's answer that has these.
  static func found(_ captures: [OutgoingCapture], field: String = "UUID") -> String {
    let items = captures.map { row($0, id: $0.id, field: field) }
    return #"{"features":[\#(items.joined(separator: ","))]}"#
  }

  /// The row that `capture` makes, under any identifier.
  static func row(_ capture: OutgoingCapture, id: UniqueID, field: String = "UUID") -> String {
    let place = WebMercator(capture.capture.position ?? .init(latitude: 0, longitude: 0))
    let time = capture.capture.isTimeTrusted ? capture.capture.utc?.milliseconds : nil
    let written = time.map(String.init) ?? "null"
    return #"{"attributes":{"\#(field)":"\#(id.lowercaseText)","#
      + #""CodiEquip":"\#(capture.device.lowercaseText)","Entrada":\#(written)},"#
      + #""geometry":{"x":\#(place.x),"y":\#(place.y)}}"#
  }

  static let token = Secret("t0ken/with+signs")
}

extension HTTPReply {
  static func json(_ text: String, status: Int32 = 200, headers: [HTTPHeader] = []) -> Self {
    .response(status: status, headers: headers, body: Array(text.utf8))
  }
}

extension ArcGISDialogue {
  /// How a work ends with this answer, when the layer has nothing of what it is asked about then.
  mutating func end(with reply: HTTPReply) -> UplinkResult? {
    var step = receive(reply, at: Sample.now)
    if step.request?.operation == "query" {
      step = receive(.json(Sample.found([])), at: Sample.now)
    }
    return step.result
  }
}

extension UplinkStep {
  var request: HTTPRequest? {
    if case .send(let request) = self { return request }
    return nil
  }

  var result: UplinkResult? {
    if case .done(let result) = self { return result }
    return nil
  }
}

extension HTTPRequest {
  var text: String { String(decoding: body, as: UTF8.self) }
  /// The last part of the address: `addFeatures`, `query`, `0`…
  var operation: String { String(url.split(separator: "/").last ?? "") }
}

let repeating = "repeat with: swift test --filter UplinkTests"

extension OutgoingCapture {
  /// Of a queue in which the keys are the numbers.
  init(_ capture: Capture, device: UniqueID, wasSent: Bool = false) {
    self.init(
      capture, key: CaptureKey(capture.sequence), device: device, wasSent: wasSent)
  }
}

import Testing
import TrackerCore
import Uplink

@testable import ModemDialogues

/// How large a request can be, and the room that there is for it.
@Suite struct RequestSizeTests {
  /// Longest name of a team, each character of it six times as long in JSON and form.
  @Test func `The largest batch fits a request of the modem's, and the line takes that whole`() {
    let name = String(repeating: "é" as Character, count: 32)
    let captures = (UInt32(1)...100).map { number in
      var capture = Capture(
        sequence: .max - number, utc: UTC(milliseconds: 1_780_000_000_000), isTimeTrusted: true,
        position: Coordinate(latitude: -899_999_999, longitude: -1_799_999_999),
        team: InlineText(Array(name.utf8).span), trigger: .interval)
      capture.altitudeMillimetres = .min
      capture.speedMillimetresPerSecond = .max
      capture.courseMillidegrees = 359_999
      capture.accuracyMetres = 10_000
      capture.satellites = 99
      capture.batteryPercent = 100
      capture.batteryMillivolts = .max
      return OutgoingCapture(
        capture, key: .none, device: UniqueID(high: .max, low: .max), wasSent: false)
    }
    let longest = Int(ModemFamily.sim7600.words.http?.longestBody ?? 0)
    #expect(ModemBounds.outgoingBytes > longest + 100, modemAgain)
    for body in Self.bodies(of: captures) {
      #expect(body.count > 20_000 && body.count <= longest, "\(body.count); \(modemAgain)")
    }
  }

  /// The requests in which the kinds of server get all of the captures.
  private static func bodies(of captures: [OutgoingCapture]) -> [[UInt8]] {
    var bodies: [[UInt8]] = []
    let url = "http://camp.example/positions"
    guard let posting = try? PostingConfiguration(format: .json, url: url, credentials: .none),
      let address = try? LayerAddress("http://camp.example/rest/services/Walk/FeatureServer/0")
    else { return [[]] }
    var json = PostingDialogue(posting)
    if case .send(let request) = json.begin(
      .upload(captures, nextContactBy: UTC(milliseconds: 1_780_000_000_000)),
      at: UTC(milliseconds: 0))
    {
      bodies.append(request.body)
    }
    guard var layer = try? ArcGISDialogue(ArcGISConfiguration(address: address)),
      case .send = layer.begin(
        .upload(captures, nextContactBy: UTC(milliseconds: 1_780_000_000_000)),
        at: UTC(milliseconds: 0)),
      case .send(let request) = layer.receive(
        .response(status: 200, headers: [], body: Array(description.utf8)),
        at: UTC(milliseconds: 0))
    else { return [[]] }
    return bodies + [request.body]
  }

  private static let description = """
    {"type":"Feature Layer","geometryType":"esriGeometryPoint","globalIdField":"GlobalID",
     "supportsApplyEditsWithGlobalIds":true,"capabilities":"Create,Query","fields":[
     {"name":"CodiEquip","type":"esriFieldTypeString","length":100},
     {"name":"Equip","type":"esriFieldTypeString","length":100},
     {"name":"Bateria","type":"esriFieldTypeInteger"},
     {"name":"Entrada","type":"esriFieldTypeDate"},
     {"name":"Tipus","type":"esriFieldTypeString","length":100},
     {"name":"UUID","type":"esriFieldTypeString","length":36}]}
    """
}

import Testing
import TrackerCore
import Uplink

@testable import ModemDialogues

/// How large a request can be, and the room that there is for it.
@Suite struct RequestSizeTests {
  /// Longest name of a team, each character of it six times as long in JSON and form, and of a
  /// place, as a store keeps it: 40 characters and 120 bytes. Measured: 120 633 bytes for a layer
  /// with a field for everything (of 153 600), 53 901 as JSON.
  @Test func `The largest batch fits a request of the modem's, and the line takes that whole`() {
    let name = String(repeating: "é" as Character, count: 32)
    let captures = (UInt32(1)...100).map { number in
      var capture = Capture(
        sequence: .max - number, utc: UTC(milliseconds: 1_780_000_000_000), isTimeTrusted: true,
        position: Coordinate(latitude: -899_999_999, longitude: -1_799_999_999),
        team: InlineText(Array(name.utf8).span), trigger: .batteryEnd)
      capture.altitudeMillimetres = .min
      capture.speedMillimetresPerSecond = .max
      capture.courseMillidegrees = 359_999
      capture.accuracyMetres = 10_000
      capture.satellites = 99
      capture.batteryPercent = 100
      capture.batteryMillivolts = .max
      capture.mark = CourseMark(doneMetres: .min, toGoMetres: .min)
      var outgoing = OutgoingCapture(
        capture, key: .none, device: UniqueID(high: .max, low: .max), wasSent: false)
      outgoing.placeName = String(repeating: "山" as Character, count: 40)
      return outgoing
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
      .upload(
        captures, nextContactBy: UTC(milliseconds: 1_780_000_000_000), silence: .stoppedByPerson),
      at: UTC(milliseconds: 0))
    {
      bodies.append(request.body)
    }
    var configuration = ArcGISConfiguration(address: address)
    configuration.fields.sequence = "Sequencia"
    configuration.fields.nextContact = "ProximContacte"
    configuration.fields.silence = "Silenci"
    (configuration.fields.done, configuration.fields.toGo) = ("MetresFets", "MetresPerFer")
    (configuration.fields.place, configuration.fields.trigger) = ("Lloc", "Motiu")
    configuration.fields.accuracy = "Precisio"
    guard var layer = try? ArcGISDialogue(configuration),
      case .send = layer.begin(
        .upload(
          captures, nextContactBy: UTC(milliseconds: 1_780_000_000_000), silence: .stoppedByPerson),
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
     {"name":"Sequencia","type":"esriFieldTypeInteger"},
     {"name":"ProximContacte","type":"esriFieldTypeDate"},
     {"name":"MetresFets","type":"esriFieldTypeInteger"},
     {"name":"MetresPerFer","type":"esriFieldTypeInteger"},
     {"name":"Lloc","type":"esriFieldTypeString"},
     {"name":"Motiu","type":"esriFieldTypeString"},
     {"name":"Silenci","type":"esriFieldTypeString"},
     {"name":"Precisio","type":"esriFieldTypeInteger"},
     {"name":"UUID","type":"esriFieldTypeString","length":36}]}
    """
}

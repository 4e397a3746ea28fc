import Testing
import TrackerCore
import Uplink

/// Requests, byte for byte. The identifiers, the projection and the encodings were computed with
/// Python; the shapes are those of Esri's, Traccar's and OwnTracks' documentation.
@Suite struct RequestVectorTests {
  static let id = "306e7c1f-b321-8036-8993-8633b3211031"
  static let device = "01234567-89ab-4def-8123-456789abcdef"
  let now = Sample.now

  static func plain(_ form: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(form.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  static let geometry =
    #"{"geometry":{"x":314076.8113,"y":5157894.1633,"spatialReference":{"wkid":102100}},"#
  static let attributes =
    #""attributes":{"CodiEquip":"\#(device)","Equip":"Els Senglars","Bateria":80,"#
    + #""Entrada":1794999000120,"Tipus":"trailtracker","#

  @Test func `addFeatures carries the feature in its form`() throws {
    var dialogue = try Sample.ready(Sample.layer(Sample.partial))
    let work = UplinkTask.upload(Sample.captures(7...7), nextContactBy: nil)
    let request = try #require(dialogue.begin(work, at: now).request)
    #expect(request.method == .post)
    #expect(request.url == Sample.layerURL + "/addFeatures")
    #expect(
      request.headers == [
        HTTPHeader("Content-Type", "application/x-www-form-urlencoded"),
        HTTPHeader("Accept", "application/json"),
      ])
    #expect(request.text.hasPrefix("f=json&rollbackOnFailure=false&features=%5B%7B%22geometry%22"))
    #expect(
      Self.plain(request.text)
        == "f=json&rollbackOnFailure=false&features=[\(Self.geometry)\(Self.attributes)"
        + #""UUID":"\#(Self.id)"}}]"#)
  }

  @Test func `applyEdits carries the GlobalID and the identifier field`() throws {
    var dialogue = try Sample.ready(Sample.layer(Sample.globalIDs), .token(Sample.token))
    let work = UplinkTask.upload(Sample.captures(7...7), nextContactBy: nil)
    let request = try #require(dialogue.begin(work, at: now).request)
    #expect(request.url == Sample.layerURL + "/applyEdits")
    #expect(
      Self.plain(request.text)
        == "f=json&rollbackOnFailure=false&useGlobalIds=true&adds=[\(Self.geometry)"
        + Self.attributes
        + #""GlobalID":"{\#(Self.id.uppercased())}","UUID":"\#(Self.id)"}}]"#
        + "&token=t0ken/with+signs")
    #expect(request.text.hasSuffix("&token=t0ken%2Fwith%2Bsigns"))
  }

  @Test func `A query names the captures`() throws {
    var dialogue = try Sample.ready(Sample.layer())
    let request = try #require(
      dialogue.begin(.reconcile(Sample.captures(7...7)), at: now).request)
    #expect(request.url == Sample.layerURL + "/query")
    #expect(
      request.text
        == "f=json&where=UUID+IN+%28%27\(Self.id)%27%29&outFields=UUID%2CCodiEquip%2CEntrada"
        + "&returnGeometry=true&outSR=102100")
  }

  @Test func `A user's token is bound to the site`() throws {
    var dialogue = try Sample.dialogue(
      .user(name: "camp ñ", password: Secret("p&=+ w"), tokenURL: nil))
    let request = try #require(dialogue.begin(.check, at: now).request)
    #expect(request.headers.last == HTTPHeader("Referer", "https://gis.example/arcgis"))
    #expect(
      request.text
        == "username=camp+%C3%B1&password=p%26%3D%2B+w&client=referer"
        + "&referer=https%3A%2F%2Fgis.example%2Farcgis&expiration=60&f=json")
  }

  @Test func `The layer is asked in the clear without a token`() throws {
    var dialogue = try Sample.dialogue()
    let request = try #require(dialogue.begin(.check, at: now).request)
    #expect(request.method == .get)
    #expect(request.url == Sample.layerURL + "?f=json")
    #expect(request.body.isEmpty)
  }

  @Test func `What is not known is null, or says so where null is not taken`() throws {
    var capture = Capture(
      sequence: 7, utc: UTC(milliseconds: 1000), isTimeTrusted: false,
      position: Coordinate(latitude: 0, longitude: 0), team: InlineText("\"A\\\n\u{7F}ŀ😀"),
      trigger: .start)
    for (nullable, battery, time) in [("true", "null", "null"), ("false", "-1", "0")] {
      let layer = Sample.layer(Sample.partial + #""hasZ":true,"#)
        .replacing(#""nullable":true"#, with: #""nullable":\#(nullable)"#)
      var dialogue = try Sample.ready(layer)
      let outgoing = OutgoingCapture(capture, device: Sample.device)
      let request = dialogue.begin(.upload([outgoing], nextContactBy: nil), at: now).request
      let text = Self.plain(request?.text ?? "")
      #expect(text.contains(#""Bateria":\#(battery),"Entrada":\#(time),"#))
      #expect(text.contains(#""x":0,"y":0,"z":0,"#))
      #expect(text.contains(#""Equip":"\"A\\\n\u007fŀ😀","#))
      capture.batteryPercent = nil
    }
  }

  @Test func `A text is cut to what its field holds, a date to its kind`() throws {
    let layer = Sample.layer(Sample.partial)
      .replacing(#""Equip","#, with: #""Equip","length":5,"#)
      .replacing("esriFieldTypeDate", with: "esriFieldTypeString")
    var dialogue = try Sample.ready(layer)
    let outgoing = OutgoingCapture(Sample.capture(7, team: "ŀlop😀"), device: Sample.device)
    let request = dialogue.begin(.upload([outgoing], nextContactBy: nil), at: now).request
    let text = Self.plain(request?.text ?? "")
    #expect(text.contains(#""Equip":"ŀlop","Bateria""#))
    #expect(text.contains(#""Entrada":"2026-11-18T10:50:00.120Z","#))
  }

  @Test func `OsmAnd: one position in the query of each request`() throws {
    var dialogue = PostingDialogue(
      try PostingConfiguration(format: .osmAnd, url: "https://t.example:5055/"))
    let promise = UTC(milliseconds: 1_795_000_600_000)
    let work = UplinkTask.upload(Sample.captures(7...8), nextContactBy: promise)
    let request = try #require(dialogue.begin(work, at: now).request)
    #expect(
      request.url
        == "https://t.example:5055/?id=\(Self.device)&timestamp=1794999000&lat=41.9794"
        + "&lon=2.8214&speed=2.7&bearing=120.25&altitude=75.5&accuracy=5&batt=80&uuid=\(Self.id)"
        + "&sequence=7&team=Els+Senglars&trigger=interval&timeTrusted=true&sat=9"
        + "&batteryMillivolts=3810&nextContactBy=2026-11-18T11%3A16%3A40.000Z")
    #expect(request.method == .post)
    #expect(request.body.isEmpty)
    #expect(dialogue.receive(.json(""), at: now).request?.url.contains("&sequence=8&") == true)
    let result = dialogue.receive(.json(""), at: now).result
    #expect(result?.acknowledged == [7, 8])
  }

  @Test func `OwnTracks: one location in each request`() throws {
    var dialogue = PostingDialogue(
      try PostingConfiguration(
        format: .ownTracks(user: "race"), url: "https://o.example/pub",
        credentials: .basic(user: "u", password: Secret("p"))))
    let work = UplinkTask.upload(Sample.captures(7...7), nextContactBy: nil)
    let request = try #require(dialogue.begin(work, at: now).request)
    #expect(
      request.headers == [
        HTTPHeader("Content-Type", "application/json"), HTTPHeader("X-Limit-U", "race"),
        HTTPHeader("X-Limit-D", Self.device), HTTPHeader("Authorization", "Basic dTpw"),
      ])
    #expect(
      request.text
        == #"{"_type":"location","_id":"\#(Self.id)","tid":"ef","lat":41.9794,"lon":2.8214,"#
        + #""tst":1794999000,"acc":5,"alt":76,"vel":5,"cog":120,"batt":80,"#
        + #""team":"Els Senglars","sequence":7,"timeTrusted":true}"#)
  }

  @Test func `MQTT: a location for OwnTracks with all that plain JSON tells`() throws {
    var dialogue = PostingDialogue(
      try PostingConfiguration(
        format: .mqtt(user: "race", .receiver), url: "mqtts://b.example",
        credentials: .basic(user: "race", password: Secret("p"))))
    _ = dialogue.fetch(MailQuestion(device: Sample.device, after: 4), at: now)
    var captures = Sample.captures(7...8)
    captures[0].capture.mark = CourseMark(doneMetres: 1200, toGoMetres: 98_800)
    captures[0].placeName = "Olot"
    let work = UplinkTask.upload(captures, nextContactBy: Sample.now, silence: .reserve)
    let request = try #require(dialogue.begin(work, at: now).request)
    let publication = try #require(request.publication)
    #expect(publication.topic == "owntracks/race/\(Self.device)")
    #expect(publication.answers == "owntracks/race/\(Self.device)/ack")
    #expect(publication.client == "tt-4def8123456789abcdef")
    #expect(publication.user == "race" && publication.messages.map(\.id) == captures.map(\.id))
    #expect(
      String(decoding: publication.messages[0].payload, as: UTF8.self)
        == #"{"_type":"location","_id":"\#(Self.id)","tid":"ef","lat":41.9794,"lon":2.8214,"#
        + #""tst":1794999000,"acc":5,"alt":76,"vel":5,"cog":120,"batt":80,"#
        + #""uuid":"\#(Self.id)","device":"\#(Self.device)","sequence":7,"#
        + #""team":"Els Senglars","trigger":"interval","time":"2026-11-18T10:50:00.120Z","#
        + #""timeTrusted":true,"latitude":41.9794,"longitude":2.8214,"altitudeMetres":75.5,"#
        + #""speedMetresPerSecond":1.389,"courseDegrees":120.25,"accuracyMetres":5,"#
        + #""satellites":9,"batteryPercent":80,"batteryMillivolts":3810,"#
        + #""nextContactBy":"2026-11-18T11:06:40.000Z","silence":"reserve","#
        + #""doneMetres":1200,"toGoMetres":98800,"place":"Olot","lastMessage":4}"#)
    #expect("\(request)" == "PUBLISH mqtts://b.example (2 messages)")
  }

  @Test func `Plain JSON: all captures with all that is known`() throws {
    var dialogue = PostingDialogue(
      try PostingConfiguration(
        format: .json, url: "https://j.example/in", credentials: .bearer(Sample.token)))
    let bare = Capture(
      sequence: 8, utc: nil, isTimeTrusted: false,
      position: Coordinate(latitude: -5, longitude: -1_799_999_999), team: InlineText(),
      trigger: .command)
    let list = Sample.captures(7...7) + [OutgoingCapture(bare, device: Sample.device)]
    let request = try #require(
      dialogue.begin(.upload(list, nextContactBy: nil), at: now).request)
    #expect(request.headers.last == HTTPHeader("Authorization", "Bearer t0ken/with+signs"))
    #expect(
      request.text
        == #"[{"uuid":"\#(Self.id)","device":"\#(Self.device)","sequence":7,"#
        + #""team":"Els Senglars","trigger":"interval","time":"2026-11-18T10:50:00.120Z","#
        + #""timeTrusted":true,"latitude":41.9794,"longitude":2.8214,"altitudeMetres":75.5,"#
        + #""speedMetresPerSecond":1.389,"courseDegrees":120.25,"accuracyMetres":5,"#
        + #""satellites":9,"batteryPercent":80,"batteryMillivolts":3810,"nextContactBy":null,"#
        + #""silence":null},"#
        + #"{"uuid":"\#(list[1].id.lowercaseText)","device":"\#(Self.device)","sequence":8,"#
        + #""team":"","trigger":"command","time":null,"timeTrusted":false,"#
        + #""latitude":-0.0000005,"longitude":-179.9999999,"altitudeMetres":null,"#
        + #""speedMetresPerSecond":null,"courseDegrees":null,"accuracyMetres":null,"#
        + #""satellites":null,"batteryPercent":null,"batteryMillivolts":null,"#
        + #""nextContactBy":null,"silence":null}]"#)
  }

  @Test func `Every kind of server is told why the tracker will be silent`() throws {
    let kinds: [(PostingConfiguration.Format, says: String)] = [
      (.json, #""nextContactBy":null,"silence":"reserve"}]"#), (.osmAnd, "&silence=reserve"),
      (.ownTracks(user: "race"), #","timeTrusted":true,"silence":"reserve"}"#),
    ]
    for (format, says) in kinds {
      var dialogue = PostingDialogue(
        try PostingConfiguration(format: format, url: "https://t.example/"))
      let work = UplinkTask.upload(Sample.captures(7...7), nextContactBy: nil, silence: .reserve)
      let request = try #require(dialogue.begin(work, at: now).request)
      #expect((request.url + request.text).hasSuffix(says), "\(request); \(repeating)")
    }
  }

  @Test(arguments: [(5, true, "5"), (nil, true, "null"), (nil, false, "-1")])
  func `A layer with a field for it is told how far a position may be off`(
    _ accuracy: Int32?, _ isNullable: Bool, _ written: String
  ) throws {
    let layer = Sample.layer(Sample.partial, with: [("Precisio", "Integer")])
      .replacing(#""nullable":true"#, with: #""nullable":\#(isNullable)"#)
    var dialogue = try Sample.ready(layer)
    var captures = Sample.captures(7...7)
    captures[0].capture.accuracyMetres = accuracy
    let work = UplinkTask.upload(captures, nextContactBy: nil, silence: .none)
    let text = Self.plain(try #require(dialogue.begin(work, at: now).request).text)
    #expect(text.contains(#","Precisio":\#(written),"#), "\(text); \(repeating)")
  }

  @Test(arguments: [true, false])
  func `A layer is told of promise, trigger and silence`(_ isNullable: Bool) throws {
    let layer = Sample.layer(Sample.partial, with: Sample.controlRoom)
      .replacing(#""nullable":true"#, with: #""nullable":\#(isNullable)"#)
    let promise = UTC(milliseconds: 1_795_000_600_000)
    for (silence, written) in [
      (PlannedSilence.none, isNullable ? "null" : #""""#), (.finished, #""finished""#),
    ] {
      var dialogue = try Sample.ready(layer)
      let work = UplinkTask.upload(
        Sample.captures(7...7), nextContactBy: promise, silence: silence)
      let text = Self.plain(try #require(dialogue.begin(work, at: now).request).text)
      #expect(
        text.contains(
          #","Ordre":7,"ProperContacte":1795000600000,"Motiu":"interval","#
            + #""Silenci":\#(written),"UUID""#),
        "\(text); \(repeating)")
    }
  }
}

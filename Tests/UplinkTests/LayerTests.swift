import Testing
import TrackerCore
import Uplink

/// Addresses and layers that will not do, and the line that says so.
@Suite struct LayerTests {
  static let host = "https://gis.example"
  static let mistakes: [(address: String, says: String)] = [
    ("", "is empty"),
    ("gis.example/arcgis/rest/services/T/FeatureServer/0", "has no scheme; write https://"),
    ("ftp://gis.example/FeatureServer/0", "has no scheme"),
    ("https://", "has no host"),
    ("https:///arcgis/FeatureServer/0", "has no host"),
    (host, "has no layer number; end it with FeatureServer and the layer's number"),
    (host + "/arcgis/rest/services/T/FeatureServer", "has no layer number"),
    (host + "/arcgis/rest/services/T/FeatureServer/", "has no layer number"),
    (host + "/arcgis/rest/services/T/FeatureServer/x", "has no layer number"),
    (host + "/arcgis/rest/services/T/FeatureServer/-1", "has no layer number"),
    (host + "/arcgis/rest/services/T/MapServer/0", "MapServer, which takes no captures"),
    (host + "/arcgis/rest/services/T/FeatureServer/0?token=hush", "has a query"),
    ("https://u:hush@gis.example/arcgis/rest/services/T/FeatureServer/0", "user name"),
    ("u:hush@gis.example/arcgis/FeatureServer/0", "has no scheme"),
    (host + "/a b/FeatureServer/0", "spaces"),
    (host + "/a\r\nX: y/FeatureServer/0", "spaces"),
    (host + "/ñ/FeatureServer/0", "percent-encode"),
    (host + "/" + String(repeating: "a", count: 2000) + "/FeatureServer/0", "2000"),
  ]

  @Test(arguments: mistakes.map(\.address))
  func `An address that will not do is refused in one line`(_ address: String) throws {
    let says = try #require(Self.mistakes.first { $0.address == address }).says
    let error = try #require(throws: AddressError.self) { _ = try LayerAddress(address) }
    #expect(error.description.contains(says), "\(error); \(repeating)")
    #expect(!error.description.contains("hush") && !error.description.contains("\n"))
  }

  @Test(arguments: [
    ("https://gis.example/arcgis/rest/services/A/T/FeatureServer/0/", "https://gis.example/arcgis"),
    ("http://127.0.0.1:8080/rest/services/T/FeatureServer/12", "http://127.0.0.1:8080"),
    ("HTTPS://gis.example/x/Rest/Services/T/featureserver/0", "HTTPS://gis.example/x"),
    ("https://gis.example/T/FeatureServer/0", ""),
  ])
  func `An address names its layer and its site`(_ text: String, _ site: String) throws {
    let address = try LayerAddress(text)
    #expect(address.layer == (text.hasSuffix("/") ? String(text.dropLast()) : text))
    #expect(address.site == (site.isEmpty ? nil : site))
  }

  @Test func `Credentials do not travel in the clear, but to this machine itself`() throws {
    for (host, isGood) in [
      ("https://a.example", true), ("http://a.example", false), ("http://localhost:8080", true),
      ("http://127.0.0.1", true), ("http://[::1]:80", true), ("http://localhost.example", false),
    ] {
      var configuration = ArcGISConfiguration(
        address: try LayerAddress(host + "/arcgis/rest/services/T/FeatureServer/0"))
      configuration.credentials = .token(Sample.token)
      let isTaken = (try? configuration.validate()) != nil
      #expect(isTaken == isGood, "\(host); \(repeating)")
    }
  }

  @Test func `Without a site somebody has to say where tokens come from`() throws {
    var configuration = ArcGISConfiguration(
      address: try LayerAddress("https://gis.example/T/FeatureServer/0"))
    for (url, isGood) in [
      (nil, false), ("https://gis.example/token", true), ("http://gis.example/token", false),
      ("gis.example/token", false), ("https://a:b@gis.example/token", false),
    ] {
      configuration.credentials = .user(name: "a", password: Sample.token, tokenURL: url)
      let isTaken = (try? configuration.validate()) != nil
      #expect(isTaken == isGood, "\(url ?? "none"); \(repeating)")
    }
  }

  static let unsuitable: [(layer: String, says: String)] = [
    (Sample.layer(without: "Bateria"), "has no field Bateria"),
    (Sample.layer(without: "UUID"), "has no field UUID"),
    (Sample.layer().replacing("Create,Query", with: "Query"), "is not editable"),
    (Sample.layer().replacing("Create,Query", with: ""), "is not editable"),
    (Sample.layer().replacing("GeometryPoint", with: "GeometryPolygon"), "not points"),
    (
      Sample.layer().replacing(
        #""Equip","type":"esriFieldTypeString","nullable":true,"editable":true"#,
        with: #""Equip","type":"esriFieldTypeString","nullable":true,"editable":false"#),
      "field Equip is not editable"
    ),
    (Sample.layer().replacing(#""UUID","#, with: #""UUID","length":20,"#), "cannot hold"),
    (#"{"currentVersion":11,"layers":[]}"#, "is not a layer"),
    ("{}", "is not a layer"),
  ]

  @Test func `A layer that cannot take captures is named with the reason`() throws {
    for (layer, says) in Self.unsuitable {
      var dialogue = try Sample.dialogue()
      _ = dialogue.begin(.check, at: Sample.now)
      let result = try #require(dialogue.receive(.json(layer), at: Sample.now).result)
      #expect(result.outcome == .notReady(.refused(code: -1, first: 0, count: 0)))
      #expect(result.problem?.english.contains(says) == true, "\(says): \(result); \(repeating)")
    }
  }

  @Test func `A layer whose field cannot hold the metres of a course is named with the cure`()
    throws
  {
    for kind in ["SmallInteger", "Integer", "BigInteger", "Double", "Single", "String"] {
      let fields = #""fields":[{"name":"Fets","type":"esriFieldType\#(kind)"},"#
      var configuration = ArcGISConfiguration(address: try LayerAddress(Sample.layerURL))
      (configuration.fields.done, configuration.fields.sequence) = ("fets", nil)
      var dialogue = try ArcGISDialogue(configuration)
      _ = dialogue.begin(.check, at: Sample.now)
      let layer = Sample.layer().replacing(#""fields":["#, with: fields)
      let result = try #require(dialogue.receive(.json(layer), at: Sample.now).result)
      guard kind == "SmallInteger" else {
        #expect(result.outcome == .ready, "\(kind): \(result); \(repeating)")
        continue
      }
      #expect(result.outcome == .notReady(.refused(code: -1, first: 0, count: 0)))
      #expect(
        result.problem?.english.contains(
          "field Fets holds no more than 32767, too little for metres; make it esriFieldTypeInteger"
        ) == true, "\(result); \(repeating)")
    }
  }

  @Test(arguments: [
    (
      [],
      "Motiu (esriFieldTypeString), ProperContacte (esriFieldTypeDate), "
        + "Silenci (esriFieldTypeString), Ordre (esriFieldTypeInteger)"
    ),
    (
      [("Motiu", "String"), ("Silenci", "String"), ("Ordre", "Double")],
      "ProperContacte (esriFieldTypeDate)"
    ),
    // None of ours: they cannot hold the values.
    (
      [
        ("Motiu", "Integer"), ("ProperContacte", "DateOnly"), ("silenci", "String"),
        ("Ordre", "SmallInteger"),
      ],
      "Motiu (esriFieldTypeString), ProperContacte (esriFieldTypeDate), "
        + "Ordre (esriFieldTypeInteger)"
    ),
    (
      [
        ("motiu", "String"), ("PROPERCONTACTE", "TimestampOffset"), ("Silenci", "String"),
        ("ordre", "BigInteger"),
      ], nil
    ),
  ])
  func `A layer that takes captures, but lacks what a control room needs, is said to lack it`(
    _ fields: [(String, String)], _ lacks: String?
  ) throws {
    var dialogue = try Sample.dialogue()
    _ = dialogue.begin(.check, at: Sample.now)
    let layer = Sample.layer(with: fields)
    let result = try #require(dialogue.receive(.json(layer), at: Sample.now).result)
    #expect(result.outcome == .ready, "\(result); \(repeating)")
    let expected = lacks.map {
      "has no \($0): without it the control room cannot explain silences or missing captures; "
        + "add it, or name your own field in server.fields"
    }
    #expect(result.problem?.english == expected, "\(result); \(repeating)")
    // It takes captures, without a word in the log.
    let sent = Sample.captures(1...1)
    _ = dialogue.begin(.upload(sent, nextContactBy: nil, silence: .reserve), at: Sample.now)
    let end = dialogue.receive(.json(Sample.added(sent)), at: Sample.now).result
    #expect(end?.acknowledged == [1] && end?.problem == nil, "\(String(describing: end))")
  }

  @Test func `A field that the settings name, or turn off, is none that a layer lacks`() throws {
    var configuration = ArcGISConfiguration(address: try LayerAddress(Sample.layerURL))
    (configuration.fields.trigger, configuration.fields.silence) = (nil, nil)
    (configuration.fields.nextContact, configuration.fields.sequence) = ("Promesa", nil)
    for (fields, outcome) in [
      ([("Promesa", "Date")], UplinkOutcome.ready),
      ([], .notReady(.refused(code: -1, first: 0, count: 0))),
    ] {
      var dialogue = try ArcGISDialogue(configuration)
      _ = dialogue.begin(.check, at: Sample.now)
      let layer = Sample.layer(with: fields)
      let result = try #require(dialogue.receive(.json(layer), at: Sample.now).result)
      #expect(result.outcome == outcome, "\(result); \(repeating)")
      #expect((result.problem == nil) == (outcome == .ready), "\(result); \(repeating)")
    }
  }

  @Test func `With GlobalIDs the identifier field may be missing, and case does not matter`() throws
  {
    let layer = Sample.layer(Sample.globalIDs, without: "UUID")
      .replacing("CodiEquip", with: "CODIEQUIP")
    var dialogue = try Sample.ready(layer)
    let work = UplinkTask.upload(Sample.captures(1...1), nextContactBy: nil)
    let request = dialogue.begin(work, at: Sample.now).request
    #expect(request?.operation == "applyEdits")
    #expect(request?.text.contains("CODIEQUIP") == true)
    #expect(request?.text.contains("UUID") == false)
  }

  @Test func `A layer that has gone is looked at again`() throws {
    var dialogue = try Sample.ready(Sample.layer())
    let work = UplinkTask.upload(Sample.captures(1...1), nextContactBy: nil)
    _ = dialogue.begin(work, at: Sample.now)
    _ = dialogue.receive(.json("", status: 404), at: Sample.now)
    #expect(dialogue.begin(work, at: Sample.now).request?.operation == "0?f=json")
  }
}

import Foundation
import TestSupport
import Testing

/// What becomes of features that come in, good and bad.
@Suite(.blocking) struct EditTests {
  let folder: ScratchFolder
  let camp: CampServer

  init() throws {
    folder = try ScratchFolder()
    camp = try CampServer(folder)
  }

  private func apply(_ adds: String, _ more: [String: String] = [:]) throws -> [String: Any] {
    try camp.post("\(OpenCamp.layer)/applyEdits", ["adds": adds].merging(more) { $1 })
  }

  @Test func `With useGlobalIds a capture that comes twice is kept once`() throws {
    let more = ["useGlobalIds": "true", "rollbackOnFailure": "false"]
    #expect(areDone(addResults(try apply(Captures.text(0..<10), more)), 10))
    let again = addResults(try apply(Captures.text(5..<15), more))
    #expect(again.map(\.code) == [1022, 1022, 1022, 1022, 1022, 0, 0, 0, 0, 0])
    #expect(try camp.count() == 15)
    #expect(try camp.count("GlobalID = '\(Captures.uuid(3))'") == 1)
  }

  @Test func `Within one request too, whatever the letters' case and the braces`() throws {
    let id = "ABCDEF00-0000-4000-8000-000000000001"
    let adds = """
      [{"attributes":{"GlobalID":"{\(id)}"}},{"attributes":{"GlobalID":"\(id.lowercased())"}}]
      """
    let results = addResults(
      try apply(adds, ["useGlobalIds": "true", "rollbackOnFailure": "false"]))
    #expect(results.map(\.code) == [0, 1022], "\(adds); \(camp.command)")
  }

  @Test func `Without useGlobalIds a capture that comes twice is there twice`() throws {
    _ = try apply(Captures.text(0..<5))
    _ = try apply(Captures.text(0..<5))
    _ = try camp.post("\(OpenCamp.layer)/addFeatures", ["features": Captures.text(0..<5)])
    #expect(try camp.count("UUID = '\(Captures.uuid(2))'") == 3)
  }

  @Test func `With rollbackOnFailure one bad feature takes the others with it`() throws {
    let adds = Captures.text(0..<2).dropLast() + ",{\"geometry\":{\"x\":\"NaN\",\"y\":1}}]"
    let results = addResults(try apply(String(adds)))
    #expect(results.map(\.code) == [1003, 1003, 1015])
    #expect(try camp.count() == 0)
    let kept = addResults(try apply(String(adds), ["rollbackOnFailure": "false"]))
    #expect(kept.map(\.code) == [0, 0, 1015])
    #expect(try camp.count() == 2)
  }

  @Test(arguments: [
    (#"{"geometry":{"x":1}}"#, 1015), (#"{"geometry":{"x":null,"y":2}}"#, 1015),
    (#"{"geometry":[1,2]}"#, 1015), (#"{"geometry":{"x":3e7,"y":2}}"#, 1015),
    (#"{"geometry":{"x":1,"y":2,"spatialReference":{"wkid":99999}}}"#, 1015),
    (#"{"geometry":{"x":2.8,"y":95,"spatialReference":{"wkid":4326}}}"#, 1015),
    (#"{"attributes":{"Bateria":"full"}}"#, 1016), (#"{"attributes":{"Bateria":[1]}}"#, 1016),
    (#"{"attributes":{"Entrada":"today"}}"#, 1016), (#"{"attributes":{"Entrada":1e300}}"#, 1016),
    (#"{"attributes":{"Equip":true}}"#, 1016), (#"{"attributes":[]}"#, 1016),
    (#"{"attributes":{"UUID":"123456789012345678901234567890123456789"}}"#, 1016),
    (#"{"attributes":{"Entrada":null,"equip":"Small letters"}}"#, 0), ("{}", 0),
    (#"{"attributes":{"CodiEquip":214075512345678,"OBJECTID":7,"Unknown":1}}"#, 0),
    (#"{"geometry":{"x":2.8,"y":41.9,"spatialReference":{"wkid":4326}}}"#, 0),
  ])
  func `Each feature is judged by itself`(_ feature: String, _ code: Int) throws {
    let answer = try camp.post(
      "\(OpenCamp.layer)/addFeatures", ["features": "[\(feature)]", "rollbackOnFailure": "false"])
    #expect(addResults(answer).map(\.code) == [code], "\(answer); \(camp.command)")
  }

  @Test(arguments: [
    ("", 1020), (#""GlobalID":null"#, 1020), (#""GlobalID":"""#, 1020),
    (#""GlobalID":"{1}""#, 1021), (#""GlobalID":7"#, 1020),
  ])
  func `With useGlobalIds each feature needs a good one`(_ attribute: String, _ code: Int) throws {
    let answer = try apply("[{\"attributes\":{\(attribute)}}]", ["useGlobalIds": "true"])
    #expect(addResults(answer).map(\.code) == [code], "\(answer)")
  }

  @Test(arguments: [
    "", "nothing", "{}", "[1]", "[{]", #"[{"geometry":null}"#,
    String(repeating: "[", count: 5000), "null",
  ])
  func `Anything but a list of features is refused as a whole`(_ features: String) throws {
    let answer = try camp.post("\(OpenCamp.layer)/addFeatures", ["features": features])
    #expect(errorCode(answer) == 400, "\(answer); \(camp.command)")
  }

  @Test func `Numbers at their ends come back as they went in`() throws {
    let numbers = ["-9223372036854775808", "1e308", "-0.5", "9007199254740993", "5e-324"]
    let features = numbers.map { "{\"attributes\":{\"Bateria\":\($0)}}" }.joined(separator: ",")
    let answer = try camp.post("\(OpenCamp.layer)/addFeatures", ["features": "[\(features)]"])
    #expect(areDone(addResults(answer), 5), "\(answer); \(camp.command)")
    let rows = attributes(try camp.query(["where": "1=1", "outFields": "*"]))
    #expect(rows.map { $0["Bateria"] as? Double } == numbers.map { Double($0) })
  }

  @Test func `Updates and deletes are refused one by one`() throws {
    let answer = try camp.post(
      "\(OpenCamp.layer)/applyEdits", ["deletes": "1,2", "updates": "[{\"attributes\":{}}]"])
    #expect((answer["deleteResults"] as? [[String: Any]])?.map(errorCode) == [1018, 1018])
    #expect((answer["updateResults"] as? [[String: Any]])?.map(errorCode) == [1019])
  }

  @Test func `A layer with fields for the course keeps them, also in a camp that had none`() throws
  {
    let other = try ScratchFolder()
    let fields = #""Fets":38600,"PerFer":62400,"Lloc":"Amer","Motiu":"entered""#
    let form = ["features": "[{\"attributes\":{\"Equip\":\"A\",\(fields)}}]"]
    func run(_ arguments: [String]) throws -> (fields: [String], rows: [[String: Any]]) {
      let camp = try CampServer(other, arguments)
      let layer = try camp.get(OpenCamp.layer)
      let answer = try camp.post("\(OpenCamp.layer)/addFeatures", form)
      #expect(areDone(addResults(answer), 1), "\(answer); \(camp.command)")
      let names = (layer["fields"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
      return (names, attributes(try camp.query(["where": "1=1", "outFields": "*"])))
    }
    let plain = try run([])
    #expect(plain.fields.suffix(4) == ["Silenci", "Ordre", "Precisio", "GlobalID"])
    #expect(plain.rows.allSatisfy { $0["Fets"] == nil && $0["Motiu"] as? String == "entered" })
    let marked = try run(["--course-fields"])
    #expect(marked.fields.suffix(4) == ["Fets", "PerFer", "Lloc", "GlobalID"])
    #expect(marked.rows.map { $0["Fets"] as? Int } == [nil, 38_600])
    #expect(marked.rows.last?["PerFer"] as? Int == 62_400)
    #expect(marked.rows.last?["Lloc"] as? String == "Amer")
    #expect(marked.rows.last?["Motiu"] as? String == "entered")
    #expect(try run([]).rows.count == 3)
  }

  @Test func `A layer without GlobalIDs has none and takes none`() throws {
    let other = try ScratchFolder()
    let camp = try CampServer(other, ["--no-global-ids"])
    let layer = try camp.get(OpenCamp.layer)
    #expect(layer["supportsApplyEditsWithGlobalIds"] as? Bool == false)
    #expect(layer["globalIdField"] as? String == "")
    let form = ["adds": Captures.text(0..<2), "useGlobalIds": "true"]
    let answer = try camp.post("\(OpenCamp.layer)/applyEdits", form)
    #expect(areDone(addResults(answer), 2))
    #expect((answer["addResults"] as? [[String: Any]])?.first?["globalId"] == nil)
    _ = try camp.post("\(OpenCamp.layer)/applyEdits", form)
    #expect(try camp.count() == 4)
    #expect(errorCode(try camp.query(["where": "GlobalID IS NULL"])) == 400)
  }
}

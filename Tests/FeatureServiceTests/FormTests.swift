import Testing

@testable import FeatureService

/// Forms, urlencoded or in parts, from well-meaning clients and others.
@Suite struct FormTests {
  private func parts(_ body: String, type: String = "multipart/form-data; boundary=xyz") throws
    -> FormData
  {
    var form = FormData([])
    try #require(try Multipart(type: type)).add(Array(body.utf8), to: &form)
    return form
  }

  private static let disposition = "Content-Disposition: form-data; name="

  @Test(arguments: [
    "--xyz\r\n\(disposition)\"a\"\r\n\r\n1\r\n--xyz--",
    "--xyz\r\n\(disposition)a\r\n\r\n1\r\n--xyz--\r\nepilogue",
    "preamble\r\n--xyz\r\n\(disposition)\"a\"; filename=\"b.json\"\r\nContent-Type: text/json\r\n"
      + "\r\n1\r\n--xyz--\r\n",
    "--xyz\r\ncontent-disposition: FORM-DATA; Name=\"a\"\r\n\r\n1\r\n--xyz--",
  ])
  func `A part's value is between the blank line and the boundary`(_ body: String) throws {
    #expect(try parts(body).text("a") == "1")
  }

  @Test func `A value may have anything but the boundary`() throws {
    let value = "\r\n--xy\r\n\r\n\u{0}é--xyz"
    let body =
      "--xyz\r\n\(Self.disposition)\"a\"\r\n\r\n\(value)\r\n--xyz\r\n\(Self.disposition)\"b\"\r\n"
      + "\r\n\r\n--xyz--\r\n"
    #expect(try parts(body).text("a") == value)
    #expect(try parts(body).text("b") == "")
  }

  @Test(arguments: [
    "", "--xyz", "--xyz\r\n", "--xyz\r\n\(disposition)\"a\"\r\n\r\n1", "1\r\n--xy--",
    "--xyz\r\n\(disposition)\"a\"\r\n\r\n1\r\n--xyz", "--xyz\r\n\(disposition)\"a\"\r\n",
    "--xyz\r\nContent-Disposition: attachment\r\n\r\n1\r\n--xyz--", "--xyz\r\n\r\n1\r\n--xyz--",
    "--xyz\r\n\(disposition)\"a\"\r\n\r\n--xyz",
  ])
  func `A body that is cut or has no names is refused`(_ body: String) {
    #expect(throws: Multipart.FormatError.self) { try parts(body) }
  }

  @Test func `Any cut of a form in parts is refused`() throws {
    let whole =
      "--xyz\r\n\(Self.disposition)\"a\"\r\n\r\n1\r\n--xyz\r\n\(Self.disposition)\"b\"\r\n\r\n2\r\n"
      + "--xyz--"
    #expect(try parts(whole).text("b") == "2")
    for count in 0..<whole.utf8.count {
      #expect(throws: Multipart.FormatError.self) {
        try parts(String(decoding: whole.utf8.prefix(count), as: UTF8.self))
      }
    }
  }

  @Test(arguments: [
    "multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=\"\"",
    "multipart/form-data; boundary=" + String(repeating: "x", count: 71),
  ])
  func `A type without a boundary is refused`(_ type: String) {
    #expect(throws: Multipart.FormatError.self) { try Multipart(type: type) }
  }

  @Test(arguments: ["application/x-www-form-urlencoded", "text/plain", ""])
  func `Another type is not a form in parts`(_ type: String) throws {
    #expect(try Multipart(type: type) == nil)
  }

  @Test func `The address takes precedence over a form in parts`() throws {
    let body = "--x\r\n\(Self.disposition)\"f\"\r\n\r\nhtml\r\n--x--"
    let request = ServiceRequest(
      method: "POST", target: Array("/arcgis/rest/info?f=json".utf8),
      type: "multipart/form-data; boundary=x", body: Array(body.utf8))
    #expect(request.text("f") == "json")
  }

  @Test(arguments: ["", "?a=1&b=2"])
  func `Fields without bound are refused`(_ query: String) throws {
    let service = try Service()
    let fields = (0..<Bounds.formFields).map { "x\($0)=1" }.joined(separator: "&")
    for (body, isRefused) in [(fields, query != ""), (fields + "&y=1", true)] {
      let request = ServiceRequest(
        method: "POST", target: Array("/arcgis/rest/info\(query)".utf8), type: nil,
        body: Array(body.utf8))
      #expect((request.problem != nil) == isRefused)
      if isRefused { #expect(service.send(request).summary != "answer") }
    }
  }

  @Test func `A million empty pairs are nothing`() {
    let form = FormData([UInt8](repeating: UInt8(ascii: "&"), count: 1_000_000) + Array("a=1".utf8))
    #expect(form.text("a") == "1")
    #expect(!form.hasTooMany)
  }

  // MARK: Features

  @Test func `A feature, and all values of an edit, have their bounds`() throws {
    func list(_ text: String) throws -> Int {
      try IncomingFeature.list(Array(text.utf8), parameter: "features").count
    }
    #expect(try list("[ {} , {\"attributes\":{\"a\":1}} ] ") == 2)
    #expect(try list("[]") == 0)
    let long = String(repeating: "x", count: Bounds.featureBytes)
    #expect(throws: ArcGISError.self) { try list("[{\"attributes\":{\"a\":\"\(long)\"}}]") }
    #expect(throws: ArcGISError.self) { try list("[{}] x") }
    #expect(throws: ArcGISError.self) { try list("[{}{}]") }
    #expect(throws: ArcGISError.self) { try list("{}") }
    let many = (0..<1001).map { "\"\($0)\":1" }.joined(separator: ",")
    let features = Array(repeating: "{\"attributes\":{\(many)}}", count: 500)
    #expect(throws: ArcGISError.self) { try list("[\(features.joined(separator: ","))]") }
    let empty = Array(repeating: "{}", count: Bounds.featuresInEdit + 1)
    #expect(throws: ArcGISError.self) { try list("[\(empty.joined(separator: ","))]") }
    #expect(try list("[\(empty.dropLast().joined(separator: ","))]") == Bounds.featuresInEdit)
  }

  // MARK: Where

  @Test(arguments: [Bounds.whereFunctions, Bounds.whereFunctions + 1, 4000, 9000])
  func `Functions nest to a bound`(_ depth: Int) throws {
    let service = try Service()
    let open = String(repeating: "UPPER(", count: depth)
    let clause = "\(open)Equip\(String(repeating: ")", count: depth)) = 'A'"
    let reply = service.send(
      service.request(
        "POST", "\(Service.layer)/query",
        [("f", "json"), ("where", clause), ("returnCountOnly", "true")]))
    #expect(reply.summary == (depth <= Bounds.whereFunctions ? "answer" : "error 400"))
  }

  @Test(arguments: [Bounds.patternBytes, Bounds.patternBytes + 1])
  func `A pattern has a bound`(_ count: Int) throws {
    let service = try Service()
    let clause = "Equip LIKE '\(String(repeating: "%", count: count))'"
    let reply = service.send(
      service.request(
        "POST", "\(Service.layer)/query",
        [("f", "json"), ("where", clause), ("returnCountOnly", "true")]))
    #expect(reply.summary == (count <= Bounds.patternBytes ? "answer" : "error 400"))
  }
}

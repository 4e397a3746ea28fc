import Foundation
import TestSupport
import Testing

@Suite(.serialized, .blocking) struct BacklogTests {
  /// 48 hours of captures every ten seconds, as one tracker sends them after a long silence.
  @Test(arguments: ["addFeatures", "applyEdits"])
  func `A backlog of 17280 captures is accepted whole, and its time printed`(_ operation: String)
    throws
  {
    let folder = try ScratchFolder()
    let camp = try CampServer(folder)
    let isApply = operation == "applyEdits"
    let requests = stride(from: 0, to: 17_280, by: 100).map { start in
      let features = Captures.text(start..<min(start + 100, 17_280))
      let body = WireClient.encoded(
        ["f": "json", isApply ? "adds" : "features": features]
          .merging(isApply ? ["useGlobalIds": "true"] : [:]) { $1 })
      return "POST \(OpenCamp.layer)/\(operation) HTTP/1.1\r\nHost: a\r\nContent-Type: "
        + "application/x-www-form-urlencoded\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }
    let client = try WireClient(port: camp.port)
    let start = ContinuousClock.now
    for request in requests {
      try client.send(request)
      #expect(try client.receive().status == 200)
    }
    let time = ContinuousClock.now - start
    print("\(operation): 17280 captures in \(time), \(Int(17_280 / (time / .seconds(1)))) a second")
    // The time is printed, not judged: machines are shared.
    #expect(try camp.count() == 17_280, "\(camp.command)")
  }
}

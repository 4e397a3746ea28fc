import TestSupport
import Testing
import TrackerCore
import Uplink

@testable import HTTPTransfer

/// What libcurl itself cannot do.
@Suite(.blocking) struct CurlMultiTests {
  @Test func `What libcurl cannot go on with ends all transfers, and the next ones go on`() throws {
    let again: Comment = "repeat with: swift test --filter CurlMultiTests"
    let multi = try #require(CurlMulti())
    let server = try ScriptedServer { $0.stall() }
    func add(_ number: UInt64) throws {
      let transfer = try CurlTransfer.prepare(
        get(server.address), id: TransferID(number: number), HTTPClientConfiguration())
      #expect(multi.add(transfer), again)
    }
    try add(1)
    try add(2)
    #expect(!multi.hasFailed && multi.ended().isEmpty, again)
    // CURLM_INTERNAL_ERROR (curl/multi.h).
    multi.check(.init(4))
    #expect(multi.hasFailed, again)
    let ended = multi.ended()
    #expect(ended.map(\.id.number) == [1, 2], again)
    #expect(ended.map(\.reply) == [.unreachable, .unreachable], again)
    #expect(
      ended.first?.failure?.description
        == "\(server.address): Internal error; report this as a bug", again)
    #expect(!multi.hasFailed && multi.count == 0, again)
    try add(3)
    #expect(multi.ended().isEmpty && multi.count == 1, again)
  }
}

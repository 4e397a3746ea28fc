import Foundation
import Synchronization
import TestSupport
import Testing
import TrackerCore

@testable import FeatureService

/// Edits of several requests in one transaction.
@Suite(.blocking, .onEachStorage) struct CommitGroupTests {
  private func adding(_ numbers: [Int], _ service: Service, isBroken: Bool = false) throws -> Edit {
    let layer = try #require(service.server.catalogue.service("TrailWalker", "FeatureServer"))
      .layers[0]
    var edit = Edit()
    edit.isAllOrNothing = false
    for number in numbers {
      let text = "[{\"attributes\":{\"UUID\":\"\(Service.identifier(number))\"}}]"
      let incoming = try IncomingFeature.list(Array(text.utf8), parameter: "adds")[0]
      var feature = try NewFeature(
        incoming, for: layer, nil, keepsGlobalID: false, service.server.random)
      // A value for which there is no column.
      if isBroken { feature.values += Array(repeating: .null, count: 10) }
      edit.adds.append(.success(feature))
    }
    return edit
  }

  @Test func `Edits that come while one is written share the next transaction`() throws {
    let service = try Service()
    let edits = try (0..<6).map { try adding([$0], service) }
    let group = CommitGroup()
    let sizes = Mutex<[Int]>([])
    let done = Mutex<[Int: Int64]>([:])
    @Sendable func perform(_ number: Int) {
      let results = try? group.perform(edits[number], at: service.now.utc) { members in
        let isFirst = sizes.withLock { sizes in
          sizes.append(members.count)
          return sizes.count == 1
        }
        if isFirst { try? eventually("the others") { group.waiting == 5 } }
        return service.server.store.add(members)
      }
      if case .done(let object)? = results?.adds.first?.outcome {
        done.withLock { $0[number] = object }
      }
    }
    Thread.detachNewThread { perform(0) }
    try eventually("the first one") { sizes.withLock { $0.count } == 1 }
    for number in 1..<6 { Thread.detachNewThread { perform(number) } }
    try eventually("all") { done.withLock { $0.count } == 6 }
    #expect(sizes.withLock { $0 } == [1, 5])
    #expect(service.count(["where": "1=1"]) == 6)
    // Each has its own capture's number.
    for number in 0..<6 {
      let object = try #require(done.withLock { $0[number] })
      let clause = "UUID='\(Service.identifier(number))' AND OBJECTID=\(object)"
      #expect(service.count(["where": clause]) == 1)
    }
  }

  @Test func `An edit that cannot be written keeps no other out`() throws {
    // PostgreSQL takes such a message for one of a broken connection, after which all come again.
    guard Storage.current == .sqlite else { return }
    let service = try Service()
    let members = try [false, true, false].enumerated().map { number, isBroken in
      CommitGroup.Member(
        edit: try adding([2 * number, 2 * number + 1], service, isBroken: isBroken),
        now: service.now.utc)
    }
    let outcomes = service.server.store.add(members)
    let counts = outcomes.map { (try? $0.get())?.adds.count { $0.isDone } ?? -1 }
    #expect(counts == [2, -1, 2])
    #expect(service.count(["where": "1=1"]) == 4)
  }

  @Test func `A capture that comes twice in one transaction is stored once`() throws {
    let service = try Service()
    let edit = try adding([1], service)
    let member = CommitGroup.Member(edit: edit, now: service.now.utc)
    let outcomes = service.server.store.add([member, member])
    #expect(try outcomes.map { try $0.get().adds.map(\.isDone) } == [[true], [false]])
    #expect(service.count(["where": "1=1"]) == 1)
  }

  @Test func `Edits that can undo others, or are about other things, are written alone`() throws {
    let service = try Service()
    var edit = try adding([1, 2], service)
    #expect(edit.onlyAddsCaptures)
    edit.isAllOrNothing = true
    #expect(!edit.onlyAddsCaptures)
    edit.adds.removeLast()
    #expect(edit.onlyAddsCaptures)
    edit.deletes = [.success(.number(1))]
    #expect(!edit.onlyAddsCaptures)
    edit = Edit()
    edit.notes = []
    #expect(!edit.onlyAddsCaptures)
  }
}

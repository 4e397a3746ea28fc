import TestSupport
import Testing
import TrackerCore

@testable import FeatureService

/// How far a layer reaches, in its description.
@Suite(.blocking, .onEachStorage) struct LayerReachTests {
  private func add(_ numbers: Range<Int>, _ service: Service) {
    for from in stride(from: numbers.lowerBound, to: numbers.upperBound, by: 1000) {
      _ = service.add(from..<min(from + 1000, numbers.upperBound))
    }
  }

  private func east(_ service: Service) -> Double? {
    let layer = service.send(service.request("GET", "\(Service.layer)?f=json")).json
    return (layer?["extent"] as? [String: Any])?["xmax"] as? Double
  }

  @Test func `A small layer's extent has its last capture, a large one's after a minute`() throws {
    var service = try Service()
    add(0..<10, service)
    #expect(east(service) == 9)
    add(10..<11, service)
    #expect(east(service) == 10)
    let many = Int(Bounds.smallLayer)
    add(11..<many, service)
    #expect(east(service) == Double(many - 1))
    add(many..<many + 1, service)
    #expect(east(service) == Double(many - 1))
    service.now.uptime = service.now.uptime + Bounds.reachLife
    #expect(east(service) == Double(many))
  }
}

import Basecamp
import TestSupport

/// A server in this process, with clients that it soon loses patience with.
final class OpenCamp {
  private let camp: Camp
  let port: UInt16
  static let layer = "/arcgis/rest/services/TrailWalker/FeatureServer/0"

  convenience init(_ folder: ScratchFolder, _ change: (inout ConnectionPatience) -> Void) throws {
    var settings = CampSettings(directory: folder.path("camp"))
    settings.patience.look = 20
    change(&settings.patience)
    try self.init(settings)
  }

  init(_ settings: CampSettings) throws {
    var settings = settings
    settings.address.port = 0
    camp = try Camp(settings)
    let number = camp.address.split(separator: ":").last?.prefix { $0.isNumber }
    guard let port = number.flatMap({ UInt16($0) }) else { throw Problem("no port") }
    self.port = port
  }

  /// Whether a new client is answered.
  func serves(client: UInt32 = 1) throws -> Bool {
    let answer = try WireClient(port: port, client: client).request(
      "GET", "\(Self.layer)/query?where=1%3D1&returnCountOnly=true&f=json")
    return answer.status == 200 && answer.text.hasPrefix("{\"count\":")
  }
}

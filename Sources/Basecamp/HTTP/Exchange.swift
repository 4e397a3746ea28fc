import FeatureService
import TrackerCore

/// One request while it is being received.
final class Exchange {
  private let target: [UInt8]
  private var body: [UInt8] = []
  private(set) var hasBegun = false
  private(set) var isTooLarge = false

  init(target: [UInt8]) { self.target = target }

  /// - Parameter announcedBytes: the Content-Length, if any.
  func begin(announcedBytes: Int?) {
    hasBegun = true
    if let announcedBytes, announcedBytes > Bounds.bodyBytes { isTooLarge = true }
  }

  /// Takes a piece of the body; a body that is too large is dropped.
  func take(_ bytes: UnsafeRawBufferPointer) {
    if body.count + bytes.count > Bounds.bodyBytes {
      isTooLarge = true
      body = []
    }
    if !isTooLarge { body.append(contentsOf: bytes) }
  }

  /// The complete request.
  func request(
    method: String, type: String?, bearer: String?, host: String?, language: Language?
  ) -> ServiceRequest {
    ServiceRequest(
      method: method, target: target, type: type, body: body, bearer: bearer, host: host,
      language: language)
  }
}

import Foundation

/// The socket at which a service manager listens, which tests play.
///
/// - Parameter name: a path, or `@name` in the abstract namespace (unix(7)).
/// - Returns: its descriptor, which the caller closes.
public func notifySocket(_ name: String) throws -> Int32 {
  let number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  let isAbstract = name.hasPrefix("@")
  withUnsafeMutableBytes(of: &address.sun_path) { path in
    for (place, byte) in name.utf8.enumerated() { path[place] = byte }
    if isAbstract { path[0] = 0 }
  }
  let length = MemoryLayout<sa_family_t>.size + name.utf8.count + (isAbstract ? 0 : 1)
  let isBound = withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(number, $0, socklen_t(length)) == 0
    }
  }
  guard isBound else { throw Problem("no socket at \(name)") }
  return number
}

import CaptureStore
import CommandLineSupport
import FieldConsole
import TrackerCore

// What needs the tracker's configuration file.
extension LinuxBackend {
  /// Longer than any that a person writes.
  private static var largest: Int { 256 << 10 }

  mutating func configuration() throws(ConsoleProblem) -> String? {
    guard let path = place.configuration else { return nil }
    do {
      return String(decoding: try InputFile.bytes(of: path, atMost: Self.largest), as: UTF8.self)
    } catch {
      throw ConsoleProblem("\(error)")
    }
  }

  mutating func serverFit() -> ServerFit {
    guard let path = place.configuration else { return .unknown("") }
    do {
      var connection = try ServerConnection(
        configuration: path, within: ConsoleBounds.serverFit)
      return connection.check()
    } catch {
      return .unknown("\(error)")
    }
  }

  mutating func known(_ captures: [StoredCapture]) throws(ConsoleProblem) -> Set<CaptureKey> {
    guard let path = place.configuration else {
      throw ConsoleProblem("no configuration names it; pass --config FILE")
    }
    do {
      var connection = try server ?? ServerConnection(configuration: path)
      defer { server = connection }
      return try connection.known(captures)
    } catch {
      throw ConsoleProblem("\(error)")
    }
  }
}

import CaptureStore
import CommandLineSupport
import FieldConsole
import TrackerCore
import Wording

// What needs the tracker's configuration file.
extension LinuxBackend {
  /// Longer than any that a person writes.
  private static var largest: Int { 256 << 10 }

  mutating func configuration() throws(ConsoleProblem) -> String? {
    guard let path = place.configuration else { return nil }
    do {
      return String(decoding: try InputFile.bytes(of: path, atMost: Self.largest), as: UTF8.self)
    } catch {
      throw ConsoleProblem(Texts(of: error))
    }
  }

  mutating func serverFit() -> ServerFit {
    guard let path = place.configuration else { return .unknown(nil) }
    do {
      var connection = try ServerConnection(
        configuration: path, within: ConsoleBounds.serverFit)
      return connection.check()
    } catch {
      return .unknown(Texts(of: error))
    }
  }

  mutating func known(_ captures: [StoredCapture]) throws(ConsoleProblem) -> Set<CaptureKey> {
    guard let path = place.configuration else {
      throw ConsoleProblem(ProblemPhrase.noConfiguration.texts)
    }
    do {
      var connection = try server ?? ServerConnection(configuration: path)
      defer { server = connection }
      return try connection.known(captures)
    } catch {
      throw ConsoleProblem(Texts(of: error))
    }
  }
}

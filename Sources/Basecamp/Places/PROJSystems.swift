internal import CPROJ
import FeatureService
import Synchronization

/// The coordinate systems of EPSG's and Esri's registers, by PROJ (proj.org) and its database.
///
/// Nothing is fetched over the network: a system whose exact shift needs a grid that is not
/// installed is as exact as without it, within some metres.
final class PROJSystems: CoordinateSystems {
  /// What was made of a number or a definition; making one takes milliseconds.
  private let known = Mutex<[String: PROJTransformation]>([:])

  func system(code: Int64) -> (any CoordinateTransformation)? {
    guard (1...9_999_999).contains(code) else { return nil }
    return transformation(named: "\(code)") { context in
      // A number of EPSG's register is EPSG's, whatever Esri uses it for.
      for authority in ["EPSG", "ESRI"] {
        let found = proj_create_from_database(
          context, authority, "\(code)", PJ_CATEGORY_CRS, 0, nil)
        if let found { return (found, "\(authority):\(code)") }
      }
      return nil
    }
  }

  func system(wkt: String) -> (any CoordinateTransformation)? {
    transformation(named: "wkt \(wkt)") { context in
      // A definition with "=" has PROJ's own words in it, which name files. Other ways to name one
      // lead to none: see the context.
      guard !wkt.utf8.contains(UInt8(ascii: "=")) else { return nil }
      return proj_create_from_wkt(context, wkt, nil, nil, nil).map { ($0, nil) }
    }
  }

  private func transformation(
    named name: String, _ find: (OpaquePointer) -> (system: OpaquePointer, name: String?)?
  ) -> PROJTransformation? {
    known.withLock { known in
      if let found = known[name] { return found }
      guard let context = cproj_context() else { return nil }
      guard let (system, official) = find(context),
        let made = PROJTransformation(system, name: official, context)
      else {
        proj_context_destroy(context)
        return nil
      }
      if known.count >= Bounds.coordinateSystems { known = [:] }
      known[name] = made
      return made
    }
  }
}

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

/// A coordinate system and Web Mercator, by PROJ.
final class PROJTransformation: CoordinateTransformation {
  /// An operation and its context. `@unchecked`, because pointers are not known to be ours alone;
  /// these are, and one thread at a time uses them, but not always the same one.
  private struct Handles: ~Copyable, @unchecked Sendable {
    let operation: OpaquePointer
    let context: OpaquePointer

    deinit {
      proj_destroy(operation)
      proj_context_destroy(context)
    }
  }

  let name: String?
  let metres: Double?
  private let handles: Mutex<Handles>

  /// - Parameters:
  ///   - system: taken over, and freed.
  ///   - context: in which the system was made; taken over if this succeeds. What was made in it is
  ///     freed before it.
  /// - Returns: `nil` for anything but a system of positions on the map, such as one of heights.
  init?(_ system: OpaquePointer, name: String?, _ context: OpaquePointer) {
    defer { proj_destroy(system) }
    let mercator = proj_create_from_database(context, "EPSG", "3857", PJ_CATEGORY_CRS, 0, nil)
    defer { proj_destroy(mercator) }
    guard let mercator, let metres = Self.metres(of: system, context),
      let raw = proj_create_crs_to_crs_from_pj(context, mercator, system, nil, nil)
    else { return nil }
    // East first, whatever order the system's definition has.
    let operation = proj_normalize_for_visualization(context, raw)
    proj_destroy(raw)
    guard let operation else { return nil }
    self.name = name
    self.metres = metres > 0 ? metres : nil
    handles = Mutex(Handles(operation: operation, context: context))
  }

  func fromWebMercator(x: Double, y: Double) -> (x: Double, y: Double)? {
    transform(x, y, PJ_FWD)
  }

  func toWebMercator(x: Double, y: Double) -> (x: Double, y: Double)? { transform(x, y, PJ_INV) }

  private func transform(
    _ x: Double, _ y: Double, _ direction: PJ_DIRECTION
  ) -> (x: Double, y: Double)? {
    guard x.isFinite, y.isFinite else { return nil }
    var (x, y) = (x, y)
    handles.withLock { cproj_transform($0.operation, direction, &x, &y) }
    return x.isFinite && y.isFinite ? (x, y) : nil
  }

  /// The length of a system's unit in metres, 0 for an angle; `nil` for anything but a system of
  /// positions on the map.
  private static func metres(of system: OpaquePointer, _ context: OpaquePointer) -> Double? {
    switch proj_get_type(system) {
    case PJ_TYPE_GEOGRAPHIC_2D_CRS: return 0
    case PJ_TYPE_PROJECTED_CRS: break
    case PJ_TYPE_BOUND_CRS:
      // A definition with its shift to WGS 84 (TOWGS84).
      let inner = proj_get_source_crs(context, system)
      defer { proj_destroy(inner) }
      return inner.flatMap { metres(of: $0, context) }
    default: return nil
    }
    let axes = proj_crs_get_coordinate_system(context, system)
    defer { proj_destroy(axes) }
    var factor = 0.0
    let isKnown = proj_cs_get_axis_info(context, axes, 0, nil, nil, nil, &factor, nil, nil, nil)
    return isKnown != 0 && factor > 0 ? factor : nil
  }
}

internal import CPROJ
import FeatureService
import Synchronization

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

import BoardSupport
import CGPIO
import SystemCalls
public import Wording

/// A GPIO chip of this computer, through libgpiod.
final class GPIOChip {
  let label: String
  private let chip: OpaquePointer
  private var keys: [Int32: String] = [:]

  /// Opens the chip with this label. Numbers of chips differ between kernels; labels do not.
  ///
  /// - Parameter folder: where the chips' device files are.
  /// - Throws: if no chip that may be opened has that label.
  init(labelled label: String, in folder: String) throws(PinError) {
    var found: [String] = []
    var refused: String?
    for name in names(inFolder: folder).filter({ $0.hasPrefix("gpiochip") }).sorted() {
      guard let chip = gpiod_chip_open("\(folder)/\(name)") else {
        if SystemError.last("open").code == Errno.accessDenied { refused = "\(folder)/\(name)" }
        continue
      }
      let here = Self.label(of: chip)
      if here == label {
        self.label = label
        self.chip = chip
        return
      }
      found.append(here)
      gpiod_chip_close(chip)
    }
    if let refused {
      throw PinError(HostPhrase.chipDenied.texts(refused))
    }
    guard !found.isEmpty else { throw PinError(HostPhrase.noChips.texts(label)) }
    throw PinError(HostPhrase.noSuchChip.texts(label, found.joined(separator: ", ")))
  }

  deinit { gpiod_chip_close(chip) }

  private static func label(of chip: OpaquePointer) -> String {
    text { cgpio_label(chip, $0, $1) }
  }

  /// What a function of C writes as a string; empty if it writes nothing.
  private static func text(_ write: (UnsafeMutablePointer<CChar>?, Int) -> Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      buffer.initialize(repeating: 0)
      guard write(buffer.baseAddress, buffer.count) > 0 else { return "" }
      return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
  }

  /// Reserves a line: an output that is inactive, or an input.
  ///
  /// - Throws: if the chip has no such line, or another program has it.
  func line(_ pin: Pin, for key: String, isOutput: Bool) throws(PinError) -> GPIOLine {
    let place = HostPhrase.pinPlace.texts(key, "\(pin.line)", label)
    let offset =
      switch pin.line {
      case .offset(let offset): offset < cgpio_count(chip) ? offset : -1
      case .name(let name): cgpio_offset(chip, name)
      }
    guard offset >= 0 else { throw PinError(HostPhrase.noPin.texts(place, key)) }
    if let other = keys[offset] {
      throw PinError(HostPhrase.pinTwice.texts(place, other))
    }
    let bias: cgpio_bias =
      switch pin.bias {
      case .none: CGPIO_BIAS_AS_IS
      case .pullUp: CGPIO_BIAS_PULL_UP
      case .pullDown: CGPIO_BIAS_PULL_DOWN
      }
    let line = cgpio_reserve(
      chip, offset, "trackerd", isOutput ? 1 : 0, pin.isActiveHigh ? 0 : 1, bias)
    guard let line else {
      let reason = SystemError.last("ioctl")
      guard reason.code == Errno.busy else {
        throw PinError(place.colon(SystemReason.texts(of: reason.code)))
      }
      throw PinError(used(offset, by: key, at: place))
    }
    keys[offset] = key
    return GPIOLine(owning: line, of: self)
  }

  private func used(_ offset: Int32, by key: String, at place: Texts) -> Texts {
    let name = Self.text { cgpio_user(chip, offset, $0, $1) }
    return name.isEmpty
      ? HostPhrase.pinUsed.texts(place, key) : HostPhrase.pinUsedBy.texts(place, name, key)
  }
}

/// A reserved line; released with its last owner.
///
/// libgpiod's functions on different lines may be called on different threads.
final class GPIOLine: @unchecked Sendable {
  private let line: UnsafeMutablePointer<cgpio_line>
  /// Closing a chip invalidates its lines.
  private let chip: GPIOChip

  fileprivate init(owning line: UnsafeMutablePointer<cgpio_line>, of chip: GPIOChip) {
    self.line = line
    self.chip = chip
  }

  deinit { cgpio_release(line) }

  /// - Returns: whether the line took the level; not if its chip is gone.
  @discardableResult
  func set(isActive: Bool) -> Bool { cgpio_set(line, isActive ? 1 : 0) == 0 }

  /// `nil`: it cannot be read.
  var isActive: Bool? {
    let level = cgpio_get(line)
    return level < 0 ? nil : level == 1
  }

  /// Readable while a change is waiting.
  var descriptor: Int32 { cgpio_descriptor(line) }

  /// A change of an input.
  struct Edge {
    var isActive: Bool
    /// Milliseconds of CLOCK_MONOTONIC.
    var at: Int64
  }

  /// The changes that are waiting, in order; `nil`: the chip is gone.
  func takeEdges() -> [Edge]? {
    var edges: [Edge] = []
    // The kernel keeps 16.
    while edges.count < 64 {
      let found = poll(descriptor, atMost: 0)
      if found.contains(.failed) { return nil }
      if found.isEmpty { break }
      var at: Int64 = 0
      let change = cgpio_take(line, &at)
      if change < 0 { break }
      edges.append(Edge(isActive: change == 1, at: at))
    }
    return edges
  }
}

/// Why the pins cannot be used, and what to do.
public struct PinError: Error, Worded, Equatable {
  public let texts: Texts
  init(_ texts: Texts) { self.texts = texts }
  /// Where the pins are to be used at all.
  public var notUsed: Texts { HostPhrase.pinsNotUsed.texts(texts) }
}

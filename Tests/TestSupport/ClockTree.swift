import Foundation

/// A clock of the kernel's in a folder laid out as sysfs is, with an alarm that goes off.
public final class ClockTree: @unchecked Sendable {
  public enum Fault: Sendable {
    /// The alarm's line leads elsewhere: the kernel does not hear it.
    case unheard
    case stands
  }

  public let root: String
  private let fault: Fault?
  /// The folder, where it is the tree's own.
  private let scratch: ScratchFolder?
  private let lock = NSLock()
  private var hasEnded = false
  private var folder: String { "\(root)/sys/class/rtc/rtc0" }

  /// In a folder of its own.
  public convenience init(_ fault: Fault? = nil) throws {
    let scratch = try ScratchFolder()
    try self.init(in: scratch.url, fault, keeping: scratch)
  }

  /// - Parameter root: the folder that stands for `/`.
  public init(in root: URL, _ fault: Fault? = nil, keeping scratch: ScratchFolder? = nil) throws {
    self.root = root.path
    self.fault = fault
    self.scratch = scratch
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try setDate(Self.now)
    try setAlarm("")
    Thread.detachNewThread { [self] in
      while !lock.withLock({ hasEnded }) {
        usleep(50_000)
        tick()
      }
    }
  }

  /// Call it before the folder is removed.
  public func end() { lock.withLock { hasEnded = true } }

  public static var now: Int { Int(Date().timeIntervalSince1970) }

  /// `nil`: it is not set, or has gone off.
  public var alarm: Int? {
    let text = try? String(contentsOfFile: "\(folder)/wakealarm", encoding: .utf8)
    let time = text.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    return time == 0 ? nil : time
  }

  /// A clock that takes no alarm: what is written to it is gone.
  public func refuseAlarms() throws {
    let path = "\(folder)/wakealarm"
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/null")
  }

  public func setDate(_ seconds: Int) throws {
    try Data("\(seconds)\n".utf8)
      .write(to: URL(fileURLWithPath: "\(folder)/since_epoch"), options: .atomic)
  }

  private func setAlarm(_ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/wakealarm"))
  }

  private func tick() {
    if fault != .stands { try? setDate(Self.now) }
    if fault == nil, let alarm, alarm <= Self.now { try? setAlarm("") }
  }
}

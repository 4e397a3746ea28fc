import Foundation

/// Whether a core dump of a process would hold nothing of it: no dump to a file, and none of its
/// memory in one to a pipe.
public func leavesNoCore(_ process: Int32) throws -> Bool {
  let folder = "/proc/\(process)"
  let filter = try String(contentsOfFile: "\(folder)/coredump_filter", encoding: .utf8)
  let limits = try String(contentsOfFile: "\(folder)/limits", encoding: .utf8)
  let core = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") } ?? ""
  return UInt32(filter.dropLast(), radix: 16) == 0
    && core.split(separator: " ").dropFirst(4).first == "0"
}

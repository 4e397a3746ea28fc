import CaptureStore
import Foundation
import LinuxHost
import TestSupport
import TrackerCore
import Uplink

extension ScratchFolder {
  /// A tracker's configuration for a server.
  func configuration(
    _ address: String, store: String, kind: String = "arcgis", mayActFor: String = "10 min",
    more: String = ""
  ) throws -> String {
    try write(
      "config.json5",
      """
      { store: "\(store)", server: { kind: "\(kind)", address: "\(address)",
        mayActFor: "\(mayActFor)", \(more) } }
      """)
  }
}

/// A run of trackerctl.
func controlRun(_ arguments: [String]) throws -> ProgramResult {
  try ProgramResult("trackerctl", arguments)
}

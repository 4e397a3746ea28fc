import CaptureStore
import Foundation
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

/// Waits until a program has begun to send a store's captures, or has ended.
func waitUntilUnderWay(_ store: String, _ program: RunningProgram) throws {
  try eventually("captures that are under way", pause: 0.002) {
    let captures = try? CaptureStore.openForReading(store).page(limit: 1, state: .inFlight)
    return captures?.isEmpty == false || !program.isRunning
  }
}

import Foundation
import SystemCalls
import TestSupport
import Testing
import TrackerCore

@testable import LinuxHost

/// A runner of the link's commands, as a tracker has it: its own, or a helper behind a socket, here
/// on a thread of the tests.
final class RunnerRig {
  enum Kind: CaseIterable, Sendable {
    case own, helper
  }

  let runner: any LinkRunner
  let socket: String
  private let folder: ScratchFolder

  /// - Parameters:
  ///   - up: the helper's commands, whatever it is told to run; the own runner is told.
  ///   - limit: after which a command is killed.
  init(
    _ kind: Kind, up: [String] = [], down: [String] = [],
    limit: Milliseconds = HostBounds.linkCommandEnd
  ) throws {
    folder = try ScratchFolder()
    socket = folder.path("link")
    switch kind {
    case .own: runner = LinkProcesses(limit: limit)
    case .helper:
      runner = LinkHelperClient(path: socket)
      try start(up: up, down: down, limit: limit)
    }
  }

  deinit { runner.finish() }

  /// Serves until nobody has come for a minute: at the latest, the tests have ended by then.
  func start(
    up: [String] = [], down: [String] = [], limit: Milliseconds = HostBounds.linkCommandEnd,
    for user: uid_t = geteuid()
  ) throws {
    let address = try #require(UnixAddress(socket))
    let number = try address.listener(backlog: 4).release()
    try setPermissions(0o666, of: socket)
    var commands = BearerControl.Commands()
    commands.up = up
    commands.down = down
    nonisolated(unsafe) let helper = LinkHelper(
      Descriptor(owning: number), commands, for: user, limit: limit,
      log: Log(descriptor: -1))
    Thread.detachNewThread { while helper.serveNext(within: 60_000) {} }
  }
}

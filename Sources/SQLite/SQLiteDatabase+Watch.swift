internal import CSQLite

/// Passes a closure through C.
private final class WatchBox {
  let mayGoOn: () -> Bool
  init(_ mayGoOn: @escaping () -> Bool) { self.mayGoOn = mayGoOn }
}

extension SQLiteDatabase {
  /// Runs `body`; its statements end with an error of the kind `interrupted` as soon as `mayGoOn`
  /// says no. The corresponding C function is `sqlite3_progress_handler`.
  ///
  /// - Parameter instructions: of SQLite's virtual machine, between two questions.
  public func watched<Result>(
    every instructions: Int32, while mayGoOn: @escaping () -> Bool, _ body: () throws -> Result
  ) rethrows -> Result {
    let box = WatchBox(mayGoOn)
    let ask: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { box in
      guard let box else { return 0 }
      return Unmanaged<WatchBox>.fromOpaque(box).takeUnretainedValue().mayGoOn() ? 0 : 1
    }
    sqlite3_progress_handler(
      handle, instructions, ask, Unmanaged.passUnretained(box).toOpaque())
    defer { sqlite3_progress_handler(handle, 0, nil, nil) }
    return try withExtendedLifetime(box) { try body() }
  }
}

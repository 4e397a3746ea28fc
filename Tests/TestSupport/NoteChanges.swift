public import CaptureStore
public import Notes
public import TrackerCore

extension CaptureStore {
  /// Writes down what a person does with notes, durably, until a server has it.
  public func write(_ change: NoteChange, by author: String, at now: UTC?) throws {
    var book = try notebook()
    try keep([try book.change(change, by: device.lowercaseText, author: author, at: now)])
  }
}

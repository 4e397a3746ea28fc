/// What somebody at a tracker does with notes, by their names there.
public enum NoteOrder: Sendable, Equatable {
  case add(text: String, NoteCategory)
  /// Without a category the note keeps its own.
  case edit(name: String, text: String, NoteCategory?)
  case delete(name: String)

  /// - Throws: if its text cannot be kept.
  public func check() throws(NoteError) {
    switch self {
    case .add(let text, _), .edit(_, let text, _): _ = try NoteError.checked(text)
    case .delete: return
    }
  }

  /// One line to a tracker: `add equipment TEXT`, `edit 3 - TEXT`, `delete 3`.
  public var line: String {
    switch self {
    case .add(let text, let category): "add \(category.rawValue) \(text)"
    case .edit(let name, let text, let category):
      "edit \(name) \(category?.rawValue ?? "-") \(text)"
    case .delete(let name): "delete \(name)"
    }
  }

  public init?(line: some StringProtocol) {
    func words(_ count: Int) -> [String] {
      line.split(maxSplits: count - 1) { $0 == " " }.map { String($0) }
    }
    switch words(2).first {
    case "add":
      let words = words(3)
      guard words.count == 3, let category = NoteCategory(rawValue: words[1]) else { return nil }
      self = .add(text: words[2], category)
    case "edit":
      let words = words(4)
      guard words.count == 4, words[2] == "-" || NoteCategory(rawValue: words[2]) != nil else {
        return nil
      }
      self = .edit(name: words[1], text: words[3], NoteCategory(rawValue: words[2]))
    case "delete":
      guard words(2).count == 2 else { return nil }
      self = .delete(name: words(2)[1])
    default: return nil
    }
  }

  /// - Parameter writer: the tracker's device.
  public func change(
    in book: Notebook, for writer: String
  ) throws(NoteError) -> NoteChange {
    switch self {
    case .add(let text, let category): .add(text: text, category: category.rawValue)
    case .edit(let name, let text, let category):
      .edit(try book.find(name, for: writer), text: text, category: category?.rawValue)
    case .delete(let name): .delete(try book.find(name, for: writer))
    }
  }
}

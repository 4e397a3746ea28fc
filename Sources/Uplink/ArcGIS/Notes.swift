import LeanUplink
public import Notes
public import TrackerCore

/// A part of the exchange of notes with a server's table, in which rows are only added.
public enum NoteTask: Sendable, Equatable {
  /// Ask for versions in rows above a number, and for the row that was the last one when this
  /// tracker asked before, which shows that the table is still the same.
  case pull(device: UniqueID, above: Int64, known: Int64?)
  /// Add versions.
  case push([NoteVersion], device: UniqueID)
}

/// A version of a note, and its row in the server's table.
public struct ServedNote: Sendable, Equatable {
  public var object: Int64
  public var version: NoteVersion

  public init(object: Int64, version: NoteVersion) {
    (self.object, self.version) = (object, version)
  }
}

public enum NoteOutcome: Sendable, Equatable {
  /// The versions that could be read, by their rows, the last row of all, and whether more follow.
  case pulled([ServedNote], last: Int64, isAll: Bool)
  /// For each version whether the server has taken it.
  case pushed([Bool])
  /// The server has no place for notes.
  case unsupported
  /// No usable answer; 0: none at all.
  case failed(status: Int32)
}

extension ArcGISConfiguration {
  /// The address of the table of notes; `nil`: there is none.
  var noteAddress: String? { mailAddress.flatMap { tableAddress(notes, after: $0) } }
}

extension ArcGISAccess {
  /// - Returns: `nil`: there is no table, or nothing to add.
  func noteRequest(_ task: NoteTask) -> HTTPRequest? {
    guard let address = configuration.noteAddress else { return nil }
    var form = FormText()
    form.add("f", "json")
    switch task {
    case .pull(let device, let above, let known):
      let code = ReadableLayer.literal(configuration.mailCode(device))
      let again = known.map { " OR \(noteObjectField) = \($0)" } ?? ""
      form.add("where", "Desti = \(code) AND (\(noteObjectField) > \(above)\(again))")
      form.add("outFields", "*")
      form.add("orderByFields", noteObjectField)
      form.add("resultRecordCount", String(UplinkBounds.noteRows))
      form.add("returnGeometry", "false")
      return authorized("query", form, at: address, answerBytes: UplinkBounds.noteBytes)
    case .push(let versions, let device):
      guard !versions.isEmpty else { return nil }
      let code = configuration.mailCode(device)
      var rows = JSONText()
      rows.array { rows in
        for version in versions { rows.object { $0.row(of: version, for: code) } }
      }
      form.add("rollbackOnFailure", "false")
      form.add("features", bytes: rows.bytes)
      return authorized("addFeatures", form, at: address, answerBytes: UplinkBounds.noteBytes)
    }
  }
}

extension JSONText {
  fileprivate mutating func row(of version: NoteVersion, for code: String) {
    key("attributes")
    object { attributes in
      let texts: [(name: String, text: String?)] = [
        ("Desti", code), ("Versio", version.id.text), ("Nota", version.note.text),
        ("Vist", version.seenText), ("Text", version.text), ("Categoria", version.category),
        ("Autor", version.author),
      ]
      for (name, text) in texts {
        attributes.key(name)
        if let text { attributes.string(text) } else { attributes.null() }
      }
      attributes.key("Creat")
      if let written = version.written {
        attributes.integer(written.milliseconds)
      } else {
        attributes.null()
      }
    }
  }
}

extension ArcGISTask {
  mutating func receiveNotes(
    _ body: [UInt8], _ task: NoteTask, _ access: inout ArcGISAccess
  ) throws(UnusableAnswer) -> UplinkStep {
    switch task {
    case .pull(let device, let above, _):
      let answer = try QueryAnswer.read(body)
      let features = try answer.rows()
      access.noteObjectField = answer.objectIdFieldName?.value ?? access.noteObjectField
      access.noteRefusals = 0
      let code = access.configuration.mailCode(device)
      let field = access.noteObjectField.lowercased()
      let rows = features.compactMap { $0.value }
      let last = rows.compactMap { $0.attributes[field]?.number }.max() ?? above
      let isAll =
        features.count < UplinkBounds.noteRows && answer.exceededTransferLimit?.value != true
      return end(
        .notes(
          .pulled(
            rows.compactMap { ServedNote($0, field, for: code) }, last: max(above, last),
            isAll: isAll)))
    case .push(let versions, _):
      return end(.notes(.pushed(try EditAnswer.read(body).taken(of: versions.count))))
    }
  }

  /// A task about notes that has failed.
  func noteOutcome(of failure: Failure, _ access: inout ArcGISAccess) -> NoteOutcome {
    if case .noting(.pull) = stage, lacksTable(failure, &access.noteRefusals) {
      return .unsupported
    }
    return .failed(status: failure.status)
  }
}

extension ServedNote {
  /// - Returns: `nil` for a row that is another team's, or no version of a note.
  fileprivate init?(_ row: QueriedRow, _ objectField: String, for code: String) {
    let values = row.attributes
    let written = values["creat"]?.number.flatMap {
      UplinkBounds.dates.contains($0) ? UTC(milliseconds: $0) : nil
    }
    guard values["desti"]?.text == code, let object = values[objectField]?.number, object > 0,
      let version = NoteVersion(
        id: values["versio"]?.text ?? "", note: values["nota"]?.text ?? "",
        // A database may make null of an empty text.
        seen: values["vist"]?.text ?? "", text: values["text"]?.text,
        category: values["categoria"]?.text ?? "", author: values["autor"]?.text ?? "",
        written: written)
    else { return nil }
    self.init(object: object, version: version)
  }
}

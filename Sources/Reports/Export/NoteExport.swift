public import Notes
import TrackerCore

extension ExportFormat {
  /// Notes as a table (RFC 4180): a row for each version that was ever written.
  public static func table(of notes: [TeamNote]) -> [UInt8] {
    var writer = LineWriter()
    writer.text("note,version,written,author,category,state,text\n")
    for note in notes {
      for version in note.history {
        writer.row(of: version, isCurrent: note.current.contains(version))
      }
    }
    return writer.bytes
  }
}

extension LineWriter {
  fileprivate mutating func row(of version: NoteVersion, isCurrent: Bool) {
    csvField(version.note.text)
    text(",")
    csvField(version.id.text)
    text(",")
    if let written = version.written { date(written) }
    text(",")
    csvField(version.author)
    text(",")
    csvField(version.category)
    text(version.text == nil ? ",deleted," : isCurrent ? ",current," : ",earlier,")
    csvField(version.text ?? "")
    text("\n")
  }

  /// Waypoints for the versions that count, each where the team was last seen before that was
  /// written, with the time of that place. One from before the first capture has none.
  mutating func gpxNotes(_ notes: [TeamNote], among captures: [ExportedCapture]) {
    for version in notes.flatMap(\.current) {
      guard let written = version.written, let words = version.text else { continue }
      let before = captures.filter { $0.date.map { $0 <= written } ?? false }
      guard
        let last = before.max(by: {
          ($0.date?.milliseconds ?? 0) < ($1.date?.milliseconds ?? 0)
        })
      else { continue }
      gpxStart("wpt", last)
      text("<name>")
      xml(words)
      text("</name><desc>")
      date(written)
      text(" ")
      xml("\(version.author) (\(version.category))")
      text("</desc><type>note</type></wpt>\n")
    }
  }
}

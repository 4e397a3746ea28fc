import TrackerCore

/// A configuration that was read anew while a tracker ran: name and value of each setting, so that
/// one that this program does not know, or misses, is named.
extension Configuration: FieldCodable {
  func write(to fields: inout FieldWriter) {
    var walk = NamedValuesWriter(fields: fields)
    var copy = self
    walk.walk(&copy)
    fields = walk.fields
  }

  init(from fields: inout FieldReader) throws(RecordingProblem) {
    self.init()
    var walk = NamedValuesReader(fields: fields)
    walk.walk(&self)
    fields = walk.fields
    if let problem = walk.problem { throw problem }
    if !fields.isAtEnd { throw .otherSettings(try fields.word()) }
  }

  /// Reads values alone, in the order of the walk.
  init(positional fields: inout FieldReader) throws(RecordingProblem) {
    self.init()
    var walk = ValuesReader(fields: fields)
    walk.walk(&self)
    fields = walk.fields
    if let problem = walk.problem { throw problem }
  }
}

private struct NamedValuesWriter: SettingsWalk {
  var fields: FieldWriter

  mutating func visit(_ name: StaticString, _ value: inout some FieldCodable) {
    fields.word(name)
    fields.add(value)
  }
}

private struct NamedValuesReader: SettingsWalk {
  var fields: FieldReader
  var problem: RecordingProblem?

  mutating func visit<Value: FieldCodable>(_ name: StaticString, _ value: inout Value) {
    guard problem == nil else { return }
    do throws(RecordingProblem) {
      let found = fields.isAtEnd ? "" : try fields.word()
      guard found == "\(name)" else {
        problem = .otherSettings("\(name)")
        return
      }
      value = try fields.value()
    } catch { problem = error }
  }
}

private struct ValuesReader: SettingsWalk {
  var fields: FieldReader
  var problem: RecordingProblem?

  mutating func visit<Value: FieldCodable>(_ name: StaticString, _ value: inout Value) {
    guard problem == nil else { return }
    do throws(RecordingProblem) { value = try fields.value() } catch { problem = error }
  }
}

import TrackerCore

/// A configuration that was reloaded at run time: name and value of each setting, so that an error
/// can name an unknown or missing one.
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

  /// Reads values without names, in the order of the walk.
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

import TrackerCore

// A configuration that was read anew while a tracker ran: its values in the order of the walk.

extension Configuration: FieldCodable {
  func write(to fields: inout FieldWriter) {
    var walk = ValuesWriter(fields: fields)
    var copy = self
    walk.walk(&copy)
    fields = walk.fields
  }

  init(from fields: inout FieldReader) throws(RecordingProblem) {
    self.init()
    var walk = ValuesReader(fields: fields)
    walk.walk(&self)
    fields = walk.fields
    if let problem = walk.problem { throw problem }
  }
}

private struct ValuesWriter: SettingsWalk {
  var fields: FieldWriter

  mutating func visit(_ name: StaticString, _ value: inout some FieldCodable) {
    fields.add(value)
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

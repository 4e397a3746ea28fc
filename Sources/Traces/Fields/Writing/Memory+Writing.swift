import TrackerCore

// Writes what a tracker remembers across restarts.

extension Memory: FieldWritable {
  func write(to fields: inout FieldWriter) {
    fields.add(session)
    fields.add(sessionOrder)
    fields.add(teamOrder)
    fields.add(charge)
    // Without a course it ends here, as in recordings of earlier programs.
    if let course { fields.add(course) }
  }
}

extension CourseRecord: FieldWritable {
  func write(to fields: inout FieldWriter) {
    fields.add(done)
    fields.number(next)
    fields.number(inside)
    fields.add(isFinished)
    // In recordings of earlier programs it ends here.
    fields.add(course)
    fields.number(unseen)
    fields.add(knownFrom)
    fields.add(position)
    fields.add(away)
    fields.add(offSeconds)
    fields.add(at)
    fields.number(wanted.entered)
    fields.number(wanted.inferred)
    fields.number(wanted.left)
    fields.add(forecast.words)
  }
}

extension Coordinate: FieldWritable {
  func write(to fields: inout FieldWriter) {
    fields.add(latitude)
    fields.add(longitude)
  }
}

extension ChargeRecord: FieldWritable {
  func write(to fields: inout FieldWriter) {
    fields.add(charge)
    fields.add(deviation)
    fields.add(drain)
    fields.add(drainDeviation)
    fields.add(at)
  }
}

extension SessionRecord: FieldWritable {
  func write(to fields: inout FieldWriter) {
    fields.add(number)
    fields.add(begun)
    fields.add(isOrdered)
    fields.add(ending)
    fields.add(ended)
  }
}

extension Order: FieldWritable where Value: FieldWritable {
  func write(to fields: inout FieldWriter) {
    // An empty first field means no order, so a text, which may be empty, cannot come first.
    fields.add(origin)
    fields.add(given)
    fields.add(session)
    fields.add(value)
    fields.add(configured)
  }
}

extension Moment: FieldWritable {
  func write(to fields: inout FieldWriter) {
    fields.add(at)
    fields.add(utc)
  }
}

extension Finish: FieldWritable {
  func write(to fields: inout FieldWriter) {
    switch self {
    case .at(let utc):
      fields.word("at")
      fields.add(utc)
    case .after(let length):
      fields.word("after")
      fields.add(length)
    }
  }
}

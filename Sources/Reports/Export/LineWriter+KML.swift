import TrackerCore

extension LineWriter {
  /// KML 2.2 with Google's extension for tracks: as many `when` as `gx:coord`, in the same order,
  /// the latter with spaces between the numbers. A capture without a date becomes a separate point
  /// that says so, as it has no `when`. The only dated one of a team is a point, too, because
  /// readers take a track of one point for a mistake.
  mutating func kml(_ teams: [Team], creator: String) {
    text(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
      <Document><name>
      """)
    xml(creator)
    text("</name>\n")
    let isOnCourse = teams.contains { $0.captures.contains { $0.capture.mark != nil } }
    kmlSchema(isOnCourse)
    for team in teams {
      let dated = team.captures.filter { $0.date != nil }
      if dated.count > 1 { kmlTrack(team, dated, isOnCourse) }
      for capture in team.captures where capture.date == nil || dated.count == 1 {
        kmlPoint(team, capture)
      }
      for capture in team.captures { kmlPassage(team, capture) }
    }
    text("</Document></kml>\n")
  }

  private mutating func kmlSchema(_ isOnCourse: Bool) {
    text("<Schema id=\"capture\">")
    let course = [("done", "int"), ("toGo", "int"), ("place", "string")]
    for (name, kind) in [
      ("uuid", "string"), ("sequence", "uint"), ("battery", "int"), ("accuracy", "int"),
      ("date", "string"), ("trigger", "string"), ("state", "string"),
    ] + (isOnCourse ? course : []) {
      text("<gx:SimpleArrayField name=\"\(name)\" type=\"\(kind)\"/>")
    }
    text("</Schema>\n")
  }

  private mutating func kmlTrack(
    _ team: Team, _ captures: [ExportedCapture], _ isOnCourse: Bool
  ) {
    text("<Placemark><name>")
    xml(team.name)
    text("</name><description>")
    uuid(team.device)
    // Without an altitude a point would be drawn at sea level, below the ground.
    let hasAltitudes = captures.allSatisfy { $0.capture.altitudeMillimetres != nil }
    text("</description><gx:Track><altitudeMode>")
    text(hasAltitudes ? "absolute" : "clampToGround")
    text("</altitudeMode>\n")
    for case let utc? in captures.map(\.date) {
      text("<when>")
      date(utc)
      text("</when>\n")
    }
    for exported in captures {
      text("<gx:coord>")
      kmlPlace(exported.capture, separator: " ")
      text("</gx:coord>\n")
    }
    kmlData(of: captures, isOnCourse)
    text("</gx:Track></Placemark>\n")
  }

  private mutating func kmlData(of captures: [ExportedCapture], _ isOnCourse: Bool) {
    text("<ExtendedData><SchemaData schemaUrl=\"#capture\">\n")
    kmlArray("uuid", captures) { $0.uuid($1.id) }
    kmlArray("sequence", captures) { $0.number($1.capture.sequence) }
    kmlArray("battery", captures) { writer, exported in
      if let battery = exported.capture.batteryPercent { writer.number(battery) }
    }
    kmlArray("accuracy", captures) { writer, exported in
      if let accuracy = exported.capture.accuracyMetres { writer.number(accuracy) }
    }
    kmlArray("date", captures) { $0.text($1.dateWord) }
    kmlArray("trigger", captures) { $0.text($1.capture.trigger.name) }
    kmlArray("state", captures) { $0.text($1.state.name) }
    if isOnCourse {
      kmlArray("done", captures) { writer, exported in
        if let mark = exported.capture.mark { writer.decimal(mark.doneMetres, places: 0) }
      }
      kmlArray("toGo", captures) { writer, exported in
        if let mark = exported.capture.mark { writer.decimal(mark.toGoMetres, places: 0) }
      }
      kmlArray("place", captures) { writer, exported in
        if exported.capture.mark != nil, let place = exported.placeName { writer.xml(place) }
      }
    }
    text("</SchemaData></ExtendedData>")
  }

  private mutating func kmlArray(
    _ name: StaticString, _ captures: [ExportedCapture],
    _ value: (inout LineWriter, ExportedCapture) -> Void
  ) {
    text("<gx:SimpleArrayData name=\"")
    text(name)
    text("\">")
    for capture in captures {
      text("<gx:value>")
      value(&self, capture)
      text("</gx:value>")
    }
    text("</gx:SimpleArrayData>\n")
  }

  private mutating func kmlPoint(_ team: Team, _ exported: ExportedCapture) {
    text("<Placemark><name>")
    xml(team.name)
    text(" \(exported.capture.sequence)</name><description>")
    if exported.date == nil { text("date unknown; ") }
    uuid(exported.id)
    if exported.capture.mark != nil {
      text("; ")
      whereabouts(exported)
    }
    text("</description>")
    kmlPosition(exported)
  }

  /// A point with the place's name for a capture that was taken for one.
  private mutating func kmlPassage(_ team: Team, _ exported: ExportedCapture) {
    guard let place = exported.passedPlace else { return }
    text("<Placemark><name>")
    xml(place)
    text("</name><description>")
    passage(exported, of: team)
    text("</description>")
    kmlPosition(exported)
  }

  private mutating func kmlPosition(_ exported: ExportedCapture) {
    if let utc = exported.date {
      text("<TimeStamp><when>")
      date(utc)
      text("</when></TimeStamp>")
    }
    text("<Point><altitudeMode>")
    text(exported.capture.altitudeMillimetres == nil ? "clampToGround" : "absolute")
    text("</altitudeMode><coordinates>")
    kmlPlace(exported.capture, separator: ",")
    text("</coordinates></Point></Placemark>\n")
  }

  private mutating func kmlPlace(_ capture: Capture, separator: StaticString) {
    longitude(capture)
    text(separator)
    latitude(capture)
    text(separator)
    decimal(capture.altitudeMillimetres ?? 0, places: 3)
  }
}

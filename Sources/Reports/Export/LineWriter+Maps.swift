import Notes
import TrackerCore

extension LineWriter {
  /// GPX 1.1. The children of a point have a fixed order (ele, time, name, desc, type, fix, sat,
  /// extensions).
  /// What GPX has no element for goes into `extensions`, the only place where its schema allows it.
  /// A track is cut into segments at its gaps (`Team.segments`), because nobody knows which way the
  /// team went meanwhile.
  mutating func gpx(_ teams: [Team], notes: [TeamNote], creator: String) {
    text(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="
      """)
    xml(creator)
    text("\" xmlns=\"http://www.topografix.com/GPX/1/1\"")
    text(" xmlns:tt=\"urn:trailtracker:capture:1\">\n")
    // GPX has waypoints before tracks.
    for team in teams {
      for capture in team.captures { gpxPassage(capture, of: team) }
    }
    gpxNotes(notes, among: teams.flatMap(\.captures))
    for team in teams {
      text("<trk><name>")
      xml(team.name)
      text("</name><src>")
      uuid(team.device)
      text("</src>")
      for segment in team.segments {
        text("<trkseg>\n")
        for capture in segment { gpxPoint(capture) }
        text("</trkseg>")
      }
      text("</trk>\n")
    }
    text("</gpx>\n")
  }

  /// A waypoint with the place's name for a capture that was taken for one.
  private mutating func gpxPassage(_ exported: ExportedCapture, of team: Team) {
    guard let place = exported.passedPlace else { return }
    gpxStart("wpt", exported)
    text("<name>")
    xml(place)
    text("</name><desc>")
    passage(exported, of: team)
    text("</desc><type>")
    text(exported.capture.trigger.name)
    text("</type></wpt>\n")
  }

  private mutating func gpxPoint(_ exported: ExportedCapture) {
    let capture = exported.capture
    gpxStart("trkpt", exported)
    text("<name>")
    number(capture.sequence)
    text("</name>")
    if capture.mark != nil {
      text("<desc>")
      whereabouts(exported)
      text("</desc>")
    }
    text("<fix>")
    text(exported.fixName)
    text("</fix>")
    element("sat", capture.satellites, places: 0)
    gpxExtensions(exported)
    text("</trkpt>\n")
  }

  mutating func gpxStart(_ name: StaticString, _ exported: ExportedCapture) {
    let capture = exported.capture
    text("<")
    text(name)
    if let position = capture.position {
      text(" lat=\"")
      latitude(position)
      text("\" lon=\"")
      longitude(position)
      text("\"")
    }
    text(">")
    if let altitude = capture.altitudeMillimetres {
      text("<ele>")
      decimal(altitude, places: 3)
      text("</ele>")
    }
    if let utc = exported.date {
      text("<time>")
      date(utc)
      text("</time>")
    }
  }

  private mutating func gpxExtensions(_ exported: ExportedCapture) {
    let capture = exported.capture
    text("<extensions><tt:uuid>")
    uuid(exported.id)
    text("</tt:uuid><tt:device>")
    uuid(exported.device)
    text("</tt:device>")
    element("tt:sequence", capture.sequence, places: 0)
    text("<tt:team>")
    xml(exported.team)
    text("</tt:team><tt:date>")
    text(exported.dateWord)
    text("</tt:date>")
    element("tt:battery", capture.batteryPercent, places: 0)
    element("tt:batteryMillivolts", capture.batteryMillivolts, places: 0)
    element("tt:accuracy", capture.accuracyMetres, places: 0)
    element("tt:speed", capture.speedMillimetresPerSecond, places: 3)
    element("tt:course", capture.courseMillidegrees, places: 3)
    text("<tt:trigger>")
    text(capture.trigger.name)
    text("</tt:trigger><tt:state>")
    text(exported.state.name)
    text("</tt:state>")
    element("tt:done", capture.mark?.doneMetres, places: 0)
    element("tt:toGo", capture.mark?.toGoMetres, places: 0)
    if capture.mark != nil, let place = exported.placeName {
      text("<tt:place>")
      xml(place)
      text("</tt:place>")
    }
    text("</extensions>")
  }

  private mutating func element(
    _ name: StaticString, _ value: (some BinaryInteger)?, places: Int
  ) {
    guard let value else { return }
    text("<")
    text(name)
    text(">")
    decimal(value, places: places)
    text("</")
    text(name)
    text(">")
  }
}

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
    guard let position = capture.position else { return }
    longitude(position)
    text(separator)
    latitude(position)
    text(separator)
    decimal(capture.altitudeMillimetres ?? 0, places: 3)
  }
}

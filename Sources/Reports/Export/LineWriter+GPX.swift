import TrackerCore

extension LineWriter {
  /// GPX 1.1. The children of a point have a fixed order (ele, time, name, desc, type, fix, sat,
  /// extensions).
  /// What GPX has no element for goes into `extensions`, the only place where its schema allows it.
  /// A track is cut into segments at its gaps (`Team.segments`), because nobody knows which way the
  /// team went meanwhile.
  mutating func gpx(_ teams: [Team], creator: String) {
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

  private mutating func gpxStart(_ name: StaticString, _ exported: ExportedCapture) {
    let capture = exported.capture
    text("<")
    text(name)
    text(" lat=\"")
    latitude(capture)
    text("\" lon=\"")
    longitude(capture)
    text("\">")
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

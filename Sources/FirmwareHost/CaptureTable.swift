import CardStore
import LeanUplink
import TrackerCore

// Captures as CSV, with the columns of `trackerctl export --format csv`: what a terminal program
// has written to a file can be imported.
extension TextLine {
  mutating func captureColumns() {
    text("uuid,device,sequence,team,time,date,latitude,longitude,altitude_m,speed_m_s,course_deg,")
    text("accuracy_m,satellites,battery_percent,battery_mv,trigger,state,rows")
  }

  /// - Parameter rows: of the whole table.
  mutating func row(
    _ capture: Capture, _ standing: CaptureStanding, of device: UniqueID, rows: Int32
  ) {
    uuid(UniqueID(device: device, sequence: capture.sequence))
    text(",")
    uuid(device)
    text(",")
    number(capture.sequence)
    text(",")
    field(capture.team)
    text(",")
    let time = capture.utc.flatMap { CivilTime($0) == nil ? nil : $0 }
    if let time { append(date: time) }
    text(time == nil ? ",unknown," : capture.isTimeTrusted ? ",trusted," : ",untrusted,")
    value(capture.position?.latitude, places: 7)
    value(capture.position?.longitude, places: 7)
    value(capture.altitudeMillimetres, places: 3)
    value(capture.speedMillimetresPerSecond, places: 3)
    value(capture.courseMillidegrees, places: 3)
    value(capture.accuracyMetres, places: 0)
    value(capture.satellites.map { Int32($0) }, places: 0)
    value(capture.batteryPercent.map { Int32($0) }, places: 0)
    value(capture.batteryMillivolts, places: 0)
    text(capture.trigger.name)
    switch standing {
    case .pending: text(",pending,")
    case .setAside: text(",setAside,")
    case .delivered: text(",acknowledged,")
    }
    number(rows)
  }

  @inline(never) private mutating func value(_ value: Int32?, places: Int) {
    if let value { decimal(Int64(value), places: places) }
    text(",")
  }

  /// RFC 4180, and an apostrophe before what a spreadsheet would take for a formula.
  @inline(never) private mutating func field(_ name: InlineText<64>) {
    if name.isEmpty { return }
    let quote = UInt8(ascii: "\"")
    var needsQuotes = !name.isEmpty && (name[0] == 0x20 || name[name.count - 1] == 0x20)
    for index in 0..<name.count
    where name[index] < 0x20 || name[index] == quote
      || name[index] == UInt8(ascii: ",")
    { needsQuotes = true }
    if needsQuotes { byte(quote) }
    switch name[0] {
    case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"),
      UInt8(ascii: "'"), 0x09, 0x0D:
      byte(UInt8(ascii: "'"))
    default: break
    }
    for index in 0..<name.count {
      if name[index] == quote { byte(quote) }
      byte(name[index])
    }
    if needsQuotes { byte(quote) }
  }
}

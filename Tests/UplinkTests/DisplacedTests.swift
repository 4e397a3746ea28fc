import Testing
import TrackerCore

@testable import Uplink

/// What stands under a capture's identifier counts as the capture only if the row says so.
@Suite struct DisplacedTests {
  let now = Sample.now
  static let repeating: Comment = "repeat with: swift test --filter DisplacedTests"
  static let mine = Sample.captures(4...4, wereSent: true)[0]

  /// What becomes of `mine` when a row stands under its identifier.
  ///
  /// - Parameter isNumbered: the layer stores sequence numbers, in the field `Bateria`.
  static func outcome(
    _ row: String, isNumbered: Bool = false, of mine: OutgoingCapture = mine
  ) throws -> UplinkResult {
    var configuration = ArcGISConfiguration(address: try LayerAddress(Sample.layerURL))
    if isNumbered {
      (configuration.fields.battery, configuration.fields.sequence) = (nil, "Bateria")
    }
    var dialogue = try ArcGISDialogue(configuration)
    _ = dialogue.begin(.reconcile([mine]), at: Sample.now)
    _ = dialogue.receive(.json(Sample.layer(Sample.partial)), at: Sample.now)
    return try #require(
      dialogue.receive(.json(#"{"features":[\#(row)]}"#), at: Sample.now).result)
  }

  static func row(_ change: (inout OutgoingCapture) -> Void) -> String {
    var capture = mine
    change(&capture)
    return Sample.row(capture, id: mine.id)
  }

  @Test func `A row that the layer has rounded is still the capture`() throws {
    let rows = [
      Self.row { _ in },
      Self.row { $0.capture.utc = $0.capture.utc.map { $0 + Milliseconds(-999) } },
      Self.row { $0.capture.position?.latitude += 60 },
    ]
    for row in rows {
      let result = try Self.outcome(row)
      #expect(result.acknowledged == [4] && result.displaced == [], "\(row); \(Self.repeating)")
    }
  }

  @Test func `Where the sequence is stored a point that somebody moved is still the capture`()
    throws
  {
    func numbered(_ number: Int) -> String {
      let moved = Self.row { $0.capture.position?.latitude += 9000 }
      return moved.replacing("\"Entrada\"", with: "\"Bateria\":\(number),\"Entrada\"")
    }
    #expect(try Self.outcome(numbered(4), isNumbered: true).acknowledged == [4], Self.repeating)
    #expect(try Self.outcome(numbered(5), isNumbered: true).displaced == [4], Self.repeating)
    #expect(try Self.outcome(numbered(4)).displaced == [4], Self.repeating)
  }

  @Test func `Another device, time or place under the same identifier is another capture`() throws {
    let rows = [
      Self.row { $0.device = UniqueID(high: 5, low: 6) },
      Self.row { $0.capture.utc = $0.capture.utc.map { $0 + Milliseconds(1001) } },
      Self.row { $0.capture.position?.latitude += 200 },
      Self.row { $0.capture.position?.longitude -= 200 },
    ]
    for row in rows {
      let result = try Self.outcome(row)
      #expect(result.displaced == [4] && result.acknowledged == [], "\(row); \(Self.repeating)")
      #expect(result.outcome == .reconcile(.settled(confirmed: 0)), Self.repeating)
    }
  }

  @Test func `A row without time and place proves nothing`() throws {
    let bare = #"{"attributes":{"UUID":"\#(Self.mine.id.lowercaseText)"}}"#
    let result = try Self.outcome(bare)
    #expect(result.displaced == [] && result.acknowledged == [], Self.repeating)
    #expect(result.outcome == .reconcile(.failed(status: 0)), Self.repeating)
  }

  @Test func `A row that has no place is of another capture than one that has`() throws {
    let row = #"{"attributes":{"UUID":"\#(Self.mine.id.lowercaseText)","Entrada":null}}"#
    #expect(try Self.outcome(row).displaced == [4], Self.repeating)
  }

  @Test func `A row with a time is of a capture without one only in the very same place`() throws {
    var undated = Self.mine
    undated.capture.isTimeTrusted = false
    #expect(try Self.outcome(Self.row { _ in }, of: undated).acknowledged == [4], Self.repeating)
    // Half a metre away, where the walker stood when the other was taken.
    let near = Self.row { $0.capture.position?.latitude += 50 }
    #expect(try Self.outcome(near, of: undated).displaced == [4], Self.repeating)
    let both = Self.row {
      $0.capture.position?.latitude += 50
      $0.capture.isTimeTrusted = false
    }
    #expect(try Self.outcome(both, of: undated).acknowledged == [4], Self.repeating)
  }

  /// A card that lost what it had said was written gives a number again.
  @Test func `What collides when it is sent for the first time is another in the very same place`()
    throws
  {
    for (moved, isMine) in [(Int32(0), true), (50, false)] {
      var mine = Sample.captures(4...4)[0]
      mine.capture.isTimeTrusted = false
      var other = mine
      other.capture.position?.latitude += moved
      var dialogue = try Sample.ready(Sample.layer(Sample.globalIDs))
      _ = dialogue.begin(.upload([mine], nextContactBy: nil), at: now)
      let collision = #"{"success":false,"error":{"code":1022,"description":"Unique"}}"#
      _ = dialogue.receive(.json(#"{"addResults":[\#(collision)]}"#), at: now)
      let row = Sample.row(other, id: mine.id, field: "globalid")
      let result = try #require(
        dialogue.receive(.json(#"{"features":[\#(row)]}"#), at: now).result)
      #expect(result.acknowledged == (isMine ? [4] : []), Self.repeating)
      #expect(result.displaced == (isMine ? [] : [4]), Self.repeating)
    }
  }

  @Test func `A call for help with neither time nor place is known by its identifier`() throws {
    var call = Self.mine
    (call.capture.position, call.capture.isTimeTrusted) = (nil, false)
    // What says that a time is unknown where the layer takes no null.
    for time in ["null", "0", #""""#, #""1970-01-01""#, #""1970-01-01T00:00:00+00:00""#] {
      let bare = #"{"attributes":{"UUID":"\#(call.id.lowercaseText)","Entrada":\#(time)}}"#
      let result = try Self.outcome(bare, of: call)
      #expect(result.acknowledged == [4] && result.displaced == [], "\(time) \(Self.repeating)")
    }
    let dated = try Self.outcome(Self.row { _ in }, of: call)
    #expect(dated.acknowledged == [] && dated.displaced == [4], Self.repeating)
  }

  @Test func `Of two rows under one identifier one that is the capture is enough`() throws {
    let other = Self.row { $0.capture.utc = $0.capture.utc.map { $0 + .hours(1) } }
    let result = try Self.outcome(other + "," + Self.row { _ in })
    #expect(result.acknowledged == [4] && result.displaced == [], Self.repeating)
  }

  @Test func `A displaced capture is neither sent nor refused in that upload`() throws {
    var dialogue = try Sample.ready(Sample.layer(Sample.partial))
    let captures = [Self.mine] + Sample.captures(5...5)
    _ = dialogue.begin(.upload(captures, nextContactBy: nil), at: now)
    let other = Self.row { $0.capture.utc = $0.capture.utc.map { $0 + .hours(1) } }
    let edit = dialogue.receive(.json(#"{"features":[\#(other)]}"#), at: now).request
    #expect(edit?.text.contains(Self.mine.id.lowercaseText) == false, Self.repeating)
    let result = dialogue.receive(.json(Sample.added([captures[1]])), at: now).result
    #expect(result?.acknowledged == [5] && result?.displaced == [4], Self.repeating)
    #expect(result?.refused == [] && result?.doubtful == [], Self.repeating)
  }

  @Test func `The new identifier is the same by every way and differs for every place and time`() {
    let id = UniqueID(replacing: Self.mine.id, of: Self.mine.capture)
    #expect(id == UniqueID(replacing: Self.mine.id, of: Self.mine.capture), Self.repeating)
    var others: Set<UniqueID> = [id, Self.mine.id]
    var capture = Self.mine.capture
    capture.position?.latitude += 1
    others.insert(UniqueID(replacing: Self.mine.id, of: capture))
    capture.position?.longitude += 1
    others.insert(UniqueID(replacing: Self.mine.id, of: capture))
    capture.utc = nil
    others.insert(UniqueID(replacing: Self.mine.id, of: capture))
    others.insert(UniqueID(replacing: id, of: capture))
    #expect(others.count == 6, Self.repeating)
    #expect(id.high >> 12 & 15 == 8 && id.low >> 62 == 2, "RFC 9562 §5.8; \(Self.repeating)")
  }
}

import TrackerCore
import Wording

/// The result for each capture of a request.
struct EditVerdict: Equatable {
  /// A unique constraint violated, and edits rolled back (Esri REST, error codes of edits).
  static let collision: Int32 = 1022
  static let rollback: Int32 = 1003

  /// Indices in the request, in its order.
  var acknowledged: [Int] = []
  var refused: [(place: Int, code: Int32)] = []
  /// Refused because the server has a row with the same identifier, perhaps this very capture.
  var colliding: [Int] = []
  /// Rolled back because of others.
  var rolledBack: [Int] = []
  /// Reported as kept, but not credibly.
  var unclear: [Int] = []
  /// What the server says about the first refusal.
  var words: Texts?

  static func == (a: Self, b: Self) -> Bool {
    a.acknowledged == b.acknowledged && a.colliding == b.colliding
      && a.rolledBack == b.rolledBack && a.unclear == b.unclear && a.words == b.words
      && a.refused.elementsEqual(b.refused) { $0 == $1 }
  }

  /// `nil` when the answer does not cover exactly the captures that were sent.
  init?(_ items: [Lenient<EditAnswer.Item>], of captures: [OutgoingCapture], layer: Layer) {
    guard items.count == captures.count else { return nil }
    for (place, item) in items.enumerated() {
      guard let item = item.value else { return nil }
      judge(item, place, of: captures[place], layer: layer)
    }
    // If one failure rolls back the whole request, a success reported with it is not credible.
    let hasFailed = !refused.isEmpty || !colliding.isEmpty
    if !rolledBack.isEmpty || hasFailed && !layer.keepsPartOfRequest {
      unclear = (unclear + acknowledged).sorted()
      acknowledged = []
    }
  }

  private mutating func judge(
    _ item: EditAnswer.Item, _ place: Int, of capture: OutgoingCapture, layer: Layer
  ) {
    let error = item.error?.value
    switch item.success?.value {
    case true?:
      let isNamed = Self.names(item, capture, layer: layer)
      if error == nil && isNamed { acknowledged.append(place) } else { unclear.append(place) }
    case false?:
      refuse(place, code: error?.code ?? 0, words: error?.message)
    case nil:
      if let error {
        refuse(place, code: error.code ?? 0, words: error.message)
      } else {
        unclear.append(place)
      }
    }
  }

  /// A new row has an object id and, with GlobalIDs, the capture's GlobalID.
  private static func names(
    _ item: EditAnswer.Item, _ capture: OutgoingCapture, layer: Layer
  ) -> Bool {
    guard let row = item.objectId?.value, row >= 0 else { return false }
    guard layer.usesGlobalIDs, let text = item.globalId?.value else { return true }
    return UniqueID(text: text) == capture.id
  }

  /// Codes of edits (Esri REST, "Error codes" of applyEdits): 1003 and 1012 rolled back, 2000 all
  /// rolled back, 1022 a unique constraint violated.
  private mutating func refuse(_ place: Int, code: Int32, words: String?) {
    let lower = words?.lowercased() ?? ""
    let collides =
      code == Self.collision
      || ["already exist", "duplicate", "unique"].contains { lower.has($0) }
    if code == Self.rollback || code == 1012 || code == 2000 {
      rolledBack.append(place)
    } else if collides {
      colliding.append(place)
    } else {
      refused.append((place, code))
    }
    guard self.words == nil else { return }
    let refused = UplinkPhrase.refused.texts("\(code)")
    self.words = words.map { refused.colon($0) } ?? refused
  }
}

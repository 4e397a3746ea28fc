public import History
import LeanUplink
public import TrackerCore

/// A part of delivering a history that was asked for to a server's table, in which rows are only
/// added.
public enum HistoryTask: Sendable, Equatable {
  /// Ask which parts of the answer to a request are there.
  case ask(device: UniqueID, request: UInt32)
  /// Add parts.
  case add([HistoryPart], device: UniqueID)
}

public enum HistoryOutcome: Sendable, Equatable {
  /// The keys of the parts that are there.
  case known(Set<String>)
  /// For each part whether the server has taken it.
  case added([Bool])
  /// The server has no place for them.
  case unsupported
  /// No usable answer; 0: none at all.
  case failed(status: Int32)
}

extension ArcGISConfiguration {
  /// The address of the table of histories; `nil`: there is none.
  var historyAddress: String? { noteAddress.flatMap { tableAddress(history, after: $0) } }
}

extension ArcGISAccess {
  /// - Returns: `nil`: there is no table, or nothing to add.
  func historyRequest(_ task: HistoryTask) -> HTTPRequest? {
    guard let address = configuration.historyAddress else { return nil }
    var form = FormText()
    form.add("f", "json")
    switch task {
    case .ask(let device, let request):
      let code = ReadableLayer.literal(configuration.mailCode(device))
      form.add("where", "Desti = \(code) AND Numero = \(request)")
      form.add("outFields", "Clau")
      form.add("resultRecordCount", String(UplinkBounds.historyRows))
      form.add("returnGeometry", "false")
      return authorized("query", form, at: address, answerBytes: UplinkBounds.historyBytes)
    case .add(let parts, let device):
      guard !parts.isEmpty else { return nil }
      var rows = JSONText()
      rows.array { rows in
        for part in parts {
          rows.object { $0.row(of: part, for: configuration.mailCode(device)) }
        }
      }
      form.add("rollbackOnFailure", "false")
      form.add("features", bytes: rows.bytes)
      return authorized("addFeatures", form, at: address, answerBytes: UplinkBounds.historyBytes)
    }
  }
}

extension JSONText {
  fileprivate mutating func row(of part: HistoryPart, for code: String) {
    key("attributes")
    object { attributes in
      for (name, text) in [("Desti", code), ("Clau", part.key), ("Punts", part.text)] {
        attributes.key(name)
        attributes.string(text)
      }
      for (name, number) in [
        ("Numero", Int64(part.request)), ("Part", Int64(part.number)),
        ("Inici", part.begins.milliseconds),
      ] {
        attributes.key(name)
        attributes.integer(number)
      }
    }
  }
}

extension ArcGISTask {
  mutating func receiveHistory(
    _ body: [UInt8], _ task: HistoryTask, _ access: inout ArcGISAccess
  ) throws(UnusableAnswer) -> UplinkStep {
    switch task {
    case .ask:
      let rows = try QueryAnswer.read(body).rows()
      access.historyRefusals = 0
      return end(.history(.known(Set(rows.compactMap { $0.value?.attributes["clau"]?.text }))))
    case .add(let parts, _):
      return end(.history(.added(try EditAnswer.read(body).taken(of: parts.count))))
    }
  }

  /// A task about a history that has failed.
  func historyOutcome(of failure: Failure, _ access: inout ArcGISAccess) -> HistoryOutcome {
    if case .recounting(.ask) = stage, lacksTable(failure, &access.historyRefusals) {
      return .unsupported
    }
    return .failed(status: failure.status)
  }
}

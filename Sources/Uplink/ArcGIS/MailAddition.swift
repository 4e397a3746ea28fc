public import TrackerCore

// The other side of the table: the organisers' room adds a message, where trackers deliver to
// another server than the room's.
extension ArcGISDialogue {
  /// Adds a message under its own number, for the tracker of `ArcGISConfiguration.deviceCode`; its
  /// object number is the server's. Done means that the server was asked: fetch again to know.
  public mutating func add(_ message: ServedMessage, at now: UTC) -> UplinkStep {
    edit(ConfirmedMail(device: UniqueID(high: 0, low: 0), messages: [], added: message), at: now)
  }
}

extension ArcGISAccess {
  /// - Returns: `nil`: there is no table.
  func addition(of message: ServedMessage, to device: UniqueID) -> HTTPRequest? {
    guard let address = configuration.mailAddress else { return nil }
    var rows = JSONText()
    rows.array { rows in
      rows.object { row in
        row.key("attributes")
        row.object { attributes in
          for (name, text) in [
            ("Desti", configuration.mailCode(device)), ("Classe", message.kind.rawValue),
            ("Text", message.text), ("Autor", message.author),
          ] {
            attributes.key(name)
            attributes.string(text)
          }
          if let capture = message.capture {
            attributes.add("Captura", capture.lowercaseText)
          }
          for (name, number) in [
            ("Numero", Int64(message.number)), ("Creat", message.created?.milliseconds),
            ("Ordre", message.sequence.map { Int64($0) }),
            ("Fins", message.expires?.milliseconds),
          ] {
            guard let number else { continue }
            attributes.key(name)
            attributes.integer(number)
          }
        }
      }
    }
    var form = FormText()
    form.add("f", "json")
    form.add("features", bytes: rows.bytes)
    return authorized("addFeatures", form, at: address, answerBytes: UplinkBounds.mailBytes)
  }
}

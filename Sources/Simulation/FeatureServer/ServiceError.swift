import Uplink

/// An error as ArcGIS gives it: in the body, under HTTP 200.
struct ServiceError: Error, Equatable {
  var code: Int32
  var message: String
  var details: [String] = []

  static func invalid(_ parameter: String) -> ServiceError {
    ServiceError(
      code: 400, message: "Cannot perform operation. Invalid operation parameters.",
      details: ["'\(parameter)' parameter is invalid"])
  }

  static let invalidToken = ServiceError(code: 498, message: "Invalid Token")

  var body: [UInt8] {
    var text = JSONText()
    text.object { text in
      text.key("error")
      text.object { text in
        text.key("code")
        text.integer(code)
        text.key("message")
        text.string(message)
        text.key("details")
        text.array { text in
          for detail in details { text.string(detail) }
        }
      }
    }
    return text.bytes
  }
}

/// Why one feature of an edit was refused (Esri REST, error codes of edits).
struct EditError: Error, Equatable {
  var code: Int32
  var description: String

  static let rolledBack = EditError(code: 1003, description: "Operation rolled back.")
  static let geometry = EditError(code: 1015, description: "The geometry is invalid.")
  static func value(_ field: String) -> EditError {
    EditError(code: 1016, description: "The value of \(field) is invalid.")
  }
  /// What the scenario wants refused.
  static let bad = EditError(code: 1016, description: "A value is out of range.")
  static let missingGlobalID = EditError(code: 1020, description: "The GlobalID is missing.")
  static let emptyGlobalID = EditError(code: 1021, description: "The GlobalID is no UUID.")
  static let notUnique = EditError(
    code: 1022, description: "The GlobalID is there already: unique constraint violated.")
}

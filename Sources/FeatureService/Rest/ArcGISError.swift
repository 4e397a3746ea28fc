/// An error as ArcGIS sends it: in the body, with HTTP 200.
struct ArcGISError: Error, Sendable, Equatable {
  var code: Int
  var message: String
  var details: [String] = []

  var body: JSON {
    [
      "error": [
        "code": .integer(Int64(code)), "message": .text(message),
        "details": .list(details.map { .text($0) }),
      ]
    ]
  }

  static func invalid(_ parameter: String, _ detail: String) -> ArcGISError {
    ArcGISError(
      code: 400, message: "Invalid or missing input parameters.",
      details: ["'\(parameter)' parameter is invalid", detail])
  }

  static func query(_ detail: String) -> ArcGISError {
    ArcGISError(
      code: 400, message: "Unable to complete operation.",
      details: ["Unable to perform query operation.", detail])
  }

  static let needsPost = ArcGISError(code: 405, message: "An edit needs the method POST.")
  static let tokenRequired = ArcGISError(code: 499, message: "Token Required")
  static let notOwner = ArcGISError(
    code: 403,
    message: "You do not have permissions to access this resource or perform this operation.",
    details: ["Only the layer's owner may change and delete features."])
  static let invalidToken = ArcGISError(code: 498, message: "Invalid Token")
}

/// Why one feature of an edit was refused (codes: Esri REST API, apply edits).
struct ItemError: Error, Sendable, Equatable {
  var code: Int
  var description: String

  static let rolledBack = ItemError(code: 1003, description: "Operation rolled back.")
  static let refused = ItemError(code: 1000, description: "Refused on purpose, for a rehearsal.")
  static let outOfRange = ItemError(code: 1016, description: "A value is out of range.")
  static let attributes = ItemError(
    code: 1016, description: "The attributes are not an object of plain values.")
  static let delete = ItemError(
    code: 1018, description: "Only the layer's owner may delete features.")
  static let update = ItemError(
    code: 1019, description: "Only the layer's owner may change features.")
  static let notUnique = ItemError(
    code: 1022, description: "The GlobalID already exists: unique constraint violated.")

  /// A feature to change or delete that is not there.
  static func missing(_ why: String) -> ItemError {
    ItemError(code: 1011, description: "The feature was not found: \(why).")
  }

  static func geometry(_ why: String) -> ItemError {
    ItemError(code: 1015, description: "The geometry is invalid: \(why).")
  }

  static func value(_ field: String, _ why: String) -> ItemError {
    ItemError(code: 1016, description: "The value of \(field) is invalid: \(why).")
  }

  static func globalID(_ why: String, isMissing: Bool) -> ItemError {
    ItemError(code: isMissing ? 1020 : 1021, description: "GlobalID: \(why).")
  }
}

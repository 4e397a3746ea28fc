import Uplink

// What the layer says about itself (Esri REST, "Layer (Feature Service)", ArcGIS 10.9.1).
extension FeatureLayer {
  var description: [UInt8] {
    var text = JSONText()
    text.object { text in
      text.key("currentVersion")
      text.decimal(1091, places: 2)
      text.key("id")
      text.integer(0)
      for (key, value) in [
        ("name", "TrailWalker"), ("type", "Feature Layer"),
        ("description", "Every capture; takes new ones"), ("copyrightText", ""),
        ("displayField", "Equip"), ("geometryType", "esriGeometryPoint"),
      ] {
        text.key(key)
        text.string(value)
      }
      writePlace(to: &text)
      writeFields(to: &text)
      writeAbilities(to: &text)
    }
    return text.bytes
  }

  private func writePlace(to text: inout JSONText) {
    text.key("sourceSpatialReference")
    Self.writeReference(to: &text)
    text.key("extent")
    text.object { text in
      // What a layer says that has never computed its extent.
      for corner in ["xmin", "ymin", "xmax", "ymax"] {
        text.key(corner)
        text.string("NaN")
      }
      text.key("spatialReference")
      Self.writeReference(to: &text)
    }
    text.key("defaultVisibility")
    text.boolean(true)
    for key in ["minScale", "maxScale"] {
      text.key(key)
      text.integer(0)
    }
    for key in ["hasAttachments", "hasZ", "hasM", "enableZDefaults"] {
      text.key(key)
      text.boolean(false)
    }
    text.key("htmlPopupType")
    text.string("esriServerHTMLPopupTypeAsHTMLText")
  }

  private static func writeReference(to text: inout JSONText) {
    text.object { text in
      text.key("wkid")
      text.integer(102_100)
      text.key("latestWkid")
      text.integer(3857)
    }
  }

  private func writeFields(to text: inout JSONText) {
    text.key("objectIdField")
    text.string("OBJECTID")
    text.key("globalIdField")
    text.string(model.takesGlobalIDs ? "GlobalID" : "")
    text.key("typeIdField")
    text.string("")
    text.key("fields")
    text.array { text in
      for field in fields { field.describe(to: &text) }
    }
    for key in ["indexes", "types", "templates", "relationships"] {
      text.key(key)
      text.array { _ in }
    }
  }

  private func writeAbilities(to text: inout JSONText) {
    text.key("capabilities")
    text.string("Create,Query")
    for key in ["maxRecordCount", "standardMaxRecordCount"] {
      text.key(key)
      text.integer(Self.recordLimit)
    }
    text.key("supportedQueryFormats")
    text.string("JSON, geoJSON")
    for (key, value) in [
      ("supportsAdvancedQueries", true), ("supportsStatistics", false),
      ("useStandardizedQueries", true),
      ("supportsRollbackOnFailureParameter", model.keepsPartOfRequest),
      ("supportsApplyEditsWithGlobalIds", model.takesGlobalIDs),
      ("allowGeometryUpdates", false), ("isDataVersioned", false),
    ] {
      text.key(key)
      text.boolean(value)
    }
  }
}

extension FeatureLayer.Field {
  func describe(to text: inout JSONText) {
    text.object { text in
      text.key("name")
      text.string(name)
      text.key("type")
      text.string(typeName)
      text.key("alias")
      text.string(name)
      text.key("sqlType")
      text.string("sqlTypeOther")
      if let length {
        text.key("length")
        text.integer(length)
      }
      text.key("nullable")
      text.boolean(isEditable)
      text.key("editable")
      text.boolean(isEditable)
      for key in ["domain", "defaultValue"] {
        text.key(key)
        text.null()
      }
    }
  }

  private var typeName: String {
    switch kind {
    case .objectID: "esriFieldTypeOID"
    case .globalID: "esriFieldTypeGlobalID"
    case .text: "esriFieldTypeString"
    case .number: "esriFieldTypeDouble"
    case .date: "esriFieldTypeDate"
    }
  }

  private var length: Int? {
    switch kind {
    case .globalID: 38
    case .text(let length): length
    // Esri gives dates eight, the size in a file geodatabase.
    case .date: 8
    case .objectID, .number: nil
    }
  }
}

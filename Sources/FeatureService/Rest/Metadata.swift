/// The descriptions of the services.
struct Metadata: Sendable {
  var catalogue: Catalogue
  var maximumRecords: Int
  /// The server's address as the client knows it, without a path.
  var root: String
  var needsToken: Bool

  /// ArcGIS 10.9.1.
  static let version = JSON.number(10.91)

  var information: JSON {
    var security: [(String, JSON)] = [("isTokenBasedSecurity", .boolean(needsToken))]
    if needsToken {
      security.append(("tokenServicesUrl", .text("\(root)/arcgis/tokens/generateToken")))
      security.append(("shortLivedTokenValidity", .integer(Int64(Bounds.tokenSeconds / 60))))
    }
    return [
      "currentVersion": Self.version, "fullVersion": "10.9.1", "soapUrl": .null,
      "secureSoapUrl": .null, "owningSystemUrl": .text(root), "authInfo": .object(security),
    ]
  }

  var services: JSON {
    [
      "currentVersion": Self.version, "folders": [],
      "services": .list(
        catalogue.services.map {
          ["name": .text($0.name), "type": .text($0.kind.rawValue)]
        }),
    ]
  }

  func service(_ service: Service, extent: Extent?) -> JSON {
    let layers = service.layers.map { layer -> JSON in
      [
        "id": .integer(Int64(layer.id)), "name": .text(layer.name), "parentLayerId": -1,
        "defaultVisibility": true, "subLayerIds": .null, "minScale": 0, "maxScale": 0,
        "type": "Feature Layer", "geometryType": .text(layer.geometry.rawValue),
      ]
    }
    let extent = Extent.description(extent, .webMercator)
    return [
      "currentVersion": Self.version, "serviceDescription": .text(service.summary),
      "mapName": .text(service.name), "description": .text(service.summary),
      "copyrightText": "", "hasVersionedData": false,
      "maxRecordCount": .integer(Int64(maximumRecords)),
      "supportedQueryFormats": "JSON, geoJSON", "capabilities": .text(service.capabilities),
      "spatialReference": Projection.webMercator.spatialReference, "initialExtent": extent,
      "fullExtent": extent, "units": "esriMeters", "allowGeometryUpdates": false,
      "syncEnabled": false, "supportsApplyEditsWithGlobalIds": .boolean(takesGlobalIDs(service)),
      "layers": .list(layers), "tables": [],
    ]
  }

  private func takesGlobalIDs(_ service: Service) -> Bool {
    service.layers.contains { $0.isEditable && $0.globalIDField != nil }
  }

  func layer(_ layer: Layer, of service: Service, extent: Extent?) -> JSON {
    let takesGlobalIDs = layer.isEditable && layer.globalIDField != nil
    return [
      "currentVersion": Self.version, "id": .integer(Int64(layer.id)),
      "name": .text(layer.name), "type": "Feature Layer",
      "description": .text(service.summary), "copyrightText": "",
      "displayField": .text(layer.fields.first { $0.name == "Equip" }?.name ?? "Nom"),
      "geometryType": .text(layer.geometry.rawValue),
      "sourceSpatialReference": Projection.webMercator.spatialReference,
      "extent": Extent.description(extent, .webMercator), "defaultVisibility": true,
      "minScale": 0, "maxScale": 0, "hasAttachments": false, "hasZ": false, "hasM": false,
      "enableZDefaults": false, "htmlPopupType": "esriServerHTMLPopupTypeAsHTMLText",
      "objectIdField": .text(layer.objectIDField),
      "globalIdField": .text(layer.globalIDField ?? ""), "typeIdField": "",
      "fields": .list(layer.fields.map { $0.description(isEditableLayer: layer.isEditable) }),
      "indexes": [], "types": [], "templates": [], "relationships": [],
      "capabilities": .text(service.capabilities),
      "maxRecordCount": .integer(Int64(maximumRecords)),
      "standardMaxRecordCount": .integer(Int64(maximumRecords)),
      "supportedQueryFormats": "JSON, geoJSON", "supportsAdvancedQueries": true,
      "supportsStatistics": false, "useStandardizedQueries": true,
      "supportsRollbackOnFailureParameter": .boolean(layer.isEditable && layer.keepsPartOfEdit),
      "supportsApplyEditsWithGlobalIds": .boolean(takesGlobalIDs),
      "allowGeometryUpdates": false, "isDataVersioned": false,
      "advancedQueryCapabilities": [
        "supportsPagination": true, "supportsOrderBy": true, "supportsDistinct": false,
        "supportsStatistics": false, "supportsReturningQueryExtent": true,
        "supportsSqlExpression": false, "supportsQueryWithResultType": false,
      ],
    ]
  }
}

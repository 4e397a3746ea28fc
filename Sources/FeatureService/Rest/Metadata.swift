/// The descriptions of the services.
struct Metadata: Sendable {
  var catalogue: Catalogue
  var maximumRecords: Int
  /// The server's address as the client knows it, without a path.
  var root: String
  var hasTokens: Bool
  /// What the client may do.
  var access = Access.user

  /// ArcGIS 10.9.1.
  static let version = JSON.number(10.91)

  /// Of the server: `/arcgis/rest/info`.
  var information: JSON {
    [
      "currentVersion": Self.version, "fullVersion": "10.9.1", "soapUrl": .null,
      "secureSoapUrl": .null, "owningSystemUrl": .text("\(root)/arcgis"),
      "authInfo": security("\(root)/arcgis/tokens/generateToken"),
    ]
  }

  /// Of the portal to which `owningSystemUrl` points: `/arcgis/sharing/rest/info`.
  var portalInformation: JSON {
    [
      "owningSystemUrl": .text("\(root)/arcgis"),
      "authInfo": security("\(root)/arcgis/sharing/rest/generateToken"),
    ]
  }

  /// Of that portal, for clients that look there first: `/arcgis/sharing/rest` and
  /// `/arcgis/sharing/rest/portals/self`.
  var portal: JSON {
    let host = root.split(separator: "/").last.map { "\($0)/arcgis" } ?? ""
    return [
      "id": "basecamp", "name": "basecamp", "portalName": "basecamp", "isPortal": true,
      "portalMode": "singletenant", "portalHostname": .text(host), "access": "public",
      "currentVersion": "10.9.1", "allSSL": .boolean(root.hasPrefix("https")),
      "supportsOAuth": false, "supportsHostedServices": false, "units": "metric",
      "helperServices": [:],
    ]
  }

  private func security(_ address: String) -> JSON {
    var members: [(String, JSON)] = [("isTokenBasedSecurity", .boolean(hasTokens))]
    if hasTokens {
      members.append(("tokenServicesUrl", .text(address)))
      members.append(("shortLivedTokenValidity", .integer(Int64(Bounds.tokenSeconds / 60))))
    }
    return .object(members)
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

  func service(_ service: Service, extent: MapBox?) -> JSON {
    func entry(_ layer: Layer) -> JSON {
      let members: [(String, JSON)] = [
        ("id", .integer(Int64(layer.id))), ("name", .text(layer.name)), ("parentLayerId", -1),
        ("defaultVisibility", true), ("subLayerIds", .null), ("minScale", 0), ("maxScale", 0),
        ("type", .text(layer.typeName)),
      ]
      return .object(
        members + (layer.geometry.map { [("geometryType", .text($0.rawValue))] } ?? []))
    }
    let extent = MapBox.description(extent, .webMercator)
    return [
      "currentVersion": Self.version, "serviceDescription": .text(service.summary),
      "mapName": .text(service.name), "description": .text(service.summary),
      "copyrightText": "", "hasVersionedData": false,
      "maxRecordCount": .integer(Int64(maximumRecords)),
      "supportedQueryFormats": "JSON, geoJSON", "capabilities": .text(service.capabilities(access)),
      "spatialReference": Projection.webMercator.spatialReference, "initialExtent": extent,
      "fullExtent": extent, "units": "esriMeters",
      "allowGeometryUpdates": .boolean(access == .owner),
      "syncEnabled": false, "supportsApplyEditsWithGlobalIds": .boolean(takesGlobalIDs(service)),
      "layers": .list(service.layers.map(entry)), "tables": .list(service.tables.map(entry)),
    ]
  }

  private func takesGlobalIDs(_ service: Service) -> Bool {
    service.layers.contains { $0.isEditable && $0.globalIDField != nil }
  }

  /// - Parameter times: the first and the last of the layer's times.
  func layer(
    _ layer: Layer, of service: Service, extent: MapBox?, times: (first: Int64, last: Int64)?
  ) -> JSON {
    let takesGlobalIDs = layer.isEditable && layer.globalIDField != nil
    guard let geometry = layer.geometry else { return table(layer, of: service) }
    return [
      "currentVersion": Self.version, "id": .integer(Int64(layer.id)),
      "name": .text(layer.name), "type": .text(layer.typeName),
      "description": .text(service.summary), "copyrightText": "",
      "displayField": .text(layer.fields.first { $0.name == "Equip" }?.name ?? "Nom"),
      "geometryType": .text(geometry.rawValue),
      "sourceSpatialReference": Projection.webMercator.spatialReference,
      "extent": MapBox.description(extent, .webMercator), "defaultVisibility": true,
      "minScale": 0, "maxScale": 0, "hasAttachments": false, "hasZ": false, "hasM": false,
      "enableZDefaults": false, "htmlPopupType": "esriServerHTMLPopupTypeAsHTMLText",
      "objectIdField": .text(layer.objectIDField),
      "globalIdField": .text(layer.globalIDField ?? ""), "typeIdField": "",
      "fields": .list(layer.fields.map { $0.description(isEditableLayer: layer.isEditable) }),
      "indexes": [], "types": [], "templates": [], "relationships": [],
      "capabilities": .text(service.capabilities(access)),
      "maxRecordCount": .integer(Int64(maximumRecords)),
      "standardMaxRecordCount": .integer(Int64(maximumRecords)),
      "supportedQueryFormats": "JSON, geoJSON", "supportsAdvancedQueries": true,
      "supportsStatistics": true, "useStandardizedQueries": true,
      "supportsRollbackOnFailureParameter": .boolean(layer.isEditable && layer.keepsPartOfEdit),
      "supportsApplyEditsWithGlobalIds": .boolean(takesGlobalIDs),
      "allowGeometryUpdates": .boolean(layer.isEditable && access == .owner),
      "isDataVersioned": false, "timeInfo": timeInfo(layer, times),
      "advancedQueryCapabilities": [
        "supportsPagination": true, "supportsOrderBy": true, "supportsDistinct": true,
        "supportsStatistics": true, "supportsReturningQueryExtent": true,
        "supportsPaginationOnAggregatedQueries": true, "supportsCountDistinct": true,
        "supportsQueryWithDistance": true, "supportsHavingClause": false,
        "supportsSqlExpression": false, "supportsQueryWithResultType": false,
      ],
    ]
  }

  private func table(_ layer: Layer, of service: Service) -> JSON {
    [
      "currentVersion": Self.version, "id": .integer(Int64(layer.id)),
      "name": .text(layer.name), "type": .text(layer.typeName),
      "description": .text(service.summary), "copyrightText": "", "hasAttachments": false,
      "htmlPopupType": "esriServerHTMLPopupTypeAsHTMLText",
      "displayField": .text(layer.fields.first { $0.name == "Text" }?.name ?? ""),
      "objectIdField": .text(layer.objectIDField), "globalIdField": "", "typeIdField": "",
      "fields": .list(layer.fields.map { $0.description(isEditableLayer: layer.isEditable) }),
      "indexes": [], "types": [], "templates": [], "relationships": [],
      "capabilities": .text(service.capabilities(access, of: layer)),
      "maxRecordCount": .integer(Int64(maximumRecords)),
      "supportedQueryFormats": "JSON, geoJSON", "supportsAdvancedQueries": true,
      "supportsStatistics": true, "useStandardizedQueries": true,
      "supportsRollbackOnFailureParameter": true, "supportsApplyEditsWithGlobalIds": false,
      "isDataVersioned": false,
      "advancedQueryCapabilities": [
        "supportsPagination": true, "supportsOrderBy": true, "supportsDistinct": true,
        "supportsStatistics": true,
      ],
    ]
  }

  /// For clients that filter by `time`.
  private func timeInfo(_ layer: Layer, _ times: (first: Int64, last: Int64)?) -> JSON {
    guard let field = layer.timeField else { return .null }
    return [
      "startTimeField": .text(field), "endTimeField": .null, "trackIdField": .null,
      "timeExtent": times.map { .list([.integer($0.first), .integer($0.last)]) } ?? .null,
      "timeReference": ["timeZone": "UTC", "respectsDaylightSaving": false],
      "timeInterval": 0, "timeIntervalUnits": "esriTimeUnitsUnknown", "hasLiveData": true,
    ]
  }
}

import CaptureStore
import Courier
import TestSupport
import Testing
import TrackerCore
import Uplink

/// Where on the course a capture was taken goes to a server whose layer has fields for it.
@Suite struct MarkTests {
  private let again: Comment = "repeat with: swift test --filter CourierTests.MarkTests"
  private static let names = ["CodiEquip", "Equip", "UUID", "Fets", "Falten", "Lloc", "Motiu"]

  /// What is sent of two captures, of which the second has a mark.
  private func sent(
    _ names: [String] = Self.names, _ change: (inout ArcGISFields) -> Void
  ) throws -> String {
    let store = try CaptureStore.open(.memory, at: Walk.start)
    store.placeNames = ["Olot", "Sant Feliu"]
    var marked = Walk.capture(2)
    marked.trigger = .entered
    marked.mark = CourseMark(doneMetres: 38_600, toGoMetres: 62_800, place: 1)
    for capture in [Walk.capture(1), marked] { try store.append(capture, at: Walk.start) }
    var configuration = ArcGISConfiguration(
      address: try LayerAddress("https://gis.example/arcgis/rest/services/T/FeatureServer/0"))
    (configuration.fields.battery, configuration.fields.time) = (nil, nil)
    configuration.fields.kind = nil
    change(&configuration.fields)
    var courier = Courier(
      store, try ArcGISDialogue(configuration), mayActFor: .minutes(10), boot: "one")
    let moment = HostTime(utc: Walk.start, uptime: .minutes(1))
    _ = courier.upload(
      UploadRequest(id: RequestID(1), selection: .oldest(limit: 10)), at: moment)
    let fields = names.map {
      #"{"name":"\#($0)","type":"esriFieldType\#($0.hasPrefix("F") ? "Integer" : "String")"}"#
    }
    let layer =
      #"{"type":"Feature Layer","geometryType":"esriGeometryPoint","capabilities":"Create,Query","#
      + #""fields":[\#(fields.joined(separator: ","))]}"#
    guard
      case .send(let request) = courier.receive(
        .response(status: 200, headers: [], body: Array(layer.utf8)), at: moment)
    else {
      throw Problem("nothing is sent")
    }
    return String(decoding: request.body, as: UTF8.self).replacing("%22", with: "'")
      .replacing("%3A", with: ":").replacing("%2C", with: ",")
  }

  @Test func `A layer with fields for it gets metres, place and trigger`() throws {
    let text = try sent {
      ($0.done, $0.toGo, $0.place, $0.trigger) = ("fets", "Falten", "Lloc", "Motiu")
    }
    #expect(
      text.contains("'Fets':38600,'Falten':62800,'Lloc':'Sant+Feliu','Motiu':'entered'"),
      "\(text); \(again)")
    #expect(text.contains("'Fets':null,'Falten':null,'Lloc':null,'Motiu':'"), "\(text); \(again)")
  }

  @Test func `A layer with a field for the place alone gets its name`() throws {
    let text = try sent {
      $0.place = "Lloc"
      ($0.done, $0.trigger) = (nil, nil)
    }
    #expect(text.contains("'Lloc':'Sant+Feliu'"), "\(text); \(again)")
    #expect(!text.contains("Fets") && !text.contains("Falten"), "\(text); \(again)")
  }

  @Test func `Fields that nobody configured are filled where they have their usual names`() throws {
    let text = try sent { _ in }
    #expect(
      text.contains("'Fets':38600,'Lloc':'Sant+Feliu','Motiu':'entered'"), "\(text); \(again)")
    #expect(!text.contains("Falten"), "\(text); \(again)")
    let bare = try sent(["CodiEquip", "Equip", "UUID"]) { _ in }
    for name in ["Fets", "Lloc", "Motiu"] { #expect(!bare.contains(name), "\(bare); \(again)") }
  }

  @Test func `Fields that are turned off are not sent`() throws {
    let text = try sent { ($0.done, $0.toGo, $0.place, $0.trigger) = (nil, nil, nil, nil) }
    for name in ["Fets", "Falten", "Lloc", "Motiu"] { #expect(!text.contains(name), again) }
  }
}

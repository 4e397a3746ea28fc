import TrackerCore
import Wording

/// The page for people who only know the server's name: what there is, with links.
struct StartPage {
  var catalogue: Catalogue

  func reply(in language: Language?) -> ServiceReply {
    let tongue = language ?? .english
    let root = "/arcgis/rest/services"
    var text = "<h1>\(Self.escaped(.welcome, tongue))</h1>"
    text += "<p>\(Self.link(root, PagePhrase.services.text(in: tongue)))</p><ul>"
    for service in catalogue.services {
      let name = "\(service.name)/\(service.kind.rawValue)"
      text +=
        "<li>\(Self.link("\(root)/\(name)", name)): \(Self.escaped(service.about, tongue))<ul>"
      for layer in service.layers {
        let path = "\(root)/\(name)/\(layer.id)"
        let query = "\(path)/query?where=1%3D1&outFields=*&f=geojson"
        text += "<li>\(Self.link(path, "\(layer.id) \(layer.name)")), "
        text += "\(Self.link(query, PagePhrase.query.text(in: tongue)))</li>"
      }
      text += "</ul></li>"
    }
    return .html(title: "basecamp", text: text + "</ul>", language: language)
  }

  private static func escaped(_ phrase: PagePhrase, _ language: Language) -> String {
    HTMLText.escaped(phrase.text(in: language))
  }

  private static func link(_ address: String, _ text: String) -> String {
    "<a href=\"\(HTMLText.escaped(address))\">\(HTMLText.escaped(text))</a>"
  }
}

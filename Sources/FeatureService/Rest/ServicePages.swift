import TrackerCore
public import Wording

/// The format of an answer, from the parameter `f`.
enum Format: String, Sendable {
  case html, json, pjson, geojson

  /// - Throws: `ArcGISError` for an unknown one.
  init(_ request: ServiceRequest) throws(ArcGISError) {
    // ArcGIS answers in HTML by default.
    guard let text = request.text("f") else {
      self = .html
      return
    }
    guard let format = Format(rawValue: text.lowercased()) else {
      throw .invalid("f", "html, json, pjson and geojson are supported.")
    }
    self = format
  }

  /// - Parameter about: what the page says about the answer.
  func reply(
    _ body: JSON, title: String, about: PagePhrase? = nil, language: Language? = nil
  ) -> ServiceReply {
    switch self {
    case .json: return .json(body)
    case .geojson: return .answer(type: "application/geo+json", body: body.bytes)
    case .pjson:
      return .answer(type: "text/plain; charset=utf-8", body: body.bytes.prettyJSON)
    case .html:
      let text = String(decoding: body.bytes.prettyJSON, as: UTF8.self)
      let phrases = [about, .json].compactMap { $0?.text(in: language ?? .english) }
      let head = phrases.map { "<p>\(HTMLText.escaped($0))</p>" }.joined()
      return .html(
        title: title, text: "\(head)<pre>\(HTMLText.escaped(text))</pre>", language: language)
    }
  }
}

/// The page for people who only know the server's name: what there is, with links.
struct StartPage {
  var catalogue: Catalogue

  func reply(in language: Language?) -> ServiceReply {
    let tongue = language ?? .english
    let root = "/arcgis/rest/services"
    var text = "<h1>\(Self.escaped(.welcome, tongue))</h1>"
    text += "<p>\(Self.link("/room", PagePhrase.room.text(in: tongue)))</p>"
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

/// What the server's pages say to people. What programs read is always in English.
public enum PagePhrase: Wording.Catalogue {
  case welcome, query, room
  case services, capturesAndNew, captures, latest, course
  case json, refused
  case methods, notFound, tooLarge, foreignPage, noRoom, coding, damaged
  case rehearsal, portal

  public var texts: Texts {
    switch self {
    case .welcome:
      Texts(
        ca: "Aquest és basecamp, que rep captures i les mostra",
        es: "Esto es basecamp, que recibe capturas y las muestra",
        en: "This is basecamp, which receives captures and shows them",
        fr: "Ceci est basecamp, qui reçoit des captures et les montre")
    case .room:
      Texts(
        ca: "la sala de control: qui necessita algú, el mapa i els equips",
        es: "la sala de control: quién necesita a alguien, el mapa y los equipos",
        en: "the control room: who needs a human, the map and the teams",
        fr: "la salle de contrôle : qui a besoin de quelqu'un, la carte et les équipes")
    case .query:
      Texts(
        ca: "tal com la llegeixen els mapes (GeoJSON)", es: "tal como la leen los mapas (GeoJSON)",
        en: "as maps read it (GeoJSON)", fr: "telle que les cartes la lisent (GeoJSON)")
    case .services:
      Texts(
        ca: "Els serveis d'aquest servidor", es: "Los servicios de este servidor",
        en: "The services of this server", fr: "Les services de ce serveur")
    case .capturesAndNew:
      Texts(
        ca: "Totes les captures; n'accepta de noves", es: "Todas las capturas; acepta nuevas",
        en: "Every capture; takes new ones", fr: "Toutes les captures ; en accepte de nouvelles")
    case .captures:
      Texts(
        ca: "Totes les captures", es: "Todas las capturas", en: "Every capture",
        fr: "Toutes les captures")
    case .latest:
      Texts(
        ca: "La darrera captura de cada equip", es: "La última captura de cada equipo",
        en: "The last capture of each team", fr: "La dernière capture de chaque équipe")
    case .course:
      Texts(ca: "El recorregut", es: "El recorrido", en: "The course", fr: "Le parcours")
    case .json:
      Texts(
        ca: "Tal com ho llegeixen els programes (JSON):",
        es: "Tal como lo leen los programas (JSON):",
        en: "As programs read it (JSON):", fr: "Tel que les programmes le lisent (JSON) :")
    case .refused:
      Texts(
        ca: "El servidor no pot atendre aquesta petició.",
        es: "El servidor no puede atender esta petición.",
        en: "The server cannot answer this request.",
        fr: "Le serveur ne peut pas répondre à cette requête.")
    case .methods:
      Texts(
        ca: "S'admeten GET i POST.", es: "Se admiten GET y POST.",
        en: "GET and POST are supported.", fr: "GET et POST sont acceptés.")
    case .notFound:
      Texts(
        ca: "No s'ha trobat; els serveis són a {1}",
        es: "No encontrado; los servicios están en {1}",
        en: "Not found; the services are at {1}", fr: "Introuvable ; les services sont à {1}")
    case .tooLarge:
      Texts(
        ca: "La petició fa més de {1} bytes; envieu-ne menys de cop.",
        es: "La petición pasa de {1} bytes; envíe menos de una vez.",
        en: "The request is larger than {1} bytes; send less at a time.",
        fr: "La requête dépasse {1} octets ; envoyez-en moins à la fois.")
    case .foreignPage:
      Texts(
        ca: "Les pàgines de {1} no poden desar captures; permeteu-ho amb basecamp --origin {1}",
        es: "Las páginas de {1} no pueden guardar capturas; permítalo con basecamp --origin {1}",
        en: "Pages of {1} may not store captures; permit it with basecamp --origin {1}",
        fr: "Les pages de {1} ne peuvent pas enregistrer de captures ; "
          + "autorisez-les avec basecamp --origin {1}")
    case .noRoom:
      Texts(
        ca: "El servidor ja rep massa dades alhora; torneu-ho a provar d'aquí a uns segons.",
        es: "El servidor ya recibe demasiados datos a la vez; inténtelo en unos segundos.",
        en: "The server is receiving too much at once; try again in some seconds.",
        fr: "Le serveur reçoit déjà trop de données ; réessayez dans quelques secondes.")
    case .coding:
      Texts(
        ca: "S'admeten peticions sense comprimir, gzip i deflate.",
        es: "Se admiten peticiones sin comprimir, gzip y deflate.",
        en: "Requests can be uncompressed, gzip or deflate.",
        fr: "Les requêtes peuvent être non compressées, gzip ou deflate.")
    case .damaged:
      Texts(
        ca: "La petició comprimida està malmesa o tallada; torneu-la a enviar.",
        es: "La petición comprimida está dañada o cortada; envíela otra vez.",
        en: "The compressed request is damaged or cut; send it again.",
        fr: "La requête compressée est endommagée ou coupée ; renvoyez-la.")
    case .rehearsal:
      Texts(
        ca: "{1}: una avaria, per a un assaig", es: "{1}: una avería, para un ensayo",
        en: "{1}: a fault, for a rehearsal", fr: "{1} : une panne, pour une répétition")
    case .portal:
      Texts(
        ca: "Benvinguts! Accepteu les condicions d'ús per connectar-vos.",
        es: "¡Bienvenidos! Acepte las condiciones de uso para conectarse.",
        en: "Welcome! Accept the terms of use to go online.",
        fr: "Bienvenue ! Acceptez les conditions d'utilisation pour vous connecter.")
    }
  }
}

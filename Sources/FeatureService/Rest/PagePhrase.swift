public import Wording

/// What the server's pages say to people. What programs read is in English always.
public enum PagePhrase: Wording.Catalogue {
  case services, capturesAndNew, captures, latest, course
  case json, refused
  case methods, notFound, tooLarge
  case rehearsal, portal

  public var texts: Texts {
    switch self {
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

public import Wording

/// What people are told about a broker.
public enum MQTTPhrase: String, Catalogue {
  case nobodyListens, notAcknowledged, credentialsRefused, mayNotPublish, mayNotSubscribe
  case notVersion5, takenOver, refuses, tooMany

  public var texts: Texts {
    switch self {
    case .nobodyListens:
      Texts(
        ca: "ningú no escolta {1}; comproveu que basecamp --mqtt està connectat al broker",
        es: "nadie escucha {1}; compruebe que basecamp --mqtt está conectado al broker",
        en: "nobody listens on {1}; check that basecamp --mqtt is connected to the broker",
        fr: "personne n'écoute {1} ; vérifiez que basecamp --mqtt est connecté au broker")
    case .notAcknowledged:
      Texts(
        ca: "el broker té les captures, i ningú no ha confirmat a {1} que les ha desat",
        es: "el broker tiene las capturas, y nadie ha confirmado en {1} que las ha guardado",
        en: "the broker has the captures, and nobody has confirmed on {1} that they are stored",
        fr: "le broker a les captures, et personne n'a confirmé sur {1} les avoir enregistrées")
    case .credentialsRefused:
      Texts(
        ca: "el broker refusa l'usuari o la contrasenya; comproveu-los",
        es: "el broker rechaza el usuario o la contraseña; compruébelos",
        en: "the broker refuses user or password; check them",
        fr: "le broker refuse l'utilisateur ou le mot de passe ; vérifiez-les")
    case .mayNotPublish:
      Texts(
        ca: "el broker no deixa publicar a {1} (codi {2}); comproveu-ne els permisos",
        es: "el broker no deja publicar en {1} (código {2}); compruebe sus permisos",
        en: "the broker does not let this user publish on {1} (code {2}); check its ACL",
        fr: "le broker ne laisse pas publier sur {1} (code {2}) ; vérifiez ses droits")
    case .mayNotSubscribe:
      Texts(
        ca: "el broker no deixa escoltar {1} (codi {2}); comproveu-ne els permisos",
        es: "el broker no deja escuchar {1} (código {2}); compruebe sus permisos",
        en: "the broker does not let this user listen on {1} (code {2}); check its ACL",
        fr: "le broker ne laisse pas écouter {1} (code {2}) ; vérifiez ses droits")
    case .notVersion5:
      Texts(
        ca: "el broker no parla MQTT 5; cal mosquitto 1.6 o posterior",
        es: "el broker no habla MQTT 5; hace falta mosquitto 1.6 o posterior",
        en: "the broker does not speak MQTT 5; mosquitto does from 1.6 on",
        fr: "le broker ne parle pas MQTT 5 ; mosquitto le parle dès la 1.6")
    case .takenOver:
      Texts(
        ca: "el broker ha acabat la connexió, com quan un altre client amb l'identificador {1} "
          + "pren la sessió (una targeta copiada?)",
        es: "el broker ha terminado la conexión, como cuando otro cliente con el identificador {1} "
          + "toma la sesión (¿una tarjeta copiada?)",
        en: "the broker has ended the connection, as it does when another client with the "
          + "identifier {1} takes the session (a copied card?)",
        fr: "le broker a terminé la connexion, comme quand un autre client d'identifiant {1} prend "
          + "la session (une carte copiée ?)")
    case .refuses:
      Texts(
        ca: "el broker refusa la connexió: codi {1}",
        es: "el broker rechaza la conexión: código {1}",
        en: "the broker refuses the connection: code {1}",
        fr: "le broker refuse la connexion : code {1}")
    case .tooMany:
      Texts(
        ca: "massa connexions que no acaben; torneu-ho a provar",
        es: "demasiadas conexiones que no acaban; vuelva a probar",
        en: "too many connections that do not end; try again",
        fr: "trop de connexions qui ne finissent pas ; réessayez")
    }
  }
}

import Wording

/// What people are told about a server.
enum UplinkPhrase: String, Catalogue {
  case tokenService, layer, query, edit, upload, error, refused, requiresSecrets, checkToken
  case notCredible, notTokenAnswer, notFeatureServer, noToken, notWholeJSON, noFeatures
  case rowsUntold, queryMismatch, noResults, resultsMismatch, answerTooLong, noConnection
  case tooLarge, stalled, lost, tooManyRequests, portalPage, redirected, redirectedAway
  case anotherAddress, wantsLogin, status

  /// The cause behind a failure with this text; `nil`: there may be several.
  var cause: FailureCause? {
    switch self {
    case .portalPage, .redirectedAway, .wantsLogin: .portal
    case .notTokenAnswer, .notFeatureServer, .noToken, .notWholeJSON, .noFeatures, .noResults,
      .redirected:
      .foreignServer
    case .tokenService, .layer, .query, .edit, .upload, .error, .refused, .requiresSecrets,
      .checkToken, .notCredible, .rowsUntold, .queryMismatch, .resultsMismatch, .answerTooLong,
      .noConnection, .tooLarge, .stalled, .lost, .tooManyRequests, .anotherAddress, .status:
      nil
    }
  }

  var texts: Texts {
    switch self {
    case .tokenService:
      Texts(
        ca: "servei de tokens",
        es: "servicio de tokens",
        en: "token service",
        fr: "service de jetons")
    case .layer: Texts(ca: "capa", es: "capa", en: "layer", fr: "couche")
    case .query: Texts(ca: "consulta", es: "consulta", en: "query", fr: "interrogation")
    case .edit: Texts(ca: "edició", es: "edición", en: "edit", fr: "édition")
    case .upload: Texts(ca: "enviament", es: "envío", en: "upload", fr: "envoi")
    case .error:
      Texts(
        ca: "error {1} del servidor",
        es: "error {1} del servidor",
        en: "error {1}",
        fr: "erreur {1} du serveur")
    case .refused:
      Texts(
        ca: "rebutjat: codi {1}",
        es: "rechazado: código {1}",
        en: "refused: code {1}",
        fr: "refusé : code {1}")
    case .requiresSecrets:
      Texts(
        ca: "el servidor demana usuari i contrasenya, o un token: configureu els secrets",
        es: "el servidor pide usuario y contraseña, o un token: configure los secretos",
        en: "the server requires a user and a password, or a token: configure secrets",
        fr: "le serveur exige un utilisateur et un mot de passe, ou un jeton : configurez les "
          + "secrets")
    case .checkToken:
      Texts(
        ca: "comproveu el token, o l'usuari i la contrasenya",
        es: "compruebe el token, o el usuario y la contraseña",
        en: "check the token, or the user and the password",
        fr: "vérifiez le jeton, ou l'utilisateur et le mot de passe")
    case .notCredible:
      Texts(
        ca: "part dels resultats no són creïbles",
        es: "parte de los resultados no son creíbles",
        en: "some of the results are not credible",
        fr: "une partie des résultats n'est pas crédible")
    case .notTokenAnswer:
      Texts(
        ca: "la resposta no és la d'un servei de tokens",
        es: "la respuesta no es la de un servicio de tokens",
        en: "the answer is not a token service's",
        fr: "la réponse n'est pas celle d'un service de jetons")
    case .notFeatureServer:
      Texts(
        ca: "la resposta no és la d'un FeatureServer",
        es: "la respuesta no es la de un FeatureServer",
        en: "the answer is not a FeatureServer's",
        fr: "la réponse n'est pas celle d'un FeatureServer")
    case .noToken:
      Texts(
        ca: "la resposta no té cap token",
        es: "la respuesta no tiene ningún token",
        en: "the answer has no token",
        fr: "la réponse n'a pas de jeton")
    case .notWholeJSON:
      Texts(
        ca: "la resposta no és JSON complet",
        es: "la respuesta no es JSON completo",
        en: "the answer is not complete JSON",
        fr: "la réponse n'est pas du JSON complet")
    case .noFeatures:
      Texts(
        ca: "la resposta no té features",
        es: "la respuesta no tiene features",
        en: "the answer has no features",
        fr: "la réponse n'a pas de features")
    case .rowsUntold:
      Texts(
        ca: "les files trobades no tenen ni hora ni posició",
        es: "las filas halladas no tienen ni hora ni posición",
        en: "the rows found have neither time nor position",
        fr: "les lignes trouvées n'ont ni heure ni position")
    case .queryMismatch:
      Texts(
        ca: "la resposta no correspon a la consulta",
        es: "la respuesta no corresponde a la consulta",
        en: "the answer does not match the query",
        fr: "la réponse ne correspond pas à l'interrogation")
    case .noResults:
      Texts(
        ca: "la resposta no té resultats",
        es: "la respuesta no tiene resultados",
        en: "the answer has no results",
        fr: "la réponse n'a pas de résultats")
    case .resultsMismatch:
      Texts(
        ca: "els resultats no corresponen a la petició",
        es: "los resultados no corresponden a la petición",
        en: "the results do not match the request",
        fr: "les résultats ne correspondent pas à la requête")
    case .answerTooLong:
      Texts(
        ca: "la resposta passa de {1} bytes",
        es: "la respuesta pasa de {1} bytes",
        en: "the answer is longer than {1} bytes",
        fr: "la réponse dépasse {1} octets")
    case .noConnection:
      Texts(
        ca: "sense connexió",
        es: "sin conexión",
        en: "no connection",
        fr: "pas de connexion")
    case .tooLarge:
      Texts(
        ca: "la petició és massa gran per enviar-la",
        es: "la petición es demasiado grande para enviarla",
        en: "the request is too large to be sent",
        fr: "la requête est trop grande pour être envoyée")
    case .stalled:
      Texts(
        ca: "la petició no s'ha pogut enviar a temps",
        es: "la petición no se ha podido enviar a tiempo",
        en: "the request could not be sent in time",
        fr: "la requête n'a pu être envoyée à temps")
    case .lost:
      Texts(
        ca: "s'ha perdut la connexió",
        es: "se ha perdido la conexión",
        en: "the connection was lost",
        fr: "la connexion a été perdue")
    case .tooManyRequests:
      Texts(
        ca: "el servidor necessita massa peticions",
        es: "el servidor necesita demasiadas peticiones",
        en: "the server needs too many requests",
        fr: "le serveur demande trop de requêtes")
    case .portalPage:
      Texts(
        ca: "ha arribat una pàgina web, potser la d'entrada d'una xarxa (portal captiu); "
          + "entreu-hi amb un navegador",
        es: "ha llegado una página web, quizá la de acceso de una red (portal cautivo); entre "
          + "con un navegador",
        en: "a web page came back, perhaps a network's login page (captive portal); log in with "
          + "a browser",
        fr: "une page web est revenue, peut-être celle d'accès d'un réseau (portail captif) ; "
          + "connectez-vous avec un navigateur")
    case .redirected:
      Texts(
        ca: "estat {1}: redirigit a {2}; corregiu l'adreça del servidor",
        es: "estado {1}: redirigido a {2}; corrija la dirección del servidor",
        en: "status {1}: redirected to {2}; correct the server's address",
        fr: "statut {1} : redirigé vers {2} ; corrigez l'adresse du serveur")
    case .redirectedAway:
      Texts(
        ca: "estat {1}: redirigit a {2}, potser la pàgina d'entrada d'una xarxa (portal captiu); "
          + "entreu-hi amb un navegador",
        es: "estado {1}: redirigido a {2}, quizá la página de acceso de una red (portal "
          + "cautivo); entre con un navegador",
        en: "status {1}: redirected to {2}, perhaps a network's login page (captive portal); log "
          + "in with a browser",
        fr: "statut {1} : redirigé vers {2}, peut-être la page d'accès d'un réseau (portail "
          + "captif) ; connectez-vous avec un navigateur")
    case .anotherAddress:
      Texts(
        ca: "una altra adreça",
        es: "otra dirección",
        en: "another address",
        fr: "une autre adresse")
    case .wantsLogin:
      Texts(
        ca: "estat 511: la xarxa vol que us identifiqueu (portal captiu); entreu-hi amb un "
          + "navegador",
        es: "estado 511: la red quiere que se identifique (portal cautivo); entre con un navegador",
        en: "status 511: the network wants a login (captive portal); log in with a browser",
        fr: "statut 511 : le réseau veut une identification (portail captif) ; connectez-vous "
          + "avec un navigateur")
    case .status: Texts(ca: "estat {1}", es: "estado {1}", en: "status {1}", fr: "statut {1}")
    }
  }
}

/// Why a layer cannot take captures, and what to do.
enum LayerPhrase: String, Catalogue {
  case noIdentifier, cannotHold, notALayer, notPoints, notEditable, noField
  case fieldNotEditable, tooSmall, lacks, notShown

  var texts: Texts {
    switch self {
    case .noIdentifier:
      Texts(
        ca: "no accepta GlobalIDs, i no hi ha cap camp d'identificador configurat; configureu un "
          + "camp de text de 36 caràcters",
        es: "no acepta GlobalIDs, y no hay ningún campo de identificador configurado; configure "
          + "un campo de texto de 36 caracteres",
        en: "does not accept GlobalIDs, and no identifier field is configured; configure a text "
          + "field of 36 characters",
        fr: "n'accepte pas de GlobalIDs, et aucun champ d'identifiant n'est configuré ; "
          + "configurez un champ texte de 36 caractères")
    case .cannotHold:
      Texts(
        ca: "el camp {1} no pot contenir un identificador; feu-lo un text de 36 caràcters",
        es: "el campo {1} no puede contener un identificador; hágalo un texto de 36 caracteres",
        en: "field {1} cannot hold an identifier; make it a text of 36 characters",
        fr: "le champ {1} ne peut contenir un identifiant ; faites-en un texte de 36 caractères")
    case .notALayer:
      Texts(
        ca: "no és una capa d'un FeatureServer; comproveu-ne l'adreça i el número",
        es: "no es una capa de un FeatureServer; compruebe su dirección y su número",
        en: "is not a layer of a FeatureServer; check its address and number",
        fr: "n'est pas une couche d'un FeatureServer ; vérifiez son adresse et son numéro")
    case .notPoints:
      Texts(
        ca: "conté {1}, no punts; trieu una capa de punts",
        es: "contiene {1}, no puntos; elija una capa de puntos",
        en: "contains {1}, not points; choose a point layer",
        fr: "contient {1}, pas des points ; choisissez une couche de points")
    case .notEditable:
      Texts(
        ca: "no és editable (capabilities: {1}); doneu-li la capacitat Create",
        es: "no es editable (capabilities: {1}); dele la capacidad Create",
        en: "is not editable (capabilities: {1}); give it the capability Create",
        fr: "n'est pas modifiable (capabilities: {1}) ; donnez-lui la capacité Create")
    case .notShown:
      Texts(
        ca: "no mostra el que té (capabilities: {1}); doneu-li la capacitat Query",
        es: "no muestra lo que tiene (capabilities: {1}); dele la capacidad Query",
        en: "does not show what it has (capabilities: {1}); give it the capability Query",
        fr: "ne montre pas ce qu'elle a (capabilities: {1}) ; donnez-lui la capacité Query")
    case .noField:
      Texts(
        ca: "no té el camp {1}; afegiu-lo, o configureu un altre nom",
        es: "no tiene el campo {1}; añádalo, o configure otro nombre",
        en: "has no field {1}; add it, or configure another name",
        fr: "n'a pas de champ {1} ; ajoutez-le, ou configurez un autre nom")
    case .fieldNotEditable:
      Texts(
        ca: "el camp {1} no és editable; feu-lo editable",
        es: "el campo {1} no es editable; hágalo editable",
        en: "field {1} is not editable; make it so",
        fr: "le champ {1} n'est pas modifiable ; rendez-le modifiable")
    case .tooSmall:
      Texts(
        ca: "el camp {1} no passa de 32767, massa poc per a metres; feu-lo esriFieldTypeInteger",
        es: "el campo {1} no pasa de 32767, muy poco para metros; hágalo esriFieldTypeInteger",
        en: "field {1} holds no more than 32767, too little for metres; make it "
          + "esriFieldTypeInteger",
        fr: "le champ {1} ne dépasse pas 32767, trop peu pour des mètres ; faites-en un "
          + "esriFieldTypeInteger")
    case .lacks:
      Texts(
        ca: "no té {1}: sense això el control de la cursa no pot explicar silencis ni captures que "
          + "falten; afegiu-ho, o digueu a server.fields quin camp ho és",
        es: "no tiene {1}: sin ello el control de la carrera no puede explicar silencios ni "
          + "capturas que faltan; añádalo, o diga en server.fields qué campo lo es",
        en: "has no {1}: without it the control room cannot explain silences or missing captures; "
          + "add it, or name your own field in server.fields",
        fr: "n'a pas {1} : sans cela le contrôle de la course ne peut expliquer les silences ni "
          + "les captures manquantes ; ajoutez-le, ou nommez votre champ dans server.fields")
    }
  }
}

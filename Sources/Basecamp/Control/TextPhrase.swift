import Wording

/// What is said by and about text messages.
enum TextPhrase: Catalogue {
  case which, late, noPort, used, mute, pin, noSIM, unreadable, full

  var texts: Texts {
    switch self {
    case .which:
      Texts(
        ca: "Quina? Responeu OK i el codi: {1}", es: "Cual? Responda OK y el codigo: {1}",
        en: "Which? Answer OK and the code: {1}", fr: "Laquelle ? Repondez OK et le code : {1}")
    case .late:
      Texts(
        ca: "Aquest OK es anterior a l'emergencia: no compta. Truqueu a la sala de control",
        es: "Este OK es anterior a la emergencia: no cuenta. Llame a la sala de control",
        en: "That OK is older than the emergency: it does not count. Call the control room",
        fr: "Ce OK est anterieur a l'urgence : il ne compte pas. Appelez la salle de controle")
    case .noPort:
      Texts(
        ca: "{1}: no es pot obrir el mòdem dels missatges de text ({2}); connecteu-lo",
        es: "{1}: no se puede abrir el módem de los mensajes de texto ({2}); conéctelo",
        en: "{1}: the modem for text messages cannot be opened ({2}); plug it in",
        fr: "{1} : impossible d'ouvrir le modem des SMS ({2}) ; branchez-le")
    case .used:
      Texts(
        ca: "{1}: un altre programa fa servir el mòdem; atureu-lo",
        es: "{1}: otro programa usa el módem; deténgalo",
        en: "{1}: another program uses the modem; stop it",
        fr: "{1} : un autre programme utilise le modem ; arrêtez-le")
    case .mute:
      Texts(
        ca: "{1}: el mòdem dels missatges de text no respon; comproveu-ne el port i l'alimentació",
        es: "{1}: el módem de los mensajes de texto no responde; compruebe su puerto y su "
          + "alimentación",
        en: "{1}: the modem for text messages does not answer; check its port and its supply",
        fr: "{1} : le modem des SMS ne répond pas ; vérifiez son port et son alimentation")
    case .pin:
      Texts(
        ca: "{1}: la SIM demana un codi; traieu-li el PIN en un telèfon",
        es: "{1}: la SIM pide un código; quítele el PIN en un teléfono",
        en: "{1}: the SIM asks for a code; take its PIN off in a telephone",
        fr: "{1} : la SIM demande un code ; ôtez son PIN dans un téléphone")
    case .noSIM:
      Texts(
        ca: "{1}: el mòdem no té cap SIM que es pugui llegir; poseu-n'hi una",
        es: "{1}: el módem no tiene ninguna SIM legible; ponga una",
        en: "{1}: the modem has no SIM that can be read; put one in",
        fr: "{1} : le modem n'a pas de SIM lisible ; mettez-en une")
    case .unreadable:
      Texts(
        ca: "{1}: el mòdem no llegeix els missatges de text que arriben; reinicieu-lo",
        es: "{1}: el módem no lee los mensajes de texto que llegan; reinícielo",
        en: "{1}: the modem does not read the text messages that come in; restart it",
        fr: "{1} : le modem ne lit pas les SMS reçus ; redémarrez-le")
    case .full:
      Texts(
        ca: "{1}: la SIM no té lloc per a més missatges de text; esborreu-ne",
        es: "{1}: la SIM no tiene sitio para más mensajes de texto; borre algunos",
        en: "{1}: the SIM has no room for further text messages; delete some",
        fr: "{1} : la SIM n'a plus de place pour d'autres SMS ; effacez-en")
    }
  }
}

public import Wording

/// What a console on a terminal says between its answers.
public enum DoorPhrase: String, Catalogue {
  case greeting, idle, anyKey, off
  case askPIN, wrongPIN, pinWait, unlocked, notGiven

  public var texts: Texts {
    switch self {
    case .greeting:
      Texts(
        ca: "trackerctl a {1}; help mostra les ordres, exit surt",
        es: "trackerctl en {1}; help muestra las órdenes, exit sale",
        en: "trackerctl on {1}; help lists the commands, exit leaves",
        fr: "trackerctl sur {1} ; help liste les commandes, exit quitte")
    case .idle:
      Texts(
        ca: "cap tecla en {1}; la consola es tanca",
        es: "ninguna tecla en {1}; la consola se cierra",
        en: "no key for {1}; the console closes",
        fr: "aucune touche depuis {1} ; la console se ferme")
    case .anyKey:
      Texts(
        ca: "(qualsevol tecla ho atura)", es: "(cualquier tecla lo para)",
        en: "(any key ends this)", fr: "(une touche pour arrêter)")
    case .off:
      Texts(
        ca: "la consola està desactivada; vegeu console a la configuració",
        es: "la consola está desactivada; vea console en la configuración",
        en: "the console is off; see console in the settings",
        fr: "la console est désactivée ; voir console dans les réglages")
    case .askPIN: Texts(ca: "PIN:", es: "PIN:", en: "PIN:", fr: "PIN :")
    case .wrongPIN:
      Texts(ca: "PIN incorrecte", es: "PIN incorrecto", en: "wrong PIN", fr: "PIN incorrect")
    case .pinWait:
      Texts(
        ca: "massa intents; torneu-ho a provar d'aquí a {1}",
        es: "demasiados intentos; vuelva a probar dentro de {1}",
        en: "too many tries; try again in {1}", fr: "trop d'essais ; réessayez dans {1}")
    case .notGiven:
      Texts(
        ca: "l'ordre no s'ha donat", es: "la orden no se ha dado", en: "the order was not given",
        fr: "l'ordre n'est pas donné")
    case .unlocked:
      Texts(
        ca: "ordres permeses", es: "órdenes permitidas", en: "orders are unlocked",
        fr: "ordres permis")
    }
  }
}

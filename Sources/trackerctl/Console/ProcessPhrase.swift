import Wording

/// What its process and systemd say about a trackerd that does not answer.
enum ProcessPhrase: String, Catalogue {
  case stopped, traced, waitsForDisk, ended, busy, noService, masked, systemd, restarted
  case listensNowhere

  var texts: Texts {
    switch self {
    case .stopped:
      Texts(
        ca: "el procés {1} està aturat (SIGSTOP)", es: "el proceso {1} está detenido (SIGSTOP)",
        en: "process {1} is stopped (SIGSTOP)", fr: "le processus {1} est arrêté (SIGSTOP)")
    case .traced:
      Texts(
        ca: "el procés {1} l'atura un depurador", es: "al proceso {1} lo detiene un depurador",
        en: "process {1} is stopped by a debugger",
        fr: "le processus {1} est arrêté par un débogueur")
    case .waitsForDisk:
      Texts(
        ca: "el procés {1} espera un disc", es: "el proceso {1} espera un disco",
        en: "process {1} waits for a disk", fr: "le processus {1} attend un disque")
    case .ended:
      Texts(
        ca: "el procés {1} s'ha acabat i ningú no l'ha recollit",
        es: "el proceso {1} ha terminado y nadie lo ha recogido",
        en: "process {1} has ended and is not reaped",
        fr: "le processus {1} est fini et n'a pas été recueilli")
    case .busy:
      Texts(
        ca: "el procés {1} està ocupat", es: "el proceso {1} está ocupado",
        en: "process {1} is busy", fr: "le processus {1} est occupé")
    case .noService:
      Texts(
        ca: "systemd: no hi ha trackerd.service", es: "systemd: no hay trackerd.service",
        en: "systemd: no trackerd.service", fr: "systemd : pas de trackerd.service")
    case .masked:
      Texts(
        ca: "systemd: emmascarat; primer: sudo systemctl unmask trackerd",
        es: "systemd: enmascarado; primero: sudo systemctl unmask trackerd",
        en: "systemd: masked, so first: sudo systemctl unmask trackerd",
        fr: "systemd : masqué ; d'abord : sudo systemctl unmask trackerd")
    case .listensNowhere:
      Texts(
        ca: "{1}, però ningú no escolta a {2}", es: "{1}, pero nadie escucha en {2}",
        en: "{1}, but nobody listens at {2}", fr: "{1}, mais personne n'écoute à {2}")
    case .systemd:
      Texts(
        ca: "systemd: {1}", es: "systemd: {1}", en: "systemd: {1}", fr: "systemd : {1}")
    case .restarted:
      Texts(
        ca: "engegat de nou {1} cop | engegat de nou {1} cops",
        es: "reiniciado {1} vez | reiniciado {1} veces",
        en: "restarted {1} time | restarted {1} times", fr: "relancé {1} fois | relancé {1} fois")
    }
  }
}

import Wording

/// What is wrong with an organiser's table, and what to do.
enum FleetPhrase: String, Catalogue {
  case notUTF8, openQuote, afterQuote, noRows, unknownColumn, didYouMean, columnTwice, lacksColumn
  case strayCell, control, emptyCell, twin, ownIdentity, secretForm, ownSecrets, noServer

  var texts: Texts {
    switch self {
    case .notUTF8:
      Texts(
        ca: "no és text en UTF-8; al full de càlcul, deseu-lo com a «CSV UTF-8»",
        es: "no es texto en UTF-8; en la hoja de cálculo, guárdelo como «CSV UTF-8»",
        en: "is not text in UTF-8; in the spreadsheet, save it as \"CSV UTF-8\"",
        fr: "n'est pas du texte en UTF-8 ; dans le tableur, enregistrez-le en « CSV UTF-8 »")
    case .openQuote:
      Texts(
        ca: "aquí s'obren unes cometes que no es tanquen; tanqueu-les o traieu-les",
        es: "aquí se abren unas comillas que no se cierran; ciérrelas o quítelas",
        en: "a quotation mark opens here and is never closed; close or remove it",
        fr: "un guillemet s'ouvre ici sans se fermer ; fermez-le ou retirez-le")
    case .afterQuote:
      Texts(
        ca: "hi ha text després d'unes cometes tancades; dobleu les cometes de dins del text",
        es: "hay texto tras unas comillas cerradas; doble las comillas de dentro del texto",
        en: "there is text after a closing quotation mark; double those within the text",
        fr: "il y a du texte après un guillemet fermant ; doublez ceux qui sont dans le texte")
    case .noRows:
      Texts(
        ca:
          "no hi ha cap equip; escriviu una fila de títols (team, number, secret) i una per equip",
        es: "no hay ningún equipo; escriba una fila de títulos (team, number, secret) y una por "
          + "equipo",
        en: "has no team; write a row of names (team, number, secret), and one for each team",
        fr: "n'a aucune équipe ; écrivez une ligne de titres (team, number, secret) et une par "
          + "équipe")
    case .unknownColumn:
      Texts(
        ca: "no és cap columna coneguda; traieu-la, o feu servir {1}",
        es: "no es ninguna columna conocida; quítela, o use {1}",
        en: "is not a known column; remove it, or use {1}",
        fr: "n'est pas une colonne connue ; retirez-la, ou utilisez {1}")
    case .didYouMean:
      Texts(
        ca: "no és cap columna coneguda; volíeu dir «{1}»?",
        es: "no es ninguna columna conocida; ¿quería decir «{1}»?",
        en: "is not a known column; did you mean \"{1}\"?",
        fr: "n'est pas une colonne connue ; vouliez-vous dire « {1} » ?")
    case .columnTwice:
      Texts(
        ca: "diu el mateix que la columna «{1}»; traieu-ne una",
        es: "dice lo mismo que la columna «{1}»; quite una",
        en: "says the same as the column \"{1}\"; remove one",
        fr: "dit la même chose que la colonne « {1} » ; retirez-en une")
    case .lacksColumn:
      Texts(
        ca: "falta la columna {1}; afegiu-la",
        es: "falta la columna {1}; añádala",
        en: "there is no column {1}; add it",
        fr: "il manque la colonne {1} ; ajoutez-la")
    case .strayCell:
      Texts(
        ca: "la cel·la {1} no és de cap columna; doneu un títol a la columna, o buideu-la",
        es: "la celda {1} no es de ninguna columna; dé un título a la columna, o vacíela",
        en: "cell {1} is in no column; give the column a name, or clear the cell",
        fr: "la cellule {1} n'est dans aucune colonne ; donnez un titre à la colonne, ou videz-la")
    case .control:
      Texts(
        ca: "té un salt de línia o un caràcter de control; escriviu-ho en una sola línia",
        es: "tiene un salto de línea o un carácter de control; escríbalo en una sola línea",
        en: "has a line break or a control character; write it on one line",
        fr: "a un saut de ligne ou un caractère de contrôle ; écrivez-le sur une seule ligne")
    case .emptyCell:
      Texts(
        ca: "és buida; ompliu-la, o traieu la columna si ningú no la necessita",
        es: "está vacía; rellénela, o quite la columna si nadie la necesita",
        en: "is empty; fill it in, or remove the column if nobody needs it",
        fr: "est vide ; remplissez-la, ou retirez la colonne si personne n'en a besoin")
    case .twin:
      Texts(
        ca: "«{1}» ja és a la línia {2}; canvieu una de les dues",
        es: "«{1}» ya está en la línea {2}; cambie una de las dos",
        en: "\"{1}\" is on line {2} already; change one of the two",
        fr: "« {1} » est déjà à la ligne {2} ; changez l'une des deux")
    case .ownIdentity:
      Texts(
        ca: "és la identitat d'un sol equip; traieu-la, cada equip se'n fa una",
        es: "es la identidad de un solo equipo; quítela, cada equipo se hace la suya",
        en: "is the identity of one tracker; remove it, each makes its own",
        fr: "est l'identité d'une seule balise ; retirez-la, chacune se fait la sienne")
    case .secretForm:
      Texts(
        ca: "no pot estar en un fitxer de secrets; trieu-ne un sense «, nom =»",
        es: "no puede estar en un fichero de secretos; elija uno sin «, nombre =»",
        en: "cannot stand in a file of secrets; choose one without \", name =\"",
        fr: "ne peut pas être dans un fichier de secrets ; choisissez-en un sans « , nom = »")
    case .ownSecrets:
      Texts(
        ca: "anomena un fitxer que les targetes no tindran; afegiu la columna secret, o traieu-ho",
        es: "nombra un fichero que las tarjetas no tendrán; añada la columna secret, o quítelo",
        en: "names a file that the cards will not have; add the column secret, or remove this",
        fr:
          "nomme un fichier que les cartes n'auront pas ; ajoutez la colonne secret, ou retirez-le"
      )
    case .noServer:
      Texts(
        ca: "no diu a quin servidor; doneu --config FITXER, o afegiu la columna server",
        es: "no dice a qué servidor; dé --config FICHERO, o añada la columna server",
        en: "does not say which server; give --config FILE, or add the column server",
        fr: "ne dit pas quel serveur ; donnez --config FICHIER, ou ajoutez la colonne server")
    }
  }
}

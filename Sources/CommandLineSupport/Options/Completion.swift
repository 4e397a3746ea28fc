import Wording

extension ProgramTable {
  /// A script for bash.
  var completion: String {
    let function = "_" + name.exchanging("-", for: "_")
    let names = commands.filter { !$0.isHidden }.map(\.name)
    var text = """
      # bash completion for \(name)
      \(function)() {
        local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words='' files=''
        local command=''
        [ "$COMP_CWORD" = 1 ] || command=${COMP_WORDS[1]}
        case $command in

      """
    var parts: [(names: [String], part: String)] = []
    for command in commands where !command.isHidden {
      let part = Self.part(command.options + [.help], command.operands, [])
      if let same = parts.firstIndex(where: { $0.part == part }) {
        parts[same].names.append(command.name)
      } else {
        parts.append(([command.name], part))
      }
    }
    parts.append((["*"], Self.part(main.options + Self.common, main.operands, names)))
    for (names, part) in parts { text += "    \(names.joined(separator: " | ")))\n" + part }
    return text + """
        esac
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
        [ -z "$files" ] ||
          mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word")
      }
      complete -o filenames -F \(function) \(name)

      """
  }

  /// What can follow in one command, and what can follow one of its options.
  private static func part(
    _ options: [Option], _ operands: CommandTable.Operands?, _ words: [String]
  ) -> String {
    var first = words
    var files = ""
    switch operands?.value.completion {
    case .words(let words): first += words
    case .files: files = " files=yes"
    case .boards, .nothing, nil: break
    }
    let all = (first + options.map(\.name)).joined(separator: " ")
    var text = "      words='\(all)'\(files)\n      case $before in\n"
    for option in options {
      let result: String? =
        switch option.value?.completion {
        case .files: "words='' files=yes"
        case .words(let words): "words='\(words.joined(separator: " "))' files=''"
        case .boards: "words=$(\(boards)) files=''"
        case .nothing: "return"
        case nil: nil
        }
      let names = ([option.name] + option.aliases).joined(separator: " | ")
      if let result { text += "        \(names)) \(result) ;;\n" }
    }
    return text + "      esac\n      ;;\n"
  }

  private static let boards =
    #"trackerctl boards 2>/dev/null | sed -n 's/^\([^ ]*\)  board .*/\1/p'"#
}

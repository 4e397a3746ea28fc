import Wording

/// Pieces of HTML and SVG.
public enum Markup {
  /// Text from outside, for elements and quoted attributes. Control characters, which HTML does not
  /// allow, become `\u{FFFD}`.
  public static func escaped(_ text: some StringProtocol) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\n", "\t": result.unicodeScalars.append(scalar)
      // The second range: C1 of ECMA-48; the third: overrides of the direction of the text.
      case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}":
        result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// A number with at most two decimals.
  public static func number(_ value: Double, _ decimals: Int = 2) -> String {
    Figure.fixed(value, decimals)
  }

  /// A round distance of marks, so that there are four to ten of them.
  public static func step(to most: Double) -> Double {
    var step = 0.1
    guard most.isFinite else { return step }
    while true {
      for factor in [1.0, 2.0, 5.0] where most / (step * factor) <= 10 { return step * factor }
      step *= 10
    }
  }

  /// An element with escaped text.
  static func element(_ name: String, _ text: String, _ attributes: String = "") -> String {
    "<\(name)\(attributes.isEmpty ? "" : " " + attributes)>\(escaped(text))</\(name)>"
  }

  /// A table that is always open.
  ///
  /// - Parameter rows: texts, not HTML.
  static func openTable(_ head: [String], _ rows: [[String]], id: String = "") -> String {
    let name = id.isEmpty ? "" : " id=\"\(id)\""
    return "<div class=\"wide\"><table class=\"moved\"\(name)><thead><tr>"
      + head.map { element("th", $0, "scope=\"col\"") }.joined()
      + "</tr></thead><tbody>\n"
      + rows.map { "<tr>" + $0.map { element("td", $0) }.joined() + "</tr>\n" }.joined()
      + "</tbody></table></div>"
  }

  /// A table that is a text equivalent: closed until somebody opens it.
  ///
  /// - Parameters:
  ///   - head: the names of the columns.
  ///   - rows: cells that are HTML already, with the row's attributes.
  static func table(
    _ title: String, _ head: [String], _ rows: [(attributes: String, cells: [String])],
    id: String = ""
  ) -> String {
    let name = id.isEmpty ? "" : " id=\"\(id)\""
    var text = "<details\(name)><summary>\(escaped(title))</summary>"
    text += "<div class=\"wide\"><table><thead><tr>"
    for title in head { text += element("th", title, "scope=\"col\"") }
    text += "</tr></thead><tbody>\n"
    for row in rows {
      text += "<tr\(row.attributes)>"
      for cell in row.cells { text += "<td>\(cell)</td>" }
      text += "</tr>\n"
    }
    return text + "</tbody></table></div></details>\n"
  }
}

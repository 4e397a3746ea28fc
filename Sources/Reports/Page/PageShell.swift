import TrackerCore
import Wording

/// The frame of every page: style and script are part of it, and its policy lets a browser load
/// nothing else.
enum PageShell {
  static func html(title: String, language: Language, body: String, script: Bool) -> String {
    """
    <!DOCTYPE html>
    <html lang="\(language.code)">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src \
    'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
    <link rel="icon" href="data:,">
    <title>\(Markup.escaped(title))</title>
    <style>
    \(style)</style>
    </head>
    <body>
    \(body)\(script ? "<script>\n\(self.script)</script>\n" : "")</body>
    </html>

    """
  }

  /// Colours differ in lightness, too, and states also have shapes, for people who see colours
  /// otherwise.
  private static let style = """
    :root{color-scheme:light dark;--bg:#fbfaf7;--card:#fff;--ink:#1d2126;--soft:#5b6470;
    --line:#dcdad3;--sent:#12784a;--wait:#e3a008;--edge:#5c4300;--bad:#b3261e;--sky:#2a6fb0;
    --dusk:#7a4fa3;--hole:#8b8f96;--way:#7d8794}
    @media(prefers-color-scheme:dark){.tiles{filter:brightness(.6)}
    :root{--bg:#14171a;--card:#1d2125;--ink:#e8e6e1;
    --soft:#a3abb5;--line:#363c43;--sent:#45c48a;--wait:#f5c542;--edge:#1d1600;--bad:#ff8a80;
    --sky:#7ab8ee;--dusk:#c3a1e8;--hole:#8d949d;--way:#79828d}}
    *{box-sizing:border-box}
    body{margin:0 auto;max-width:60rem;padding:1.5rem 1rem 3rem;background:var(--bg);
    color:var(--ink);font:16px/1.5 system-ui,sans-serif;font-variant-numeric:tabular-nums}
    h1{font-size:1.7rem;line-height:1.2;margin:0 0 .4rem;overflow-wrap:anywhere}
    h2{font-size:1.15rem;margin:0 0 .6rem}
    h3{font-size:.85rem;margin:0 0 .2rem;font-weight:600}
    h3::first-letter,dt::first-letter,th::first-letter{text-transform:uppercase}
    small,.note,footer,header p{color:var(--soft);font-size:.85rem;font-weight:400}
    header p{margin:.1rem 0;overflow-wrap:anywhere}
    section{background:var(--card);border:1px solid var(--line);border-radius:10px;
    padding:1rem;margin:1rem 0;break-inside:avoid}
    p{margin:.3rem 0}
    .verdict{border-left:6px solid var(--bad)}
    .verdict.good{border-left-color:var(--sent)}
    .lead{font-size:1.15rem;font-weight:600}
    .verdict ul{list-style:none;margin:.5rem 0 0;padding:0}
    .verdict li::before{content:"✗ ";color:var(--bad);font-weight:700}
    .verdict li.good::before{content:"✓ ";color:var(--sent)}
    code{font:.9em ui-monospace,monospace;overflow-wrap:anywhere}
    .key{display:grid;grid-template-columns:repeat(auto-fit,minmax(10rem,1fr));gap:.6rem;margin:0}
    .key div{background:var(--card);border:1px solid var(--line);border-radius:10px;
    padding:.6rem .8rem}
    dt{color:var(--soft);font-size:.8rem}
    dd{margin:0}
    svg{display:block}
    svg text{font:13px system-ui,sans-serif;fill:var(--ink);paint-order:stroke;
    stroke:var(--card);stroke-width:4px;stroke-linejoin:round}
    .map{position:relative}
    .map svg{width:100%;height:auto;touch-action:manipulation;border-radius:6px}
    #map:focus-visible,input:focus-visible,summary:focus-visible{outline:3px solid var(--sky);
    outline-offset:2px}
    .way{fill:none;stroke:var(--way);stroke-width:2;stroke-linejoin:round}
    .line{fill:none;stroke:var(--sky);stroke-width:9;stroke-linejoin:round;opacity:.35}
    .case .way{stroke:var(--ink);stroke-width:5}
    :where(.v,.y) path{fill:none;stroke:currentColor;stroke-width:3;
    stroke-linejoin:round;stroke-linecap:round}
    .k0{color:#440154}.k1{color:#46327e}.k2{color:#365c8d}.k3{color:#277f8e}
    .k4{color:#1fa187}.k5{color:#4ac16d}.k6{color:#a0da39}.k7{color:#fde725}
    .y{display:none}:root:has(#by-altitude:checked) .v{display:none}
    :root:has(#by-altitude:checked) g.y{display:inline}
    :root:has(#by-altitude:checked) .ramp.y{display:flex}
    .by{border:0;margin:.4rem 0;padding:0;font-size:.85rem;min-width:0}
    .by legend{float:left;padding:0 1rem 0 0}.by label{margin-right:1rem}
    .ramp.v{display:flex}.ramp{margin:.3rem 0;padding-right:3rem;max-width:36rem;line-height:1.3}
    .ramp em{font-style:normal;padding-right:.8rem}
    .ramp span{flex:1;position:relative}
    .ramp i{display:block;height:.8rem;background:currentColor;outline:1px solid var(--soft)}
    .ramp b{position:absolute;right:0;bottom:0;font-weight:400;transform:translateX(100%);
    padding-left:.3rem}
    .at{fill:var(--dusk);fill-opacity:.15;stroke:var(--dusk);stroke-width:1.5}
    .tiles{opacity:.85}
    .hole{fill:none;stroke:var(--hole);stroke-width:18;stroke-linejoin:round;
    stroke-linecap:round;opacity:.45}
    .cp{fill:var(--dusk);stroke:var(--dusk);stroke-width:1.5}
    .end{fill:none;stroke:var(--ink);stroke-width:2}
    .band{fill:var(--sky);opacity:.25}
    .scale path{fill:none;stroke:var(--ink);stroke-width:1.5}
    use{stroke:var(--card);stroke-width:1;cursor:pointer}
    use[href="#s"]{fill:var(--sent)}
    use[href="#p"]{fill:var(--wait);stroke:var(--edge)}
    use[href="#x"]{fill:none;stroke:var(--bad);stroke-width:2}
    use.later{opacity:0}use.later.on{opacity:.6}
    use.d{opacity:0}use.d.on{opacity:1}
    use.on{stroke:var(--ink);stroke-width:2;transform:scale(1.9)}
    #shown{min-height:3.2em;font-size:.9rem;padding:.4rem 0}
    #shown dl{display:flex;flex-wrap:wrap;gap:.1rem 1.2rem;margin:0}
    #when{display:block;font-size:.9rem}
    #when[hidden]{display:none}
    #when input{width:100%;accent-color:var(--sky)}
    .legend{list-style:none;display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;margin:.4rem 0 0;
    padding:0;font-size:.85rem}
    .legend~h3{margin-top:.8rem}
    .legend li{display:flex;align-items:center;gap:.3rem}
    .sign{width:20px;height:20px}
    .lanes{position:relative;padding-bottom:1.6rem}
    .grid{position:absolute;inset:0 0 1.4rem}
    .grid i,.grid b{position:absolute;top:0;bottom:0;width:1px;background:var(--line)}
    .grid b{width:2px;background:var(--ink);z-index:2}
    .lane{position:relative;margin:0 0 .9rem}
    .plot{position:relative;height:1.5rem;border-bottom:1px solid var(--line);
    background:color-mix(in srgb,var(--line) 22%,transparent)}
    .plot.tall{height:5.5rem}
    .plot svg{position:absolute;inset:0;width:100%;height:100%;overflow:visible}
    :where(.plot) path{fill:none;stroke-width:1.5;vector-effect:non-scaling-stroke}
    .plot .area{stroke:none;opacity:.25}
    .plot .m{stroke:var(--dusk)}.plot .m.area{fill:var(--dusk)}
    .m0,.m1,.m2,.m3{fill:var(--dusk)}.m0{opacity:.25}.m1{opacity:.45}.m2{opacity:.7}
    .q0,.q1{fill:var(--wait)}.q1{opacity:.4}
    .plot .q{stroke:var(--wait)}.plot .q.area{fill:var(--wait);opacity:.35}
    .plot .e{stroke:var(--sky)}.plot .e.area{fill:var(--sky)}
    .plot em{position:absolute;left:0;right:0;border-top:1px dotted var(--line);font:.7rem/1 \
    system-ui,sans-serif;color:var(--soft);pointer-events:none}
    .plot em span{display:inline-block;padding:1px 4px 2px 2px;border-radius:0 0 4px 0;
    background:color-mix(in srgb,var(--card) 80%,transparent)}
    .b{position:absolute;top:1px;bottom:1px;font-size:.75rem;line-height:1.4rem;padding:0 .2em;
    overflow:hidden;white-space:nowrap;text-overflow:ellipsis;border-radius:2px;min-width:2px;
    background:var(--bad);color:var(--card);border-right:1px solid var(--card)}
    .b.t{background:var(--sky)}
    .b.h{background:repeating-linear-gradient(135deg,var(--hole) 0 3px,transparent 3px 6px);
    color:var(--ink)}
    .axis{position:absolute;left:0;right:0;bottom:0;height:1.4rem;font-size:.75rem}
    .axis span{position:absolute;transform:translateX(-50%);white-space:nowrap;color:var(--soft)}
    .axis .l{transform:none}
    .axis .r{transform:translateX(-100%)}
    .axis .day{font-weight:700;color:var(--ink)}
    table{border-collapse:collapse;font-size:.9rem}
    th,td{text-align:left;padding:.15rem .8rem .15rem 0;vertical-align:top}
    th{font-weight:400;color:var(--soft)}
    tbody tr{border-top:1px solid var(--line)}
    .wide{overflow-x:auto}
    .bars{width:100%}
    .bars td,.bars th{white-space:nowrap}
    .bars td:not(.bar),.bars thead th:not(:first-child){text-align:right;padding:.15rem 0 .15rem \
    .6rem}
    .bars .bar{width:60%;padding:.3rem 0}
    .bar span{display:inline-block;height:1em;vertical-align:middle;border-radius:0 3px 3px 0;
    background:var(--sent)}
    .bar .e{background:var(--sky)}.bar .q{background:var(--wait)}
    summary{cursor:pointer;padding:.3rem 0;font-size:.9rem}
    details+details{margin-top:.2rem}
    pre{overflow-x:auto;font-size:.8rem}
    .moved td{padding-right:1.2rem}.moved td:first-child code{overflow-wrap:normal}
    .key~svg{margin-top:.8rem}
    @media(max-width:600px){body{padding:1rem .6rem 2rem}section{padding:.8rem}
    svg text{font-size:25px}.map use{transform:scale(1.7)}.map use.on{transform:scale(3)}
    use.n,svg .o{opacity:0}use.n.on{opacity:1}
    .way{stroke-width:4}.case .way{stroke-width:9}.v path,.y path{stroke-width:6}
    .hole{stroke-width:30}.plot path{stroke-width:1}.axis .o{display:none}
    .ramp{flex-wrap:wrap}.ramp em{flex-basis:100%}
    .wide table{font-size:.75rem}.wide td,.wide th{padding-right:.5rem}
    #places td:nth-child(n+3):not(:last-child){min-width:5rem}
    .bars .bar{width:30%}h1{font-size:1.35rem}}
    @media print{:root{--bg:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#bbb;--sent:#12784a;
    --wait:#e3a008;--edge:#5c4300;--bad:#b3261e;--sky:#2a6fb0;--dusk:#7a4fa3;--hole:#777;
    --way:#666;color-scheme:light}
    *{print-color-adjust:exact;-webkit-print-color-adjust:exact}
    body{max-width:none;padding:0;font-size:10.5pt}#when,#shown,
    .by legend,.by label,details:not([open]){display:none}
    .map svg{max-height:9cm}
    .key{grid-template-columns:repeat(5,1fr)}section{margin:.5rem 0;padding:.6rem}}
    @media(prefers-reduced-motion:no-preference){use{transition:opacity .15s}}

    """

  /// Shows the capture that somebody points at, taps or goes to by the keyboard, and the map as it
  /// was. Each capture's text comes from its row in the table.
  private static let script = """
    (()=>{"use strict";
    const all=s=>[...document.querySelectorAll(s)],one=s=>document.querySelector(s);
    const marks=all("#map use[data-i]").sort((a,b)=>a.dataset.i-b.dataset.i),
    rows=all("#captures tbody tr"),map=one("#map");
    if(!map||!marks.length)return;
    const names=all("#captures th").map(h=>h.textContent),box=one("#shown"),cursor=one("#cursor");
    let at=-1;
    const show=i=>{if(i<0||i>=marks.length)return;
    if(at>=0)marks[at].classList.remove("on");
    at=i;marks[i].classList.add("on");
    const list=document.createElement("dl");
    [...rows[i].cells].forEach((c,k)=>{const d=document.createElement("div"),
    t=document.createElement("dt"),v=document.createElement("dd");
    t.textContent=names[k];v.textContent=c.textContent;d.append(t,v);list.append(d)});
    box.replaceChildren(list);
    cursor.hidden=false;cursor.style.left=rows[i].dataset.t+"%"};
    const near=e=>{const u=e.target.closest&&e.target.closest("use[data-i]");
    if(u)return +u.dataset.i;
    const p=new DOMPoint(e.clientX,e.clientY);let best=-1,far=28*28;
    marks.forEach((m,i)=>{const r=m.getBoundingClientRect(),x=r.x+r.width/2-p.x,
    y=r.y+r.height/2-p.y,d=x*x+y*y;if(d<far){far=d;best=i}});return best};
    map.addEventListener("pointermove",e=>show(near(e)));
    map.addEventListener("click",e=>show(near(e)));
    map.addEventListener("focus",()=>{if(at<0)show(0)});
    map.addEventListener("keydown",e=>{const go={ArrowRight:at+1,ArrowDown:at+1,ArrowLeft:at-1,
    ArrowUp:at-1,Home:0,End:marks.length-1}[e.key];
    if(go===undefined)return;e.preventDefault();
    show(Math.max(0,Math.min(marks.length-1,go)))});
    const when=one("#when");if(!when)return;
    const input=when.querySelector("input"),out=when.querySelector("output");
    const two=n=>String(n).padStart(2,"0");
    const move=()=>{const t=+input.value,ms=t/100*input.dataset.end;
    if(input.dataset.base!==undefined){const d=new Date(+input.dataset.base+ms);
    out.textContent=isNaN(d)?"":d.toISOString().slice(0,16).replace("T"," ")}
    else{const s=Math.floor(ms/1000);
    out.textContent=Math.floor(s/3600)+":"+two(Math.floor(s/60)%60)}
    marks.forEach((m,i)=>{const r=rows[i].dataset;
    m.classList.toggle("later",+r.t>t);
    m.setAttribute("href",r.d!==undefined&&+r.d<=t?"#s":r.s!==undefined&&t>=100?"#x":"#p")})};
    input.addEventListener("input",()=>{move();cursor.hidden=false;
    cursor.style.left=input.value+"%"});
    when.hidden=false;move()})();

    """
}

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
  static func number(_ value: Double, _ decimals: Int = 2) -> String {
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

/// Classes of a value and their colours.
///
/// The colours are eight of viridis (S. van der Walt, N. Smith, matplotlib 2015; CC0): equal steps
/// look equal, also to people with any of the usual colour blindnesses, and in print without
/// colours, because lightness grows with the value.
struct ColourScale {
  static let palette = [
    "#440154", "#46327e", "#365c8d", "#277f8e", "#1fa187", "#4ac16d", "#a0da39", "#fde725",
  ]

  let low: Double
  let step: Double
  /// 1...8.
  let count: Int
  /// Whether there may be values beyond the last class.
  let isOpen: Bool

  /// From the lowest value, or from 0, to the highest; `nil`: there is no value.
  ///
  /// - Parameter isSpeed: then one of twenty values may be beyond, as in a lift or a car.
  init?(_ values: [Double], isSpeed: Bool) {
    let sorted = values.sorted()
    guard let first = sorted.first, let last = sorted.last else { return nil }
    let lowest = isSpeed ? 0 : first
    let highest = isSpeed ? sorted[(sorted.count - 1) * 19 / 20] : last
    // `Markup.step` makes ten; its smallest is too fine here.
    step = max(isSpeed ? 0.5 : 10, Markup.step(to: (highest - lowest) * 10 / 8))
    low = (lowest / step).rounded(.down) * step
    let most = Double(Self.palette.count)
    count = Int(min(most, max(1, ((highest - low) / step).rounded(.up))))
    isOpen = last > low + Double(count) * step
  }

  func index(_ value: Double) -> Int {
    Int(min(Double(count - 1), max(0, ((value - low) / step).rounded(.down))))
  }

  /// The colours are spread over the classes, from the darkest to the lightest.
  func colour(_ index: Int) -> Int {
    count == 1 ? 3 : index * (Self.palette.count - 1) / (count - 1)
  }

  /// The classes with their limits.
  ///
  /// - Parameter kind: the class of what is to be shown with it.
  func legend(_ title: String, kind: String, in language: Language) -> String {
    func limit(_ index: Int) -> String {
      Quantity.decimal(low + Double(index) * step, step < 1 ? 1 : 0, in: language)
    }
    let end = limit(count) + (isOpen ? "+" : "")
    let label = "\(title)\(language.colon)\(limit(0)) – \(end)"
    let boxes = (0..<count).map { index in
      "<span><i class=\"k\(colour(index))\"></i>\(limit(index))"
        + (index == count - 1 ? "<b>\(end)</b>" : "") + "</span>"
    }
    return "<div class=\"ramp \(kind)\" role=\"img\" aria-label=\"\(Markup.escaped(label))\">"
      + Markup.element("em", title) + boxes.joined() + "</div>"
  }
}

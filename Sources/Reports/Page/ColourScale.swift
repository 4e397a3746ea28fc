import TrackerCore
import Wording

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

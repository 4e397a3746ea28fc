/// `1 capture`, `2 captures`.
public func counted(_ count: some BinaryInteger, _ noun: String) -> String {
  count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
}

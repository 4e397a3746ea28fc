import Foundation
import Testing
import Wording

@Suite struct Base64Tests {
  @Test func `It is as Foundation writes it`() {
    var bytes: [UInt8] = []
    for length in 0..<200 {
      #expect(
        Base64.text(of: bytes) == Data(bytes).base64EncodedString(),
        "\(bytes); repeat with: swift test --filter Base64Tests")
      bytes.append(UInt8(truncatingIfNeeded: length &* 167 &+ 91))
    }
  }
}

import Testing

@testable import Basecamp

/// What of a followed layer counts as deleted.
@Suite struct GoneCapturesTests {
  private let known: [Int64] = Array(1...10)

  @Test func `What two looks in turn miss between others is gone`() {
    var gone = GoneCaptures()
    #expect(gone.judge(known, [1, 2, 4, 5, 6, 7, 8, 9, 10]) == .gone([]))
    #expect(gone.judge(known, [1, 2, 4, 5, 6, 8, 9, 10]) == .gone([3]))
    #expect(gone.judge(known, Set(known)) == .gone([]))
    #expect(gone.judge(known, [1, 2, 3, 4, 5, 6, 8, 9, 10]) == .gone([]))
  }

  @Test(arguments: [[], [1, 2, 3], [8, 9, 10], [5]] as [Set<Int64>])
  func `A layer that shows nothing, or only its first or last captures, has deleted nothing`(
    _ present: Set<Int64>
  ) {
    var gone = GoneCaptures()
    for _ in 0..<3 { #expect(gone.judge(known, present) == .gone([])) }
  }

  @Test func `That most are gone is not believed`() {
    var gone = GoneCaptures()
    for _ in 0..<3 { #expect(gone.judge(known, [1, 3, 5, 10]) == .tooMany(6, of: 10)) }
    #expect(gone.judge(known, [1, 3, 5, 7, 10]) == .gone([]))
    #expect(gone.judge(known, [1, 3, 5, 7, 10]) == .gone([2, 4, 6, 8, 9]))
    // Nor does such a look say anything of the one before it.
    #expect(gone.judge(known, [1, 3, 5, 10]) == .tooMany(6, of: 10))
    #expect(gone.judge(known, [1, 3, 5, 7, 10]) == .gone([]))
  }

  @Test func `Of another layer a look before says nothing`() {
    var gone = GoneCaptures()
    #expect(gone.judge(known, [1, 2, 4, 5, 6, 7, 8, 9, 10]) == .gone([]))
    gone.forget()
    #expect(gone.judge(known, [1, 2, 4, 5, 6, 7, 8, 9, 10]) == .gone([]))
  }
}

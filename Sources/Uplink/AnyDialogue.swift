public import TrackerCore

/// A type-erased dialogue, for programs that choose the dialogue by their settings.
public struct AnyDialogue: UplinkDialogue {
  private var base: any UplinkDialogue

  public init(_ base: some UplinkDialogue) { self.base = base }

  public var canReconcile: Bool { base.canReconcile }
  public var mayRepeat: Bool { base.mayRepeat }
  public var sendsMarks: Bool { base.sendsMarks }

  public mutating func begin(_ work: UplinkTask, at now: UTC) -> UplinkStep {
    base.begin(work, at: now)
  }

  public mutating func receive(_ reply: HTTPReply, at now: UTC) -> UplinkStep {
    base.receive(reply, at: now)
  }
}

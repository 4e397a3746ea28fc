public import TrackerCore

/// Any dialogue, for a program whose settings choose which.
public struct AnyDialogue: UplinkDialogue {
  private var base: any UplinkDialogue

  public init(_ base: some UplinkDialogue) { self.base = base }

  public var canReconcile: Bool { base.canReconcile }
  public var mayRepeat: Bool { base.mayRepeat }

  public mutating func begin(_ work: UplinkTask, at now: UTC) -> UplinkStep {
    base.begin(work, at: now)
  }

  public mutating func receive(_ reply: HTTPReply, at now: UTC) -> UplinkStep {
    base.receive(reply, at: now)
  }
}

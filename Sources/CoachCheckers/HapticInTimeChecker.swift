package import Link

/// `haptic-in-time`: a haptic cue comes in time for the line it accompanies.
package struct HapticInTimeChecker: Checker {
  package static let invariant = "haptic-in-time"
  package static let about =
    "The watch taps for a spoken line at most once, within 10 seconds of its dispatch by the watch's estimate."

  /// The time within which a cue is useful.
  private static let life = VirtualTime.Span.seconds(10)
  /// The number of remembered dispatches; older ones are not judged.
  private static let dispatchesMax = 256

  private struct Dispatch {
    let message: String
    let time: VirtualTime
    let line: Int
    var isFelt = false
  }

  private var age = CommandAge()
  private var dispatches: [Dispatch] = []

  package init(header: TraceHeader) {}

  package mutating func frameSent(_ frame: FrameSent, at event: Occurrence, into report: inout Report) {
    age.observe(frame, at: event)
  }

  package mutating func frameDelivered(_ frame: FrameDelivered, at event: Occurrence, into report: inout Report) {
    age.observe(frame, at: event)
  }

  package mutating func faultBegin(_ fault: FaultBegan, at event: Occurrence, into report: inout Report) {
    age.observe(fault)
  }

  package mutating func scriptDispatch(_ dispatch: ScriptDispatched, at event: Occurrence, into report: inout Report) {
    if dispatches.count == Self.dispatchesMax { dispatches.removeFirst() }
    dispatches.append(Dispatch(message: dispatch.rank.message, time: event.time, line: event.line))
  }

  package mutating func haptic(_ haptic: HapticPlayed, at event: Occurrence, into report: inout Report) {
    guard let message = haptic.message else { return }
    guard !age.isUnknown, let latest = dispatches.last(where: { $0.message == message }) else { return }
    let most = age.limit(for: Self.life)
    let fitting = dispatches.lastIndex { $0.message == message && !$0.isFelt && event.time - $0.time <= most }
    if let fitting {
      dispatches[fitting].isFelt = true
      return
    }
    let why = event.time - latest.time <= most ? "again" : "\((event.time - latest.time).text) after its dispatch"
    report.add("the watch tapped for \"\(message)\" \(why)", at: event.time, lines: [latest.line, event.line])
  }
}

package import Link

/// `context-converges`: in the end each side holds the other's latest application context.
package struct ContextConvergesChecker: Checker {
  package static let invariant = "context-converges"
  package static let about =
    "After the faults have healed, the last received application context is the last one set, unless its receiver is down."

  private struct Latest {
    var digest: EventDigest
    var time: VirtualTime
    var line: Int
  }

  private var set: [TraceEvent.Place: Latest] = [:]
  private var received: [TraceEvent.Place: Latest] = [:]
  private var nodes = NodeStates()
  private var isHealed = false
  /// Whether the scenario has a link: without one, nothing can heal or arrive.
  private let hasLink: Bool

  package init(header: TraceHeader) { hasLink = header.hasLink }

  package mutating func healed(_: FaultsHealed, at event: Occurrence, into report: inout Report) {
    isHealed = true
  }

  package mutating func contextSet(_ context: ContextSet, at event: Occurrence, into report: inout Report) {
    set[event.place] = Latest(digest: context.digest, time: event.time, line: event.line)
  }

  package mutating func contextReceived(_ context: ContextReceived, at event: Occurrence, into report: inout Report) {
    received[event.place] = Latest(digest: context.digest, time: event.time, line: event.line)
  }

  package mutating func nodeChanged(_ change: NodeChange, at event: Occurrence, into report: inout Report) {
    nodes.observe(change)
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    guard ending.isComplete, isHealed, hasLink else { return }
    for (sender, receiver) in [(TraceEvent.Place.watch, TraceEvent.Place.phone), (.phone, .watch)] {
      guard let latest = set[sender], nodes.isUp(receiver), nodes.isUp(sender) else { continue }
      guard let held = received[receiver] else {
        report.add(
          "the \(receiver.text) never received the \(sender.text)'s context", at: latest.time, lines: [latest.line])
        continue
      }
      guard held.digest != latest.digest else { continue }
      report.add(
        "the \(receiver.text) holds another context than the \(sender.text) set last", at: held.time,
        lines: [latest.line, held.line])
    }
  }
}

import Console
import Link

/// What can be said about an event that never happened in a run of apps: what they recorded, and the fate of what was
/// sent to them.
enum AppRemarks {
  /// A remark; with a line, a text that comes before that line's sentence.
  struct Remark {
    var text: String
    var line = 0
  }

  /// How many lost items are listed.
  private static let lostMax = 3

  /// Whether both devices were apps, so that nothing in the trace is a coach's.
  static func areApps(_ header: TraceHeader) -> Bool {
    [NodeRole.watch, .phone].allSatisfy { ProgramsHeader.isApp($0, in: header) }
  }

  /// Whether an event is one of the link's or the devices', whatever runs on them.
  static func isOfLink(_ name: String) -> Bool {
    ["frame.", "message.", "transfer.", "context.", "link.", "node.", "fault.", "app."].contains {
      name.hasPrefix($0)
    }
  }

  /// The remarks; none unless both devices were apps.
  static func about(_ name: String, in trace: RecordedTrace) -> [Remark] {
    guard areApps(trace.header) else { return [] }
    var remarks: [Remark] = []
    if !isOfLink(name), name != "reachability" {
      remarks.append(Remark(text: "it is an event of the built-in watch and phone; both devices were apps here"))
    }
    var counts: [String: Int] = [:]
    let reserved = Set(AppFact.reserved.map { AppFact.family + $0 })
    for event in trace.events {
      let name = event.name.text
      if name.hasPrefix(AppFact.family), !reserved.contains(name) { counts[name, default: 0] += 1 }
    }
    let facts = counts.sorted { $0.key < $1.key }.map { "\(TerminalText.escape($0.key)) (\($0.value))" }
    remarks.append(
      Remark(text: facts.isEmpty ? "the apps recorded nothing" : "what the apps recorded: \(StoryText.list(facts))"))
    return remarks + fates(in: trace)
  }

  /// The last that reached each app, and the first of what did not.
  private static func fates(in trace: RecordedTrace) -> [Remark] {
    var last: [TraceEvent.Place: Int] = [:]
    var lost: [Int] = []
    var open: [Identifier: Int] = [:]
    for (index, event) in trace.events.enumerated() {
      let line = trace.line(of: index)
      switch event.body {
      case .messageReceived, .contextReceived: last[event.place] = line
      case .transferDelivered(let transfer):
        last[event.place] = line
        open[transfer.identity.transfer] = nil
      case .transferQueued(let transfer): open[transfer.identity.transfer] = line
      case .messageFailed, .messageRefused, .transferFailed: lost.append(line)
      default: break
      }
    }
    lost = (lost + open.values).sorted()
    let missing = lost.prefix(lostMax).map { line in
      Remark(text: open.values.contains(line) ? "never delivered: " : "it failed: ", line: line)
    }
    return last.values.sorted().map { Remark(text: "the last that arrived there: ", line: $0) } + missing
  }
}

import Console
import Link

/// Why a phone received no snapshots, from the cuts, crashes and faults of a trace.
struct Deafness {
  private struct Stretch {
    var what: String
    var from: VirtualTime
    var to: VirtualTime
    var line: Int
    /// Lower explains more.
    var rank: Int
  }

  private var stretches: [Stretch] = []
  private var open: [String: Int] = [:]
  private var publications: [VirtualTime] = []
  private let words: FaultWords

  init(_ header: TraceHeader) { words = FaultWords(header.faults) }

  /// Observes the next event, which is on line `line` of the trace.
  mutating func observe(_ event: TraceEvent, line: Int) {
    let target = event.text("target").map { TerminalText.escape($0) } ?? ""
    switch event.name.text {
    case "link.down" where event.place == .link: begin("link", "the link was cut", 0, event, line)
    case "link.up" where event.place == .link: end("link", event)
    case "node.killed", "node.failed": begin("down \(target)", "the \(target)'s app was down", 1, event, line)
    case "node.started": end("down \(target)", event)
    case "node.suspended": begin("asleep \(target)", "the \(target)'s app was suspended", 2, event, line)
    case "node.resumed": end("asleep \(target)", event)
    case "fault.begin" where event.place != .uplink:
      let id = event.text("fault") ?? ""
      let kind = event.text("kind") ?? ""
      let name = words.name(id, kind: kind).map { " (\($0))" } ?? ""
      begin("fault \(id)", "\(TerminalText.escape(kind))\(name) was on", 3, event, line)
    case "fault.end": end("fault \(event.text("fault") ?? "")", event)
    case "snapshot", "ghost.snapshot": publications.append(event.time)
    default: break
    }
  }

  private mutating func begin(_ key: String, _ what: String, _ rank: Int, _ event: TraceEvent, _ line: Int) {
    guard open[key] == nil else { return }
    open[key] = stretches.count
    stretches.append(Stretch(what: what, from: event.time, to: .distantFuture, line: line, rank: rank))
  }

  private mutating func end(_ key: String, _ event: TraceEvent) {
    if let index = open.removeValue(forKey: key) { stretches[index].to = event.time }
  }

  /// What explains that nothing arrived between two instants, with the line that shows it; nil if nothing does.
  func reason(from: VirtualTime, to: VirtualTime) -> (text: String, line: Int)? {
    let meeting = stretches.filter { $0.from < to && $0.to > from }
    guard let best = meeting.min(by: { ($0.rank, $0.from) < ($1.rank, $1.from) }) else {
      let wasSilent = !publications.contains { $0 > from && $0 < to }
      return wasSilent ? ("the watch published nothing", 0) : nil
    }
    return ("\(best.what) from \(best.from.text)", best.line)
  }
}

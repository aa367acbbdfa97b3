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
    let time = event.time
    switch event.body {
    case .linkDown where event.place == .link: begin("link", "the link was cut", 0, time, line)
    case .linkUp where event.place == .link: end("link", time)
    case .nodeKilled(let node): lose(node.target, time, line)
    case .nodeFailed(let node): lose(node.target, time, line)
    case .nodeStarted(let node): end("down \(node.target.text)", time)
    case .nodeSuspended(let node):
      let target = node.target.text
      begin("asleep \(target)", "the \(target)'s app was suspended", 2, time, line)
    case .nodeResumed(let node): end("asleep \(node.target.text)", time)
    case .faultBegin(let fault) where event.place != .uplink:
      let name = words.name(fault.fault, kind: fault.kind).map { " (\($0))" } ?? ""
      begin("fault \(fault.fault)", "\(TerminalText.escape(fault.kind))\(name) was on", 3, time, line)
    case .faultEnd(let fault): end("fault \(fault.fault)", time)
    case .snapshot, .ghostSnapshot: publications.append(time)
    default: break
    }
  }

  private mutating func lose(_ node: NodeRole, _ time: VirtualTime, _ line: Int) {
    begin("down \(node.text)", "the \(node.text)'s app was down", 1, time, line)
  }

  private mutating func begin(_ key: String, _ what: String, _ rank: Int, _ time: VirtualTime, _ line: Int) {
    guard open[key] == nil else { return }
    open[key] = stretches.count
    stretches.append(Stretch(what: what, from: time, to: .distantFuture, line: line, rank: rank))
  }

  private mutating func end(_ key: String, _ time: VirtualTime) {
    if let index = open.removeValue(forKey: key) { stretches[index].to = time }
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

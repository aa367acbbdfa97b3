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
    return remarks + fates(of: name, in: trace)
  }

  /// A message by its sender and number.
  private struct Message: Hashable {
    var from: TraceEvent.Place
    var epoch: Int64
    var seq: Int64
  }

  /// What was sent and did not arrive.
  private struct Missing {
    var line: Int
    var kind: String?
    var text: String
  }

  /// The last that reached each app, and what did not: first what has a name like that of the missing event.
  private static func fates(of name: String, in trace: RecordedTrace) -> [Remark] {
    var last: [TraceEvent.Place: Int] = [:]
    var failed: [Missing] = []
    var open: [Identifier: Missing] = [:]
    var sent: [Message: Missing] = [:]
    for (index, event) in trace.events.enumerated() {
      let line = trace.line(of: index)
      switch event.body {
      case .messageReceived(let message):
        last[event.place] = line
        sent[Message(from: message.from.place, epoch: message.epoch, seq: message.seq)] = nil
      case .contextReceived: last[event.place] = line
      case .transferDelivered(let transfer):
        last[event.place] = line
        open[transfer.identity.transfer] = nil
      case .transferQueued(let transfer):
        open[transfer.identity.transfer] = Missing(
          line: line, kind: transfer.details.kind, text: "never delivered: ")
      case .messageFailed(let message):
        sent[Message(from: event.place, epoch: message.epoch, seq: message.seq)] = nil
        failed.append(Missing(line: line, kind: message.kind, text: "it failed: "))
      case .messageRefused(let message):
        failed.append(Missing(line: line, kind: message.kind, text: "it failed: "))
      case .transferFailed(let transfer):
        failed.append(Missing(line: line, kind: transfer.kind, text: "it failed: "))
      case .other(let other):
        guard let message = other.kind as? MessageSent else { continue }
        sent[Message(from: event.place, epoch: message.epoch, seq: message.seq)] = Missing(
          line: line, kind: message.kind, text: "it never arrived: ")
      default: break
      }
    }
    let missing = (failed + open.values + sent.values).sorted { left, right in
      let (isLeft, isRight) = (isRelated(left.kind, to: name), isRelated(right.kind, to: name))
      return isLeft == isRight ? left.line < right.line : isLeft
    }
    return last.values.sorted().map { Remark(text: "the last that arrived there: ", line: $0) }
      + missing.prefix(lostMax).map { Remark(text: $0.text, line: $0.line) }
  }

  /// Whether a message's name is like a fact's: `stop` and `app.stopped`.
  private static func isRelated(_ kind: String?, to name: String) -> Bool {
    guard let kind = kind?.lowercased(), kind.count > 2 else { return false }
    let fact = (name.split(separator: ".").last ?? "").lowercased()
    return fact.contains(kind) || kind.contains(fact)
  }
}

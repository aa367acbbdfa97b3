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

/// What reached apps at the present instant: each of it may be why an app does something.
///
/// A trace does not say which callback made an app act, so all that came at the instant are candidates.
struct AppArrivals {
  private let apps: Set<TraceEvent.Place>
  private var now = VirtualTime.start
  private var arrivals: [(line: Int, place: TraceEvent.Place)] = []

  init(_ header: TraceHeader) {
    apps = Set([NodeRole.watch, .phone].filter { ProgramsHeader.isApp($0, in: header) }.map(\.place))
  }

  /// Observes the next event, which is on line `line` of the trace.
  mutating func observe(_ event: TraceEvent, line: Int) {
    if event.time != now {
      now = event.time
      arrivals.removeAll(keepingCapacity: true)
    }
    guard apps.contains(event.place), Self.isArrival(event) else { return }
    arrivals.append((line, event.place))
  }

  /// The candidates for what an app did, the last first: none where nothing came at this instant, as for a timer.
  ///
  /// - Returns: Nil for what is no app's decision.
  func candidates(for event: TraceEvent) -> [Int]? {
    guard apps.contains(event.place), Self.isDeed(event) else { return nil }
    guard event.time == now else { return [] }
    return arrivals.reversed().filter { $0.place == event.place }.map(\.line)
  }

  /// Whether an app hears of it: a callback, or its user's act.
  private static func isArrival(_ event: TraceEvent) -> Bool {
    switch event.body {
    case .messageReceived, .messageFailed, .messageRefused, .contextReceived, .reachability, .transferDelivered,
      .transferFinished, .transferFailed:
      true
    default: event.name.text == AppActTaken.name.text
    }
  }

  /// Whether an app decides on it.
  private static func isDeed(_ event: TraceEvent) -> Bool {
    switch event.body {
    case .frameSent(let frame): frame.kind == .data && frame.transfer == nil && frame.attempt == nil
    case .transferQueued, .contextSet, .messageRefused: true
    // What it records about itself.
    case .foreign: event.name.text.hasPrefix(AppFact.family) && event.name.text != AppActTaken.name.text
    default: false
    }
  }
}

import Console
import Link

/// The numbers at the end of a story.
package enum StorySummary {
  /// The rows of a summary: a heading and a text.
  package static func rows(_ tally: StoryTally) -> [(head: String, text: String)] {
    // An app that plays the phone is no coach, and does not report snapshots.
    if tally.hasAppAsPhone {
      return [
        ("radio", radio(tally)), ("messages", messages(tally)), ("queue", queue(tally)), ("apps", apps(tally)),
        ("facts", facts(tally)),
      ]
    }
    var rows = [
      ("radio", radio(tally)), ("metrics", metrics(tally)), ("silence", silence(tally)), ("coach", coach(tally)),
      ("queue", queue(tally)),
    ]
    if !tally.sessions.isEmpty {
      let words = tally.sessions.map { StoryText.count($0.count, $0.cause) }
      rows.append(("sessions", "\(StoryText.list(words)) stored"))
    }
    if tally.staged > 0 {
      var text = "\(StoryText.count(tally.staged, "row")) of Apple's data"
      if tally.changed > 0 { text += ", \(StoryText.count(tally.changed)) changed later" }
      if tally.unreadable > 0 { text += ", \(StoryText.count(tally.unreadable)) not readable at first" }
      if tally.purged > 0 { text += ", \(StoryText.count(tally.purged)) deleted once parsed" }
      rows.append(("ingested", text))
    }
    if tally.syncs > 0 {
      let writes = StoryText.count(tally.serverWrites, "write")
      rows.append(
        (
          "days",
          "\(StoryText.count(tally.meals, "meal")), \(StoryText.count(tally.syncs, "sync")), \(writes) on the server"
        ))
    }
    let troubles = tally.troubles.reduce(0) { $0 + $1.count }
    if troubles > 0 {
      rows.append(("sends", "\(StoryText.count(troubles)) refused or failed: \(list(tally.troubles))"))
    }
    if tally.hasAppAsWatch { rows += [("apps", apps(tally)), ("facts", facts(tally))] }
    return rows
  }

  /// The rows as lines of text.
  package static func text(_ rows: [(head: String, text: String)], isColored: Bool = false, columns: Int = 100)
    -> String
  {
    let width = 10
    return rows.map { row in
      let head = row.head + String(repeating: " ", count: max(1, width - row.head.count))
      let body = wrap(TerminalText.escape(row.text), to: columns - width - 2).joined(
        separator: "\n" + String(repeating: " ", count: width + 2))
      return "  " + Terminal.styled(head, .dim, when: isColored) + body
    }.joined(separator: "\n")
  }

  private static func radio(_ tally: StoryTally) -> String {
    var text = "\(StoryText.count(tally.sent, "packet")) sent, \(StoryText.count(tally.delivered)) delivered"
    if tally.copies > 0 { text += " (\(StoryText.count(tally.copies, "copy", "copies")) made on the way)" }
    text += ", \(StoryText.count(tally.droppedCount)) lost"
    guard tally.droppedCount > 0 else { return text }
    return text + ": " + StoryText.list(tally.dropped.map { "\(StoryText.count($0.count)) \(cause($0.cause))" })
  }

  /// Where a frame was lost: `on the air`.
  static func cause(_ cause: String) -> String {
    switch cause {
    case "loss": "on the air"
    case "disconnected": "to the cut link"
    case "corrupt": "damaged"
    case "overflow": "in a full queue"
    case "nodeDown": "at a dead app"
    case "suspended": "at a sleeping app"
    default: "to \(TerminalText.escape(cause))"
    }
  }

  private static func metrics(_ tally: StoryTally) -> String {
    var text = "\(StoryText.count(tally.heard)) heard by the phone"
    // A watch played by another program may not report what it publishes.
    if tally.published >= tally.heard { text = "\(StoryText.count(tally.published)) published by the watch, " + text }
    if tally.unsent > 0 { text += ", \(StoryText.count(tally.unsent)) not sent (phone out of reach)" }
    if tally.stale > 0 { text += ", \(StoryText.count(tally.stale)) too old or duplicated" }
    return text
  }

  private static func silence(_ tally: StoryTally) -> String {
    guard tally.published > 0 else { return "the watch published nothing" }
    let text =
      "\(StoryText.length(tally.silenceLongest, places: 1)) at the longest, from \(StoryText.clock(tally.silenceFrom))"
    switch tally.alarms {
    case 0: return text + "; the phone never had to say so"
    case 1: return text + "; the phone said so once"
    case 2: return text + "; the phone said so twice"
    default: return text + "; the phone said so \(StoryText.count(tally.alarms)) times"
    }
  }

  private static func coach(_ tally: StoryTally) -> String {
    var text = "\(StoryText.count(tally.spoken, "line")) spoken"
    if tally.unspoken > 0 { text += ", \(StoryText.count(tally.unspoken)) silenced" }
    return text + ", \(StoryText.count(tally.expired)) too late, \(StoryText.count(tally.skipped)) passed over"
  }

  private static func messages(_ tally: StoryTally) -> String {
    var text = "\(StoryText.count(tally.messages)) received, \(StoryText.count(tally.contexts, "context"))"
    let missing = tally.missing.filter { $0.count > 0 }
    if !missing.isEmpty {
      text += ", \(StoryText.count(missing.reduce(0) { $0 + $1.count })) sent that did not arrive: \(list(missing))"
    }
    let failed = tally.failures.reduce(0) { $0 + $1.count }
    text += missing.isEmpty ? ", " : "; "
    text += "\(StoryText.count(failed)) failed"
    return failed == 0 ? text : text + ": " + list(tally.failures)
  }

  private static func apps(_ tally: StoryTally) -> String {
    var text = "\(StoryText.count(tally.restarts, "restart")), \(StoryText.count(tally.acts, "act"))"
    if tally.appFindings > 0 { text += ", \(StoryText.count(tally.appFindings, "finding"))" }
    return text
  }

  private static func facts(_ tally: StoryTally) -> String {
    tally.facts.isEmpty ? "none recorded" : list(tally.facts)
  }

  private static func list(_ counts: [(cause: String, count: Int)]) -> String {
    StoryText.list(counts.map { "\(StoryText.count($0.count)) \(TerminalText.escape($0.cause))" })
  }

  private static func queue(_ tally: StoryTally) -> String {
    guard tally.queued > 0 else { return "nothing queued" }
    var text = "\(StoryText.count(tally.queued, "event")) queued, \(StoryText.count(tally.arrived)) arrived"
    if tally.transfersFailed > 0 { text += ", \(StoryText.count(tally.transfersFailed)) failed" }
    if tally.redelivered > 0 { text += ", \(StoryText.count(tally.redelivered)) delivered again" }
    if tally.setAside > 0 { text += ", \(StoryText.count(tally.setAside)) unreadable" }
    if let slowest = tally.slowest {
      text += "; the slowest took \(StoryText.length(slowest.after))"
      // Transfers of a user's app have no name.
      if !slowest.kind.isEmpty { text += " (\(TerminalText.escape(slowest.kind)))" }
    }
    return text
  }
}

/// The counts of a run for its summary.
package struct StoryTally {
  var sent = 0
  var delivered = 0
  var copies = 0
  /// Frames that never arrived, by cause, in the order of the first.
  var dropped: [(cause: String, count: Int)] = []
  /// Snapshots that the watch published, a ghost's included; that the phone received; and that could not be sent.
  package var published = 0
  var heard = 0
  var unsent = 0
  var stale = 0
  var silenceLongest = VirtualTime.Span.zero
  var silenceFrom = VirtualTime.start
  var alarms = 0
  var spoken = 0
  var expired = 0
  var skipped = 0
  var unspoken = 0
  var queued = 0
  var arrived = 0
  var setAside = 0
  var slowest: (kind: String, after: VirtualTime.Span)?
  var history = 0
  /// Whether the phone is an app, so that there is no coach.
  var hasAppAsPhone = false
  /// Whether the watch is an app.
  var hasAppAsWatch = false
  /// Messages that reached an app.
  var messages = 0
  /// Messages of apps that were sent and have not arrived, by name, in the order of the first.
  var missing: [(cause: String, count: Int)] = []
  /// Messages that failed or were refused, by error, in the order of the first.
  var failures: [(cause: String, count: Int)] = []
  /// Messages and transfers that were refused or failed, by error, without snapshots.
  var troubles: [(cause: String, count: Int)] = []
  var transfersFailed = 0
  var redelivered = 0
  var contexts = 0
  var restarts = 0
  var acts = 0
  var appFindings = 0
  /// Meals of the run, answered posts of daily totals, and files that the server wrote.
  var meals = 0
  var syncs = 0
  var serverWrites = 0
  /// Sessions that the phone stored, by what they are called, in the order of the first.
  var sessions: [(cause: String, count: Int)] = []
  /// Days of Apple's data that were fetched new, and again with another content; what could not be read; what was deleted.
  var staged = 0
  var changed = 0
  var unreadable = 0
  var purged = 0
  /// The facts that apps recorded, by name, in the order of the first.
  var facts: [(cause: String, count: Int)] = []

  private var heardLast: VirtualTime?
  private var queuedAt: [Identifier: VirtualTime] = [:]

  mutating func observe(_ event: TraceEvent) {
    switch event.body {
    case .frameSent: sent += 1
    case .frameDelivered: delivered += 1
    case .frameDuplicated(let frame): copies = copies +| Int(clamping: frame.copies)
    case .frameDropped(let frame): Self.count(frame.cause.text, in: &dropped)
    case .snapshot:
      published += 1
      if heardLast == nil { heardLast = event.time }
      noteSilence(until: event.time)
    case .snapshotFresh:
      heard += 1
      noteSilence(until: event.time)
      heardLast = event.time
    case .snapshotStale: stale += 1
    case .workoutState(let change):
      // Between two workouts there is nothing to be heard.
      if change.from == nil { heardLast = nil }
    case .messageRefused(let message):
      if message.kind == "liveMetrics" { unsent += 1 } else { Self.count(message.error, in: &troubles) }
      Self.count(message.error, in: &failures)
    case .messageFailed(let message):
      Self.count(message.error, in: &failures)
      Self.count(message.error, in: &troubles)
    case .messageReceived(let message):
      messages += 1
      if let place = missing.firstIndex(where: { $0.cause == message.kind }), missing[place].count > 0 {
        missing[place].count -= 1
      }
    case .contextReceived: contexts += 1
    case .transferFailed: transfersFailed += 1
    case .transferRedelivered: redelivered += 1
    case .nodeStarted(let start): if start.cause != .launch { restarts += 1 }
    case .livenessDisconnected: alarms += 1
    case .audioStart: spoken += 1
    case .scriptExpired: expired += 1
    case .scriptSkipped(let line): skipped = skipped +| Int(clamping: max(0, line.last -| line.first) +| 1)
    case .transferQueued(let transfer):
      queued += 1
      queuedAt[transfer.identity.transfer] = event.time
    case .transferDelivered(let transfer): arrive(transfer, event.time)
    case .transferSetAside: setAside += 1
    case .mealLogged(let meal): if meal.eatenAt >= 0 { meals += 1 }
    case .daysSynced: syncs += 1
    case .fileStored: serverWrites += 1
    case .trainingStored(let session): Self.count(StoryText.session(ofDiscipline: session.discipline), in: &sessions)
    case .ingestionStaged(let staging):
      if staging.row == "new" { staged += 1 }
      if staging.row == "changed" { changed += 1 }
    case .ingestionFailed: unreadable += 1
    case .ingestionPurged: purged += 1
    case .ghostSnapshot: published += 1
    case .appFinding: appFindings += 1
    case .other(let other):
      switch other.kind {
      case is AudioDropped: unspoken += 1
      case is RunHistory: history += 1
      case let refusal as TransferRefused: Self.count(refusal.error, in: &troubles)
      case is AppActTaken: acts += 1
      case let message as MessageSent: Self.count(message.kind, in: &missing)
      default: break
      }
    case .foreign:
      let name = event.name.text
      if name.hasPrefix(AppFact.family) { Self.count(String(name.dropFirst(AppFact.family.utf8.count)), in: &facts) }
    default: break
    }
  }

  /// How many frames never arrived.
  var droppedCount: Int { dropped.reduce(0) { $0 + $1.count } }

  private static func count(_ cause: String, in list: inout [(cause: String, count: Int)]) {
    if let place = list.firstIndex(where: { $0.cause == cause }) {
      list[place].count += 1
    } else {
      list.append((cause, 1))
    }
  }

  private mutating func noteSilence(until time: VirtualTime) {
    guard let heardLast, time - heardLast > silenceLongest else { return }
    silenceLongest = time - heardLast
    silenceFrom = heardLast
  }

  private mutating func arrive(_ transfer: TransferDelivered, _ time: VirtualTime) {
    arrived += 1
    guard let since = queuedAt.removeValue(forKey: transfer.identity.transfer) else { return }
    let after = time - since
    if after > (slowest?.after ?? VirtualTime.Span(nanoseconds: -1)) { slowest = (transfer.details.kind ?? "", after) }
  }
}

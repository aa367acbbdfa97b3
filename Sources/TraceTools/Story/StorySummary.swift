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

import Console
package import Link

/// An expectation in words, for readers who do not know how scenarios spell it.
package enum ExpectationWords {
  /// What its author wrote about it, or else a sentence made of its keys, without its full stop; nil for a kind that has
  /// no words.
  ///
  /// - Parameter expectation: As the scenario has it.
  package static func text(_ expectation: JSONNode) -> String? {
    if let about = expectation[ExpectationCatalog.aboutKey]?.text { return TerminalText.escape(about) }
    guard let sentence = sentence(expectation), let first = sentence.first else { return nil }
    return TerminalText.escape(first.uppercased() + sentence.dropFirst())
  }

  /// An expectation of a trace in words, or else as the scenario spells it.
  package static func text(of expectation: JSONText) -> String {
    expectation.node.flatMap { text($0) } ?? TerminalText.escape(expectation.text)
  }

  private static func sentence(_ node: JSONNode) -> String? {
    if let ids = node["dispatched"]?.elements {
      let list = ids.map { valueText($0) }.joined(separator: ", ")
      return "the coach gets exactly these lines to speak, in this order: \(list.isEmpty ? "none" : list)"
    }
    if let event = node["never"]?.text { return "it never happens that \(clause(event, node))\(stretch(node))" }
    if let event = node["count"]?.text { return "\(count(node)), \(clause(event, node))\(stretch(node))" }
    if let event = node["onlyAfter"]?.text { return onlyAfter(event, node) }
    if let event = node["always"]?.text { return always(event, node) }
    if let event = node["agrees"]?.text, let field = node["field"]?.text, let truth = node["with"]?.text {
      let within = node["within"].map { ", within \(valueText($0))" } ?? ""
      return
        "at the end, \(words(field)) of “\(event)”\(conditions(node, but: [])) agrees with \(words(truth))\(within)"
    }
    guard let event = node["event"]?.text else { return nil }
    guard let within = node["within"], let after = node["after"] else { return clause(event, node) + stretch(node) }
    let same = sameFields(after).map { ", with the same \($0)" } ?? ""
    return "within \(length(within)) after \(pattern(after)), \(clause(event, node))\(same)"
  }

  private static func onlyAfter(_ event: String, _ node: JSONNode) -> String {
    let permission =
      node["act"].map { "after a user's “\(valueText($0))”" } ?? node["after"].map { "after \(pattern($0))" }
    let end = node["until"].map { ", until \(pattern($0))" } ?? ""
    let once = node["once"]?.boolean == true ? ", once for each" : ""
    return "only \(permission ?? "when permitted"), \(clause(event, node))\(end)\(once)"
  }

  private static func always(_ event: String, _ node: JSONNode) -> String {
    var rules: [String] = []
    for member in members(node["have"]) { rules.append("\(words(member.key)) is \(bounds(member.node))") }
    if let field = node["rises"]?.text {
      let each = (node["each"]?.elements ?? []).compactMap(\.text).map { words($0) }.joined(separator: ", ")
      rules.append("\(words(field)) rises\(each.isEmpty ? "" : " for each \(each)")")
    }
    if let fields = node["unique"]?.elements, !fields.isEmpty {
      rules.append("no two have the same \(fields.compactMap(\.text).map { words($0) }.joined(separator: " and "))")
    }
    let stretch = stretch(node)
    let what = "whenever \(clause(event, node))"
    if rules.isEmpty { return "\(what), it is\(stretch)" }
    return "\(what)\(stretch), \(rules.joined(separator: ", and "))"
  }

  // MARK: Parts

  /// An event as a clause: what happens, and under which conditions it counts.
  private static func clause(_ event: String, _ node: JSONNode) -> String {
    let place = node["where"]
    if event == RunStateChanged.name.text, let state = place?["to"]?.text {
      return "the phone believes that the run is \(state)\(conditions(node, but: ["to"]))"
    }
    if event == WorkoutStateChanged.name.text, let state = place?["to"]?.text {
      return "the workout becomes \(state)\(conditions(node, but: ["to"]))"
    }
    if event == ReachabilityChanged.name.text, let reaches = place?["reachable"]?.boolean {
      let device = place?["node"]?.text ?? "a device"
      let rest = conditions(node, but: ["node", "reachable"])
      return "the \(device) sees the other as \(reaches ? "reachable" : "unreachable")\(rest)"
    }
    if let message = place?["message"]?.text, let verb = lineVerbs[event] {
      return "the line “\(message)” \(verb)\(conditions(node, but: ["message"]))"
    }
    if event.hasPrefix(AppFact.family) {
      return "the app reports “\(event.dropFirst(AppFact.family.count))”\(conditions(node, but: []))"
    }
    return (clauses[event] ?? "“\(event)” happens") + conditions(node, but: [])
  }

  private static let lineVerbs = [
    "script.dispatch": "is due", "script.expired": "comes too late to be spoken", "script.skipped": "is passed over",
    "audio.start": "is spoken", "audio.end": "has been spoken",
  ]

  private static let clauses = [
    "liveness.disconnected": "the phone says that the watch is silent",
    "liveness.reconnected": "the phone says that it hears the watch again",
    "link.down": "the link is cut", "link.up": "the link is back", "run.opened": "the phone opens a run",
    "run.state": "the run changes its state for the phone", "run.history": "the phone files a late message as history",
    "workout.state": "the workout changes its state", "script.loaded": "the phone loads a script",
    "script.dispatch": "a line of the script is due", "script.expired": "a line comes too late to be spoken",
    "script.skipped": "a line is passed over", "audio.start": "the coach begins to speak",
    "audio.end": "the coach has spoken", "audio.interrupted": "a spoken line is broken off",
    "haptic": "the watch taps the wrist", "snapshot": "the watch publishes a snapshot",
    "snapshot.fresh": "the phone hears a fresh snapshot", "transfer.queued": "a transfer is queued",
    "transfer.delivered": "a queued transfer arrives", "transfer.failed": "a transfer fails",
    "message.received": "a message arrives", "message.failed": "a message fails",
    "message.refused": "a message is refused",
    "context.set": "an application context is set", "frame.sent": "a frame is sent", "frame.dropped": "a frame is lost",
    "frame.delivered": "a frame arrives", "node.killed": "an app is killed", "node.started": "an app starts",
    "node.restarted": "an app starts again", "run.finished": "the phone knows that the run is over and saved",
    "voice.recorded": "a voice note is recorded", "voice.received": "the phone receives a voice note",
    "voice.transcribed": "a voice note is transcribed", "end": "the run ends", "violation": "an invariant is broken",
    "training.stored": "the phone stores a training session", "daily.synced": "the server confirms daily totals",
    "daily.failed": "posting daily totals fails", "context.repeated": "an application context is sent again",
    "ingestion.parsed": "a record of Apple Health is parsed", "ai.reply": "the coach's service answers",
    "node.suspended": "an app falls asleep", "node.resumed": "an app wakes up",
    "health.saved": "a run is saved to Health",
    "reachability": "a device's view of the other's reachability changes",
  ]

  /// The conditions on fields, in brackets; a device is named in the sentence.
  private static func conditions(_ node: JSONNode, but known: [String]) -> String {
    var device = "", rest: [String] = []
    for member in members(node["where"]) where !known.contains(member.key) {
      if member.key == "node", let text = member.node.text {
        device = " on the \(text)"
      } else {
        rest.append("\(words(member.key)) \(bounds(member.node))")
      }
    }
    return device + (rest.isEmpty ? "" : " (\(rest.joined(separator: ", ")))")
  }

  /// An event with its conditions, as `after` and `until` have it.
  private static func pattern(_ node: JSONNode) -> String {
    guard let event = node["event"]?.text ?? node.text else { return "that event" }
    return clause(event, node)
  }

  private static func sameFields(_ node: JSONNode) -> String? {
    let fields = (node["same"]?.elements ?? []).compactMap(\.text).map { words($0) }
    return fields.isEmpty ? nil : fields.joined(separator: " and ")
  }

  private static func stretch(_ node: JSONNode) -> String {
    var text = ""
    if let edges = node["between"]?.elements, edges.count == 2 {
      let (from, to) = (moment(edges[0]), moment(edges[1]))
      text += from == to ? " at \(from)" : " between \(from) and \(to)"
    }
    // `after` of a kind with `within` is in its own sentence.
    if node["within"] == nil, node["onlyAfter"] == nil {
      if let after = node["after"] { text += " after \(pattern(after))" }
      if let until = node["until"] { text += " before \(pattern(until))" }
      if let length = node["for"] { text += ", for \(self.length(length))" }
    }
    return text
  }

  private static func count(_ node: JSONNode) -> String {
    let times = { (number: JSONNode) -> String in
      let text = valueText(number)
      return text == "1" ? "once" : text == "2" ? "twice" : "\(text) times"
    }
    if let exact = node["exactly"] { return valueText(exact) == "0" ? "never" : "exactly \(times(exact))" }
    let least = node["atLeast"].map { "at least \(times($0))" }, most = node["atMost"].map { "at most \(times($0))" }
    return [least, most].compactMap(\.self).joined(separator: " and ")
  }

  /// A value, or bounds such as `{ atLeast: 30, atMost: 220 }`.
  private static func bounds(_ node: JSONNode) -> String {
    guard case .object(let members) = node.value else { return valueText(node) }
    return members.map { "\(words($0.key)) \(valueText($0.node))" }.joined(separator: " and ")
  }

  private static func members(_ node: JSONNode?) -> [JSONMember] {
    if case .object(let members)? = node?.value { members } else { [] }
  }

  private static func moment(_ node: JSONNode) -> String {
    guard let seconds = node.seconds, seconds >= 0, seconds < 1e9 else { return valueText(node) }
    let time = VirtualTime(nanoseconds: Int64((seconds * 1e9).rounded()))
    return time.text
  }

  private static func length(_ node: JSONNode) -> String {
    guard let seconds = node.seconds, seconds >= 0, seconds < 1e9 else { return valueText(node) }
    return StoryText.length(VirtualTime.Span(nanoseconds: Int64((seconds * 1e9).rounded())))
  }

  /// `lastSplit.kmIndex` as `last split km index`.
  private static func words(_ name: String) -> String {
    var text = ""
    for character in name {
      if character == "." || character == "_" {
        text += " "
      } else if character.isUppercase {
        text += " " + character.lowercased()
      } else {
        text.append(character)
      }
    }
    return text
  }

  private static func valueText(_ node: JSONNode) -> String {
    node.text ?? String(decoding: JSONWriter.compact(node), as: UTF8.self)
  }
}

import Link

/// A line of a trace as a sentence, its subject being the place that wrote it.
enum EventWords {
  /// - Parameter sentence: The sentence of the story, if the line has one.
  static func text(_ event: TraceEvent, sentence: String?) -> String {
    switch event.name.text {
    case "frame.sent":
      let attempt = event["attempt"]?.integer.map { ", attempt \($0)" } ?? ""
      return "sends frame \(number(event, "id")) to the \(word(event, "to")): \(word(event, "channel")) "
        + "\(number(event, "seq")), \(word(event, "kind"))\(attempt)"
    case "frame.delivered": return "delivers frame \(number(event, "id"))"
    case "frame.duplicated": return "makes \(number(event, "copies")) more of frame \(number(event, "id"))"
    case "frame.dropped":
      let fault = event.text("fault").map { " (\(TerminalText.escape($0)))" } ?? ""
      return "loses frame \(number(event, "id")): \(word(event, "cause"))\(fault)"
    case "message.received": return "receives message \(number(event, "seq")) of the \(word(event, "from"))"
    case "snapshot": return "publishes snapshot \(number(event, "seq")): \(word(event, "state")) at \(position(event))"
    case "snapshot.fresh":
      return "accepts snapshot \(number(event, "seq")): \(word(event, "state")) at \(position(event))"
    case "snapshot.stale": return "ignores snapshot \(number(event, "seq")): \(word(event, "why"))"
    case "run.state":
      return
        "now believes that the run is \(word(event, "to")) (before: \(word(event, "from")); \(source(event)))"
    case "script.dispatch": return "decides to say \"\(word(event, "message"))\" at \(position(event))"
    case "script.expired": return "drops \"\(word(event, "message"))\" as too late at \(position(event))"
    case "fault.begin": return sentence ?? "begins the fault \"\(word(event, "fault"))\" (\(word(event, "kind")))"
    case "transfer.queued": return "queues \(transfer(event))"
    case "transfer.delivered": return "has handled \(transfer(event))"
    case "transfer.finished": return "knows that \(transfer(event)) has arrived"
    default: return sentence ?? plain(event)
    }
  }

  private static func source(_ event: TraceEvent) -> String {
    switch event.text("cause") {
    case "snapshot": "by a snapshot"
    case "event": "by a workout event"
    case "command": "by a command"
    default: "for an unknown reason"
    }
  }

  /// What an event that does not exist may mean; empty without a near one.
  static func hint(for name: String) -> String {
    Spelling.nearest(to: name, among: TraceEvent.Name.known.map(\.text)).map { "; did you mean \"\($0)\"?" } ?? ""
  }

  private static func transfer(_ event: TraceEvent) -> String {
    let kind = event.text("kind").map { "\"\(TerminalText.escape($0))\"" } ?? "a transfer"
    return "\(kind) (\(word(event, "channel")) \(number(event, "seq")))"
  }

  private static func position(_ event: TraceEvent) -> String {
    guard let elapsed = event["elapsed"]?.double, elapsed.isFinite, abs(elapsed) < 1e9 else {
      return "an unknown point"
    }
    let distance = event["distance"]?.double.map { ", \(StoryText.kilometres($0))" } ?? ""
    return "\(StoryText.clock(seconds: Int64(elapsed))) of the run\(distance)"
  }

  private static func number(_ event: TraceEvent, _ key: String) -> String {
    event[key]?.integer.map { String($0) } ?? "?"
  }

  private static func word(_ event: TraceEvent, _ key: String) -> String {
    event[key]?.text.map { TerminalText.escape($0) } ?? "none"
  }

  /// The name and the first fields, for events without words of their own.
  private static func plain(_ event: TraceEvent) -> String {
    var text = event.name.text
    for field in event.fields.prefix(5) where text.count < 120 {
      var value = ""
      field.value.append(to: &value)
      text += " \(field.key)=\(value.count > 40 ? value.prefix(37) + "..." : value[...])"
    }
    return TerminalText.escape(text)
  }
}

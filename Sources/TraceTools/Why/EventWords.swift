import Console
import Link

/// A line of a trace as a sentence, its subject being the place that wrote it.
package enum EventWords {
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
    case "snapshot.stale":
      let why = event.text("why") == "late" ? "it came too late" : word(event, "why")
      return "ignores snapshot \(number(event, "seq")): \(why)"
    case "run.opened": return "opens a run for workout \(short(event, "workoutId"))"
    case "run.state":
      return
        "now believes that the run is \(word(event, "to")) (before: \(word(event, "from")); \(source(event)))"
    case "workout.state":
      return "its workout is now \(word(event, "to")) (before: \(word(event, "from")))"
    case "script.dispatch": return "decides to say \"\(word(event, "message"))\" at \(position(event))"
    case "script.expired": return "drops \"\(word(event, "message"))\" as too late at \(position(event))"
    case "fault.begin": return sentence ?? "begins the fault \"\(word(event, "fault"))\" (\(word(event, "kind")))"
    case "transfer.queued": return "queues \(transfer(event))"
    case "transfer.delivered": return "has handled \(transfer(event))"
    case "transfer.finished": return "knows that \(transfer(event)) has arrived"
    case "payload.foreign": return "makes a payload of another build (\(word(event, "channel")))"
    case "context.received": return "receives application context \(number(event, "seq"))"
    case "message.refused": return "cannot send \"\(word(event, "kind"))\": \(word(event, "error"))"
    case "start.asked": return sentence ?? "asks the watch to start a run, by \(word(event, "channel"))"
    case "audio.duck": return "turns the music down"
    case "audio.unduck": return "turns the music up again"
    case "node.started": return sentence ?? "starts"
    case "haptic": return "taps the wrist for \"\(word(event, "message"))\""
    case "training.merged": return "takes in \(rows(event)) of the other phone"
    case "training.settled": return "waits for nothing more of the other phone: \(rows(event))"
    case "daily.meal": return "stores a meal of \(word(event, "day")): \(word(event, "name"))"
    case "daily.aggregated": return "adds up \(word(event, "day")), revision \(number(event, "revision"))"
    case "daily.posted":
      let days = StoryText.count(StoryJSON.node(event["days"])?.elements.count ?? 0, "day")
      return "posts the totals of \(days)"
    case "daily.synced": return "has the server's answer: \(number(event, "pending")) days still to post"
    case "edge.request":
      return "gets a request for \(word(event, "path"))"
        + (event.text("failure").map { ", and fails: \(TerminalText.escape($0))" } ?? "")
    case "edge.response": return "answers \(word(event, "path")) with status \(number(event, "status"))"
    case "edge.upserted": return "stores \(word(event, "day")), revision \(number(event, "revision"))"
    case "edge.stored": return "writes \(word(event, "file")), \(number(event, "bytes")) bytes"
    case "edge.workouts": return "stores the workouts of \(word(event, "day"))"
    case "edge.profiled": return "extracts the profile from chat message \(number(event, "message"))"
    case "ingestion.staged": return "stores the raw \(word(event, "type")) of \(word(event, "day"))"
    case "uplink.reachability":
      return event["reachable"]?.boolean == false ? "no longer reaches the cloud" : "reaches the cloud"
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
  package static func hint(for name: String) -> String {
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

  private static func rows(_ event: TraceEvent) -> String {
    StoryText.count(Int(clamping: event["rows"]?.integer ?? 0), "row")
  }

  /// The first digits of an identifier.
  private static func short(_ event: TraceEvent, _ key: String) -> String {
    StoryText.shortened(word(event, key))
  }

  /// The name and its first plain fields, for events without words of their own: no digests, no points in time.
  private static func plain(_ event: TraceEvent) -> String {
    let fields = event.fields.compactMap { field -> String? in
      guard field.key != "digest", field.key != "raw" else { return nil }
      switch field.value {
      case .string(let text): return "\(field.key) \(StoryText.shortened(String(text.prefix(60))))"
      case .int(let number) where number.magnitude < 10_000_000_000: return "\(field.key) \(number)"
      default: return nil
      }
    }
    let text = fields.isEmpty ? "" : " (\(fields.prefix(4).joined(separator: ", ")))"
    return TerminalText.escape(event.name.text + text)
  }
}

import Console
package import Link

/// A line of a trace as a sentence, its subject being the place that wrote it.
package enum EventWords {
  /// - Parameters:
  ///   - sentence: The sentence of the story, if the line has one.
  ///   - name: What the event's frame carries, if that has a name.
  package static func text(_ event: TraceEvent, sentence: String?, name: String? = nil) -> String {
    switch event.body {
    case .frameSent(let frame):
      let attempt = frame.attempt.map { ", attempt \($0)" } ?? ""
      return "sends frame \(frame.id) to the \(frame.to.text): \(frame.channel.text) \(frame.seq), "
        + "\(name.map { "\"\(TerminalText.escape($0))\"" } ?? frame.kind.text)\(attempt)"
    case .frameDelivered(let frame): return "delivers frame \(frame.id)"
    case .frameDuplicated(let frame): return "makes \(frame.copies) more of frame \(frame.id)"
    case .frameDropped(let frame):
      let fault = frame.fault.map { " (\(TerminalText.escape($0)))" } ?? ""
      return "loses frame \(frame.id): \(TerminalText.escape(frame.cause.text))\(fault)"
    case .messageReceived(let message):
      return "receives \(named("message \(message.seq)", message.kind)) of the \(message.from.text)"
    case .snapshot(let snapshot): return "publishes \(describe(snapshot.metrics))"
    case .expectation(let judged):
      let words = ExpectationWords.text(of: judged.expectation)
      let why = judged.why.map { ": \(TerminalText.escape($0))" } ?? ""
      return "\(judged.passed ? "met" : "not met"): \(words)\(why)"
    case .violation(let found):
      return "\(word(found.invariant)) is broken: \(TerminalText.escape(StoryText.shortened(found.detail)))"
    case .end(let end): return "the verdict is \(word(end.verdict))"
    case .snapshotFresh(let snapshot): return "accepts \(describe(snapshot.metrics))"
    case .snapshotStale(let stale):
      return "ignores snapshot \(stale.seq): \(stale.why == .late ? "it came too late" : stale.why.text)"
    case .runOpened(let run): return "opens a run for workout \(StoryText.shortened(run.workoutId.text))"
    case .runState(let change):
      return
        "now believes that the workout is \(word(change.to)) (before: \(word(change.from)); \(source(change.cause)))"
    case .workoutState(let change):
      return "its workout is now \(word(change.to)) (before: \(word(change.from)))"
    case .scriptDispatch(let line): return "decides to say \"\(word(line.rank.message))\" at \(position(line.figures))"
    case .scriptExpired(let line):
      return "drops \"\(word(line.rank.message))\" as too late at \(position(line.figures))"
    case .faultBegin(let fault):
      return sentence ?? "begins the fault \"\(word(fault.fault))\" (\(word(fault.kind)))"
    case .transferQueued(let transfer): return "queues \(describe(transfer.identity, transfer.details.kind))"
    case .transferDelivered(let transfer): return "has handled \(describe(transfer.identity, transfer.details.kind))"
    case .transferFinished(let transfer):
      return "knows that \(describe(transfer.identity, transfer.kind)) has arrived"
    case .payloadForeign(let payload): return "makes a payload of another build (\(payload.channel.text))"
    case .contextReceived(let context): return "receives \(named("application context \(context.seq)", context.kind))"
    case .messageRefused(let message): return "cannot send \"\(word(message.kind))\": \(word(message.error))"
    case .messageFailed(let message):
      return sentence ?? "its message \(named("\(message.seq)", message.kind)) fails: \(word(message.error))"
    case .startAsked(let start): return sentence ?? "asks the watch to start a workout, by \(start.channel.text)"
    case .audioDuck: return "turns the music down"
    case .audioUnduck: return "turns the music up again"
    case .nodeStarted: return sentence ?? "starts"
    case .haptic(let haptic): return "taps the wrist for \"\(word(haptic.message))\""
    case .trainingSettled(let settled):
      return "waits for nothing more of the other phone: \(count(rows: settled.rows))"
    case .mealEdited(let meal): return "changes a meal of \(word(meal.day)): \(word(meal.name))"
    case .mealLogged(let meal): return "stores a meal of \(word(meal.day)): \(word(meal.name))"
    case .dayAggregated(let day): return "adds up \(word(day.day)), revision \(day.revision)"
    case .daysPosted(let post):
      return "posts the totals of \(StoryText.count(post.days.node?.elements.count ?? 0, "day"))"
    case .daysSynced(let answer): return "has the server's answer: \(answer.pending) days still to post"
    case .edgeRequest(let request):
      return "gets a request for \(word(request.path))"
        + (request.failure.map { ", and fails: \(TerminalText.escape($0))" } ?? "")
    case .dayUpserted(let day): return "stores \(word(day.day)), revision \(day.revision)"
    case .fileStored(let file): return "writes \(word(file.file)), \(file.bytes) bytes"
    case .workoutsStored(let workouts): return "stores the workouts of \(word(workouts.day))"
    case .profileExtracted(let profile): return "extracts the profile from chat message \(profile.message)"
    case .healthSlept(let slept): return "has the whole night of \(word(slept.day)) in its health store"
    case .ingestionStaged(let staged): return "stores the raw \(word(staged.type)) of \(word(staged.day))"
    case .other(let other): return describe(other.kind) ?? sentence ?? listFields(of: event)
    default: return sentence ?? listFields(of: event)
    }
  }

  /// An event of a rare kind; nil for one without words of its own.
  private static func describe(_ kind: any TraceEventKind) -> String? {
    switch kind {
    case let message as MessageSent: "sends \(named("message \(message.seq)", message.kind))"
    case let merge as TrainingMerged: "takes in \(count(rows: merge.rows)) of the other phone"
    case let response as EdgeResponse: "answers \(word(response.path)) with status \(response.status)"
    case let change as UplinkReachabilityChanged: change.reachable ? "reaches the cloud" : "no longer reaches the cloud"
    default: nil
    }
  }

  private static func source(_ cause: String) -> String {
    switch cause {
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

  private static func describe(_ transfer: TransferIdentity, _ kind: String?) -> String {
    let kind = kind.map { "\"\(TerminalText.escape($0))\"" } ?? "a transfer"
    return "\(kind) (\(transfer.channel.text) \(transfer.seq.map { String($0) } ?? "?"))"
  }

  private static func describe(_ metrics: SnapshotMetrics) -> String {
    "snapshot \(metrics.seq): \(metrics.state.text) at \(position(metrics.elapsed, metrics.distance))"
  }

  private static func position(_ figures: SnapshotFigures) -> String { position(figures.elapsed, figures.distance) }

  private static func position(_ elapsed: Double?, _ metres: Double?) -> String {
    guard let elapsed, elapsed.isFinite, abs(elapsed) < 1e9 else { return "an unknown point" }
    let distance = metres.map { ", \(StoryText.kilometres($0))" } ?? ""
    return "\(StoryText.clock(seconds: Int64(elapsed))) of the workout\(distance)"
  }

  /// `"lap" (message 3)`, and without a name `message 3`.
  private static func named(_ number: String, _ name: String?) -> String {
    name.map { "\"\(TerminalText.escape($0))\" (\(number))" } ?? number
  }

  private static func word(_ text: String?) -> String { text.map { TerminalText.escape($0) } ?? "none" }

  private static func count(rows: Int64) -> String { StoryText.count(Int(clamping: rows), "row") }

  /// The name and its first plain fields, for events without words of their own: no digests, no points in time.
  private static func listFields(of event: TraceEvent) -> String {
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

/// The names of what frames carry, from the lines that report the same message, context or transfer.
package struct PayloadNames {
  fileprivate struct Key: Hashable {
    var from: TraceEvent.Place
    var channel: Channel
    /// Of a message; contexts are counted over all epochs.
    var epoch: Int64
    var seq: Int64
  }

  // For lookup only.
  private var numbered: [Key: String] = [:]
  private var transfers: [Identifier: String] = [:]

  package init() {}

  /// Observes an event of the trace, in any order.
  package mutating func observe(_ event: TraceEvent) {
    switch event.body {
    case .messageReceived(let message):
      name(message.kind, Key(from: message.from.place, channel: .message, epoch: message.epoch, seq: message.seq))
    case .messageFailed(let message):
      name(message.kind, Key(from: event.place, channel: .message, epoch: message.epoch, seq: message.seq))
    case .contextSet(let context):
      name(context.kind, Key(from: event.place, channel: .applicationContext, epoch: 0, seq: context.seq))
    case .transferQueued(let transfer):
      if let kind = transfer.details.kind { transfers[transfer.identity.transfer] = kind }
    case .other(let other):
      guard let message = other.kind as? MessageSent else { return }
      name(message.kind, Key(from: event.place, channel: .message, epoch: message.epoch, seq: message.seq))
    default: break
    }
  }

  private mutating func name(_ kind: String?, _ key: Key) {
    if let kind { numbered[key] = kind }
  }

  /// What a frame carries, as far as the frame itself says: enough to find the name later.
  package struct Payload {
    fileprivate let key: Key
    fileprivate let transfer: Identifier?

    /// Nil for a frame without a payload of an app.
    init?(_ frame: FrameSent, from place: TraceEvent.Place) {
      guard frame.kind == .data else { return nil }
      let epoch = frame.channel == .message ? frame.epoch : 0
      key = Key(from: place, channel: frame.channel, epoch: epoch, seq: frame.seq)
      transfer = frame.transfer
    }
  }

  /// The name of a payload; nil if the trace does not say.
  func name(of payload: Payload) -> String? {
    payload.transfer.map { transfers[$0] } ?? numbered[payload.key]
  }

  /// What the frame of an event carries; nil for an event without a frame, and for what has no name.
  package func name(of event: TraceEvent) -> String? {
    guard case .frameSent(let frame) = event.body else { return nil }
    return Payload(frame, from: event.place).flatMap { name(of: $0) }
  }

  /// What the frame of an event carries, in a word; its kind or its channel where the trace does not say.
  package func frameTitle(_ event: TraceEvent) -> String {
    guard case .frameSent(let frame) = event.body else { return "" }
    guard frame.kind == .data else { return "\(frame.kind)" }
    return name(of: event) ?? (frame.channel == .http ? "request" : "\(frame.channel)")
  }
}

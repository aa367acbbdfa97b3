package import CoachProtocol
package import Link

/// The lines that the coach may speak during a run, with their triggers.
///
/// Only `messages` is required, so that scripts can be written by hand; the edge sends all fields.
package struct Script: Sendable, Equatable {
  package var id: String?
  /// The run it was made for; nil for any.
  package var runId: String?
  package var personality: String?
  /// When it was made, as its author wrote it; never compared.
  package var generatedAt: String?
  /// The model that made it.
  package var model: String?
  /// The digest of the request that it answers.
  package var inputDigest: String?
  /// Whether branch keys count.
  package var branchPolicy: BranchPolicy
  /// How late a line may be.
  package var grace: Grace
  /// At most ``messageCountMax`` lines, with unique ids.
  package var messages: [ScriptMessage]

  package static let messageCountMax = 10_000

  package init(
    id: String? = nil, runId: String? = nil, personality: String? = nil, generatedAt: String? = nil,
    model: String? = nil, inputDigest: String? = nil, branchPolicy: BranchPolicy = .linear, grace: Grace = Grace(),
    messages: [ScriptMessage]
  ) {
    self.id = id
    self.runId = runId
    self.personality = personality
    self.generatedAt = generatedAt
    self.model = model
    self.inputDigest = inputDigest
    self.branchPolicy = branchPolicy
    self.grace = grace
    self.messages = messages
  }
}

/// Whether a script's branch keys count.
package enum BranchPolicy: String, Sendable, CaseIterable {
  /// They are ignored.
  case linear
  /// A line with a key is spoken only while its branch is active.
  case branched
}

/// How far past its point a line may still be spoken; the defaults are those of a script without one.
package struct Grace: Sendable, Equatable {
  /// For points in metres; at least 0.
  package var meters: Double = 150
  /// For points in seconds; at least 0.
  package var seconds: Double = 45
}

package struct ScriptMessage: Sendable, Equatable {
  /// Identifies it in the script position and in the trace.
  package var id: String
  package var trigger: any Trigger
  /// What is said; at least one word.
  package var text: String { didSet { words = SpeechLength.wordCount(in: text) } }
  /// The number of words, cached because every start of a phone needs it.
  package private(set) var words: Int
  /// The branch it belongs to; nil for all.
  package var branchKey: String?
  /// The recording of the text that a race plays; unused elsewhere.
  package var prerenderedAudioPath: String?
  /// Among several due lines the highest priority goes first.
  package var priority: Int
  /// Whether it is spoken at most once in a run.
  package var playOnce: Bool

  package static let priorityDefault = 50

  /// Creates a line; without `playOnce` it plays once unless its trigger repeats by nature.
  package init(
    id: String, trigger: any Trigger, text: String, branchKey: String? = nil, prerenderedAudioPath: String? = nil,
    priority: Int = priorityDefault, playOnce: Bool? = nil
  ) {
    self.id = id
    self.trigger = trigger
    self.text = text
    words = SpeechLength.wordCount(in: text)
    self.branchKey = branchKey
    self.prerenderedAudioPath = prerenderedAudioPath
    self.priority = priority
    self.playOnce = playOnce ?? !trigger.repeatsByNature
  }

  package static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.id == rhs.id && lhs.trigger.isEqual(to: rhs.trigger) && lhs.text == rhs.text
      && lhs.branchKey == rhs.branchKey && lhs.prerenderedAudioPath == rhs.prerenderedAudioPath
      && lhs.priority == rhs.priority && lhs.playOnce == rhs.playOnce
  }
}

extension Script {
  /// Reads a script; reports all errors, each with its path and position.
  ///
  /// Correct lines are returned even if others are wrong: check the collector for errors. Nil if the value is not an
  /// object or has no array of messages.
  package init?(_ value: JSONValueReader) { self.init(value, positions: { _ in }) }

  /// Reads a script, and passes the positions of its lines to `positions`.
  init?(_ value: JSONValueReader, positions: ([TextPosition]) -> Void) {
    guard let reader = value.object() else { return nil }
    self.init(
      id: reader.string("id"), runId: reader.string("runId"), personality: reader.string("personality"),
      generatedAt: reader.string("generatedAt"), model: reader.string("model"),
      inputDigest: reader.string("inputDigest"),
      branchPolicy: reader.oneOf("branchPolicy", BranchPolicy.self) ?? .linear, messages: [])
    if let given = reader.object("grace", { Grace($0) }) { grace = given }
    let elements = reader.array("messages", countMax: Self.messageCountMax, required: true)
    var places: [TextPosition] = []
    // Lookup only; never iterated.
    var known: [String: TextPosition] = [:]
    for element in elements ?? [] {
      guard let message = ScriptMessage(element, known: &known) else { continue }
      messages.append(message)
      places.append(element.node.position)
    }
    // For editors.
    _ = reader.string("$schema")
    reader.finish()
    guard elements != nil else { return nil }
    positions(places)
  }

  /// The script as JSON in canonical order, with priority and playOnce always written.
  package var json: JSONValue {
    .object(of: [
      "id": id, "runId": runId, "personality": personality, "generatedAt": generatedAt, "model": model,
      "inputDigest": inputDigest, "branchPolicy": branchPolicy.rawValue, "grace": grace.json,
      "messages": JSONValue.array(messages.map { JSONNode($0.json) }),
    ])
  }

  /// ``json`` as compact text: the `script` of a trace's header and of `script.loaded`.
  package var canonicalText: String { json.compactText }
}

extension Grace {
  init(_ reader: JSONObjectReader) {
    self.init()
    if let meters = reader.number("meters", in: 0...1e9) { self.meters = meters }
    if let seconds = reader.number("seconds", in: 0...1e9) { self.seconds = seconds }
  }

  var json: JSONValue { .object(of: ["meters": meters, "seconds": seconds]) }
}

extension ScriptMessage {
  /// Reads a line; nil after reporting an error that leaves nothing usable.
  init?(_ value: JSONValueReader, known: inout [String: TextPosition]) {
    guard let reader = value.object() else { return nil }
    let id = reader.string("id", required: true)
    if let id {
      if id.isEmpty {
        reader.value("id")?.error("found an empty string, expected an id")
      } else if let first = known[id] {
        reader.value("id")?.error(
          "found the id \"\(id)\" again, expected each once (it is also at line \(first.line), column \(first.column))")
      } else {
        known[id] = reader.value("id")?.node.position
      }
    }
    let trigger = reader.value("triggerSpec", required: true).flatMap { TriggerCatalog.read($0) }
    let text = reader.string("text", required: true)
    if let text, SpeechLength.wordCount(in: text) == 0 {
      reader.value("text")?.error("found an empty text, expected something to say")
    }
    let branchKey = reader.branchKey()
    let audio = reader.string("prerenderedAudioPath")
    let priority = reader.integer("priority", in: -1_000_000...1_000_000)
    let playOnce = reader.bool("playOnce")
    reader.finish()
    guard let id, let trigger, let text else { return nil }
    self.init(
      id: id, trigger: trigger, text: text, branchKey: branchKey, prerenderedAudioPath: audio,
      priority: priority.map { Int($0) } ?? Self.priorityDefault, playOnce: playOnce)
  }

  var json: JSONValue {
    .object(of: [
      "id": id, "triggerSpec": trigger.specification, "text": text, "branchKey": branchKey,
      "prerenderedAudioPath": prerenderedAudioPath, "priority": priority, "playOnce": playOnce,
    ])
  }
}

/// The athlete's plan.
package struct Plan: Sendable, Equatable {
  /// Metres, above 0; nil if no distance is planned.
  package var distance: Double?
  /// Seconds, above 0; nil if no time is planned.
  package var time: Double?

  /// How the pace is spread over the distance.
  package var pacing = PacingStrategy.even

  package init(
    distance: Double? = nil, time: Double? = nil, pacing: PacingStrategy = .even
  ) {
    self.distance = distance
    self.time = time
    self.pacing = pacing
  }

  /// Seconds per kilometre; nil unless both distance and time are planned.
  package var targetPace: Double? {
    guard let distance, let time else { return nil }
    return time / (distance / 1000)
  }

  /// The target pace at a distance in metres, as ``PacingStrategy`` spreads it.
  package func targetPace(at distance: Double) -> Double? {
    guard let even = targetPace, let whole = self.distance else { return nil }
    return even * pacing.share(inFirstHalf: distance * 2 < whole)
  }
}

/// Computes the derived variables of expressions.
package enum DerivedValues {
  /// The maximum heart rate if the memory has no `hr.max`.
  package static let maximumHeartRateDefault = 190

  /// The zone of a heart rate: 5 from 90 % of the maximum, 4 from 80 %, 3 from 70 %, 2 from 60 %, 1 from 50 %, else 0.
  ///
  /// - Parameters:
  ///   - heartRate: Beats per minute; below 10^6.
  ///   - maximum: Beats per minute; below 10^6.
  package static func heartRateZone(_ heartRate: Int, maximum: Int) -> Int {
    let hundredfold = heartRate * 100
    for (zone, percent) in [(5, 90), (4, 80), (3, 70), (2, 60), (1, 50)] where hundredfold >= percent * maximum {
      return zone
    }
    return 0
  }

  /// Target pace divided by the pace of the trailing 180 s, six decimals; nil if unknown.
  ///
  /// - Parameters:
  ///   - targetPace: Seconds per kilometre; nil if unknown.
  ///   - trail: Metres over the trailing 180 s; nil if unknown.
  package static func paceRatio(targetPace: Double?, trail: Double?) -> Double? {
    guard let targetPace, let trail, trail >= 1 else { return nil }
    let ratio = targetPace / (180 / (trail / 1000))
    return (ratio * 1e6).rounded() / 1e6
  }
}

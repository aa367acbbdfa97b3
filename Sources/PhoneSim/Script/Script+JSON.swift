import CoachProtocol
package import Link

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

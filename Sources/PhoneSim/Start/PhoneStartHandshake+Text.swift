import Link

/// The handshake as JSON, for the store.
extension PhoneStartHandshake {
  /// Equal handshakes give equal JSON.
  var json: JSONValue {
    var members = [JSONMember("count", .integer(count))]
    if let asking { members.append(JSONMember("asking", asking.json)) }
    if !runs.isEmpty { members.append(JSONMember("runs", .array(runs.map { JSONNode($0.json) }))) }
    if let tracker { members.append(JSONMember("tracker", tracker.json)) }
    return .object(members)
  }

  /// Reads what ``json`` wrote, and reports errors to the reader.
  init(_ reader: JSONObjectReader) {
    self.init()
    count = reader.integer("count", in: 0...(1 << 48), required: true) ?? 0
    if let asked = reader.object("asking") { asking = Request(asked) }
    for element in reader.array("runs", countMax: Self.runsMax) ?? [] {
      if let run = element.object().flatMap({ Run($0) }) { runs.append(run) }
    }
    if let tracked = reader.object("tracker") { tracker = PhoneTracker(tracked) }
    reader.finish()
    refreshListening()
  }
}

extension PhoneStartHandshake.Request {
  fileprivate var json: JSONValue {
    .object([
      JSONMember("runId", .string(runId.text)), JSONMember("firstAskedAt", .integer(firstAskedAt.nanoseconds)),
      JSONMember("askedAt", .integer(askedAt.nanoseconds)), JSONMember("attempt", .integer(Int64(attempt))),
    ])
  }

  fileprivate init?(_ reader: JSONObjectReader) {
    let runId = reader.identifier("runId")
    let firstAskedAt = reader.integer("firstAskedAt", required: true)
    let askedAt = reader.integer("askedAt", required: true)
    let attempt = reader.integer("attempt", in: 1...2, required: true)
    reader.finish()
    guard let runId, let firstAskedAt, let askedAt, let attempt else { return nil }
    self.init(
      runId: runId, firstAskedAt: VirtualTime(nanoseconds: firstAskedAt), askedAt: VirtualTime(nanoseconds: askedAt),
      attempt: Int(attempt))
  }
}

extension PhoneStartHandshake.Run {
  fileprivate var json: JSONValue {
    var members = [JSONMember("runId", .string(runId.text)), JSONMember("fate", .string(fate.rawValue))]
    if let orderedAt { members.append(JSONMember("toldAt", .integer(orderedAt.nanoseconds))) }
    return .object(members)
  }

  fileprivate init?(_ reader: JSONObjectReader) {
    let runId = reader.identifier("runId")
    let fate = reader.oneOf("fate", PhoneStartHandshake.Fate.self, required: true)
    let orderedAt = reader.integer("toldAt")
    reader.finish()
    guard let runId, let fate else { return nil }
    self.init(runId: runId, fate: fate, orderedAt: orderedAt.map { VirtualTime(nanoseconds: $0) })
  }
}

extension PhoneTracker {
  fileprivate var json: JSONValue {
    var members = [
      JSONMember("runId", .string(runId.text)), JSONMember("startedAt", .integer(startedAt.nanoseconds)),
    ]
    if let endedAt { members.append(JSONMember("endedAt", .integer(endedAt.nanoseconds))) }
    return .object(members)
  }

  fileprivate init?(_ reader: JSONObjectReader) {
    let runId = reader.identifier("runId")
    let startedAt = reader.integer("startedAt", required: true)
    let endedAt = reader.integer("endedAt")
    reader.finish()
    guard let runId, let startedAt else { return nil }
    self.init(
      runId: runId, startedAt: VirtualTime(nanoseconds: startedAt),
      endedAt: endedAt.map { VirtualTime(nanoseconds: $0) })
  }
}

extension JSONObjectReader {
  /// Reads an identifier of 36 characters.
  func identifier(_ key: String, required: Bool = true) -> Identifier? {
    guard let value = value(key, required: required), let text = value.string() else { return nil }
    guard let identifier = Identifier(text: text) else {
      value.refuse(expected: "an identifier of 36 characters")
      return nil
    }
    return identifier
  }
}

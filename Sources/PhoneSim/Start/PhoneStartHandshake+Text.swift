import CoachProtocol
package import Link

/// The handshake as JSON, for the store.
extension PhoneStartHandshake {
  /// Equal handshakes give equal JSON.
  var json: JSONValue {
    .object(of: ["count": count, "asking": asking?.json, "runs": runs.isEmpty ? nil : runs, "tracker": tracker?.json])
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
    .object(of: [
      "runId": runId.text, "firstAskedAt": firstAskedAt.nanoseconds, "askedAt": askedAt.nanoseconds,
      "attempt": attempt,
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

extension PhoneStartHandshake.Run: JSONConvertible {
  package var json: JSONValue {
    .object(of: ["runId": runId.text, "fate": fate.rawValue, "toldAt": orderedAt?.nanoseconds])
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
    .object(of: ["runId": runId.text, "startedAt": startedAt.nanoseconds, "endedAt": endedAt?.nanoseconds])
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

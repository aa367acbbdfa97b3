package import Link

extension ScriptPosition {
  /// The position as JSON without blanks: what a store keeps.
  ///
  /// Equal positions give equal text, and ``init(text:)`` gives back the same position.
  package var text: String {
    var members: [JSONMember] = []
    if let furthestDistance { members.append(JSONMember("distance", number: furthestDistance)) }
    if let furthestElapsed { members.append(JSONMember("elapsed", number: furthestElapsed)) }
    members.append(JSONMember("looks", .integer(looks)))
    if let branch { members.append(JSONMember("branch", .string(branch))) }
    if let lastDispatch { members.append(JSONMember("lastDispatch", .integer(lastDispatch.nanoseconds))) }
    members.append(JSONMember("records", .array(records.map { JSONNode($0.json) })))
    var bytes: [UInt8] = []
    JSONWriter.append(.object(members), to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads what ``text`` wrote.
  ///
  /// - Throws: What is wrong with it: a store's file may have been damaged.
  package init(text: String) throws(Diagnostics) {
    let collector = DiagnosticsCollector(file: "script position")
    self.init()
    do {
      let node = try JSONParser.parse(text, dialect: .json)
      if let reader = JSONObjectReader(node, into: collector) { read(reader) }
    } catch {
      collector.diagnostics.add(error)
    }
    guard collector.diagnostics.isEmpty else { throw collector.diagnostics }
  }

  private mutating func read(_ reader: JSONObjectReader) {
    furthestDistance = reader.number("distance")
    furthestElapsed = reader.number("elapsed")
    looks = reader.integer("looks", in: 0 ... .max, required: true) ?? 0
    branch = reader.string("branch")
    lastDispatch = reader.integer("lastDispatch").map { VirtualTime(nanoseconds: $0) }
    for element in reader.array("records", required: true) ?? [] {
      if let record = element.object() { records.append(Entry(record)) }
    }
    reader.finish()
  }
}

extension ScriptPosition.Entry {
  fileprivate var json: JSONValue {
    var members = [JSONMember("message", .string(message))]
    if record.isSpoken { members.append(JSONMember("isSpoken", .bool(true))) }
    if record.isExpired { members.append(JSONMember("isExpired", .bool(true))) }
    if record.lastMultiple != 0 { members.append(JSONMember("lastMultiple", .integer(record.lastMultiple))) }
    if let time = record.lastDispatch { members.append(JSONMember("lastDispatch", .integer(time.nanoseconds))) }
    if record.dueSince != 0 { members.append(JSONMember("dueSince", .integer(record.dueSince))) }
    if record.dueMultiple != 0 { members.append(JSONMember("dueMultiple", .integer(record.dueMultiple))) }
    return .object(members)
  }

  fileprivate init(_ reader: JSONObjectReader) {
    self.init(message: reader.string("message", required: true) ?? "", record: MessageRecord())
    record.isSpoken = reader.bool("isSpoken") ?? false
    record.isExpired = reader.bool("isExpired") ?? false
    record.lastMultiple = reader.integer("lastMultiple", in: 0...ScriptEngine.multipleMax) ?? 0
    record.lastDispatch = reader.integer("lastDispatch").map { VirtualTime(nanoseconds: $0) }
    record.dueSince = reader.integer("dueSince", in: 0 ... .max) ?? 0
    record.dueMultiple = reader.integer("dueMultiple", in: 0...ScriptEngine.multipleMax) ?? 0
    reader.finish()
  }
}

import Link

/// What is believed and what was asked for as one text: both change with the same words, so that they are kept together.
extension ConsumerRecord {
  /// JSON without blanks: the belief's members, and beside them `start` where anything was ever asked for.
  var beliefText: String {
    var members = belief.members
    if start != StartHandshake() { members.append(JSONMember("start", start.json)) }
    var bytes: [UInt8] = []
    JSONWriter.append(.object(members), to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads what ``beliefText`` wrote.
  ///
  /// - Throws: What is wrong with it: a store's file may have been damaged.
  mutating func readBelief(_ text: String) throws(Diagnostics) {
    let collector = DiagnosticsCollector(file: "belief")
    do {
      let node = try JSONParser.parse(text, dialect: .json)
      if let reader = JSONObjectReader(node, into: collector) {
        start = reader.object("start").map { StartHandshake($0) } ?? StartHandshake()
        belief = RunBelief(reader)
      }
    } catch {
      collector.diagnostics.add(error)
    }
    guard collector.diagnostics.isEmpty else { throw collector.diagnostics }
  }
}

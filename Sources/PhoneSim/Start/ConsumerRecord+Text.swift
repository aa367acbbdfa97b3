import CoachProtocol
import Link

/// Belief and start handshake as one text: the same updates change both, so they are stored together.
extension ConsumerRecord {
  /// Compact JSON: the belief's members, and `start` once a start was requested.
  var beliefText: String {
    var members = belief.members
    if start != PhoneStartHandshake() { members.append(JSONMember("start", start.json)) }
    return JSONValue.object(members).compactText
  }

  /// Reads what ``beliefText`` wrote.
  ///
  /// - Throws: What is wrong with it: a store's file may be damaged.
  mutating func readBelief(_ text: String) throws(Diagnostics) {
    let collector = DiagnosticsCollector(file: "belief")
    do {
      let node = try JSONParser.parse(text, dialect: .json)
      if let reader = JSONObjectReader(node, into: collector) {
        start = reader.object("start").map { PhoneStartHandshake($0) } ?? PhoneStartHandshake()
        belief = RunBelief(reader)
      }
    } catch {
      collector.diagnostics.add(error)
    }
    guard collector.diagnostics.isEmpty else { throw collector.diagnostics }
  }
}

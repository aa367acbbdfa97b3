/// Something that some run of a sweep should reach: `sometimes` of a scenario.
///
/// A single run may miss it. A sweep in which no seed reaches it fails, because it tested nothing there.
public struct Situation: Sendable {
  /// Its name in results.
  public let name: String
  /// The scenario's JSON.
  public let node: JSONNode
  private let pattern: EventPattern

  /// Limit of situations in a scenario.
  public static let countMax = 1_000

  /// Reads the `sometimes` of a scenario.
  ///
  /// - Returns: What could be read; the errors are in the reader's collector.
  public static func read(_ value: JSONValueReader) -> [Situation] {
    var situations: [Situation] = []
    for element in value.array(count: 0...countMax) ?? [] {
      guard let reader = element.object() else { continue }
      let given = reader.value("name")
      let name = given?.string()
      if name == "" { given?.refuse(expected: "a name") }
      let pattern = EventPattern(reader, key: "event")
      reader.finish()
      guard let pattern else { continue }
      let text = name ?? String(decoding: JSONWriter.compact(element.node), as: UTF8.self)
      if situations.contains(where: { $0.name == text }) {
        element.error("found a second situation \(quoted(text)), expected each name once")
      } else {
        situations.append(Situation(name: text, node: element.node, pattern: pattern))
      }
    }
    return situations
  }

  /// Whether an event shows that it was reached.
  public func isReached(by event: TraceEvent) -> Bool { event.isBelieved && pattern.matches(event) }
}

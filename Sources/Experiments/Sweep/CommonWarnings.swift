import Console
import Link
package import Simulator

/// The warnings that all of some seeds have in common, as the first of these seeds words them.
package struct CommonWarnings: Equatable, Sendable {
  /// Nil before the first seed.
  private(set) var list: [RunWarnings.Warning]?

  package init() {}

  /// Whether no further seed can leave a warning.
  package var isSettled: Bool { list?.isEmpty == true }

  /// Adds those of the next seeds.
  package mutating func add(_ other: [RunWarnings.Warning]) {
    guard let list else { return self.list = other }
    self.list = list.filter { known in other.contains { $0.subject == known.subject } }
  }

  /// Adds those of later seeds.
  mutating func add(_ other: CommonWarnings) {
    if let list = other.list { add(list) }
  }

  /// The warnings as text for ``init(_:)``.
  package var text: String {
    let pairs = (list ?? []).map { JSONNode(.texts([$0.subject, $0.text])) }
    return String(decoding: JSONWriter.compact(JSONNode(.array(pairs))), as: UTF8.self)
  }

  /// Reads ``text``; nil for anything else.
  init?(_ text: Substring) {
    guard let node = try? JSONParser.parse(String(text), dialect: .json) else { return nil }
    list = node.elements.compactMap { pair in
      let texts = pair.elements.compactMap(\.text)
      guard texts.count == 2 else { return nil }
      return RunWarnings.Warning(subject: texts[0], text: texts[1])
    }
  }
}

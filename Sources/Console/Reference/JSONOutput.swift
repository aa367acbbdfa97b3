package import Link

/// The one JSON object that `--json` prints.
package enum JSONOutput {
  package static func print(_ members: [JSONMember]) {
    Terminal.print(String(decoding: JSONWriter.compact(JSONNode(.object(members))), as: UTF8.self))
  }

  package static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { JSONNode(.string($0)) }) }

  package static func objects(_ objects: [[JSONMember]]) -> JSONValue { .array(objects.map { JSONNode(.object($0)) }) }

  /// A string, or null.
  package static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

  /// A number to three decimals; null if nil or not finite.
  package static func number(_ number: Double?) -> JSONValue {
    guard let number, number.isFinite else { return .null }
    guard abs(number) < 1e12 else { return .plain(number) }
    return .plain((number * 1_000).rounded() / 1_000)
  }
}

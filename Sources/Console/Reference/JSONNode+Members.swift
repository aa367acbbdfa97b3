import CoachProtocol
package import Link

extension JSONNode {
  /// A member of an object; nil if there is none.
  package func member(_ key: String) -> JSONNode? {
    guard case .object(let members) = value else { return nil }
    return members.first { $0.key == key }?.node
  }

  /// The value at a path of keys; nil if there is none.
  package func node(at path: [String]) -> JSONNode? {
    path.reduce(self as JSONNode?) { node, key in node?.member(key) }
  }

  /// The elements of an array; none for anything else.
  package var elements: [JSONNode] { if case .array(let elements) = value { elements } else { [] } }

  /// The text of a string; nil for anything else.
  package var text: String? { if case .string(let text) = value { text } else { nil } }

  /// A number of seconds as a span; nil for anything else, and for spans longer than any run.
  package var span: VirtualTime.Span? {
    guard let double, abs(double) < 1e9 else { return nil }
    return VirtualTime.Span(nanoseconds: Int64((double * 1e9).rounded()))
  }
}

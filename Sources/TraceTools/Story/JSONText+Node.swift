package import Link

extension JSONText {
  /// The value; nil for malformed JSON: a story leaves out what it cannot read.
  package var node: JSONNode? { try? JSONParser.parse(text, dialect: .json) }

  /// The elements of an array that are whole numbers.
  var wholeNumbers: [Int] { node?.elements.compactMap { $0.double.flatMap { Int(exactly: $0) } } ?? [] }
}

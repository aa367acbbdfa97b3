public import Link

/// A message that the user wrote in the chat.
public struct ChatMessage: Sendable, Equatable, JSONConvertible {
  /// Counts the messages of the chat from 1, without gaps.
  public var number: Int
  public var text: String

  public init(number: Int, text: String) {
    self.number = number
    self.text = text
  }

  /// Limit of the messages in a request.
  public static let countMax = 50
  /// Limit of a text in bytes.
  public static let bytesMax = 300
  /// What a text must be, for errors.
  public static let expected = "a text of 1 to \(bytesMax) bytes without control characters"

  /// Whether a text can be a message.
  public static func isText(_ text: String) -> Bool {
    (1...bytesMax).contains(text.utf8.count) && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
  }

  public init?(_ reader: JSONObjectReader) {
    let number = reader.integer("number", in: 1...Int64(Int32.max), required: true)
    let value = reader.value("text", required: true)
    guard let number, let value, let text = value.string() else { return nil }
    guard Self.isText(text) else {
      value.refuse(expected: Self.expected)
      return nil
    }
    self.init(number: Int(number), text: text)
  }

  public var json: JSONValue {
    .object(of: ["number": number, "text": text])
  }
}

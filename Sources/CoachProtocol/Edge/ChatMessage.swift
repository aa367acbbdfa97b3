public import Link

/// A message that the user wrote in the chat.
public struct ChatMessage: EdgeShape {
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

  public static let schema = ObjectSchema<Self>(
    "ChatMessage", "A message of the chat.", Self(number: 1, text: "-"),
    [
      Field("number", \.number, .integer(1...Int64(Int32.max)), "counts from 1", .required),
      Field("text", \.text, .string.satisfying(expected, isText), "what the user wrote", .required),
    ])
}

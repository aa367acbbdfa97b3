import Link

/// What one kind of message says and how it is written; each kind is a file of its own.
///
/// Fields stand in the payload after `kind` and `v`, in the order ``write(to:)`` writes them. A reader
/// takes them in any order, and passes over fields it does not know.
protocol AppMessageBody: Sendable, Equatable {
  /// Which kind.
  static var kind: AppMessage.Kind { get }
  /// The channel it goes by.
  static var channel: Channel { get }
  /// One with every field set.
  static var example: Self { get }

  /// The message that says this.
  var message: AppMessage { get }
  /// How many fields ``write(to:)`` writes.
  var fieldCount: Int { get }

  /// Writes the fields.
  func write(to writer: inout PropertyListWriter)

  /// Reads the fields.
  ///
  /// - Throws: ``MessageError`` for a field that is missing, or holds what it must not.
  init(from fields: inout MessageFields) throws(MessageError)
}

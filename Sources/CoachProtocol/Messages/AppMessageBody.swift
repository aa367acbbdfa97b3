import Link

/// The content and encoding of one kind of message; each kind has its own file.
///
/// Fields follow `kind` and `v` in the payload, in the order of ``write(to:)``. Readers accept any order, and skip
/// unknown fields.
protocol AppMessageBody: Sendable, Equatable {
  static var kind: AppMessage.Kind { get }
  /// The channel it is sent by.
  static var channel: Channel { get }
  /// One with every field set.
  static var example: Self { get }

  var message: AppMessage { get }
  /// The fields of a queued message's trace event, after `kind`: what checkers know that both ends know; none by default.
  func describe(in details: inout TransferDetails)
  /// Number of fields that ``write(to:)`` writes.
  var fieldCount: Int { get }

  func write(to writer: inout PropertyListWriter)

  /// Decodes the fields.
  ///
  /// - Throws: ``MessageError`` for a missing or invalid field.
  init(from fields: inout MessageFields) throws(MessageError)
}

extension AppMessageBody {
  func describe(in details: inout TransferDetails) {}
}

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

/// A message that says which run it is about, and nothing else.
protocol RunMessageBody: AppMessageBody {
  var runId: Identifier { get }

  init(runId: Identifier)
}

extension RunMessageBody {
  static var example: Self { Self(runId: .example) }

  var fieldCount: Int { 1 }

  func write(to writer: inout PropertyListWriter) {
    writer.identifier("runId", runId)
  }

  init(from fields: inout MessageFields) throws(MessageError) {
    self.init(runId: try fields.identifier("runId"))
  }
}

/// A message that says which workout it is about and when it was sent, by the watch's clock.
protocol StampedMessageBody: AppMessageBody {
  var workoutId: Identifier { get }
  var sentAt: WatchTime { get }

  init(workoutId: Identifier, sentAt: WatchTime)
}

extension StampedMessageBody {
  static var example: Self { Self(workoutId: .example, sentAt: .example) }

  func describe(in details: inout TransferDetails) {
    details.workoutId = workoutId
    details.sentAt = sentAt.nanoseconds
  }

  var fieldCount: Int { 2 }

  func write(to writer: inout PropertyListWriter) {
    writer.identifier("workoutId", workoutId)
    writer.integer("sentAt", sentAt.nanoseconds)
  }

  init(from fields: inout MessageFields) throws(MessageError) {
    self.init(workoutId: try fields.identifier("workoutId"), sentAt: try fields.time("sentAt"))
  }
}

extension Identifier {
  /// The run of every example.
  static let example = Identifier(high: 0x0E5B_0C4F_8A21_4D60, low: 0x9C37_51E2_7A44_0B18)
}

extension WatchTime {
  /// The time of the examples of a workout's events.
  static var example: Self { Self(nanoseconds: 1_775_975_403_000_000_000) }
}

extension PhoneTime {
  /// The time of the examples of commands.
  static var example: Self { Self(nanoseconds: 1_775_975_400_250_000_000) }
}

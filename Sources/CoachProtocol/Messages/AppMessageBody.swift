import Link

/// The content of one kind of message: its fields, listed once, follow `kind` and `v` in the payload.
///
/// Readers accept any order, and skip unknown fields.
protocol AppMessageBody: FieldRecord {
  static var kind: AppMessage.Kind { get }
  /// The channel it is sent by.
  static var channel: Channel { get }
  /// One with every field set.
  static var example: Self { get }

  var message: AppMessage { get }
  /// The fields of a queued message's trace event, after `kind`: what checkers know that both ends know.
  ///
  /// By default all fields of a message of the channel `userInfo`, and none of others.
  var tracedFields: [TraceEvent.Field] { get }

  /// The message whose trace event has these fields; nil for fields that no app sends.
  init?(traced fields: [TraceEvent.Field])
}

extension AppMessageBody {
  var tracedFields: [TraceEvent.Field] { Self.channel == .userInfo ? fields : [] }

  init?(traced fields: [TraceEvent.Field]) { self.init(fields) }

  /// The payload, encoded field by field.
  var plainlyEncoded: [UInt8] {
    var writer = PayloadWriter([.init("kind", .string(Self.kind.rawValue)), .init("v", .integer(AppMessage.version))])
    var body = self
    body.visit(&writer)
    return writer.bytes
  }
}

extension Identifier {
  /// The run of every example.
  static let example = Identifier(high: 0x0E5B_0C4F_8A21_4D60, low: 0x9C37_51E2_7A44_0B18)
}

extension NodeTime {
  /// The placeholder of a field.
  static var none: Self { Self(nanoseconds: 0) }
}

extension WatchTime {
  /// The time of the examples of a workout's events.
  static var example: Self { Self(nanoseconds: 1_775_975_403_000_000_000) }
}

extension PhoneTime {
  /// The time of the examples of commands.
  static var example: Self { Self(nanoseconds: 1_775_975_400_250_000_000) }
}

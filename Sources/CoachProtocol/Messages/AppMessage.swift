public import Link

/// All messages between watch and phone, except voice notes, which are files.
///
/// An enum, so that the compiler reports a receiver that lacks a new kind. Fields and channel of a
/// kind are in one place.
public enum AppMessage: Sendable, Equatable {
  case liveMetrics(LiveMetrics)
  case workoutStarted(WorkoutStarted)
  case workoutPaused(WorkoutPaused)
  case workoutResumed(WorkoutResumed)
  case workoutEnded(WorkoutEnded)
  case sessionReport(SessionReport)
  case startWorkout(StartWorkout)
  case startAck(StartAck)
  case startDeclined(StartDeclined)
  case cancelStart(CancelStart)
  case endWorkout(EndWorkout)
  case hapticCue(HapticCue)
  case companionMessageDispatched(CompanionMessageDispatched)
  case findWatch(FindWatch)
  case probe(Probe)

  /// The kinds of messages: `kind` on the wire and in the trace.
  public enum Kind: String, Sendable, CaseIterable {
    case liveMetrics, workoutStarted, workoutPaused, workoutResumed, workoutEnded, sessionReport
    case startWorkout, startAck, startDeclined, cancelStart, endWorkout
    case hapticCue, companionMessageDispatched, findWatch
    case probe
  }

  /// The content and its encoding: a line for each case.
  var body: any AppMessageBody {
    switch self {
    case .liveMetrics(let body): body
    case .workoutStarted(let body): body
    case .workoutPaused(let body): body
    case .workoutResumed(let body): body
    case .workoutEnded(let body): body
    case .sessionReport(let body): body
    case .startWorkout(let body): body
    case .startAck(let body): body
    case .startDeclined(let body): body
    case .cancelStart(let body): body
    case .endWorkout(let body): body
    case .hapticCue(let body): body
    case .companionMessageDispatched(let body): body
    case .findWatch(let body): body
    case .probe(let body): body
    }
  }

  public var kind: Kind {
    // Sent every second, and its content is large.
    if case .liveMetrics = self { .liveMetrics } else { type(of: body).kind }
  }

  /// The channel it is sent by.
  ///
  /// A start is sent by `applicationContext` if the watch is unreachable, and so is its cancellation.
  public var channel: Channel { if case .liveMetrics = self { LiveMetrics.channel } else { type(of: body).channel } }

  /// The fields of a transfer's trace event, from `kind` on.
  public var eventDetails: TransferDetails {
    var details = TransferDetails(body.tracedFields) ?? TransferDetails()
    details.kind = kind.rawValue
    return details
  }
}

extension AppMessage.Kind {
  /// The types that define the kinds, in the order of the cases.
  private static let bodies: [any AppMessageBody.Type] = [
    LiveMetrics.self,
    WorkoutStarted.self,
    WorkoutPaused.self,
    WorkoutResumed.self,
    WorkoutEnded.self,
    SessionReport.self,
    StartWorkout.self,
    StartAck.self,
    StartDeclined.self,
    CancelStart.self,
    EndWorkout.self,
    HapticCue.self,
    CompanionMessageDispatched.self,
    FindWatch.self,
    Probe.self,
  ]
  private static let bodiesByKind = Dictionary(uniqueKeysWithValues: bodies.map { ($0.kind, $0) })

  /// The type that defines the kind.
  var body: any AppMessageBody.Type {
    guard let body = Self.bodiesByKind[self] else { preconditionFailure("\(self) is missing in bodies") }
    return body
  }

  /// The channel it is sent by.
  public var channel: Channel { body.channel }

  /// A message of the kind with every field set, for reference pages and tests.
  public var example: AppMessage { body.example.message }
}

extension AppMessage {
  /// The version of every kind: `v` in the payload.
  public static let version: Int64 = 1
  /// How much of an unknown kind is repeated in errors and traces.
  private static let kindCharactersMax = 64

  /// The message as a binary property list: `kind`, `v`, then the fields in their fixed order.
  public var encoded: [UInt8] {
    if case .liveMetrics(let metrics) = self { metrics.encoded } else { body.plainlyEncoded }
  }

  /// Decodes an untrusted payload.
  public static func reading(_ bytes: [UInt8]) -> Result<AppMessage, MessageError> {
    do throws(MessageError) { return .success(try AppMessage(decoding: bytes)) } catch { return .failure(error) }
  }

  /// Decodes an untrusted payload.
  ///
  /// - Throws: ``MessageError``.
  public init(decoding bytes: [UInt8]) throws(MessageError) {
    var metrics = LiveMetrics()
    var workout = IdentifierText.none
    if LiveMetricsTemplate.read(bytes, into: &metrics, workout: &workout) {
      self = .liveMetrics(metrics)
      return
    }
    var reader: PayloadReader
    do throws(PropertyListError) { reader = try PayloadReader(bytes) } catch { throw .unreadable(error) }
    let version: Int64? = if case .integer(let number)? = reader.value("v") { number } else { nil }
    guard case .string(let text)? = reader.value("kind") else { throw .noKind(version: version) }
    guard let kind = Kind(rawValue: text) else {
      throw .unknownKind(String(text.prefix(Self.kindCharactersMax)), version: version)
    }
    guard version == Self.version else { throw .unknownVersion(kind, version) }
    func read<Body: AppMessageBody>(_ body: Body.Type) throws(PayloadFault) -> AppMessage {
      try reader.read(body).message
    }
    do throws(PayloadFault) { self = try read(kind.body) } catch {
      switch error {
      case .missing(let key): throw .missing(kind, key: key)
      case .wrong(let key, let found, let expected): throw .wrong(kind, key: key, found: found, expected: expected)
      }
    }
  }

  /// The message of a transfer's trace event; nil for another kind of event, and for fields that no app sends.
  public init?(traced fields: [TraceEvent.Field]) {
    guard let text = fields.first(where: { $0.key == "kind" })?.value.text, let kind = Kind(rawValue: text),
      kind.channel == .userInfo || kind == .probe, let body = kind.body.init(traced: fields)
    else { return nil }
    self = body.message
  }
}

/// Why a payload is not a valid message.
public enum MessageError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The bytes are no property list, or its top level is no dictionary.
  case unreadable(PropertyListError)
  /// `kind` is missing or no string; with `v` if present.
  case noKind(version: Int64?)
  /// An unknown kind; with `v` if present.
  case unknownKind(String, version: Int64?)
  /// A known kind in an unknown version; nil if it is missing.
  case unknownVersion(AppMessage.Kind, Int64?)
  /// A required field is missing.
  case missing(AppMessage.Kind, key: String)
  /// A field is invalid.
  case wrong(AppMessage.Kind, key: String, found: String, expected: String)

  /// One sentence for the trace: found and expected.
  public var description: String {
    switch self {
    case .unreadable(let error): "not a dictionary in a property list: \(error)"
    case .noKind(let version): "no kind" + Self.suffix(version)
    case .unknownKind(let kind, let version): "unknown kind \"\(kind)\"" + Self.suffix(version)
    case .unknownVersion(let kind, let version?):
      "\(kind.rawValue): unknown version \(version), expected \(AppMessage.version)"
    case .unknownVersion(let kind, nil): "\(kind.rawValue): no version, expected \(AppMessage.version)"
    case .missing(let kind, let key): "\(kind.rawValue): no \(key)"
    case .wrong(let kind, let key, let found, let expected):
      "\(kind.rawValue): \(key) is \(found), expected \(expected)"
    }
  }

  /// The payload's version, if any: it identifies a peer of another build.
  private static func suffix(_ version: Int64?) -> String { version.map { ", version \($0)" } ?? "" }

  /// The payload's kind; empty if it has none.
  public var kindText: String {
    switch self {
    case .unreadable, .noKind: ""
    case .unknownKind(let text, _): text
    case .unknownVersion(let kind, _), .missing(let kind, _), .wrong(let kind, _, _, _): kind.rawValue
    }
  }
}

extension Result<AppMessage, MessageError> {
  /// The payload's kind, known or not; empty if it has none.
  public var kindText: String {
    switch self {
    case .success(let message): message.kind.rawValue
    case .failure(let error): error.kindText
    }
  }
}

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

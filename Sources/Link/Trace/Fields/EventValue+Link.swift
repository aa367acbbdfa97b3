/// A value that is one of a few words.
public protocol EventWord: EventValue, CaseIterable {
  /// The word in the trace.
  var text: String { get }
}

extension EventWord where Self: RawRepresentable, RawValue == String {
  public var text: String { rawValue }
}

extension EventWord {
  public init?(traceValue value: TraceValue) {
    guard case .string(let text) = value, let found = Self.allCases.first(where: { $0.text == text }) else {
      return nil
    }
    self = found
  }
  public var traceValue: TraceValue { .string(text) }
  public static var shape: EventFieldShape { .words(allCases.map(\.text)) }
}

extension NodeRole: EventWord {}

extension Channel: EventWord {
  /// Omits ``health``, which no line of a trace has.
  public static var shape: EventFieldShape { .words(allCases.filter { $0 != .health }.map(\.text)) }
}

extension Frame.Kind: EventWord {}

extension DropCause: EventValue {
  public init?(traceValue value: TraceValue) {
    guard case .string(let text) = value else { return nil }
    self.init(text)
  }
  public var traceValue: TraceValue { .string(text) }
  public static var shape: EventFieldShape { .text }
}

/// The first 8 bytes of a payload's digest, or the whole digest of a file; computed on first read.
public struct EventDigest: EventValue {
  /// The digest as a line has it.
  public let traceValue: TraceValue

  public init?(traceValue value: TraceValue) {
    switch value {
    case .hex, .digest, .string: traceValue = value
    default: return nil
    }
  }
  public static var shape: EventFieldShape { .digest }

  /// The first 8 bytes; nil for a malformed digest.
  public var bits: UInt64? { traceValue.digestBits }

  /// All zeros.
  public static let none = EventDigest(zero: ())

  private init(zero: ()) { traceValue = .hex(0) }

  /// The digest of a payload.
  public init(of payload: [UInt8]) { traceValue = .digest(of: payload) }

  /// A digest that begins with these 8 bytes.
  public init(bits: UInt64) { traceValue = .hex(bits) }

  /// The whole digest of a file.
  public init(file digest: [UInt8]) { traceValue = .string(Digest.text(digest)) }
}

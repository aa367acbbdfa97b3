import Link

/// What the payloads of test traffic are.
public enum ProbePayload: String, Sendable, CaseIterable {
  /// A number, and bytes that mean nothing.
  case probe
  /// A probe as another build writes it, in a version that no app here reads.
  case nextVersion
  /// A kind of message that only another build knows.
  case unknownKind
  /// Bytes that are no property list.
  case noise
  /// The command that asks the watch for a run; it is no test traffic to a watch, which obeys it.
  case startWorkout

  /// Whether no app of this build can read it.
  public var isForeign: Bool { self == .nextVersion || self == .unknownKind || self == .noise }

  /// The kind that a payload of another build names.
  static let unknownKindName = "heartRateZones"

  /// The bytes that another build sends, with a number that tells them apart; nil for what this build reads.
  func foreignBytes(number: Int64, filler: [UInt8]) -> [UInt8]? {
    switch self {
    case .probe, .startWorkout: return nil
    case .nextVersion, .unknownKind:
      var writer = PropertyListWriter(entryCount: 4)
      writer.string("kind", self == .nextVersion ? AppMessage.Kind.probe.rawValue : Self.unknownKindName)
      writer.integer("v", AppMessage.version + 1)
      writer.integer("n", number)
      writer.data("filler", filler)
      return writer.finish()
    case .noise: return Array("noise \(number):".utf8) + filler
    }
  }
}

import Link

/// The payloads of test traffic.
public enum ProbePayload: String, Sendable, CaseIterable {
  /// A number and filler bytes.
  case probe
  /// A probe in the version of another build, which no app here reads.
  case nextVersion
  /// A kind of message that only another build knows.
  case unknownKind
  /// Bytes that are no property list.
  case noise
  /// The start command, which a watch obeys.
  case startWorkout

  /// The kind in a payload of another build.
  static let unknownKindName = "heartRateZones"

  /// The payload of another build, with a number that tells them apart; nil for a payload that this build reads.
  func foreignBytes(number: Int64, filler: [UInt8]) -> [UInt8]? {
    switch self {
    case .probe, .startWorkout: return nil
    case .nextVersion, .unknownKind:
      let kind = self == .nextVersion ? AppMessage.Kind.probe.rawValue : Self.unknownKindName
      var writer = PayloadWriter([.init("kind", .string(kind)), .init("v", .integer(AppMessage.version + 1))])
      var probe = Probe(number: number, filler: filler)
      probe.visit(&writer)
      return writer.bytes
    case .noise: return Array("noise \(number):".utf8) + filler
    }
  }
}

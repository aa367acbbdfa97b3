public import Link

/// Sends test traffic on the channels of one device's session.
///
/// Numbers its probes from 1 in each start of the app, and fills them with bytes derived from role, epoch and number:
/// no two payloads are equal, and other random draws are unaffected.
public struct ProbeTraffic: Sendable, Equatable {
  private let role: NodeRole
  private let random: RandomStream
  /// The number of the last probe of this start.
  private var last: Int64 = 0

  public init(role: NodeRole, epoch: Epoch) {
    self.role = role
    random = RandomStream(seed: UInt64(epoch.rawValue), name: "probe.\(role.text)")
  }

  /// Carries out a command, or records its refusal.
  ///
  /// A refusal by the session ends the command with an event too, except for a message that cannot be sent, which has
  /// an event of its own.
  ///
  /// - Parameter clock: This side's clock in nanoseconds since 1970.
  /// - Returns: False for a command of another kind, which is ignored.
  public mutating func carryOut(
    _ command: NodeCommand, through session: inout Session, clock: Int64, in turn: inout Turn
  ) -> Bool {
    let now = turn.now
    do throws(CommandRefusal) {
      guard let order = try ProbeCommand.reading(command) else { return false }
      try carryOut(order, through: &session, clock: clock, in: &turn)
    } catch {
      turn.record(error.event(command.name, at: now, on: role))
    }
    return true
  }

  private mutating func carryOut(
    _ order: ProbeCommand, through session: inout Session, clock: Int64, in turn: inout Turn
  ) throws(CommandRefusal) {
    do throws(SessionError) {
      switch order {
      case .sendMessage(let count, let bytes, let wantsReply, let payload):
        for _ in 0..<count {
          let made = make(payload, bytes, on: .message, clock: clock, in: &turn)
          session.sendMessage(made.payload, kind: made.kind, wantsReply: wantsReply, in: &turn)
        }
      case .updateApplicationContext(let bytes, let payload):
        let made = make(payload, bytes, on: .applicationContext, clock: clock, in: &turn)
        try session.updateApplicationContext(made.payload, in: &turn)
      case .transferUserInfo(let count, let bytes, let payload):
        for _ in 0..<count {
          let made = make(payload, bytes, on: .userInfo, clock: clock, in: &turn)
          try session.transferUserInfo(made.payload, details: made.details, in: &turn)
        }
      case .transferCurrentComplicationUserInfo(let count, let bytes):
        for _ in 0..<count {
          let probe = next(bytes)
          try session.transferComplicationUserInfo(probe.encoded, clock: clock, details: probe.eventDetails, in: &turn)
        }
      case .transferFile(let bytes, let name):
        last += 1
        let metadata = FileMetadata.probe(last)
        let content = FileContent.generated(key: random.bits(for: UInt64(last)), byteCount: UInt64(bytes))
        let offer = FileOffer(
          name: name ?? "probe-\(last).bin", byteCount: content.byteCount, digest: content.digest,
          metadata: metadata.encoded)
        try session.transferFile(offer, content: content, details: metadata.eventDetails, in: &turn)
      case .cancelTransfers:
        for lane in Lane.allCases { session.cancelAll(in: lane, in: &turn) }
      }
    } catch {
      throw CommandRefusal(error.text(on: role))
    }
  }

  /// A payload with its trace fields.
  private struct Made {
    var payload: [UInt8]
    var kind: String
    var details: TransferDetails
  }

  /// Makes a payload, and records the event of a foreign one or of a start.
  private mutating func make(
    _ payload: ProbePayload, _ bytes: Int, on channel: Channel, clock: Int64, in turn: inout Turn
  ) -> Made {
    if payload == .startWorkout {
      last += 1
      let runId = Identifier(random, for: UInt64(last))
      turn.record(StartAsked.self, on: role.place) {
        $0.runId = runId
        $0.channel = channel
      }
      let start = AppMessage.startWorkout(
        StartWorkout(
          runId: runId, runType: .outdoor, personality: "encouraging", mode: .training,
          sentAt: PhoneTime(nanoseconds: clock)))
      return Made(payload: start.encoded, kind: start.kind.rawValue, details: start.eventDetails)
    }
    let probe = next(bytes)
    guard case .probe(let body) = probe, let foreign = payload.foreignBytes(number: last, filler: body.filler) else {
      return Made(payload: probe.encoded, kind: AppMessage.Kind.probe.rawValue, details: probe.eventDetails)
    }
    turn.record(PayloadForeign.self, on: role.place) {
      $0.channel = channel
      $0.digest = EventDigest(bits: Digest.prefix(foreign))
    }
    var details = TransferDetails()
    details.kind = payload.rawValue
    details.n = last
    return Made(payload: foreign, kind: payload.rawValue, details: details)
  }

  /// The next probe, with a payload of this size if possible, otherwise slightly smaller, or the smallest.
  private mutating func next(_ bytes: Int) -> AppMessage {
    last += 1
    var count = bytes
    var probe = message(fillerCount: count)
    // Overhead never grows if the filler shrinks, so the second size is small enough; overhead may have shrunk, and the
    // third size uses that.
    for _ in 0..<3 {
      let spare = bytes - probe.encoded.count
      guard spare != 0, count + spare >= 0 else { break }
      let other = message(fillerCount: count + spare)
      guard spare < 0 || other.encoded.count <= bytes else { break }
      count += spare
      probe = other
    }
    return probe.encoded.count <= bytes ? probe : message(fillerCount: 0)
  }

  private func message(fillerCount: Int) -> AppMessage {
    var filler: [UInt8] = []
    filler.reserveCapacity(fillerCount + 7)
    while filler.count < fillerCount {
      let bits = random.bits(for: UInt64(last), draw: UInt64(filler.count))
      for shift in stride(from: 0, to: 64, by: 8) { filler.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift))) }
    }
    filler.removeLast(filler.count - fillerCount)
    return .probe(Probe(number: last, filler: filler))
  }
}

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

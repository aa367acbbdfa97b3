/// Messages that launch the peer's app, as a watch launches its phone's.
///
/// The host starts the app and passes in the message first. The new session does not know the sender yet, so this
/// message and those after it wait in a box until both sides know each other's epoch. The answer to the sender's hello
/// names them, so that the sender does not consider them lost with the previous start.
extension Session {
  /// Messages that arrived before their sender's hello.
  struct LaunchBox: Sendable, Equatable {
    /// The capacity; later messages are lost.
    static let countMax = 64
    /// In the order of arrival; the first one launched the app.
    var frames: [Frame] = []
  }

  /// Whether a message has a receiver, which it may have to launch.
  var isWithinReach: Bool {
    reachable || launchesPeer && linkIsUp && peerIsInstalled && (handshake.peerEpoch.rawValue > 0 || !peerIsRunning)
  }

  /// Stores a message until its sender's hello.
  ///
  /// Messages with lower numbers than the first one may have reached an earlier start of the app.
  mutating func storeForLaunch(_ frame: Frame, in turn: inout Turn) {
    guard frame.seq.rawValue > 0, let held = launchBox?.frames, held.count < LaunchBox.countMax,
      held.first.map({ $0.epoch == frame.epoch && $0.seq <= frame.seq }) ?? true
    else { return refuse(frame, why: "before the hello of its sender", in: &turn) }
    guard !held.contains(where: { $0.seq == frame.seq }) else { return }
    launchBox?.frames.append(frame)
  }

  /// Fixes which messages the answer to a hello names.
  mutating func acceptLaunchBox(of sender: Epoch) {
    guard let held = launchBox?.frames else { return }
    if held.first?.epoch != sender { launchBox = nil }
    acceptedAtLaunch = launchBox?.frames.map(\.seq) ?? []
  }

  /// Delivers the waiting messages once both sides know each other and the app is awake.
  mutating func handOverLaunchBox(in turn: inout Turn) {
    guard let held = launchBox?.frames, reachable, !isSuspended else { return }
    launchBox = nil
    for frame in held {
      // The hello marked the accepted messages as seen; any other came after it.
      guard acceptedAtLaunch.contains(frame.seq) || messages.filter.insert(frame.seq) else { continue }
      deliverMessage(frame, isStale: false, in: &turn)
    }
  }
}

extension SequenceNumber {
  /// The number as eight bytes, little-endian.
  package var bytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: rawValue >> UInt64(8 * $0)) } }

  /// Decodes a list of numbers; empty if the bytes are not one, or if it exceeds the capacity of a launch box.
  static func decodeList(_ bytes: [UInt8]) -> [SequenceNumber] {
    guard bytes.count % 8 == 0, bytes.count / 8 <= Session.LaunchBox.countMax else { return [] }
    return stride(from: 0, to: bytes.count, by: 8).map { SequenceNumber(bytes.littleEndian(UInt64.self, at: $0)) }
  }
}

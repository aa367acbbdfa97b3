/// A message that launches the peer's app, as one from a watch launches its phone's.
///
/// The host starts the app and hands it the message first. Its session knows nothing of the sender yet, so the message and
/// those that follow it wait in a box until both sides know of each other's epoch; the answer to the sender's hello names
/// them, so that the sender does not take them for lost with the start before.
extension Session {
  /// Messages that came before their sender's hello.
  struct LaunchBox: Sendable, Equatable {
    /// How many it holds; those that come later are lost.
    static let countMax = 64
    /// In the order of arrival; the first is the one that launched the app.
    var frames: [Frame] = []
  }

  /// Whether a message finds a receiver, which may have to be launched first.
  var isWithinReach: Bool {
    reachable || launchesPeer && linkIsUp && peerIsInstalled && (peerEpoch.rawValue > 0 || !peerIsRunning)
  }

  /// Keeps a message until its sender's hello.
  ///
  /// Whatever has a number below the first one's may have reached an earlier start of the app.
  mutating func keepForLaunch(_ frame: Frame, at now: VirtualTime, into output: inout NodeOutput) {
    guard frame.seq.rawValue > 0, let held = launchBox?.frames, held.count < LaunchBox.countMax,
      held.first.map({ $0.epoch == frame.epoch && $0.seq <= frame.seq }) ?? true
    else { return refuse(frame, why: "before the hello of its sender", at: now, into: &output) }
    guard !held.contains(where: { $0.seq == frame.seq }) else { return }
    launchBox?.frames.append(frame)
  }

  /// Fixes which messages a hello's answer names.
  mutating func acceptLaunchBox(of sender: Epoch) {
    guard let held = launchBox?.frames else { return }
    if held.first?.epoch != sender { launchBox = nil }
    acceptedAtLaunch = launchBox?.frames.map(\.seq) ?? []
  }

  /// Hands over what waited, once both sides know of each other and the app is awake.
  mutating func handOverLaunchBox(
    at now: VirtualTime, into output: inout NodeOutput, delivering deliveries: inout [SessionDelivery]
  ) {
    guard let held = launchBox?.frames, reachable, !isSuspended else { return }
    launchBox = nil
    for frame in held {
      // The hello counts the accepted ones as seen; any other has come after it.
      guard acceptedAtLaunch.contains(frame.seq) || messageFilter.insert(frame.seq) else { continue }
      handOver(frame, isStale: false, at: now, into: &output, delivering: &deliveries)
    }
  }
}

extension SequenceNumber {
  /// Its eight bytes, little-endian.
  var bytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: rawValue >> UInt64(8 * $0)) } }

  /// Reads a list of them; empty for bytes that are none, or for more than a launch box holds.
  static func list(_ bytes: [UInt8]) -> [SequenceNumber] {
    guard bytes.count % 8 == 0, bytes.count / 8 <= Session.LaunchBox.countMax else { return [] }
    return stride(from: 0, to: bytes.count, by: 8).map { start in
      SequenceNumber((0..<8).reduce(0) { $0 | UInt64(bytes[start + $1]) << UInt64(8 * $1) })
    }
  }
}

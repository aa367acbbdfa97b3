/// Flaws of a device's own framework, switched by the conditions of a node.
///
/// Quirks of one device's session; a quirk that affects frames in flight is a fault of the medium.
public enum SessionQuirk: String, Sendable, CaseIterable {
  /// The side keeps its belief about reachability.
  case reachabilityStuck
  /// The app gets no notification of changes of reachability.
  case reachabilityEdgeLost
  /// The side believes its peer reachable, whether it is or not.
  case phantomReachable
  /// Queued user infos wait until another one is queued, which releases the oldest.
  case queueStall
  /// On waking, the app gets old and repeated contexts.
  case contextBurst
  /// After a crash, the app gets the last handled items once more.
  case deliveredTwice
  /// Transfers that reached the peer are never reported as finished.
  case finishLost

  /// Possible errors of a message sent while the app wrongly believes its peer reachable.
  public static let messageErrors: [SessionError] = [.notReachable, .deliveryFailed, .transferTimedOut]

  /// The index in ``allCases``.
  var index: Int {
    switch self {
    case .reachabilityStuck: 0
    case .reachabilityEdgeLost: 1
    case .phantomReachable: 2
    case .queueStall: 3
    case .contextBurst: 4
    case .deliveredTwice: 5
    case .finishLost: 6
    }
  }
}

/// The active quirks.
struct SessionQuirkSet: Sendable, Equatable {
  /// The capacity; a test compares it with the number of quirks.
  static let capacity = UInt64.bitWidth

  private var bits: UInt64 = 0

  subscript(quirk: SessionQuirk) -> Bool {
    get { bits >> UInt64(quirk.index) & 1 == 1 }
    set {
      let bit: UInt64 = 1 << UInt64(quirk.index)
      bits = newValue ? bits | bit : bits & ~bit
    }
  }
}

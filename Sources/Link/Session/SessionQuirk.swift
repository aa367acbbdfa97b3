/// What a side's own framework can get wrong, as the conditions of a node tell it.
///
/// Quirks of one device's session; what a quirk does to frames on their way is a fault of the medium.
public enum SessionQuirk: String, Sendable, CaseIterable {
  /// The side goes on believing of reachability what it believed.
  case reachabilityStuck
  /// Reachability changes, and the app is not told.
  case reachabilityEdgeLost
  /// The side believes its peer reachable, whether it is or not.
  case phantomReachable
  /// Queued user infos wait until one more is queued, which lets the oldest go.
  case queueStall
  /// On waking the app is handed old and repeated contexts.
  case contextBurst
  /// After a crash the app is handed what it had handled last, again.
  case deliveredTwice
  /// Transfers that reached the peer are never reported as finished.
  case finishLost

  /// What a message can fail with that is sent while the app wrongly believes its peer in reach.
  public static let messageErrors: [SessionError] = [.notReachable, .deliveryFailed, .transferTimedOut]

  /// Its place in ``allCases``.
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

/// The quirks that are on.
struct SessionQuirkSet: Sendable, Equatable {
  /// How many quirks fit; a test compares it with their number.
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

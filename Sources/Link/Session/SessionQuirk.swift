/// A flaw of a device's own framework, switched by the conditions of a node.
///
/// A quirk concerns one device's session; one that affects frames in flight is a fault of the medium. Each is declared in the
/// file of its fault in `Medium/Quirks`, with what the session does differently.
public struct SessionQuirk: Sendable, Equatable {
  /// Carried out when a quirk is switched on or off; `error` is that of the fault, nil to draw it for each message.
  typealias Switch =
    @Sendable (_ session: inout Session, _ isOn: Bool, _ error: SessionError?, _ turn: inout Turn) -> Void

  /// The kind of its fault.
  public let name: String
  /// The number of its condition in the node protocol: 5 to 15, or 24 to 63; a quirk keeps it for good.
  public let number: UInt8
  /// What happens when it is switched; nil for nothing.
  let switched: Switch?
  /// Whether the app does not get a delivery while the quirk is on; nil for a quirk that withholds none.
  let withholds: (@Sendable (Session, SessionDelivery) -> Bool)?

  init(
    _ name: String, number: UInt8, switched: Switch? = nil,
    withholds: (@Sendable (Session, SessionDelivery) -> Bool)? = nil
  ) {
    self.name = name
    self.number = number
    self.switched = switched
    self.withholds = withholds
  }

  /// All quirks, in the order of their numbers.
  public static let all: [SessionQuirk] = FaultCatalog.quirks
    .flatMap { [$0.quirk] + $0.choices.map(\.quirk) }
    .sorted { $0.number < $1.number }

  /// Possible errors of a message sent while the app wrongly believes its peer reachable.
  public static let messageErrors: [SessionError] = [.notReachable, .deliveryFailed, .transferTimedOut]

  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.number == rhs.number }
}

/// The active quirks: a bit for each number.
struct SessionQuirkSet: Sendable, Equatable {
  private var bits: UInt64 = 0

  subscript(quirk: SessionQuirk) -> Bool {
    get { bits >> UInt64(quirk.number) & 1 == 1 }
    set {
      let bit: UInt64 = 1 << UInt64(quirk.number)
      bits = newValue ? bits | bit : bits & ~bit
    }
  }
}

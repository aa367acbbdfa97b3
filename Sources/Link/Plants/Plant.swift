/// A known bug that can be switched on: one from a real app, which the checkers must find.
///
/// Plants are compiled into every build and chosen when a machine is created. Each has its own file, with its bit and
/// its texts, and a line in its module's list; the machine checks ``Plants`` at the one decision that the plant
/// changes.
public struct Plant: Sendable, Equatable {
  /// The name in commands, scenarios and traces.
  public let name: String
  /// The option that a machine checks.
  public let plants: Plants
  /// The nodes whose app or session misbehaves.
  public let nodes: [NodeRole]
  /// What happened in the field.
  public let happened: String
  /// What a machine with the plant does.
  public let wrong: String
  /// What a machine without the plant does.
  public let right: String
  /// The invariants that break, the most specific first.
  public let caughtBy: [String]
  /// The scenario whose sweep looks for it, by its name in `scenarios/`.
  public let sweptIn: String

  /// Describes a plant; other modules add their own.
  public init(
    _ name: String, _ plants: Plants, in nodes: [NodeRole], happened: String, wrong: String, right: String,
    caughtBy: [String], sweptIn: String = "trust"
  ) {
    self.name = name
    self.plants = plants
    self.nodes = nodes
    self.happened = happened
    self.wrong = wrong
    self.right = right
    self.caughtBy = caughtBy
    self.sweptIn = sweptIn
  }
}

/// The plants of a machine; empty by default.
public struct Plants: OptionSet, Sendable, Hashable {
  public let rawValue: UInt128

  public init(rawValue: UInt128) { self.rawValue = rawValue }

  /// One plant: bits 0 to 6 are for the session, 7 to 15 for both apps and
  /// more of the phone, 16 to 26 for the watch, 27 to 31 for
  /// the edge, 32 to 63 for the phone; from 64 on, whoever comes next.
  public init(bit: Int) {
    precondition((0..<128).contains(bit), "the bit is in 0..<128")
    rawValue = 1 << UInt128(bit)
  }
}

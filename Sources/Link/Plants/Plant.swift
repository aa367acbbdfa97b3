/// A bug that is planted on purpose: one that an app of the field had, and that the checkers must find.
///
/// Plants are compiled into every build and chosen when a machine is made. Each is a file of its own with its bit and its
/// texts, and a line in its module's list; the machine asks ``Plants`` at the one place where it then does wrong.
public struct Plant: Sendable, Equatable {
  /// The name in commands, scenarios and traces.
  public let name: String
  /// The option that a machine asks for.
  public let plants: Plants
  /// Whose app, or whose end of the link, does wrong.
  public let nodes: [NodeRole]
  /// What was met in the field.
  public let happened: String
  /// What the planted machine does.
  public let wrong: String
  /// What it does without the plant.
  public let right: String
  /// The invariants that break, the most telling first.
  public let caughtBy: [String]
  /// The scenario whose plain sweep looks for it, by its name in `scenarios/`.
  public let sweptIn: String

  /// Describes a plant: modules above add their own.
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

/// The plants of a machine; none, as it should be, unless somebody asks for one.
public struct Plants: OptionSet, Sendable, Hashable {
  public let rawValue: UInt64

  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// One plant: bits 0 to 7 are the session's, 8 to 15 for both apps, 16 to 31 the watch's, 32 to 63 the phone's.
  public init(bit: Int) {
    precondition((0..<64).contains(bit), "there are 64 bits")
    rawValue = 1 << UInt64(bit)
  }
}

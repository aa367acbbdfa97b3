/// A known bug that can be switched on: one from a real app, which the checkers must find.
///
/// Plants are compiled into every build and chosen when a machine is created. Each is one entry of its module, with a line
/// in the module's list; the machine asks ``Plants`` at the one decision that the plant changes.
public struct Plant: Sendable, Equatable {
  /// The name in commands, scenarios and traces.
  public let name: String
  /// Its place in ``Plants``, 0 to 127: no two plants have the same.
  let bit: Int
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
    _ bit: Int, _ name: String, in nodes: [NodeRole], happened: String, wrong: String, right: String,
    caughtBy: [String], sweptIn: String = "trust"
  ) {
    precondition((0..<128).contains(bit), "the bit is in 0..<128")
    self.bit = bit
    self.name = name
    self.nodes = nodes
    self.happened = happened
    self.wrong = wrong
    self.right = right
    self.caughtBy = caughtBy
    self.sweptIn = sweptIn
  }
}

/// The plants of a machine; empty by default.
public struct Plants: Sendable, Hashable, ExpressibleByArrayLiteral {
  /// Bits 0 to 6 are for the session, 7 to 15 for both apps and more of the phone, 16 to 26 for the watch, 27 to 31 for the
  /// edge, 32 to 63 for the phone; from 64 on, whoever comes next.
  private var bits: UInt128 = 0

  public init(arrayLiteral plants: Plant...) {
    for plant in plants { insert(plant) }
  }

  /// Whether there is none.
  public var isEmpty: Bool { bits == 0 }

  /// Whether a plant is among them.
  public func contains(_ plant: Plant) -> Bool { bits >> UInt128(plant.bit) & 1 != 0 }

  /// Adds a plant.
  public mutating func insert(_ plant: Plant) { bits |= 1 << UInt128(plant.bit) }

  /// Adds the plants of another value.
  public mutating func formUnion(_ other: Plants) { bits |= other.bits }

  /// Those that another value does not have.
  public func subtracting(_ other: Plants) -> Plants {
    var rest = self
    rest.bits &= ~other.bits
    return rest
  }
}

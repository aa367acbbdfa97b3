package import Link

extension Invariants {
  /// The invariants that this program was linked with.
  package static let linked = linkedInvariants()
}

/// Defined by the target `CoachCheckers`, which nothing here imports.
///
/// If `Simulator` imported the checkers, a change to one would compile four targets that do not use it: 150 s and more of a
/// release build instead of 15 (docs/decisions/0119).
@_silgen_name("wristwire_invariants")
private func linkedInvariants() -> Invariants

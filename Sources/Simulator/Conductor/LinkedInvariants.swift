package import Link

extension Invariants {
  /// The invariants that this program was linked with.
  package static let linked = linkedInvariants()
}

/// Defined by the target `CoachCheckers`, which nothing here imports.
///
/// A change to a checker would otherwise compile four targets again, of which none needs to know it: 155 s of a release build
/// instead of 30.
@_silgen_name("wristwire_invariants")
private func linkedInvariants() -> Invariants

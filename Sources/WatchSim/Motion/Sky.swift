import Link

/// How well satellites are received along a course, from the seed: under open sky, under trees, under a bridge.
///
/// The course is a round, so that each lap has the same trees.
struct Sky: Sendable, Equatable {
  /// Radius of the error under open sky, in decimetres.
  private static let open: UInt16 = 50
  private static let stretchMetres = 40

  /// The radius of each stretch of the course, in decimetres; empty for a machine, which always receives well.
  private let radii: [UInt16]

  /// - Parameters:
  ///   - metres: How long the round is.
  ///   - noise: 0 for a machine.
  init(seed: UInt64, metres: Int, noise: Double) {
    let random = RandomStream(seed: seed, name: "watch/sky")
    guard noise > 0 else {
      radii = []
      return
    }
    let count = max(1, metres / Self.stretchMetres)
    // Half of the courses lead under a bridge.
    let bridge = Draw.between(0, Int64(2 * count - 1), random, for: 0, draw: 1)
    radii = (0..<count).map { stretch in
      if Int64(stretch) == bridge { return 350 }
      return Draw.between(0, 3, random, for: UInt64(stretch)) == 0 ? 120 : Self.open
    }
  }

  /// The radius of the error, in decimetres; two in three fixes are within it.
  ///
  /// - Parameter jitter: What is random about this fix.
  func radius(atMetre metre: Int, _ jitter: UInt64) -> UInt16 {
    base(atMetre: metre) + (radii.isEmpty ? 0 : UInt16(jitter & 15))
  }

  /// How many times as large the error is as under open sky.
  func stretch(atMetre metre: Int) -> Double { Double(base(atMetre: metre)) / Double(Self.open) }

  private func base(atMetre metre: Int) -> UInt16 {
    radii.isEmpty ? Self.open : radii[max(0, metre) / Self.stretchMetres % radii.count]
  }
}

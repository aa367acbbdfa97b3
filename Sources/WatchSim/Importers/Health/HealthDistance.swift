import CoachProtocol

// Which of a workout's distances is its own. A watch counts every kind while a workout lasts: a cyclist has walked to
// the bike, and a multisport workout has a leg of each kind.

extension HealthExportWorkout {
  /// The kinds of distance that count; empty if any may.
  var distanceKinds: Set<String> {
    if isMultisport { return [] }
    let words = sport ?? ""
    for (word, kind) in Self.kindsByWord where words.contains(word) { return [kind] }
    switch Sport(named: sport) {
    case .running, .walking: return ["DistanceWalkingRunning"]
    case .cycling: return ["DistanceCycling"]
    case .swimming: return ["DistanceSwimming"]
    case .paddling: return ["DistancePaddleSports"]
    case .skating: return ["DistanceSkatingSports"]
    case .nordicSkiing: return ["DistanceCrossCountrySkiing"]
    case .downhillSkiing: return ["DistanceDownhillSnowSports"]
    case .other: return []
    }
  }

  private static let kindsByWord: [(word: String, kind: String)] = [
    ("wheelchair", "DistanceWheelchair"), ("rowing", "DistanceRowing"),
    ("cross country skiing", "DistanceCrossCountrySkiing"), ("snow", "DistanceDownhillSnowSports"),
  ]

  /// Whether its legs are of several sports.
  var isMultisport: Bool { ["swim bike run", "multisport", "triathlon", "duathlon"].contains(sport ?? "") }

  /// Metres: the statistics of the workout's sport, of a multisport workout the sum of its legs, else the stated total.
  var distance: Double? {
    let stated = distances.isEmpty ? partDistances : distances
    if isMultisport, !stated.isEmpty { return Self.sum(stated.map(\.value)) }
    let own = stated.filter { distanceKinds.contains($0.key) }
    if !own.isEmpty { return Self.sum(own.map(\.value)) }
    // Of an unknown sport, the kind that it has most of.
    return totalDistance ?? stated.map(\.value).max()
  }

  /// Independent of the order.
  private static func sum(_ values: [Double]) -> Double { values.sorted().reduce(0, +) }

  /// The kinds of distance records that make up ``distance``; empty for all.
  var recordKinds: Set<String> {
    let stated = distances.isEmpty ? partDistances : distances
    if isMultisport { return [] }
    let own = distanceKinds.filter { stated[$0] != nil }
    if !own.isEmpty { return own }
    guard totalDistance == nil, let most = stated.map(\.value).max() else { return [] }
    return Set(stated.filter { $0.value == most }.map(\.key))
  }
}

/// A kind of sport: its greatest speed, the meaning of its cadence, and its energy cost.
///
/// Recorders name sports freely (`street_running`, `VirtualRun`, `Trail Run`); these properties are the same for each
/// kind.
package enum Sport: String, Sendable, Equatable, CaseIterable {
  case running
  case walking
  case cycling
  case swimming
  /// Rowing, canoeing, kayaking, stand-up paddling.
  case paddling
  case skating
  /// Skiing by the skier's own effort: cross-country, backcountry.
  case nordicSkiing
  /// Skiing downhill.
  case downhillSkiing
  /// Every other one, and an unnamed one.
  case other

  /// Finds the kind by a recorder's name for it; ``other`` for an unknown name and for nil.
  package init(named name: String?) {
    let words = (name ?? "").lowercased().split { !$0.isLetter }
    self =
      Self.endings.first { kind in
        words.contains { word in kind.endings.contains { word.hasSuffix($0) } }
      }?.sport ?? .other
    if self == .downhillSkiing, words.contains(where: { Self.nordicWords.contains($0) }) { self = .nordicSkiing }
  }

  /// The name as text.
  package var text: String {
    switch self {
    case .nordicSkiing: "nordic skiing"
    case .downhillSkiing: "downhill skiing"
    default: rawValue
    }
  }

  /// Upper bound in metres per second; generous, because sensors are noisy.
  package var speedMax: Double {
    switch self {
    // A sprinter's peak is 12.4.
    case .running, .walking: 12
    case .cycling: 36
    case .swimming: 4
    case .paddling: 10
    case .skating: 20
    case .nordicSkiing: 25
    case .downhillSkiing: 50
    case .other: 100
    }
  }

  /// Whether recorders count the steps of one foot as its cadence.
  package var isOnFoot: Bool { self == .running || self == .walking }

  /// Active energy, without resting energy, of a person of 70 kg, in tenths of a kilocalorie.
  ///
  /// On foot it depends on distance: level running costs 0.2 ml of oxygen per kilogram and metre, walking 0.1 (American
  /// College of Sports Medicine, running and walking equations), and a litre of oxygen is 5 kcal. Elsewhere it depends
  /// on time: the metabolic equivalents of the Compendium of Physical Activities (2011), minus the one of rest.
  package func activeDecikilocalories(millimetres: Int64, milliseconds: Int64) -> Int64 {
    let distance = max(millimetres, 0)
    let time = max(milliseconds, 0)
    return switch self {
    case .running: Self.rounded(distance, 7, 10_000)
    case .walking: Self.rounded(distance, 35, 100_000)
    case .cycling: Self.rounded(time, 65 * 70, 3_600_000)
    case .swimming: Self.rounded(time, 48 * 70, 3_600_000)
    case .paddling: Self.rounded(time, 40 * 70, 3_600_000)
    case .skating: Self.rounded(time, 60 * 70, 3_600_000)
    case .nordicSkiing: Self.rounded(time, 80 * 70, 3_600_000)
    case .downhillSkiing: Self.rounded(time, 43 * 70, 3_600_000)
    case .other: Self.rounded(time, 40 * 70, 3_600_000)
    }
  }

  private static func rounded(_ value: Int64, _ factor: Int64, _ divisor: Int64) -> Int64 {
    Int64((Int128(value) * Int128(factor) + Int128(divisor) / 2) / Int128(divisor))
  }

  /// The endings of the words for each kind, in the order of the search: a "cross country run" is a run.
  private static let endings: [(sport: Sport, endings: [String])] = [
    (.running, ["run", "running", "jog", "jogging", "treadmill"]),
    (.walking, ["walk", "walking", "hike", "hiking", "snowshoe", "snowshoeing", "mountaineering"]),
    (.cycling, ["cycle", "cycling", "bike", "biking", "ride", "mtb"]),
    (.swimming, ["swim", "swimming"]),
    (.paddling, ["row", "rowing", "canoeing", "kayak", "kayaking", "paddle", "paddling", "paddleboarding"]),
    (.skating, ["skate", "skating", "rollerski"]),
    (.downhillSkiing, ["ski", "skiing", "snowboard", "snowboarding"]),
  ]
  private static let nordicWords: Set<Substring> = [
    "nordic", "cross", "backcountry", "xc", "nordicski", "backcountryski",
  ]
}

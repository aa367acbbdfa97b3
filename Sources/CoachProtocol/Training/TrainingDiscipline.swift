public import Link

/// A discipline of the athlete: which model moves the watch, and which tables hold the session.
public enum TrainingDiscipline: String, EventWord {
  case running, riding, swimming, shooting

  /// The discipline of a recorded workout, by its file's name for the sport; nil for any other sport.
  public init?(sport: String) {
    switch Sport(named: sport) {
    case .running, .walking: self = .running
    case .swimming: self = .swimming
    case .cycling, .paddling, .skating, .nordicSkiing, .downhillSkiing, .other:
      let words = sport.lowercased().split { !$0.isLetter }
      guard words.contains(where: { $0.hasPrefix("equestrian") || $0.hasPrefix("horse") || $0 == "riding" }) else {
        return nil
      }
      self = .riding
    }
  }

  /// Whether every session is outdoors: a shooting range is not, and a swim only in open water.
  public var hasRoute: Bool { self == .running || self == .riding }
}

/// A gait of a horse, by its number on the wire.
public enum Gait: Int64, Sendable, Equatable, CaseIterable {
  case halt, walk, trot, canter

  /// Its word; the setter ignores others.
  public var text: String {
    get { Self.words[Int(rawValue)] }
    set { self = Self.words.firstIndex(of: newValue).flatMap { Self(rawValue: Int64($0)) } ?? self }
  }

  private static let words = ["halt", "walk", "trot", "canter"]
}

/// The side to which a horse bends: the inner rein.
public enum Rein: Int64, Sendable, Equatable, CaseIterable {
  case left, right

  public var text: String { self == .left ? "left" : "right" }
}

public import Link

/// One record of a training session: a point of its route, a length, a stretch of a gait, a shot, a heart rate.
///
/// Whole numbers only, so that watch, wire, trace and store agree on every digit. Instants are milliseconds since the
/// session's start, pauses included; durations are milliseconds of its timer; lengths are millimetres.
public struct SessionUnit: Sendable, Equatable {
  /// What the unit is; the raw value is its first number on the wire.
  public enum Kind: Int64, Sendable, Equatable, CaseIterable {
    case point = 1, split, interval, gait, rein, shot, heartRate

    /// The numbers of a unit of this kind, in order, each with its bounds.
    public var fields: [(name: String, bounds: ClosedRange<Int64>)] {
      let time: ClosedRange<Int64> = 0...SessionUnit.millisecondsMax
      let length: ClosedRange<Int64> = 0...SessionUnit.millimetresMax
      return switch self {
      case .point:
        [
          ("offset", time), ("latitudeE7", -900_000_000...900_000_000), ("longitudeE7", -1_800_000_000...1_800_000_000),
          ("speed", 0...100_000), ("altitude", -1_000_000...20_000_000), ("accuracy", 0...10_000_000),
        ]
      // 0 strokes, beats, steps and millimetres of climb mean that there is no reading.
      case .split:
        [
          ("distance", length), ("duration", time), ("strokes", 0...10_000), ("heartRate", 0...250),
          ("cadence", 0...1_000), ("stroke", 0...Int64(SwimStroke.allCases.count - 1)),
          ("climb", -10_000_000...10_000_000),
        ]
      case .interval:
        [
          ("targetDistance", length), ("targetDuration", time), ("rest", time), ("distance", length),
          ("duration", time), ("strokes", 0...10_000_000), ("isCompleted", 0...1), ("heartRate", 0...250),
          ("cadence", 0...1_000),
        ]
      case .gait: [("gait", 0...Int64(Gait.allCases.count - 1)), ("from", time), ("to", time), ("distance", length)]
      case .rein: [("rein", 0...Int64(Rein.allCases.count - 1)), ("from", time), ("to", time)]
      case .shot: [("end", 0...999), ("index", 0...999), ("score", 0...10), ("at", time)]
      case .heartRate: [("offset", time), ("heartRate", 1...250)]
      }
    }

    /// How many of the last numbers may be missing; each of them is then 0.
    ///
    /// What a watch does not know, it does not send: an altitude, the error of a position, a stroke, a heart rate.
    public var optionalCount: Int {
      switch self {
      case .point, .split, .interval: 2
      case .gait, .rein, .shot, .heartRate: 0
      }
    }
  }

  public var kind: Kind
  /// One number for each of the kind's fields, within its bounds.
  public private(set) var values: [Int64]

  /// A year.
  public static let millisecondsMax: Int64 = 366 * 86_400_000
  /// 10,000 km.
  public static let millimetresMax: Int64 = 10_000_000_000

  /// Creates a unit of this program's own; every value is clamped to its bounds.
  ///
  /// - Parameter values: One for each field of the kind, in order; optional ones may be missing.
  public init(_ kind: Kind, _ values: [Int64]) {
    let fields = kind.fields
    let missing = fields.count - values.count
    precondition(0...kind.optionalCount ~= missing, "a \(kind) has \(fields.count) numbers, not \(values.count)")
    self.kind = kind
    self.values = zip(values + [Int64](repeating: 0, count: missing), fields).map {
      min(max($0, $1.bounds.lowerBound), $1.bounds.upperBound)
    }
  }

  /// The value of a field of the kind.
  public subscript(name: String) -> Int64 {
    guard let index = kind.fields.firstIndex(where: { $0.name == name }) else {
      preconditionFailure("a \(kind) has no \(name)")
    }
    return values[index]
  }

  // MARK: Text

  /// The units as JSON: an array of arrays of whole numbers, the kind first.
  public static func text(of units: [SessionUnit]) -> String {
    "["
      + units.map { "[" + ([$0.kind.rawValue] + $0.written).map(String.init).joined(separator: ",") + "]" }
      .joined(separator: ",") + "]"
  }

  /// The values without optional zeros at the end.
  private var written: ArraySlice<Int64> {
    var kept = values[...]
    while kept.last == 0, values.count - kept.count < kind.optionalCount { kept.removeLast() }
    return kept
  }

  /// Reads untrusted JSON as ``text(of:)`` writes it.
  ///
  /// - Throws: ``SessionUnitError`` for anything else: more than `countMax` units, an unknown kind, a number out of
  ///   bounds.
  public static func read(_ text: String, countMax: Int) throws(SessionUnitError) -> [SessionUnit] {
    guard let node = try? JSONParser.parse(text, dialect: .json), case .array(let list) = node.value else {
      throw SessionUnitError(found: "no JSON array", expected: "an array of units")
    }
    guard list.count <= countMax else {
      throw SessionUnitError(found: "\(list.count) units", expected: "at most \(countMax)")
    }
    var units: [SessionUnit] = []
    units.reserveCapacity(list.count)
    for (index, element) in list.enumerated() { units.append(try unit(element, index)) }
    return units
  }

  private static func unit(_ node: JSONNode, _ index: Int) throws(SessionUnitError) -> SessionUnit {
    guard case .array(let elements) = node.value, case .integer(let number)? = elements.first?.value,
      let kind = Kind(rawValue: number)
    else {
      throw SessionUnitError(found: "unit \(index) of no known kind", expected: "1 to \(Kind.allCases.count) first")
    }
    let fields = kind.fields
    let fewest = fields.count - kind.optionalCount
    guard fewest...fields.count ~= elements.count - 1 else {
      let expected = fewest == fields.count ? "\(fewest)" : "\(fewest) to \(fields.count)"
      throw SessionUnitError(
        found: "unit \(index) with \(elements.count - 1) numbers", expected: "\(expected) of a \(kind)")
    }
    var values: [Int64] = []
    for (element, field) in zip(elements.dropFirst(), fields) {
      guard case .integer(let value) = element.value, field.bounds.contains(value) else {
        throw SessionUnitError(
          found: "another \(field.name) in unit \(index)",
          expected: "\(field.bounds.lowerBound) to \(field.bounds.upperBound)")
      }
      values.append(value)
    }
    return SessionUnit(kind, values)
  }
}

/// Why a text is no list of units.
public struct SessionUnitError: Error, Sendable, Equatable {
  public var found: String
  public var expected: String
}

/// A stroke of a length, by its number on the wire.
public enum SwimStroke: Int64, Sendable, Equatable, CaseIterable {
  case freestyle, backstroke, breaststroke, butterfly, drill, mixed, medley
  /// The watch named none.
  case unknown

  /// The word of the column `strokeType`; nil if no stroke was named.
  public var text: String? { self == .unknown ? nil : Self.words[Int(rawValue)] }

  private static let words = ["freestyle", "backstroke", "breaststroke", "butterfly", "drill", "mixed", "medley"]
}

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

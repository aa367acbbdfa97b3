extension Subscribers {
  /// A number of values that a subscriber asks for.
  @frozen
  public struct Demand: Hashable, Codable, Comparable, CustomStringConvertible, Sendable {
    /// `Int.max` + 1 for no limit.
    let rawValue: UInt

    private static let limit = UInt(Int.max) + 1

    private init(saturating value: UInt) { rawValue = min(value, Self.limit) }

    /// Without a limit.
    public static let unlimited = Demand(saturating: limit)
    public static let none = Demand.max(0)

    /// - Parameter value: Not negative.
    public static func max(_ value: Int) -> Demand {
      precondition(value >= 0, "a demand must not be negative")
      return Demand(saturating: UInt(value))
    }

    /// nil for no limit.
    public var max: Int? { self == .unlimited ? nil : Int(rawValue) }

    public var description: String { max.map { "max(\($0))" } ?? "unlimited" }

    public init(from decoder: any Decoder) throws {
      self.init(saturating: try decoder.singleValueContainer().decode(UInt.self))
    }

    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(rawValue)
    }

    // MARK: Arithmetic: a result above the numbers is without a limit, one below is none

    public static func + (lhs: Demand, rhs: Demand) -> Demand {
      let (sum, overflow) = lhs.rawValue.addingReportingOverflow(rhs.rawValue)
      return overflow ? .unlimited : Demand(saturating: sum)
    }

    public static func + (lhs: Demand, rhs: Int) -> Demand {
      guard let number = lhs.max else { return .unlimited }
      let (sum, overflow) = number.addingReportingOverflow(rhs)
      return overflow ? .unlimited : .max(Swift.max(0, sum))
    }

    public static func + (lhs: Int, rhs: Demand) -> Demand { rhs + lhs }

    public static func - (lhs: Demand, rhs: Demand) -> Demand {
      guard lhs != .unlimited else { return .unlimited }
      return lhs.rawValue > rhs.rawValue ? Demand(saturating: lhs.rawValue - rhs.rawValue) : .none
    }

    public static func - (lhs: Demand, rhs: Int) -> Demand {
      guard let number = lhs.max else { return .unlimited }
      let (difference, overflow) = number.subtractingReportingOverflow(rhs)
      return overflow ? .none : .max(Swift.max(0, difference))
    }

    public static func * (lhs: Demand, rhs: Int) -> Demand {
      guard let number = lhs.max else { return .unlimited }
      let (product, overflow) = number.multipliedReportingOverflow(by: rhs)
      return overflow ? .unlimited : .max(product)
    }

    public static func += (lhs: inout Demand, rhs: Demand) { lhs = lhs + rhs }
    public static func += (lhs: inout Demand, rhs: Int) { lhs = lhs + rhs }
    public static func -= (lhs: inout Demand, rhs: Demand) { lhs = lhs - rhs }
    public static func -= (lhs: inout Demand, rhs: Int) { lhs = lhs - rhs }
    public static func *= (lhs: inout Demand, rhs: Int) { lhs = lhs * rhs }

    // MARK: Comparison, with numbers too

    public static func < (lhs: Demand, rhs: Demand) -> Bool { lhs.rawValue < rhs.rawValue }

    /// Below zero, zero or above zero, as the demand is below, equal to or above the number.
    private func compared(with number: Int) -> Int {
      guard let value = max else { return 1 }
      return value < number ? -1 : value == number ? 0 : 1
    }

    public static func == (lhs: Demand, rhs: Int) -> Bool { lhs.compared(with: rhs) == 0 }
    public static func != (lhs: Demand, rhs: Int) -> Bool { lhs.compared(with: rhs) != 0 }
    public static func < (lhs: Demand, rhs: Int) -> Bool { lhs.compared(with: rhs) < 0 }
    public static func <= (lhs: Demand, rhs: Int) -> Bool { lhs.compared(with: rhs) <= 0 }
    public static func > (lhs: Demand, rhs: Int) -> Bool { lhs.compared(with: rhs) > 0 }
    public static func >= (lhs: Demand, rhs: Int) -> Bool { lhs.compared(with: rhs) >= 0 }
    public static func == (lhs: Int, rhs: Demand) -> Bool { rhs == lhs }
    public static func != (lhs: Int, rhs: Demand) -> Bool { rhs != lhs }
    public static func < (lhs: Int, rhs: Demand) -> Bool { rhs > lhs }
    public static func <= (lhs: Int, rhs: Demand) -> Bool { rhs >= lhs }
    public static func > (lhs: Int, rhs: Demand) -> Bool { rhs < lhs }
    public static func >= (lhs: Int, rhs: Demand) -> Bool { rhs <= lhs }
  }

  /// How a publisher ended.
  @frozen
  public enum Completion<Failure: Error> {
    case finished
    case failure(Failure)
  }
}

extension Subscribers.Completion: Equatable where Failure: Equatable {}
extension Subscribers.Completion: Hashable where Failure: Hashable {}
extension Subscribers.Completion: Sendable where Failure: Sendable {}

extension Subscribers.Completion {
  fileprivate enum Key: String, CodingKey { case success, error }

  /// The same completion with another type of failure.
  func mapError<NewFailure: Error>(_ transform: (Failure) -> NewFailure) -> Subscribers.Completion<NewFailure> {
    switch self {
    case .finished: .finished
    case .failure(let error): .failure(transform(error))
    }
  }

  /// The same completion with any failure.
  var erased: Subscribers.Completion<any Error> { mapError { $0 as any Error } }
}

extension Subscribers.Completion: Encodable where Failure: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .finished: try container.encode(true, forKey: .success)
    case .failure(let error):
      try container.encode(false, forKey: .success)
      try container.encode(error, forKey: .error)
    }
  }
}

extension Subscribers.Completion: Decodable where Failure: Decodable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    if try container.decode(Bool.self, forKey: .success) {
      self = .finished
    } else {
      self = .failure(try container.decode(Failure.self, forKey: .error))
    }
  }
}

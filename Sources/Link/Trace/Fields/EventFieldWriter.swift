/// Collects the fields of an event in the form that a line has.
struct EventFieldWriter: EventFieldVisitor {
  /// The fields so far.
  private(set) var fields: [TraceEvent.Field] = []

  /// The exclusive limit of the magnitude of numbers with decimals.
  static let magnitudeMax = 1e12

  mutating func field<Value: EventValue>(_ key: String, _ value: inout Value, _ about: String) {
    fields.append(.init(key, value.traceValue))
  }

  mutating func field<Value: EventValue>(_ key: String, _ value: inout Value?, _ about: String) {
    if let value { fields.append(.init(key, value.traceValue)) }
  }

  mutating func nullable<Value: EventValue>(_ key: String, _ value: inout Value?, _ about: String) {
    fields.append(.init(key, value?.traceValue ?? .null))
  }

  mutating func number(_ key: String, _ value: inout Double, places: UInt8, _ about: String) {
    fields.append(.init(key, Self.number(value, places: places)))
  }

  mutating func number(_ key: String, _ value: inout Double?, places: UInt8, _ about: String) {
    if let value { fields.append(.init(key, Self.number(value, places: places))) }
  }

  /// Rounds a number, which must be below ``magnitudeMax`` in magnitude.
  static func number(_ value: Double, places: UInt8) -> TraceValue {
    precondition(value.magnitude < magnitudeMax, "a number of an event is below \(magnitudeMax)")
    guard places > 6 else { return .number(value, places: Int(places)) }
    return .fixed(Int64((value * 1e7).rounded()), places: 7)
  }
}

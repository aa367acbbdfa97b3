/// Reads the fields of a line into an event.
///
/// An ordered reader expects the documented order and finds each field without a search; any other reader searches.
struct EventFieldReader: EventFieldVisitor {
  private let fields: [TraceEvent.Field]
  private let isOrdered: Bool
  /// Where the next field is, in order.
  private var index = 0
  /// Whether every required field was present, and every field had a value of its type.
  private(set) var fits = true

  @inline(__always)
  init(_ fields: [TraceEvent.Field], isOrdered: Bool) {
    self.fields = fields
    self.isOrdered = isOrdered
  }

  /// Whether everything fits and the line has no other fields.
  var isExact: Bool { fits && index == fields.count }

  @inline(__always)
  private mutating func find(_ key: String) -> Int? {
    let next = index
    if next < fields.count, fields[next].key == key {
      index = next + 1
      return next
    }
    return isOrdered ? nil : search(key)
  }

  @inline(never)
  private func search(_ key: String) -> Int? { fields.firstIndex { $0.key == key } }

  @inline(__always)
  mutating func field<Value: EventValue>(_ key: String, _ value: inout Value, _ about: String) {
    guard let place = find(key), let found = Value(traceValue: fields[place].value) else {
      fits = false
      return
    }
    value = found
  }

  @inline(__always)
  mutating func field<Value: EventValue>(_ key: String, _ value: inout Value?, _ about: String) {
    guard let place = find(key) else { return }
    guard let found = Value(traceValue: fields[place].value) else {
      fits = false
      return
    }
    value = found
  }

  @inline(__always)
  mutating func nullable<Value: EventValue>(_ key: String, _ value: inout Value?, _ about: String) {
    guard let place = find(key) else {
      fits = false
      return
    }
    if case .null = fields[place].value { return }
    guard let found = Value(traceValue: fields[place].value) else {
      fits = false
      return
    }
    value = found
  }

  @inline(__always)
  mutating func number(_ key: String, _ value: inout Double, places: UInt8, _ about: String) {
    guard let place = find(key), let found = Self.number(fields[place].value) else {
      fits = false
      return
    }
    value = found
  }

  @inline(__always)
  mutating func number(_ key: String, _ value: inout Double?, places: UInt8, _ about: String) {
    guard let place = find(key) else { return }
    guard let found = Self.number(fields[place].value) else {
      fits = false
      return
    }
    value = found
  }

  /// A number that can be written again; nil for anything else.
  @inline(__always)
  private static func number(_ value: TraceValue) -> Double? {
    guard let number = value.double, number.magnitude < EventFieldWriter.magnitudeMax else { return nil }
    return number
  }

  mutating func refuse(_ key: String, found: @autoclosure () -> String, expected: @autoclosure () -> String) {
    fits = false
  }
}

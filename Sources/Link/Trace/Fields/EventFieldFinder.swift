/// Finds one field of an event, and converts no other into the form that a line has.
struct EventFieldFinder: EventFieldVisitor {
  private let key: String
  /// The value of the field; nil if the event has no such field.
  private(set) var value: TraceValue?

  init(_ key: String) { self.key = key }

  mutating func field<Value: EventValue>(_ key: String, _ value: inout Value, _ about: String) {
    if key == self.key { self.value = value.traceValue }
  }

  mutating func field<Value: EventValue>(_ key: String, _ value: inout Value?, _ about: String) {
    if key == self.key { self.value = value?.traceValue }
  }

  mutating func nullable<Value: EventValue>(_ key: String, _ value: inout Value?, _ about: String) {
    if key == self.key { self.value = value?.traceValue ?? .null }
  }

  mutating func number(_ key: String, _ value: inout Double, places: UInt8, _ about: String) {
    if key == self.key { self.value = EventFieldWriter.number(value, places: places) }
  }

  mutating func number(_ key: String, _ value: inout Double?, places: UInt8, _ about: String) {
    if key == self.key { self.value = value.map { EventFieldWriter.number($0, places: places) } }
  }
}

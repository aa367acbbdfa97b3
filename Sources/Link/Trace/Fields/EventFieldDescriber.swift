/// Collects descriptions of the fields of an event.
struct EventFieldDescriber: EventFieldVisitor {
  /// The descriptions so far.
  private(set) var descriptions: [EventFieldDescription] = []

  private mutating func add(
    _ key: String, _ shape: EventFieldShape, isOptional: Bool = false, isNullable: Bool = false, _ about: String
  ) {
    descriptions.append(
      .init(key: key, shape: shape, isOptional: isOptional, isNullable: isNullable, about: about))
  }

  mutating func field<Value: EventValue>(_ key: String, _ value: inout Value, _ about: String) {
    add(key, Value.shape, about)
  }

  mutating func field<Value: EventValue>(_ key: String, _ value: inout Value?, _ about: String) {
    add(key, Value.shape, isOptional: true, about)
  }

  mutating func nullable<Value: EventValue>(_ key: String, _ value: inout Value?, _ about: String) {
    add(key, Value.shape, isNullable: true, about)
  }

  mutating func number(_ key: String, _ value: inout Double, places: UInt8, _ about: String) {
    add(key, .number, about)
  }

  mutating func number(_ key: String, _ value: inout Double?, places: UInt8, _ about: String) {
    add(key, .number, isOptional: true, about)
  }
}

/// Hashes the words of an event: fields whose values distinguish events of one name, without identifiers and texts.
package struct EventWordHasher: EventFieldVisitor {
  /// The hash so far.
  package private(set) var hash: UInt64

  /// Continues a hash.
  package init(_ hash: UInt64) { self.hash = hash }

  /// Adds the words of an event, in the order of its fields.
  package mutating func add(_ event: TraceEvent) {
    if case .foreign(let foreign) = event.body {
      for field in foreign.fields where Self.isWord(field.key) { add(field.value) }
    } else {
      event.body.visit(&self)
    }
  }

  /// Spreads the bits of a number over all bits.
  package static func mix(_ value: UInt64) -> UInt64 {
    let product = (value ^ value >> 32) &* 0x9E37_79B9_7F4A_7C15
    return product ^ product >> 29
  }

  private mutating func add(_ value: TraceValue) {
    guard case .string(let text) = value else { return }
    for byte in text.utf8 { hash = Self.mix(hash ^ UInt64(byte)) }
  }

  private static func isWord(_ key: String) -> Bool {
    switch key {
    case "kind", "to", "from", "state", "cause", "channel", "why", "reason", "source": true
    default: false
    }
  }

  package mutating func field<Value: EventValue>(_ key: String, _ value: inout Value, _ about: String) {
    if Self.isWord(key) { add(value.traceValue) }
  }

  package mutating func field<Value: EventValue>(_ key: String, _ value: inout Value?, _ about: String) {
    if Self.isWord(key), let value { add(value.traceValue) }
  }

  package mutating func nullable<Value: EventValue>(_ key: String, _ value: inout Value?, _ about: String) {
    if Self.isWord(key), let value { add(value.traceValue) }
  }

  package mutating func number(_ key: String, _ value: inout Double, places: UInt8, _ about: String) {}

  package mutating func number(_ key: String, _ value: inout Double?, places: UInt8, _ about: String) {}
}

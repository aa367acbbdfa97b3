/// Composes the fields of an event in a line of the trace.
struct EventLineWriter: EventFieldVisitor {
  /// The line so far.
  private(set) var line: LineArea
  /// Whether everything had room, and no text needs escapes.
  private(set) var fits = true

  /// Continues a line.
  init(_ line: LineArea) { self.line = line }

  /// Appends a field.
  mutating func append(_ key: String, _ value: TraceValue) {
    guard fits else { return }
    line.append(UInt8(ascii: ","))
    guard line.append(quoted: key) else { return fits = false }
    line.append(UInt8(ascii: ":"))
    fits = line.append(value)
  }

  mutating func field<Value: EventValue>(_ key: String, _ value: inout Value, _ about: String) {
    append(key, value.traceValue)
  }

  mutating func field<Value: EventValue>(_ key: String, _ value: inout Value?, _ about: String) {
    if let value { append(key, value.traceValue) }
  }

  mutating func nullable<Value: EventValue>(_ key: String, _ value: inout Value?, _ about: String) {
    append(key, value?.traceValue ?? .null)
  }

  mutating func number(_ key: String, _ value: inout Double, places: UInt8, _ about: String) {
    append(key, EventFieldWriter.number(value, places: places))
  }

  mutating func number(_ key: String, _ value: inout Double?, places: UInt8, _ about: String) {
    if let value { append(key, EventFieldWriter.number(value, places: places)) }
  }
}

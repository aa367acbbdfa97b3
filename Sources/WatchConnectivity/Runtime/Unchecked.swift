/// A value that the compiler cannot prove safe to send, and that this module sends once, to the app's queue, or never
/// changes.
struct Unchecked<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

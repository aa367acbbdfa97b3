/// The phone's end of the uplink.
public struct UplinkClient: Sendable {
  /// When it must be called.
  public private(set) var nextDeadline: VirtualTime?

  /// Creates the client of a start of the phone's app.
  public init(epoch: Epoch) {}

  /// Sends a request.
  @discardableResult
  public mutating func send(
    _ id: Identifier, path: String, body: [UInt8], at now: VirtualTime, into output: inout NodeOutput
  ) -> Bool { true }

  /// Sends no more for a request.
  public mutating func forget(_ id: Identifier) {}

  /// Repeats what is due.
  public mutating func fire(at now: VirtualTime, into output: inout NodeOutput) {}
}

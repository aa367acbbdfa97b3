/// What this app calls of Apple's `os.Logger`, for Linux: lines on standard output, which a run shows under the device's name.
public struct Logger: Sendable {
  private let category: String

  public init(subsystem: String, category: String) { self.category = category }

  public func info(_ message: LogMessage) { print("\(category): \(message.text)") }
  public func error(_ message: LogMessage) { print("\(category): error: \(message.text)") }
}

/// A message whose interpolations may say who can read them.
public struct LogMessage: ExpressibleByStringInterpolation, Sendable {
  let text: String

  public init(stringLiteral value: String) { text = value }
  public init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

  public enum Privacy: Sendable {
    case `public`, `private`, auto
  }

  public struct Interpolation: StringInterpolationProtocol {
    var text = ""

    public init(literalCapacity: Int, interpolationCount: Int) {}
    public mutating func appendLiteral(_ literal: String) { text += literal }
    public mutating func appendInterpolation<Value>(_ value: Value, privacy: Privacy = .auto) { text += "\(value)" }
  }
}

public import Foundation
import WristwireSupport

extension Simulation {
  /// A fact that an app recorded in a run.
  public struct Fact: Sendable {
    public enum Device: String, Sendable {
      case watch, phone
    }

    public let name: String
    /// The device of the app.
    public let device: Device
    /// When it was recorded, since the run's start.
    public let time: Duration
    /// The fact's line of the trace, a JSON object: its fields beside `t`, `node` and `event`.
    public let json: Data

    /// The text of a field; nil if there is none, or for another type.
    public func string(_ key: String) -> String? { member(key) as? String }
    /// The number of a field; nil if there is none, or for another type.
    public func number(_ key: String) -> Double? { plainNumber(key)?.doubleValue }
    /// The whole number of a field; nil if there is none, or for another type or a fraction.
    public func integer(_ key: String) -> Int? { plainNumber(key).flatMap { Int(exactly: $0.doubleValue) } }
    /// The truth value of a field; nil if there is none, or for another type.
    public func flag(_ key: String) -> Bool? {
      guard let value = member(key) as? NSNumber, Self.isFlag(value) else { return nil }
      return value.boolValue
    }

    /// Reads the fields.
    ///
    /// - Throws: As `JSONDecoder` does.
    public func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try JSONDecoder().decode(type, from: json)
    }

    /// nil for a line that is no fact of an app.
    init?(line: Data) {
      guard let head = try? JSONDecoder().decode(Head.self, from: line), head.event.hasPrefix("app."),
        let device = Device(rawValue: head.node)
      else { return nil }
      name = String(head.event.dropFirst(4))
      self.device = device
      time = .nanoseconds(head.t)
      json = line
    }

    private struct Head: Decodable {
      var t: Int64
      var node: String
      var event: String
    }

    private func member(_ key: String) -> Any? {
      ((try? JSONSerialization.jsonObject(with: json)) as? [String: Any])?[key]
    }

    private func plainNumber(_ key: String) -> NSNumber? {
      guard let value = member(key) as? NSNumber, !Self.isFlag(value) else { return nil }
      return value
    }

    /// Foundation reads `true` as a number whose type is a character.
    private static func isFlag(_ value: NSNumber) -> Bool { String(cString: value.objCType) == "c" }
  }
}

import CSimulation
public import Foundation
import Synchronization

extension Simulation {
  /// A user's act in the app, as a scenario describes it: `{ at: "2m", do: "tapStart", with: { plan: 5 } }`.
  public struct Act: Sendable {
    /// The scenario's `do`.
    public let name: String
    /// The scenario's `with` as JSON; an empty object if it has none.
    public let json: Data

    /// The text of a member of `with`; nil if there is none, or for another type.
    public func string(_ key: String) -> String? { member(key) as? String }
    /// The number of a member of `with`; nil if there is none, or for another type.
    public func number(_ key: String) -> Double? { Self.number(member(key))?.doubleValue }
    /// The whole number of a member of `with`; nil if there is none, or for another type or a fraction.
    public func integer(_ key: String) -> Int? { Self.number(member(key)).flatMap { Int(exactly: $0.doubleValue) } }
    /// The Boolean value of a member of `with`; nil if there is none, or for another type.
    public func flag(_ key: String) -> Bool? {
      guard let value = member(key) as? NSNumber, Self.isFlag(value) else { return nil }
      return value.boolValue
    }

    /// Reads all of `with`.
    ///
    /// - Throws: As `JSONDecoder` does.
    public func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try JSONDecoder().decode(type, from: json)
    }

    private func member(_ key: String) -> Any? {
      ((try? JSONSerialization.jsonObject(with: json)) as? [String: Any])?[key]
    }

    private static func number(_ value: Any?) -> NSNumber? {
      guard let value = value as? NSNumber, !isFlag(value) else { return nil }
      return value
    }

    /// Foundation reads `true` as a number whose type is a character.
    private static func isFlag(_ value: NSNumber) -> Bool { String(cString: value.objCType) == "c" }
  }
}

/// The handlers of this process.
final class ActRegistry: Sendable {
  typealias Handler = @MainActor @Sendable (Simulation.Act) -> Void

  static let shared = ActRegistry()
  private let handlers = Mutex<[String: Handler]>([:])

  func register(_ name: String, _ handler: @escaping Handler) {
    handlers.withLock { $0[name] = handler }
    wristwire_simulation_set_act_taker { name, nameCount, json, jsonCount in
      guard let name, let json else { return 0 }
      let text = String(decoding: Data(bytes: name, count: nameCount), as: UTF8.self)
      let act = Simulation.Act(name: text, json: Data(bytes: json, count: jsonCount))
      return ActRegistry.shared.schedule(act) ? 1 : 0
    }
  }

  /// Schedules a call of an act's handler; false if there is none.
  private func schedule(_ act: Simulation.Act) -> Bool {
    guard let handler = handlers.withLock({ $0[act.name] }) else { return false }
    DispatchQueue.main.async { MainActor.assumeIsolated { handler(act) } }
    return true
  }
}

/// The function that names this process's payloads that are bytes.
final class PayloadNamer: Sendable {
  static let shared = PayloadNamer()
  private let namer = Mutex<(@Sendable (Data) throws -> String?)?>(nil)

  func set(_ namer: @escaping @Sendable (Data) throws -> String?) {
    self.namer.withLock { $0 = namer }
    wristwire_simulation_set_payload_namer { bytes, count, text, size in
      guard let text else { return -1 }
      let data = bytes.map { Data(bytes: $0, count: count) } ?? Data()
      let result: String?
      var status: Int?
      do { result = try PayloadNamer.shared.name(data) } catch { (result, status) = ("\(error)", -2) }
      // A text and a zero byte, truncated to the buffer.
      guard let bytes = result?.utf8.prefix(max(0, size - 1)) else { return -1 }
      for (index, byte) in bytes.enumerated() { text[index] = CChar(bitPattern: byte) }
      text[bytes.count] = 0
      return status ?? bytes.count
    }
  }

  private func name(_ data: Data) throws -> String? { try namer.withLock { $0 }?(data) }
}

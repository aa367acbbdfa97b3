package import Dispatch
package import Foundation
package import HealthSim
package import Link
import WatchConnectivity

/// This process's connection to the services of its simulated device.
///
/// A call is a message, carried out a few milliseconds later; its answer comes on a queue. What an app may ask for
/// without waiting, the device has sent beforehand.
package final class DeviceClient: @unchecked Sendable {
  package static let shared = DeviceClient()

  /// The answer to a call.
  package struct Reply {
    package var code: Int64
    package var text: String
    package var fields: [DeviceField]

    package init(code: Int64, text: String, fields: [DeviceField] = []) {
      self.code = code
      self.text = text
      self.fields = fields
    }

    /// As an error of a domain; nil for success.
    package func error(_ domain: String) -> NSError? {
      code == 0 ? nil : NSError(domain: domain, code: Int(code), userInfo: [NSLocalizedDescriptionKey: text])
    }
  }
  package typealias Completion = (Reply) -> Void
  /// Receives messages of the device; on the conductor's thread, so it must not block.
  package typealias Listener = (DeviceMessage) -> Void

  private let lock = NSLock()
  /// Answers and calls of handlers for which an app names no queue, in order.
  package let answers = DispatchQueue(label: "com.apple.device.answers")
  private var last: Int64 = 0
  private var waiting: [Int64: (queue: DispatchQueue, completion: Completion)] = [:]
  private var listeners: [Substring: Listener] = [:]
  /// What has come before its listener.
  private var early: [Substring: [DeviceMessage]] = [:]
  private var permissions: [DeviceService: Int64] = [:]
  private var observers: [DeviceService: [() -> Void]] = [:]
  private var start: [DeviceField] = []

  private init() {
    DeviceServices.receive { [unowned self] bytes in
      guard let message = DeviceMessage(bytes) else { return }
      receive(message)
    }
  }

  package var isInRun: Bool { DeviceServices.isInRun }
  package var isWatch: Bool { DeviceServices.isWatch }
  /// What the device has said of itself at the start of this process; empty outside a run.
  package var atStart: [DeviceField] { lock.withLock { start } }

  // MARK: Calls

  /// A number that is new in this process.
  package func next() -> Int64 {
    lock.withLock {
      last += 1
      return last
    }
  }

  /// Sends a message without an answer.
  package func send(_ name: String, _ fields: [DeviceField] = []) {
    var message = DeviceMessage(name)
    message.fields = fields
    DeviceServices.send(message.encoded)
  }

  /// Sends a message without an answer.
  package func send(_ name: String, _ fields: KeyValuePairs<String, DeviceValue>) {
    DeviceServices.send(DeviceMessage(name, fields).encoded)
  }

  /// Sends a message; the answer comes on a queue.
  ///
  /// Outside a run it is an error.
  package func call(
    _ name: String, _ fields: [DeviceField], on queue: DispatchQueue? = nil, _ completion: @escaping Completion
  ) {
    guard isInRun else {
      let call = Unsent(completion)
      return (queue ?? answers).async { call.value(Reply(code: -1, text: "there is no simulated device")) }
    }
    let id = lock.withLock { () -> Int64 in
      last += 1
      waiting[last] = (queue ?? answers, completion)
      return last
    }
    send(name, [DeviceField("id", .integer(id))] + fields)
  }

  /// Reports a call that is not simulated, as a finding of the run.
  package static func reportMissing(_ module: String, _ call: String) {
    DeviceServices.report(module, "the app calls \(call), which is not simulated")
  }

  /// Records a fact of the run.
  package static func record(_ name: String, json: String) { DeviceServices.record(name, json: json) }

  // MARK: Access

  /// 0 not asked, 1 denied, 2 allowed, 3 always or write-only.
  package func permission(_ service: DeviceService) -> Int64 { lock.withLock { permissions[service] ?? 0 } }

  /// Asks the user; the answer is the new state.
  package func ask(
    for service: DeviceService, wanted: Int64 = 2, on queue: DispatchQueue? = nil,
    _ completion: @escaping (Int64) -> Void
  ) {
    let fields = [DeviceField("service", .text(service.rawValue)), DeviceField("wanted", .integer(wanted))]
    call("permission.request", fields, on: queue) { reply in
      completion(reply.code == 0 ? reply.fields.integer("status") : 1)
    }
  }

  /// Has a change of access reported, on the conductor's thread.
  package func observe(_ service: DeviceService, _ observer: @escaping () -> Void) {
    lock.withLock { observers[service, default: []].append(observer) }
  }

  // MARK: Messages

  /// Sets who receives the messages of families, and hands over those that have come before.
  package func listen(to families: [String], _ listener: @escaping Listener) {
    let waiting = lock.withLock { () -> [DeviceMessage] in
      for family in families { listeners[Substring(family)] = listener }
      return families.flatMap { early.removeValue(forKey: Substring($0)) ?? [] }
    }
    for message in waiting { listener(message) }
  }

  private func receive(_ message: DeviceMessage) {
    let fields = message.fields
    switch message.name {
    case "answer":
      guard let call = lock.withLock({ waiting.removeValue(forKey: fields.integer("id")) }) else { return }
      let reply = Reply(code: fields.integer("code"), text: fields.text("text"), fields: fields)
      let handed = Unsent((call.completion, reply))
      call.queue.async { handed.value.0(handed.value.1) }
    case "permission":
      guard let service = DeviceService(rawValue: fields.text("service")) else { return }
      let told = lock.withLock { () -> [() -> Void] in
        permissions[service] = fields.integer("status")
        return observers[service] ?? []
      }
      for observer in told { observer() }
    case "system": lock.withLock { start = fields }
    default:
      let family = message.name.prefix { $0 != "." }
      let listener = lock.withLock { () -> Listener? in
        guard let listener = listeners[family] else {
          early[family, default: []].append(message)
          return nil
        }
        return listener
      }
      listener?(message)
    }
  }
}

/// A value that is sent to a queue once.
package struct Unsent<Value>: @unchecked Sendable {
  package let value: Value
  package init(_ value: Value) { self.value = value }
}

extension Date {
  /// Since 1970.
  package var nanoseconds: Int64 {
    let seconds = timeIntervalSince1970
    guard abs(seconds) < 9e9 else { return seconds < 0 ? 0 : .max }
    // A date has a resolution of about 100 ns.
    return Int64((seconds * 1e6).rounded()) * 1_000
  }

  package init(nanoseconds: Int64) { self.init(timeIntervalSince1970: Double(nanoseconds) / 1e9) }
}

import Foundation
import Link

/// How modules beside WatchConnectivity exchange messages with the device that a run simulates: HealthKit, WatchKit.
///
/// Messages pass between this process and its own device only. They are not in the trace, and no fault affects them.
package enum DeviceServices {
  /// Receives a message of the device; on the conductor's thread, so it must not block.
  package typealias Receiver = @Sendable ([UInt8]) -> Void
  /// Whether this process is an app of a run.
  package static var isInRun: Bool { ProcessSession.isInRun && !ProcessSession.shared.runtime.isWithoutRun }
  /// Whether this process is a watch's app; a phone's without a run.
  package static var isWatch: Bool { ProcessSession.isInRun && ProcessSession.shared.runtime.role == .watch }

  /// Sends a message to the device; no effect outside a run.
  package static func send(_ bytes: [UInt8]) {
    guard isInRun else { return }
    ProcessSession.shared.runtime.sendToDevice(bytes)
  }

  /// Sets who receives the device's messages, and hands over those that have come before.
  package static func receive(with receiver: @escaping Receiver) {
    guard isInRun else { return }
    let runtime = ProcessSession.shared.runtime
    runtime.condition.withLock { runtime.device.receiver = receiver }
    runtime.handOverDeviceMessages()
  }

  /// Sets who learns that the system suspends the app, or resumes it, before and after that.
  package static func observeSleep(_ observer: @escaping @Sendable (_ isAsleep: Bool) -> Void) {
    guard isInRun else { return }
    let runtime = ProcessSession.shared.runtime
    runtime.condition.withLock { runtime.device.sleepObserver = observer }
  }

  /// Adds a finding of the run: something that an app does and that is not simulated.
  ///
  /// Each text once.
  package static func report(_ kind: String, _ text: String) {
    guard isInRun else { return }
    let runtime = ProcessSession.shared.runtime
    runtime.condition.withLock { runtime.addFinding(kind, text) }
  }

  /// Records a fact about the device, such as a haptic, as an app's own fact is.
  package static func record(_ name: String, json: String) {
    guard isInRun else { return }
    ProcessSession.shared.runtime.record(name: name, json: Array(json.utf8))
  }
}

/// The messages between this process and its device, as far as they wait.
struct DeviceTraffic {
  var receiver: DeviceServices.Receiver?
  var sleepObserver: (@Sendable (Bool) -> Void)?
  var isAsleep = false
  var assembly = DeviceFrames.Assembly()
  /// Messages of the device that wait for a receiver.
  var arrived: [[UInt8]] = []
  /// Messages to the device from before the run's begin.
  var early: [[UInt8]] = []
  /// Number of sent messages.
  var sent: UInt64 = 0
}

extension SessionRuntime {
  /// Sends a message to this process's device.
  func sendToDevice(_ bytes: [UInt8]) {
    condition.withLock {
      guard !isOver, failure == nil, stoppedAt == nil else { return }
      guard keeper != nil else { return device.early.append(bytes) }
      let waiting = device.early + [bytes]
      device.early = []
      for bytes in waiting {
        device.sent += 1
        let epoch = withNode { $0.session.epoch }
        put(DeviceFrames.make(bytes, number: device.sent, epoch: epoch).map { .frame($0) })
      }
    }
  }

  /// Hands the device's messages to their receiver; true if there were any.
  @discardableResult
  func handOverDeviceMessages() -> Bool {
    let (receiver, messages) = condition.withLock { () -> (DeviceServices.Receiver?, [[UInt8]]) in
      if keeper != nil {
        for frame in withNode({ $0.takeDeviceFrames() }) {
          if let bytes = device.assembly.append(frame) { device.arrived.append(bytes) }
        }
      }
      guard let receiver = device.receiver, !device.arrived.isEmpty else { return (nil, []) }
      defer { device.arrived = [] }
      return (receiver, device.arrived)
    }
    guard let receiver else { return false }
    for bytes in messages { receiver(bytes) }
    return true
  }

  /// Tells whoever observes it that the app falls asleep, or wakes; true if somebody does.
  @discardableResult
  func reportSleep(_ isAsleep: Bool) -> Bool {
    let observer = condition.withLock { () -> (@Sendable (Bool) -> Void)? in
      guard device.isAsleep != isAsleep else { return nil }
      device.isAsleep = isAsleep
      return device.sleepObserver
    }
    observer?(isAsleep)
    return observer != nil
  }
}

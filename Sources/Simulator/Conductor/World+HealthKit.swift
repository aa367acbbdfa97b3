import HealthSim
import Link
import LinkTransport

/// HealthKit of a run's apps: the platform's daemons are between the devices' apps and the link.
extension World {
  /// Lets what is due of HealthKit happen.
  mutating func advanceHealthKit() throws(NodeFailure) {
    guard exchange.platform?.isUsed == true else { return }
    let now = now
    for device in exchange.devices.indices where exchange.devices[device].role != .edge {
      let skew = self[device].conditions.skew(at: now)
      let role = exchange.devices[device].role
      exchange.platform?.setSkew(skew, of: role)
    }
    exchange.platform?.fire(at: now)
    try carryOutHealthOrders()
  }

  /// Carries out what HealthKit wants done.
  mutating func carryOutHealthOrders() throws(NodeFailure) {
    guard exchange.platform?.isUsed == true else { return }
    while let orders = exchange.platform?.takeOrders(), !orders.isEmpty {
      for order in orders { try carryOut(order) }
    }
  }

  private mutating func carryOut(_ order: HealthOrder) throws(NodeFailure) {
    switch order {
    case .event(let event): exchange.log.sink.emit(event)
    case .frame(let role, let frame): exchange.send(frame, from: device(role))
    case .launch(let role):
      let device = device(role)
      guard exchange.devices[device].host.isApp, !self[device].isLocked else { return }
      if self[device].isUp {
        if self[device].canBeWoken { try wake(device, cause: "healthKit") }
      } else if !isHealed, self[device].downs.allSatisfy({ $0.fault != nil }) {
        try launch(device, by: .health)
      }
    case .wake(let role, let cause):
      let device = device(role)
      guard exchange.devices[device].host.isApp, !self[device].isLocked, self[device].canBeWoken else { return }
      try wake(device, cause: cause)
    case .kill(let role, let cause):
      let device = device(role)
      guard exchange.devices[device].host.isApp, self[device].isUp, !isHealed else { return }
      // Nobody opens it again; a message, an act or the next wake starts it.
      bringDown(device, [], cause: cause)
    case .app(let role, let bytes):
      let device = device(role)
      guard self[device].isUp, exchange.devices[device].host.isApp else { return }
      addMessage(bytes, to: device)
      try grantInputs(to: device)
    }
  }

  /// Adds a message of a device to the inputs of its app's next grant.
  private mutating func addMessage(_ bytes: [UInt8], to device: Int) {
    exchange.healthMessages += 1
    for frame in DeviceFrames.make(bytes, number: exchange.healthMessages, epoch: self[device].epoch) {
      exchange.inputs.append(.frame(frame))
    }
  }

  /// Adds what an app learns of a wake to the inputs of its next grant; false if that is nothing.
  mutating func addWord(ofWakeInBackground isBehind: Bool, to device: Int) -> Bool {
    let role = exchange.devices[device].role
    guard exchange.devices[device].host.isApp,
      let bytes = exchange.platform?.messageOfWake(inBackground: isBehind, of: role)
    else { return false }
    addMessage(bytes, to: device)
    return true
  }

  /// Content arrives for an app: the system may wake it.
  mutating func noteContent(_ frame: borrowing Frame, at device: Int) {
    guard self[device].isAsleep, self[device].canBeWoken, frame.isContent, exchange.devices[device].host.isApp else {
      return
    }
    let (role, now) = (exchange.devices[device].role, now)
    exchange.platform?.receiveContent(of: role, at: now)
  }

  /// A device's app has started.
  mutating func startHealth(of device: Int, inBackground: Bool = false) {
    guard exchange.devices[device].host.isApp else { return }
    let (role, now) = (exchange.devices[device].role, now)
    exchange.platform?.startApp(of: role, inBackground: inBackground, at: now)
  }

  /// A device's app has died.
  mutating func stopHealth(of device: Int, isReboot: Bool) {
    guard exchange.devices[device].host.isApp else { return }
    let (role, now) = (exchange.devices[device].role, now)
    exchange.platform?.stopApp(of: role, isReboot: isReboot, at: now)
  }
}

extension Exchange {
  /// A frame of HealthKit arrives at a device.
  mutating func receiveHealth(_ frame: Frame, at device: Int) {
    let (role, now) = (devices[device].role, log.now)
    platform?.receiveFromPeer(frame, at: role, at: now)
  }

  /// A device learns that the link is up or down.
  mutating func setHealthLink(isUp: Bool, of device: Int) {
    guard platform?.isUsed == true, devices[device].role != .edge else { return }
    let (role, now) = (devices[device].role, log.now)
    platform?.setLink(isUp: isUp, of: role, at: now)
  }

  /// A fault of a device's HealthKit begins or ends.
  mutating func setHealth(_ flaw: HealthFlaw, isOn: Bool, of device: Int) {
    let (role, now) = (devices[device].role, log.now)
    platform?.set(flaw, isOn: isOn, of: role, at: now)
  }

  /// A fault of a device's system begins or ends.
  mutating func setSystem(_ flaw: SystemFlaw, isOn: Bool, of device: Int) {
    let (role, now) = (devices[device].role, log.now)
    platform?.set(flaw, isOn: isOn, of: role, at: now)
  }
}

import Link
import LinkTransport

/// The commands of a run's users that are to come.
struct CommandQueue {
  /// In the order of time; at one instant the watch's before the phone's.
  private(set) var pending: ArraySlice<DeviceCommand>
  /// Whether some of them pair or unpair the phone's watch.
  let changesPairing: Bool

  init(_ commands: [DeviceCommand]) {
    pending = commands[...]
    changesPairing = commands.contains { Scenario.TimedCommand.isPaired(after: $0.command.name) != nil }
  }

  /// The next instant; nil if none is left.
  var nextAt: VirtualTime? { pending.first?.at }

  /// Adds a command of this instant, before all others.
  mutating func prepend(_ command: DeviceCommand) { pending = [command] + pending }

  /// Carries out all due commands.
  ///
  /// What ends the run is wanted again when the node is back that was killed from outside, and had it or not.
  mutating func carryOutDue(in world: inout World) throws(NodeFailure) {
    var again: [DeviceCommand] = []
    while let next = pending.first, next.at <= world.now {
      pending.removeFirst()
      let device = world.device(next.role)
      if changesPairing, next.role == .phone, let isPaired = Scenario.TimedCommand.isPaired(after: next.command.name) {
        setPairing(isPaired, in: &world)
      }
      if !world[device].isUp, next.command.act != nil {
        // The app gets it at its next start.
        world.exchange.devices[device].waitingActs.append(next)
        if next.launches, !world[device].isLocked { try world.launch(device) }
        continue
      }
      if !world[device].isUp, next.launches, !world[device].isLocked { try world.launch(device, by: .complication) }
      try world.wake(device, cause: "command", inBackground: false)
      if world[device].isUp {
        world.exchange.pressInTruth(next.command, on: next.role)
        try world.grant(.command(next.command), to: device)
      } else if !world.isHealed || !world[device].comesBack {
        drop(next, next.command.name, why: "the \(next.role.text) is down", in: &world)
      }
      if world.isHealed, world[device].comesBack { again.append(next) }
    }
    if !again.isEmpty { pending = again + pending }
  }

  /// Cuts or restores the link when the phone's watch is unpaired or paired.
  private func setPairing(_ isPaired: Bool, in world: inout World) {
    let now = world.now
    world.exchange.changeLink(at: .link, isUp: isPaired, cause: isPaired ? "paired" : "unpaired") {
      $0.setPairing(isPaired, at: now)
    }
  }

  private func drop(_ command: DeviceCommand, _ kind: String, why: String, in world: inout World) {
    world.exchange.log.record(CommandDropped.self, of: command.role) {
      $0.kind = kind
      $0.why = why
    }
  }

  /// Records the acts whose apps never came back.
  func dropWaitingActs(in world: inout World) {
    let waiting = world.exchange.devices.indices.flatMap { world.exchange.devices[$0].waitingActs }
    for device in world.exchange.devices.indices { world.exchange.devices[device].waitingActs = [] }
    // Stable: at one instant the watch's come first.
    for act in waiting.sorted(by: { $0.at < $1.at }) {
      drop(
        act, act.command.act?.name ?? act.command.name, why: "the \(act.role.text)'s app did not start again",
        in: &world)
    }
  }

  /// Replaces what is left by the commands that end the run's workouts and pair the devices again.
  mutating func end(in world: inout World, startsByPhone: Bool) {
    let now = world.now
    let cause = "{\"cause\":\"duration\"}"
    pending = []
    if world.exchange.isWorkoutOn {
      pending.append(DeviceCommand(at: now, role: .watch, command: NodeCommand("end", arguments: cause)))
    }
    if world.exchange.links.contains(where: { !$0.isPaired }) {
      pending.append(
        DeviceCommand(at: now, role: .phone, command: NodeCommand(Scenario.TimedCommand.pairWatch)))
    }
    if startsByPhone {
      pending.append(DeviceCommand(at: now, role: .phone, command: NodeCommand("endWorkout", arguments: cause)))
    }
  }
}

/// A user's command to a device, at its instant.
struct DeviceCommand {
  var at: VirtualTime
  var role: NodeRole
  var command: NodeCommand
  /// Whether it starts an app that is down.
  var launches = false
}

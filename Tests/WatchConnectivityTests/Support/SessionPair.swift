import Foundation
import Link
import LinkTransport

@testable import WatchConnectivity

/// A phone and a watch in this process, and the link between them, in virtual time: real stores, real files, real queues.
///
/// Time moves only when a test says so, and after each instant the test waits until the apps have their callbacks.
final class SessionPair {
  /// One device, through all its starts.
  final class Side {
    let role: NodeRole
    let folder: String
    var runtime: SessionRuntime?
    var session: WCSession?
    /// Kept alive, as a session keeps its delegate only weakly.
    var app: (any WCSessionDelegate)?
    /// Whether the app sleeps; a phone's is woken by a message, a watch's is not.
    var isAsleep = false
    var inputs: [NodeInput] = []
    /// What each start receives again.
    var conditions: [NodeCondition] = []
    /// Lines of the trace.
    var lines: [TraceEvent] = []

    init(_ role: NodeRole, _ folder: String) {
      self.role = role
      self.folder = folder
    }

    /// Lines of a name.
    func lines(_ name: TraceEvent.Name) -> [TraceEvent] { lines.filter { $0.name == name } }
  }

  let watch: Side
  let phone: Side
  private(set) var now = VirtualTime.start
  private(set) var linkIsUp = true
  private var medium: Medium
  private var frames: UInt64 = 0
  private var faults = 0
  private let root: String
  var options = SessionOptions()
  var replyTimeout = VirtualTime.Span.seconds(10)
  var backgroundDelay = BackgroundDelay.none

  /// Two devices with nothing in them; ``launch(_:_:)`` starts their apps.
  init(faults: [PlannedFault] = []) throws {
    root = FileManager.default.temporaryDirectory.appending(path: "wc-\(UUID().uuidString)").path
    for role in ["watch", "phone"] {
      try FileManager.default.createDirectory(atPath: "\(root)/\(role)", withIntermediateDirectories: true)
    }
    watch = Side(.watch, "\(root)/watch")
    phone = Side(.phone, "\(root)/phone")
    medium = Medium(place: .link, profile: LinkProfile(latency: .milliseconds(5)), seed: 1)
    options.logs = false
    for fault in faults { begin(fault) }
  }

  deinit {
    for side in [watch, phone] where side.runtime != nil { kill(side.role) }
    try? FileManager.default.removeItem(atPath: root)
  }

  /// A pair whose apps run, have activated their sessions and know of one another.
  static func together(_ watchApp: any WCSessionDelegate, _ phoneApp: any WCSessionDelegate) throws -> SessionPair {
    let pair = try SessionPair()
    try pair.launch(.watch, watchApp)
    try pair.launch(.phone, phoneApp)
    pair.run(for: .seconds(1))
    return pair
  }

  func side(_ role: NodeRole) -> Side { role == .watch ? watch : phone }
  func session(_ role: NodeRole) -> WCSession {
    guard let session = side(role).session else { preconditionFailure("the \(role.text)'s app does not run") }
    return session
  }

  // MARK: Apps

  /// Starts an app.
  @discardableResult
  func launch(_ role: NodeRole, _ app: any WCSessionDelegate, activates: Bool = true) throws -> WCSession {
    let side = side(role)
    precondition(side.runtime == nil, "the \(role.text)'s app runs")
    let runtime = SessionRuntime(options: options)
    let session = WCSession(runtime)
    var setup = RuntimeSetup(role: role, seed: 7, folder: side.folder)
    setup.now = now
    setup.replyTimeout = replyTimeout
    setup.backgroundDelay = backgroundDelay
    try runtime.begin(setup)
    side.runtime = runtime
    side.session = session
    side.inputs = side.conditions.map { .condition($0) } + [.link(isUp: linkIsUp)]
    side.app = app
    side.isAsleep = false
    session.delegate = app
    if activates { session.activate() }
    return session
  }

  /// Ends an app as SIGKILL does: whatever it does from here on is of no effect.
  func kill(_ role: NodeRole) {
    let side = side(role)
    guard let runtime = side.runtime else { return }
    runtime.crash()
    side.runtime = nil
    side.session = nil
  }

  /// Tells a device something; also each later start.
  func tell(_ role: NodeRole, _ condition: NodeCondition, again: Bool = true) {
    let side = side(role)
    if again { side.conditions.append(condition) }
    side.inputs.append(.condition(condition))
  }

  /// Has an app sleep, or go on.
  func suspend(_ role: NodeRole, _ sleeps: Bool = true) {
    side(role).isAsleep = sleeps
    tell(role, sleeps ? .suspended : .resumed, again: false)
  }

  /// Cuts or restores the link; both devices learn of it at once.
  func setLink(up isUp: Bool) {
    linkIsUp = isUp
    if isUp { _ = medium.restoreLink() } else { _ = medium.cutLink() }
    for side in [watch, phone] { side.inputs.append(.link(isUp: isUp)) }
    takeInstant()
  }

  /// Begins a fault on frames.
  func begin(_ fault: PlannedFault) {
    guard case .frame(let body) = fault.body else { preconditionFailure("a fault of \(fault.kind) on frames") }
    faults += 1
    medium.begin(fault, body, index: faults, seed: 1)
  }

  /// Gives a device a command of the scenario.
  func command(_ role: NodeRole, _ name: String) { side(role).inputs.append(.command(NodeCommand(name))) }

  // MARK: Time

  /// Goes on for a while.
  func run(for span: VirtualTime.Span) { run(until: now + span) }

  /// Goes on until an instant, whose own events are over then.
  func run(until end: VirtualTime) {
    takeInstant()
    while let next = nextInstant, next <= end {
      now = max(now, next)
      takeInstant()
    }
    now = end
    takeInstant()
  }

  private var nextInstant: VirtualTime? {
    var next = VirtualTime.distantFuture
    if let at = medium.nextDeadline { next = min(next, at) }
    for side in [watch, phone] {
      guard let runtime = side.runtime else { continue }
      if let at = runtime.condition.withLock({ runtime.keeper?.readGlance().nextDeadline }) { next = min(next, at) }
    }
    return next == .distantFuture ? nil : max(next, now + .milliseconds(1))
  }

  /// Has both devices do what there is to do at this instant, until neither does anything more.
  func takeInstant() {
    for _ in 0..<10_000 {
      while let fate = medium.popDue(at: now) {
        if case .delivered(_, _, let frame, let role) = fate { side(role).inputs.append(.frame(frame)) }
      }
      let hasActed = [watch, phone].map { grant($0) }
      if !hasActed.contains(true) { return }
    }
    preconditionFailure("no end at \(now.nanoseconds)")
  }

  /// What a device is handed: a message wakes a phone's app, and is lost on a watch whose app sleeps.
  private func admitted(_ side: Side) -> [NodeInput] {
    guard side.isAsleep else { return side.inputs }
    var inputs: [NodeInput] = []
    for input in side.inputs {
      if case .frame(let frame) = input, frame.channel == .message, frame.kind == .data || frame.kind == .reply {
        guard side.role == .phone else { continue }
        if side.isAsleep { inputs.append(.condition(.resumed)) }
        side.isAsleep = false
      }
      inputs.append(input)
    }
    return inputs
  }

  /// Whether the device did anything.
  private func grant(_ side: Side) -> Bool {
    guard let runtime = side.runtime else {
      side.inputs = []
      return false
    }
    runtime.settle()
    guard side.runtime === runtime else { return true }
    let inputs = admitted(side)
    side.inputs = []
    guard let answer = try? runtime.answer(FreeGrant(time: now, firesTimers: true, inputs: inputs)) else {
      return false
    }
    var didAct = !inputs.isEmpty
    for item in answer.items {
      switch item {
      case .frame(let frame):
        frames += 1
        medium.send(frame, id: frames, direction: Direction(from: side.role), at: now)
        medium.immediate = []
        didAct = true
      case .event(let event):
        side.lines.append(event)
        didAct = true
      default: break
      }
    }
    return runtime.condition.withLock { runtime.callbacks > 0 } || didAct
  }
}

extension SessionRuntime {
  /// Ends the device as a crash does: nothing is committed, and no callback follows.
  func crash() {
    condition.lock()
    isOver = true
    keeper = nil
    pending = []
    condition.broadcast()
    condition.unlock()
    session?.delegate = nil
  }
}

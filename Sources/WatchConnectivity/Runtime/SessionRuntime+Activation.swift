import Foundation
import Link

/// Activation and pairing.
extension SessionRuntime {
  func activate(hasDelegate: Bool) {
    condition.lock()
    defer { condition.unlock() }
    if !hasDelegate { log("activate() without a delegate: no callback will come") }
    activationsPending += 1
    guard isSupported else { return failActivations(.sessionNotSupported) }
    guard !isOver, failure == nil else { return failActivations(.genericError) }
    switch activationState {
    case .activated:
      activationsPending = 0
      if options.tellsReactivation { reportActivation(.activated, nil) }
    case .inactive:
      activationsPending = 0
      log("activate() while the session is inactive: wait for sessionDidDeactivate(_:)")
    case .notActivated where isWithoutRun:
      // In a later turn, too, though nothing is waited for.
      enqueue { [self] in condition.withLock { completeActivations() } }
    case .notActivated: scheduleActivation()
    }
  }

  /// Has the device complete the activation after a while; the lock is held.
  ///
  /// No effect before the device is known, which is with the first grant at the latest.
  private func scheduleActivation() {
    guard keeper != nil else { return }
    let now = now
    withNode { $0.scheduleActivation(at: now) }
  }

  /// Schedules a waiting activation, or completes it when it is due; the lock is held.
  func advanceActivation() {
    guard activationsPending > 0, activationState == .notActivated, wasGranted, keeper != nil else { return }
    guard let at = withNode(\.activatesAt) else { return scheduleActivation() }
    if at <= now { completeActivations() }
  }

  private func completeActivations() {
    guard activationsPending > 0, activationState == .notActivated else { return }
    let count = options.tellsReactivation ? activationsPending : 1
    activationsPending = 0
    activationState = .activated
    if deactivatedAt != nil { record("session.activated") }
    deactivatedAt = nil
    for _ in 0..<count { reportActivation(.activated, nil) }
    _ = act { (node: inout SessionNode, turn: inout Turn) in
      node.activate(in: &turn)
    }
  }

  func failActivations(_ code: WCError.Code) {
    for _ in 0..<activationsPending { reportActivation(.notActivated, error(code)) }
    activationsPending = 0
  }

  private func reportActivation(_ state: WCSessionActivationState, _ error: (any Error)?) {
    callDelegate { delegate, session in
      delegate.session(session, activationDidCompleteWith: state, error: error)
    }
  }

  /// Whether the phone is paired; the lock is held.
  var isPaired: Bool { options.isPaired && (keeper == nil || !withNode(\.isUnpaired)) }

  /// Whether the app's complication is on the active face; the lock is held.
  var isComplicationEnabled: Bool {
    options.isComplicationEnabled && (keeper == nil || !withNode(\.hasNoComplication))
  }

  /// Notifies the app that its watch was paired or unpaired, or that its complication changed; the lock is held.
  func changeWatchState() {
    if !isPaired { for seq in handlers.keys.sorted() { fail(SequenceNumber(seq), .deviceNotPaired) } }
    callDelegate { delegate, session in delegate.sessionWatchStateDidChange(session) }
  }

  /// Switches this phone to another watch.
  ///
  /// Nothing new can be sent, messages in flight are cancelled, what the old watch has sent is still delivered, and
  /// then the session waits for another activation.
  func switchWatch() {
    guard activationState == .activated else { return }
    activationState = .inactive
    for seq in handlers.keys.sorted() { fail(SequenceNumber(seq), .sessionInactive) }
    callDelegate { delegate, session in delegate.sessionDidBecomeInactive(session) }
    // After everything that is already being delivered.
    enqueue { [self] in
      condition.withLock {
        activationState = .notActivated
        pairing += 1
        userInfoTransfers.forEach { $0.ticket.setCurrentComplication(false) }
        currentComplication = nil
        deactivatedAt = now
        hasWarnedOfDeactivation = false
        record("session.deactivated")
        callDelegateOfDeactivation()
      }
    }
  }

  private func callDelegateOfDeactivation() {
    enqueue { [self] in
      guard let session, let delegate = session.delegate else { return }
      guard MissingMethod.isMissing(of: delegate, in: { delegate.sessionDidDeactivate(session) }) else { return }
      log(
        "the delegate has no sessionDidDeactivate(_:), so nothing activates the session for the new watch. \(Self.hint)"
      )
    }
  }

  /// Warns about a session that its app has left deactivated for 10 s of virtual time; the lock is held.
  func warnOfDeactivation() {
    guard let since = deactivatedAt, !hasWarnedOfDeactivation, now > since + Session.reactivateWithin else {
      return
    }
    hasWarnedOfDeactivation = true
    log(
      "sessionDidDeactivate(_:) was not followed by activate() within 10 s: nothing is sent or received. \(Self.hint)")
  }

  private static let hint = "os(iOS) is false here; #if !os(watchOS) compiles the phone's code here and on the device"

  /// Adds an event to the trace; the lock is held.
  private func record(_ name: TraceEvent.Name) { put([.event(TraceEvent(name, at: now, on: role.place, []))]) }
}

import Foundation

/// Notices that the watch is silent: nothing came for two seconds while a run was on.
final class SilenceTimer: @unchecked Sendable {
  static let seconds = 2.0
  private let queue = DispatchQueue(label: "silence")
  private let bug: Bug?
  private let onSilence: @Sendable () -> Void
  private var timer: DispatchSourceTimer?
  private var heardAt: Date?

  init(bug: Bug?, onSilence: @escaping @Sendable () -> Void) {
    self.bug = bug
    self.onSilence = onSilence
  }

  /// The watch was heard, in a run.
  func restart() {
    queue.async { [self] in
      if bug == .deafHint {
        if let heardAt, Date().timeIntervalSince(heardAt) > Self.seconds { onSilence() }
        heardAt = Date()
        return
      }
      let timer = timer ?? make()
      timer.schedule(deadline: .now() + Self.seconds, repeating: Self.seconds)
    }
  }

  /// The run is over.
  func stop() {
    queue.async { [self] in
      timer?.cancel()
      timer = nil
      heardAt = nil
    }
  }

  private func make() -> DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler { [onSilence] in onSilence() }
    timer.schedule(deadline: .now() + Self.seconds, repeating: Self.seconds)
    timer.activate()
    self.timer = timer
    return timer
  }
}

package import Link

/// A workout that follows the first one of a run.
package struct PlannedWorkout: Sendable {
  /// When it starts, or when the phone asks for it.
  package var at: VirtualTime
  /// Whether the watch starts it; false if the phone does.
  package var startsItself: Bool
  /// Its motion.
  package var source: AnyMotionSource
  /// The duration of `preparing`, at least 0.
  package var preparing: VirtualTime.Span

  package init(at: VirtualTime, startsItself: Bool, source: AnyMotionSource, preparing: VirtualTime.Span) {
    self.at = at
    self.startsItself = startsItself
    self.source = source
    self.preparing = preparing
  }
}

extension WatchNode.Setup {
  /// Motion and preparation of a workout that begins at an instant: those of the last planned one whose time has come.
  ///
  /// The instant is in the workout's log, so that a restarted app finds the same source.
  func plan(at instant: VirtualTime) -> (source: AnyMotionSource, preparing: VirtualTime.Span) {
    guard let planned = later.last(where: { $0.at <= instant }) else { return (source, preparing) }
    return (planned.source, planned.preparing)
  }

  /// When the watch starts its next workout by itself, after an instant; nil for never.
  func nextStart(after instant: VirtualTime) -> VirtualTime? {
    later.first { $0.startsItself && $0.at > instant }?.at
  }

  /// When the watch starts its next workout by itself, according to its record; nil for never.
  ///
  /// A start is void if a workout was on at its time: users cannot start a second one. The logs show that, so that
  /// nothing more is stored.
  func pendingStart(_ record: WatchRecord, at now: VirtualTime) -> VirtualTime? {
    if !record.isStartUsed, let startsAt { return startsAt }
    guard let last = record.workouts.last else { return nextStart(after: VirtualTime(nanoseconds: .min)) }
    return nextStart(after: last.isOver ? last.lastInstant : now)
  }
}

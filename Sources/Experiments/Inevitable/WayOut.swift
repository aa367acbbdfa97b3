import Console
import Link

/// The last instant at which an intervention averts a failure.
struct WayOut: Equatable {
  let intervention: Intervention
  /// The last instant that was found; nil if the intervention averts nothing, from the run's start on.
  let until: VirtualTime?
  /// The next instant that was tried, at which it no longer averts the failure; at most a nanosecond after the failure.
  let next: VirtualTime

  /// Searches backwards from a failure, in steps that double, and then halves the last one.
  ///
  /// - Parameters:
  ///   - failure: When the run fails.
  ///   - grain: The longest interval between ``until`` and ``next``.
  ///   - averts: Whether the intervention at an instant averts the failure; nil ends the search.
  /// - Returns: Nil if the search was ended.
  init?(
    _ intervention: Intervention, before failure: VirtualTime, grain: VirtualTime.Span,
    averts: (VirtualTime) throws(Failure) -> Bool?
  ) throws(Failure) {
    self.intervention = intervention
    var next = failure
    var found: VirtualTime?
    var step = max(1, grain.nanoseconds / 2)
    while found == nil {
      let at = VirtualTime(nanoseconds: max(0, failure.nanoseconds - min(failure.nanoseconds, step)))
      guard let isAverted = try averts(at) else { return nil }
      if isAverted {
        found = at
      } else {
        next = at
        guard at > .start else { break }
        step = step > .max / 2 ? .max : step * 2
      }
    }
    while let last = found, next - last > grain {
      let middle = VirtualTime(nanoseconds: last.nanoseconds + (next - last).nanoseconds / 2)
      guard let isAverted = try averts(middle) else { return nil }
      if isAverted { found = middle } else { next = middle }
    }
    until = found
    self.next = next
  }
}

package import Link

/// `reserved-events`: only the runner writes what only the runner can know.
///
/// The judge finds these lines itself and passes them to no checker, because none may believe them.
package struct ReservedEventsChecker: Checker {
  package static let invariant = ReservedEvents.invariant
  package static let about =
    "Lines about nodes, links, faults and the run's end come from the runner or the medium; a node's own are not believed."

  package init(header: TraceHeader) {}
}

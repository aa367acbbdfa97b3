package import Link

/// `full-disk-refuses`: what needs room is refused while there is none.
package struct FullDiskRefusesChecker: Checker {
  package static let invariant = "full-disk-refuses"
  package static let about =
    "While the disk of a built-in node is full, its app queues no transfer and sets no context, and it stores no context, no voice note, and nothing of days and sessions."

  private let nodes: BuiltInNodes
  private var disks = ActiveFaults(["diskFull"])
  /// Lines of the current instant that a fault may still excuse by ending in it.
  private var doubtful: [(place: TraceEvent.Place, time: VirtualTime, line: Int)] = []

  package init(header: TraceHeader) { nodes = BuiltInNodes(header) }

  package mutating func transferQueued(_: TransferQueued, at event: Occurrence, into report: inout Report) {
    store(event, &report)
  }

  package mutating func contextSet(_: ContextSet, at event: Occurrence, into report: inout Report) {
    store(event, &report)
  }

  package mutating func contextReceived(_: ContextReceived, at event: Occurrence, into report: inout Report) {
    store(event, &report)
  }

  package mutating func voiceReceived(_: VoiceReceived, at event: Occurrence, into report: inout Report) {
    store(event, &report)
  }

  package mutating func ingestionStaged(_: IngestionStaged, at event: Occurrence, into report: inout Report) {
    store(event, &report)
  }

  package mutating func ingestionParsed(_: IngestionParsed, at event: Occurrence, into report: inout Report) {
    store(event, &report)
  }

  package mutating func ingestionPurged(_: IngestionPurged, at event: Occurrence, into report: inout Report) {
    store(event, &report)
  }

  package mutating func mealLogged(_: MealLogged, at event: Occurrence, into report: inout Report) {
    store(event, &report)
  }

  package mutating func chatWritten(_: ChatWritten, at event: Occurrence, into report: inout Report) {
    store(event, &report)
  }

  package mutating func dayAggregated(_: DayAggregated, at event: Occurrence, into report: inout Report) {
    store(event, &report)
  }

  package mutating func daysSynced(_: DaysSynced, at event: Occurrence, into report: inout Report) {
    store(event, &report)
  }

  package mutating func trainingEdited(_: TrainingEdited, at event: Occurrence, into report: inout Report) {
    store(event, &report)
  }

  private mutating func store(_ event: Occurrence, _ report: inout Report) {
    finishInstant(before: event, &report)
    if nodes.contains(event.place), disks.isActive(on: event.place, before: event.time) {
      doubtful.append((event.place, event.time, event.line))
    }
  }

  package mutating func faultBegin(_ fault: FaultBegan, at event: Occurrence, into report: inout Report) {
    finishInstant(before: event, &report)
    disks.observe(fault, at: event.time)
  }

  package mutating func faultEnd(_ fault: FaultEnded, at event: Occurrence, into report: inout Report) {
    finishInstant(before: event, &report)
    disks.observe(fault, at: event.time)
  }

  package mutating func end(_: TraceEnd, at event: Occurrence, into report: inout Report) {
    finishInstant(before: event, &report)
  }

  private mutating func finishInstant(before event: Occurrence, _ report: inout Report) {
    if let first = doubtful.first, event.time > first.time { finishInstant(&report) }
  }

  private mutating func finishInstant(_ report: inout Report) {
    // A fault that began in the instant itself may have begun after the line.
    for found in doubtful where disks.isActive(on: found.place, before: found.time) {
      report.add(
        "the \(found.place.text) stores this though its disk is full", at: found.time, lines: [found.line])
    }
    doubtful = []
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) { finishInstant(&report) }
}

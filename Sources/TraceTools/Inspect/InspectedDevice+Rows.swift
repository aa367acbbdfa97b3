import Console
import CoachProtocol
package import Link
import PhoneSim
import WatchSim

/// Rows of a device's stored state.
extension InspectedDevice {
  /// A queued transfer.
  static func row(
    _ transfer: Identifier, _ seq: SequenceNumber, _ flags: Frame.Flags, _ lane: Lane, _ payload: [UInt8]
  ) -> JSONFields {
    let isVoid = flags.contains(.void)
    let offer = !isVoid && lane == .file ? FileOffer(payload) : nil
    let isEvent = !isVoid && lane != .file
    return [
      "transfer": .string(transfer.text), "seq": .count(seq.rawValue), "cancelled": isVoid ? .bool(true) : nil,
      "name": offer.map { .string($0.name) }, "kind": isEvent ? .text(AppMessage.reading(payload).kindText) : nil,
      "bytes": isEvent ? .count(payload.count) : offer.map { .count($0.byteCount) },
    ]
  }

  /// A file that is being received.
  static func row(_ partial: PartialFile) -> JSONFields {
    let offer = FileOffer(partial.offer)
    return [
      "transfer": .string(partial.transfer.text), "seq": .count(partial.seq.rawValue), "name": .text(offer?.name),
      "received": .count(partial.receivedBytes), "bytes": .count(offer?.byteCount),
    ]
  }

  /// The state of the watch's app.
  mutating func add(_ record: WatchRecord) {
    add("workouts", record.workouts) { log in
      [
        "workoutId": .string(log.begin.workoutId.text), "began": .seconds(log.begin.at - .start),
        "steps": .count(log.steps.count), "ended": .bool(log.isOver),
        "unannounced": .count(log.steps.count { !$0.isAnnounced }),
      ]
    }
    add("notesOwed", record.notes) { note in
      [
        "note": .string(note.metadata.noteId.text), "seconds": .plain(note.metadata.seconds),
        "transfer": .text(note.transfer?.text), "failures": .count(note.failures),
      ]
    }
  }

  /// The state of the phone's app.
  mutating func add(_ record: PhoneRecord) {
    let belief = record.consumer.belief
    add("belief", [belief.state].compactMap(\.self)) { state in
      ["state": .string(state.text), "workoutId": .text(belief.workoutId?.text)]
    }
    addStart(record.consumer.start)
    add("runs", record.runs) { run in
      [
        "id": .string(run.id.text), "startedAt": Self.date(run.startedAt),
        "endedAt": run.endedAt.map(Self.date) ?? .null, "runType": .string(run.runType.rawValue),
        "mode": .string(run.mode.rawValue), "personality": .string(run.personality),
        "healthKitWorkoutUUID": .text(run.healthKitWorkoutUUID?.text), "label": .text(run.label),
        "userNotes": .text(run.userNotes), "perceivedEffort": .count(run.perceivedEffort),
        "summary": .text(run.summaryText),
      ]
    }
    add("history", rows: record.runs.map(\.listed))
    add("races", record.races, Self.row)
    add("played", record.played) { line in
      [
        "message": .string(line.messageId), "playedAt": .seconds(line.playedAt - .start),
        "runId": .string(line.runId.text), "wasInterrupted": .bool(line.wasInterrupted),
      ]
    }
    add("voiceNotes", record.voiceNotes) { note in
      [
        "id": .string(note.id.text), "runId": .text(note.runId?.text), "audio": .string(note.audioFilePath),
        "status": .string(note.status.rawValue), "transcript": .text(note.transcript),
        "aiReplyId": .text(note.aiReplyId),
      ]
    }
    addAnswers(record)
    addIngestion(record.ingestion)
    addDaily(record.daily)
    addTraining(record.training)
    addSecond(record)
  }

  /// A planned race.
  private static func row(_ race: RaceSetup) -> JSONFields {
    func cues(_ cues: [RaceCue]) -> JSONValue { .objects(cues.map { RaceCue.schema.members(of: $0) }) }
    return [
      "id": .string(race.id.text), "name": .string(race.name), "distanceMeters": .plain(race.distanceMeters),
      "targetTimeSeconds": .plain(race.targetTimeSeconds), "pacingStrategy": .string(race.pacingStrategy.rawValue),
      "fuelingPlan": cues(race.fuelingPlan), "hydrationPlan": cues(race.hydrationPlan), "notes": .text(race.notes),
      "scriptId": .text(race.scriptId), "runId": .text(race.runId?.text),
    ]
  }

  private static func date(_ time: WatchTime) -> JSONValue {
    .text(DateText.utc(Double(time.nanoseconds) / 1e9))
  }

  // MARK: Out

  /// For machines.
  package var members: [JSONMember] {
    var members = [JSONMember]([
      "device": .string(role.text), "starts": .integer(starts), "findings": .texts(findings),
    ])
    for section in sections {
      members.append(JSONMember(section.name, .objects(section.rows)))
      if let total = section.total { members.append(JSONMember("\(section.name).total", .count(total))) }
    }
    return members
  }

  /// For people: empty sections are omitted.
  package var lines: [String] {
    var lines = [Terminal.styled("\(role.text), started \(PlainText.count(Int(starts), "time"))", .bold)]
    for finding in findings { lines.append("  damaged: \(TerminalText.escape(finding))") }
    for section in sections where !section.rows.isEmpty {
      lines.append("  \(section.name) (\(section.total ?? section.rows.count))")
      let cells = section.rows.map { row in row.map { TerminalText.escape("\($0.key) \(Self.plain($0.node.value))") } }
      lines += PlainText.columns(cells, indent: 4)
      if let total = section.total { lines.append("    and \(total - section.rows.count) more") }
    }
    if sections.allSatisfy({ $0.rows.isEmpty }) { lines.append("  nothing") }
    return lines
  }

  private static func plain(_ value: JSONValue) -> String {
    if case .string(let text) = value { return text }
    if case .null = value { return "-" }
    return String(decoding: JSONWriter.compact(JSONNode(value)), as: UTF8.self)
  }
}

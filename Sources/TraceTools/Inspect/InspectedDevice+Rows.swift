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
  ) -> [JSONMember] {
    var row = [
      JSONMember("transfer", .string(transfer.text)), JSONMember("seq", .integer(Int64(clamping: seq.rawValue))),
    ]
    if flags.contains(.void) {
      row.append(JSONMember("cancelled", .bool(true)))
    } else if lane == .file {
      if let offer = FileOffer(payload) {
        row.append(JSONMember("name", .string(offer.name)))
        row.append(JSONMember("bytes", .integer(Int64(clamping: offer.byteCount))))
      }
    } else {
      row.append(JSONMember("kind", JSONOutput.text(AppMessage.reading(payload).kindText)))
      row.append(JSONMember("bytes", .integer(Int64(payload.count))))
    }
    return row
  }

  /// A file that is being received.
  static func row(_ partial: PartialFile) -> [JSONMember] {
    let offer = FileOffer(partial.offer)
    return [
      JSONMember("transfer", .string(partial.transfer.text)),
      JSONMember("seq", .integer(Int64(clamping: partial.seq.rawValue))),
      JSONMember("name", JSONOutput.text(offer?.name)),
      JSONMember("received", .integer(Int64(clamping: partial.receivedBytes))),
      JSONMember("bytes", offer.map { .integer(Int64(clamping: $0.byteCount)) } ?? .null),
    ]
  }

  /// The state of the watch's app.
  mutating func add(_ record: WatchRecord) {
    sections.append(
      Section(
        name: "workouts",
        rows: record.workouts.map { log in
          [
            JSONMember("workoutId", .string(log.begin.workoutId.text)),
            JSONMember("began", .plain((log.begin.at - .start).seconds)),
            JSONMember("steps", .integer(Int64(log.steps.count))),
            JSONMember("ended", .bool(log.isOver)),
            JSONMember("unannounced", .integer(Int64(log.steps.count { !$0.isAnnounced }))),
          ]
        }))
    sections.append(
      Section(
        name: "notesOwed",
        rows: record.notes.map { note in
          [
            JSONMember("note", .string(note.metadata.noteId.text)),
            JSONMember("seconds", .plain(note.metadata.seconds)),
            JSONMember("transfer", JSONOutput.text(note.transfer?.text)),
            JSONMember("failures", .integer(Int64(note.failures))),
          ]
        }))
  }

  /// The state of the phone's app.
  mutating func add(_ record: PhoneRecord) {
    let belief = record.consumer.belief
    sections.append(
      Section(
        name: "belief",
        rows: belief.state.map { state in
          [
            [
              JSONMember("state", .string(state.text)),
              JSONMember("workoutId", JSONOutput.text(belief.workoutId?.text)),
            ]
          ]
        } ?? []))
    addStart(record.consumer.start)
    sections.append(
      Section(
        name: "runs",
        rows: record.runs.map { run in
          [
            JSONMember("id", .string(run.id.text)), JSONMember("startedAt", Self.date(run.startedAt)),
            JSONMember("endedAt", run.endedAt.map(Self.date) ?? .null),
            JSONMember("runType", .string(run.runType.rawValue)), JSONMember("mode", .string(run.mode.rawValue)),
            JSONMember("personality", .string(run.personality)),
            JSONMember("healthKitWorkoutUUID", JSONOutput.text(run.healthKitWorkoutUUID?.text)),
            JSONMember("label", JSONOutput.text(run.label)), JSONMember("userNotes", JSONOutput.text(run.userNotes)),
            JSONMember("perceivedEffort", run.perceivedEffort.map { .integer(Int64($0)) } ?? .null),
            JSONMember("summary", JSONOutput.text(run.summaryText)),
          ]
        }))
    sections.append(Section(name: "history", rows: record.runs.map(\.listed)))
    sections.append(Section(name: "races", rows: record.races.map(Self.row)))
    sections.append(
      Section(
        name: "played",
        rows: record.played.map { line in
          [
            JSONMember("message", .string(line.messageId)),
            JSONMember("playedAt", .plain((line.playedAt - .start).seconds)),
            JSONMember("runId", .string(line.runId.text)), JSONMember("wasInterrupted", .bool(line.wasInterrupted)),
          ]
        }))
    sections.append(
      Section(
        name: "voiceNotes",
        rows: record.voiceNotes.map { note in
          [
            JSONMember("id", .string(note.id.text)), JSONMember("runId", JSONOutput.text(note.runId?.text)),
            JSONMember("audio", .string(note.audioFilePath)), JSONMember("status", .string(note.status.rawValue)),
            JSONMember("transcript", JSONOutput.text(note.transcript)),
            JSONMember("aiReplyId", JSONOutput.text(note.aiReplyId)),
          ]
        }))
    addAnswers(record)
    addIngestion(record.ingestion)
    addDaily(record.daily)
    addTraining(record.training)
    addSecond(record)
  }

  /// A planned race.
  private static func row(_ race: RaceSetup) -> [JSONMember] {
    [
      JSONMember("id", .string(race.id.text)), JSONMember("name", .string(race.name)),
      JSONMember("distanceMeters", .plain(race.distanceMeters)),
      JSONMember("targetTimeSeconds", .plain(race.targetTimeSeconds)),
      JSONMember("pacingStrategy", .string(race.pacingStrategy.rawValue)),
      JSONMember("fuelingPlan", .array(race.fuelingPlan.map { JSONNode(.object(RaceCue.schema.members(of: $0))) })),
      JSONMember("hydrationPlan", .array(race.hydrationPlan.map { JSONNode(.object(RaceCue.schema.members(of: $0))) })),
      JSONMember("notes", JSONOutput.text(race.notes)), JSONMember("scriptId", JSONOutput.text(race.scriptId)),
      JSONMember("runId", JSONOutput.text(race.runId?.text)),
    ]
  }

  private static func date(_ time: WatchTime) -> JSONValue {
    JSONOutput.text(DateText.utc(Double(time.nanoseconds) / 1e9))
  }

  // MARK: Out

  /// For machines.
  package var members: [JSONMember] {
    var members = [
      JSONMember("device", .string(role.text)), JSONMember("starts", .integer(starts)),
      JSONMember("findings", JSONOutput.texts(findings)),
    ]
    for section in sections {
      members.append(JSONMember(section.name, JSONOutput.objects(section.rows)))
      if let total = section.total { members.append(JSONMember("\(section.name).total", .integer(Int64(total)))) }
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

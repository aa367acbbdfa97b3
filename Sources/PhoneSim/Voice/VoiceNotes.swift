import CoachProtocol
import Link

/// Voice notes of either device: recorded here or received as files, then stored and transcribed.
struct VoiceNotes: Sendable {
  private let seed: UInt64
  private let plants: Plants
  private let hasEdge: Bool
  /// The recogniser's `requiresOnDeviceRecognition`: true where it has a model of the user's language.
  private let isOnDevice: Bool
  private var recorder = VoiceRecorder()
  private var transcriber = Transcriber()
  /// Ids of stored notes, to ignore second copies.
  var ids: Set<Identifier>
  /// Received files that are not handled yet, in order: the first one waits for room for its row.
  private var waitingFiles: [(entry: QueueEntry, offer: FileOffer)] = []
  /// While true, no note is stored.
  private var isDiskFull = false

  /// Restores the notes of a phone that starts.
  init(_ setup: PhoneNode.Setup, restoring app: PhoneRecord) {
    seed = setup.seed
    plants = setup.plants
    hasEdge = setup.hasEdge
    isOnDevice = (setup.voice ?? VoiceSetup()).language.isRecognizedOnDevice
    ids = Set(app.voiceNotes.map(\.id))
  }

  /// When a recording or a transcription finishes; nil for never.
  var nextDeadline: VirtualTime? {
    guard let recorded = recorder.nextDeadline else { return transcriber.nextDeadline }
    return transcriber.nextDeadline.map { min($0, recorded) } ?? recorded
  }

  var isRecording: Bool { recorder.recording != nil }

  /// Removes the recording that a restart interrupted, if any, and starts unfinished transcriptions again.
  mutating func begin(
    interrupted recording: Identifier?, _ transcriptions: [PendingTranscription], _ changes: inout [PhoneChange],
    in turn: inout Turn
  ) {
    if let recording {
      turn.items.append(.file(.remove(VoiceNote.audioFileName(recording))))
      changes.commit(.recordingEnded, in: &turn)
    }
    for note in transcriptions { transcriber.begin(note, at: turn.now) }
  }

  /// Holds transcriptions back while there is no room for them.
  mutating func setDiskFull(_ isFull: Bool, at now: VirtualTime) {
    isDiskFull = isFull
    if isFull { transcriber.pause() } else { transcriber.resume(at: now) }
  }

  /// Deletes all notes.
  mutating func wipe(in turn: inout Turn) {
    for name in ids.map(VoiceNote.audioFileName).sorted() { turn.items.append(.file(.remove(name))) }
    ids = []
    transcriber = Transcriber()
  }

  // MARK: Files

  /// Adds a received file to those that wait.
  mutating func add(_ entry: QueueEntry, _ offer: FileOffer) { waitingFiles.append((entry, offer)) }

  /// Handles waiting files in order, until one does not fit on the disk.
  ///
  /// - Parameter isSpeaking: Whether the phone speaks; only for a planted bug.
  mutating func handleFiles(
    isSpeaking: Bool, _ session: inout Session, _ changes: inout [PhoneChange], in turn: inout Turn
  ) {
    var handled = 0
    while handled < waitingFiles.count,
      handle(waitingFiles[handled], isSpeaking: isSpeaking, &session, &changes, in: &turn)
    { handled += 1 }
    waitingFiles.removeFirst(handled)
  }

  /// Handles one file.
  ///
  /// - Returns: False if there is no room for it yet.
  private mutating func handle(
    _ file: (entry: QueueEntry, offer: FileOffer), isSpeaking: Bool, _ session: inout Session,
    _ changes: inout [PhoneChange], in turn: inout Turn
  ) -> Bool {
    let metadata: FileMetadata
    do throws(FileMetadataError) { metadata = try FileMetadata(decoding: file.offer.metadata) } catch {
      session.setAside(file.entry, error: error.description, in: &turn)
      return true
    }
    switch metadata {
    case .probe: markDelivered(file.entry, metadata, &session, in: &turn)
    case .voiceNote(let note):
      guard !isDiskFull else { return false }
      if plants.contains(.delegateRace), isSpeaking {
        // The file is not moved, so the session deletes it.
        markDelivered(file.entry, metadata, &session, in: &turn)
      } else {
        receive(note, file, &session, &changes, in: &turn)
      }
    }
    return true
  }

  /// Handles a file of which nothing is stored.
  private func markDelivered(
    _ entry: QueueEntry, _ metadata: FileMetadata, _ session: inout Session, in turn: inout Turn
  ) {
    session.markHandled(entry, in: &turn)
    recordDelivered(entry, metadata, in: &turn)
    session.commitHandled(entry, in: &turn)
  }

  private func recordDelivered(_ entry: QueueEntry, _ metadata: FileMetadata, in turn: inout Turn) {
    turn.record(TransferDelivered.self, on: .phone) {
      $0.describe(entry)
      $0.details = metadata.eventDetails
    }
  }

  /// Stores a voice note of the watch: row and handled mark are one transaction.
  private mutating func receive(
    _ note: VoiceNoteMetadata, _ file: (entry: QueueEntry, offer: FileOffer), _ session: inout Session,
    _ changes: inout [PhoneChange], in turn: inout Turn
  ) {
    let now = turn.now
    session.markHandled(file.entry, in: &turn)
    if plants.contains(.noteAcknowledgedEarly) { acknowledgeEarly(in: &turn) }
    let isNew = ids.insert(note.noteId).inserted
    let row = VoiceNote(id: note.noteId, runId: note.runId, recordedAt: note.recordedAt.nanoseconds)
    let pending = PendingTranscription(
      noteId: note.noteId, runId: note.runId, says: note.says, outcome: note.transcription)
    if isNew {
      turn.items.append(.file(.keep(file.entry.transfer, as: row.audioFilePath)))
      changes.persist(.noteStored(row, pending), in: &turn)
    }
    recordDelivered(file.entry, .voiceNote(note), in: &turn)
    if isNew {
      turn.record(row.receivedEvent(bytes: file.offer.byteCount, seconds: note.seconds, at: now))
    }
    session.commitHandled(file.entry, in: &turn)
    guard isNew else { return }
    turn.items.append(.crashPoint(.voiceCommitted))
    transcriber.begin(pending, at: now)
  }

  // MARK: Recording

  /// Begins to record a note.
  ///
  /// - Parameters:
  ///   - runId: The run that is on, if any.
  ///   - clock: The reading of the phone's clock.
  mutating func record(
    _ command: RecordCommand, during runId: Identifier?, clock: Int64, _ changes: inout [PhoneChange],
    in turn: inout Turn
  ) throws(CommandRefusal) {
    guard !isRecording else { throw CommandRefusal("a note is being recorded") }
    guard !isDiskFull else { throw CommandRefusal(SessionError.insufficientSpace.rawValue) }
    let noteId = Identifier(
      RandomStream(seed: seed, name: "phone.voice"), for: UInt64(bitPattern: turn.now.nanoseconds))
    recorder.begin(
      VoiceRecorder.Recording(
        noteId: noteId, runId: runId, recordedAt: clock, command: command, endsAt: turn.now + command.span))
    changes.commit(.recordingBegan(noteId), in: &turn)
  }

  /// Stores a finished recording, if there is room for it.
  mutating func finishRecording(_ changes: inout [PhoneChange], in turn: inout Turn) {
    let now = turn.now
    guard let recording = recorder.popDue(at: now) else { return }
    guard !isDiskFull else {
      changes.commit(.recordingEnded, in: &turn)
      let refusal = CommandRefusal(SessionError.insufficientSpace.rawValue)
      return turn.record(refusal.event(RecordCommand.word, at: now, on: .phone))
    }
    let row = VoiceNote(id: recording.noteId, runId: recording.runId, recordedAt: recording.recordedAt)
    let pending = PendingTranscription(
      noteId: recording.noteId, runId: recording.runId, says: recording.command.says,
      outcome: recording.command.transcription)
    ids.insert(recording.noteId)
    turn.items.append(.file(.make(recording.content, as: row.audioFilePath)))
    changes.persist(.recordingEnded, in: &turn)
    changes.commit(.noteStored(row, pending), in: &turn)
    turn.record(
      row.recordedEvent(bytes: recording.content.byteCount, seconds: recording.command.seconds, at: now))
    turn.items.append(.crashPoint(.voiceCommitted))
    transcriber.begin(pending, at: now)
  }

  // MARK: Transcriptions

  /// Stores a finished transcription; the audio stays whether or not it had words.
  ///
  /// - Parameter hasNetwork: Without it, only a recogniser on the phone reads anything.
  /// - Returns: The note; nil if none is finished. With an edge, the caller asks about it and commits.
  mutating func finishTranscription(
    hasNetwork: Bool, _ changes: inout [PhoneChange], in turn: inout Turn
  ) -> PendingTranscription? {
    guard var note = transcriber.popDue(at: turn.now) else { return nil }
    if !isOnDevice, !hasNetwork { note.outcome = .failed }
    let isDone = note.outcome == .done
    let transcript = isDone ? note.says ?? "" : nil
    changes.persist(.noteTranscribed(note.noteId, isDone ? .done : .failed, transcript: transcript), in: &turn)
    // With an edge, the request that follows is committed in the same transaction.
    if !hasEdge { turn.items.append(.commit) }
    turn.record(VoiceTranscribed.self, on: .phone) {
      $0.note = note.noteId
      $0.status = isDone ? .done : .failed
      ($0.transcript, $0.onDevice) = (transcript, isOnDevice)
    }
    return note
  }
}

/// Connects the voice notes with session, run, coach and store.
extension PhoneNode {
  mutating func beginVoice(in turn: inout Turn) {
    guard let pendingStart else { return }
    voice.begin(interrupted: pendingStart.recording, pendingStart.transcriptions, &changes, in: &turn)
    if setup.plants.contains(.halfFile) { voice.listHalfFile(of: session, &changes, in: &turn) }
  }

  mutating func handleFiles(in turn: inout Turn) {
    voice.handleFiles(isSpeaking: audio.isSpeaking, &session, &changes, in: &turn)
  }

  mutating func record(_ command: NodeCommand, in turn: inout Turn) {
    do throws(CommandRefusal) {
      guard let order = try RecordCommand.reading(command) else { preconditionFailure("\(command.name) records") }
      try voice.record(
        order, during: consumer.hasRun ? consumer.workoutId : nil, clock: clock.reading(at: turn.now), &changes,
        in: &turn)
    } catch {
      refuse(command.name, why: error.why, in: &turn)
    }
  }

  /// Stores what was recorded or transcribed, and lets the coach reply to it.
  mutating func fireVoice(in turn: inout Turn) {
    voice.finishRecording(&changes, in: &turn)
    while let note = voice.finishTranscription(hasNetwork: coach.hasNetwork, &changes, in: &turn) {
      guard setup.hasEdge else { continue }
      let moment = coachMoment(at: turn.now)
      coach.ask(about: note, at: moment, &engine, &changes, in: &turn)
      if note.outcome == .failed { coach.askForTranscript(of: note, at: moment, &engine, &changes, in: &turn) }
      turn.items.append(.commit)
    }
  }
}

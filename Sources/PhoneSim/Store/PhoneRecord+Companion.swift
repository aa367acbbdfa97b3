import Link

extension PhoneRecord {
  /// Applies a change of remarks, cached figures or races.
  mutating func applyCompanion(_ change: RareChange) {
    switch change {
    case .runRemarked(let id, let remarks): changeRun(id) { $0.apply(remarks) }
    case .runCached(let id, let cached): changeRun(id) { $0.cached = cached }
    case .runRestored(let run): if !runs.contains(where: { $0.id == run.id }) { runs.append(run) }
    case .raceStored(let race):
      if let index = races.firstIndex(where: { $0.id == race.id }) { races[index] = race } else { races.append(race) }
    case .wiped: wipe()
    default: preconditionFailure("\(change) is no change of runs or races")
    }
  }

  private mutating func wipe() {
    runs = []
    played = []
    unheard = []
    voiceNotes = []
    transcriptions = []
    ai = AIRecord()
    replies = []
    waitingReplies = []
    script = nil
    memory = []
    races = []
  }
}

extension RunRow {
  /// Sets the given remarks; the others stay.
  mutating func apply(_ remarks: RunRemarks) {
    label = remarks.label ?? label
    userNotes = remarks.userNotes ?? userNotes
    perceivedEffort = remarks.perceivedEffort ?? perceivedEffort
  }

  /// Keeps the runner's own remarks of the replaced row.
  mutating func inheritRemarks(of old: RunRow) {
    label = label ?? old.label
    userNotes = userNotes ?? old.userNotes
    perceivedEffort = perceivedEffort ?? old.perceivedEffort
  }
}

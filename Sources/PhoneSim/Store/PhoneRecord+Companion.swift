import Link

extension PhoneRecord {
  /// Applies a change of what is kept of runs beside their script, and of races.
  mutating func applyCompanion(_ change: RareChange) {
    switch change {
    case .runRemarked(let id, let remarks): changeRun(id) { $0.note(remarks) }
    case .runCached(let id, let cached): changeRun(id) { $0.cached = cached }
    case .runRestored(let run): if !runs.contains(where: { $0.id == run.id }) { runs.append(run) }
    case .raceKept(let race):
      if let place = races.firstIndex(where: { $0.id == race.id }) { races[place] = race } else { races.append(race) }
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
  /// Takes what the runner wrote; what there is no word of stays.
  mutating func note(_ remarks: RunRemarks) {
    label = remarks.label ?? label
    userNotes = remarks.userNotes ?? userNotes
    perceivedEffort = remarks.perceivedEffort ?? perceivedEffort
  }

  /// What a row that is opened anew takes over from the one it replaces: the runner's own words.
  mutating func takeRemarks(of old: RunRow) {
    label = label ?? old.label
    userNotes = userNotes ?? old.userNotes
    perceivedEffort = perceivedEffort ?? old.perceivedEffort
  }
}

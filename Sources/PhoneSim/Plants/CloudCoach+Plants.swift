import CoachProtocol
import Link

/// The wrong behaviour of planted bugs.
extension CloudCoach {
  /// ``Plants/script502``: drops a script request that failed three times.
  mutating func giveUpScript(
    of runId: Identifier, at moment: Moment, _ engine: inout ScriptEngine, _ changes: inout [PhoneChange],
    in turn: inout Turn
  ) {
    guard setup.plants.contains(.script502),
      client.record.requests.contains(where: {
        $0.runId == runId && $0.call == .generateScript && $0.attempt >= AIClient.scriptFailuresMax
      })
    else { return }
    receive(.runEnded(runId), at: moment, &engine, &changes, in: &turn)
  }
}

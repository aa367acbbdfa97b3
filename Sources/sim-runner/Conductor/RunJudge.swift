import Link

/// Who judges a run as it goes: the invariants and the scenario's expectations.
struct RunJudge {
  mutating func observe(_ event: TraceEvent, line: Int) {}
}

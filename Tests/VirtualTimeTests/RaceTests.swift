import Testing

/// How soon the orders of two threads are met.
@Suite(.serialized) struct `Small races` {
  @Test(arguments: 0..<20) func `the default policy meets both outcomes within 20 seeds`(race: Int) throws {
    for first in [1, 1_000] {
      var outcomes: Set<String> = []
      var seeds = 0
      while outcomes.count < 2, seeds < 20 {
        let run = try ProbeProcess(["small-race", "\(race)"], ["THREADS_SEED": "\(first + seeds)"])
        #expect(run.status == 0, "\(run.errors)")
        outcomes.insert(run.text)
        seeds += 1
      }
      #expect(outcomes == ["1\n", "2\n"], "seeds from \(first)")
    }
  }
}

import CoachProtocol
import Link
import PhoneSim
import Testing

/// Every order of short sequences, compared with an oracle that keeps every update.
@Suite struct RunBeliefOrdersTests {
  typealias Words = Workouts

  /// Walks all sequences over `alphabet` up to `length`, sharing prefixes; returns the first disagreements.
  private static func disagreements(
    over alphabet: [BeliefInput], length: Int, mayRepeat: Bool
  ) -> (found: [String], sequences: Int) {
    var found: [String] = []
    var sequences = 0
    var path: [BeliefInput] = []
    var used = [Bool](repeating: false, count: alphabet.count)
    func walk(_ belief: RunBelief, _ oracle: BeliefOracle) {
      sequences += 1
      guard path.count < length, found.isEmpty else { return }
      for (place, input) in alphabet.enumerated() where mayRepeat || !used[place] {
        var belief = belief
        var oracle = oracle
        let did = belief.take(input)
        let expected = oracle.take(input)
        path.append(input)
        used[place] = true
        if did != expected || belief.state != oracle.state || belief.workoutId != oracle.workoutId {
          found.append("\(path): did \(did) \(belief), expected \(expected)")
        }
        walk(belief, oracle)
        path.removeLast()
        used[place] = false
      }
    }
    walk(RunBelief(), BeliefOracle())
    return (found, sequences)
  }

  /// Every kind of word about one workout.
  private static func everyWord(_ workout: Identifier, at seconds: Int64) -> [BeliefInput] {
    let snapshots = WorkoutState.allCases.map { RunUpdate.snapshot($0, workout, at: seconds) }
    let events: [RunUpdate] = [
      .started(workout, at: seconds), .paused(workout, at: seconds), .resumed(workout, at: seconds),
      .ended(workout, at: seconds), .discarded(workout, at: seconds),
    ]
    return (snapshots + events).map(BeliefInput.update)
  }

  @Test func `every sequence of four updates of one workout gives the belief of the oracle`() {
    let alphabet = (1...2).flatMap { Self.everyWord(Words.a, at: $0) }
    let (found, sequences) = Self.disagreements(over: alphabet, length: 4, mayRepeat: true)
    #expect(found.isEmpty)
    #expect(sequences == 1 + 18 + 18 * 18 + 18 * 18 * 18 + 18 * 18 * 18 * 18)
  }

  @Test func `every sequence of three updates of two workouts and commands gives the belief of the oracle`() {
    let words = (1...2).flatMap { Self.everyWord(Words.a, at: $0) + Self.everyWord(Words.b, at: $0) }
    let commands = [Words.a, Words.b, Words.c].map(BeliefInput.startWorkout)
    let (found, sequences) = Self.disagreements(over: words + commands, length: 3, mayRepeat: true)
    #expect(found.isEmpty)
    #expect(sequences == 1 + 39 + 39 * 39 + 39 * 39 * 39)
  }

  @Test
  func `six updates of two runs, one by a ghost, give the belief of the oracle in all 720 orders and at all times`() {
    // Each entry is an update without its time; times 1 and 2 are tried in all 64 ways.
    let makers: [@Sendable (Int64) -> RunUpdate] = [
      { .snapshot(.running, Words.a, at: $0) }, { .started(Words.a, at: $0) }, { .paused(Words.a, at: $0) },
      { .ended(Words.a, at: $0) }, { .started(Words.b, at: $0) }, { .snapshot(.ended, Words.a, at: $0) },
    ]
    var total = 0
    for times in 0..<64 {
      let alphabet = makers.enumerated().map { place, make in
        BeliefInput.update(make(1 + Int64(times >> place & 1)))
      }
      let (found, sequences) = Self.disagreements(over: alphabet, length: 6, mayRepeat: false)
      #expect(found.isEmpty)
      total += sequences
    }
    #expect(total == 64 * 1957, "all partial permutations of six")
  }

  @Test(arguments: [
    [0, 1, 2, 3, 4], [0, 2, 3, 5, 6], [1, 2, 3, 7, 4], [0, 1, 3, 7, 8],
  ])
  func `five words come to what all of them say in all orders and all times of three`(choice: [Int]) {
    let makers: [(Int64) -> RunUpdate] = [
      { .snapshot(.preparing, Words.a, at: $0) }, { .started(Words.a, at: $0) }, { .paused(Words.a, at: $0) },
      { .resumed(Words.a, at: $0) }, { .snapshot(.paused, Words.a, at: $0) }, { .started(Words.b, at: $0) },
      { .snapshot(.running, Words.b, at: $0) }, { .snapshot(.ended, Words.a, at: $0) }, { .ended(Words.b, at: $0) },
    ]
    for times in 0..<243 {
      var rest = times
      let alphabet = choice.map { place in
        defer { rest /= 3 }
        return BeliefInput.update(makers[place](Int64(1 + rest % 3)))
      }
      let (found, _) = Self.disagreements(over: alphabet, length: 5, mayRepeat: false)
      #expect(found.isEmpty)
    }
  }

  @Test func `counting snapshots of three workouts give the belief of the oracle in every sequence of five`() {
    let alphabet: [RunUpdate] = [
      .started(Words.a, at: 1), .counting(.running, Words.a, at: 4, since: 1), .ended(Words.a, at: 5),
      .counting(.running, Words.b, at: 4, since: 2), .counting(.paused, Words.b, at: 9, since: 6),
      .discarded(Words.b, at: 10), .counting(.ended, Words.c, at: 12, since: 11), .started(Words.c, at: 11),
      .ended(Words.c, at: 12),
    ]
    let inputs = alphabet.map(BeliefInput.update) + [.startWorkout(Words.c)]
    let (found, sequences) = Self.disagreements(over: inputs, length: 5, mayRepeat: true)
    #expect(found.isEmpty)
    #expect(sequences == 111_111)
  }

  @Test(arguments: [UInt64](0..<40))
  func `long stories of three workouts, repeats and commands come to what all of them say`(seed: UInt64) {
    let random = RandomStream(seed: seed, name: "stories")
    let workouts = [Words.a, Words.b, Words.c]
    let words = workouts.flatMap { workout in (1...8).flatMap { Self.everyWord(workout, at: $0 * 4) } }
    let alphabet = words + workouts.map(BeliefInput.startWorkout)
    for story in 0..<50 as Range<UInt64> {
      var belief = RunBelief()
      var oracle = BeliefOracle()
      var path: [BeliefInput] = []
      for step in 0..<16 as Range<UInt64> {
        let pick = random.number(below: UInt64(alphabet.count), for: RandomStream.key(story, step))
        let input = alphabet[Int(pick)]
        path.append(input)
        let did = belief.take(input)
        guard did == oracle.take(input), belief.state == oracle.state, belief.workoutId == oracle.workoutId else {
          Issue.record("\(path): \(did), \(belief)")
          return
        }
      }
    }
  }

  @Test func `without an end, the order of arrival does not matter to the belief`() {
    let words: [RunUpdate] = [
      .started(at: 1), .snapshot(.running, at: 2), .paused(at: 3), .snapshot(.paused, at: 3), .resumed(at: 5),
      .snapshot(.running, at: 6),
    ]
    for order in permutations(words.count) {
      var belief = RunBelief()
      for place in order { _ = belief.take(words[place]) }
      #expect(belief.state == .running)
      #expect(belief.run?.newestSentAt == watchTime(6))
      #expect(belief.run?.isNamed == true)
    }
  }

  @Test func `an end among the updates of a workout is the final belief, in every order`() {
    let words: [RunUpdate] = [
      .started(at: 1), .snapshot(.running, at: 2), .ended(at: 3), .resumed(at: 5), .snapshot(.running, at: 6),
    ]
    for order in permutations(words.count) {
      var belief = RunBelief()
      var decisions: [RunDecision] = []
      for place in order { decisions += belief.take(words[place]) }
      #expect(belief.state == .ended)
      #expect(decisions.count { if case .finished = $0 { true } else { false } } == 1)
      #expect(decisions.count { if case .opened = $0 { true } else { false } } == 1)
      #expect(decisions.count { if case .named = $0 { true } else { false } } == 1)
    }
  }

  /// All orders of 0..<count.
  private func permutations(_ count: Int) -> [[Int]] {
    guard count > 0 else { return [[]] }
    return permutations(count - 1).flatMap { rest in
      (0...rest.count).map { place in
        var order = rest
        order.insert(count - 1, at: place)
        return order
      }
    }
  }
}

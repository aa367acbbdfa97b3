import CoachProtocol
import Link
import PhoneSim
import Testing

/// Long random lives of a phone, judged afterwards from their lines and the phone's absences alone.
@Suite struct LivenessDeadlineFigureTests {
  /// Half-second steps, so that arrivals often fall on the very instant of a deadline.
  private struct Life {
    var lines: [TraceEvent] = []
    var returns: [VirtualTime] = []
    /// Spans in which the phone was away: nothing can be raised in them.
    var absences: [(from: VirtualTime, to: VirtualTime)] = []
    var end = VirtualTime.start
  }

  private func live(seed: UInt64) -> Life {
    let random = RandomStream(seed: seed, name: "life")
    var ear = Ear()
    var life = Life()
    life.returns.append(.start)
    var seconds = 0.0
    var seq: UInt64 = 10
    var word: Int64 = 100
    var workout = Workouts.a
    for step in 0..<120 as Range<UInt64> {
      func draw(_ bound: UInt64, _ number: UInt64) -> UInt64 { random.number(below: bound, for: step, draw: number) }
      // Mostly short gaps, some around the ten seconds, some of none at all.
      seconds += Double(draw(10, 0) < 7 ? draw(5, 1) : 18 + draw(6, 1)) / 2
      word += 1
      switch draw(20, 2) {
      case 0...9:
        seq += 1 + draw(2, 3)
        ear.hear(draw(8, 4) == 0 ? .paused : .running, at: seconds, workout: workout, sentAt: word, seq: seq)
      case 10...12: ear.hear(.running, at: seconds, workout: workout, sentAt: word, seq: seq - draw(3, 3))
      case 13: ear.deliver(.paused(workout, at: word), at: seconds)
      case 14: ear.deliver(.resumed(workout, at: word - Int64(draw(4, 3))), at: seconds)
      case 15: ear.deliver(.started(workout, at: word), at: seconds)
      case 16 where draw(2, 3) == 0:
        ear.deliver(.ended(workout, at: word), at: seconds)
        workout = Identifier(high: 0xD, low: step)
      case 17, 18:
        ear.wait(until: seconds)
        let from = Ear.time(seconds)
        seconds += Double(1 + draw(60, 3)) / 2
        if draw(2, 4) == 0 { ear.restart(at: seconds) } else { ear.resume(at: seconds) }
        life.returns.append(Ear.time(seconds))
        life.absences.append((from, Ear.time(seconds)))
      default: break
      }
    }
    ear.wait(until: seconds + 30)
    life.lines = ear.lines
    life.end = Ear.time(seconds + 30)
    return life
  }

  @Test(arguments: [UInt64](0..<200))
  func `the indicator is up exactly when the rules say so`(seed: UInt64) {
    let life = live(seed: seed)
    let silence = VirtualTime.Span.seconds(10)
    func belief(atEndOf time: VirtualTime) -> String? {
      life.lines.last { $0.name == "run.state" && $0.time <= time }?["to"]?.text
    }
    // Everything silence is counted from.
    var believed: String?
    var signs = life.returns
    for line in life.lines {
      if line.name == "snapshot.fresh" { signs.append(line.time) }
      if line.name == "run.state" {
        if line["to"]?.text == "running", believed != "running" { signs.append(line.time) }
        believed = line["to"]?.text
      }
    }
    // Where it must go up, if it is not up already.
    var due: [VirtualTime] = []
    for sign in signs.sorted() where sign + silence <= life.end {
      let moment = sign + silence
      let isLatest = !signs.contains { $0 > sign && $0 <= moment }
      let isAway = life.absences.contains { $0.from < moment && moment < $0.to }
      if isLatest, !isAway, belief(atEndOf: moment) == "running", due.last != moment { due.append(moment) }
    }
    var isUp = false
    var raised: [VirtualTime] = []
    var mustClear: String?
    for line in life.lines {
      if line.name == "liveness.disconnected" {
        #expect(!isUp && due.contains(line.time))
        isUp = true
        raised.append(line.time)
      } else if line.name == "liveness.reconnected" {
        #expect(isUp && line["reason"]?.text == mustClear)
        isUp = false
        mustClear = nil
      } else if line.name == "snapshot.fresh", isUp {
        mustClear = "fresh"
      } else if line.name == "run.state", line["to"]?.text == "ended", isUp {
        mustClear = mustClear ?? "ended"
      } else if line.name != "run.finished" {
        #expect(mustClear == nil, "cleared at once")
      }
    }
    #expect(mustClear == nil)
    // A moment that was due and passed without a line was one at which it was up already.
    for moment in due where !raised.contains(moment) {
      let last = life.lines.last { $0.name.text.hasPrefix("liveness.") && $0.time < moment }
      #expect(last?.name == "liveness.disconnected")
    }
  }

  @Test func `the random lives raise and clear often enough to prove something`() {
    var count: [String: Int] = [:]
    for seed in 0..<200 as Range<UInt64> {
      for line in live(seed: seed).lines where line.name.text.hasPrefix("liveness.") {
        count[line["reason"]?.text ?? "", default: 0] += 1
      }
    }
    #expect(count["silence", default: 0] > 500)
    #expect(count["fresh", default: 0] > 300)
    #expect(count["ended", default: 0] > 20)
  }
}

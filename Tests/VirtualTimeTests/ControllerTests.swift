import Foundation
import Testing

/// The interface for a controller, by a controller and an app in one process.
@Suite(.serialized) struct `Controller` {
  /// What `Controlled` in the probe prints, in order.
  static let expected = """
         0.000 app starts at 1767254405.0
    controller: next 15.000
    controller: next 15.000
    controller: at 7.5, next 15.000
        10.000 app task 1
    controller: at 15.0, next 25.000
        20.000 app task 2
    controller: at 25.0, next 30.000
        25.000 app timer
    controller: at 30.0, next 35.000
    controller: polls 1
    controller: reads 1 byte
        30.000 app input
    controller: without timers, next 35.000
        30.000 app task 3
    controller: with timers, next 45.000
    controller: asleep, next never
        95.000 app input during sleep
        95.000 app task 4
        95.000 app timer
    controller: awake, next 105.000
    controller: date 3695.0, moved 0.0 seconds
    controller: next 105.000
    controller: finding deadlock at 100.0: thread N waits for a mutex held by itself

    """

  @Test(arguments: ["fibers", "baton"])
  func `advances, settles, suspends and takes findings`(mode: String) throws {
    let settings = ["CONTROLLED": "1", "INSTANT": "5000000000", "MODE": mode, "THREADS": "fifo"]
    let run = try ProbeProcess(["controlled"], settings, input: "x")
    #expect(run.status == 0, "\(run.errors)")
    let text = run.text.replacing(/thread \d+ waits/, with: "thread N waits")
    #expect(Self.steps(text) == Self.steps(Self.expected))
  }

  /// The controller's lines, each with the app's lines since the one before, whose order at one instant is libdispatch's.
  private static func steps(_ text: String) -> [[String]] {
    var steps: [[String]] = []
    var app: [String] = []
    for line in text.split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) }) {
      if line.hasPrefix("controller:") {
        steps.append(app.sorted() + [line])
        app = []
      } else {
        app.append(line)
      }
    }
    return steps
  }

  @Test func `date, instant and seed are there before the first code of the program`() throws {
    let settings = ["DATE": "1500000000000000000", "INSTANT": "90000000000", "SEED": "7"]
    let run = try ProbeProcess(["date"], settings)
    // The date of a constructor is the same; the monotonic clock began 1000 s before the run.
    #expect(run.text.hasPrefix("1500000090.000 1500000090.000 1090 0 "), "\(run.text)\(run.errors)")
    #expect(try ProbeProcess(["date"], settings).output == run.output)
    #expect(try ProbeProcess(["date"], settings.merging(["SEED": "8"]) { $1 }).output != run.output)
  }

  @Test(arguments: [
    ("SEED", "-1", "a whole number from 0 to 18446744073709551615"), ("SEED", "", "a whole number"),
    ("THREADS_SEED", "18446744073709551616", "a whole number"), ("THREADS", "random", "pct, fair or fifo"),
    ("JITTER_MS", "60001", "a whole number from 0 to 60000"), ("DATE", "1e9", "a whole number"),
    ("INSTANT", "9223372036854775807", "a whole number"), ("MODE", "green", "auto, fibers or baton"),
    ("CPUS", "0", "1 or more"), ("CONTROLLED", "yes", "a whole number from 0 to 1"), ("LAYOUT", "no", "fixed or any"),
  ])
  func `a bad setting is refused before the program begins`(name: String, value: String, expected: String) throws {
    let run = try ProbeProcess(["date"], [name: value])
    #expect(run.status == 2 && run.output.isEmpty)
    #expect(run.errors.hasPrefix("virtual time: WRISTWIRE_VT_\(name): found \"\(value)\", expected \(expected)"))
  }

  @Test func `a run ends at the instant that was asked for`() throws {
    let run = try ProbeProcess(["beat", "1"], ["END": "60000000000", "STATS": "1"])
    #expect(run.status == 0 && run.output.isEmpty)
    #expect(run.errors.hasPrefix("virtual time: 59.000 s in "), "\(run.errors)")
  }
}

import Foundation
import RunBuddy
import WristwireSupport

// RunBuddyWatch [FOLDER] [--acts] [--bug NAME]
//
// Runs eight kilometres at once; with --acts it waits for the user's acts `start` and `stop`.
let words = CommandLine.arguments
let folder = RunFolder.find(words)
let bug = Bug.planted(words)

/// Eight kilometres, each of one second, on a queue of their own.
final class Runner: @unchecked Sendable {
  static let kilometres = 8
  private let queue = DispatchQueue(label: "runner")
  private let waitsForActs: Bool
  private var session: WatchSession?
  /// The run that is on; nil for none.
  private var run: String?
  private var isShown = false

  init(waitsForActs: Bool) { self.waitsForActs = waitsForActs }

  func start() {
    let session = WatchSession(bug: bug) {
      [self] in
      queue.async { [self] in if !waitsForActs { begin("morning") } }
    } onReachable: {
      [self] in
      queue.async { [self] in offer() }
    } onEnd: {
      [self] ended in
      queue.async { [self] in obey(ended) }
    }
    self.session = session
    session.start()
  }

  // MARK: The user

  func press(start run: String) {
    queue.async { [self] in
      guard self.run == nil else { return }
      begin(run)
    }
  }

  func pressStop() { queue.async { [self] in end(by: "watch") } }

  // MARK: The run

  /// Has the phone show the run, each time it comes into reach until it does.
  private func offer() {
    guard let run, !isShown else { return }
    session?.sendStart(run) { [self] isAccepted in
      queue.async { [self] in isShown = isShown || isAccepted }
      print("watch: the phone \(isAccepted ? "shows" : "does not show") the run")
    }
  }

  private func begin(_ run: String) {
    self.run = run
    isShown = false
    offer()
    for tick in 1...Self.kilometres * 4 {
      queue.asyncAfter(deadline: .now() + 0.25 * Double(tick)) { [self] in pass(tick, of: run) }
    }
  }

  private func pass(_ tick: Int, of run: String) {
    guard self.run == run else { return }
    session?.sendLive(distance: Double(tick) * 250)
    guard tick % 4 == 0 else { return }
    let kilometre = tick / 4
    session?.send(Split(run: run, kilometre: kilometre, seconds: 300 + Double(kilometre)))
    if kilometre == Self.kilometres { end(by: "distance") }
  }

  /// The phone's user has ended a run, maybe long ago.
  private func obey(_ ended: String) {
    if ended == run || bug == .lateEnd { end(by: "phone") }
  }

  private func end(by: String) {
    guard let run else { return }
    self.run = nil
    Simulation.record("ended", ["run": run, "by": by])
    let route = folder.appendingPathComponent("\(run).gpx")
    do {
      try recording().write(to: route)
      session?.sendEnd(run, route: route)
    } catch {
      print("watch: no route: \(error.localizedDescription)")
    }
  }
}

/// The route: 60,000 bytes that count.
func recording() -> Data {
  let block = Data(0...255)
  var route = Data()
  while route.count < 60_000 { route += block }
  return route.prefix(60_000)
}

let runner = Runner(waitsForActs: words.contains("--acts"))
Simulation.onAct("start") { act in runner.press(start: act.string("run") ?? "run") }
Simulation.onAct("stop") { _ in runner.pressStop() }
runner.start()
dispatchMain()

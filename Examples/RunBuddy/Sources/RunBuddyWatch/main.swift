import Foundation
import RunBuddy

// RunBuddyWatch [FOLDER]
let folder = RunFolder.find(CommandLine.arguments)
let run = "morning"

/// Eight kilometres, each of one second, on a queue of their own.
final class Runner: @unchecked Sendable {
  static let kilometres = 8
  private let queue = DispatchQueue(label: "runner")
  private var session: WatchSession?
  private var isShown = false

  func start() {
    let session = WatchSession {
      [self] in
      queue.async { [self] in begin() }
    } onReachable: {
      [self] in
      queue.async { [self] in offer() }
    }
    self.session = session
    session.start()
  }

  /// Has the phone show the run, each time it comes into reach until it does.
  private func offer() {
    guard !isShown else { return }
    session?.sendStart(run) { [self] isAccepted in
      queue.async { [self] in isShown = isShown || isAccepted }
      print("watch: the phone \(isAccepted ? "shows" : "does not show") the run")
    }
  }

  private func begin() {
    for tick in 1...Self.kilometres * 4 {
      queue.asyncAfter(deadline: .now() + 0.25 * Double(tick)) { [self] in pass(tick) }
    }
  }

  private func pass(_ tick: Int) {
    session?.sendLive(distance: Double(tick) * 250)
    guard tick % 4 == 0 else { return }
    let kilometre = tick / 4
    session?.send(Split(run: run, kilometre: kilometre, seconds: 300 + Double(kilometre)))
    guard kilometre == Self.kilometres else { return }
    let route = folder.appendingPathComponent("route.gpx")
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

let runner = Runner()
runner.start()
dispatchMain()

import Combine
import OSLog
import SwiftUI
import WatchConnectivity
import WristwireSupport

/// What the app shows, as apps write it.
final class Screen: ObservableObject {
  @Published var distance = 0
  @AppStorage("launches") var launches = 0
  var subscriptions: Set<AnyCancellable> = []
}

final class Delegate: NSObject, WCSessionDelegate {
  func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: Error?) {}
  func sessionDidBecomeInactive(_ session: WCSession) {}
  func sessionDidDeactivate(_ session: WCSession) {}
}

let screen = Screen()
let delegate = Delegate()
WCSession.default.delegate = delegate
WCSession.default.activate()

/// Sends values every 100 ms: what is slowed down comes at instants that can be told beforehand.
func pace() {
  let values = PassthroughSubject<Int, Never>()
  values.debounce(for: .milliseconds(300), scheduler: DispatchQueue.main)
    .sink { Simulation.record("debounced", ["value": $0]) }.store(in: &screen.subscriptions)
  values.throttle(for: .milliseconds(250), scheduler: DispatchQueue.main, latest: true)
    .sink { Simulation.record("throttled", ["value": $0]) }.store(in: &screen.subscriptions)
  values.delay(for: .seconds(1), scheduler: RunLoop.main)
    .sink { Simulation.record("delayed", ["value": $0]) }.store(in: &screen.subscriptions)
  values.collect(.byTime(DispatchQueue.main, .seconds(2)))
    .sink { Simulation.record("collected", ["values": $0]) }.store(in: &screen.subscriptions)
  values.timeout(.seconds(3), scheduler: DispatchQueue.main)
    .sink(receiveCompletion: { _ in Simulation.record("timedOut") }, receiveValue: { _ in })
    .store(in: &screen.subscriptions)
  Timer.publish(every: 1, on: .main, in: .common).autoconnect().prefix(3)
    .sink { _ in Simulation.record("tick") }.store(in: &screen.subscriptions)
  for value in 0..<5 {
    DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(100 * value)) { values.send(value) }
  }
}

/// Lines of every level, and some that are too long or too many.
func writeLog() {
  let logger = Logger(subsystem: "com.example.run", category: "coach")
  let (name, pace) = ("Ann", 5.125)
  logger.debug("looks \(1)")
  logger.info("hears \(name, privacy: .private)")
  logger.notice("runs at \(pace, format: .fixed(precision: 1)) min/km")
  logger.warning("token \(name, privacy: .sensitive)")
  logger.critical("stops")
  os_log("old %{public}@", log: .default, type: .error, "form")
  logger.notice("\(String(repeating: "é", count: 2000))")
  DispatchQueue.main.asyncAfter(deadline: .now() + 1) {
    for number in 0..<1500 { logger.notice("line \(number)") }
  }
}

func store() {
  screen.launches += 1
  let group = UserDefaults(suiteName: "group.com.example")
  let earlier = group?.integer(forKey: "starts") ?? 0
  group?.set(earlier + 1, forKey: "starts")
  group?.synchronize()
  let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "group.com.example")
  let file = folder?.appendingPathComponent("notes")
  let notes = file.flatMap { try? String(contentsOf: $0, encoding: .utf8) } ?? ""
  if let file { try? (notes + "x").write(to: file, atomically: true, encoding: .utf8) }
  Simulation.record("stored", ["launches": screen.launches, "starts": earlier + 1, "notes": notes.count + 1])
}

for action in CommandLine.arguments.dropFirst() {
  switch action {
  case "pace": pace()
  case "log": writeLog()
  case "store": store()
  default: fatalError("no action \(action)")
  }
}
RunLoop.main.run()

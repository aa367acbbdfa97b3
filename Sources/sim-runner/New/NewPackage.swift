import Simulator
import Console

/// The files that `sim-runner new` writes.
struct NewPackage {
  var name: String
  /// Whether the watch is the simulated one.
  var isPhoneOnly: Bool
  /// The checkout of this package.
  var wristwire: String

  static let nameBytesMax = 40

  /// Whether a text can name a package, a module and a folder.
  static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, text.utf8.count <= nameBytesMax else { return false }
    func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    return isLetter(first) && text.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
  }

  /// Each file with its path in the package.
  var files: [(path: String, text: String)] {
    var files = [
      (path: "Package.swift", text: package), (path: ".gitignore", text: ".build/\nout/\n"),
      (path: "README.md", text: readme), (path: "Sources/\(name)Kit/Connection.swift", text: connection),
      (path: "Sources/\(name)Phone/main.swift", text: isPhoneOnly ? lonePhone : phone),
      (path: "tunnel.json5", text: isPhoneOnly ? loneScenario : scenario),
    ]
    guard !isPhoneOnly else { return files }
    files.append((path: "Sources/\(name)Kit/LapStore.swift", text: store))
    files.append((path: "Sources/\(name)Watch/main.swift", text: watch))
    files.append((path: "storm.json5", text: storm))
    return files
  }

  /// This program, as it is called in the package's folder.
  private static var program: String {
    Terminal.program.contains("/") ? CommandWords.join([ProcessRun.ownPath]) : Terminal.program
  }

  /// What to type next.
  ///
  /// The last command judges what the scenarios expect, so it finds the bugs that they can show.
  var steps: [String] {
    let scenarios = isPhoneOnly ? "tunnel.json5" : "tunnel.json5 storm.json5"
    return [
      "swift build", "swift build --package-path \(CommandWords.join([wristwire])) --product VirtualTime",
      "\(Self.program) run tunnel.json5", "\(Self.program) sweep \(scenarios) --seeds 0..\\<200",
    ]
  }

  private var package: String {
    let watch = "    .executableTarget(name: \"\(name)Watch\", dependencies: app, swiftSettings: mode),\n"
    return """
      // swift-tools-version: 6.2
      import PackageDescription

      let mode: [SwiftSetting] = [.swiftLanguageMode(.v5)]
      let app: [Target.Dependency] = ["\(name)Kit", .product(name: "WristwireSupport", package: "wristwire")]

      let package = Package(
        name: "\(name)",
        dependencies: [.package(name: "wristwire", path: \(Self.quoted(wristwire)))],
        targets: [
          .target(
            name: "\(name)Kit", dependencies: [.product(name: "WatchConnectivity", package: "wristwire")],
            swiftSettings: mode),
          .executableTarget(name: "\(name)Phone", dependencies: app, swiftSettings: mode),
      \(isPhoneOnly ? "" : watch)  ]
      )

      """
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  private var readme: String {
    """
    # \(name)

    An app's connection between phone and watch, with a program for each device in place of its user interface.

    ```
    \(steps.joined(separator: "\n"))
    ```

    * `Sources/\(name)Kit` is for the app's own files: they import WatchConnectivity and Foundation.
    * `Sources/\(name)Phone`\(isPhoneOnly ? "" : " and `Sources/\(name)Watch`"): what the app does without its user interface.
    * `tunnel.json5`: what happens, and what is expected.\(isPhoneOnly ? "" : "\n" + Self.aboutStorm)

    `sweep --nemesis` adds drawn faults of every kind to a scenario without a nemesis. What the file expects is not judged then, but
    its `checks` and the invariants are.

    `Simulation.record` writes facts into the trace, for `expect` and `checks`; `Simulation.onAct` takes what the scenario's user
    does. Both have no effect outside a run. docs/your-app.md of wristwire goes on from here.

    """
  }

  private static let aboutStorm = "* `storm.json5`: laps under other faults for each seed, which each must survive."

  private var connection: String {
    """
    import Foundation
    import WatchConnectivity

    /// This device's end of the link.
    public final class Connection: NSObject, WCSessionDelegate, @unchecked Sendable {
      private let onReceive: ([String: Any]) -> Void
      private let onReady: () -> Void
      private let onSent: ([String: Any]) -> Void

      /// - Parameters:
      ///   - onReceive: Called on the session's queue with each message and each user info.
      ///   - onReady: Called on it when items can be queued: after the activation, and a while after one was refused.
      ///   - onSent: Called on it when the other device has an item.
      public init(
        onReceive: @escaping ([String: Any]) -> Void, onReady: @escaping () -> Void = {},
        onSent: @escaping ([String: Any]) -> Void = { _ in }
      ) {
        self.onReceive = onReceive
        self.onReady = onReady
        self.onSent = onSent
      }

      public func start() {
        guard WCSession.isSupported() else { return }
        WCSession.default.delegate = self
        WCSession.default.activate()
      }

      /// What is queued, and not there yet.
      public var queued: [[String: Any]] { WCSession.default.outstandingUserInfoTransfers.map { $0.userInfo } }

      /// Queues what must arrive.
      public func send(_ item: [String: Any]) { WCSession.default.transferUserInfo(item) }

      public func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: Error?
      ) { if activationState == .activated { onReady() } }
      #if !os(watchOS)
        public func sessionDidBecomeInactive(_ session: WCSession) {}
        public func sessionDidDeactivate(_ session: WCSession) { session.activate() }
      #endif
      /// A full disk, for one, refuses an item.
      public func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: Error?) {
        guard error != nil else { return onSent(userInfoTransfer.userInfo) }
        DispatchQueue.main.asyncAfter(deadline: .now() + 5) { self.onReady() }
      }
      public func session(_ session: WCSession, didReceiveMessage message: [String: Any]) { onReceive(message) }
      public func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) { onReceive(userInfo) }
    }

    """
  }

  private var store: String {
    """
    import Foundation

    /// The laps that this device has, in its documents.
    public final class LapStore {
      private let file = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
        .appendingPathComponent("laps.json")
      public private(set) var laps: [Int] = []
      /// Those that the other device may lack: a lap that is taken before the session is active cannot be queued yet, and
      /// the app may die before it is.
      public private(set) var unsent: [Int] = []

      public init() {
        guard let data = try? Data(contentsOf: file) else { return }
        let stored = (try? JSONDecoder().decode([[Int]].self, from: data)) ?? []
        if stored.count == 2 { (laps, unsent) = (stored[0], stored[1]) }
      }

      /// Keeps a lap; false for one that is there already, as what is queued may come twice.
      public func add(_ lap: Int, isOwn: Bool = false) -> Bool {
        guard !laps.contains(lap) else { return false }
        laps.append(lap)
        if isOwn { unsent.append(lap) }
        save()
        return true
      }

      /// Notes that the other device has a lap.
      public func confirm(_ lap: Int) {
        unsent.removeAll { $0 == lap }
        save()
      }

      private func save() { try? JSONEncoder().encode([laps, unsent]).write(to: file, options: .atomic) }
    }

    """
  }

  private var phone: String {
    """
    import Foundation
    import \(name)Kit
    import WristwireSupport

    let store = LapStore()
    let connection = Connection { item in
      guard item["kind"] as? String == "lap", let number = item["number"] as? Int else { return }
      if store.add(number) { Simulation.record("lap", ["number": number]) }
    }
    connection.start()
    dispatchMain()

    """
  }

  private var lonePhone: String {
    """
    import Foundation
    import \(name)Kit
    import WristwireSupport

    // The simulated watch publishes its metrics once a second.
    let connection = Connection { message in
      Simulation.record("heard", ["keys": message.keys.sorted()])
    }
    connection.start()
    dispatchMain()

    """
  }

  private var watch: String {
    """
    import Foundation
    import \(name)Kit
    import WristwireSupport

    let store = LapStore()
    let connection = Connection(
      onReceive: { _ in },
      onReady: { DispatchQueue.main.async { sendLaps() } },
      onSent: { item in
        guard let number = item["number"] as? Int else { return }
        DispatchQueue.main.async { store.confirm(number) }
      })
    connection.start()

    /// Queues what is neither confirmed nor queued.
    @MainActor func sendLaps() {
      let queued = connection.queued.compactMap { $0["number"] as? Int }
      for number in store.unsent where !queued.contains(number) { connection.send(["kind": "lap", "number": number]) }
    }

    /// What the button does.
    @MainActor func takeLap() {
      if store.add((store.laps.last ?? 0) + 1, isOwn: true) { sendLaps() }
    }
    Simulation.onAct("lap") { _ in takeLap() }
    dispatchMain()

    """
  }

  private var scenario: String {
    """
    {
      scenario: "\(name)",
      about: "Three laps: one in a tunnel, one while the phone's app is down.",
      duration: "2m",
      link: { profile: "ble-running" },
      phone: { command: ".build/debug/\(name)Phone" },
      watch: {
        command: ".build/debug/\(name)Watch",
        acts: [{ at: "10s", do: "lap" }, { at: "40s", do: "lap" }, { at: "68s", do: "lap" }],
      },
      payload: { name: "$.kind" },
      faults: [
        { at: "35s", for: "20s", disconnect: {} },
        { at: "65s", kill: "phone", restartAfter: "5s" },
      ],
      expect: [
        { count: "app.lap", where: { node: "phone" }, exactly: 3 },
        { count: "transfer.delivered", where: { node: "phone", kind: "lap" }, exactly: 3 },
      ],
      checks: { idempotent: {}, restartKeeps: {}, sameAsIdeal: { lasting: ["lap"] } },
    }

    """
  }

  private var storm: String {
    """
    {
      scenario: "\(name)-storm",
      about: "A lap every ten seconds, under faults drawn from the seed. Each must arrive, once.",
      duration: "2m",
      link: { profile: "ble-running" },
      phone: { command: ".build/debug/\(name)Phone" },
      watch: {
        command: ".build/debug/\(name)Watch",
        acts: [
          { at: "10s", do: "lap" }, { at: "20s", do: "lap" }, { at: "30s", do: "lap" }, { at: "40s", do: "lap" },
          { at: "50s", do: "lap" }, { at: "60s", do: "lap" }, { at: "70s", do: "lap" }, { at: "80s", do: "lap" },
        ],
      },
      payload: { name: "$.kind" },
      // Without diskFull and notInstalled, in which this app cannot keep a lap.
      nemesis: {
        kinds: [
          "disconnect", "loss", "delay", "reorder", "duplicate", "oneWay", "bandwidth", "kill", "reboot", "suspend",
          "phantomReachable", "reachabilityStuck", "queueStall", "deliveredTwice",
        ],
        meanInterval: "10s", meanDuration: "15s",
      },
      expect: [{ count: "app.lap", where: { node: "phone" }, exactly: 8 }],
      checks: { sameAsIdeal: { lasting: ["lap"] } },
    }

    """
  }

  private var loneScenario: String {
    """
    {
      scenario: "\(name)",
      about: "The simulated watch records a run; the phone's app crashes.",
      duration: "2m",
      link: { profile: "ble-running" },
      phone: { command: ".build/debug/\(name)Phone" },
      faults: [{ at: "65s", kill: "phone", restartAfter: "5s" }],
      expect: [{ count: "app.heard", atLeast: 50 }],
      // What is heard last depends on the link.
      checks: { sameAsIdeal: false },
    }

    """
  }
}

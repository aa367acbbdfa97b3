// swift-tools-version: 6.2
import PackageDescription

/// One set of settings for every target: a warning is an error.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

/// Profile-guided optimization: release builds use the counts that `scripts/pgo` has recorded.
///
/// docs/decisions/0015 says why, and when it is left out: for a compiler that cannot read the counts, and where this
/// package is a dependency, since SwiftPM lets no versioned one name flags of its own.
let pgoFlags: [String] = {
  #if os(Linux) && compiler(>=6.3) && compiler(<6.4)
    switch Context.environment["WRISTWIRE_PGO"] {
    case "off": return []
    case "count": return ["-Xfrontend", "-ir-profile-generate"]
    default:
      guard !Context.packageDirectory.contains("/checkouts/") else { return [] }
      return ["-Xfrontend", "-ir-profile-use=\(Context.packageDirectory)/pgo/sim-runner.profdata"]
    }
  #else
    return []
  #endif
}()
let guided: [SwiftSetting] =
  pgoFlags.isEmpty ? [] : [.unsafeFlags(pgoFlags, .when(configuration: .release))]

/// For WatchConnectivity, in Swift 5 mode as Apple's framework is: an app in Swift 6 mode that says `@preconcurrency import
/// WatchConnectivity` then gets neither an error nor a warning for handing its objects from one actor to another.
let asAppleCompiles: [SwiftSetting] = [
  .swiftLanguageMode(.v5),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

/// The commit that `--version` prints, from the environment: SwiftPM reads the repository once and then keeps what it found.
let commit: [CSetting] = {
  guard let name = Context.environment["WRISTWIRE_COMMIT"], (1...64).contains(name.utf8.count),
    name.utf8.allSatisfy({ (48...57).contains($0) || (97...122).contains($0) || $0 == 45 })
  else { return [] }
  return [.define("WRISTWIRE_COMMIT", to: "\"\(name)\"")]
}()

/// For targets that decide: no C is called there, so every unsafe construct is marked with `unsafe`.
let deciding: [SwiftSetting] = strict + [.strictMemorySafety()]

/// What the commands of sim-runner are made of.
let runnerParts = [
  "Link", "LinkTransport", "LinkStore", "CoachProtocol", "WatchSim", "PhoneSim", "EdgeSim", "CSystem", "CBuild",
  "Console", "TraceTools", "Simulator", "Experiments", "LiveView", "PairScreen",
]

/// Apple's modules for the device beside HealthKit: docs/internals/device-modules.md.
let deviceModules = [
  "CoreLocation", "CoreMotion", "AVFoundation", "Speech", "UserNotifications", "ActivityKit", "EventKit", "WidgetKit",
  "SwiftData", "AppleNetworking", "CoreHaptics", "AudioToolbox", "AVFAudio",
]

func deviceModule(_ name: String) -> Target {
  let others = ["Speech", "AudioToolbox", "AVFAudio"].contains(name) ? ["AVFoundation"] : []
  let parts = ["DeviceClient", "AppleFoundation", "WatchConnectivity", "HealthSim", "Link"] + others
  return .target(
    name: name, dependencies: parts.map { .byName(name: $0) }, path: "Sources/Apple/\(name)",
    swiftSettings: asAppleCompiles)
}

let package = Package(
  name: "wristwire",
  products: [
    .library(name: "Link", targets: ["Link", "LinkCheckers"]),
    .library(name: "WatchConnectivity", targets: ["WatchConnectivity"]),
    // Apple's other modules, as far as they are not user interface: docs/internals/apple-modules.md.
    .library(name: "Combine", targets: ["Combine"]),
    .library(name: "HealthKit", targets: ["HealthKit"]),
    .library(name: "WatchKit", targets: ["WatchKit"]),
    .library(name: "UIKit", targets: ["UIKit"]),
    .library(name: "os", targets: ["os"]),
    .library(name: "AppleFoundation", targets: ["AppleFoundation"]),
    .library(name: "SwiftUI", targets: ["SwiftUI"]),
    .library(name: "OSLog", targets: ["OSLog"]),
  ] + deviceModules.map { .library(name: $0, targets: [$0]) } + [
    // What an app says to the simulator: facts, acts.
    .library(name: "WristwireSupport", targets: ["WristwireSupport"]),
    // Runs of apps in Swift Testing.
    .library(name: "WristwireTesting", targets: ["WristwireTesting"]),
    // Preloaded into programs, never linked: docs/internals/virtual-time.md.
    .library(name: "VirtualTime", type: .dynamic, targets: ["CVirtualTime"]),
    // Preloaded into nodes by the tests only, never linked.
    .library(name: "KillAtCall", type: .dynamic, targets: ["KillAtCall"]),
    .executable(name: "sim-runner", targets: ["sim-runner"]),
    .executable(name: "sim-runner-proxy", targets: ["sim-runner-proxy"]),
  ],
  targets: [
    // System calls that Swift's Glibc module lacks, SHA-256, CRC-32C.
    .target(name: "CSystem"),
    // How the program was built. A target of its own, so that another commit compiles one file.
    .target(name: "CBuild", cSettings: commit),
    // Replaces libc's waits, clocks and randomness in a program that knows nothing of it.
    .target(name: "CVirtualTime"),
    // The system's SQLite.
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    // The link: state machines without I/O. Transport, Store and Checkers are targets of their own in the same folder.
    .target(
      name: "Link", dependencies: ["CSystem"], exclude: ["Transport", "Store", "Checkers"],
      swiftSettings: deciding + guided,
      linkerSettings: [.linkedLibrary("m")]),
    // Sockets, child processes, descriptors.
    .target(
      name: "LinkTransport", dependencies: ["Link", "CSystem"], path: "Sources/Link/Transport",
      swiftSettings: strict + guided),
    // What outlives a node's process: SQLite, files.
    .target(
      name: "LinkStore", dependencies: ["Link", "CSQLite"], path: "Sources/Link/Store", swiftSettings: deciding + guided
    ),
    // What watch and phone both know.
    .target(name: "CoachProtocol", dependencies: ["Link"], swiftSettings: deciding + guided),
    .target(name: "WatchSim", dependencies: ["Link", "CoachProtocol"], swiftSettings: strict + guided),
    .target(
      name: "PhoneSim", dependencies: ["Link", "LinkStore", "CoachProtocol"], swiftSettings: deciding + guided),
    // Computes from a trace alone which lines of a script are due, for the checkers and for `why`.
    .target(name: "CoachReference", dependencies: ["Link", "CoachProtocol"], swiftSettings: deciding + guided),
    // The invariants. Only the program depends on them: a change to a checker compiles nothing between the two.
    .target(
      name: "LinkCheckers", dependencies: ["Link"], path: "Sources/Link/Checkers", swiftSettings: deciding + guided),
    .target(
      name: "CoachCheckers", dependencies: ["Link", "LinkCheckers", "CoachProtocol", "CoachReference"],
      swiftSettings: deciding + guided),
    // The cloud the phone talks to.
    .target(name: "EdgeSim", dependencies: ["Link", "CoachProtocol"], swiftSettings: deciding + guided),
    // Starts the session before an app's `main` in virtual time.
    .target(name: "CSessionStart"),
    // Joins WristwireSupport and the session, of which either may be missing.
    .target(name: "CSimulation"),
    .target(name: "WristwireSupport", dependencies: ["CSimulation"], swiftSettings: strict),
    // For an app's own test target: it imports Testing.
    .target(name: "WristwireTesting", dependencies: ["WristwireSupport"], swiftSettings: strict),
    // The session under Apple's own names, for an app's own source files.
    .target(
      name: "WatchConnectivity", dependencies: ["CSessionStart", "CSimulation", "Link", "LinkTransport", "LinkStore"],
      swiftSettings: asAppleCompiles),
    // Apple's other modules.
    .target(name: "AppleFoundation", path: "Sources/Apple/AppleFoundation", swiftSettings: asAppleCompiles),
    .target(
      name: "Combine", dependencies: ["AppleFoundation"], path: "Sources/Apple/Combine", swiftSettings: asAppleCompiles),
    .target(
      name: "SwiftUI", dependencies: ["Combine", "AppleFoundation"], path: "Sources/Apple/SwiftUI",
      swiftSettings: asAppleCompiles),
    .target(name: "os", dependencies: ["CSimulation"], path: "Sources/Apple/os", swiftSettings: asAppleCompiles),
    .target(name: "OSLog", dependencies: ["os"], path: "Sources/Apple/OSLog", swiftSettings: asAppleCompiles),
    // What joins an app's process to its simulated device, and Apple's modules for the device, which speak through it.
    .target(
      name: "DeviceClient", dependencies: ["WatchConnectivity", "HealthSim", "Link"],
      path: "Sources/Apple/DeviceClient",
      swiftSettings: asAppleCompiles),
  ] + deviceModules.map { deviceModule($0) } + [
    // HealthKit: the daemons of the devices, which decide and live with the run, and Apple's names in an app's process.
    .target(name: "HealthSim", dependencies: ["Link"], swiftSettings: deciding + guided),
    .target(
      name: "HealthKit",
      dependencies: ["WatchConnectivity", "HealthSim", "Link", "DeviceClient", "CoreLocation", "AppleFoundation"],
      swiftSettings: asAppleCompiles),
    .target(
      name: "WatchKit", dependencies: ["HealthKit", "WatchConnectivity", "Combine", "AppleFoundation"],
      swiftSettings: asAppleCompiles),
    .target(
      name: "UIKit",
      dependencies: ["HealthKit", "WatchConnectivity", "Combine", "AppleFoundation", "DeviceClient", "HealthSim"],
      swiftSettings: asAppleCompiles),
    // An app of the tests with workouts, as a watch and as a phone.
    .executableTarget(
      name: "HealthProbe",
      dependencies: ["HealthKit", "WatchConnectivity", "WatchKit", "UIKit", "WristwireSupport"]
        + deviceModules.map { .byName(name: $0) },
      path: "Tests/HealthProbe", swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "HealthKitTests",
      dependencies: [
        "HealthKit", "HealthSim", "Link", "LinkTestSupport", "WristwireTesting", "HealthProbe", "AVFoundation",
        "AudioToolbox", "CoreHaptics", "sim-runner",
      ], swiftSettings: strict),
    // What every part of sim-runner prints, refuses, reads and writes with.
    .target(
      name: "Console", dependencies: ["Link", "LinkTransport", "CoachProtocol", "CSystem"],
      swiftSettings: strict + guided),
    // What reads traces and state folders, and runs nothing.
    .target(
      name: "TraceTools",
      dependencies: [
        "Console", "Link", "LinkTransport", "LinkStore", "CoachProtocol", "CoachReference", "WatchSim", "PhoneSim",
        "EdgeSim",
      ],
      // Pages with their style sheets and scripts.
      resources: [.embedInCode("Export/Report/Page"), .embedInCode("ResultPage/Page"), .embedInCode("Pair/Page")],
      swiftSettings: strict + guided),
    // Makes one run of a scenario: its keys, the conductor, drivers of nodes, the replay of recorded parts.
    .target(
      name: "Simulator",
      dependencies: [
        "Console", "Link", "LinkTransport", "LinkStore", "CoachProtocol", "WatchSim", "PhoneSim", "EdgeSim", "CSystem",
        "HealthSim",
      ],
      swiftSettings: strict + guided),
    // Makes many runs and compares them: tests, sweeps, searches, shrinking, replays, bundles.
    .target(
      name: "Experiments",
      dependencies: [
        "Console", "TraceTools", "Simulator", "Link", "LinkTransport", "WatchSim", "PhoneSim", "EdgeSim", "CSystem",
        "CBuild",
      ],
      swiftSettings: strict + guided),
    // The live view of a run, and the controls of a running one.
    .target(
      name: "LiveView",
      dependencies: [
        "Console", "TraceTools", "Simulator", "Experiments", "Link", "LinkTransport", "WatchSim", "CSystem",
      ],
      swiftSettings: strict + guided),
    // Watch, phone and link on a page in the browser, and the server of that page.
    .target(
      name: "PairScreen",
      dependencies: [
        "Console", "TraceTools", "Simulator", "Experiments", "Link", "LinkTransport", "CSystem",
      ],
      // The page with its style sheet and scripts.
      resources: [.embedInCode("Page")],
      swiftSettings: strict + guided),
    .target(
      name: "Commands", dependencies: runnerParts.map { .byName(name: $0) }, path: "Sources/sim-runner",
      exclude: ["Main"], swiftSettings: strict + guided),
    // Joins the commands with the checkers.
    .executableTarget(
      name: "sim-runner", dependencies: ["Commands", "CoachCheckers", "LinkTransport", "CSystem"],
      path: "Sources/sim-runner/Main", swiftSettings: strict + guided),

    // A real proxy as the edge: a program of its own, as only it needs an HTTP client.
    .executableTarget(
      name: "sim-runner-proxy", dependencies: ["Link", "LinkTransport", "CoachProtocol"], swiftSettings: strict),

    .target(
      name: "LinkTestSupport", dependencies: ["Link"], path: "Tests/LinkTestSupport",
      swiftSettings: strict),
    .testTarget(
      name: "LinkTests", dependencies: ["Link", "LinkCheckers", "LinkTestSupport"], swiftSettings: strict),
    .testTarget(
      name: "LinkTransportTests", dependencies: ["Link", "LinkTransport", "LinkTestSupport"], swiftSettings: strict),
    .testTarget(
      name: "LinkStoreTests", dependencies: ["Link", "LinkStore", "LinkTransport", "WriteRecorder"],
      swiftSettings: strict),
    // Records what SQLite writes and syncs: what a loss of power leaves is computed from it.
    .target(name: "WriteRecorder", dependencies: ["CSQLite"], path: "Tests/WriteRecorder"),
    // Ends a node's process after one of its system calls that change files.
    .target(name: "KillAtCall", path: "Tests/KillAtCall"),
    .testTarget(
      name: "CoachProtocolTests", dependencies: ["Link", "CoachProtocol"], swiftSettings: strict),
    .testTarget(
      name: "WatchSimTests", dependencies: ["Link", "LinkStore", "CoachProtocol", "WatchSim"],
      swiftSettings: strict),
    .testTarget(
      name: "PhoneSimTests",
      dependencies: [
        "Link", "LinkCheckers", "LinkStore", "LinkTransport", "LinkTestSupport", "CoachProtocol", "CoachReference",
        "CoachCheckers", "PhoneSim",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "EdgeSimTests", dependencies: ["Link", "CoachProtocol", "EdgeSim"], swiftSettings: strict),
    // An app of the tests, as a phone and as a watch, written as apps for the devices are.
    .executableTarget(
      name: "SessionProbe", dependencies: ["WatchConnectivity", "WristwireSupport"], path: "Tests/SessionProbe",
      exclude: ["hands.json5", "hands-killed.json5"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    // An app in Swift 6 mode whose handlers are the main actor's.
    .executableTarget(
      name: "IsolationProbe", dependencies: ["WatchConnectivity"], path: "Tests/IsolationProbe",
      swiftSettings: [.swiftLanguageMode(.v6)]),
    // The same source files in either language mode: one is a link to the other.
    .target(
      name: "SessionClient5", dependencies: ["WatchConnectivity"], path: "Tests/SessionClients/Swift5",
      swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
    .target(
      name: "SessionClient6", dependencies: ["WatchConnectivity"], path: "Tests/SessionClients/Swift6",
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
    .testTarget(
      name: "WatchConnectivityTests",
      dependencies: [
        "WatchConnectivity", "WristwireTesting", "Link", "LinkStore", "LinkTransport", "LinkTestSupport",
        "SessionProbe", "IsolationProbe", "SessionClient5", "SessionClient6", "sim-runner",
      ],
      swiftSettings: strict),
    // An app of the tests that uses Apple's other modules.
    .executableTarget(
      name: "AppleProbe", dependencies: ["WatchConnectivity", "WristwireSupport", "Combine", "OSLog", "SwiftUI"],
      path: "Tests/AppleProbe", swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "AppleModulesTests",
      dependencies: ["Combine", "os", "SwiftUI", "AppleFoundation", "AppleProbe", "LinkTestSupport", "sim-runner"],
      swiftSettings: strict),
    // A program of the tests that knows nothing of virtual time, and waits in every way there is.
    .executableTarget(
      name: "VirtualTimeProbe", dependencies: ["CVirtualTimeProbe"], path: "Tests/VirtualTimeProbe",
      exclude: ["Calls"], swiftSettings: [.swiftLanguageMode(.v5)]),
    .target(name: "CVirtualTimeProbe", path: "Tests/VirtualTimeProbe/Calls"),
    .testTarget(
      name: "VirtualTimeTests", dependencies: ["VirtualTimeProbe", "LinkTestSupport"], swiftSettings: strict),
    .testTarget(
      name: "SimRunnerTests",
      dependencies: [
        "sim-runner", "Commands", "LiveView", "PairScreen", "Console", "TraceTools", "Simulator", "Experiments",
        "Link", "LinkCheckers", "LinkTransport", "LinkStore", "CoachProtocol", "CoachReference", "CoachCheckers",
        "WatchSim", "PhoneSim",
        "EdgeSim", "LinkTestSupport",
      ],
      exclude: ["Golden"], swiftSettings: strict),
  ]
)

/// For Fuzz/, which no other build needs.
if Context.environment["WRISTWIRE_FUZZ"] == "on" {
  package.products.append(.library(name: "WristwireParts", targets: runnerParts + ["CoachCheckers"]))
}

/// For scripts/bench: what it measures is what users get, so it is built in this package, with its access and its profile.
if Context.environment["WRISTWIRE_BENCH"] == "on" {
  package.targets += [
    // `sim-runner` with two commands more: a run starts its own program as nodes, workers and guards.
    .executableTarget(
      name: "bench-runner", dependencies: runnerParts.map { .byName(name: $0) } + ["Commands", "CoachCheckers"],
      path: "Benchmarks/bench-runner", swiftSettings: strict + guided),
    .testTarget(
      name: "BenchTests", dependencies: ["bench-runner", "Console", "LinkTestSupport"], path: "Benchmarks/Tests",
      swiftSettings: strict),
  ]
}

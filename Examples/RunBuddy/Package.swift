// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "RunBuddy",
  dependencies: [.package(name: "wristwire", path: "../..")],
  targets: [
    // The app's connectivity layer: the very files that the Xcode project has.
    .target(
      name: "RunBuddy",
      dependencies: [
        .product(name: "Combine", package: "wristwire"), .product(name: "HealthKit", package: "wristwire"),
        .product(name: "os", package: "wristwire"), .product(name: "WatchConnectivity", package: "wristwire"),
        .product(name: "WristwireSupport", package: "wristwire"),
      ]),
    // A process for each device, in place of the app's user interface.
    .executableTarget(name: "RunBuddyPhone", dependencies: ["RunBuddy"]),
    .executableTarget(name: "RunBuddyWatch", dependencies: ["RunBuddy"]),
    .testTarget(
      name: "RunBuddyTests",
      dependencies: ["RunBuddyPhone", "RunBuddyWatch", .product(name: "WristwireTesting", package: "wristwire")]),
  ]
)

// swift-tools-version: 6.2
import PackageDescription

let apple: [Target.Dependency] = [
  .product(name: "HealthKit", package: "wristwire"), .product(name: "WatchConnectivity", package: "wristwire"),
]
let package = Package(
  name: "Stride",
  dependencies: [.package(name: "wristwire", path: "../..")],
  targets: [
    // The app's model: the very files that the Xcode project has. They import Apple's frameworks and the support's facts.
    .target(
      name: "Stride", dependencies: apple + [.product(name: "WristwireSupport", package: "wristwire")],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    // A process for each device, in place of the app's user interface.
    .executableTarget(
      name: "StrideWatch", dependencies: ["Stride", .product(name: "WatchKit", package: "wristwire")],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .executableTarget(
      name: "StridePhone", dependencies: ["Stride", .product(name: "UIKit", package: "wristwire")],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "StrideTests",
      dependencies: ["StrideWatch", "StridePhone", .product(name: "WristwireTesting", package: "wristwire")]),
  ]
)

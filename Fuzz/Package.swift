// swift-tools-version: 6.2
import PackageDescription

// Fuzz targets for what reads bytes from outside; ../scripts/fuzz builds and runs them with libFuzzer.

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "fuzz",
  dependencies: [.package(name: "wristwire", path: "..")],
  targets: [
    .executableTarget(
      name: "fuzz", dependencies: [.product(name: "WristwireParts", package: "wristwire")],
      swiftSettings: strict)
  ]
)

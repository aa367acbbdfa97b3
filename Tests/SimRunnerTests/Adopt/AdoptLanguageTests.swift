import Foundation
import Testing

@testable import Commands

/// In which Swift an app's files are compiled.
@Suite struct `adopt compiles as the project does` {
  @Test func `an app is compiled as its project says`() throws {
    let text = """
      name: Run
      settings:
        base:
          SWIFT_VERSION: "6.0"
      targets:
        Run:
          type: application
          platform: iOS
        RunWatch:
          type: application
          platform: watchOS
          settings:
            base:
              SWIFT_VERSION: "5.0"
              SWIFT_DEFAULT_ACTOR_ISOLATION: MainActor
      """
    let generated = GeneratedProject(parsing: Array(text.utf8)).targets.map(\.language.text)
    #expect(generated == ["Swift 6", "Swift 5, the main actor by default"])
    let project = """
      { rootObject = r; objects = {
        r = { targets = (a, b); buildConfigurationList = l; };
        a = { name = Run; productType = "com.apple.product-type.application"; buildConfigurationList = m; };
        b = { name = "Run Watch"; productType = "com.apple.product-type.application"; buildConfigurationList = n; };
        l = { buildConfigurations = (c); }; c = { buildSettings = { SDKROOT = iphoneos; SWIFT_VERSION = 6.0; }; };
        m = { buildConfigurations = (d); }; d = { buildSettings = { SWIFT_APPROACHABLE_CONCURRENCY = YES; }; };
        n = { buildConfigurations = (e); };
        e = { buildSettings = { SDKROOT = watchos; SWIFT_VERSION = 5.0; SWIFT_DEFAULT_ACTOR_ISOLATION = MainActor; }; };
      }; }
      """
    let targets = try #require(XcodeProject(parsing: Array(project.utf8))).targets
    #expect(targets.map(\.isWatch) == [false, true])
    #expect(
      targets.map(\.language.text) == ["Swift 6, approachable concurrency", "Swift 5, the main actor by default"])
    #expect(targets[1].language.settings.hasSuffix(".defaultIsolation(MainActor.self)]"))
    #expect(
      targets[0].language.settings
        == "[.swiftLanguageMode(.v6), .unsafeFlags([\"-suppress-warnings\"]), "
        + ".enableUpcomingFeature(\"InferIsolatedConformances\"), "
        + ".enableUpcomingFeature(\"NonisolatedNonsendingByDefault\")]")
  }
}

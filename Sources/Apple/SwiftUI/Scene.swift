/// Where the app stands.
public enum ScenePhase: Comparable, Hashable, Sendable {
  case background, inactive, active
}

/// What an app is made as when it starts; what it shows is left out.
@MainActor
public protocol App {
  init()
}

/// How a change would be shown.
public struct Animation: Equatable, Sendable {
  private let name: String
  private let seconds: Double

  private static func named(_ name: String, _ seconds: Double = 0.35) -> Animation {
    Animation(name: name, seconds: seconds)
  }

  public static let `default` = named("default")
  public static let linear = named("linear")
  public static let easeIn = named("easeIn")
  public static let easeOut = named("easeOut")
  public static let easeInOut = named("easeInOut")
  public static let spring = named("spring")
  public static let smooth = named("smooth")
  public static let snappy = named("snappy")
  public static let bouncy = named("bouncy")
  public static func linear(duration: Double) -> Animation { named("linear", duration) }
  public static func easeIn(duration: Double) -> Animation { named("easeIn", duration) }
  public static func easeOut(duration: Double) -> Animation { named("easeOut", duration) }
  public static func easeInOut(duration: Double) -> Animation { named("easeInOut", duration) }
  public static func spring(
    response: Double = 0.5, dampingFraction: Double = 0.825, blendDuration: Double = 0
  ) -> Animation { named("spring", response) }
}

/// Makes a change, at once: there is no view to animate.
public func withAnimation<Result>(_ animation: Animation? = .default, _ body: () throws -> Result) rethrows -> Result {
  try body()
}

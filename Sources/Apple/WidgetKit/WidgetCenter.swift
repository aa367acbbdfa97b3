@_exported public import AppleFoundation
import DeviceClient
import Foundation

/// How large a widget is; the raw values are the framework's.
public enum WidgetFamily: Int, Sendable, CaseIterable {
  case systemSmall = 0, systemMedium, systemLarge, systemExtraLarge, accessoryCorner, accessoryCircular
  case accessoryRectangular, accessoryInline
}

/// A widget that a user has put somewhere: none here.
public struct WidgetInfo: Sendable, Hashable {
  public let kind: String
  public let family: WidgetFamily
}

/// Asks the system to draw widgets and complications again: a fact `widgetReload` of the run, with `kind` (empty for all).
public final class WidgetCenter: @unchecked Sendable {
  public static let shared = WidgetCenter()

  public func reloadTimelines(ofKind kind: String) { record(kind) }
  public func reloadAllTimelines() { record("") }
  public func invalidateConfigurationRecommendations() {}

  /// No user has put a widget anywhere, so there is nothing to list.
  public func getCurrentConfigurations(_ completion: @escaping @Sendable (Result<[WidgetInfo], any Error>) -> Void) {
    DeviceClient.reportMissing("widgetKit", "WidgetCenter.getCurrentConfigurations")
    DeviceClient.shared.answers.async { completion(.success([])) }
  }
  public func currentConfigurations() async throws -> [WidgetInfo] {
    try await withCheckedThrowingContinuation { continuation in
      getCurrentConfigurations { continuation.resume(with: $0) }
    }
  }

  private func record(_ kind: String) {
    let text = (try? JSONEncoder().encode(["kind": kind])).map { String(decoding: $0, as: UTF8.self) }
    DeviceClient.record("widgetReload", json: text ?? "{}")
  }
}

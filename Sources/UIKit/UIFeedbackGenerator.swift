public import Foundation
import WatchConnectivity

/// Haptics of the phone: each is a fact `haptic` of the run.
@MainActor
open class UIFeedbackGenerator: NSObject {
  public nonisolated override init() { super.init() }

  open func prepare() {}

  final func record(_ type: String) { DeviceServices.record("haptic", json: "{\"type\":\"\(type)\"}") }
}

@MainActor
open class UIImpactFeedbackGenerator: UIFeedbackGenerator {
  public enum FeedbackStyle: Int, Sendable { case light = 0, medium, heavy, soft, rigid }

  private let style: FeedbackStyle

  public nonisolated init(style: FeedbackStyle) {
    self.style = style
    super.init()
  }
  public nonisolated override convenience init() { self.init(style: .medium) }

  open func impactOccurred() { record("\(style)") }
  open func impactOccurred(intensity: CGFloat) { record("\(style)") }
}

@MainActor
open class UINotificationFeedbackGenerator: UIFeedbackGenerator {
  public enum FeedbackType: Int, Sendable { case success = 0, warning, error }

  open func notificationOccurred(_ notificationType: FeedbackType) { record("\(notificationType)") }
}

@MainActor
open class UISelectionFeedbackGenerator: UIFeedbackGenerator {
  open func selectionChanged() { record("selection") }
}

/// The phone asks the watch to tap the wrist; best effort, void 10 s after it was said.
public struct HapticCue: Sendable, Equatable {
  /// What the tap means.
  public enum Kind: String, Sendable, CaseIterable {
    case kmMilestone, pacingWarning, fuelingReminder, hydrationReminder
  }

  /// What the tap means.
  public var haptic: Kind
  /// When it was said, by the phone's clock.
  public var sentAt: PhoneTime

  /// Creates the command.
  public init(_ haptic: Kind, sentAt: PhoneTime) {
    self.haptic = haptic
    self.sentAt = sentAt
  }
}

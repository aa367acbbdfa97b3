public import Link

/// The phone has the watch tap the wrist; best effort, void 10 s after it was sent.
public struct HapticCue: Sendable, Equatable {
  public enum Kind: String, Sendable, CaseIterable {
    case kmMilestone, pacingWarning, fuelingReminder, hydrationReminder
  }

  public var haptic: Kind
  /// By the phone's clock.
  public var sentAt: PhoneTime

  public init(_ haptic: Kind, sentAt: PhoneTime) {
    self.haptic = haptic
    self.sentAt = sentAt
  }
}

extension HapticCue: AppMessageBody {
  static let kind = AppMessage.Kind.hapticCue
  static let channel = Channel.message
  static let example = HapticCue(.kmMilestone, sentAt: .example)

  var message: AppMessage { .hapticCue(self) }
  var fieldCount: Int { 2 }

  func write(to writer: inout PropertyListWriter) {
    writer.string("haptic", haptic.rawValue)
    writer.integer("sentAt", sentAt.nanoseconds)
  }

  init(from fields: inout MessageFields) throws(MessageError) {
    haptic = try fields.word("haptic", Kind.self)
    sentAt = try fields.time("sentAt")
  }
}

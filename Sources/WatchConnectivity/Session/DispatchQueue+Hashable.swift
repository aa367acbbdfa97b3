public import Dispatch

/// Makes queues usable as keys, as they are where queues are Objective-C objects.
extension DispatchQueue: @retroactive Equatable, @retroactive Hashable {
  /// The main queue and the global ones are different objects at each access, with the same label.
  public static func == (lhs: DispatchQueue, rhs: DispatchQueue) -> Bool {
    lhs === rhs || (lhs.label == rhs.label && lhs.label.hasPrefix("com.apple."))
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(label) }
}

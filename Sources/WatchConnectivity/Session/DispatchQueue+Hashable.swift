public import Dispatch

/// A queue can be a key, as it can where queues are objects of Objective-C.
extension DispatchQueue: @retroactive Equatable, @retroactive Hashable {
  /// The main queue and the global ones come as another object each time they are asked for, under the same label.
  public static func == (lhs: DispatchQueue, rhs: DispatchQueue) -> Bool {
    lhs === rhs || (lhs.label == rhs.label && lhs.label.hasPrefix("com.apple."))
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(label) }
}

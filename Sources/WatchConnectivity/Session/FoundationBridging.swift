public import Dispatch
public import Foundation

/// Makes queues usable as keys, as they are where queues are Objective-C objects.
extension DispatchQueue: @retroactive Equatable, @retroactive Hashable {
  /// The main queue and the global ones are different objects at each access, with the same label.
  public static func == (lhs: DispatchQueue, rhs: DispatchQueue) -> Bool {
    lhs === rhs || (lhs.label == rhs.label && lhs.label.hasPrefix("com.apple."))
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(label) }
}

/// Lets an app take a received number as a `CGFloat`, and send one, as on Apple's platforms: Foundation on Linux bridges every
/// other numeric type.
extension CGFloat: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSNumber { NSNumber(value: Double(self)) }

  public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout CGFloat?) {
    if !_conditionallyBridgeFromObjectiveC(source, result: &result) {
      preconditionFailure("the number \(source) is no CGFloat")
    }
  }

  public static func _conditionallyBridgeFromObjectiveC(_ source: NSNumber, result: inout CGFloat?) -> Bool {
    result = Double(exactly: source).map { CGFloat($0) }
    return result != nil
  }

  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> CGFloat {
    CGFloat(source?.doubleValue ?? 0)
  }
}

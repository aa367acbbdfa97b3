/// What a loss of power did to a device's store.
public struct PowerLoss: Sendable, Equatable {
  /// The number of commits since the store was last synced.
  public let unsynced: Int
  /// How many of them are lost: always the latest ones, 0...unsynced.
  public let lost: Int

  /// Nothing was unsynced.
  public static let none = PowerLoss(unsynced: 0, draw: 0)

  /// Draws how many of the latest commits are lost.
  ///
  /// - Parameters:
  ///   - unsynced: The number of unsynced commits.
  ///   - draw: 64 random bits; every loss from 0 to `unsynced` is equally likely.
  public init(unsynced: Int, draw: UInt64) {
    self.unsynced = unsynced
    lost = Int(draw.multipliedFullWidth(by: UInt64(unsynced) + 1).high)
  }

  /// A store of durability `normal` is synced at the latest after this many commits.
  public static let unsyncedMax = 64
}
